"""Health checks: what Route53 asks an entry, and when two records ask the same.

Every record has one check: a probe, or a calculated one over several probes and the lever. Of
several addresses the first is asked: they are doors of the same entry. A host name is asked under
its own name, because Route53 sends no other host to it, and never under the name that it serves
(that would be a circle). Source: Route53 HealthCheckConfig.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fleet.deliver.bodies import hash_of
from fleet.deliver.faults import Fault
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.decision import Finding
from fleet.model.endpoint import CheckDelivery
from fleet.model.health import Probe
from fleet.model.inventory import Cluster, Entry
from fleet.model.source import Path, dotted
from fleet.model.traffic import TrafficPolicy

SHORT = 8
BASE_CENTS = 75
OPTION_CENTS = 200
COUNTED_CENTS = 50
FAST_SECONDS = 10
CHECK_PATH = ("spec", "healthCheck")


@dataclass(frozen=True, slots=True)
class Asked:
    """A cluster's entry and the policy whose records lead to it."""

    policy: TrafficPolicy
    cluster: Cluster
    entry: Entry

    def host(self, probe: Probe) -> str:
        """The host that a probe sends."""
        return self.entry.hostname or probe.host or self.policy.spec.name

    def fault(self) -> Fault | None:
        """Why no check can be made; None where one can."""
        name = self.policy.spec.name
        if self.entry.hostname == name:
            sentence = f"the entry of '{self.cluster.name}' is the name '{name}' itself"
            path: Path = ("spec", "entry", "hostname")
            return Fault(self.cluster.origin.at(*path), dotted(path), sentence)
        check = self.policy.spec.health_check
        for index, probe in enumerate(check.probes):
            inner: Path = () if check.calculated is None else ("calculated", "children", index)
            fault = self._probe_fault(probe, (*CHECK_PATH, *inner, "host"))
            if fault is not None:
                return fault
        return None

    def _probe_fault(self, probe: Probe, path: Path) -> Fault | None:
        if self.entry.hostname is not None and probe.host not in {None, self.entry.hostname}:
            asked = self.entry.hostname
            sentence = f"'{self.cluster.name}' is asked as '{asked}', not '{probe.host}'"
            hint = "Route53 sends a host name's own name; 'host' goes with addresses"
            return Fault(self.policy.origin.at(*path), dotted(path), sentence, hint)
        if self.host(probe).startswith("*.") and probe.type != "TCP":
            sentence = f"nobody can be asked as '{self.host(probe)}'"
            hint = "say which name to ask for in 'healthCheck.host'"
            return Fault(self.policy.origin.at(*path), dotted(path), sentence, hint)
        return None


TLS_PORT = 443


def plain_findings(policy: TrafficPolicy, asked: Sequence[Asked]) -> Iterator[Finding]:
    """Entries that are asked without TLS at the port of TLS: they would count as dead."""
    plain = [each for each in policy.spec.health_check.probes if each.type.startswith("HTTP")]
    clusters = [
        each.cluster.name
        for each in asked
        if any(
            not probe.is_secure and (probe.port or each.entry.port) == TLS_PORT for probe in plain
        )
    ]
    if clusters:
        values: dict[str, str | int] = {
            "policy": policy.name,
            "name": policy.spec.name,
            "clusters": ", ".join(clusters),
        }
        source = policy.origin.at("spec", "healthCheck", "type")
        yield Finding(codes.PLAIN_ON_TLS, FrozenMap(values), source)


def record_checks(
    asked: Asked, levers: Sequence[CheckDelivery] = (), *, barred: bool = False
) -> tuple[CheckDelivery, ...]:
    """The checks of a cluster's record; the last one is the record's own.

    The record is healthy while the policy's check is, and every lever's; one that is `barred`
    never is: its check needs one more than it has.
    """
    check = asked.policy.spec.health_check
    probes = tuple(probe_check(asked, each) for each in check.probes)
    children = (*probes, *levers)
    if barred:
        return (*children, _calculated(asked.cluster.name, children, len(children) + 1))
    if len(children) == 1:
        return children
    needed = check.needed + len(levers)
    return (*children, _calculated(asked.cluster.name, children, needed))


def probe_check(asked: Asked, probe: Probe) -> CheckDelivery:
    """The check of one probe; equal ones have the same name, whoever uses them.

    The name is made of everything that tells checks apart: entry, type, port, path, host,
    interval, threshold, search string, inversion and SNI. A TCP check has no path and no host.
    """
    entry = asked.entry
    is_tcp = probe.type == "TCP"
    address = entry.addresses[0] if entry.addresses else None
    port = probe.port or entry.port
    path = "" if is_tcp else probe.path or entry.path
    host = "" if is_tcp else asked.host(probe)
    identity = [address, entry.hostname, port, path, host, *kind_of(probe)]
    return CheckDelivery(
        name=f"check/{asked.cluster.name}/{hash_of(identity)[:SHORT]}",
        cluster=asked.cluster.name,
        check=probe,
        address=address,
        hostname=entry.hostname,
        port=port,
        path=path,
        host=host,
    )


def _calculated(cluster: str, children: Sequence[CheckDelivery], threshold: int) -> CheckDelivery:
    names = tuple(sorted(each.name for each in children))
    identity = hash_of([*names, threshold])[:SHORT]
    kind = "all" if threshold == len(names) else f"any-{threshold}"
    if threshold > len(names):
        kind = "never"
    return CheckDelivery(
        name=f"check/{cluster}/{kind}-{identity}",
        cluster=cluster,
        check=None,
        children=names,
        threshold=threshold,
    )


def monthly_price(checks: Iterable[CheckDelivery]) -> str:
    """US dollars a month, as text.

    Source: Route53's list price for endpoints outside AWS: 0.75 for a check, 2.00 more for each
    of HTTPS, string matching and the fast interval. A check that asks nothing itself (calculated,
    routing control) is taken as a plain one inside AWS, 0.50.

    >>> monthly_price([])
    '0.00'
    """
    cents = sum(_cents(each.check) for each in checks)
    return f"{cents // 100}.{cents % 100:02}"


def _cents(check: Probe | None) -> int:
    if check is None:
        return COUNTED_CENTS
    fast = check.interval_seconds == FAST_SECONDS
    options = (check.is_secure, check.search_string is not None, fast)
    return BASE_CENTS + OPTION_CENTS * sum(options)


def kind_of(probe: Probe) -> list[str | int | None]:
    """What tells probes of one place apart; what is as usual is not said."""
    usual: list[str | int | None] = [probe.type, probe.interval_seconds, probe.failure_threshold]
    usual.append(probe.search_string)
    if probe.inverted:
        usual.append("inverted")
    if probe.is_secure and not probe.enable_sni:
        usual.append("no SNI")
    return usual
