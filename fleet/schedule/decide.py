"""One workload in its turn: who answers, which clusters, how many replicas, and what is short."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from fleet.model.base import FrozenMap
from fleet.model.decision import Active, Decision, Finding
from fleet.model.snapshot import Linked
from fleet.schedule import reasons
from fleet.schedule.active import Resolved, active_before, resolve, standby_policies
from fleet.schedule.attempt import Asked, Attempt, attempt
from fleet.schedule.bounds import assigned
from fleet.schedule.columns import Mask
from fleet.schedule.neighbours import kept_apart
from fleet.schedule.request import Request
from fleet.schedule.run import Run
from fleet.schedule.select import Selection
from fleet.schedule.spread import Spread
from fleet.schedule.stance import Stance, one_group, region_groups, wanted_replicas
from fleet.schedule.thin import thin_spread
from fleet.schedule.tiers import Tiered, levels, nobody_holds, through
from fleet.schedule.uneven import uneven_numbers
from fleet.schedule.verdicts import Verdicts, trace_of


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision, the active regions that it led to, and what there is to tell."""

    decision: Decision
    active: Mapping[str, Active]
    findings: tuple[Finding, ...]


def decide(run: Run, turn: int) -> Decided:
    """Decides the workload whose turn it is, and charges what it takes."""
    policy = run.linked[turn].placement
    if not policy.spec.tiers:
        return _decided(run, turn, attempt(_asked(run, turn, None)), None)
    start = run.start_tier(turn)
    tried: list[Attempt] = []

    def try_tier(tiered: Tiered) -> Attempt:
        tried.append(attempt(_asked(run, turn, tiered)))
        return tried[-1]

    made, tiered, holds = through(policy.spec.tiers, start, try_tier)
    tight = any(each.asked.tight for each in tried)
    made = replace(made, asked=replace(made.asked, tight=tight))
    decided = _decided(run, turn, made, tiered)
    if holds:
        return decided
    finding = nobody_holds(policy, run.linked[turn].workload.name, tiered, made.missing)
    return replace(decided, findings=(*decided.findings, finding))


def _asked(run: Run, turn: int, tiered: Tiered | None) -> Asked:
    """Everything that one tier (or, without tiers, the whole fleet) is asked for."""
    linked = run.linked[turn]
    stance, resolved = _stance(run, turn, tiered)
    request = run.request(turn, stance, tiered)
    spread = run.spread(linked.placement)
    allowed = ~run.evaluator.barred_by_policy(request)
    feasible = allowed & ~run.evaluator.barred_by_room(request)
    order, weights = _weighted(in_order(run, request, feasible), spread)
    return Asked(
        linked=linked,
        request=request,
        stance=stance,
        resolved=resolved,
        spread=spread,
        order=order,
        weights=weights,
        bounds=run.bounds(linked.placement, linked.workload),
        levels=_levels(request),
        allowance=run.quotas.allows(turn),
        runs=any(feasible[place] for place in request.prior),
        tight=bool((request.room[allowed] < max(stance.targets.values())).any()),
    )


def _decided(run: Run, turn: int, made: Attempt, tiered: Tiered | None) -> Decided:
    """Charges an answer, and words it as a decision."""
    asked = made.asked
    given = made.given if _answered(asked.stance, made.given) else {}
    placed = assigned(made.division, given)
    taken = {place: each.replicas for place, each in placed.items()}
    run.charge(turn, taken, tight=asked.tight, bounded=made.over is not None)
    trace = trace_of(turn, made, tiered)
    decision = Decision(
        workload=asked.linked.workload.name,
        assignments=tuple(placed.values()),
        shortfall=made.missing,
        shortfall_reasons=made.why,
        verdicts=Verdicts(run, trace, placed),
        source=asked.linked.placement.origin.start,
        tier=tiered.tiers[tiered.first].name if tiered else "",
    )
    findings = (
        *asked.resolved.findings,
        *_eased(asked.linked, made.selection),
        *thin_spread(made, taken),
        *uneven_numbers(made, taken),
        *kept_apart(asked.linked, run.table.names, asked.request.beside, taken),
    )
    return Decided(decision, asked.resolved.active, findings)


def _levels(request: Request) -> list[int] | None:
    """When each cluster fills; None where all fill together."""
    tiered = request.tiered
    if tiered is None or not tiered.overflows:
        return None
    found: list[int] = levels(request.table, tiered.tiers[tiered.first]).tolist()
    return found


def in_order(run: Run, request: Request, feasible: Mask) -> list[int]:
    """The feasible clusters: most points first, then most room (within bounds), then by name.

    Where some fill only when others are full, those come last whatever their points.
    """
    places = np.flatnonzero(feasible)
    totals = run.evaluator.totals(request)[places]
    most = run.bounds(request.policy, request.workload).most
    keys = [places, -np.minimum(request.room, most)[places], -totals]
    late = _levels(request)
    if late is not None:
        keys.append(np.array(late, dtype=np.int64)[places])
    ranked = np.lexsort(tuple(keys))
    found: list[int] = places[ranked].tolist()
    return found


def _stance(run: Run, turn: int, tiered: Tiered | None) -> tuple[Stance, Resolved]:
    """The groups of the workload; active regions are found among the feasible ones."""
    linked = run.linked[turn]
    replicas = wanted_replicas(linked.workload)
    policies = standby_policies(linked.traffic)
    if not policies:
        return one_group(run.table, replicas), Resolved({})
    request = run.request(turn, one_group(run.table, replicas), tiered)
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
