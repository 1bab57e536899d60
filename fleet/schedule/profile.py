"""The ordered lists of all hard and all soft rules; one line each.

A user's own program can pass a longer Profile:
`Profile(filters=(*FILTERS, mine), scorers=(*SCORERS, Weighted(cheap, 2)))`.

The weights of the scorers keep a promise: being there already (6 x 100) outweighs everything else
together (3 + 1 + 1) x 100, so neither a preference nor the load of a cluster moves what is placed,
as in Kubernetes' preferredDuringSchedulingIgnoredDuringExecution. Who wants a preference to move
things says `placement: fresh`, or passes a Profile with other weights on purpose.
"""

from dataclasses import dataclass

from fleet.schedule import filters, scorers
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
    filters.RESIDENCY,
    filters.AFFINITY,
    filters.TAINTS,
    filters.SPREAD,
    filters.CAPACITY,
)
SCORERS = (
    Weighted(scorers.PREFERRED, 3),
    Weighted(scorers.ALREADY_THERE, 6),
    Weighted(scorers.BALANCE, 1),
    Weighted(scorers.UNTAINTED, 1),
)
DEFAULT = Profile(FILTERS, SCORERS)
