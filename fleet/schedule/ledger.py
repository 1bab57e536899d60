"""What is left of every cluster as the run goes, and as it was at any earlier moment."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from fleet.schedule.ask import Ask, Row, Where, ask_of
from fleet.schedule.columns import Whole
from fleet.schedule.nodes import Claim, Nodes
from fleet.schedule.table import PODS, UNLIMITED, Table

Amount = TypeVar("Amount", np.int64, np.int8)

_ALL = 100
HANDFUL = 24
"""Up to so many clusters plain numbers are quicker than columns."""


@dataclass(slots=True, eq=False)
class Taken:
    """So many replicas on so many clusters.

    **Shape**: `places` are positions in the table, sorted; `counts` has the replicas of each, above
    0. Both are lists where they are a handful, else columns.
    """

    places: list[int] | Whole = field(default_factory=list)
    counts: list[int] | Whole = field(default_factory=list)

    @classmethod
    def of(cls, replicas: Mapping[int, int]) -> "Taken":
        """The replicas by position; a cluster without replicas is left out."""
        some = sorted((place, count) for place, count in replicas.items() if count)
        return cls([place for place, _ in some], [count for _, count in some]) if some else _NONE

    @property
    def size(self) -> int:
        """How many clusters there are."""
        return len(self.places)

    def pairs(self) -> Iterable[tuple[int, int]]:
        """The replicas of each place."""
        return zip(_plain(self.places), _plain(self.counts), strict=True)

    def columns(self) -> tuple[Whole, Whole]:
        """Places and replicas."""
        return np.asarray(self.places, dtype=np.int64), np.asarray(self.counts, dtype=np.int64)

    def as_map(self) -> dict[int, int]:
        """The replicas by position."""
        return dict(self.pairs())


def _plain(numbers: list[int] | Whole) -> list[int]:
    return numbers if isinstance(numbers, list) else numbers.tolist()


_NONE = Taken()


@dataclass(slots=True)
class Account:
    """What one workload holds: `reserved` for its prior until its turn, `charged` from then on."""

    ask: Ask
    reserved: Taken = _NONE
    charged: Taken = _NONE


class Ledger:
    """Capacity as each workload finds it in its turn.

    Nothing is copied per workload: the ledger is one grid and the list of what was taken, and it
    goes forward and back along that list. An explanation that is asked for later therefore sees
    the capacity of the moment of the decision.
    """

    def __init__(self, table: Table, *, deducts: bool) -> None:
        self._table = table
        self._deducts = deducts
        self._accounts: list[Account] = []
        self._left = table.free.copy()
        self._whole = np.maximum(table.allocatable, 1)
        grids = zip(self._left, self._whole, strict=True)
        self._rows = [Row(left.data, whole.data) for left, whole in grids]
        self._asks: dict[int, Ask] = {}
        self.rises = 0
        """Counts the moments at which some cluster came to have more room than before."""
        self._turn = -1
        self._uncounted = not table.counted.all()
        self.nodes = Nodes(table.clusters)
        self._others: tuple[int, Whole] | None = None
        self._undeclared = None if table.declared.all() else ~table.declared

    def open(self, request: Mapping[str, int], kept: Mapping[int, int]) -> None:
        """Adds the account of the next workload; reserves of `kept` what is still there."""
        account = Account(self._ask(request))
        self._accounts.append(account)
        if self._deducts and kept:
            self.nodes.make_room((len(self._accounts) - 1, request, kept))
            rooms = self.rooms(request, list(kept))
            fits = [min(count, most) for count, most in zip(kept.values(), rooms, strict=True)]
            account.reserved = Taken.of(dict(zip(kept, fits, strict=True)))
            self._move(account.ask, account.reserved, -1)
            self.nodes.hold(self._claim(len(self._accounts) - 1, account.reserved))

    def seek(self, turn: int) -> None:
        """Makes the capacity what the workload of that turn finds; its own prior counts as free."""
        while self._turn < turn:
            self._leave_forward()
        while self._turn > turn:
            self._leave_back()

    def charge(self, taken: Taken) -> None:
        """Notes what the workload whose turn it is takes."""
        if self._deducts:
            account = self._accounts[self._turn]
            account.charged = taken
            if self.nodes.listed:
                self.nodes.forget_after(self._turn)
            if account.reserved.size and (self.nodes.listed or _is_less(taken, account.reserved)):
                self.rises += 1  # also where the same is packed onto nodes in another way

    def reserved(self, turn: int) -> Taken:
        """What is set aside for a workload until its turn."""
        return self._accounts[turn].reserved

    def charged(self, turn: int) -> Taken:
        """What a workload took in its turn."""
        return self._accounts[turn].charged

    def room(self, request: Mapping[str, int], where: Where = slice(None)) -> Whole:
        """How many replicas fit on each cluster now; UNLIMITED where nothing bounds them."""
        ask = self._ask(request)
        if ask.amounts is None or ask.unlisted:
            each = 0 if ask.unlisted else UNLIMITED
            room = np.full(self._table.size, each, dtype=np.int64)[where]
        else:
            room = _cut(self._left, ask.rows, where) // ask.amounts
            room = np.minimum.reduce(room, axis=0)
        if self._undeclared is not None:
            room[self._undeclared[where]] = UNLIMITED
        return np.minimum(room, self.nodes.room(request)[where]) if self.nodes.listed else room

    def others(self) -> Whole:
        """How many workloads each cluster has, but for the one whose turn it is.

        Those before it as they were decided, those after it as the last update left them. Counted
        on from the turn at which somebody asked last.
        """
        turn, counts = self._others or (self._turn, self._counted_anew())
        while turn < self._turn:
            counts[self._accounts[turn].charged.places] += 1
            turn += 1
            counts[self._accounts[turn].reserved.places] -= 1
        while turn > self._turn:
            counts[self._accounts[turn].reserved.places] += 1
            turn -= 1
            counts[self._accounts[turn].charged.places] -= 1
        self._others = turn, counts
        return counts

    def _counted_anew(self) -> Whole:
        counts = np.zeros(self._table.size, dtype=np.int64)
        for turn, account in enumerate(self._accounts):
            if turn < self._turn:
                counts[account.charged.places] += 1
            elif turn > self._turn:
                counts[account.reserved.places] += 1
        return counts

    def _claim(self, turn: int, taken: Taken) -> Claim:
        """What a workload claims of nodes; nothing is made of it where none are listed."""
        return turn, self._accounts[turn].ask.request, taken.as_map() if self.nodes.listed else {}

    def rooms(self, request: Mapping[str, int], places: Sequence[int]) -> list[int]:
        """The room of a handful of clusters, as plain numbers."""
        ask = self._ask(request)
        if not self._is_plain(ask):
            found: list[int] = self.room(request, np.array(places, dtype=np.int64)).tolist()
            return found
        first, *others = ask.plain
        left, amount = first.left, first.amount
        rooms = [left[place] // amount for place in places]
        for left, _, amount in others:
            rooms = [
                fits if (more := left[place] // amount) > fits else more
                for place, fits in zip(places, rooms, strict=True)
            ]
        return rooms

    def reader(self, request: Mapping[str, int]) -> "Reader":
        """What tells of one cluster after the other how much is left."""
        ask = self._ask(request)
        return Reader(self, request, ask.plain if self._is_plain(ask) else ())

    def percents(self, request: Mapping[str, int], places: Sequence[int]) -> list[int]:
        """The same as `free_percent` of a handful of clusters, as plain numbers."""
        ask = self._ask(request)
        if self._is_plain(ask):
            rows = ask.plain
            scarcest = [
                min([left[place] * _ALL // whole[place] for left, whole, _ in rows])
                for place in places
            ]
            return [max(each, 0) for each in scarcest]
        found: list[int] = self.free_percent(request, np.array(places, dtype=np.int64)).tolist()
        return found

    def _is_plain(self, ask: Ask) -> bool:
        """Whether there is no more to an answer than the rows of the grid."""
        return not (
            ask.unlisted or ask.amounts is None or self._undeclared is not None or self.nodes.listed
        )

    def free_percent(
        self, request: Mapping[str, int], where: Where = slice(None)
    ) -> NDArray[np.int8]:
        """What is left of the requested resource that is scarcest, in percent of allocatable."""
        ask = self._ask(request)
        if ask.amounts is None or ask.unlisted:
            each = 0 if ask.unlisted else _ALL
            share = np.full(self._table.size, each, dtype=np.int8)[where]
        else:
            left, whole = (_cut(grid, ask.rows, where) for grid in (self._left, self._whole))
            share = np.minimum.reduce(_percent(left, whole), axis=0)
        if self._undeclared is not None:
            share[self._undeclared[where]] = _ALL
        return share

    def left(self, resource: str) -> Whole:
        """What is left of a resource on each cluster; 0 where it is not listed."""
        row = self._table.row.get(resource)
        if row is not None:
            left: Whole = self._left[row]
            return left
        return np.full(self._table.size, UNLIMITED if resource == PODS else 0, dtype=np.int64)

    def _leave_forward(self) -> None:
        """From one workload's turn to the next: it takes what it was given."""
        turn = self._turn
        if turn >= 0:
            left = self._accounts[turn]
            self._move(left.ask, left.charged, -1)
        self._turn += 1
        comes = self._accounts[self._turn]
        self._move(comes.ask, comes.reserved, 1)
        if self.nodes.listed:
            leaves = self._claim(turn, self._accounts[turn].charged) if turn >= 0 else None
            self.nodes.forward(leaves, self._claim(self._turn, comes.reserved))

    def _leave_back(self) -> None:
        """From one workload's turn to the one before."""
        self.rises += 1
        left = self._accounts[self._turn]
        self._move(left.ask, left.reserved, -1)
        if self.nodes.listed:
            self.nodes.back(self._turn)
        self._turn -= 1
        comes = self._accounts[self._turn]
        self._move(comes.ask, comes.charged, 1)

    def _ask(self, request: Mapping[str, int]) -> Ask:
        """A request in terms of the table; kept, because many workloads ask for the same."""
        found = self._asks.get(id(request))
        if found is None or found.request is not request:
            found = self._asks[id(request)] = ask_of(request, self._table, self._rows)
        return found

    def _move(self, ask: Ask, taken: Taken, sign: int) -> None:
        """Gives back (+1) or takes (-1) what so many replicas ask for."""
        if ask.column is None or not taken.size:
            return
        if taken.size <= HANDFUL and not self._uncounted:
            self._move_handful(ask, taken, sign)
            return
        places, counts = taken.columns()
        moved = ask.column * (sign * counts)
        if self._uncounted:
            moved *= self._table.counted[:, places]
        self._left[:, places] += moved

    def _move_handful(self, ask: Ask, taken: Taken, sign: int) -> None:
        """The same in plain numbers: a call of numpy costs more than a handful of these."""
        pairs = list(taken.pairs())
        for left, _, amount in ask.plain:
            step = sign * amount
            for place, count in pairs:
                left[place] += step * count


@dataclass(slots=True, eq=False)
class Reader:
    """What is left of one cluster after the other, for one request.

    **Shape**: `rows` of the grid that count; none where there is more to an answer than these.
    """

    ledger: Ledger
    request: Mapping[str, int]
    rows: tuple[Row, ...]

    def read(self, place: int) -> tuple[int, int]:
        """The room of a cluster, and what is left of the scarcest resource in percent."""
        if not self.rows:
            (room,) = self.ledger.rooms(self.request, (place,))
            (percent,) = self.ledger.percents(self.request, (place,))
            return room, percent
        room, scarcest = UNLIMITED, _ALL
        for left, whole, amount in self.rows:
            free = left[place]
            fits, percent = free // amount, free * _ALL // whole[place]
            if fits < room:  # noqa: PLR1730 - asked so often that a call of `min` shows
                room = fits
            if percent < scarcest:  # noqa: PLR1730
                scarcest = percent
        return room, scarcest if scarcest > 0 else 0  # noqa: FURB136


def _cut(grid: NDArray[Amount], rows: Where, where: Where) -> NDArray[Amount]:
    """Some rows and columns of a grid."""
    some = grid if isinstance(rows, slice) else grid[rows]
    return some if isinstance(where, slice) else some.take(where, axis=1)


def _is_less(taken: Taken, reserved: Taken) -> bool:
    """Whether less is taken than was set aside, on any cluster."""
    given = taken.as_map()
    return any(given.get(place, 0) < count for place, count in reserved.as_map().items())


def _percent(left: Whole, whole: Whole) -> NDArray[np.int8]:
    """What is left, in whole percent of what there is, which is at least 1; none where overdrawn.

    >>> _percent(np.array([3, 0, 7]), np.array([4, 1, 7])).tolist()
    [75, 0, 100]
    """
    return (np.maximum(left, 0) * 100.0 / whole).astype(np.int8)
