"""Where a target of a record is really served: everything is on loopback.

An inventory may name addresses of the real world, host names, or ports that only root may open.
Each of those is served on a loopback place of the devkit's own, and whoever asks (checkers, the
watcher, the DNS answerer for host names) looks it up here. Nothing leaves the machine.
"""

import ipaddress
import os
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from devkit.dev_cluster import DevCluster

FIRST_OWN = ipaddress.IPv4Address("127.64.0.1")
BLOCK, BLOCKS = 256, 16_384
PRIVILEGED_OFFSET = 8000


@dataclass(frozen=True, slots=True)
class Place:
    """One target of one cluster, and the address and port where the devkit serves it.

    Attributes:
        target: an address, or a host name in lower case without its last dot.
        port: what the inventory says; `served_port` is where it is found here.
    """

    cluster: str
    target: str
    port: int
    address: str
    served_port: int


def lay_out(
    clusters: Sequence[DevCluster], home: str, first_port: int | None = None
) -> list[Place]:
    """Return a place for every address or host name of every entry, in order.

    Each home has its own block of addresses, so that two devkits do not meet. A port below
    `first_port` (by default the first that this user may open) is served 8000 higher.
    """
    own = _own_addresses(home)
    lowest = _first_port() if first_port is None else first_port
    places = []
    for cluster in clusters:
        entry = cluster.entry
        for target in entry.addresses or ([entry.hostname] if entry.hostname else []):
            port = entry.port if entry.port >= lowest else entry.port + PRIVILEGED_OFFSET
            address = target if is_loopback(target) else next(own)
            places.append(Place(cluster.name, plain(target), entry.port, address, port))
    return places


def _own_addresses(home: str) -> Iterator[str]:
    first = FIRST_OWN + BLOCK * (zlib.crc32(home.encode()) % BLOCKS)
    return (str(first + number) for number in range(BLOCK - 1))


def _first_port() -> int:
    return 1 if os.geteuid() == 0 else 1024


def plain(name: str) -> str:
    """Return a target as it is compared: lower case, without the last dot."""
    return name.lower().rstrip(".")


def is_loopback(target: str) -> bool:
    """Say whether a target is an IPv4 loopback address, which can be served as it is."""
    try:
        address = ipaddress.ip_address(target)
    except ValueError:
        return False
    return address.version == 4 and address.is_loopback  # noqa: PLR2004


class Places:
    """Finds a place by its target, or by the address where it is served."""

    def __init__(self, places: Sequence[Place]) -> None:
        self.all = tuple(places)
        self._by_name = {place.address: place for place in places}
        self._by_name |= {place.target: place for place in places}

    def find(self, target: str) -> Place | None:
        """Return the place of an address or host name; None where it is not the devkit's."""
        return self._by_name.get(plain(target))

    def resolve(self, target: str, port: int) -> tuple[str, int] | None:
        """Return where a target's port is on loopback; None where it would leave the machine."""
        place = self.find(target)
        if place is not None:
            return place.address, place.served_port if port == place.port else port
        return (target, port) if is_loopback(target) else None
