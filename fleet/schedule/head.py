"""The best clusters of a view, kept from one workload to the next that asks for the same.

Nothing is put in order anew: room and points only fall while a run goes on, so that a key from
before is never too small. Who looks for the best asks again about the first of the list alone; if
it has fallen it moves down, else it is the best.
"""

from bisect import insort
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field

from fleet.schedule.columns import Plain
from fleet.schedule.ledger import Ledger, Reader

ROOM_BITS = 26
MOST_ROOM = 2**ROOM_BITS - 1
"""Rooms above this many replicas count as equal when clusters are put in order."""


@dataclass(slots=True, eq=False)
class Head:
    """The best clusters of a view, as they were when somebody looked last.

    **Shape**: `keys` has one number per cluster, sorted: points, room, and the position in the last
    bits. No cluster outside of them is better than `bound`, as long as `ledger` counts no more
    `rises`.
    """

    keys: list[int]
    bound: int
    ledger: Ledger
    rises: int

    def holds(self, ledger: Ledger) -> bool:
        """Whether nothing can have become better since."""
        return self.ledger is ledger and self.rises == ledger.rises


@dataclass(slots=True, eq=False)
class Open:
    """The domains that a walk has opened; `full`: clusters of no other are of use any more.

    **Shape**: `of` has the one domain of each cluster by its position.
    """

    of: Sequence[int]
    domains: set[int]
    full: bool = False


@dataclass(slots=True, eq=False)
class Eyes:
    """How one workload sees the clusters.

    **Shape**: `bits` of a key tell the position; `needed` is how many replicas must fit. `usual`
    are the points that stay, `barred` who is not allowed, by position; a percent of what is left
    counts `share`. `runs` are the clusters where the workload runs and sees other points, `own`
    key, room and position of those of them that it may use, sorted.
    """

    bits: int
    needed: int
    reader: Reader
    usual: Plain
    share: int
    barred: Plain
    runs: Container[int]
    own: list[tuple[int, int, int]] = field(default_factory=list)

    def now(self, place: int, points: Plain) -> tuple[int, int]:
        """The key and the room that a cluster has at this moment."""
        room, percent = self.reader.read(place)
        bits = self.bits
        key: int = (points[place] + self.share * percent) << (bits + ROOM_BITS)
        counted = room if room < MOST_ROOM else MOST_ROOM  # noqa: FURB136 - asked so often
        return key + (counted << bits) + (1 << bits) - 1 - place, room


def walk(head: Head, eyes: Eyes, inside: Open | None) -> Iterator[tuple[int, int]]:
    """Clusters with their rooms, best first, down to the bound of the head."""
    keys, bits, own, usual, barred = head.keys, eyes.bits, eyes.own, eyes.usual, eyes.barred
    last = (1 << bits) - 1
    asked: dict[int, int] = {}
    at = len(keys) - 1
    while at >= 0:
        key = keys[at]
        while own and own[-1][0] > key:
            _, room, place = own.pop()
            yield place, room
        place = last - (key & last)
        fits = (key >> bits) & MOST_ROOM >= eyes.needed
        if fits and not barred[place] and place not in eyes.runs:
            if key in asked:
                yield place, asked[key]
            else:
                now, room = eyes.now(place, usual)
                if now == key:
                    yield place, room
                else:
                    asked[now] = room
                    at = _put_down(head, at, now)
        at -= 1
        if inside is not None and inside.full:
            at = _next(keys, at, last, inside)
    while own and own[-1][0] > head.bound:
        _, room, place = own.pop()
        yield place, room


def _next(keys: Sequence[int], at: int, last: int, inside: Open) -> int:
    """The position of the next key, from `at` down, whose cluster is of use; -1: there is none."""
    of, domains = inside.of, inside.domains
    while at >= 0 and of[last - (keys[at] & last)] not in domains:
        at -= 1
    return at


def _put_down(head: Head, at: int, now: int) -> int:
    """Gives a cluster the key that it has now; below the bound it is forgotten.

    **Shape**: the position above the one that is to be looked at next.
    """
    keys = head.keys
    if now > head.bound:
        if at and keys[at - 1] > now:
            del keys[at]
            insort(keys, now)
        else:
            keys[at] = now
        return at + 1
    del keys[at]
    return at
