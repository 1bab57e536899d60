"""How KubeFleet carries a placement out, as far as fleet does that in another way."""

from collections.abc import Iterable

from fleet.load.importers.reading import Foreign, Part

_ALL_AT_ONCE = "rolls out over the clusters in steps; an update of fleet takes all clusters"
_BUDGET = "movementBudget bounds what one update moves"


def note_no_choice(each: Foreign, part: Part, names: Iterable[str], why: str) -> None:
    """Tells the fields that fleet has no counterpart of."""
    for name in names:
        if part.has(name):
            each.notes.differs(part.at(name), why, "there is no such choice")


def takes_over(each: Foreign, spec: Part) -> bool:
    """Whether objects that exist already are taken over; tells what fleet does in another way."""
    strategy = spec.within("strategy")
    kind = strategy.choice("type", ("RollingUpdate", "External"), "RollingUpdate")
    if kind == "External":
        each.notes.differs(strategy.at("type"), _ALL_AT_ONCE, _BUDGET)
    rolling = strategy.within("rollingUpdate")
    rolling.skip("maxUnavailable", "maxSurge", "unavailablePeriodSeconds")
    if rolling.data:
        each.notes.differs(rolling.path, _ALL_AT_ONCE, _BUDGET)
    rolling.close("a rollingUpdate")
    adopts = _applies(each, strategy.within("applyStrategy"))
    why = "follows it after the placement; fleet removes what it placed, and reports itself"
    note_no_choice(each, strategy, ("deleteStrategy", "reportBackStrategy"), why)
    strategy.close("a strategy")
    return adopts


def _applies(each: Foreign, part: Part) -> bool:
    names = ("comparisonOption", "allowCoOwnership", "serverSideApplyConfig")
    why = "follows it when it writes or compares objects; fleet does both in one way"
    note_no_choice(each, part, names, why)
    kind = part.choice("type", ("ClientSideApply", "ServerSideApply", "ReportDiff"), "")
    if kind == "ReportDiff":
        sentence = "only reports, and fleet would write"
        part.fault("type", sentence, "leave the placement out; fleet plan reports")
    if part.choice("whenToApply", ("Always", "IfNotDrifted"), "Always") == "IfNotDrifted":
        why = "leaves what was changed by hand; fleet writes what the files say"
        each.notes.differs(part.at("whenToApply"), why, "change the files")
    when = part.choice("whenToTakeOver", ("Always", "IfNoDiff", "Never"), "Always")
    if when == "IfNoDiff":
        why = "takes over equal objects; fleet takes over none without adopt"
        each.notes.differs(part.at("whenToTakeOver"), why, "say Always, or adopt: true")
    part.close("an applyStrategy")
    return when == "Always"
