"""The checklist's items about data: when it takes writes again, what it lacks, what is lost."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fleet.drill.data import DataState, copy_lives
from fleet.drill.timeline import data_timeline
from fleet.model import drill_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.data import DataKind
from fleet.model.drill_targets import DrillTargets
from fleet.model.exercise import Check, Item, Result
from fleet.model.snapshot import Linked
from fleet.model.source import Source
from fleet.model.survival import Loss
from fleet.model.timeline import StepKind, Timeline

_ITEMS = (Item.DATABASE, Item.RPO, Item.NO_DATA_LOSS)


@dataclass(frozen=True, slots=True)
class Hit:
    """A workload that loses replicas, and until when. **Shape**: `regions` by cluster."""

    linked: Linked
    loss: Loss
    start: Timeline
    data: DataState
    gone: frozenset[str]
    regions: Mapping[str, str]

    @property
    def dead(self) -> str:
        """The clusters that ran it and are gone."""
        return ", ".join(sorted(name for name in self.loss.before if name in self.gone))


def data_checks(hit: Hit, targets: DrillTargets) -> Iterator[Check]:
    """Until a copy may be written to, what it lacks, and whether anything is lost."""
    source, said = hit.linked.workload.source, hit.linked.workload.settings.data
    if hit.data.lost_seconds is None:
        held = {"volumes": ", ".join(hit.data.held_by), "clusters": hit.dead}
        yield from _all(hit, Result.FAIL, codes.VOLUMES, held | {"kind": said.kind}, source)
    elif not hit.data.has_copy:
        yield from _all(hit, Result.PASS, codes.NO_DATA)
    elif said.kind is DataKind.REPLICATED and StepKind.DATA not in hit.start.kinds:
        yield from _all(hit, Result.PASS, codes.PRIMARY_LIVES, {"clusters": hit.dead})
    elif not copy_lives(said, hit.gone, hit.regions):
        yield from _all(hit, Result.FAIL, codes.NO_COPY, {"clusters": hit.dead}, source)
    else:
        yield _database(hit, targets)
        yield from _lacking(hit, hit.data.lost_seconds, targets)


def _all(
    hit: Hit,
    result: Result,
    code: str,
    values: Mapping[str, str | int] | None = None,
    source: Source | None = None,
) -> Iterator[Check]:
    for item in _ITEMS:
        yield Check(item, hit.loss.workload, result, code, FrozenMap(values or {}), source)


def _database(hit: Hit, targets: DrillTargets) -> Check:
    """From the death of the primary until another copy takes writes, whoever has to act for it."""
    name, limit = hit.loss.workload, targets.database_seconds
    if StepKind.DATA not in hit.start.kinds:
        return Check(Item.DATABASE, name, Result.PASS, codes.NO_PROMOTION)
    if hit.loss.nothing_left:
        place = hit.linked.placement.origin.start
        values = {"short": hit.loss.shortfall, "wanted": hit.loss.wanted}
        return Check(Item.DATABASE, name, Result.FAIL, codes.NO_PLACE, FrozenMap(values), place)
    line = data_timeline(hit.start, hit.linked.traffic, targets)
    steps = {str(each.kind): each.seconds for each in line.steps}
    values = {"seconds": line.total, "limit": limit} | steps
    result = Result.PASS if line.total <= limit else Result.FAIL
    return Check(Item.DATABASE, name, result, codes.DATA_TIME, FrozenMap(values))


def _lacking(hit: Hit, lost: int, targets: DrillTargets) -> Iterator[Check]:
    """What the copy lacks, against what may be lost, and against nothing."""
    name, own = hit.loss.workload, _rpo_of(hit.linked)
    limit = targets.rpo_seconds if own is None else own
    passes = lost < limit if own is None else lost <= limit
    for item, good, most in ((Item.RPO, passes, limit), (Item.NO_DATA_LOSS, not lost, 0)):
        values = FrozenMap[str | int]({"seconds": lost, "limit": most})
        yield Check(item, name, Result.PASS if good else Result.FAIL, codes.DATA_LAG, values)


def _rpo_of(linked: Linked) -> int | None:
    """The strictest target of the workload's names."""
    said = [each.spec.recovery.rpo_seconds for each in linked.traffic]
    return min((each for each in said if each is not None), default=None)
