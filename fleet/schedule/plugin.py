"""What a rule is: a hard one bars clusters, a soft one gives them points."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass

from fleet.model.decision import Rejection
from fleet.schedule.columns import Mask, Whole
from fleet.schedule.request import Request
from fleet.schedule.table import Table

Reads = Callable[[Request], Hashable]


@dataclass(frozen=True, slots=True)
class Filter:
    """A hard rule.

    `bars` answers with True for each cluster that is not feasible; `explains` gives the reasons
    for one of them, only when somebody asks. `reads` names the part of the request that `bars`
    depends on (None: the answer is not kept). `spares` says which barred clusters stay open to
    what runs there. `passes`: what bars may pass by itself, as a state or a lack of room does.
    `by_room`: it bars where fewer replicas fit than are needed, which the runner finds out itself.
    `only` names the positions that it does not bar where they are a handful (sorted; None: ask it).
    `speaks`: whether it bars anybody of an inventory in any case (None: it may).
    """

    name: str
    bars: Callable[[Request], Mask]
    explains: Callable[[Request, int], Iterable[Rejection]]
    reads: Reads | None = None
    spares: Callable[[Request, int], bool] | None = None
    passes: bool = False
    by_room: bool = False
    only: Callable[[Request], list[int] | None] | None = None
    speaks: Callable[[Table], bool] | None = None


@dataclass(frozen=True, slots=True)
class Scorer:
    """A soft rule: `gives` answers with 0..100 for each cluster; `reads` as for a filter.

    `full_where_it_runs`: a cluster where the workload runs already has 100, whatever is given; so
    an answer that is kept need not depend on what runs where. `by_share`: it gives what is left of
    the scarcest resource where a request spreads load, which the runner finds out itself.
    """

    name: str
    gives: Callable[[Request], Whole]
    reads: Reads | None = None
    full_where_it_runs: bool = False
    by_share: bool = False
