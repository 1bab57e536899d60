"""What a loss does, in words: one block per scenario, then what policies demand, then the sums."""

from collections.abc import Iterable, Iterator, Sequence

from fleet.explain.changes import was_and_is
from fleet.explain.document import Json
from fleet.explain.layout import Block, Mood, Row
from fleet.explain.placement import spell
from fleet.explain.recovery_words import are_fenced
from fleet.explain.sentences import counted, finding_sentence, rejection_sentence
from fleet.model import finding_codes as codes
from fleet.model.decision import Finding
from fleet.model.plan import Outcome
from fleet.model.snapshot import Linked
from fleet.model.survival import KINDS, By, Drill, Loss, Scenario, Survival

HEADINGS = ("workload", "dies", "moves", "does not fit", "verdict", "where", "said by")
_ALL_SHOWN = 30
_NAMED = 5


def survival_blocks(outcome: Outcome, survival: Survival) -> list[Block]:
    """Every scenario, the demands of the policies, and how much is survived."""
    demands = list(_demand_rows(outcome))
    groups = _alike(survival.drills)
    shown = groups if len(groups) <= _ALL_SHOWN else [it for it in groups if _is_bad(it[0])]
    blocks = [_drill_block(each) for each in shown]
    if len(shown) < len(groups):
        more = counted(len(groups) - len(shown), "more scenario")
        blocks.append(Block(f"{more} that everything survives"))
    if demands:
        headings = ("workload", "demand", "verdict", "said by")
        blocks.append(Block("demands of the policies", (), "", tuple(demands), headings))
    return [*blocks, _closing(survival)]


def _is_bad(drill: Drill) -> bool:
    """Whether anything is not survived, or a name is answered by nobody."""
    return bool(drill.dark) or not _all_survive(drill)


def _all_survive(drill: Drill) -> bool:
    return all(each.is_survived for each in drill.losses.values())


def scenario_name(scenario: Scenario) -> str:
    """A domain in words: `region eu-west-1`."""
    return f"{scenario.by} {scenario.domain}" if scenario.domain else "what says no provider"


def verdict_word(loss: Loss) -> str:
    """Whether the workload goes on: all of it, all but its data, a part of it, or nothing."""
    if loss.is_survived:
        return "survives"
    if loss.has_room:
        return "waits"
    return "lost" if not any(loss.after.values()) else "short"


def _alike(drills: Iterable[Drill]) -> list[list[Drill]]:
    """Scenarios with the same consequences together, such as a region of one used cluster."""
    groups: list[list[Drill]] = []
    for each in drills:
        for group in groups:
            first = group[0]
            same = first.losses == each.losses and first.dark == each.dark
            if same and first.failing_over == each.failing_over:
                group.append(each)
                break
        else:
            groups.append([each])
    return groups


def _drill_block(alike: Sequence[Drill]) -> Block:
    drill = alike[0]
    losses = list(drill.losses.values())
    shown = losses if len(losses) <= _ALL_SHOWN else [it for it in losses if not it.is_survived]
    rows = [loss_row(each) for each in shown]
    if len(shown) < len(losses):
        more = counted(len(losses) - len(shown), "more workload")
        rows.append(Row((), f"{more} hit, and all of it has a place", mood=Mood.QUIET))
    rows += [
        Row((), f"{name}: nobody answers until an update", "", Mood.BAD) for name in drill.dark
    ]
    for name in drill.failing_over:
        text = f"{name}: other targets answer by themselves"
        rows.append(Row((), text, mood=Mood.QUIET))
    verb = "dies" if drill.dies == 1 else "die"
    facts = (f"{counted(drill.dies, 'replica')} {verb}",)
    title = " or ".join(scenario_name(each.scenario) for each in alike)
    return Block(f"without {title}", facts, "", tuple(rows), HEADINGS)


def loss_row(loss: Loss) -> Row:
    """What a loss does to one workload, under HEADINGS."""
    source = next((each.source for each in loss.reasons), None)
    mood = Mood.PLAIN if loss.is_survived else Mood.BAD
    were = f"{loss.short_before} -> " if loss.short_before not in {0, loss.shortfall} else ""
    short = f"short {were}{loss.shortfall}" if loss.shortfall else ""
    moves = f"moves {loss.moves}" if loss.moves else ""
    cells = (loss.workload, f"dies {loss.dies}", moves, short, verdict_word(loss))
    return Row(cells, "; ".join(_where(loss)), spell(source), mood)


def _where(loss: Loss) -> Iterator[str]:
    """Where replicas are started, and why others are not."""
    gains = [
        f"{cluster} {was_and_is(loss.before.get(cluster), count)}"
        for cluster, count in loss.after.items()
        if count > loss.before.get(cluster, -1)
    ]
    if gains:
        yield ", ".join(gains)
    yield from (rejection_sentence(each) for each in loss.reasons)
    if loss.fence:
        yield f"its data has no primary until {are_fenced(', '.join(loss.fence))}"


def _demand_rows(outcome: Outcome) -> Iterator[Row]:
    unmet = _unmet(outcome)
    for linked in _demanding(outcome):
        name, place = linked.workload.name, linked.placement.origin.at("spec", "survive")
        found = unmet.get(name)
        text = finding_sentence(found) if found else "holds"
        mood = Mood.BAD if found else Mood.PLAIN
        yield Row((name, f"survive: {linked.placement.spec.survive}"), text, spell(place), mood)


def _demanding(outcome: Outcome) -> list[Linked]:
    return [each for each in outcome.snapshot.linked if each.placement.spec.survive is not None]


def _unmet(outcome: Outcome) -> dict[str, Finding]:
    """The demands that do not hold, by workload."""
    found = (each for each in outcome.plan.findings if each.code == codes.NOT_SURVIVED)
    return {str(each.values["workload"]): each for each in found}


def demands_hold(outcome: Outcome) -> bool:
    """Whether everything that policies demand would be survived."""
    return not _unmet(outcome)


def _closing(survival: Survival) -> Block:
    rows = [row for by in KINDS for row in _sum_rows(survival, by)]
    return Block("one loss at a time", (), "", tuple(rows), ("what", "survived", "not survived"))


def _sum_rows(survival: Survival, by: By) -> Iterator[Row]:
    drills = [each for each in survival.drills if each.scenario.by == by]
    quiet = [each.domain or scenario_name(each) for each in survival.quiet if each.by == by]
    failing = [each for each in drills if not _all_survive(each)]
    good = len(drills) - len(failing)
    text = "; ".join(_named(each) for each in failing)
    mood = Mood.WARNING if failing else Mood.PLAIN
    if drills:
        of = f"{good} of {counted(len(drills), by)} survived"
        yield Row((of,), f"not {text}" if text else "", mood=mood)
    if quiet:
        yield Row(("",), f"nothing runs on {few(quiet)}", mood=Mood.QUIET)


def _named(drill: Drill) -> str:
    hit = [name for name, loss in drill.losses.items() if not loss.is_survived]
    return f"{drill.scenario.domain or scenario_name(drill.scenario)} ({few(hit)})"


def few(names: Sequence[str], comma: str = ", ") -> str:
    """A handful of names, and how many more there are."""
    more = len(names) - _NAMED
    listed = comma.join(names[:_NAMED] if more > 1 else names)
    return f"{listed} and {more} more" if more > 1 else listed


def survival_document(outcome: Outcome, survival: Survival) -> Json:
    """All scenarios and demands as plain values."""
    unmet = _unmet(outcome)
    return {
        "digest": outcome.plan.digest,
        "scenarios": [_drill_document(each) for each in survival.drills],
        "quiet": [_scenario_document(each) for each in survival.quiet],
        "demands": {
            each.workload.name: {
                "survive": each.placement.spec.survive,
                "holds": each.workload.name not in unmet,
                "source": spell(each.placement.origin.at("spec", "survive")),
            }
            for each in _demanding(outcome)
        },
    }


def _scenario_document(scenario: Scenario) -> Json:
    return {"by": scenario.by, "domain": scenario.domain, "clusters": list(scenario.clusters)}


def _drill_document(drill: Drill) -> Json:
    return {
        **_scenario_document(drill.scenario),
        "dies": drill.dies,
        "dark": list(drill.dark),
        "failingOver": list(drill.failing_over),
        "workloads": {name: loss_document(each) for name, each in drill.losses.items()},
    }


def loss_document(loss: Loss) -> Json:
    """One workload's loss as plain values."""
    return {
        "before": dict(loss.before),
        "after": dict(loss.after),
        "dies": loss.dies,
        "moves": loss.moves,
        "shortfall": loss.shortfall,
        "shortBefore": loss.short_before,
        "verdict": verdict_word(loss),
        "reasons": [rejection_sentence(each) for each in loss.reasons],
    } | ({"fence": list(loss.fence)} if loss.fence else {})
