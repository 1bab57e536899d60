"""How much any selection must lack: where the first try reaches this, nothing is searched."""

from collections.abc import Iterable

from fleet.schedule.choice import Choice, Limit


def least_deficit(choice: Choice) -> int:
    """A deficit that no selection within the limits can be below.

    Each limit alone gives a bound: so many clusters, those that help most; or so many domains,
    those that help most. Together with what all candidates lack, the largest is taken.
    """
    nothing = choice.deficit(())
    bounds = [choice.deficit(choice.order)]
    if choice.most is not None:
        bounds.append(nothing - sum(_largest(_helps(choice, choice.order), choice.most)))
    for limit in choice.limits:
        if limit.most is not None:
            gains = [
                sum(_helps(choice, places)) for places in _members(limit, choice.order).values()
            ]
            bounds.append(nothing - sum(_largest(gains, limit.most)))
    return max(0, *bounds)


def _largest(gains: Iterable[int], count: int) -> list[int]:
    return sorted(gains, reverse=True)[:count]


def _members(limit: Limit, places: Iterable[int]) -> dict[int, list[int]]:
    """The clusters of each domain."""
    members: dict[int, list[int]] = {}
    for place in places:
        for domain in limit.of[place]:
            members.setdefault(domain, []).append(place)
    return members


def _helps(choice: Choice, places: Iterable[int]) -> list[int]:
    """What each cluster takes off the deficit, the largest of each group first.

    Inside a group every further cluster helps less, so the largest of these numbers, taken from
    all groups together, belong to the best selection of so many clusters.
    """
    held = dict.fromkeys(choice.targets, 0)
    helps = []
    for place in sorted(places, key=lambda place: -choice.caps[place]):
        group = choice.groups[place]
        before = choice.lacks(group, held[group])
        held[group] += choice.caps[place]
        helps.append(before - choice.lacks(group, held[group]))
    return helps
