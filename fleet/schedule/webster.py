"""Webster's division (Sainte-Laguë), exact: quotients are compared by cross-multiplied integers.

Source: Balinski and Young, Fair Representation; Karmada divides the same way, in floating point.
"""

from collections.abc import Sequence
from heapq import heapify, heappop, heapreplace

import numpy as np

from fleet.schedule.columns import Whole

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
    if start is None:
        rounded = _rounded(weights, seats, caps)
        if rounded is not None:
            return rounded
    given = list(start) if start is not None else [0] * len(weights)
    left = seats
    open_places = [
        each for each in range(len(weights)) if weights[each] and given[each] < caps[each]
    ]
    while open_places and left > 0:
        gained = _leap(weights, left, given, open_places, caps)
        if not gained:
            break
        left -= gained
        open_places = [each for each in open_places if given[each] < caps[each]]
    _one_by_one(weights, left, given, open_places, caps)
    return given


def webster_columns(weights: Whole, seats: int, caps: Whole) -> Whole:
    """The same over columns, from nothing; fast where parties are many and seats few.

    A party is given its first seat only if its weight is among the `seats` largest (on a tie the
    earlier one): the others need not be asked.

    >>> webster_columns(np.array([1, 7, 3, 0, 3]), 3, np.array([9, 9, 9, 9, 9])).tolist()
    [0, 1, 1, 0, 1]
    """
    given = np.zeros(weights.size, dtype=np.int64)
    asked = ((weights > 0) & (caps > 0)).nonzero()[0]
    if asked.size > seats:
        asked = _heaviest(weights, asked, seats)
    few = webster(weights[asked].tolist(), seats, caps[asked].tolist())
    given[asked] = few
    return given


def _rounded(weights: Sequence[int], seats: int, caps: Sequence[int]) -> Seats | None:
    """Every party's exact share rounded, then the few seats that this is off; None if a cap binds.

    Shares rounded are Webster's division of as many seats as they add up to.
    """
    total = sum(weights)
    if not total:
        return [0] * len(weights)
    given = [(2 * weight * seats + total) // (2 * total) for weight in weights]
    over = sum(given) - seats
    while over > 0:
        _take_back(weights, given)
        over -= 1
    if over < 0:
        open_places = [each for each, weight in enumerate(weights) if weight]
        _one_by_one(weights, -over, given, open_places, caps)
    fits = all(count <= cap for count, cap in zip(given, caps, strict=True))
    return given if fits and sum(given) == seats else None


def _take_back(weights: Sequence[int], given: Seats) -> None:
    """Takes the seat that was given last."""
    last = -1
    for each, count in enumerate(given):
        if count:
            if last >= 0:
                mine = weights[each] * (2 * given[last] - 1)
                other = weights[last] * (2 * count - 1)
                if mine > other or (mine == other and count < given[last]):
                    continue
            last = each
    given[last] -= 1


def _heaviest(weights: Whole, asked: Whole, count: int) -> Whole:
    """The `count` largest weights, the earlier ones on a tie, in their old order."""
    heavy = weights[asked]
    least = np.partition(heavy, heavy.size - count)[heavy.size - count] if count else 0
    above = asked[heavy > least]
    equal = asked[heavy == least][: count - above.size]
    return np.sort(np.concatenate((above, equal)))


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
        total = sum([weights[each] for each in counted])
        reach = 2 * (left + sum([given[each] for each in counted])) - len(counted)
        if reach <= 0:
            return 0
        goals = [(weights[each] * reach + total) // (2 * total) for each in counted]
        above = {each for each, goal in zip(counted, goals, strict=True) if given[each] > goal}
        if not above:
            break
        counted = [each for each in counted if each not in above]
    gained = 0
    for each, goal in zip(counted, goals, strict=True):
        gain = min(caps[each], goal) - given[each]
        if gain > 0:
            given[each] += gain
            gained += gain
    return gained


def _one_by_one(
    weights: Sequence[int], left: int, given: Seats, places: list[int], caps: Sequence[int]
) -> None:
    """The definition itself, for the last seats."""
    if not left:
        return
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
