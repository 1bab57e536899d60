"""Webster's division over columns: fast where parties are many and seats few."""

import numpy as np

from fleet.model.webster import webster
from fleet.schedule.columns import Whole


def webster_columns(weights: Whole, seats: int, caps: Whole) -> Whole:
    """Webster's division of columns, from nothing.

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


def _heaviest(weights: Whole, asked: Whole, count: int) -> Whole:
    """The `count` largest weights, the earlier ones on a tie, in their old order."""
    heavy = weights[asked]
    least = np.partition(heavy, heavy.size - count)[heavy.size - count] if count else 0
    above = asked[heavy > least]
    equal = asked[heavy == least][: count - above.size]
    return np.sort(np.concatenate((above, equal)))
