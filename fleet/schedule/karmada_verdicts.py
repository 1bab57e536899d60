"""The verdicts of one decision by Karmada's rules: made only when somebody asks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fleet.model.base import FrozenMap
from fleet.model.decision import Assignment, Outcome, Rejection, Score, Verdict
from fleet.model.policy import DivisionMode, PlacementPolicy
from fleet.schedule import reasons
from fleet.schedule.karmada_overflow import overflow_of
from fleet.schedule.karmada_room import MOST
from fleet.schedule.karmada_run import KarmadaRun, Turn
from fleet.schedule.karmada_select import SCORE

THERE = "already-there"


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """What is needed to answer again for one decision.

    `policy` is the one of the tier that counts; `chosen` None is every feasible cluster.
    """

    turn: Turn
    policy: PlacementPolicy
    chosen: frozenset[int] | None
    failure: Rejection | None


class KarmadaVerdicts(Mapping[str, Verdict]):
    """One verdict per cluster of the inventory, by name.

    The filters and the figures are asked again, with the ledger at the moment of the decision.
    """

    def __init__(self, run: KarmadaRun, trace: Trace, placed: Mapping[int, Assignment]) -> None:
        self._run = run
        self._trace = trace
        self._placed = placed

    def __iter__(self) -> Iterator[str]:
        return iter(self._run.table.names)

    def __len__(self) -> int:
        return self._run.table.size

    def __getitem__(self, name: str) -> Verdict:
        place = self._run.table.index[name]
        trace = self._trace
        view = self._run.view(trace.turn, trace.policy)
        free = int(view.free[place])
        room = None if free >= MOST else free
        if view.barred[place]:
            why = tuple(map(self._in_group, view.rejections(place)))
            return Verdict(name, Outcome.INFEASIBLE, rejections=why, room=room)
        score = SCORE if place in trace.turn.prior else 0
        scores = (Score(THERE, score, 1),)
        assignment = self._placed.get(place)
        if assignment is None:
            why = (self._why_not(place),)
            return Verdict(name, Outcome.FEASIBLE, 0, why, scores, score, room)
        outcome = Outcome.ASSIGNED if assignment.replicas else Outcome.SELECTED
        return Verdict(name, outcome, assignment.replicas, (), scores, score, room)

    def _in_group(self, rejection: Rejection) -> Rejection:
        """Where groups stand for the affinity, the reason names the one that is in use."""
        groups = self._trace.policy.spec.tiers
        if rejection.code != reasons.AFFINITY or not groups:
            return rejection
        whole = self._trace.turn.policy
        place = next(at for at, each in enumerate(whole.spec.tiers) if each.name == groups[0].name)
        values = FrozenMap({**rejection.values, "tier": groups[0].name})
        return Rejection(reasons.AFFINITY, values, whole.origin.at("spec", "tiers", place))

    def _why_not(self, place: int) -> Rejection:
        """Why a feasible cluster gets nothing."""
        trace = self._trace
        origin = trace.policy.origin
        if trace.failure is not None:
            return trace.failure
        if trace.chosen is not None and place not in trace.chosen:
            return self._not_chosen(place, trace.chosen)
        over = overflow_of(self._run, trace.policy)
        if over is not None and over[place]:
            return Rejection(reasons.OVERFLOW, source=origin.at("spec", "tiers"))
        if trace.policy.spec.division.weights:
            if not self._run.weights(trace.policy)[place]:
                source = origin.at("spec", "division", "weights")
                return Rejection(reasons.WEIGHT_ZERO, source=source)
        elif trace.policy.spec.division.mode is DivisionMode.AGGREGATED:
            return Rejection(reasons.NOT_NEEDED, source=origin.at("spec", "division"))
        values = FrozenMap[str | int]({"replicas": trace.turn.replicas})
        return Rejection(reasons.NO_SHARE, values, origin.at("spec", "division"))

    def _not_chosen(self, place: int, chosen: frozenset[int]) -> Rejection:
        """Which limit the cluster would break."""
        run, trace = self._run, self._trace
        constraints = run.constraints(trace.policy)
        regions = {int(run.region_of[each]) for each in chosen}
        by, limit = "cluster", len(chosen)
        if constraints.region is not None and int(run.region_of[place]) not in regions:
            by, limit = "region", len(regions)
        values = FrozenMap[str | int]({"by": by, "limit": limit})
        source = run.source(trace.policy, by, "maxDomains")
        return Rejection(reasons.DOMAIN_LIMIT, values, source)
