"""One workload in its turn: who answers, which clusters, how many replicas, and what is short."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from fleet.model.base import FrozenMap
from fleet.model.decision import Active, Decision, Finding, Rejection
from fleet.model.snapshot import Linked
from fleet.schedule import reasons
from fleet.schedule.active import Resolved, active_before, resolve, standby_policies
from fleet.schedule.assignments import Assignments
from fleet.schedule.attempt import Asked, Attempt, attempt
from fleet.schedule.bounds import assigned
from fleet.schedule.candidates import Candidates
from fleet.schedule.handful import handful
from fleet.schedule.karmada_decide import decide_by_karmada
from fleet.schedule.ledger import Taken
from fleet.schedule.neighbours import kept_apart
from fleet.schedule.request import Request
from fleet.schedule.run import Run
from fleet.schedule.stance import Stance, region_groups, wanted_replicas
from fleet.schedule.straight import straight
from fleet.schedule.successors import with_successors
from fleet.schedule.task import Task
from fleet.schedule.thin import thin_spread
from fleet.schedule.tiers import Tiered, levels, nobody_holds, through
from fleet.schedule.trace import Trace, trace_of
from fleet.schedule.uneven import uneven_numbers
from fleet.schedule.verdicts import Verdicts

_UNRESOLVED = Resolved({})


@dataclass(slots=True)
class Decided:
    """A decision, the active regions that it led to, and what there is to tell."""

    decision: Decision
    active: Mapping[str, Active]
    findings: tuple[Finding, ...]


def decide(run: Run, turn: int) -> Decided:
    """Decides the workload whose turn it is, and charges what it takes."""
    if run.linked[turn].placement.spec.rules == "karmada":
        made = decide_by_karmada(run.karmada, run.karmada_turn(turn), run.karmada_traffic(turn))
        run.charge(Taken.of(made.charged))
        run.note(turn, made.charged, bounded=False)
        return Decided(made.decision, made.active, made.findings)
    if run.linked[turn].placement.spec.tiers:
        return _decided_by_tiers(run, turn)
    stance, resolved = _stance(run, turn, None)
    task = _task(run, turn, stance, None)
    if task.usual and run.is_alone(turn):
        taken = handful(task)
        if taken is None:
            taken = straight(task)
        if taken is not None:
            return _plainly(run, turn, (task, taken), resolved)
    return _decided(run, turn, attempt(_asked(run, turn, task)), (None, resolved))


def _plainly(run: Run, turn: int, found: tuple[Task, Taken], resolved: Resolved) -> Decided:
    """Charges what was found at once; nothing is short."""
    task, taken = found
    run.charge(taken)
    decision = Decision(
        workload=task.linked.workload.name,
        assignments=Assignments(run.table.names, taken),
        verdicts=Verdicts(run, turn, partial(_once_more, run, turn, task.stance)),
        source=task.linked.placement.origin.start,
    )
    findings = resolved.findings
    if task.spread.wants_several:
        findings = (*findings, *thin_spread(task.linked, task.spread, taken.as_map()))
    return Decided(decision, resolved.active, findings)


def _once_more(run: Run, turn: int, stance: Stance) -> Trace:
    """What was found at once, decided the general way, to be explained."""
    made = attempt(_asked(run, turn, _task(run, turn, stance, None)))
    return trace_of(made, assigned(made.division, made.given), None)


def _decided_by_tiers(run: Run, turn: int) -> Decided:
    """One tier after the other, until one holds the workload."""
    policy = run.linked[turn].placement
    resolutions: dict[int, Resolved] = {}

    def try_tier(tiered: Tiered) -> Attempt:
        stance, resolutions[tiered.first] = _stance(run, turn, tiered)
        return attempt(_asked(run, turn, _task(run, turn, stance, tiered)))

    made, tiered, holds = through(policy.spec.tiers, run.start_tier(turn), try_tier)
    decided = _decided(run, turn, made, (tiered, resolutions[tiered.first]))
    if not holds:
        finding = nobody_holds(policy, run.linked[turn].workload.name, tiered, made.missing)
        decided.findings = (*decided.findings, finding)
    return decided


def _task(run: Run, turn: int, stance: Stance, tiered: Tiered | None) -> Task:
    """The task, with the capacity of the workload's turn."""
    linked = run.linked[turn]
    compiled, request = run.compiled(turn), run.request(turn, stance, tiered)
    view = run.evaluator.view(request)
    weights, most = compiled.spread.weights, compiled.bounds.most
    candidates = Candidates(run.evaluator, request, view, weights, most)
    if run.asks_all_scorers:
        candidates.total  # noqa: B018 - what a scorer of one's own may not answer is always said
    return Task(linked, stance, compiled, request, candidates, stance.targets.get(0, 0))


def _asked(run: Run, turn: int, task: Task) -> Asked:
    """Everything that the general way asks for."""
    order, late = task.candidates.order, _levels(task.request)
    if late is not None:
        order = sorted(order, key=late.__getitem__)
    weights = task.weights(np.array(order, dtype=np.int64))
    return Asked(
        linked=task.linked,
        request=task.request,
        stance=task.stance,
        spread=task.spread,
        order=order,
        weights=None if weights is None else dict(zip(order, weights.tolist(), strict=True)),
        bounds=task.compiled.bounds,
        levels=late,
        allowance=run.quotas.allows(turn),
        runs=_runs_on_a_feasible_one(task),
    )


def _runs_on_a_feasible_one(task: Task) -> bool:
    if not task.request.prior:
        return False
    feasible = Candidates(task.candidates.evaluator, task.request, task.candidates.view)
    return not task.request.prior.keys().isdisjoint(feasible.places.tolist())


def _levels(request: Request) -> list[int] | None:
    """When each cluster fills; None where all fill together."""
    tiered = request.tiered
    if tiered is None or not tiered.overflows:
        return None
    found: list[int] = levels(request.table, tiered.tiers[tiered.first]).tolist()
    return found


def _decided(
    run: Run, turn: int, made: Attempt, context: tuple[Tiered | None, Resolved]
) -> Decided:
    """Charges an answer, and words it as a decision."""
    asked, (tiered, resolved) = made.asked, context
    given = made.given if _answered(asked.stance, made.given) else {}
    placed = assigned(made.division, given)
    taken = {place: each.replicas for place, each in placed.items()}
    run.charge(Taken.of(taken))
    run.note(turn, taken, bounded=made.over is not None)
    trace = trace_of(made, placed, tiered)
    decision = Decision(
        workload=asked.linked.workload.name,
        assignments=tuple(placed.values()),
        shortfall=made.missing,
        shortfall_reasons=made.why,
        verdicts=Verdicts(run, turn, lambda: trace),
        source=asked.linked.placement.origin.start,
        tier=tiered.tiers[tiered.first].name if tiered else "",
    )
    findings = (
        *resolved.findings,
        *_eased(asked.linked, made.selection.relaxed),
        *(() if made.selection.relaxed else thin_spread(asked.linked, asked.spread, taken)),
        *uneven_numbers(made, taken),
        *kept_apart(asked.linked, run.table.names, asked.request.beside, taken),
    )
    return Decided(decision, resolved.active, findings)


def _stance(run: Run, turn: int, tiered: Tiered | None) -> tuple[Stance, Resolved]:
    """The groups of the workload; active regions are found among the feasible ones."""
    linked = run.linked[turn]
    replicas = wanted_replicas(linked.workload)
    policies = standby_policies(linked.traffic) if linked.traffic else []
    if not policies:
        return run.one_group(replicas), _UNRESOLVED
    task = _task(run, turn, run.one_group(replicas), tiered)
    ranked = _ranked(run, _asked(run, turn, task), task.candidates)
    regions = list(ranked)
    before = active_before(run.table, run.prior_of(linked.workload))
    resolved = resolve(policies, run.snapshot.wanted, regions, before)
    resolved = with_successors(resolved, run.snapshot.wanted, ranked, before)
    if not regions:
        return run.one_group(replicas), resolved
    chosen = {region for each in resolved.active.values() for region in each.regions}
    texts = run.table.column("region").values
    active = {group for group, names in enumerate(texts) if chosen.intersection(names)}
    standby = max(policy.spec.standby for policy in policies)
    return region_groups(run.table, replicas, standby, active), resolved


def _ranked(run: Run, asked: Asked, candidates: Candidates) -> dict[str, tuple[int, int]]:
    """The regions, best first, with what ranks their best cluster besides its name."""
    ranked: dict[str, tuple[int, int]] = {}
    for place in asked.order:
        region = run.table.regions[place]
        if region not in ranked:
            level = asked.levels[place] if asked.levels is not None else 0
            ranked[region] = (level, candidates.merit(place))
    return ranked


def _answered(stance: Stance, given: Mapping[int, int]) -> bool:
    """Whether an active cluster runs what there is to run; if not, none stands by."""
    active = [place for place in given if stance.groups[place] in stance.active]
    return any(given[place] or not stance.target(place) for place in active)


def _eased(linked: Linked, relaxed: Sequence[Rejection]) -> tuple[Finding, ...]:
    """What was asked of the spread and could not be kept for a workload that runs."""
    findings = []
    for each in relaxed:
        conflict = each.code == reasons.SPREAD_CONFLICT
        code = reasons.SPREAD_CONFLICT if conflict else reasons.SPREAD_RELAXED
        values = FrozenMap[str | int]({**each.values, "workload": linked.workload.name})
        findings.append(Finding(code, values, each.source))
    return tuple(findings)
