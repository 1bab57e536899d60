"""DNS weights of the clusters under one name.

Weights are whole numbers 0..255, and at least 1 wherever traffic is meant to go: a weight that is
rounded away would turn a serving cluster into a standby.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fleet.model.traffic import TrafficSpec
from fleet.model.webster import webster_by_name

MAX_WEIGHT = 255
WHOLE = 100
"""What the active region of an active-standby name weighs in all."""


@dataclass(frozen=True, slots=True)
class Target:
    """A cluster under a name: its region, and how many replicas count for it."""

    cluster: str
    region: str
    replicas: int


def by_replicas(targets: tuple[Target, ...]) -> dict[str, int]:
    """Weights that follow replicas, scaled down where they exceed 255; at least 1.

    >>> by_replicas((Target("a", "r", 3), Target("b", "r", 1)))
    {'a': 3, 'b': 1}
    >>> by_replicas((Target("a", "r", 1000), Target("b", "r", 1)))
    {'a': 255, 'b': 1}
    """
    top = max((each.replicas for each in targets), default=0)
    scaled = {}
    for each in targets:
        weight = each.replicas
        if top > MAX_WEIGHT:
            weight = (each.replicas * MAX_WEIGHT * 2 + top) // (2 * top)
        scaled[each.cluster] = max(1, weight)
    return scaled


def active_standby(targets: tuple[Target, ...], active_region: str | None) -> dict[str, int]:
    """100 for the active region, shared by its clusters' replicas; 0 for everyone else.

    Source: Route53 answers zero-weight records only when every other one is unhealthy.

    >>> active_standby((Target("a", "eu", 2), Target("b", "us", 1)), "eu")
    {'a': 100, 'b': 0}
    """
    active = {each.cluster: each.replicas for each in targets if each.region == active_region}
    weights = {each.cluster: 0 for each in targets}
    return weights | (webster_by_name(active, WHOLE) if active else {})


def by_file(targets: tuple[Target, ...], spec: TrafficSpec) -> dict[str, int]:
    """The weights that the file gives to clusters and regions; 0 where it gives none.

    A region's weight is shared by the replicas of those of its clusters that have no weight of
    their own. Where a region has more clusters than its weight, all weights are multiplied by the
    same number (as far as 255 allows), so that regions keep their proportion.
    """
    said = spec.dns_weights
    weights = {each.cluster: said.get(each.cluster, 0) for each in targets}
    regions: dict[str, dict[str, int]] = {}
    for each in targets:
        if each.cluster not in said and said.get(each.region, 0) > 0:
            regions.setdefault(each.region, {})[each.cluster] = each.replicas
    factor = _factor(weights, [(said[region], len(parts)) for region, parts in regions.items()])
    weights = {cluster: weight * factor for cluster, weight in weights.items()}
    for region, parts in regions.items():
        weights |= webster_by_name(parts, said[region] * factor)
    return weights


def _factor(weights: Mapping[str, int], shares: Sequence[tuple[int, int]]) -> int:
    """What all weights are multiplied by, so that a region's weight is enough for its clusters.

    **Shape**: `shares` are (weight, clusters) of each region.
    """
    factor = max((-(-parts // weight) for weight, parts in shares), default=1)
    top = max((*weights.values(), *(weight for weight, _ in shares)), default=1)
    return factor if factor * top <= MAX_WEIGHT else 1
