"""The feasible clusters of one workload, as columns, and who comes first."""

from dataclasses import dataclass

import numpy as np

from fleet.schedule.columns import Mask, Whole
from fleet.schedule.evaluate import Evaluator, View
from fleet.schedule.lazy import Lazy
from fleet.schedule.ledger import Ledger, Where
from fleet.schedule.request import Request
from fleet.schedule.table import UNLIMITED

HEAD = 192
"""How many of the best clusters are remembered for the next workload that asks the same."""
_ROOM_BITS = 26
_MOST_ROOM = 2**_ROOM_BITS - 1
"""Rooms above this many replicas count as equal when clusters are put in order."""
_OUT = -(2**62)


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """The best clusters of a view, as they were once.

    Room and points only fall as long as `ledger` counts no more `rises`, so that a cluster outside
    of `places` is never better than `bound`.
    """

    places: Whole
    bound: int
    ledger: Ledger
    rises: int

    def holds(self, ledger: Ledger) -> bool:
        """Whether nothing can have become better since."""
        return self.ledger is ledger and self.rises == ledger.rises


@dataclass(eq=False)
class Candidates:
    """Who may run the workload; nothing is worked out before it is asked for.

    **Shape**: `fits`, `room` and `total` (points) are cut out of the table by `view.where`; `fits`
    is True where the cluster is a candidate. `weights`: static ones, of which 0 bars;
    `most` bounds what a cluster may run, and so what its room is worth.
    """

    evaluator: Evaluator
    request: Request
    view: View
    weights: Whole | None = None
    most: int | Whole = UNLIMITED

    @Lazy
    def room(self) -> Whole:
        """How many replicas fit."""
        return self.request.ledger.room(self.request.asked, self.view.where)

    @Lazy
    def total(self) -> Whole:
        """The points."""
        return self.evaluator.totals(self.request, self.view.where)

    @Lazy
    def fits(self) -> Mask:
        """Who is feasible and, where weights are static, has one."""
        where = self.view.where
        fits = ~(
            self.view.barred[where] | self.evaluator.lacks_room(self.request, where, self.room)
        )
        if self.weights is not None:
            heavy: Mask = fits & (self.weights[where] > 0)
            return heavy if np.count_nonzero(heavy) else fits
        return fits

    @Lazy
    def places(self) -> Whole:
        """The candidates by name."""
        inside: Whole = self.fits.nonzero()[0]
        return inside if isinstance(self.view.where, slice) else self.view.where[inside]

    @Lazy
    def size(self) -> int:
        """How many there are."""
        return int(np.count_nonzero(self.fits))

    @Lazy
    def order(self) -> list[int]:
        """All candidates: most points first, then most room, then by name."""
        return self._best_of(self._keys, self.size)

    def has(self, count: int) -> bool:
        """Whether there are so many."""
        return len(self._remembered) >= count or self.size >= count

    def first(self, count: int) -> list[int]:
        """The best of them, in order: at least `count`, or all."""
        if len(self._remembered) >= count:
            return self._remembered
        return self.order if count >= self.size else self._best_of(self._keys, count)

    def room_at(self, places: Whole) -> Whole:
        """The room of some of them."""
        if "room" not in self.__dict__:
            return self.request.ledger.room(self.request.asked, places)
        if isinstance(self.view.where, slice):
            return self.room[places]
        return self.room[np.searchsorted(self.view.where, places)]

    @Lazy
    def _keys(self) -> Whole:
        return np.where(self.fits, self._keyed(self.view.where, self.room, self.total), _OUT)

    def _keyed(self, where: Where, room: Whole, total: Whole) -> Whole:
        """One number per cluster that says it all: points, room and the name, in this order."""
        bits = self.request.table.size.bit_length()
        keys: Whole = (total << (bits + _ROOM_BITS)) + self.request.table.reverse[where]
        most = self.most if isinstance(self.most, int) else self.most[where]
        keys += np.minimum(room, np.minimum(most, _MOST_ROOM)) << bits
        return keys

    def _best_of(self, keys: Whole, count: int) -> list[int]:
        """The positions of the largest keys, largest first."""
        if not count:
            return []
        if count < keys.size:
            keys = np.partition(keys, keys.size - count)[keys.size - count :]
        last = (1 << self.request.table.size.bit_length()) - 1
        found: list[int] = (last - (np.sort(keys)[::-1] & last)).tolist()
        return found

    @Lazy
    def _remembered(self) -> list[int]:
        """The best of them for certain, from what an earlier workload left; may be none."""
        request = self.request
        plain = self.weights is None and self.most is UNLIMITED
        if not self.view.wide or request.prior or not plain:
            return []
        if not self.evaluator.remembers(request):
            return []
        key = (id(request.asked), request.packed, self.evaluator.reads_of_scorers(request))
        head = self.view.heads.get(key)
        if head is None or not head.holds(request.ledger):
            self.view.heads[key] = self._head()
            return []
        room = request.ledger.room(request.asked, head.places)
        total = self.evaluator.totals(request, head.places)
        keys = self._keyed(head.places, room, total)
        keys = keys[(keys > head.bound) & (room >= request.needed)]
        if keys.size < HEAD // 2:
            del self.view.heads[key]
        return self._best_of(keys, keys.size)

    def _head(self) -> Head:
        """The best of the view, whatever is needed of them."""
        where = self.view.where
        keys = self._keyed(where, self.room, self.total)
        keys = np.where(self.view.barred[where], _OUT, keys)
        parted = np.partition(keys, keys.size - HEAD - 1)[keys.size - HEAD - 1 :]
        best = self._best_of(parted[1:], HEAD)
        places = np.sort(np.array(best, dtype=np.int64))
        ledger = self.request.ledger
        return Head(places, int(parted[0]), ledger, ledger.rises)
