"""Which cluster of a devkit has which ports; written down so that a second `up` finds them."""

import json
from dataclasses import dataclass
from pathlib import Path

from devkit import ports
from devkit.errors import DevkitError
from devkit.home import Home

FILE = "ports.json"
ROUTE53_OFFSET = 0
DNS_OFFSET = 2


@dataclass(frozen=True, slots=True)
class ClusterPorts:
    """The ports of one cluster's programs, all on loopback."""

    proxy: int
    api_server: int
    etcd: int
    etcd_peer: int
    kwok: int
    controller_manager: int
    scheduler: int


@dataclass(frozen=True, slots=True)
class Ledger:
    """The block of ports of one devkit, and the place of each cluster in it."""

    base: int
    places: dict[str, int]

    def of(self, cluster: str) -> ClusterPorts:
        """Return the ports of a cluster."""
        first = self.base + ports.RESERVED + self.places[cluster] * ports.PER_CLUSTER
        return ClusterPorts(*range(first, first + 7))


def open_ledger(home: Home, clusters: list[str]) -> Ledger:
    """Return the devkit's ledger, with places for the clusters added.

    Errors: DevkitError when one devkit is asked for too many clusters.
    """
    known = _read(home.root / FILE)
    base = ports.claim(home.root)
    places = dict(known)
    for name in clusters:
        free = (place for place in range(ports.MAX_CLUSTERS) if place not in places.values())
        place = places.get(name, next(free, None))
        if place is None:
            raise DevkitError(f"one devkit plays at most {ports.MAX_CLUSTERS} clusters")
        places[name] = place
    (home.root / FILE).write_text(json.dumps(places))
    return Ledger(base, places)


def _read(file: Path) -> dict[str, int]:
    if not file.exists():
        return {}
    places: dict[str, int] = json.loads(file.read_text())
    return places
