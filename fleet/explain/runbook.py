"""The runbook of a fleet: for every name and each region that answers, what to do when it is lost.

It is made of a drill's exercises, so that it says what the plan would do, with the names filled
in. It goes into Markdown as it is: a person reads it when the region is gone.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from fleet.explain.drill_words import answers_text, emergency_key, way_text
from fleet.explain.runbook_case import Case
from fleet.explain.runbook_steps import STEPS
from fleet.explain.sentences import counted, verb
from fleet.explain.shell import fenced, line
from fleet.model.exercise import Emergency, Exercise, Kind, NameExercise
from fleet.model.plan import Outcome
from fleet.model.traffic import TrafficPolicy


@dataclass(frozen=True, slots=True)
class Runbook:
    """What a runbook is made of.

    **Shape**: `exercises` the losses of regions; `commands` what this `fleet` can do; `names` the
    ones that were asked for, all where empty; `stack` the one that was named.
    """

    outcome: Outcome = field(repr=False)
    exercises: Sequence[Exercise]
    commands: frozenset[str]
    names: frozenset[str] = frozenset()
    stack: str | None = None


def runbook_text(book: Runbook) -> str:
    """The whole runbook as Markdown."""
    cases = list(_cases(book))
    parts = [*_opening(book, cases)]
    for case in cases:
        parts += _case(case)
    return "\n\n".join(parts) + "\n"


def asked_regions(emergencies: Sequence[Emergency], regions: frozenset[str]) -> list[Emergency]:
    """The losses of these regions, of all where none is said."""
    found = [each for each in emergencies if each.kind is Kind.REGION]
    return [each for each in found if not regions or each.domain in regions]


def _cases(book: Runbook) -> Iterator[Case]:
    """By name, then by region: every loss that takes answers away."""
    policies = {each.name: each for it in book.outcome.snapshot.linked for each in it.traffic}
    found = [
        (name, each)
        for each in book.exercises
        for name in each.names
        if name.hit and (not book.names or name.dns_name in book.names)
    ]
    found.sort(key=lambda it: (it[0].dns_name, it[0].policy, it[1].emergency.domain))
    for name, exercise in found:
        yield _made(book, policies, name, exercise)


def _made(
    book: Runbook, policies: Mapping[str, TrafficPolicy], name: NameExercise, exercise: Exercise
) -> Case:
    return Case(book.outcome, policies[name.policy], name, exercise, book.commands)


def _opening(book: Runbook, cases: Sequence[Case]) -> Iterator[str]:
    yield "# Runbook: a region is lost"
    yield (
        f"Made by `fleet runbook` from the files, plan `{book.outcome.plan.digest}`. Make it anew"
        " when they change, and keep a copy where a lost region does not take it along."
    )
    if not cases:
        yield _nothing_to_switch(book)
        return
    listed = [f"- [{_title(each)}](#{_anchor(_title(each))})" for each in cases]
    yield "\n".join(listed)
    stack = [line("pulumi", "stack", "select", book.stack)] if book.stack else []
    yield "Every command runs in the project's folder, on the stack of this fleet:"
    prior = "pulumi stack output placements --json > prior.json"
    glass = [
        line("pulumi", "stack", "export", "--file", "state.json"),
        line("fleet", "break-glass", "--state", "state.json"),
    ]
    before = glass if "break-glass" in book.commands else []
    yield fenced([*stack, line("pulumi", "stack"), prior, *before])


def _nothing_to_switch(book: Runbook) -> str:
    """That none of the names that were asked for is answered by what is lost."""
    lost = [each.emergency.domain for each in book.exercises]
    there = " or ".join(lost) or "what can be lost"
    one = len(lost) == 1
    its, standby = ("its loss", "there") if one else ("their loss", "in one of them")
    if not book.names:
        return (
            f"No public name is answered by {there} today, so {its} switches nothing. A standby"
            f" {standby} is missing until it is back."
        )
    names = ", ".join(sorted(book.names))
    are, it = verb(len(book.names)), verb(len(book.names), "it", "them")
    return (
        f"{names} {are} not answered by {there} today, so {its} switches nothing for {it}. A"
        f" standby {standby} is missing until it is back."
    )


def _title(case: Case) -> str:
    return f"{case.name.dns_name}: {case.region} is lost"


def _anchor(title: str) -> str:
    """A heading as GitHub spells it in a link."""
    kept = "".join(sign for sign in title.lower() if sign.isalnum() or sign in "-_ ")
    return kept.replace(" ", "-")


def _case(case: Case) -> Iterator[str]:
    name, exercise = case.name, case.exercise
    yield f"## {_title(case)}"
    line_ = name.timeline
    back = f"answered again after {line_.total} s, {way_text(line_)}"
    back = back if line_.ends else "never answered again"
    dies = f"{counted(exercise.dies, 'replica')} of all workloads {verb(exercise.dies)} gone"
    played = line("fleet", "drill", "--scenario", emergency_key(exercise.emergency))
    yield (
        f"`{name.dns_name}` leads to `{name.workload}`. Today: {answers_text(name.today)}. Without"
        f" {case.region}: {back}; {dies} (`{played}`)."
    )
    for number, (title, step) in enumerate(STEPS.items(), 1):
        sentences, commands = step(case)
        yield f"### {number}. {title}"
        yield "\n".join(f"- {each}" for each in sentences)
        if commands:
            yield fenced(commands)
