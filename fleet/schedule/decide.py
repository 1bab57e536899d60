"""One workload in its turn: who answers, which clusters, how many replicas, and what is short."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from fleet.model.base import FrozenMap
from fleet.model.decision import Active, Decision, Finding, Rejection
from fleet.model.snapshot import Linked
from fleet.schedule import reasons
from fleet.schedule.active import Resolved, active_before, resolve, standby_policies
from fleet.schedule.bounds import assigned
from fleet.schedule.choice import Choice
from fleet.schedule.columns import Mask
from fleet.schedule.karmada_decide import decide_by_karmada
from fleet.schedule.question import question
from fleet.schedule.request import Request
from fleet.schedule.run import Run
from fleet.schedule.select import Selection, select
from fleet.schedule.share import Division, shares
from fleet.schedule.short import shortfall
from fleet.schedule.spread import Spread
from fleet.schedule.stance import Stance, one_group, region_groups, wanted_replicas
from fleet.schedule.verdicts import Trace, Verdicts


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision, the active regions that it led to, and what there is to tell."""

    decision: Decision
    active: Mapping[str, Active]
    findings: tuple[Finding, ...]


def decide(run: Run, turn: int) -> Decided:
    """Decides the workload whose turn it is, and charges what it takes."""
    linked = run.linked[turn]
    if linked.placement.spec.rules == "karmada":
        made = decide_by_karmada(run.karmada, run.karmada_turn(turn), run.karmada_traffic(turn))
        run.charge(turn, made.charged, tight=False)
        return Decided(made.decision, made.active, made.findings)
    stance, resolved = _stance(run, turn)
    request = run.request(turn, stance)
    spread = run.spread(linked.placement)
    allowed = ~run.evaluator.barred_by_policy(request)
    feasible = allowed & ~run.evaluator.barred_by_room(request)
    tight = bool((request.room[allowed] < max(stance.targets.values())).any())
    order, weights = _weighted(in_order(run, request, feasible), spread)
    choice = question(linked, stance, spread, order, request.room)
    selection = _selected(request, choice, spread, feasible)
    division = Division(
        run.table, linked, stance, choice, request.room.tolist(), weights, request.prior
    )
    given = shares(division, selection.chosen)
    missing, why = shortfall(division, given, selection.failure)
    if not _answered(stance, given):
        given = {}
    run.charge(turn, given, tight=tight)
    placed = assigned(division, given)
    trace = Trace(turn, stance, choice, spread, selection, frozenset(order))
    decision = Decision(
        workload=linked.workload.name,
        assignments=tuple(placed.values()),
        shortfall=missing,
        shortfall_reasons=why,
        verdicts=Verdicts(run, trace, placed),
        source=linked.placement.origin.start,
    )
    return Decided(decision, resolved.active, resolved.findings + _eased(linked, selection))


def in_order(run: Run, request: Request, feasible: Mask) -> list[int]:
    """The feasible clusters: most points first, then most room, then by name."""
    places = np.flatnonzero(feasible)
    totals = run.evaluator.totals(request)[places]
    ranked = np.lexsort((places, -request.room[places], -totals))
    found: list[int] = places[ranked].tolist()
    return found


def _stance(run: Run, turn: int) -> tuple[Stance, Resolved]:
    """The groups of the workload; active regions are found among the feasible ones."""
    linked = run.linked[turn]
    replicas = wanted_replicas(linked.workload)
    policies = standby_policies(linked.traffic)
    if not policies:
        return one_group(run.table, replicas), Resolved({})
    request = run.request(turn, one_group(run.table, replicas))
    feasible = ~run.evaluator.barred(request)
    order, _ = _weighted(in_order(run, request, feasible), run.spread(linked.placement))
    candidates = list(dict.fromkeys(run.table.regions[place] for place in order))
    before = active_before(run.table, run.prior_of(linked.workload))
    resolved = resolve(policies, run.snapshot.wanted, candidates, before)
    if not candidates:
        return one_group(run.table, replicas), resolved
    regions = {each.region for each in resolved.active.values()}
    texts = run.table.column("region").values
    active = {group for group, names in enumerate(texts) if regions.intersection(names)}
    standby = max(policy.spec.standby for policy in policies)
    return region_groups(run.table, replicas, standby, active), resolved


def _weighted(order: list[int], spread: Spread) -> tuple[list[int], dict[int, int] | None]:
    """The candidates with a static weight; where none has any, all count the same."""
    if spread.weights is None:
        return order, None
    weights = {place: int(spread.weights[place]) for place in order}
    if not any(weights.values()):
        return order, dict.fromkeys(order, 1)
    heavy = [place for place in order if weights[place]]
    return heavy, {place: weights[place] for place in heavy}


def _answered(stance: Stance, given: Mapping[int, int]) -> bool:
    """Whether an active cluster runs what there is to run; if not, none stands by."""
    active = [place for place in given if stance.groups[place] in stance.active]
    return any(given[place] or not stance.target(place) for place in active)


def _eased(linked: Linked, selection: Selection) -> tuple[Finding, ...]:
    """What was asked of the spread and could not be kept for a workload that runs."""
    findings = []
    for each in selection.relaxed:
        conflict = each.code == reasons.SPREAD_CONFLICT
        code = reasons.SPREAD_CONFLICT if conflict else reasons.SPREAD_RELAXED
        values = FrozenMap[str | int]({**each.values, "workload": linked.workload.name})
        findings.append(Finding(code, values, each.source))
    return tuple(findings)


def _selected(request: Request, choice: Choice, spread: Spread, feasible: Mask) -> Selection:
    """Selects; without a candidate there is nothing to select from."""
    if not choice.order:
        source = request.policy.origin.start
        return Selection((), failure=Rejection(reasons.NO_CLUSTER, source=source))
    runs = any(feasible[place] for place in request.prior)
    return select(choice, spread.rules, runs=runs)
