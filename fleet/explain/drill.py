"""A drill in words: for every emergency the losses, the timeline, the answers and the checklist."""

from collections.abc import Iterable, Iterator, Sequence

from fleet.explain.drill_words import (
    answers_text,
    assumed_texts,
    check_sentence,
    emergency_name,
    felt_text,
    landing_text,
    steps_text,
    way_text,
)
from fleet.explain.layout import Block, Mood, Row
from fleet.explain.placement import spell
from fleet.explain.sentences import counted
from fleet.explain.survival import HEADINGS, few, loss_row
from fleet.model.exercise import (
    ALL_KINDS,
    Check,
    Emergency,
    Exercise,
    Exercises,
    Item,
    Kind,
    NameExercise,
    Result,
)
from fleet.model.outage import Answers

_ALL_SHOWN = 30
_MOODS = {Result.PASS: Mood.PLAIN, Result.FAIL: Mood.BAD, Result.UNKNOWN: Mood.QUIET}


def drill_blocks(drill: Exercises) -> list[Block]:
    """Every emergency, then the checklist over all of them, and what was assumed."""
    groups = _alike(drill.played)
    shown = groups
    if len(groups) > _ALL_SHOWN:
        shown = [each for each in groups if each[0].failed][:_ALL_SHOWN]
    blocks = [block for each in shown for block in _blocks(each)]
    if len(shown) < len(groups):
        blocks.append(_left_out(groups, len(shown)))
    assumed = tuple(Row((), each, mood=Mood.QUIET) for each in assumed_texts(drill))
    return [*blocks, _closing(drill), Block("assumed", (), "", assumed)]


def _left_out(groups: Sequence[Sequence[Exercise]], shown: int) -> Block:
    failing = sum(1 for each in groups if each[0].failed) - min(shown, len(groups))
    fails = f", {failing} of them with checks that fail" if failing > 0 else ", and all passes"
    more = counted(len(groups) - shown, "more emergency").replace("emergencys", "emergencies")
    return Block(f"{more}{fails}", ("--scenario shows one, --output json all",))


def _alike(exercises: Iterable[Exercise]) -> list[list[Exercise]]:
    """Emergencies with the same consequences together, such as a region of one used cluster."""
    groups: dict[int, list[list[Exercise]]] = {}
    order: list[list[Exercise]] = []
    for each in exercises:
        same = groups.setdefault(hash((each.losses, each.names, each.refused)), [])
        for group in same:
            if _consequences(group[0]) == _consequences(each):
                group.append(each)
                break
        else:
            same.append([each])
            order.append(same[-1])
    return order


def _consequences(each: Exercise) -> tuple[object, ...]:
    return (each.losses, each.starts, each.names, each.checks, each.refused)


def _blocks(alike: Sequence[Exercise]) -> Iterator[Block]:
    exercise = alike[0]
    title = f"without {' or '.join(emergency_name(each.emergency) for each in alike)}"
    if exercise.emergency.kind is Kind.ROUTE53:
        yield _without_api(title, exercise)
        return
    verb = "dies" if exercise.dies == 1 else "die"
    rows = [loss_row(each) for each in exercise.losses.values()]
    rows += [
        Row((), f"the update that declares it is not made: {each}", mood=Mood.BAD)
        for each in exercise.refused
    ]
    facts = (f"{counted(exercise.dies, 'replica')} {verb}", _tally(exercise.checks))
    yield Block(title, facts, "", tuple(rows), HEADINGS)
    for name, headings, found in (
        ("timeline", ("what", "total", "how", "steps in seconds"), _timeline_rows(exercise)),
        ("answers", ("name", "when", "who"), _answer_rows(exercise)),
        ("checklist", ("what", "result", "items", "said by"), _check_rows(exercise.checks)),
    ):
        listed = tuple(found)
        if listed:
            yield Block(f"{name} {title}", (), "", listed, headings)


def _tally(checks: Sequence[Check]) -> str:
    counts = [(each, sum(1 for it in checks if it.result is each)) for each in Result]
    return ", ".join(f"{count} {each}" for each, count in counts if count)


def _without_api(title: str, exercise: Exercise) -> Block:
    rows = [
        Row((each.subject, each.result), check_sentence(each), _place(each), _MOODS[each.result])
        for each in exercise.checks
    ]
    text = "a switch, a drain and a new record wait until it is back; capacity is raised before"
    note = Row((), text, mood=Mood.QUIET)
    facts = ("names are answered and checks act as before",)
    return Block(title, facts, "", (*rows, note), ("name", "result", "why", "said by"))


def _timeline_rows(exercise: Exercise) -> Iterator[Row]:
    limits = {each.subject: each for each in exercise.checks if each.item is Item.RTO}
    for each in exercise.names:
        if each.hit:
            yield _name_row(each, limits[each.dns_name])
    for workload, start in exercise.starts.items():
        if exercise.losses[workload].moves:
            cells = (workload, f"{start.total} s", "after the alarm")
            part = "" if start.ends else "; the rest has no place"
            mood = Mood.PLAIN if start.ends else Mood.WARNING
            yield Row(cells, f"{steps_text(start)}{part}", mood=mood)


def _name_row(name: NameExercise, target: Check) -> Row:
    limit = target.values["limit"]
    if not name.timeline.ends:
        text = "no update of these files brings an answer"
        return Row((name.dns_name, f"- of {limit} s", "never"), text, mood=Mood.BAD)
    cells = (name.dns_name, f"{name.timeline.total} s of {limit} s", way_text(name.timeline))
    mood = _MOODS[target.result]
    return Row(cells, steps_text(name.timeline), mood=mood)


def _answer_rows(exercise: Exercise) -> Iterator[Row]:
    for each in exercise.names:
        if each.hit:
            yield from _stages(each, exercise.emergency.clusters)


def _stages(name: NameExercise, dead: Sequence[str]) -> Iterator[Row]:
    """Who is answered, stage by stage; a stage that changes nothing is left out after the loss."""
    some = f"; {landing_text(name)}" if name.wanted else ""
    today = f"{answers_text(name.today)}; {felt_text(name, dead)}"
    yield Row((name.dns_name, "today"), today)
    mood = Mood.BAD if name.at_once.nowhere else Mood.PLAIN
    yield Row(("", "at once"), f"{answers_text(name.at_once)}{some}", mood=mood)
    before = name.at_once
    stages: tuple[tuple[str, Answers], ...] = (
        ("after the update", name.afterwards),
        ("alive again", name.revived),
        ("after going back", name.returned),
    )
    for when, answers in stages:
        if answers != before:
            mood = Mood.BAD if answers.nowhere else Mood.PLAIN
            yield Row(("", when), answers_text(answers), mood=mood)
        before = answers


def _check_rows(checks: Sequence[Check]) -> Iterator[Row]:
    """What failed with its sentence; what passed by its items; subjects that only pass at once."""
    subjects: dict[str, list[Check]] = {}
    for each in checks:
        subjects.setdefault(each.subject, []).append(each)
    fine: dict[tuple[Item, ...], list[str]] = {}
    for subject, its in subjects.items():
        if all(each.result is Result.PASS for each in its):
            fine.setdefault(tuple(each.item for each in its), []).append(subject)
        else:
            yield from _subject_rows(subject, its)
    for items, names in fine.items():
        all_of = counted(len(names), "workload") if len(names) > 1 else names[0]
        listed = f" ({few(names)})" if len(names) > 1 else ""
        yield Row((all_of, Result.PASS), f"{', '.join(items)}{listed}")


def _subject_rows(subject: str, checks: Sequence[Check]) -> Iterator[Row]:
    shown = subject
    for each in checks:
        if each.result is Result.FAIL:
            text = f"{each.item}: {check_sentence(each)}"
            yield Row((shown, each.result), text, _place(each), Mood.BAD)
            shown = ""
    for result in (Result.PASS, Result.UNKNOWN):
        items = [each.item for each in checks if each.result is result]
        if items:
            yield Row((shown, result), ", ".join(items), mood=_MOODS[result])
            shown = ""


def _place(check: Check) -> str:
    return spell(check.source) if check.result is Result.FAIL else ""


def _closing(drill: Exercises) -> Block:
    rows = [row for item in Item for row in _item_rows(drill, item)]
    rows += [row for kind in ALL_KINDS for row in _quiet_rows(drill.quiet, kind)]
    facts = (counted(len(drill.played), "scenario"),)
    return Block("checklist of the drill", facts, "", tuple(rows), ("item", "result", ""))


def _item_rows(drill: Exercises, item: Item) -> Iterator[Row]:
    checks = [each for one in drill.played for each in one.checks if each.item is item]
    counts = [each for each in checks if each.result is not Result.UNKNOWN]
    if not checks:
        return
    if not counts:
        text = check_sentence(checks[0])
        yield Row((item, Result.UNKNOWN, ""), text, mood=Mood.QUIET)
        return
    good = sum(1 for each in counts if each.result is Result.PASS)
    failing: dict[str, None] = {}
    for one in drill.played:
        hit = [each.subject for each in one.failed if each.item is item]
        if hit:
            failing[f"{emergency_name(one.emergency)} ({few(hit)})"] = None
    text = f"without {few(list(failing), '; ')}" if failing else ""
    result = Result.FAIL if failing else Result.PASS
    mood = Mood.WARNING if failing else Mood.PLAIN
    yield Row((item, result, f"{good} of {len(counts)}"), text, mood=mood)


def _quiet_rows(quiet: Sequence[Emergency], kind: Kind) -> Iterator[Row]:
    names = [each.domain or "(none said)" for each in quiet if each.kind is kind]
    if names:
        words = {Kind.HALF_REGION: "half of region"}.get(kind, str(kind))
        yield Row(("", "quiet"), f"nothing runs on {words} {few(names)}", mood=Mood.QUIET)
