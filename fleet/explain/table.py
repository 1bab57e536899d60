"""The run at a glance: for a terminal, a CI log and one line per workload of the engine's log."""

from fleet.explain.changes import (
    endpoint_changes,
    given_up,
    has_changes,
    unknown_standing,
    was_and_is,
)
from fleet.explain.findings import findings_blocks
from fleet.explain.layout import Block, Mood, Row, plain_text
from fleet.explain.names import name_blocks
from fleet.explain.placement import (
    Placed,
    headline,
    placed_workload,
    placed_workloads,
    role_cell,
    summary_block,
)
from fleet.explain.sentences import counted
from fleet.model.plan import Outcome

_ALL_SHOWN = 30


def summary_table(outcome: Outcome, width: int = 100) -> str:
    """The whole run as plain text of at most `width` columns."""
    return plain_text(summary_blocks(outcome), width)


def summary_blocks(outcome: Outcome) -> list[Block]:
    """The whole run: workloads, public names, findings, and what it amounts to."""
    return [
        *_workload_blocks(outcome),
        *name_blocks(outcome),
        *findings_blocks(outcome),
        closing_block(outcome),
    ]


def _workload_blocks(outcome: Outcome) -> list[Block]:
    """Every workload; of very many, those that change, and only the clusters that they are on."""
    workloads = placed_workloads(outcome)
    if len(workloads) <= _ALL_SHOWN:
        return [summary_block(each) for each in workloads]
    changing = [each for each in workloads if each.changes]
    quiet = len(workloads) - len(changing)
    blocks = [summary_block(each, brief=True) for each in changing]
    if quiet:
        blocks.append(Block(f"{counted(quiet, 'workload')} without a change"))
    return blocks


def closing_block(outcome: Outcome) -> Block:
    """What the run amounts to, and the digest that consent is tied to."""
    plan = outcome.plan
    facts = [f"plan {plan.digest}", change_text(outcome)]
    if outcome.settings.now:
        facts.append(f"now {outcome.settings.now}")
    rows: tuple[Row, ...] = ()
    if not outcome.prior.known:
        text = "no prior: what runs today is not known, so everything counts as new"
        rows = (Row((), text, mood=Mood.QUIET),)
    elif unknown := unknown_standing(outcome):
        text = (
            "the prior does not say what the records of these names were (addresses, ttl, checks),"
            f" so no change of those is seen: {', '.join(unknown)}"
        )
        rows = (Row((), text, mood=Mood.QUIET),)
    return Block(facts[0], tuple(facts[1:]), "", rows)


def change_text(outcome: Outcome) -> str:
    """How many workloads and names an update would change."""
    if not has_changes(outcome):
        unknown = unknown_standing(outcome)
        return "no change that the prior can tell" if unknown else "no change"
    workloads = sum(each.changes for each in placed_workloads(outcome)) + len(given_up(outcome))
    names = sum(endpoint_changes(outcome, each) for each in outcome.plan.endpoints)
    parts = [counted(workloads, "workload")] * bool(workloads)
    parts += [counted(names, "name")] * bool(names)
    verb = "changes" if workloads + names == 1 else "change"
    return f"{' and '.join(parts)} {verb}"


def workload_line(outcome: Outcome, name: str) -> str:
    """One workload in one line: `web  6 of 6 replicas: eu-1 1 -> 4, us-1 2`."""
    placed = placed_workload(outcome, name)
    if placed is None:
        return f"{name}  not in the plan"
    where = ", ".join(_clusters(placed))
    return f"{name}  {'; '.join(headline(placed))}{': ' if where else ''}{where}"


def _clusters(placed: Placed) -> list[str]:
    known = placed.outcome.prior.known
    assignments = placed.decision.assignments if placed.decision else ()
    words = []
    for each in assignments:
        now = each.replicas
        number = was_and_is(placed.previous.get(each.cluster) if known else now, now)
        role = role_cell(placed, each)
        words.append(f"{each.cluster} {number}{f' {role}' if role else ''}")
    gone = [each for each in placed.delivery.leaving if not each.debt]
    return words + [f"{each.cluster} {was_and_is(each.replicas, None)}" for each in gone]
