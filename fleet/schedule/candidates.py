"""The feasible clusters of one workload, as columns, and who comes first."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from fleet.schedule.columns import Mask, Whole
from fleet.schedule.evaluate import Evaluator, View
from fleet.schedule.lazy import Lazy
from fleet.schedule.ledger import Where
from fleet.schedule.ranking import MOST_ROOM, ROOM_BITS, Ranking, Worth
from fleet.schedule.request import Request
from fleet.schedule.table import UNLIMITED

HEAD = 384
"""How many of the best clusters are remembered for the next workload that asks the same."""
_OUT = -(2**62)


def _any_domain(_domain: int) -> bool:
    return True


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

    def best(
        self, of: Sequence[int] | None = None, wants: Callable[[int], bool] = _any_domain
    ) -> Iterator[int]:
        """The candidates, one after the other, the best first.

        With domains (`of` has the one of each cluster): of each as long as the caller wants more of
        it; who has turned one down wants none of it later.
        """
        domain_of = of or self.request.table.together
        given: set[int] = set()
        found = self._remembered(domain_of)
        if found is not None:
            ranking, worth = found
            needed, bits, last = self.request.needed, worth.bits, worth.last
            for each in ranking.best(worth, wants, self._own(worth)):
                if (each >> bits) & MOST_ROOM >= needed:
                    place = last - (each & last)
                    given.add(place)
                    yield place
            if ranking.whole:
                return
        for place in self.order:
            if place not in given and wants(domain_of[place]):
                yield place

    def room_at(self, places: Whole) -> Whole:
        """The room of some of them."""
        if "room" not in self.__dict__:
            return self.request.ledger.room(self.request.asked, places)
        if isinstance(self.view.where, slice):
            return self.room[places]
        return self.room[np.searchsorted(self.view.where, places)]

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
        last = (1 << self._bits) - 1
        found: list[int] = (last - (np.sort(keys)[::-1] & last)).tolist()
        return found

    def _remembered(self, of: Sequence[int]) -> tuple[Ranking, Worth] | None:
        """What an earlier workload left that asked for the same; None where that does not help."""
        request, ledger = self.request, self.request.ledger
        plain = self.weights is None and self.most is UNLIMITED
        if not plain or not isinstance(request.needed, int) or request.needed > MOST_ROOM:
            return None
        lanes = ledger.lanes(request.asked)
        if lanes is None or not request.needed or not self.evaluator.remembers(request):
            return None
        scores, share = self.evaluator.scores(request), self.evaluator.share(request)
        worth = Worth(lanes, memoryview(scores.usual), share, self._bits, ledger.boundless)
        key = (id(request.asked), id(of), request.packed, scores.key)
        ranking = self.view.rankings.get(key)
        if ranking is None or not ranking.holds(ledger, HEAD // 2):
            ranking = self.view.rankings[key] = self._ranked(worth, of)
        return ranking, worth

    def _ranked(self, worth: Worth, of: Sequence[int]) -> Ranking:
        """The best of the view, whatever is needed of them and whoever asks."""
        ledger = self.request.ledger
        if self.view.listed is not None:
            worths = sorted(filter(None, map(worth.at, self.view.listed)))
            return Ranking.over(worths, worth, of, 0, ledger)
        where, floor = self.view.where, 0
        keys = self._keyed(where, self.room, self.evaluator.usual_totals(self.request, where))
        keys = keys[(self.room > 0) & ~self.view.barred[where]]
        if keys.size > 2 * HEAD:
            keys = np.partition(keys, keys.size - HEAD - 1)[keys.size - HEAD - 1 :]
            floor, keys = int(keys[0]), keys[1:]
        return Ranking.over(np.sort(keys).tolist(), worth, of, floor, ledger)

    def _own(self, worth: Worth) -> dict[int, int]:
        """What the clusters are worth to the workload where it runs."""
        request = self.request
        if not request.prior:
            return {}
        there, barred = self.evaluator.scores(request).there.data, self.view.barred
        return {
            place: worth.with_points(place, there[place])
            for place in request.prior
            if not barred[place]
        }
