"""The checklist of a drill: each item for each name and workload that an emergency hits.

Limits of the drill are to be stayed under where the checklist says so (RTO and RPO), and may be
reached elsewhere; a policy's own target may be reached, as it may in a plan.
"""

from collections.abc import Iterator, Mapping

from fleet.drill.data_checks import Hit, data_checks
from fleet.drill.replans import Replans
from fleet.model import drill_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.drill_targets import DrillTargets
from fleet.model.exercise import Check, Item, NameExercise, Replanned, Result
from fleet.model.outage import Answers
from fleet.model.snapshot import Linked
from fleet.model.source import Source
from fleet.model.survival import Loss
from fleet.model.timeline import StepKind, Timeline
from fleet.model.traffic import TrafficPolicy

_FAST_SECONDS = 30
"""10 s x 3, the quickest detection that does not take one slow answer for a death."""
_FASTEST_SECONDS = 10
"""10 s x 1, the quickest detection of all."""
_PERCENT = 100


def name_checks(
    name: NameExercise, policy: TrafficPolicy, targets: DrillTargets, back: Replanned
) -> Iterator[Check]:
    """The items that are about a name which was hit."""
    yield _dns(name, policy, targets)
    yield _rto(name, policy, targets)
    yield _name_back(name, policy, back)
    yield Check(Item.ALERTS, name.dns_name, Result.UNKNOWN, codes.NO_ALARM)


def api_check(name: NameExercise, policy: TrafficPolicy) -> Check:
    """Whether a name needs the API of Route53 when a region is lost that it leads to."""
    failing = [region for region, healed in name.healed.items() if not healed]
    needed = [region for region in failing if region not in name.hopeless]
    code = codes.API_NEEDED if needed else codes.API_NO_HELP
    values = {"regions": ", ".join(needed), "hopeless": ", ".join(name.hopeless)}
    good = bool(name.healed) and not failing  # none is healed where nobody answers today
    if good:
        code, values = codes.API_NOT_NEEDED, {"regions": ", ".join(name.healed)}
    return _check(Item.DNS, name.dns_name, _judged(good), code, values, policy.origin.start)


def workload_checks(hit: Hit, replans: Replans) -> Iterator[Check]:
    """The items that are about a workload which loses replicas."""
    yield _application(hit.linked, hit.loss, hit.start, replans)
    yield from data_checks(hit, replans.targets)
    yield _back(hit.loss, hit.linked, replans)


def _dns(name: NameExercise, policy: TrafficPolicy, targets: DrillTargets) -> Check:
    limit, line = targets.dns_seconds, name.timeline
    if not line.ends:
        place = policy.origin.start
        return _check(Item.DNS, name.dns_name, Result.FAIL, codes.NOWHERE, {"limit": limit}, place)
    released = line.seconds(StepKind.RELEASE)
    left = limit - targets.spread_seconds - released
    values = {
        "total": line.dns,
        "limit": limit,
        "detection": line.seconds(StepKind.DETECTION),
        "spread": line.seconds(StepKind.SPREAD),
        "release": released,
        "record": line.seconds(StepKind.RECORD),
        "ttl": line.seconds(StepKind.TTL),
        "held": int(name.held),
        "best": max(0, left - _FAST_SECONDS),
        "hasty": max(0, left - _FASTEST_SECONDS),
    }
    place = policy.origin.at("spec", "ttlSeconds")
    return _check(
        Item.DNS, name.dns_name, _judged(line.dns <= limit), codes.DNS_TIME, values, place
    )


def _rto(name: NameExercise, policy: TrafficPolicy, targets: DrillTargets) -> Check:
    own = policy.spec.recovery.rto_seconds
    limit = targets.rto_seconds if own is None else own
    if not name.timeline.ends:
        values: Mapping[str, str | int] = {"limit": limit}
        place = policy.origin.start
        return _check(Item.RTO, name.dns_name, Result.FAIL, codes.NOWHERE, values, place)
    total = name.timeline.total
    values = {
        "total": total,
        "limit": limit,
        "by_itself": int(not name.timeline.by_update and not name.timeline.by_lever),
        "by_lever": int(name.timeline.by_lever),
    }
    place = policy.origin.at("spec", "recovery", "rtoSeconds")
    passes = total < limit if own is None else total <= limit
    return _check(Item.RTO, name.dns_name, _judged(passes), codes.RTO_TIME, values, place)


def _name_back(name: NameExercise, policy: TrafficPolicy, back: Replanned) -> Check:
    if back.refused:
        return _refused_back(name.dns_name, back)
    stages = {"revived": name.revived, "returned": name.returned}
    if any(each.nowhere > name.today.nowhere for each in stages.values()):
        parts = {key: int(each.nowhere * _PERCENT) for key, each in stages.items()}
        values = parts | {"by": name.today.by}
        place, code = policy.origin.start, codes.NAME_BACK_NOWHERE
        return _check(Item.FAILBACK, name.dns_name, Result.FAIL, code, values, place)
    who = {key: _clusters(each) for key, each in stages.items()}
    return _check(Item.FAILBACK, name.dns_name, Result.PASS, codes.NAME_BACK, who)


def _clusters(answers: Answers) -> str:
    return ", ".join(answers.shares)


def _application(linked: Linked, loss: Loss, start: Timeline, replans: Replans) -> Check:
    name, limit = loss.workload, replans.targets.application_seconds
    place = linked.placement.origin.start
    values: Mapping[str, str | int]
    if replans.after.refused:
        values = {"faults": "; ".join(replans.after.refused)}
        return _check(Item.APPLICATION, name, Result.FAIL, codes.REFUSED, values)
    if loss.shortfall > loss.short_before or loss.nothing_left:
        values = {"short": loss.shortfall, "wanted": loss.wanted}
        return _check(Item.APPLICATION, name, Result.FAIL, codes.NO_PLACE, values, place)
    if not loss.moves:
        return _check(Item.APPLICATION, name, Result.PASS, codes.STANDS)
    seconds = start.seconds(StepKind.CAPACITY)
    assumed = int(replans.targets.start_seconds is not None)
    values = {"moves": loss.moves, "seconds": seconds, "limit": limit, "assumed": assumed}
    return _check(Item.APPLICATION, name, _judged(seconds <= limit), codes.STARTS, values)


def _back(loss: Loss, linked: Linked, replans: Replans) -> Check:
    name, short = loss.workload, replans.short_back.get(loss.workload, 0)
    if replans.back.refused:
        return _refused_back(name, replans.back)
    if short <= loss.short_before:
        return _check(Item.FAILBACK, name, Result.PASS, codes.BACK)
    values = {"short": short, "before": loss.short_before}
    place = linked.placement.origin.start
    return _check(Item.FAILBACK, name, Result.FAIL, codes.BACK_SHORT, values, place)


def _refused_back(subject: str, back: Replanned) -> Check:
    values = {"faults": "; ".join(back.refused)}
    return _check(Item.FAILBACK, subject, Result.FAIL, codes.BACK_REFUSED, values)


def _judged(passes: bool) -> Result:  # noqa: FBT001 - what came of it
    return Result.PASS if passes else Result.FAIL


def _check(  # noqa: PLR0913, PLR0917 - the parts of a check
    item: Item,
    subject: str,
    result: Result,
    code: str,
    values: Mapping[str, str | int] | None = None,
    source: Source | None = None,
) -> Check:
    return Check(item, subject, result, code, FrozenMap(values or {}), source)
