"""How many replicas each selected cluster runs: whole numbers in, whole numbers out.

Bounds hold always: a party that gets any replica gets at least its floor and at most its cap.
What cannot be given within the bounds is left over, and reported by the caller as a shortfall.
"""

from collections.abc import Sequence
from typing import NamedTuple

from fleet.model.webster import Seats, webster


class Party(NamedTuple):
    """A selected cluster as the division sees it.

    `weight` is its static weight, or its room for a division by capacity; `cap` the most that it
    may run; `before` what the last update ran there; `floor` the least that it runs if
    it runs any; `needed` says that it must run something for the spread to hold.

    `rank` is its place in the order of preference. (A tuple, because a large run makes millions.)

    **Shape**: lists of parties are in the order of the clusters' names, which ends all ties.
    """

    weight: int
    cap: int
    before: int = 0
    floor: int = 0
    needed: bool = False
    rank: int = 0

    @property
    def kept(self) -> int:
        """What may stay of what ran."""
        return min(self.before, self.cap)

    @property
    def least(self) -> int:
        """The floor, or one replica where the spread needs the cluster."""
        return max(self.floor, 1) if self.needed else self.floor


def by_weight(parties: Sequence[Party], replicas: int) -> Seats:
    """Webster over the weights, within the bounds; what runs there plays no part.

    >>> by_weight([Party(7, 99), Party(3, 99)], 10)
    [7, 3]
    >>> by_weight([Party(100, 99), Party(1, 99, floor=1), Party(1, 99, floor=1)], 10)
    [8, 1, 1]
    """
    given = _floors_first(parties, replicas, [_settled_first(party) for party in parties])
    if sum(given) == replicas or not any(party.floor for party in parties):
        return given
    roomiest = [_roomiest_first(party) for party in parties]
    return _fuller(given, _floors_first(parties, replicas, roomiest))


def by_capacity(parties: Sequence[Party], replicas: int) -> Seats:
    """Webster over room, steadily: what runs stays as long as the replicas reach.

    More replicas than run: only the missing ones are divided, over the free room. Fewer: the old
    numbers are the weights. Only where that leaves replicas over, all are divided anew.

    >>> by_capacity([Party(18, 18), Party(12, 12), Party(6, 6)], 12)
    [6, 4, 2]
    >>> by_capacity([Party(12, 12, before=2), Party(14, 14, before=4), Party(16, 16, before=6)], 24)
    [6, 8, 10]
    >>> by_capacity([Party(3, 3, before=2), Party(5, 5, before=4), Party(7, 7, before=6)], 6)
    [1, 2, 3]
    """
    steady = _steady(parties, replicas)
    if sum(steady) == replicas:
        return steady
    return _fuller(steady, by_weight(parties, replicas))


def aggregated(parties: Sequence[Party], replicas: int) -> Seats:
    """By capacity, over the shortest beginning of the list that holds all.

    The list: what the spread needs, then where it runs already (most free room first; when fewer
    are wanted, the largest number first), then the order of preference. What runs outside of that
    beginning stays as it is. Source: Karmada's Aggregated.

    >>> aggregated([Party(12, 12), Party(6, 6), Party(6, 6)], 12)
    [12, 0, 0]
    >>> aggregated([Party(8, 8, before=4), Party(14, 14, before=8), Party(8, 8)], 24)
    [7, 12, 5]
    >>> aggregated([Party(5, 5, before=4), Party(9, 9, before=8)], 6)
    [0, 6]
    """
    missing = replicas - sum(party.kept for party in parties)
    if missing < 0:
        kept = [party.kept for party in parties]
        chosen = _shortest(kept, replicas, [_largest_first(party) for party in parties])
        among = [party if each in chosen else _OUT for each, party in enumerate(parties)]
    else:
        free = [party.cap - party.kept for party in parties]
        chosen = _shortest(free, missing, [_running_first(party) for party in parties])
        among = [
            party if each in chosen else _as_it_is(party) for each, party in enumerate(parties)
        ]
    given = by_capacity(among, replicas)
    return given if sum(given) == replicas else _fuller(given, by_capacity(parties, replicas))


_Order = tuple[bool, bool, int, int]
_OUT = Party(weight=0, cap=0)


def _largest_first(party: Party) -> _Order:
    return (not party.needed, False, -party.kept, party.rank)


def _running_first(party: Party) -> _Order:
    return (
        not party.needed,
        not party.kept,
        party.kept - party.cap if party.kept else 0,
        party.rank,
    )


def _shortest(amounts: Sequence[int], enough: int, order: Sequence[_Order]) -> set[int]:
    """The shortest beginning of the list that holds enough, with all that the spread needs."""
    chosen: set[int] = set()
    held = 0
    for each in sorted(range(len(amounts)), key=lambda each: order[each]):
        unneeded = order[each][0]
        if unneeded and held >= enough:
            break
        chosen.add(each)
        held += amounts[each]
    return chosen


def _as_it_is(party: Party) -> Party:
    """A cluster that does not grow: it keeps what runs there, or stays empty."""
    if not party.kept:
        return _OUT
    cap = max(party.kept, min(party.least, party.cap))
    return party._replace(weight=party.kept, cap=cap)


def duplicated(parties: Sequence[Party], replicas: int) -> Seats:
    """All replicas everywhere, within the bounds.

    >>> duplicated([Party(1, 9), Party(1, 2)], 3)
    [3, 2]
    """
    return [count if (count := min(replicas, party.cap)) >= party.floor else 0 for party in parties]


def at_most(weights: Sequence[int], least: Sequence[int], most: int, caps: Sequence[int]) -> Seats:
    """The upper bounds of autoscalers: Webster over the weights, each at least `least` and 1.

    >>> at_most([7, 3], [2, 1], 20, [99, 99])
    [14, 6]
    """
    start = [max(each, 1) for each in least]
    missing = max(0, most - sum(start))
    return webster(weights, missing, list(map(max, caps, start)), start)


def _fuller(first: Seats, second: Seats) -> Seats:
    """The division that places more; the first on a tie."""
    return second if sum(second) > sum(first) else first


def _settled_first(party: Party) -> tuple[bool, bool, int]:
    """Floors are served where the spread needs it, then where it runs, then by weight."""
    return (not party.needed, not party.kept, -party.weight)


def _roomiest_first(party: Party) -> tuple[bool, int]:
    """Floors are served where the spread needs it, then where there is most room."""
    return (not party.needed, -party.cap)


def _floors_first(
    parties: Sequence[Party], replicas: int, order: Sequence[tuple[int, ...]]
) -> Seats:
    """Serves the floors in an order as far as the replicas reach, then Webster goes on from there.

    Who gets no floor gets nothing.
    """
    start, caps, left = [0] * len(parties), [0] * len(parties), replicas
    for each in sorted(range(len(parties)), key=lambda each: order[each]):
        party = parties[each]
        if party.least <= min(left, party.cap):
            start[each] = party.least
            left -= party.least
            caps[each] = party.cap
        elif not party.floor:
            caps[each] = party.cap
    return webster([party.weight for party in parties], left, caps, start)


def _steady(parties: Sequence[Party], replicas: int) -> Seats:
    """Keeps what runs, as far as the replicas reach."""
    start = [
        max(party.kept, party.least)
        if (party.kept or party.needed) and party.least <= party.cap
        else 0
        for party in parties
    ]
    if sum(start) > replicas:
        return _shrunk(parties, replicas)
    return _grown(parties, replicas, start)


def _shrunk(parties: Sequence[Party], replicas: int) -> Seats:
    """Webster over what runs there; nobody gains, but for what the bounds ask.

    Where the replicas do not reach all that must run something, newcomers come by their weight.
    """
    old = [
        party._replace(weight=party.before, cap=min(party.cap, max(party.kept, party.least)))
        if party.kept or party.needed
        else Party(weight=0, cap=0)
        for party in parties
    ]
    order = [
        _settled_first(was if was.weight else party)
        for was, party in zip(old, parties, strict=True)
    ]
    return _floors_first(old, replicas, order)


def _grown(parties: Sequence[Party], replicas: int, start: Seats) -> Seats:
    """Adds the missing replicas in proportion to the free room; newcomers reach their floor.

    What the bounds ask counts as given in that proportion, not on top of it.
    """
    given, missing = list(start), replicas - sum(start)
    barred = set()
    for each in sorted(range(len(parties)), key=lambda each: (-parties[each].weight, each)):
        party = parties[each]
        if given[each] or not party.floor:
            continue
        if party.floor <= min(missing, party.cap):
            given[each] = party.floor
            missing -= party.floor
        else:
            barred.add(each)
    kept = [min(party.kept, now) for party, now in zip(parties, given, strict=True)]
    free = [max(0, party.weight - old) for party, old in zip(parties, kept, strict=True)]
    caps = [0 if each in barred else party.cap - kept[each] for each, party in enumerate(parties)]
    added = [now - old for now, old in zip(given, kept, strict=True)]
    added = webster(free, missing, caps, added)
    return [old + more for old, more in zip(kept, added, strict=True)]
