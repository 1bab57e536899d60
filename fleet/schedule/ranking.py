"""The best clusters of a view, remembered from one workload to the next that asks for the same."""

from bisect import insort
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heapreplace

from fleet.schedule.ledger import Lane, Ledger

ROOM_BITS = 26
MOST_ROOM = 2**ROOM_BITS - 1
"""Rooms above this many replicas count as equal when clusters are put in order."""
_ALL = 100


@dataclass(slots=True, eq=False)
class Worth:
    """What a cluster is worth to a request, now, as one number: points, then room, then the name.

    **Shape**: `lanes` has for each resource what is left, how much of the whole that is in percent,
    and the amount that a replica asks for. `points` are those that stay as they are; each percent
    of the scarcest resource counts `share`. The lowest `bits` tell the position: `last` less that.
    `boundless` (None: no cluster) is True where nothing bounds the room.
    """

    lanes: Sequence[Lane]
    points: Sequence[int]
    share: int
    bits: int
    boundless: Sequence[bool] | None
    last: int = field(init=False)

    def __post_init__(self) -> None:
        self.last = (1 << self.bits) - 1

    def at(self, place: int) -> int:
        """The worth of a cluster; 0 where nothing fits."""
        return self.with_points(place, self.points[place])

    def with_points(self, place: int, points: int) -> int:
        """The same for other points than the usual."""
        room, percent = MOST_ROOM, _ALL
        if self.boundless is None or not self.boundless[place]:
            for left, percents, amount in self.lanes:
                fits, part = left[place] // amount, percents[place]
                if fits < room:
                    room = fits
                if part < percent:
                    percent = part
            if room <= 0:
                return 0
        total = points + self.share * percent
        return (((total << ROOM_BITS) + room) << self.bits) + self.last - place


@dataclass(slots=True, eq=False)
class Ranking:
    """The clusters of a view by what they were worth once, the best of each domain last.

    While the ledger counts no more `rises` what a cluster is worth only falls. A number that is out
    of date is then too large, so that it is found, and moved down, when its cluster comes first.

    **Shape**: `worths` by domain, ascending, `size` of them; `of` has the domain of each cluster.
    All are above `floor`, and nobody who is left out is.
    """

    worths: Mapping[int, list[int]]
    size: int
    of: Sequence[int]
    floor: int
    ledger: Ledger
    rises: int

    @classmethod
    def over(
        cls, worths: list[int], worth: Worth, of: Sequence[int], floor: int, ledger: Ledger
    ) -> "Ranking":
        """A ranking of clusters. **Shape**: `worths` ascending."""
        by_domain: dict[int, list[int]] = {}
        last = worth.last
        for each in worths:
            domain = of[last - (each & last)]
            if domain in by_domain:
                by_domain[domain].append(each)
            else:
                by_domain[domain] = [each]
        return cls(by_domain, len(worths), of, floor, ledger, ledger.rises)

    @property
    def whole(self) -> bool:
        """Whether nobody with room was left out."""
        return not self.floor

    def holds(self, ledger: Ledger, enough: int) -> bool:
        """Whether nothing can have become better since, and enough are left of a short list."""
        same = self.ledger is ledger and self.rises == ledger.rises
        return same and (self.whole or self.size >= enough)

    def best(
        self, worth: Worth, wants: Callable[[int], bool], own: Mapping[int, int]
    ) -> Iterator[int]:
        """The worth of one cluster after the other, the best first; not of those left out.

        Of a domain as long as the caller wants more of it; who has turned one down wants none of it
        later. `own` has what clusters are worth to this workload that all others see with other
        eyes.
        """
        last = worth.last
        rest = {domain: len(worths) for domain, worths in self.worths.items()}
        tops = [-worths[-1] for worths in self.worths.values() if worths]
        tops += [-each for each in own.values() if each]
        heapify(tops)
        pending = dict(own)
        while tops:
            known = -tops[0]
            place = last - (known & last)
            domain = self.of[place]
            if not wants(domain):
                heappop(tops)
            elif pending.get(place) == known:
                del pending[place]
                heappop(tops)
                yield known
            else:
                if place in own or (now := worth.at(place)) == known:
                    rest[domain] -= 1
                    if place not in own:
                        yield known
                elif not self._corrected(domain, rest[domain] - 1, now):
                    rest[domain] -= 1
                if rest[domain]:
                    heapreplace(tops, -self.worths[domain][rest[domain] - 1])
                else:
                    heappop(tops)

    def _corrected(self, domain: int, position: int, now: int) -> bool:
        """Moves a cluster down to what it is worth now; False where it is left out from now on."""
        worths = self.worths[domain]
        del worths[position]
        if now > self.floor:
            insort(worths, now, 0, position)
            return True
        self.size -= 1
        return False
