"""One workload in its turn: who answers, which clusters, how many replicas, and what is short."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from fleet.model.base import FrozenMap
from fleet.model.decision import Active, Assignment, Decision, Finding, Rejection
from fleet.model.snapshot import Linked
from fleet.schedule import reasons
from fleet.schedule.active import Resolved, active_before, resolve, standby_policies
from fleet.schedule.assignments import Assignments
from fleet.schedule.candidates import Candidates
from fleet.schedule.general import Trace, general
from fleet.schedule.handful import handful
from fleet.schedule.ledger import Taken
from fleet.schedule.run import Run
from fleet.schedule.stance import Stance, one_group, region_groups, wanted_replicas
from fleet.schedule.straight import straight
from fleet.schedule.task import Task
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
    linked = run.linked[turn]
    stance, resolved = _stance(run, turn)
    task = _task(run, turn, stance)
    taken = handful(task)
    if taken is None:
        taken = straight(task)
    if taken is None:
        answer = general(task)
        taken = Taken.of(answer.given)
        assignments: Sequence[Assignment] = tuple(answer.placed.values())
        missing, why, relaxed = answer.missing, answer.why, answer.selection.relaxed
    else:
        assignments, missing, why, relaxed = Assignments(run.table.names, taken), 0, (), ()
    run.charge(taken)
    decision = Decision(
        workload=linked.workload.name,
        assignments=assignments,
        shortfall=missing,
        shortfall_reasons=why,
        verdicts=Verdicts(run, turn, partial(_trace, run, turn, stance)),
        source=linked.placement.origin.start,
    )
    return Decided(decision, resolved.active, resolved.findings + _eased(linked, relaxed))


def _task(run: Run, turn: int, stance: Stance) -> Task:
    """The task, with the capacity of the workload's turn."""
    linked = run.linked[turn]
    request, spread = run.request(turn, stance), run.spread(linked.placement)
    view = run.evaluator.view(request)
    candidates = Candidates(run.evaluator, request, view, spread.weights)
    if run.asks_all_scorers:
        candidates.total  # noqa: B018 - what a scorer of one's own may not answer is always said
    return Task(linked, stance, spread, request, candidates)


def _trace(run: Run, turn: int, stance: Stance) -> Trace:
    """The decision once more, with all that an explanation wants to know."""
    task = _task(run, turn, stance)
    return Trace(task, general(task))


def _stance(run: Run, turn: int) -> tuple[Stance, Resolved]:
    """The groups of the workload; active regions are found among the feasible ones."""
    linked = run.linked[turn]
    replicas = wanted_replicas(linked.workload)
    policies = standby_policies(linked.traffic) if linked.traffic else []
    if not policies:
        return one_group(run.table, replicas), _UNRESOLVED
    candidates = _task(run, turn, one_group(run.table, replicas)).candidates
    regions = list(dict.fromkeys(run.table.regions[place] for place in candidates.order))
    before = active_before(run.table, run.prior_of(linked.workload))
    resolved = resolve(policies, run.snapshot.wanted, regions, before)
    if not regions:
        return one_group(run.table, replicas), resolved
    chosen = {each.region for each in resolved.active.values()}
    texts = run.table.column("region").values
    active = {group for group, names in enumerate(texts) if chosen.intersection(names)}
    standby = max(policy.spec.standby for policy in policies)
    return region_groups(run.table, replicas, standby, active), resolved


def _eased(linked: Linked, relaxed: Sequence[Rejection]) -> tuple[Finding, ...]:
    """What was asked of the spread and could not be kept for a workload that runs."""
    findings = []
    for each in relaxed:
        conflict = each.code == reasons.SPREAD_CONFLICT
        code = reasons.SPREAD_CONFLICT if conflict else reasons.SPREAD_RELAXED
        values = FrozenMap[str | int]({**each.values, "workload": linked.workload.name})
        findings.append(Finding(code, values, each.source))
    return tuple(findings)
