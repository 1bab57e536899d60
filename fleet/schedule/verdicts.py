"""The verdicts of one decision: only what was decided is kept; reasons are made when asked."""

from collections.abc import Callable, ItemsView, Iterator, Mapping, Sequence, ValuesView
from dataclasses import dataclass

from fleet.model.base import FrozenMap
from fleet.model.decision import Outcome, Rejection, Score, Verdict
from fleet.model.policy import DivisionMode
from fleet.schedule import reasons
from fleet.schedule.columns import Mask, Whole
from fleet.schedule.evaluate import explained
from fleet.schedule.plugin import Filter
from fleet.schedule.profile import Weighted
from fleet.schedule.request import Request
from fleet.schedule.run import Run
from fleet.schedule.select import why_not
from fleet.schedule.stance import division_mode, wanted_replicas
from fleet.schedule.table import UNLIMITED, Table
from fleet.schedule.tiers import Tiered, levels
from fleet.schedule.trace import Trace
from fleet.schedule.uneven import skew_limit


class Verdicts(Mapping[str, Verdict]):
    """One verdict per cluster of the inventory, by name.

    The rules are asked again, with the capacity of the moment of the decision: the run's ledger
    goes back to it. They are pure, so that the answer is the same. Who wants all verdicts asks for
    `items` or `values`: then every rule is asked once, not once per cluster.
    """

    def __init__(self, run: Run, turn: int, trace: Callable[[], Trace]) -> None:
        self._run = run
        self._turn = turn
        self._trace = trace

    def __iter__(self) -> Iterator[str]:
        return iter(self._run.table.names)

    def __len__(self) -> int:
        return self._run.table.size

    def __getitem__(self, name: str) -> Verdict:
        place = self._run.table.index[name]
        return self._verdict(self._hearing(), place)

    def items(self) -> ItemsView[str, Verdict]:
        """All verdicts at once, by name."""
        return self._all().items()

    def values(self) -> ValuesView[Verdict]:
        """All verdicts at once, in the order of the names."""
        return self._all().values()

    def free(self) -> Mapping[str, Mapping[str, int]]:
        """What was free when it was decided, by cluster, of each resource that is asked for."""
        left = self._hearing().request.left
        return {
            name: {resource: int(amounts[place]) for resource, amounts in left.items()}
            for place, name in enumerate(self._run.table.names)
        }

    def _all(self) -> dict[str, Verdict]:
        hearing = self._hearing()
        return {
            name: self._verdict(hearing, place) for place, name in enumerate(self._run.table.names)
        }

    def _hearing(self) -> "_Hearing":
        """Asks every rule about all clusters; what was decided is kept for the next question."""
        run = self._run
        if run.explained is None or run.explained[0] != self._turn:
            trace = self._trace()
            request = run.request(self._turn, trace.stance, trace.tiered)
            run.explained = (self._turn, trace, request)
        _, trace, request = run.explained
        run.seek(self._turn)
        room = request.room.tolist() if wanted_replicas(request.workload) else None
        bars, points = run.evaluator.bars(request), run.evaluator.points(request)
        return _Hearing(trace, request, bars, points, room)

    def _verdict(self, hearing: "_Hearing", place: int) -> Verdict:
        name, room = self._run.table.names[place], hearing.room_at(place)
        rejections = hearing.rejections(place)
        if rejections:
            return Verdict(name, Outcome.INFEASIBLE, rejections=rejections, room=room)
        scores = hearing.scores(place)
        total = sum(score.value * score.scorer_weight for score in scores)
        assignment = hearing.trace.placed.get(place)
        if assignment is None:
            why = (_why_not(hearing.trace, place, self._run.table),)
            return Verdict(name, Outcome.FEASIBLE, 0, why, scores, total, room)
        outcome = Outcome.ASSIGNED if assignment.replicas else Outcome.SELECTED
        return Verdict(name, outcome, assignment.replicas, (), scores, total, room)


def _why_not(trace: Trace, place: int, table: Table) -> Rejection:
    """Why a feasible cluster has no assignment."""
    selection, origin = trace.selection, trace.linked.placement.origin
    if selection.failure is not None:
        return selection.failure
    if not trace.candidates[place]:
        return Rejection(reasons.WEIGHT_ZERO, source=origin.at("spec", "division", "weights"))
    if place not in selection.chosen:
        found = why_not(trace.choice, trace.spread.rules, selection.chosen, place)
        return found or skew_limit(trace.spread.skews)
    return _why_empty(trace, place, table)


def _is_overflow(table: Table, tiered: Tiered | None, place: int) -> bool:
    """Whether a cluster is used only where those before it are full."""
    tier = tiered.tiers[tiered.first] if tiered is not None else None
    return tier is not None and 0 < levels(table, tier)[place] <= len(tier.overflow)


def _why_empty(trace: Trace, place: int, table: Table) -> Rejection:
    """Why a selected cluster runs nothing."""
    source = trace.linked.placement.origin.at("spec", "division")
    if trace.over is not None:
        return trace.over
    if place in trace.left_out:
        return skew_limit(trace.spread.skews)
    if _is_overflow(table, trace.tiered, place):
        over = trace.linked.placement.origin.at("spec", "tiers")
        return Rejection(reasons.OVERFLOW, source=over)
    if division_mode(trace.linked) is DivisionMode.AGGREGATED:
        return Rejection(reasons.NOT_NEEDED, source=source)
    values = FrozenMap[str | int]({"replicas": trace.stance.target(place)})
    return Rejection(reasons.NO_SHARE, values, source)


@dataclass(frozen=True, slots=True, eq=False)
class _Hearing:
    """What every rule says about all clusters; `room` None: it plays no part."""

    trace: Trace
    request: Request
    bars: Sequence[tuple[Filter, Mask]]
    points: Sequence[tuple[Weighted, Whole]]
    room: Sequence[int] | None

    def room_at(self, place: int) -> int | None:
        """How many replicas would fit; None where that plays no part."""
        return None if self.room is None or self.room[place] >= UNLIMITED else self.room[place]

    def rejections(self, place: int) -> tuple[Rejection, ...]:
        """All reasons why a cluster is barred."""
        return explained(self.bars, self.request, place)

    def scores(self, place: int) -> tuple[Score, ...]:
        """The parts of a cluster's total, in the order of the profile."""
        return tuple(
            Score(each.scorer.name, int(points[place]), each.scorer_weight)
            for each, points in self.points
        )
