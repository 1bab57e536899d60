"""Which clusters, when the domains are settled and only the number of clusters is limited."""

from collections.abc import Callable, Sequence

from fleet.schedule.choice import Budget, Choice, Cover, first_cover


def pick(
    choice: Choice, eligible: Sequence[int], enough: Callable[[int], bool], budget: Budget
) -> list[int] | None:
    """Up to `choice.most` of the eligible clusters, so that every limit's least is covered.

    First what the limits need, then the best of the rest; while room is short, from the last to
    the first, each is exchanged for the cluster with most room of those left, if that has more
    (Karmada's rule). Only where this covers not every limit, or what it lacks is not low `enough`,
    subsets are tried in the order of preference, as long as the budget lasts.

    **Shape**: in the order of preference. None: no subset was found.
    """
    most = len(eligible) if choice.most is None else min(choice.most, len(eligible))
    needed = first_cover(choice.limits, eligible)[:most]
    rest = [place for place in eligible if place not in set(needed)]
    chosen = needed + rest[: most - len(needed)]
    cover = Cover(choice.limits)
    for place in chosen:
        cover.add(place)
    if most < choice.least or most == len(eligible):
        fits = most >= choice.least and not cover.missing()
        return _ordered(eligible, chosen) if fits else None
    if not cover.missing():
        chosen = _exchanged(choice, _ordered(eligible, chosen), eligible, cover)
        if enough(choice.deficit(chosen)):
            return chosen
    found = _searched(choice, eligible, enough, budget)
    if found is not None and (cover.missing() or choice.deficit(found) < choice.deficit(chosen)):
        return found
    return None if cover.missing() else chosen


def _ordered(eligible: Sequence[int], chosen: Sequence[int]) -> list[int]:
    members = set(chosen)
    return [place for place in eligible if place in members]


def _exchanged(
    choice: Choice, chosen: list[int], eligible: Sequence[int], cover: Cover
) -> list[int]:
    """Karmada's exchange: worst first, for the largest room, until all replicas have room."""
    left = [place for place in eligible if place not in set(chosen)]
    for position in range(len(chosen) - 1, -1, -1):
        old = chosen[position]
        group = choice.groups[old]
        if not choice.lacks(group, choice.held(chosen).get(group, 0)):
            continue
        better = [
            place
            for place in left
            if choice.caps[place] > choice.caps[old]
            and choice.groups[place] == group
            and _may_replace(cover, old, place)
        ]
        if better:
            new = max(better, key=lambda place: choice.caps[place])
            cover.remove(old)
            cover.add(new)
            chosen[position] = new
            left[left.index(new)] = old
    return _ordered(eligible, chosen)


def _may_replace(cover: Cover, old: int, new: int) -> bool:
    """Whether every limit is still covered after an exchange."""
    cover.remove(old)
    cover.add(new)
    covered = not cover.missing()
    cover.remove(new)
    cover.add(old)
    return covered


def _searched(
    choice: Choice, eligible: Sequence[int], enough: Callable[[int], bool], budget: Budget
) -> list[int] | None:
    """Subsets of exactly `most` clusters, in the order of preference; the best one found."""
    most = choice.most or 0
    widest = max((len(each.of[place]) for each in choice.limits for place in eligible), default=0)
    best: list[int] | None = None
    least = 0
    chosen: list[int] = []
    cover = Cover(choice.limits)
    position = 0
    while budget.spend():
        slots = most - len(chosen)
        enough_left = len(eligible) - position >= slots
        if slots and enough_left and slots * widest >= cover.missing():
            chosen.append(position)
            cover.add(eligible[position])
            position += 1
            continue
        if not slots and not cover.missing():
            deficit = choice.deficit([eligible[each] for each in chosen])
            if best is None or deficit < least:
                best, least = [eligible[each] for each in chosen], deficit
                if enough(least):
                    break
        if not chosen:
            break
        position = chosen.pop()
        cover.remove(eligible[position])
        position += 1
    return best
