"""One workload in its turn, by Karmada's rules. Source: pkg/scheduler/core/generic_scheduler.go."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from fleet.model.base import FrozenMap
from fleet.model.decision import Active, Assignment, Decision, Finding, Rejection, Role
from fleet.model.policy import Affinity, DivisionMode, PlacementPolicy
from fleet.schedule import karmada_divide as divide
from fleet.schedule import reasons
from fleet.schedule.columns import Mask, Whole
from fleet.schedule.karmada_bounds import bounded
from fleet.schedule.karmada_divide import Ask, Given
from fleet.schedule.karmada_run import KarmadaRun, Turn
from fleet.schedule.karmada_select import (
    Candidates,
    Limits,
    Short,
    Spread,
    by_cluster,
    by_region,
    in_order,
)
from fleet.schedule.karmada_traffic import Traffic, roles_of
from fleet.schedule.karmada_verdicts import KarmadaVerdicts, Trace

NO_CLUSTERS = Limits(0, 0)


@dataclass(frozen=True, slots=True, eq=False)
class Attempt:
    """What one group of clusters led to: what each gets, or why there is nothing.

    `places` None: the policy's own, no tier's. **Shape**: by the cluster's position.
    """

    policy: PlacementPolicy
    feasible: Mask
    free: Whole
    chosen: tuple[int, ...] = ()
    given: Given = field(default_factory=dict)
    failure: Rejection | None = None


@dataclass(frozen=True, slots=True)
class Made:
    """A decision, what it takes of the clusters, and what goes with it."""

    decision: Decision
    charged: Given
    active: Mapping[str, Active]
    findings: tuple[Finding, ...]


def decide_by_karmada(run: KarmadaRun, turn: Turn, traffic: Traffic) -> Made:
    """Decides a workload as Karmada does; where that fails, what runs stays as it is.

    What was placed is charged in full, also what ran before: so does Karmada's protection against
    overcommitment, which is nearer to what its clusters report than it looks.
    """
    attempt = _first_that_holds(run, turn)
    given = charged = attempt.given
    if attempt.failure is not None:
        given = {each: n for each, n in turn.prior.items() if n and attempt.feasible[each]}
    run.rooms.promise(turn.number, turn.asked, charged)
    resolved = roles_of(run.table, given, traffic)
    placed = {
        place: replace(assignment, role=resolved.roles.get(place, Role.ACTIVE))
        for place, assignment in bounded(turn, given, run.table.names).items()
    }
    decision = Decision(
        workload=turn.workload.name,
        assignments=tuple(placed.values()),
        shortfall=_missing(turn, given, attempt.failure),
        shortfall_reasons=() if attempt.failure is None else (attempt.failure,),
        verdicts=_verdicts(run, turn, attempt, placed),
        source=turn.policy.origin.start,
    )
    return Made(decision, charged, resolved.active, resolved.findings)


def _missing(turn: Turn, given: Given, failure: Rejection | None) -> int:
    """How many replicas run nowhere."""
    if failure is None:
        return 0
    wanted = turn.workload.replicas if turn.workload.main is not None else 0
    if turn.mode is DivisionMode.DUPLICATED and given:
        return 0
    return max(0, wanted - sum(given.values()))


def _verdicts(
    run: KarmadaRun, turn: Turn, attempt: Attempt, placed: Mapping[int, Assignment]
) -> KarmadaVerdicts:
    trace = Trace(
        turn=turn,
        policy=attempt.policy,
        feasible=attempt.feasible,
        free=attempt.free,
        chosen=frozenset(attempt.chosen),
        failure=attempt.failure,
    )
    return KarmadaVerdicts(run, trace, placed)


def _first_that_holds(run: KarmadaRun, turn: Turn) -> Attempt:
    """The first tier that holds the workload, from the one where it runs; else the first's fault.

    Karmada only ever goes forward. Without tiers the policy is its own only tier.
    """
    variants = _variants(turn.policy)
    tried = []
    for policy in variants[_start(run, turn, variants) :]:
        tried.append(_attempt(run, turn, policy))
        if tried[-1].failure is None:
            return tried[-1]
    return tried[0]


def _variants(policy: PlacementPolicy) -> list[PlacementPolicy]:
    """The policy once for each tier, with the tier's clusters as its affinity."""
    if not policy.spec.tiers:
        return [policy]
    return [
        policy.model_copy(
            update={
                "spec": policy.spec.model_copy(
                    update={
                        "affinity": Affinity(
                            required=(*tier.terms, *(t for o in tier.overflow for t in o.terms))
                        ),
                        "tiers": (tier,),
                    }
                )
            }
        )
        for tier in policy.spec.tiers
    ]


def _start(run: KarmadaRun, turn: Turn, variants: Sequence[PlacementPolicy]) -> int:
    """The first tier that has every cluster where the workload runs; nobody writes it down."""
    running = [place for place, count in turn.prior.items() if count]
    if len(variants) == 1 or not running or turn.policy.spec.return_to_better_tier:
        return 0
    for position, policy in enumerate(variants):
        if run.matching(policy.spec.affinity.required)[running].all():
            return position
    return 0


def _attempt(run: KarmadaRun, turn: Turn, policy: PlacementPolicy) -> Attempt:
    """Filters, selects and divides."""
    feasible = ~run.barred(turn, policy)
    free = run.rooms.figures(turn.number, turn.asked, turn.replicas)
    attempt = Attempt(policy, feasible, free)
    places = np.flatnonzero(feasible)
    if not len(places):
        return replace(attempt, failure=Rejection(reasons.NO_CLUSTER, source=policy.origin.start))
    tiers = _overflow(run, policy)
    chosen = _selected(run, turn, policy, _candidates(turn, places, free, tiers))
    if isinstance(chosen, Short):
        return replace(attempt, failure=_why_short(run, policy, chosen))
    if not chosen:
        nothing = Short("cluster", 0, 1)
        return replace(attempt, failure=_why_short(run, policy, nothing))
    given = _divided(run, turn, chosen, (free, tiers))
    if given is None:
        held = int(free[chosen].sum()) + sum(turn.prior.get(place, 0) for place in chosen)
        short = _why_short(run, policy, Short("replicas", held, turn.replicas))
        return replace(attempt, chosen=tuple(chosen), failure=short)
    return replace(attempt, chosen=tuple(chosen), given=given)


def _candidates(turn: Turn, places: Whole, free: Whole, tiers: Whole | None) -> Candidates:
    available = free[places]
    runs = np.zeros(len(places), dtype=bool)
    if turn.prior:
        before = np.zeros(len(free), dtype=np.int64)
        before[list(turn.prior)] = list(turn.prior.values())
        available = available + before[places]
        there = np.zeros(len(free), dtype=bool)
        there[list(turn.prior)] = True
        runs = there[places]
    return in_order(places, available, runs, None if tiers is None else tiers[places])


def _overflow(run: KarmadaRun, policy: PlacementPolicy) -> Whole | None:
    """Which overflow each cluster belongs to, 0 is none; None where there are none.

    Source: overflowAffinities, which only the division by room knows.
    """
    tiers = policy.spec.tiers
    if not tiers or not tiers[0].overflow or policy.spec.division.weights:
        return None
    if policy.spec.division.mode is DivisionMode.DUPLICATED:
        return None
    order = np.zeros(run.table.size, dtype=np.int64)
    left = ~run.matching(tiers[0].terms)
    for position, overflow in enumerate(tiers[0].overflow, 1):
        mine = left & run.matching(overflow.terms)
        order[mine] = position
        left &= ~mine
    return order


def _selected(
    run: KarmadaRun, turn: Turn, policy: PlacementPolicy, candidates: Candidates
) -> list[int] | Short:
    """Every candidate, or what the spread by cluster or by region leaves of them."""
    constraints = run.constraints(policy)
    divided = None if turn.mode is DivisionMode.DUPLICATED else turn.replicas
    if constraints.region is not None:
        clusters = constraints.cluster or NO_CLUSTERS
        spread = Spread(constraints.region, clusters, divided, turn.replicas)
        codes = run.region_of[candidates.places]
        return by_region(candidates, codes, run.regions.names, spread)
    if constraints.cluster is not None:
        return by_cluster(candidates, constraints.cluster, divided)
    return candidates.first(len(candidates.places))


def _divided(
    run: KarmadaRun, turn: Turn, chosen: Sequence[int], room: tuple[Whole, Whole | None]
) -> Given | None:
    """What each selected cluster runs; who runs nothing is left out."""
    if not turn.counts:
        return dict.fromkeys(sorted(chosen), 1 if turn.workload.per_cluster else 0)
    ask = Ask(turn.replicas, turn.workload.settings.ties == "descending")
    if turn.mode is DivisionMode.DUPLICATED:
        given: Given | None = dict.fromkeys(sorted(chosen), turn.replicas)
    elif turn.is_static:
        weights = run.weights(turn.policy)
        given = divide.static({place: weights[place] for place in chosen}, ask)
    else:
        given = _by_room(turn, chosen, ask, room)
    return None if given is None else {place: count for place, count in given.items() if count}


def _by_room(
    turn: Turn, chosen: Sequence[int], ask: Ask, room: tuple[Whole, Whole | None]
) -> Given | None:
    free, tiers = room
    packed = turn.mode is DivisionMode.AGGREGATED
    votes = list(zip(chosen, free[list(chosen)].tolist(), strict=True))
    if tiers is not None:
        parts = [
            [vote for vote in votes if tiers[vote[0]] == each]
            for each in range(int(tiers.max()) + 1)
        ]
        return divide.overflowing(parts, turn.prior, ask, packed=packed)
    if packed:
        return divide.aggregated(votes, turn.prior, ask)
    return divide.dynamic(dict(votes), turn.prior, ask)


def _why_short(run: KarmadaRun, policy: PlacementPolicy, short: Short) -> Rejection:
    """What is short, with the line that asks for it."""
    if short.by == "replicas":
        values = FrozenMap[str | int]({"wanted": short.wanted, "placed": short.found})
        return Rejection(reasons.CAPACITY_SHORT, values, policy.origin.at("spec", "division"))
    values = FrozenMap[str | int]({"by": short.by, "found": short.found, "wanted": short.wanted})
    source = run.source(policy, short.by, "minDomains" if short.found else "maxDomains")
    return Rejection(reasons.DOMAINS_SHORT, values, source)
