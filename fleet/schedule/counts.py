"""How evenly workloads lie on clusters."""

import numpy as np

from fleet.schedule.columns import Whole


def evenness(others: Whole) -> Whole:
    """100 where there is none, 0 where most are, in between in proportion.

    Source: Open Cluster Management's Balance, 2 x int(100 x (0.5 - n / most)), mapped to 0..100.

    >>> evenness(np.array([0, 1, 3])).tolist()
    [100, 66, 0]
    """
    most = int(others.max(initial=0))
    if not most:
        return np.full(len(others), 100, dtype=np.int64)
    above = 50 * most - 100 * others
    points: Whole = np.sign(above) * (np.abs(above) // most) + 50
    return points
