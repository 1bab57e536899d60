"""The ordered lists of all hard and all soft rules; one line each.

A user's own program can pass a longer Profile:
`Profile(filters=(*FILTERS, mine), scorers=(*SCORERS, Weighted(cheap, 2)))`.

The weights of the scorers keep a promise: being there already (6 x 100) outweighs everything else
together (3 + 1 + 1) x 100, so neither a preference nor the load of a cluster moves what is placed,
as in Kubernetes' preferredDuringSchedulingIgnoredDuringExecution. Who wants a preference to move
things says `placement: fresh`, or other weights in `scoring`. A scorer of weight 0 is not asked:
a policy has to name it.
"""

from dataclasses import dataclass

from fleet.schedule import (
    bounds_filter,
    filters,
    neighbour_filters,
    rules_amounts,
    rules_apis,
    rules_counts,
    rules_data,
    rules_latency,
    rules_maintenance,
    rules_sets,
    scorers,
    tier_filter,
)
from fleet.schedule.plugin import Filter, Scorer


@dataclass(frozen=True, slots=True)
class Weighted:
    """A scorer and what a point of it counts."""

    scorer: Scorer
    scorer_weight: int


@dataclass(frozen=True, slots=True)
class Profile:
    """The rules of a run, in the order in which their reasons are shown."""

    filters: tuple[Filter, ...]
    scorers: tuple[Weighted, ...]


FILTERS = (
    filters.STATE,
    rules_maintenance.MAINTENANCE,
    filters.RESIDENCY,
    rules_sets.SETS,
    rules_data.PINNED,
    filters.AFFINITY,
    tier_filter.TIER,
    filters.TAINTS,
    rules_apis.APIS,
    rules_latency.LATENCY,
    filters.SPREAD,
    bounds_filter.BOUNDS,
    neighbour_filters.TOGETHER,
    neighbour_filters.APART,
    filters.CAPACITY,
)
SCORERS = (
    Weighted(scorers.PREFERRED, 3),
    Weighted(scorers.ALREADY_THERE, 6),
    Weighted(scorers.BALANCE, 1),
    Weighted(scorers.UNTAINTED, 1),
    Weighted(rules_counts.FEWEST, 0),
    Weighted(rules_amounts.CPU, 0),
    Weighted(rules_amounts.MEMORY, 0),
    Weighted(rules_amounts.CHEAP, 0),
    Weighted(rules_latency.FAST, 0),
)
DEFAULT = Profile(FILTERS, SCORERS)
