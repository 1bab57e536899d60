"""The difference of two plans in words, as blocks."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from fleet.explain.changes import was_and_is
from fleet.explain.difference import (
    COST,
    NameDifference,
    WhatIf,
    WorkloadDifference,
    costs,
    finding_differences,
    held_by,
    moves,
    name_differences,
    workload_differences,
)
from fleet.explain.layout import Block, Mood, Row
from fleet.explain.names import held_facts
from fleet.explain.placement import new_place, shortfall_text, spell, verdict_text
from fleet.explain.recovery_words import are_fenced
from fleet.explain.sentences import (
    counted,
    finding_sentence,
    rejection_sentence,
    scores_text,
)
from fleet.explain.survival import scenario_name
from fleet.explain.survival_difference import SurvivalDifference, survival_differences
from fleet.model import finding_codes as codes
from fleet.model.decision import Finding

_PERCENT = 100
_WORKLOAD_HEADINGS = ("cluster", "replicas", "role", "why", "said by")
_NAME_HEADINGS = ("cluster", "dns weight", "share")


def what_if_blocks(question: WhatIf) -> list[Block]:
    """What was asked, everything that differs, and what it amounts to."""
    workloads, names = workload_differences(question), name_differences(question)
    survival = _survival_block(question)
    notes = [Row((), text, mood=Mood.WARNING) for text in note_texts(question)]
    findings = _finding_blocks(question)
    return [
        Block("what if", question.asked),
        *(_workload_block(question, each) for each in workloads),
        *(_name_block(question, each) for each in names),
        *([survival] if survival.rows else []),
        *findings,
        *([Block("notes", (), "", tuple(notes))] if notes else []),
        Block(_amounts_to(question), ("nothing was written",)),
    ]


def differs(question: WhatIf) -> bool:
    """Whether anything is different at all."""
    return bool(
        workload_differences(question)
        or name_differences(question)
        or survival_differences(question)
        or any(finding_differences(question))
    )


def _amounts_to(question: WhatIf) -> str:
    workloads, names = workload_differences(question), name_differences(question)
    if not workloads and not names:
        return "nothing moves" if differs(question) else "nothing differs"
    parts = [counted(len(workloads), "workload")] * bool(workloads)
    parts += [counted(len(names), "name")] * bool(names)
    verb = "differs" if len(workloads) + len(names) == 1 else "differ"
    return f"{' and '.join(parts)} {verb}"


def _workload_block(question: WhatIf, each: WorkloadDifference) -> Block:
    rows = [
        row
        for name, (had, has) in each.counts.items()
        if (row := _cluster_row(question, each, name, (had, has))) is not None
    ]
    decision = each.after or each.before
    source = spell(decision.source) if decision else ""
    return Block(each.name, tuple(_facts(each)), source, tuple(rows), _WORKLOAD_HEADINGS)


def _facts(each: WorkloadDifference) -> Iterator[str]:
    if each.after is None:
        yield "is in no file any more"
        return
    placed = sum(each.after.replicas.values())
    yield f"{placed} of {counted(placed + each.after.shortfall, 'replica')}"
    had, has = each.shortfalls
    if has != had:
        yield f"short {had} -> {has}" + (f": {shortfall_text(each.after)}" if has else "")
    found, more = moves(each.counts)
    if found:
        told = (f"{move.replicas} {move.source} -> {move.target}" for move in found)
        yield f"moves {', '.join(told)}"
    if more:
        yield f"{abs(more)} {'more' if more > 0 else 'fewer'} in all"


def _cluster_row(
    question: WhatIf,
    each: WorkloadDifference,
    cluster: str,
    counts: tuple[int | None, int | None],
) -> Row | None:
    had, has = counts
    was, role = each.roles[cluster]
    changed = each.objects.get(cluster, ())
    if had == has and was == role and not changed:
        return None
    named = any(one.workload == each.name for one in question.then.plan.endpoints)
    roles = (role if was == role or not was else f"{was} -> {role or '-'}") if named else ""
    text, source = why(question, each, cluster)
    if changed:
        text = f"changes {', '.join(changed)}"
    return Row((cluster, was_and_is(had, has), roles), text, source, Mood.CHANGED)


def why(question: WhatIf, each: WorkloadDifference, cluster: str) -> tuple[str, str]:
    """Why a workload is there now, or is not any more, and the place that says so."""
    if each.after is None:
        return "", ""
    if cluster not in question.then.snapshot.states:
        return "is gone from the inventory", ""
    verdict = each.after.verdicts.get(cluster)
    if verdict is None:
        return "", ""
    if cluster in each.after.replicas:
        return scores_text(verdict), ""
    text = verdict_text(verdict)
    return text, new_place(text, spell(next((it.source for it in verdict.rejections), None)))


def _name_block(question: WhatIf, each: NameDifference) -> Block:
    facts = []
    was, now = each.regions
    held = held_facts(question.then, each.endpoint)
    if was != now and held:
        facts += [f"active region {was or '-'} would be {now or '-'}", *held]
    elif was != now:
        active = question.then.schedule.active.get(each.endpoint.policy)
        said = f" ({active.said_by})" if active and active.region == now else ""
        facts.append(f"active region {was or '-'} -> {now or '-'}{said}")
    rows = []
    for cluster in sorted({*each.before, *each.after}):
        had, has = each.before.get(cluster), each.after.get(cluster)
        shares = (share(each.before, cluster), share(each.after, cluster))
        if had != has or shares[0] != shares[1]:
            asked = each.endpoint.answers_by_asker
            part = "" if asked else f"share {_percents(*shares)}"
            cells = (cluster, f"weight {was_and_is(had, has)}", part)
            rows.append(Row(cells, mood=Mood.CHANGED))
    for name, (led, leads) in each.turned.items():
        alias = name.removeprefix(f"{each.endpoint.policy}/")
        rows.append(Row((alias, "", ""), f"{led or '-'} -> {leads or '-'}", mood=Mood.CHANGED))
    source = spell(each.endpoint.source)
    return Block(each.dns_name, tuple(facts), source, tuple(rows), _NAME_HEADINGS)


def share(weights: Mapping[str, int], cluster: str) -> int:
    """The percent of answers that lead to a cluster, rounded.

    >>> share({"a": 2, "b": 1}, "a"), share({"a": 0, "b": 0}, "a"), share({}, "a")
    (67, 50, 0)
    """
    total = sum(weights.values())
    if cluster not in weights:
        return 0
    exact = Fraction(weights[cluster], total) if total else Fraction(1, len(weights))
    return int(exact * _PERCENT + Fraction(1, 2))


def _percents(was: int, now: int) -> str:
    return f"{now}%" if was == now else f"{was}% -> {now}%"


def _survival_block(question: WhatIf) -> Block:
    together: dict[tuple[str, str, Mood], list[str]] = {}
    for each in survival_differences(question):
        text, mood = survival_text(each)
        key = (each.workload, text, mood)
        together.setdefault(key, []).append(scenario_name(each.scenario))
    rows = tuple(
        Row((workload, ", ".join(domains)), text, mood=mood)
        for (workload, text, mood), domains in sorted(together.items())
    )
    return Block("survivability", (), "", rows, ("workload", "the loss of", "is"))


def survival_text(each: SurvivalDifference) -> tuple[str, Mood]:
    """What becomes of a loss for a workload, and how bad that is."""
    had, has = each.shortfalls
    if each.is_survived and each.was_survived:
        waits = ", ".join(each.fences[1])
        if waits:
            return f"waits now until somebody says that {are_fenced(waits)}", Mood.WARNING
        return "waits for no fence any more", Mood.CHANGED
    if each.is_survived:
        return f"is survived now{f' (short {had} before)' if had else ''}", Mood.CHANGED
    reasons = "; ".join(rejection_sentence(it) for it in each.after.reasons) if each.after else ""
    tail = f": {reasons}" if reasons else ""
    if each.was_survived:
        return f"is not survived any more{f', short {has}' if has else ''}{tail}", Mood.BAD
    return f"short {had} -> {has}{tail}", Mood.WARNING


def _finding_blocks(question: WhatIf) -> Iterator[Block]:
    """Findings; that objects are deleted where a workload leaves is only counted."""
    appear, vanish = finding_differences(question)
    for found, verbs in ((appear, ("appears", "appear")), (vanish, ("vanishes", "vanish"))):
        if found:
            title = f"{counted(len(found), 'finding')} {verbs[len(found) > 1]}"
            rows = [_finding_row(each) for each in found if each.code != codes.DELETE]
            deletes = len(found) - len(rows)
            if deletes:
                text = f"and {deletes} about objects that go where a workload leaves: --output json"
                rows.append(Row((), text, mood=Mood.QUIET))
            yield Block(title, (), "", tuple(rows), ("finding", "said by"))


def _finding_row(finding: Finding) -> Row:
    text, mood = finding_sentence(finding), Mood.PLAIN
    if finding.blocks:
        door = "preview" if finding.code == codes.NOT_SURVIVED else "up"
        text, mood = f"{text} ('pulumi {door}' refuses it)", Mood.BAD
    return Row((), text, spell(finding.source), mood)


def note_texts(question: WhatIf) -> Iterator[str]:
    """What else is to be known of the answer."""
    for cluster, names in held_by(question):
        yield (
            f"an update refuses that '{cluster}' leaves the inventory while it holds"
            f" {', '.join(names)}: drain it first, or decommission it if it is lost"
        )
    before, after = costs(question.written), costs(question.then)
    if before.amount != after.amount:
        text = f"{COST} times requested cores: {amount(before.amount)} -> {amount(after.amount)}"
        if after.uncounted:
            left = counted(after.uncounted, "replica")
            text += f", without {left} on clusters that do not say it"
        yield text


def amount(value: Fraction) -> str:
    """A sum of money, to four places at most.

    >>> amount(Fraction(5, 4)), amount(Fraction(1, 3)), amount(Fraction(2))
    ('1.25', '0.3333', '2')
    """
    rounded = f"{int(value * 10_000 + Fraction(1, 2)):05d}"
    text = f"{rounded[:-4]}.{rounded[-4:]}"
    return text.rstrip("0").rstrip(".")
