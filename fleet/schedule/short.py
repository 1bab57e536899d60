"""What fits nowhere, and why."""

from collections.abc import Mapping

from fleet.model.base import FrozenMap
from fleet.model.decision import Rejection
from fleet.model.policy import DivisionMode
from fleet.schedule import reasons
from fleet.schedule.share import Division
from fleet.schedule.stance import division_mode, wanted_replicas


def shortfall(
    division: Division, given: Mapping[int, int], failure: Rejection | None
) -> tuple[int, tuple[Rejection, ...]]:
    """How many replicas run nowhere, with a reason for each group that is short.

    Without any selected cluster all of them; the reason stands also where there are none to run.
    """
    if failure is not None:
        return wanted_replicas(division.linked.workload), (failure,)
    missing, why = 0, []
    everywhere = division_mode(division.linked) is DivisionMode.DUPLICATED
    for group in sorted({division.stance.groups[place] for place in given}):
        counts = {each: given[each] for each in given if division.stance.groups[each] == group}
        target = division.stance.targets[group]
        wanted = target * max(1, sum(map(bool, counts.values()))) if everywhere else target
        placed = sum(counts.values())
        if placed < wanted:
            missing += wanted - placed
            why.append(_reason(division, counts, wanted, target))
    return missing, tuple(why)


def _reason(division: Division, counts: Mapping[int, int], wanted: int, target: int) -> Rejection:
    """Too few for the least of a cluster, too many for the most, or no room."""
    origin = division.linked.placement.origin
    bounds = ("spec", "division")
    bounded = division.bounds
    least = min(bounded.at_least(place) for place in counts)
    most = max(bounded.at_most(place) for place in counts)
    placed = sum(counts.values())
    place = next(iter(counts))
    region: dict[str, str | int] = (
        {"region": division.table.regions[place]} if division.stance.by_region else {}
    )
    if target < least or (not placed and least > 1):
        values = region | {"minimum": least, "replicas": target}
        return Rejection(
            reasons.BELOW_MINIMUM, FrozenMap(values), origin.at(*bounds, "minReplicas")
        )
    uneven = _uneven(division, counts, (wanted, placed), region)
    if uneven is not None:
        return uneven
    at_most = all(count == bounded.at_most(place) for place, count in counts.items())
    source = origin.at(*bounds, "maxReplicas") if at_most else division.linked.workload.source
    if at_most and division_mode(division.linked) is DivisionMode.DUPLICATED:
        values = region | {"maximum": most, "replicas": target}
        return Rejection(reasons.ABOVE_MAXIMUM, FrozenMap(values), source)
    values = region | {"wanted": wanted, "placed": placed}
    return Rejection(reasons.CAPACITY_SHORT, FrozenMap(values), source)


def _uneven(
    division: Division,
    counts: Mapping[int, int],
    numbers: tuple[int, int],
    region: Mapping[str, str | int],
) -> Rejection | None:
    """The outermost demand for even numbers, where there would be room without it."""
    wanted, placed = numbers
    room = sum(min(division.cap(place), division.stance.target(place)) for place in counts)
    if not division.skews or room < wanted:
        return None
    skew = division.skews[0]
    values = {**region, "wanted": wanted, "placed": placed, "by": skew.by, "skew": skew.most}
    return Rejection(reasons.SKEW_SHORT, FrozenMap[str | int](values), skew.source)
