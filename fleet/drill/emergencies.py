"""What can go wrong: everything that can be gone, half a region, and the API of Route53."""

from collections.abc import Collection, Iterator

from fleet.drill.scenarios import scenarios
from fleet.model.exercise import Emergency, Kind
from fleet.model.snapshot import Snapshot
from fleet.model.survival import By

_GONE = {Kind.CLUSTER: By.CLUSTER, Kind.REGION: By.REGION, Kind.PROVIDER: By.PROVIDER}


def emergencies(snapshot: Snapshot, kinds: Collection[Kind]) -> Iterator[Emergency]:
    """Every emergency of these kinds; kind by kind, then by name."""
    for kind in Kind:
        if kind not in kinds:
            continue
        if kind is Kind.ROUTE53:
            yield Emergency(kind)
        elif kind is Kind.HALF_REGION:
            yield from _halves(snapshot)
        else:
            for each in scenarios(snapshot, {_GONE[kind]}):
                yield Emergency(kind, each.domain, each.clusters)


def _halves(snapshot: Snapshot) -> Iterator[Emergency]:
    """Every second cluster of a region, the first by name included; one cluster has no half."""
    for each in scenarios(snapshot, {By.REGION}):
        if len(each.clusters) > 1:
            yield Emergency(Kind.HALF_REGION, each.domain, each.clusters[::2])
