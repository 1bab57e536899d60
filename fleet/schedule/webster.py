"""Webster's division (Sainte-Laguë), exact: quotients are compared by cross-multiplied integers.

Source: Balinski and Young, Fair Representation; Karmada divides the same way, in floating point.
"""

from collections.abc import Sequence
from heapq import heapify, heappop, heapreplace

Seats = list[int]


class _Claim:
    """A party's claim to the next seat: weight / (2 x seats + 1)."""

    __slots__ = ("divisor", "place", "weight")

    def __init__(self, weight: int, seats: int, place: int) -> None:
        self.weight = weight
        self.divisor = 2 * seats + 1
        self.place = place

    def __lt__(self, other: "_Claim") -> bool:
        """The larger quotient first; on a tie fewer seats, then the earlier place."""
        mine, theirs = self.weight * other.divisor, other.weight * self.divisor
        if mine != theirs:
            return mine > theirs
        return (self.divisor, self.place) < (other.divisor, other.place)


def webster(
    weights: Sequence[int], seats: int, caps: Sequence[int], start: Sequence[int] | None = None
) -> Seats:
    """Adds seats one by one to `start`, each to the largest quotient, never above `caps`.

    A weight of 0 gets nothing. Fewer seats than asked for are given when the caps are reached.
    One seat more never takes a seat away elsewhere. Ties: fewer seats first, then the order of
    the parties.

    >>> webster([100, 80, 30, 20], 8, [8, 8, 8, 8])
    [3, 3, 1, 1]
    >>> webster([100, 1, 1], 8, [10, 10, 10], start=[0, 1, 1])
    [8, 1, 1]
    >>> webster([3, 3, 3], 12, [3, 3, 3])
    [3, 3, 3]
    """
    given = list(start) if start is not None else [0] * len(weights)
    left = seats
    open_places = [
        each for each in range(len(weights)) if weights[each] and given[each] < caps[each]
    ]
    while open_places and left > len(open_places):
        left -= _leap(weights, left, given, open_places, caps)
        open_places = [each for each in open_places if given[each] < caps[each]]
    _one_by_one(weights, left, given, open_places, caps)
    return given


def _leap(
    weights: Sequence[int], left: int, given: Seats, places: list[int], caps: Sequence[int]
) -> int:
    """Gives at once what the one-by-one way gives first, as far as that is certain.

    With n the seats of the counted parties in the end, W their weights and k their number, every
    seat whose quotient is at least 2W / (2n - k) is among the first n: they are not more than
    floor(w (2n - k) / 2W + 1/2) per party. Parties that start above that are not counted.
    """
    counted = places
    while True:
        total = sum(weights[each] for each in counted)
        reach = 2 * (left + sum(given[each] for each in counted)) - len(counted)
        goals = [(weights[each] * reach + total) // (2 * total) for each in counted]
        above = [each for each, goal in zip(counted, goals, strict=True) if given[each] > goal]
        if not above:
            break
        counted = [each for each in counted if each not in set(above)]
    gained = 0
    for each, goal in zip(counted, goals, strict=True):
        gain = max(0, min(caps[each], goal) - given[each])
        given[each] += gain
        gained += gain
    return gained


def _one_by_one(
    weights: Sequence[int], left: int, given: Seats, places: list[int], caps: Sequence[int]
) -> None:
    """The definition itself, for the last seats."""
    claims = [_Claim(weights[each], given[each], each) for each in places]
    heapify(claims)
    for _ in range(left):
        if not claims:
            return
        place = claims[0].place
        given[place] += 1
        if given[place] < caps[place]:
            heapreplace(claims, _Claim(weights[place], given[place], place))
        else:
            heappop(claims)
