"""The verdicts of one decision: only what was decided is kept; reasons are made when asked."""

from collections.abc import Callable, Iterator, Mapping

from fleet.model.base import FrozenMap
from fleet.model.decision import Outcome, Rejection, Verdict
from fleet.model.policy import DivisionMode
from fleet.schedule import reasons
from fleet.schedule.general import Trace
from fleet.schedule.request import Request
from fleet.schedule.run import Run
from fleet.schedule.select import why_not
from fleet.schedule.stance import division_mode, wanted_replicas
from fleet.schedule.table import UNLIMITED


class Verdicts(Mapping[str, Verdict]):
    """One verdict per cluster of the inventory, by name.

    The decision is made again, with the capacity of its moment: the run's ledger goes back to it.
    All rules are pure, so that the answer is the same.
    """

    def __init__(self, run: Run, turn: int, decide_again: Callable[[], Trace]) -> None:
        self._run = run
        self._turn = turn
        self._decide_again = decide_again

    def __iter__(self) -> Iterator[str]:
        return iter(self._run.table.names)

    def __len__(self) -> int:
        return self._run.table.size

    def __getitem__(self, name: str) -> Verdict:
        return self._verdict(self._traced(), name)

    def _traced(self) -> Trace:
        """The decision once more; kept as long as nobody asks for another workload's."""
        kept = self._run.explained
        if kept is None or kept[0] != self._turn:
            self._run.explained = kept = (self._turn, self._decide_again())
        self._run.seek(self._turn)
        return kept[1]

    def _verdict(self, trace: Trace, name: str) -> Verdict:
        place = self._run.table.index[name]
        request = trace.task.request
        rejections = self._run.evaluator.rejections(request, place)
        room = _room(request, place)
        if rejections:
            return Verdict(name, Outcome.INFEASIBLE, rejections=rejections, room=room)
        scores = self._run.evaluator.scores(request, place)
        total = sum(score.value * score.scorer_weight for score in scores)
        assignment = trace.answer.placed.get(place)
        if assignment is None:
            why = (_why_not(trace, place),)
            return Verdict(name, Outcome.FEASIBLE, 0, why, scores, total, room)
        outcome = Outcome.ASSIGNED if assignment.replicas else Outcome.SELECTED
        return Verdict(name, outcome, assignment.replicas, (), scores, total, room)


def _room(request: Request, place: int) -> int | None:
    """How many replicas would fit; None where that plays no part."""
    room = int(request.room[place])
    counts = wanted_replicas(request.workload) and room < UNLIMITED
    return room if counts else None


def _why_not(trace: Trace, place: int) -> Rejection:
    """Why a feasible cluster has no assignment."""
    task, answer = trace.task, trace.answer
    origin = task.linked.placement.origin
    if answer.selection.failure is not None:
        return answer.selection.failure
    if place not in answer.choice.order:
        return Rejection(reasons.WEIGHT_ZERO, source=origin.at("spec", "division", "weights"))
    if place not in answer.selection.chosen:
        return why_not(answer.choice, task.spread.rules, answer.selection.chosen, place)
    if division_mode(task.linked) is DivisionMode.AGGREGATED:
        return Rejection(reasons.NOT_NEEDED, source=origin.at("spec", "division"))
    values = FrozenMap[str | int]({"replicas": task.stance.target(place)})
    return Rejection(reasons.NO_SHARE, values, origin.at("spec", "division"))
