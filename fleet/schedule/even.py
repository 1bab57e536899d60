"""Equal numbers over a row of domains: whole numbers in, whole numbers out.

All functions take what runs in each domain (`kept`, never above the cap) and what fits there
(`caps`), in the order of preference, which ends all ties.
"""

from collections.abc import Sequence

from fleet.model.webster import Seats, webster


def is_even(numbers: Sequence[int], skew: int) -> bool:
    """Whether the domains that are used differ by no more than `skew`.

    >>> is_even([3, 2, 0], 1), is_even([3, 1], 1)
    (True, False)
    """
    used = [number for number in numbers if number]
    return not used or max(used) - min(used) <= skew


def levelled(kept: Sequence[int], caps: Sequence[int], replicas: int) -> Seats:
    """Adds where there are fewest, or takes away where there are most.

    >>> levelled([2, 0, 0], [9, 9, 1], 6)
    [3, 2, 1]
    >>> levelled([5, 2, 1], [9, 9, 9], 5)
    [2, 2, 1]
    """
    ones = [1] * len(caps)
    missing = replicas - sum(kept)
    if missing < 0:
        return webster(ones, replicas, kept)
    return webster(ones, missing, caps, kept)


def even_shares(kept: Sequence[int], caps: Sequence[int], replicas: int, skew: int) -> Seats:
    """All domains rise to one floor, the highest that they can share; none is above floor + skew.

    Fewer than `replicas` where the skew leaves no more.

    >>> even_shares([0, 0, 0], [9, 9, 2], 9, 1)
    [3, 3, 2]
    >>> even_shares([4, 0], [9, 9], 4, 1)
    [2, 2]
    """
    floor = min(caps, default=0)
    floor = min(floor, replicas // max(1, len(caps)))
    tops = [min(cap, floor + skew) for cap in caps]
    start = [min(max(number, floor), top) for number, top in zip(kept, tops, strict=True)]
    above = [number - floor for number in start]
    spare = replicas - floor * len(caps)
    if sum(above) > spare:
        return [floor + number for number in levelled(above, above, spare)]
    return levelled(start, tops, replicas)


def most_even(caps: Sequence[int], skew: int) -> int:
    """How many replicas fit on all of the domains within the skew.

    >>> most_even([9, 9, 2], 1)
    8
    """
    top = min(caps, default=0) + skew
    return sum(min(cap, top) for cap in caps)


def settled_caps(kept: Sequence[int], caps: Sequence[int], skew: int) -> Seats:
    """What runs, and above it no more than the skew allows over the smallest domain.

    >>> settled_caps([5, 1], [9, 3], 1)
    [5, 3]
    """
    top = min(caps, default=0) + skew
    return [max(number, min(cap, top)) for number, cap in zip(kept, caps, strict=True)]


def settled_shares(kept: Sequence[int], caps: Sequence[int], replicas: int, skew: int) -> Seats:
    """Nothing goes for the skew alone, and only what it allows is added where something runs.

    >>> settled_shares([5, 1, 0], [9, 3, 9], 12, 1)
    [5, 3, 0]
    """
    used = [place for place, number in enumerate(kept) if number]
    tops = settled_caps([kept[each] for each in used], [caps[each] for each in used], skew)
    bound = [0] * len(caps)
    for place, top in zip(used, tops, strict=True):
        bound[place] = top
    return levelled(kept, bound, replicas)
