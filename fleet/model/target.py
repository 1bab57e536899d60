"""Where a name leads on a cluster, if not to its entry: the load balancer of a placed object."""

from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Annotated, Any, Literal

from pydantic import Field

from fleet.model.base import FileValue


class TargetRef(FileValue):
    """An object of the workload whose load balancer a name leads to, on each cluster its own.

    `namespace` is needed only where the workload has two of that kind and name.
    """

    kind: Literal["Service", "Ingress", "Gateway"]
    name: Annotated[str, Field(min_length=1)]
    namespace: str | None = None


@dataclass(frozen=True, slots=True)
class KnownTarget:
    """What an update saw of a load balancer: addresses of one family, or one host name.

    `last` is what was seen last, also where there is nothing any more. `version` is that of the
    object: the higher one is the later one; 0 is unknown.
    """

    values: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    version: int = 0


def seen_of(body: Mapping[str, Any]) -> KnownTarget:
    """What an object's status says.

    Source: status.loadBalancer.ingress of Service and Ingress, status.addresses of Gateway.

    >>> seen_of({"status": {"loadBalancer": {"ingress": [{"ip": "192.0.2.1"}]}}}).values
    ('192.0.2.1',)
    """
    status = _map(body.get("status"))
    points = [*_items(_map(status.get("loadBalancer")).get("ingress"))]
    points += _items(status.get("addresses"))
    words = [str(each[key]) for each in points for key in _WHERE if each.get(key)]
    values = one_kind(words)
    version = str(_map(body.get("metadata")).get("resourceVersion") or "")
    return KnownTarget(values, values, int(version) if version.isdecimal() else 0)


_WHERE = ("ip", "hostname", "value")


def one_kind(words: list[str]) -> tuple[str, ...]:
    """Addresses of the first one's family; the first host name where there is no address.

    >>> one_kind(["lb.example", "192.0.2.1", "2001:db8::1", "192.0.2.2"]), one_kind(["b", "a"])
    (('192.0.2.1', '192.0.2.2'), ('b',))
    """
    families = [(word, _family(word)) for word in words]
    first = next((family for _, family in families if family), None)
    if first is None:
        return tuple(words[:1])
    return tuple(dict.fromkeys(word for word, family in families if family == first))


def is_address(word: str) -> bool:
    """Whether it is no host name."""
    return _family(word) is not None


def _family(word: str) -> int | None:
    try:
        return ip_address(word).version
    except ValueError:
        return None


def _map(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _items(value: object) -> list[Mapping[str, Any]]:
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []
