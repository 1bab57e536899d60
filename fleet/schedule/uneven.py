"""What there is to tell of numbers that should be even, and of clusters that they keep out."""

from collections.abc import Iterator, Mapping, Sequence

from fleet.model.base import FrozenMap
from fleet.model.decision import Finding, Rejection
from fleet.schedule import reasons
from fleet.schedule.attempt import Attempt
from fleet.schedule.skew import Skew, by_domain


def uneven_numbers(made: Attempt, given: Mapping[int, int]) -> Iterator[Finding]:
    """The constraints that what runs breaks: nothing goes for the skew alone."""
    asked = made.asked
    counts = dict.fromkeys(given, 1) if asked.everywhere else given
    groups = asked.stance.groups
    for group in sorted({groups[place] for place in counts}):
        inside = [place for place in counts if groups[place] == group]
        yield from _uneven(made, asked.spread.skews, {place: counts[place] for place in inside})


def _uneven(made: Attempt, skews: Sequence[Skew], counts: Mapping[int, int]) -> Iterator[Finding]:
    if not skews:
        return
    skew, *inner = skews
    domains = [
        {place: counts[place] for place in places} for places in by_domain(skew, list(counts))
    ]
    used = [total for total in (sum(each.values()) for each in domains) if total]
    if used and max(used) - min(used) > skew.most:
        values: dict[str, str | int] = {
            "workload": made.asked.linked.workload.name,
            "by": skew.by,
            "skew": skew.most,
            "most": max(used),
            "least": min(used),
        }
        yield Finding(reasons.SKEW_KEPT, FrozenMap(values), skew.source)
        return
    for each in domains:
        yield from _uneven(made, inner, each)


def skew_limit(skews: Sequence[Skew]) -> Rejection:
    """The demand for even numbers keeps a cluster out."""
    values = FrozenMap[str | int]({"by": skews[0].by, "skew": skews[0].most})
    return Rejection(reasons.SKEW_LIMIT, values, skews[0].source)


def left_out(made: Attempt) -> frozenset[int]:
    """The selected clusters whose domain got nothing, though there were replicas for it."""
    skews, stance = made.asked.spread.skews, made.asked.stance
    found: set[int] = set()
    if not skews or made.asked.everywhere:
        return frozenset()
    for group in {stance.groups[place] for place in made.given}:
        places = [place for place in made.given if stance.groups[place] == group]
        domains = by_domain(skews[0], places)
        idle = [inside for inside in domains if not any(made.given[each] for each in inside)]
        if len(domains) - len(idle) < min(stance.targets[group], len(domains)):
            found.update(place for inside in idle for place in inside)
    return frozenset(found)
