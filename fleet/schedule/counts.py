"""How many workloads each cluster has, as the run goes."""

from collections.abc import Iterable

import numpy as np

from fleet.schedule.columns import Whole


class Counts:
    """Counts the workloads on each cluster; goes forward and back like the ledger.

    **Shape**: `others` has one entry per cluster: all workloads but the one whose turn it is,
    those before it as they were decided, those after it as the last update left them.
    """

    def __init__(self, size: int) -> None:
        self.others: Whole = np.zeros(size, dtype=np.int64)

    def add(self, places: Iterable[int]) -> None:
        """A workload is on these clusters."""
        self.others[list(places)] += 1

    def remove(self, places: Iterable[int]) -> None:
        """A workload is on these clusters no more."""
        self.others[list(places)] -= 1


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
