"""What a rule is: a hard one bars clusters, a soft one gives them points."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass

from fleet.model.decision import Rejection
from fleet.schedule.columns import Mask, Whole
from fleet.schedule.request import Request

Reads = Callable[[Request], Hashable]


@dataclass(frozen=True, slots=True)
class Filter:
    """A hard rule.

    `bars` answers with True for each cluster that is not feasible; `explains` gives the reasons
    for one of them, only when somebody asks. `reads` names the part of the request that `bars`
    """

    name: str
    bars: Callable[[Request], Mask]
    explains: Callable[[Request, int], Iterable[Rejection]]
    reads: Reads | None = None
    spares: Callable[[Request, int], bool] | None = None
    passes: bool = False


@dataclass(frozen=True, slots=True)
class Scorer:
    """A soft rule: `gives` answers with 0..100 for each cluster; `reads` as for a filter."""

    name: str
    gives: Callable[[Request], Whole]
    reads: Reads | None = None
