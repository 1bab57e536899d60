"""How many workloads use each cluster, and the points for the clusters that few of them use."""

from collections.abc import Collection, Sequence

import numpy as np

from fleet.schedule.columns import Whole
from fleet.schedule.plugin import Scorer
from fleet.schedule.request import Request

_HALF, _FULL = 50, 100


def by_fewest(counts: Whole) -> Whole:
    """100 where no other workload is, 0 where most are; rounded towards 50.

    Source: Open Cluster Management's Balance, whose -100..100 is mapped to 0..100.

    >>> by_fewest(np.array([1, 0, 0])).tolist(), by_fewest(np.array([3, 1, 2])).tolist()
    ([0, 100, 100], [0, 66, 34])
    """
    most = int(counts.max(initial=0))
    if not most:
        return np.full(len(counts), _FULL, dtype=np.int64)
    above = _HALF * most - _FULL * counts
    points: Whole = _HALF + np.sign(above) * (np.abs(above) // most)
    return points


class Crowd:
    """The clusters of all workloads as the run goes, and as they were at any earlier moment.

    A workload is where the last update placed it until its turn, then where it was decided to be.
    Nothing is copied per workload: one row of numbers goes forward and back over the turns.

    **Shape**: a turn is a position in `running`, which has clusters by their position in the table.
    """

    def __init__(self, size: int, running: Sequence[Collection[int]]) -> None:
        self._running = running
        self._decided: dict[int, tuple[int, ...]] = {}
        self._counts = np.zeros(size, dtype=np.int64)
        self._turn = -1
        for places in running:
            self._count(places, 1)

    def decide(self, turn: int, places: Collection[int]) -> None:
        """Notes where a workload is from its turn on; called while it is its turn, or before."""
        if turn < self._turn:
            self._count(self._decided.get(turn, ()), -1)
            self._count(places, 1)
        self._decided[turn] = tuple(places)

    def besides(self, turn: int) -> Whole:
        """How many other workloads use each cluster when the workload of that turn is decided."""
        while self._turn < turn:
            self._count(self._decided.get(self._turn, ()), 1)
            self._turn += 1
            self._count(self._running[self._turn], -1)
        while self._turn > turn:
            self._count(self._running[self._turn], 1)
            self._turn -= 1
            self._count(self._decided.get(self._turn, ()), -1)
        return self._counts.copy()

    def _count(self, places: Collection[int], sign: int) -> None:
        self._counts[list(places)] += sign


def _few(request: Request) -> Whole:
    return by_fewest(request.others())


FEW = Scorer("few-workloads", _few)
