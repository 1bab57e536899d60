"""One workload as a block: its headline, and a row per cluster that is worth one."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from fleet.explain.causes import Since
from fleet.explain.changes import prior_workload, role_change, was_and_is, workload_changes
from fleet.explain.flips import nearness
from fleet.explain.layout import Block, Mood, Row
from fleet.explain.recovery_words import are_fenced
from fleet.explain.sentences import counted, rejection_sentence, scores_text
from fleet.model.decision import Assignment, Decision, Verdict
from fleet.model.decision import Outcome as Judged
from fleet.model.plan import Leaving, Outcome, WorkloadDelivery
from fleet.model.prior import PriorWorkload
from fleet.model.source import Source
from fleet.model.workload import Workload

HEADINGS = ("cluster", "replicas", "role", "why", "said by")
_OTHERS_SHOWN = 3
_CAUSES_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Placed:
    """A workload of the plan with all that was said and decided about it."""

    outcome: Outcome = field(repr=False)
    delivery: WorkloadDelivery
    workload: Workload | None
    prior: PriorWorkload
    since: Since = field(repr=False)

    @property
    def name(self) -> str:
        """The workload's name."""
        return self.delivery.workload

    @property
    def decision(self) -> Decision | None:
        """None: the workload is gone from the files."""
        return self.delivery.decision

    @property
    def changes(self) -> bool:
        """Whether an update does anything to it."""
        return workload_changes(self.outcome, self.delivery)

    @property
    def previous(self) -> Mapping[str, int | None]:
        """Replicas before, by cluster, for every cluster that it is or was on."""
        before: dict[str, int | None] = dict(self.prior.replicas)
        before |= {each.cluster: each.replicas for each in self.delivery.leaving}
        return before | {each.cluster: each.previous for each in self.delivery.deliveries}


def placed_workloads(outcome: Outcome) -> list[Placed]:
    """Every workload of the plan, by name, those that only leave included."""
    known = {each.workload.name: each.workload for each in outcome.snapshot.linked}
    since = Since(outcome)
    return [
        Placed(outcome, each, known.get(each.workload), prior_workload(outcome, each), since)
        for each in outcome.plan.workloads
    ]


def placed_workload(outcome: Outcome, name: str) -> Placed | None:
    """The workload of that name, if the plan has it."""
    delivery = next((each for each in outcome.plan.workloads if each.workload == name), None)
    if delivery is None:
        return None
    workloads = (each.workload for each in outcome.snapshot.linked)
    known = next((each for each in workloads if each.name == name), None)
    return Placed(outcome, delivery, known, prior_workload(outcome, delivery), Since(outcome))


def headline(placed: Placed) -> tuple[str, ...]:
    """How much of it runs, and whether that is all."""
    decision = placed.decision
    if decision is None:
        return ("gone from the files", *_debts(placed))
    if placed.workload is not None and placed.workload.main is None:
        amount = f"no replicas of its own, on {counted(len(decision.assignments), 'cluster')}"
    elif placed.workload is not None and placed.workload.per_cluster:
        each = "once per cluster" if _is_job(placed.workload) else "one per node"
        amount = f"{each}, on {counted(len(decision.assignments), 'cluster')}"
    else:
        amount = _amount(decision)
    short = (f"{decision.shortfall} short: {shortfall_text(decision)}",) * bool(decision.shortfall)
    tier = (f"tier {decision.tier}",) * bool(decision.tier)
    return (amount, *tier, *short, *_debts(placed))


def _is_job(workload: Workload) -> bool:
    return (workload.main or "").startswith("CronJob/")


def _amount(decision: Decision) -> str:
    there = sum(each.replicas for each in decision.assignments)
    return f"{there} of {counted(there + decision.shortfall, 'replica')}"


def _debts(placed: Placed) -> tuple[str, ...]:
    owed = [each.cluster for each in placed.delivery.leaving if each.debt]
    return (f"debt on {', '.join(owed)}",) if owed else ()


def shortfall_text(decision: Decision) -> str:
    """Why replicas fit nowhere."""
    reasons = [rejection_sentence(each) for each in decision.shortfall_reasons]
    return "; ".join(reasons) or "no room"


def summary_block(placed: Placed, *, brief: bool = False) -> Block:
    """The rows that a reader of the whole run wants; the rest is counted.

    `brief` leaves out every cluster that the workload neither is on nor leaves.
    """
    rows = [*_assigned_rows(placed), *_leaving_rows(placed), *_first_causes(placed)]
    if placed.decision is not None and not brief:
        rows += _other_rows(placed, placed.decision)
    return Block(placed.name, headline(placed), _place(placed), tuple(rows), HEADINGS)


def _place(placed: Placed) -> str:
    source = placed.decision.source if placed.decision else placed.delivery.source
    return spell(source)


def spell(source: Source | None) -> str:
    """`file:line:col`, or nothing."""
    return str(source) if source else ""


def new_place(text: str, place: str) -> str:
    """A place, unless the text names it already."""
    return "" if place in text else place


def _assigned_rows(placed: Placed) -> list[Row]:
    decision = placed.decision
    if decision is None:
        return []
    return [_assigned_row(placed, decision, each) for each in decision.assignments]


def _assigned_row(placed: Placed, decision: Decision, assignment: Assignment) -> Row:
    cluster = assignment.cluster
    verdict = decision.verdicts.get(cluster)
    was = placed.previous.get(cluster)
    number = _number(placed, was, assignment.replicas)
    role = role_cell(placed, assignment)
    changed = placed.outcome.prior.known and ("->" in number or "->" in role)
    return Row(
        (cluster, number, role),
        "; ".join(filter(None, (held_text(placed, cluster), _why_assigned(assignment, verdict)))),
        mood=Mood.CHANGED if changed else Mood.PLAIN,
    )


def _number(placed: Placed, was: int | None, now: int | None) -> str:
    return was_and_is(was if placed.outcome.prior.known else now, now)


def role_cell(placed: Placed, assignment: Assignment) -> str:
    """The role, where the workload has a name that leads to it at all."""
    cluster = assignment.cluster
    if not any(each.workload == placed.name for each in placed.outcome.plan.endpoints):
        return ""
    role = role_change(placed.prior, cluster, assignment.role)
    return f"{role}, held" if cluster in placed.delivery.held else role


def held_text(placed: Placed, cluster: str) -> str:
    """Why a cluster stands by that would be active; empty where it does not."""
    unfenced = placed.delivery.held.get(cluster)
    return f"active once {are_fenced(unfenced)}" if unfenced else ""


def _why_assigned(assignment: Assignment, verdict: Verdict | None) -> str:
    parts = [scores_text(verdict)] if verdict else []
    if assignment.minimum is not None and assignment.maximum is not None:
        parts.append(f"autoscaled {assignment.minimum} to {assignment.maximum}")
    if assignment.replicas == 0:
        parts.append("selected without replicas")
    if verdict:
        parts.extend(rejection_sentence(each) for each in verdict.rejections)
    return "; ".join(part for part in parts if part)


def _leaving_rows(placed: Placed) -> list[Row]:
    return [_leaving_row(placed, each) for each in placed.delivery.leaving]


def _first_causes(placed: Placed) -> list[Row]:
    """Why something moved: the first causes, and how many more there are."""
    rows = cause_rows(placed)
    if len(rows) <= _CAUSES_SHOWN + 1:
        return rows
    more = f"and {len(rows) - _CAUSES_SHOWN} more: fleet explain {placed.name}"
    return [*rows[:_CAUSES_SHOWN], Row((), more, mood=Mood.QUIET)]


def cause_rows(placed: Placed) -> list[Row]:
    """Which inputs are not what they were, where that moved something."""
    found = placed.since.causes(placed.delivery)
    if found:
        return [
            Row((), f"because {each.sentence}", each.place, mood=Mood.CHANGED) for each in found
        ]
    if placed.decision is None or not placed.prior.inputs:
        return []
    others = placed.since.neighbours(placed.delivery)
    if not others:
        return []
    text = f"because of the room that {', '.join(others)} took or left"
    return [Row((), text, mood=Mood.CHANGED)]


def owed_text(leaving: Leaving) -> str:
    """What stays on a dead cluster; a prior that lists no objects leaves their number open."""
    return counted(len(leaving.objects), "object") if leaving.objects else "what is there"


def _leaving_row(placed: Placed, leaving: Leaving) -> Row:
    verdict = placed.decision.verdicts.get(leaving.cluster) if placed.decision else None
    why = verdict_text(verdict) if verdict else ""
    source = _verdict_source(verdict) if verdict else ""
    if leaving.debt:
        debt = f"debt: {owed_text(leaving)} kept until it returns"
        why = "; ".join(part for part in (debt, why) if part)
    if leaving.waits:
        why = "; ".join(part for part in ("stays until its record is gone", why) if part)
    return Row(
        (leaving.cluster, _number(placed, leaving.replicas, None), ""),
        why or "leaves",
        new_place(why, source),
        Mood.WARNING if leaving.debt else Mood.CHANGED,
    )


def _other_rows(placed: Placed, decision: Decision) -> list[Row]:
    others = _other_verdicts(placed, decision)
    shown = others if len(others) <= _OTHERS_SHOWN + 1 else others[:_OTHERS_SHOWN]
    rows = [verdict_row(placed, each) for each in shown]
    if len(others) > len(shown):
        more = f"and {len(others) - len(shown)} more: fleet explain {placed.name}"
        rows.append(Row((), more, mood=Mood.QUIET))
    return rows


def _other_verdicts(placed: Placed, decision: Decision) -> list[Verdict]:
    """Clusters that it neither is on nor leaves: the nearest miss first, then by name."""
    told = {each.cluster for each in decision.assignments}
    told |= {each.cluster for each in placed.delivery.leaving}
    rest = [verdict for cluster, verdict in decision.verdicts.items() if cluster not in told]
    return sorted(rest, key=nearness)


def verdict_row(placed: Placed, verdict: Verdict) -> Row:
    """A cluster that the workload is not on."""
    was = placed.previous.get(verdict.cluster)
    cells = (verdict.cluster, _number(placed, was, None), "")
    text = verdict_text(verdict)
    return Row(cells, text, new_place(text, _verdict_source(verdict)), Mood.QUIET)


def verdict_text(verdict: Verdict) -> str:
    """Why not here: the first reason, and how many more there are."""
    reasons = [rejection_sentence(each) for each in verdict.rejections]
    first = reasons[0] if reasons else ""
    if len(reasons) > 1:
        first += f" (and {counted(len(reasons) - 1, 'more reason')})"
    if verdict.outcome is Judged.INFEASIBLE:
        return first or "not feasible"
    feasible = f"feasible, {verdict.total}"
    return f"{feasible}; {first}" if first else feasible


def _verdict_source(verdict: Verdict) -> str:
    return spell(next((each.source for each in verdict.rejections), None))
