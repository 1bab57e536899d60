"""The feasible clusters of one workload, as columns, and who comes first."""

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from fleet.schedule.ask import Where
from fleet.schedule.columns import Mask, Whole
from fleet.schedule.evaluate import Evaluator
from fleet.schedule.head import MOST_ROOM, ROOM_BITS, Eyes, Head, Open, walk
from fleet.schedule.heavy import weights_speak
from fleet.schedule.points import Scores, totals, usual_totals
from fleet.schedule.request import Request
from fleet.schedule.table import UNLIMITED
from fleet.schedule.view import View
from fleet.schedule.weights import Weights

HEAD = 1_024
"""How many of the best clusters are remembered for the next workload that asks the same."""
_OUT = -(2**62)


class Candidates:
    """Who may run the workload; nothing is worked out before it is asked for.

    **Shape**: `fits`, `room` and `total` (points) are cut out of the table by `view.where`; `fits`
    is True where the cluster is a candidate. `weights`: static ones, of which 0 bars;
    `most` bounds what a cluster may run, and so what its room is worth.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        request: Request,
        view: View,
        weights: Weights | None = None,
        most: int | Whole = UNLIMITED,
    ) -> None:
        self.evaluator = evaluator
        self.request = request
        self.view = view
        self.weights = weights
        self.most = most
        self._room: Whole | None = None
        self._fits: Mask | None = None
        self._keys: Whole | None = None
        self._order: list[int] | None = None
        self._scores: Scores | None = None

    @property
    def room(self) -> Whole:
        """How many replicas fit."""
        if self._room is None:
            self._room = self.request.ledger.room(self.request.asked, self.view.where)
        return self._room

    @property
    def total(self) -> Whole:
        """The points."""
        return totals(self.request, self.view.where, self.scores)

    @property
    def fits(self) -> Mask:
        """Who is feasible and, where weights are static, has one."""
        if self._fits is None:
            self._fits = self._who_fits()
        return self._fits

    def _who_fits(self) -> Mask:
        where = self.view.where
        fits = ~(
            self.view.barred[where] | self.evaluator.lacks_room(self.request, where, self.room)
        )
        if self.weights is not None:
            heavy: Mask = fits & (self.weights.column[where] > 0)
            needed = self.request.needed
            asked = needed if isinstance(needed, int) else needed[where]
            return heavy if weights_speak(heavy, fits, asked) else fits
        return fits

    @property
    def places(self) -> Whole:
        """The candidates by name."""
        inside: Whole = self.fits.nonzero()[0]
        return inside if isinstance(self.view.where, slice) else self.view.where[inside]

    @property
    def size(self) -> int:
        """How many there are."""
        return int(np.count_nonzero(self.fits))

    @property
    def order(self) -> list[int]:
        """All candidates: most points first, then most room, then by name."""
        if self._order is None:
            self._order = self._best_of(self._all_keys, self.size)
        return self._order

    def merit(self, place: int) -> int:
        """Points and room of a candidate as one number: equal ones are told apart by name."""
        where = self.view.where
        at = place if isinstance(where, slice) else int(np.searchsorted(where, place))
        return int(self._all_keys[at]) >> self._bits

    @property
    def _bits(self) -> int:
        """How many bits of a key tell the position."""
        return self.request.table.size.bit_length()

    @property
    def _all_keys(self) -> Whole:
        if self._keys is None:
            keyed = self._keyed(self.view.where, self.room, self.total)
            self._keys = np.where(self.fits, keyed, _OUT)
        return self._keys

    def _keyed(self, where: Where, room: Whole, total: Whole) -> Whole:
        """One number per cluster that says it all: points, room and the name, in this order."""
        bits = self._bits
        keys: Whole = (total << (bits + ROOM_BITS)) + self.request.table.reverse[where]
        most = self.most if isinstance(self.most, int) else self.most[where]
        keys += np.minimum(room, np.minimum(most, MOST_ROOM)) << bits
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

    @property
    def scores(self) -> Scores:
        """The points that stay as they are."""
        if self._scores is None:
            self._scores = self.evaluator.scores(self.request)
        return self._scores

    def best(self, inside: Open | None = None) -> Iterator[tuple[int, int]]:
        """Candidates with their rooms in order, most preferred first; those `inside` what is open.

        No more is worked out than is asked for.
        """
        if not self._is_plain:
            room = self.room_of
            return ((place, room(place)) for place in self.order)
        if self.view.listed is not None:
            return iter(self._few(self.view.listed))
        shared = self.view.is_wide if inside is None else self.view.is_most
        head = self._remembered(shared=shared)
        found = walk(head, self._eyes(), inside)
        return chain(found, self._below(head.bound)) if head.bound > _OUT else found

    @property
    def _is_plain(self) -> bool:
        """Whether one number for all says who is feasible, and all points only fall."""
        most, needed = self.most, self.request.needed
        if self.weights is not None or self._order is not None or not isinstance(needed, int):
            return False
        bounded = not isinstance(most, int) or most < UNLIMITED
        return not bounded and needed <= MOST_ROOM and self.scores.falls

    def room_of(self, place: int) -> int:
        """How many replicas fit on a cluster."""
        return int(self.request.room[place])

    def _few(self, places: Sequence[int]) -> list[tuple[int, int]]:
        """The order of a handful of clusters, in plain numbers."""
        request, needed = self.request, self.request.needed
        usual, there = self.scores.usual.data, self.scores.there.data
        rooms = request.ledger.rooms(request.asked, places)
        share = self.scores.share if request.spreads_load else 0
        percents = request.ledger.percents(request.asked, places) if share else [0] * len(places)
        keys = []
        for place, room, percent in zip(places, rooms, percents, strict=True):
            if room >= needed:
                points = there[place] if place in request.prior else usual[place]
                keys.append((-points - share * percent, -min(room, MOST_ROOM), place, room))
        return [(place, room) for _, _, place, room in sorted(keys)]

    def _below(self, bound: int) -> Iterator[tuple[int, int]]:
        """All candidates that are no better than what a head remembers."""
        keys = self._all_keys
        rest = keys[(keys > _OUT) & (keys <= bound)]
        for place in self._best_of(rest, rest.size):
            yield place, self.room_of(place)

    def _eyes(self) -> Eyes:
        """How the workload sees the clusters of the view."""
        request, scores = self.request, self.scores
        prior, needed = request.prior, request.need_at(0)
        share = scores.share if request.spreads_load else 0
        read = request.ledger.reader(request.asked)
        barred = self.view.barred.data
        eyes = Eyes(self._bits, needed, read, scores.usual.data, share, barred, prior)
        if prior:
            allowed = [place for place in prior if not barred[place]]
            found = [(*eyes.now(place, scores.there.data), place) for place in allowed]
            eyes.own = sorted([each for each in found if each[1] >= needed])
        return eyes

    def _remembered(self, *, shared: bool) -> Head:
        """The best of the view, or of all, whatever is needed of them and whoever asks."""
        request = self.request
        heads = self.evaluator.heads if shared else self.view.heads
        key = (id(request.asked), request.packed, self.scores.key)
        head = heads.get(key)
        if head is None or not head.holds(request.ledger):
            head = heads[key] = self._head(slice(None) if shared else self.view.places)
        return head

    def _head(self, where: Where) -> Head:
        """The best of some clusters as they are now."""
        ledger = self.request.ledger
        room = ledger.room(self.request.asked, where)
        keys = self._keyed(where, room, usual_totals(self.request, where, self.scores))
        bound = _OUT
        if keys.size > HEAD:
            keys = np.partition(keys, keys.size - HEAD - 1)[keys.size - HEAD - 1 :]
            bound, keys = int(keys[0]), keys[1:]
        keys.sort()
        return Head(keys.tolist(), bound, ledger, ledger.rises)
