"""Health checks: what Route53 asks an entry, and when two records ask the same.

Every record has one check. Of several addresses the first is asked: they are doors of the same
entry. A host name is asked under its own name, because Route53 sends no other host to it, and
never under the name that it serves (that would be a circle). Source: Route53 HealthCheckConfig.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from fleet.deliver.bodies import hash_of
from fleet.deliver.faults import Fault
from fleet.model.inventory import Cluster, Entry
from fleet.model.plan import CheckDelivery
from fleet.model.source import dotted
from fleet.model.traffic import HealthCheck, TrafficPolicy

SHORT = 8
BASE_CENTS = 75
OPTION_CENTS = 200
FAST_SECONDS = 10
HOST_PATH = ("spec", "healthCheck", "host")


@dataclass(frozen=True, slots=True)
class Asked:
    """A cluster's entry and the policy whose records lead to it."""

    policy: TrafficPolicy
    cluster: Cluster
    entry: Entry

    @property
    def host(self) -> str:
        """The host that a check sends."""
        said = self.policy.spec.health_check.host
        return self.entry.hostname or said or self.policy.spec.name

    def fault(self) -> Fault | None:
        """Why no check can be made; None where one can."""
        spec = self.policy.spec
        said = spec.health_check.host
        if self.entry.hostname == spec.name:
            sentence = f"the entry of '{self.cluster.name}' is the name '{spec.name}' itself"
            path: tuple[str, ...] = ("spec", "entry", "hostname")
            return Fault(self.cluster.origin.at(*path), dotted(path), sentence)
        if self.entry.hostname is not None and said not in {None, self.entry.hostname}:
            sentence = f"'{self.cluster.name}' is asked as '{self.entry.hostname}', not '{said}'"
            hint = "Route53 sends a host name's own name; 'host' goes with addresses"
            return Fault(self.policy.origin.at(*HOST_PATH), dotted(HOST_PATH), sentence, hint)
        if self.host.startswith("*.") and spec.health_check.type != "TCP":
            sentence = f"nobody can be asked as '{self.host}'"
            hint = "say which name to ask for in 'healthCheck.host'"
            return Fault(self.policy.origin.at(*HOST_PATH), dotted(HOST_PATH), sentence, hint)
        return None


def check_of(asked: Asked) -> CheckDelivery:
    """The check of a cluster's record; equal ones have the same name, whoever uses them.

    The name is made of everything that tells checks apart: entry, type, port, path, host,
    interval, threshold and search string. A TCP check has no path and no host.
    """
    check, entry = asked.policy.spec.health_check, asked.entry
    is_tcp = check.type == "TCP"
    address = entry.addresses[0] if entry.addresses else None
    port = check.port or entry.port
    path = "" if is_tcp else check.path or entry.path
    host = "" if is_tcp else asked.host
    identity = [address, entry.hostname, port, path, host, *_kind_of(check)]
    return CheckDelivery(
        name=f"check/{asked.cluster.name}/{hash_of(identity)[:SHORT]}",
        cluster=asked.cluster.name,
        check=check,
        address=address,
        hostname=entry.hostname,
        port=port,
        path=path,
        host=host,
    )


def monthly_price(checks: Iterable[CheckDelivery]) -> str:
    """US dollars a month, as text.

    Source: Route53's list price for endpoints outside AWS: 0.75 for a check, 2.00 more for each
    of HTTPS, string matching and the fast interval.

    >>> monthly_price([])
    '0.00'
    """
    cents = sum(BASE_CENTS + OPTION_CENTS * sum(_options(each.check)) for each in checks)
    return f"{cents // 100}.{cents % 100:02}"


def _options(check: HealthCheck) -> tuple[bool, bool, bool]:
    fast = check.interval_seconds == FAST_SECONDS
    return (check.type.startswith("HTTPS"), check.type.endswith("_STR_MATCH"), fast)


def _kind_of(check: HealthCheck) -> list[str | int | None]:
    return [check.type, check.interval_seconds, check.failure_threshold, check.search_string]
