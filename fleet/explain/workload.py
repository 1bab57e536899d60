"""One workload in full: every cluster, every reason, every part of a score, with its place."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from fleet.explain.change_words import cure_sentence, flip_sentence
from fleet.explain.changes import was_and_is
from fleet.explain.flips import flips
from fleet.explain.layout import Block, Mood, Row, plain_text
from fleet.explain.placement import (
    Placed,
    cause_rows,
    headline,
    held_text,
    new_place,
    owed_text,
    placed_workload,
    role_cell,
    shortfall_text,
    spell,
)
from fleet.explain.sentences import counted, rejection_sentence, score_text
from fleet.model.base import Resources
from fleet.model.change import Change
from fleet.model.decision import Assignment, Decision, Verdict
from fleet.model.decision import Outcome as Judged
from fleet.model.inventory import Cluster
from fleet.model.nowhere import is_nowhere
from fleet.model.plan import Outcome
from fleet.model.quantity import spell_quantity
from fleet.model.workload import Workload


class UnknownNameError(ValueError):
    """Somebody asked for a workload or a cluster that is not there; the text says what is."""


def explain_workload(
    outcome: Outcome, name: str, cluster: str | None = None, width: int = 100
) -> str:
    """Everything about one workload, or about it on one cluster, as plain text.

    **Errors**: UnknownNameError for a name that is not in the run.
    """
    return plain_text(workload_blocks(outcome, name, cluster), width)


def workload_blocks(outcome: Outcome, name: str, cluster: str | None = None) -> list[Block]:
    """The headline, then a block per cluster, in the order of the inventory's names."""
    placed = find_placed(outcome, name)
    decision = placed.decision
    clusters = {each.name: each for each in outcome.snapshot.clusters}
    if cluster is not None and cluster not in clusters:
        raise UnknownNameError(_unknown("cluster", cluster, clusters))
    title = Block(placed.name, headline(placed), _policy_place(placed), tuple(_facts(placed)))
    if decision is None:
        return [title]
    verdicts = _verdicts(decision, cluster)
    changes = flips(outcome, name, list(verdicts.values()))
    names = sorted(clusters) if cluster is None else [cluster]
    return [
        title,
        *(
            _cluster_block(Told(placed, decision, verdicts[each], changes[each]), clusters[each])
            if each in verdicts
            else Block(each, ("no verdict",), spell(clusters[each].origin.start))
            for each in names
        ),
    ]


@dataclass(frozen=True, slots=True)
class Told:
    """A verdict with all that is shown around it; `changes` None: nobody asked."""

    placed: Placed
    decision: Decision
    verdict: Verdict
    changes: tuple[Change, ...] | None

    @property
    def looked(self) -> bool:
        """Whether the run can say what flips a verdict at all."""
        return self.decision.workload in self.placed.outcome.schedule.changes


def _verdicts(decision: Decision, cluster: str | None) -> Mapping[str, Verdict]:
    """All verdicts, or the one that is asked for."""
    if cluster is None:
        return dict(decision.verdicts.items())
    return {cluster: decision.verdicts[cluster]} if cluster in decision.verdicts else {}


def find_placed(outcome: Outcome, name: str) -> Placed:
    """The workload of that name.

    **Errors**: UnknownNameError with the nearest name.
    """
    placed = placed_workload(outcome, name)
    if placed is None:
        known = {each.workload: each for each in outcome.plan.workloads}
        raise UnknownNameError(_unknown("workload", name, known))
    return placed


def _unknown(kind: str, name: str, known: Mapping[str, object]) -> str:
    near = get_close_matches(name, sorted(known), n=1)
    few = ", ".join(sorted(known)[:8])
    hint = f"did you mean '{near[0]}'?" if near else f"known are {few}" * bool(few)
    return f"no {kind} is called '{name}'{f' - {hint}' if hint else ''}"


def _policy_place(placed: Placed) -> str:
    return spell(placed.decision.source if placed.decision else placed.delivery.source)


def _facts(placed: Placed) -> Iterator[Row]:
    workload = placed.workload
    if workload is not None:
        if workload.main is not None:
            asked = _amounts(workload.request) or "nothing"
            text = f"each replica of {workload.main} asks for {asked}"
            yield Row((), text, _main_place(workload), Mood.QUIET)
        if workload.autoscaled is not None:
            bounds = f"{workload.autoscaled.minimum} to {workload.autoscaled.maximum}"
            text = f"{workload.autoscaled.owner} owns the replicas: {bounds}, divided here"
            yield Row((), text, mood=Mood.QUIET)
    yield from _short_rows(placed)
    shifts = placed.since.moved(placed.delivery)
    if shifts:
        told = ", ".join(f"{name} {was_and_is(*shift)}" for name, shift in shifts.items())
        yield Row((), f"since the prior: {told}", mood=Mood.CHANGED)
    yield from cause_rows(placed)
    for each in placed.delivery.leaving:
        if each.debt:
            text = f"debt: {owed_text(each)} on {each.cluster} kept until it returns"
            yield Row((), text, mood=Mood.WARNING)
        else:
            yield Row((), f"leaves {each.cluster}", mood=Mood.CHANGED)


def _short_rows(placed: Placed) -> Iterator[Row]:
    """What fits nowhere, and what would give it a place."""
    decision = placed.decision
    if decision is None or not (decision.shortfall or _is_nowhere(placed)):
        return
    text = f"on no cluster: {shortfall_text(decision)}"
    if decision.shortfall:
        text = f"{decision.shortfall} fit nowhere: {shortfall_text(decision)}"
    source = next((each.source for each in decision.shortfall_reasons), None)
    yield Row((), text, spell(source), Mood.BAD)
    for number, each in enumerate(placed.outcome.schedule.cures.get(placed.name, ())):
        start = "and" if number else ("to place all:" if decision.shortfall else "to place it:")
        yield Row((), f"{start} {cure_sentence(each)}", spell(each.source), Mood.CHANGED)


def _is_nowhere(placed: Placed) -> bool:
    """Whether it has no replicas that could be short, and is on no cluster."""
    decision, workload = placed.decision, placed.workload
    return decision is not None and workload is not None and is_nowhere(decision, workload)


def _main_place(workload: Workload) -> str:
    """Where the object stands whose replicas are placed."""
    places = (each.source for each in workload.manifests if each.key == workload.main)
    return spell(next(places, workload.source))


def _amounts(amounts: Resources) -> str:
    return ", ".join(f"{name} {spell_quantity(name, each)}" for name, each in amounts.items())


def _cluster_block(told: Told, cluster: Cluster) -> Block:
    verdict = told.verdict
    assignment = next((a for a in told.decision.assignments if a.cluster == cluster.name), None)
    held = held_text(told.placed, cluster.name)
    rows = (
        *((Row(("held",), held, mood=Mood.CHANGED),) if held else ()),
        *_reason_rows(verdict),
        *_change_rows(told),
        *_score_rows(verdict),
        *_cluster_rows(told.placed, cluster, verdict),
    )
    return Block(
        cluster.name,
        _verdict_facts(told.placed, verdict, assignment),
        spell(cluster.origin.start),
        rows,
        ("", "", "said by"),
    )


def _verdict_facts(
    placed: Placed, verdict: Verdict, assignment: Assignment | None
) -> tuple[str, ...]:
    words = {
        Judged.ASSIGNED: "assigned",
        Judged.SELECTED: "selected without replicas",
        Judged.FEASIBLE: "feasible, not selected",
        Judged.INFEASIBLE: "not feasible",
    }
    facts = [words[verdict.outcome]]
    was = placed.previous.get(verdict.cluster)
    if placed.outcome.prior.known and (was is not None or assignment is not None):
        facts.append(f"replicas {was_and_is(was, assignment.replicas if assignment else None)}")
    elif assignment is not None:
        facts.append(counted(assignment.replicas, "replica"))
    if assignment is not None:
        facts.append(role_cell(placed, assignment))
        if assignment.minimum is not None and assignment.maximum is not None:
            facts.append(f"autoscaled {assignment.minimum} to {assignment.maximum}")
    return tuple(fact for fact in facts if fact)


def _reason_rows(verdict: Verdict) -> Iterator[Row]:
    word = "barred" if verdict.outcome is Judged.INFEASIBLE else "because"
    for number, each in enumerate(verdict.rejections):
        text = rejection_sentence(each)
        place = new_place(text, spell(each.source))
        yield Row((word if number == 0 else "and",), text, place)


def _change_rows(told: Told) -> Iterator[Row]:
    """What would flip the verdict, all of it together."""
    if told.changes is None:
        name = told.verdict.cluster
        text = f"not looked for: fleet explain {told.placed.name} --cluster {name}"
        yield Row(("change",), text, mood=Mood.QUIET)
    elif told.verdict.rejections and not told.changes and told.looked:
        text = "none is known: all that stands above would have to be different at once"
        yield Row(("change",), text, mood=Mood.QUIET)
    for number, each in enumerate(told.changes or ()):
        place = spell(each.source)
        text = flip_sentence(each, told.verdict.cluster)
        yield Row(("change" if number == 0 else "and",), text, place, Mood.CHANGED)


def _score_rows(verdict: Verdict) -> Iterator[Row]:
    if verdict.scores:
        parts = " + ".join(score_text(each) for each in verdict.scores)
        yield Row(("score",), f"{verdict.total} = {parts}")


def _cluster_rows(placed: Placed, cluster: Cluster, verdict: Verdict) -> Iterator[Row]:
    """What is known of the cluster, as near as the reader needs it to check the verdict."""
    if verdict.room is not None:
        yield Row(("room",), f"for {counted(verdict.room, 'replica')} when it was decided")
    if placed.workload is not None:
        asked = [name for name in placed.workload.request if name in cluster.free]
        free = Resources({name: cluster.free[name] for name in asked})
        if free:
            yield Row(("free",), f"{_amounts(free)}, before any workload", mood=Mood.QUIET)
    state = placed.outcome.snapshot.states.get(cluster.name)
    place = ", ".join(part for part in (cluster.spec.region, cluster.spec.provider) if part)
    said = f", {state.state} says {state.said_by}" if state else ""
    yield Row(("cluster",), f"{place}{said}", mood=Mood.QUIET)
    if cluster.labels:
        labels = ", ".join(f"{key}={value}" for key, value in cluster.labels.items())
        yield Row(("labels",), labels, mood=Mood.QUIET)
