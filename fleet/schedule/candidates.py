"""The feasible clusters of one workload, as columns, and who comes first."""

from dataclasses import dataclass, field, replace

import numpy as np

from fleet.schedule.columns import Mask, Whole
from fleet.schedule.evaluate import Evaluator
from fleet.schedule.ledger import Where
from fleet.schedule.request import Request

_ROOM_BITS = 26
_MOST_ROOM = 2**_ROOM_BITS - 1
"""Rooms above this many replicas count as equal when clusters are put in order."""
_OUT = -(2**62)
_NOBODY = np.zeros(0, dtype=np.int64)


@dataclass(slots=True, eq=False)
class Candidates:
    """Who may run the workload.

    **Shape**: `room` and `total` (points) are cut out of the table by `where`, and `fits` is True
    where the cluster is a candidate; `size` counts those. `short` are the
    positions of allowed clusters that lack room.
    """

    where: Where
    fits: Mask
    room: Whole
    total: Whole
    table_size: int
    size: int
    short: Whole
    _keys: Whole | None = field(default=None, repr=False)
    _order: list[int] | None = field(default=None, repr=False)

    @property
    def places(self) -> Whole:
        """The candidates by name."""
        return _positions(self.where, self.fits)

    @property
    def rooms(self) -> Whole:
        """How many replicas fit on each of `places`."""
        return self.room[self.fits]

    def order(self) -> list[int]:
        """All candidates: most points first, then most room, then by name."""
        if self._order is None:
            self._order = self.first(self.size)
        return self._order

    def first(self, count: int) -> list[int]:
        """The best of them, in order."""
        if self._order is not None:
            return self._order[:count]
        count = min(count, self.size)
        if not count:
            return []
        keys = self._sortable()
        if count < keys.size:
            keys = np.partition(keys, keys.size - count)[keys.size - count :]
        best = np.sort(keys)[::-1]
        found: list[int] = (self._last - (best & self._last)).tolist()
        return found

    def without(self, out: Mask) -> "Candidates":
        """The same, less some; `out` is cut as `fits`."""
        fits = self.fits & ~out
        size = int(np.count_nonzero(fits))
        return replace(self, fits=fits, size=size, _keys=None, _order=None)

    def room_at(self, places: Whole) -> Whole:
        """The room of some of them."""
        if isinstance(self.where, slice):
            return self.room[places]
        return self.room[np.searchsorted(self.where, places)]

    @property
    def _last(self) -> int:
        """The lowest bits of a key, all set."""
        last: int = (1 << self.table_size.bit_length()) - 1
        return last

    def _sortable(self) -> Whole:
        """One number per cluster that says it all: points, room and the name, in this order."""
        if self._keys is None:
            bits = self.table_size.bit_length()
            places = np.arange(self.table_size)[self.where]
            keys = (self.total << (bits + _ROOM_BITS)) + (self._last - places)
            keys += np.minimum(self.room, _MOST_ROOM) << bits
            self._keys = np.where(self.fits, keys, _OUT)
        return self._keys


def candidates_of(evaluator: Evaluator, request: Request) -> Candidates:
    """The clusters that no filter bars."""
    seen = evaluator.view(request)
    where = seen.where
    room = request.ledger.room(request.asked, where)
    fits = ~seen.barred[where]
    lacks = evaluator.lacks_room(request, where, room) & fits
    short = _positions(where, lacks) if np.count_nonzero(lacks) else _NOBODY
    fits &= ~lacks
    return Candidates(
        where,
        fits,
        room,
        evaluator.totals(request, where),
        request.table.size,
        int(np.count_nonzero(fits)),
        short,
    )


def _positions(where: Where, mask: Mask) -> Whole:
    """The positions in the table of what a mask over a cut picks."""
    inside: Whole = mask.nonzero()[0]
    return inside if isinstance(where, slice) else where[inside]
