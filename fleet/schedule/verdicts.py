"""The verdicts of one decision: only what was decided is kept; reasons are made when asked."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fleet.model.base import FrozenMap
from fleet.model.decision import Assignment, Outcome, Rejection, Verdict
from fleet.model.policy import DivisionMode
from fleet.model.snapshot import Linked
from fleet.schedule import reasons
from fleet.schedule.attempt import Attempt
from fleet.schedule.choice import Choice
from fleet.schedule.request import Request
from fleet.schedule.run import Run
from fleet.schedule.select import Selection, why_not
from fleet.schedule.spread import Spread
from fleet.schedule.stance import Stance, division_mode, wanted_replicas
from fleet.schedule.table import UNLIMITED
from fleet.schedule.tiers import Tiered
from fleet.schedule.uneven import left_out, skew_limit


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """What is needed to answer again for one decision.

    `candidates` took part in the selection; `over` says which quota left fewer replicas;
    `left_out` are selected clusters that only the demand for even numbers left without any.
    """

    turn: int
    stance: Stance
    choice: Choice
    spread: Spread
    selection: Selection
    candidates: frozenset[int]
    over: Rejection | None
    left_out: frozenset[int]
    tiered: Tiered | None


def trace_of(turn: int, made: Attempt, tiered: Tiered | None) -> Trace:
    """The trace of an answer."""
    return Trace(
        turn,
        made.asked.stance,
        made.division.choice,
        made.asked.spread,
        made.selection,
        frozenset(made.asked.order),
        made.over,
        left_out(made),
        tiered,
    )


class Verdicts(Mapping[str, Verdict]):
    """One verdict per cluster of the inventory, by name.

    The rules are asked again, with the capacity of the moment of the decision: the run's ledger
    goes back to it. They are pure, so that the answer is the same.
    """

    def __init__(self, run: Run, trace: Trace, placed: Mapping[int, Assignment]) -> None:
        self._run = run
        self._trace = trace
        self._placed = placed

    def __iter__(self) -> Iterator[str]:
        return iter(self._run.table.names)

    def __len__(self) -> int:
        return self._run.table.size

    def __getitem__(self, name: str) -> Verdict:
        place = self._run.table.index[name]
        request = self._run.request(self._trace.turn, self._trace.stance, self._trace.tiered)
        rejections = self._run.evaluator.rejections(request, place)
        room = self._room(request, place)
        if rejections:
            return Verdict(name, Outcome.INFEASIBLE, rejections=rejections, room=room)
        scores = self._run.evaluator.scores(request, place)
        total = sum(score.value * score.scorer_weight for score in scores)
        assignment = self._placed.get(place)
        if assignment is None:
            why = (self._why_not(place),)
            return Verdict(name, Outcome.FEASIBLE, 0, why, scores, total, room)
        outcome = Outcome.ASSIGNED if assignment.replicas else Outcome.SELECTED
        return Verdict(name, outcome, assignment.replicas, (), scores, total, room)

    def _room(self, request: Request, place: int) -> int | None:
        """How many replicas would fit; None where that plays no part."""
        room = int(request.room[place])
        counts = wanted_replicas(request.workload) and room < UNLIMITED
        return room if counts else None

    def _why_not(self, place: int) -> Rejection:
        """Why a feasible cluster has no assignment."""
        trace, linked = self._trace, self._run.linked[self._trace.turn]
        selection = trace.selection
        if selection.failure is not None:
            return selection.failure
        if place not in trace.candidates:
            source = linked.placement.origin.at("spec", "division", "weights")
            return Rejection(reasons.WEIGHT_ZERO, source=source)
        if place not in selection.chosen:
            found = why_not(trace.choice, trace.spread.rules, selection.chosen, place)
            return found or skew_limit(trace.spread.skews)
        return self._why_empty(linked, place)

    def _why_empty(self, linked: Linked, place: int) -> Rejection:
        """Why a selected cluster runs nothing."""
        trace, source = self._trace, linked.placement.origin.at("spec", "division")
        if trace.over is not None:
            return trace.over
        if place in trace.left_out:
            return skew_limit(trace.spread.skews)
        if division_mode(linked) is DivisionMode.AGGREGATED:
            return Rejection(reasons.NOT_NEEDED, source=source)
        values = FrozenMap[str | int]({"replicas": trace.stance.target(place)})
        return Rejection(reasons.NO_SHARE, values, source)
