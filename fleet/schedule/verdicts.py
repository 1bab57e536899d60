"""The verdicts of one decision: only what was decided is kept; reasons are made when asked."""

from collections.abc import Callable, Iterator, Mapping

from fleet.model.base import FrozenMap
from fleet.model.decision import Outcome, Rejection, Verdict
from fleet.model.policy import DivisionMode
from fleet.schedule import reasons
from fleet.schedule.request import Request
from fleet.schedule.run import Run
from fleet.schedule.select import why_not
from fleet.schedule.stance import division_mode, wanted_replicas
from fleet.schedule.table import UNLIMITED
from fleet.schedule.trace import Trace
from fleet.schedule.uneven import skew_limit


class Verdicts(Mapping[str, Verdict]):
    """One verdict per cluster of the inventory, by name.

    The rules are asked again, with the capacity of the moment of the decision: the run's ledger
    goes back to it. They are pure, so that the answer is the same.
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
        trace, request = self._explained()
        rejections = self._run.evaluator.rejections(request, place)
        room = _room(request, place)
        if rejections:
            return Verdict(name, Outcome.INFEASIBLE, rejections=rejections, room=room)
        scores = self._run.evaluator.scores(request, place)
        total = sum(score.value * score.scorer_weight for score in scores)
        assignment = trace.placed.get(place)
        if assignment is None:
            why = (_why_not(trace, place),)
            return Verdict(name, Outcome.FEASIBLE, 0, why, scores, total, room)
        outcome = Outcome.ASSIGNED if assignment.replicas else Outcome.SELECTED
        return Verdict(name, outcome, assignment.replicas, (), scores, total, room)

    def _explained(self) -> tuple[Trace, Request]:
        """The trace and the request; kept as long as nobody asks about another workload."""
        kept = self._run.explained
        if kept is None or kept[0] != self._turn:
            trace = self._trace()
            request = self._run.request(self._turn, trace.stance, trace.tiered)
            self._run.explained = kept = (self._turn, trace, request)
        self._run.seek(self._turn)
        return kept[1], kept[2]


def _room(request: Request, place: int) -> int | None:
    """How many replicas would fit; None where that plays no part."""
    room = int(request.room[place])
    counts = wanted_replicas(request.workload) and room < UNLIMITED
    return room if counts else None


def _why_not(trace: Trace, place: int) -> Rejection:
    """Why a feasible cluster has no assignment."""
    selection, origin = trace.selection, trace.linked.placement.origin
    if selection.failure is not None:
        return selection.failure
    if not trace.candidates[place]:
        return Rejection(reasons.WEIGHT_ZERO, source=origin.at("spec", "division", "weights"))
    if place not in selection.chosen:
        found = why_not(trace.choice, trace.spread.rules, selection.chosen, place)
        return found or skew_limit(trace.spread.skews)
    return _why_empty(trace, place)


def _why_empty(trace: Trace, place: int) -> Rejection:
    """Why a selected cluster runs nothing."""
    source = trace.linked.placement.origin.at("spec", "division")
    if trace.over is not None:
        return trace.over
    if place in trace.left_out:
        return skew_limit(trace.spread.skews)
    if division_mode(trace.linked) is DivisionMode.AGGREGATED:
        return Rejection(reasons.NOT_NEEDED, source=source)
    values = FrozenMap[str | int]({"replicas": trace.stance.target(place)})
    return Rejection(reasons.NO_SHARE, values, source)
