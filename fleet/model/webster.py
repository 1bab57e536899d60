"""Webster's division (Sainte-Laguë), exact: quotients are compared by cross-multiplied integers.

Source: Balinski and Young, Fair Representation; Karmada divides the same way, in floating point.
"""

from collections.abc import Mapping, Sequence
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


def webster_by_name(votes: Mapping[str, int], seats: int) -> dict[str, int]:
    """The same by name, at least one each; a tie ends in the name, whatever is held.

    Where there are more parties than seats, every party gets one. Votes that are all 0 count
    alike. The earlier name's votes are larger by a part that is too small to decide but a tie.

    >>> webster_by_name({"eu-1": 4, "eu-2": 2}, 100)
    {'eu-1': 67, 'eu-2': 33}
    >>> webster_by_name({"a": 1000, "b": 1}, 10)
    {'a': 9, 'b': 1}
    >>> webster_by_name({"a": 5, "b": 3}, 4), webster([5, 3], 2, [4, 4], start=[1, 1])
    ({'a': 3, 'b': 1}, [2, 2])
    """
    names, count = sorted(votes), len(votes)
    counted = [votes[name] for name in names] if any(votes.values()) else [1] * count
    large = count * max(counted, default=0) * (2 * seats + 1)
    weights = [each * (large + count - place) for place, each in enumerate(counted)]
    given = webster(weights, seats - count, [seats] * count, start=[1] * count)
    return dict(zip(names, given, strict=True))


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
