"""Divides over clusters that fill one level after the other."""

from collections.abc import Callable, Sequence

from fleet.model.webster import Seats
from fleet.schedule.divide import Party

Way = Callable[[Sequence[Party], int], Seats]


def by_level(way: Way, parties: Sequence[Party], levels: Sequence[int], replicas: int) -> Seats:
    """A later level gets only what all before have no room for; what runs stays.

    First what the spread needs on each level, then what runs there already, then the rest, always
    from the first level to the last. Fewer replicas therefore leave the last level first. Where
    that places fewer than one division over all (a level gets less than the floor of a cluster),
    all are divided together. Source: Karmada's overflowAffinities.

    >>> from fleet.schedule.divide import by_capacity
    >>> by_level(by_capacity, [Party(2, 2), Party(10, 10)], [0, 1], 5)
    [2, 3]
    """
    given = [0] * len(parties)
    over = 0
    for level, target in _targets(parties, levels, replicas):
        places = [place for place in range(len(parties)) if levels[place] == level]
        shares = way([parties[place] for place in places], target + over)
        for place, share in zip(places, shares, strict=True):
            given[place] = share
        over += target - sum(shares)
    if not over:
        return given
    together = way(parties, replicas)
    return together if sum(together) > sum(given) else given


def _targets(
    parties: Sequence[Party], levels: Sequence[int], replicas: int
) -> list[tuple[int, int]]:
    """How many replicas each level must run, the first level first."""
    targets = dict.fromkeys(sorted(set(levels)), 0)
    left = replicas
    for most in (_needed, _kept, _cap):
        ceilings = dict.fromkeys(targets, 0)
        for party, level in zip(parties, levels, strict=True):
            ceilings[level] += most(party)
        for level, ceiling in ceilings.items():
            more = min(left, max(0, ceiling - targets[level]))
            targets[level] += more
            left -= more
    last = max(targets)
    targets[last] += left
    return list(targets.items())


def _needed(party: Party) -> int:
    return min(party.least, party.cap) if party.needed else 0


def _kept(party: Party) -> int:
    return max(party.kept, _needed(party))


def _cap(party: Party) -> int:
    return party.cap
