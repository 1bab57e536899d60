"""The feasible clusters of one workload, as columns, and who comes first."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fleet.schedule.columns import Mask, Whole
from fleet.schedule.evaluate import Evaluator
from fleet.schedule.heavy import weights_speak
from fleet.schedule.lazy import Lazy
from fleet.schedule.ledger import Ledger, Where
from fleet.schedule.points import Scores, totals, usual_totals
from fleet.schedule.request import Request
from fleet.schedule.table import UNLIMITED
from fleet.schedule.view import View

HEAD = 384
"""How many of the best clusters are remembered for the next workload that asks the same."""
_OUT = -(2**62)
_ROOM_BITS = 26
_MOST_ROOM = 2**_ROOM_BITS - 1
"""Rooms above this many replicas count as equal when clusters are put in order."""


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """The best clusters of a view, as they were once.

    Room and points only fall as long as `ledger` counts no more `rises`, so that a cluster outside
    of `places` (sorted) is never better than `bound`.
    """

    places: Whole
    bound: int
    ledger: Ledger
    rises: int

    def holds(self, ledger: Ledger) -> bool:
        """Whether nothing can have become better since."""
        return self.ledger is ledger and self.rises == ledger.rises

    def with_those(self, others: list[int]) -> Whole:
        """The places, and some others that may be among them."""
        if not others:
            return self.places
        more = np.array(others, dtype=np.int64)
        at = np.minimum(np.searchsorted(self.places, more), self.places.size - 1)
        return np.concatenate((self.places, more[self.places[at] != more]))


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
        return totals(self.request, self.view.where, self.scores)

    @Lazy
    def fits(self) -> Mask:
        """Who is feasible and, where weights are static, has one."""
        where = self.view.where
        fits = ~(
            self.view.barred[where] | self.evaluator.lacks_room(self.request, where, self.room)
        )
        if self.weights is not None:
            heavy: Mask = fits & (self.weights[where] > 0)
            needed = self.request.needed
            asked = needed if isinstance(needed, int) else needed[where]
            return heavy if weights_speak(heavy, fits, asked) else fits
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

    def merit(self, place: int) -> int:
        """Points and room of a candidate as one number: equal ones are told apart by name."""
        where = self.view.where
        at = place if isinstance(where, slice) else int(np.searchsorted(where, place))
        return int(self._keys[at]) >> self._bits

    @property
    def _bits(self) -> int:
        """How many bits of a key tell the position."""
        return self.request.table.size.bit_length()

    @Lazy
    def _keys(self) -> Whole:
        return np.where(self.fits, self._keyed(self.view.where, self.room, self.total), _OUT)

    def _keyed(self, where: Where, room: Whole, total: Whole) -> Whole:
        """One number per cluster that says it all: points, room and the name, in this order."""
        bits = self._bits
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
        found: list[int] = self._places_of(np.sort(keys)[::-1]).tolist()
        return found

    def _places_of(self, keys: Whole) -> Whole:
        """Whose keys they are."""
        last = (1 << self._bits) - 1
        places: Whole = last - (keys & last)
        return places

    @Lazy
    def scores(self) -> Scores:
        """The points that stay as they are."""
        return self.evaluator.scores(self.request)

    @Lazy
    def head(self) -> Sequence[int]:
        """The best of them for certain, in order: all, or at least some of many."""
        plain = self.weights is None and self.most is UNLIMITED
        if "order" in self.__dict__ or not plain or not self.scores.falls:
            return self.order
        if self.view.listed is not None:
            found = self._few(self.view.listed)
        elif self.view.wide:
            return self._remembered()
        else:
            keys = self._keys_at(self.view.places)
            found = self._best_of(keys, keys.size)
        self.__dict__["order"] = found
        return found

    @property
    def has_more(self) -> bool:
        """Whether there may be others than those of the head."""
        return "order" not in self.__dict__

    def _few(self, places: Sequence[int]) -> list[int]:
        """The order of a handful of clusters, in plain numbers."""
        request, needed = self.request, self.request.needed
        usual, there = self.scores.usual.data, self.scores.there.data
        rooms = request.ledger.rooms(request.asked, places)
        share = self.scores.share if request.spreads_load else 0
        percents = request.ledger.percents(request.asked, places) if share else [0] * len(places)
        keys = []
        for place, room, percent in zip(places, rooms, percents, strict=True):
            if room >= (needed if isinstance(needed, int) else needed[place]):
                points = there[place] if place in request.prior else usual[place]
                keys.append((-points - share * percent, -min(room, _MOST_ROOM), place))
        return [place for _, _, place in sorted(keys)]

    def _remembered(self) -> list[int]:
        """From what an earlier workload left that asked for the same."""
        request = self.request
        key = (id(request.asked), request.packed, self.scores.key)
        head = self.view.heads.get(key)
        if head is None or not head.holds(request.ledger):
            head = self.view.heads[key] = self._head()
        keys = self._keys_at(head.with_those(self._own()), head.bound)
        if keys.size < HEAD // 2:
            del self.view.heads[key]
        return self._best_of(keys, keys.size)

    def _own(self) -> list[int]:
        """The allowed clusters where the workload runs: there it sees with other eyes."""
        prior, barred = self.request.prior, self.view.barred
        return [place for place in prior if not barred[place]] if prior else []

    def _keys_at(self, where: Whole, bound: int = _OUT) -> Whole:
        """The keys of feasible clusters among those, as far as they are above a bound."""
        request = self.request
        room = request.ledger.room(request.asked, where)
        keys = self._keyed(where, room, totals(request, where, self.scores))
        needed = request.needed if isinstance(request.needed, int) else request.needed[where]
        found: Whole = keys[(room >= needed) & (keys > bound)]
        return found

    def _head(self) -> Head:
        """The best of the view, whatever is needed of them and whoever asks."""
        where, ledger = self.view.places, self.request.ledger
        room = ledger.room(self.request.asked, where)
        keys = self._keyed(where, room, usual_totals(self.request, where, self.scores))
        parted = np.partition(keys, keys.size - HEAD - 1)[keys.size - HEAD - 1 :]
        return Head(np.sort(self._places_of(parted[1:])), int(parted[0]), ledger, ledger.rises)
