"""The verdicts of one decision: only what was decided is kept; reasons are made when asked."""

from collections.abc import ItemsView, Iterator, Mapping, Sequence, ValuesView
from dataclasses import dataclass

from fleet.model.base import FrozenMap
from fleet.model.decision import Assignment, Outcome, Rejection, Score, Verdict
from fleet.model.policy import DivisionMode
from fleet.schedule import reasons
from fleet.schedule.choice import Choice
from fleet.schedule.columns import Mask, Whole
from fleet.schedule.plugin import Filter
from fleet.schedule.profile import Weighted
from fleet.schedule.request import Request
from fleet.schedule.run import Run
from fleet.schedule.select import Selection, why_not
from fleet.schedule.spread import Spread
from fleet.schedule.stance import Stance, division_mode, wanted_replicas
from fleet.schedule.table import UNLIMITED


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """What is needed to answer again for one decision. `candidates` took part in the selection."""

    turn: int
    stance: Stance
    choice: Choice
    spread: Spread
    selection: Selection
    candidates: frozenset[int]


class Verdicts(Mapping[str, Verdict]):
    """One verdict per cluster of the inventory, by name.

    The rules are asked again, with the capacity of the moment of the decision: the run's ledger
    goes back to it. They are pure, so that the answer is the same. Who wants all verdicts asks for
    `items` or `values`: then every rule is asked once, not once per cluster.
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
        """Asks every rule about all clusters."""
        request = self._run.request(self._trace.turn, self._trace.stance)
        evaluator = self._run.evaluator
        room = request.room.tolist() if wanted_replicas(request.workload) else None
        return _Hearing(request, evaluator.bars(request), evaluator.points(request), room)

    def _verdict(self, hearing: "_Hearing", place: int) -> Verdict:
        name, room = self._run.table.names[place], hearing.room_at(place)
        rejections = hearing.rejections(place)
        if rejections:
            return Verdict(name, Outcome.INFEASIBLE, rejections=rejections, room=room)
        scores = hearing.scores(place)
        total = sum(score.value * score.scorer_weight for score in scores)
        assignment = self._placed.get(place)
        if assignment is None:
            why = (self._why_not(place),)
            return Verdict(name, Outcome.FEASIBLE, 0, why, scores, total, room)
        outcome = Outcome.ASSIGNED if assignment.replicas else Outcome.SELECTED
        return Verdict(name, outcome, assignment.replicas, (), scores, total, room)

    def _why_not(self, place: int) -> Rejection:
        """Why a feasible cluster has no assignment."""
        trace, linked = self._trace, self._run.linked[self._trace.turn]
        origin = linked.placement.origin
        if trace.selection.failure is not None:
            return trace.selection.failure
        if place not in trace.candidates:
            return Rejection(reasons.WEIGHT_ZERO, source=origin.at("spec", "division", "weights"))
        if place not in trace.selection.chosen:
            return why_not(trace.choice, trace.spread.rules, trace.selection.chosen, place)
        if division_mode(linked) is DivisionMode.AGGREGATED:
            return Rejection(reasons.NOT_NEEDED, source=origin.at("spec", "division"))
        values = FrozenMap[str | int]({"replicas": trace.stance.target(place)})
        return Rejection(reasons.NO_SHARE, values, origin.at("spec", "division"))


@dataclass(frozen=True, slots=True, eq=False)
class _Hearing:
    """What every rule says about all clusters; `room` None: it plays no part."""

    request: Request
    bars: Sequence[tuple[Filter, Mask]]
    points: Sequence[tuple[Weighted, Whole]]
    room: Sequence[int] | None

    def room_at(self, place: int) -> int | None:
        """How many replicas would fit; None where that plays no part."""
        return None if self.room is None or self.room[place] >= UNLIMITED else self.room[place]

    def rejections(self, place: int) -> tuple[Rejection, ...]:
        """All reasons why a cluster is barred, in the order of the profile."""
        return tuple(
            rejection
            for each, barred in self.bars
            if barred[place]
            for rejection in (tuple(each.explains(self.request, place)) or (Rejection(each.name),))
        )

    def scores(self, place: int) -> tuple[Score, ...]:
        """The parts of a cluster's total, in the order of the profile."""
        return tuple(
            Score(each.scorer.name, int(points[place]), each.scorer_weight)
            for each, points in self.points
        )
