"""Findings as blocks: what blocks first, with the command that consents."""

from collections.abc import Iterable

from fleet.explain.layout import Block, Mood, Row
from fleet.explain.placement import spell
from fleet.explain.sentences import counted, finding_sentence
from fleet.model import finding_codes as codes
from fleet.model.decision import Finding
from fleet.model.plan import Outcome


def all_findings(outcome: Outcome) -> list[Finding]:
    """Every finding of the run once, those that block first."""
    together = (*outcome.snapshot.findings, *outcome.schedule.findings, *outcome.plan.findings)
    return sorted(dict.fromkeys(together), key=_order)


def _order(finding: Finding) -> tuple[bool, bool, str, str, str]:
    return (
        not finding.blocks,
        not is_undone(finding),
        finding.code,
        finding_sentence(finding),
        spell(finding.source),
    )


def blocking(outcome: Outcome) -> list[Finding]:
    """What up refuses, whether it was approved or not."""
    return [each for each in all_findings(outcome) if each.blocks]


def is_undone(finding: Finding) -> bool:
    """Whether up leaves undone what it tells, and fails for it."""
    return finding.code == codes.FENCE_FIRST


def refused_steps(outcome: Outcome) -> list[Finding]:
    """What up leaves undone and fails for, although it does everything else."""
    return [each for each in all_findings(outcome) if is_undone(each)]


def approved(outcome: Outcome) -> bool:
    """Whether the consent that was given is for this plan."""
    return outcome.settings.approve == outcome.plan.digest


def approve_command(outcome: Outcome) -> str:
    """The command that consents to this plan and no other."""
    return f"pulumi config set approve {outcome.plan.digest}"


def findings_blocks(outcome: Outcome) -> list[Block]:
    """What there is to tell, as blocks; nothing where all is quiet."""
    blocks = []
    found = all_findings(outcome)
    bars = [each for each in found if each.blocks]
    undone = [each for each in found if is_undone(each)]
    notes = [each for each in found if not (each.blocks or is_undone(each))]
    if bars:
        mood = Mood.WARNING if approved(outcome) else Mood.BAD
        word = "approved" if approved(outcome) else "'pulumi up' refuses it without consent"
        title = f"{word}: {counted(len(bars), 'finding')}"
        rows = (*_rows(bars, mood), *_consent(outcome))
        blocks.append(Block(title, (), "", rows, ("finding", "said by")))
    if undone:
        title = f"'pulumi up' leaves this undone and fails: {counted(len(undone), 'finding')}"
        rows = tuple(_rows(undone, Mood.BAD))
        blocks.append(Block(title, (), "", rows, ("finding", "said by")))
    if notes:
        rows = tuple(_rows(notes, Mood.PLAIN))
        blocks.append(Block(counted(len(notes), "finding"), (), "", rows, ("finding", "said by")))
    return blocks


def _rows(findings: Iterable[Finding], mood: Mood) -> list[Row]:
    return [Row((), finding_sentence(each), spell(each.source), mood) for each in findings]


def _consent(outcome: Outcome) -> list[Row]:
    """How to consent, and why the consent that was given does not count."""
    if approved(outcome):
        return []
    given = outcome.settings.approve
    stale = [Row((), f"approve is '{given}', which is another plan", mood=Mood.BAD)] * bool(given)
    command = Row((), "to consent to this plan:", approve_command(outcome), Mood.BAD)
    return [*stale, command]
