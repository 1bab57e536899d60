"""One workload in its turn, by Karmada's rules. Source: pkg/scheduler/core/generic_scheduler.go."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from fleet.model.affinity import Affinity
from fleet.model.base import FrozenMap
from fleet.model.decision import Active, Decision, Finding, Rejection
from fleet.model.policy import DivisionMode, PlacementPolicy, Tier
from fleet.schedule import karmada_divide as divide
from fleet.schedule import reasons
from fleet.schedule.columns import Whole
from fleet.schedule.karmada_bounds import bounded
from fleet.schedule.karmada_divide import Ask, Given, Votes
from fleet.schedule.karmada_overflow import overflow_of
from fleet.schedule.karmada_regions import Limits
from fleet.schedule.karmada_run import KarmadaRun, Turn
from fleet.schedule.karmada_select import (
    Candidates,
    Short,
    Spread,
    behind,
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

    `chosen` None: every feasible cluster. `free` is how many more replicas fit.

    **Shape**: by the cluster's position.
    """

    policy: PlacementPolicy
    chosen: Whole | None = None
    given: Given = field(default_factory=dict)
    failure: Rejection | None = None
    free: Whole | None = None


@dataclass(frozen=True, slots=True)
class Made:
    """A decision, what it takes of the clusters, and what goes with it."""

    decision: Decision
    charged: Given
    active: Mapping[str, Active]
    findings: tuple[Finding, ...]


def decide_by_karmada(run: KarmadaRun, turn: Turn, traffic: Traffic) -> Made:
    """Decides a workload as Karmada does; where that fails, what runs stays as it is.

    What was placed is charged in full, also what ran before, as Karmada's protection against
    overcommitment does.
    """
    attempt = _first_that_holds(run, turn)
    given = charged = attempt.given
    if attempt.failure is not None:
        barred = run.barred(turn, attempt.policy)
        given = {each: n for each, n in turn.prior.items() if n and not barred[each]}
    run.rooms.promise(turn.number, turn.asked, charged)
    resolved = roles_of(run.table, given, traffic)
    placed = bounded(turn, given, resolved.roles, run.table.names)
    chosen = None if attempt.chosen is None else frozenset(attempt.chosen.tolist())
    trace = Trace(turn, attempt.policy, chosen, attempt.failure)
    decision = Decision(
        workload=turn.workload.name,
        assignments=tuple(placed.values()),
        shortfall=_missing(turn, given, attempt.failure),
        shortfall_reasons=() if attempt.failure is None else (attempt.failure,),
        verdicts=KarmadaVerdicts(run, trace, placed),
        source=turn.policy.origin.start,
        tier=attempt.policy.spec.tiers[0].name if attempt.policy.spec.tiers else "",
    )
    findings = (*resolved.findings, *_overcommitted(run, turn, attempt))
    return Made(decision, charged, resolved.active, findings)


def _overcommitted(run: KarmadaRun, turn: Turn, attempt: Attempt) -> Iterator[Finding]:
    """Clusters that are given more than they have room for: Karmada asks for none there."""
    free = attempt.free
    if free is None:
        return
    over = [
        f"{run.table.names[place]} {count - before} of {free[place]}"
        for place, count in sorted(attempt.given.items())
        if count - (before := turn.prior.get(place, 0)) > free[place]
    ]
    if over:
        values = {"workload": turn.workload.name, "clusters": ", ".join(over)}
        source = turn.policy.origin.start
        yield Finding(reasons.OVERCOMMITTED, FrozenMap[str | int](values), source)


def _missing(turn: Turn, given: Given, failure: Rejection | None) -> int:
    """How many replicas run nowhere; duplicated, as long as it runs anywhere, none."""
    if failure is None or (turn.mode is DivisionMode.DUPLICATED and given):
        return 0
    return max(0, turn.replicas - sum(given.values()))


def _first_that_holds(run: KarmadaRun, turn: Turn) -> Attempt:
    """The first tier that holds the workload, from the one where it runs; else the first's fault.

    Karmada only ever goes forward. Without tiers the policy is its own only tier.
    """
    variants = _variants(turn.policy)
    tried: list[Attempt] = []
    for policy in variants[_start(run, turn, variants) :]:
        tried.append(_attempt(run, turn, policy))
        if tried[-1].failure is None:
            return tried[-1]
    return tried[0]


def _variants(policy: PlacementPolicy) -> list[PlacementPolicy]:
    """The policy once for each tier, with the tier's clusters as its affinity."""
    if not policy.spec.tiers:
        return [policy]
    return [_variant(policy, tier) for tier in policy.spec.tiers]


def _variant(policy: PlacementPolicy, tier: Tier) -> PlacementPolicy:
    terms = (*tier.terms, *(term for over in tier.overflow for term in over.terms))
    said = {"affinity": Affinity(required=terms), "tiers": (tier,)}
    return policy.model_copy(update={"spec": policy.spec.model_copy(update=said)})


def _start(run: KarmadaRun, turn: Turn, variants: Sequence[PlacementPolicy]) -> int:
    """The tier of the last update; where it says none, the first that has all that runs."""
    running = [place for place, count in turn.prior.items() if count]
    if len(variants) == 1 or not running or turn.policy.spec.return_to_better_tier:
        return 0
    names = [policy.spec.tiers[0].name for policy in variants]
    if turn.tier in names:
        return names.index(turn.tier)
    for position, policy in enumerate(variants):
        if run.matching(policy.spec.affinity.required)[running].all():
            return position
    return 0


def _attempt(run: KarmadaRun, turn: Turn, policy: PlacementPolicy) -> Attempt:
    """Filters, selects and divides."""
    places = np.flatnonzero(~run.barred(turn, policy))
    if not len(places):
        none = Rejection(reasons.NO_CLUSTER, source=policy.origin.start)
        return Attempt(policy, failure=none)
    free = run.rooms.figures(turn.number, turn.asked, turn.replicas)
    ground = Ground(run, turn, policy, places, free)
    chosen = _selected(ground)
    if isinstance(chosen, Short):
        return Attempt(policy, places[:0], failure=_why_short(run, policy, chosen))
    taken = ground.all_of_them() if chosen is None else chosen
    if not len(taken):
        nothing = _why_short(run, policy, Short("cluster", 0, 1))
        return Attempt(policy, taken, failure=nothing)
    given = _divided(ground, taken)
    if given is None:
        held = int(free[taken].sum()) + sum(turn.prior[each] for each in _running(turn, taken))
        short = _why_short(run, policy, Short("replicas", held, turn.replicas))
        return Attempt(policy, chosen, failure=short)
    return Attempt(policy, chosen, given, free=free)


def _running(turn: Turn, taken: Whole) -> list[int]:
    return [each for each in taken.tolist() if each in turn.prior] if turn.prior else []


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What selection and division work on: the feasible `places`, by name, and the `free` room.

    **Shape**: `free` by the cluster's position in the table.
    """

    run: KarmadaRun
    turn: Turn
    policy: PlacementPolicy
    places: Whole
    free: Whole

    @property
    def divided(self) -> int | None:
        """The replicas that need room; None where every cluster runs all."""
        duplicated = self.turn.mode is DivisionMode.DUPLICATED
        return None if duplicated else self.turn.replicas

    def candidates(self, most: int | None = None) -> Candidates:
        """The candidates in Karmada's order, overflow last; `most` as for in_order."""
        available = self.free[self.places]
        runs = np.zeros(len(self.places), dtype=bool)
        if self.turn.prior:
            before = np.zeros(len(self.free), dtype=np.int64)
            before[list(self.turn.prior)] = list(self.turn.prior.values())
            available = available + before[self.places]
            there = np.zeros(len(self.free), dtype=bool)
            there[list(self.turn.prior)] = True
            runs = there[self.places]
        tier = overflow_of(self.run, self.policy)
        if tier is None:
            return in_order(self.places, available, runs, most=most)
        return behind(in_order(self.places, available, runs), tier)

    def all_of_them(self) -> Whole:
        """Every candidate, in the order that ends ties where it does: of clusters that are packed.

        By name is enough where nothing runs yet: packing puts those with most room first itself.
        """
        packed = self.turn.mode is DivisionMode.AGGREGATED
        return self.candidates().places if packed and self.turn.prior else self.places


def _selected(ground: Ground) -> Whole | Short | None:
    """What the spread by cluster or by region leaves; None is every candidate."""
    run, turn = ground.run, ground.turn
    constraints = run.constraints(ground.policy)
    if constraints.region is not None:
        clusters = constraints.cluster or NO_CLUSTERS
        spread = Spread(constraints.region, clusters, ground.divided, turn.replicas)
        candidates = ground.candidates()
        codes = run.region_of[candidates.places]
        return by_region(candidates, codes, run.regions.names, spread)
    if constraints.cluster is not None:
        limits = constraints.cluster
        return by_cluster(ground.candidates(2 * limits.most), limits, ground.divided)
    return None


def _divided(ground: Ground, taken: Whole) -> Given | None:
    """What each selected cluster runs; who runs nothing is left out."""
    turn = ground.turn
    if not turn.counts:
        return dict.fromkeys(sorted(taken.tolist()), 1 if turn.workload.per_cluster else 0)
    if not turn.replicas:
        return {}
    ask = Ask(turn.replicas, turn.workload.settings.ties == "descending")
    if turn.mode is DivisionMode.DUPLICATED:
        return dict.fromkeys(sorted(taken.tolist()), turn.replicas)
    if turn.is_static:
        places = np.sort(taken)
        return divide.static(Votes(places, ground.run.weights(turn.policy)[places]), ask)
    return _by_room(ground, taken, ask)


def _by_room(ground: Ground, taken: Whole, ask: Ask) -> Given | None:
    packed = ground.turn.mode is DivisionMode.AGGREGATED
    prior, free = ground.turn.prior, ground.free
    tier = overflow_of(ground.run, ground.policy)
    if tier is not None:
        parts = [taken[tier[taken] == each] for each in range(int(tier.max()) + 1)]
        votes = [Votes(part, free[part]) for part in parts]
        return divide.overflowing(votes, prior, ask, packed=packed)
    if packed:
        return divide.aggregated(Votes(taken, free[taken]), prior, ask)
    places = np.sort(taken)
    return divide.dynamic(Votes(places, free[places]), prior, ask)


def _why_short(run: KarmadaRun, policy: PlacementPolicy, short: Short) -> Rejection:
    """What is short, with the line that asks for it."""
    if short.by == "replicas":
        values = FrozenMap[str | int]({"wanted": short.wanted, "placed": short.found})
        return Rejection(reasons.CAPACITY_SHORT, values, policy.origin.at("spec", "division"))
    if short.found >= short.wanted:  # enough of them, but in no set of regions that is allowed
        return Rejection(reasons.SPREAD_CONFLICT, source=policy.origin.at("spec", "spread"))
    values = FrozenMap[str | int]({"by": short.by, "found": short.found, "wanted": short.wanted})
    source = run.source(policy, short.by, "minDomains" if short.found else "maxDomains")
    return Rejection(reasons.DOMAINS_SHORT, values, source)
