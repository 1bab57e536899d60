"""Node-level fit: how many replicas single nodes hold, as the run goes.

A replica cannot span two nodes. What a workload is given is packed onto the nodes that the
inventory lists: first onto nodes that have nothing besides what it asks for (so that a GPU node
stays free for who needs it), then where fewest replicas of it fit, whole nodes before parts. The
next workload finds what is left on each node. A packing was made for everything that is promised,
so that the nodes never hold more than they can; the scheduler of a cluster may pack worse.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fleet.model.inventory import Cluster, NodeGroup
from fleet.schedule.columns import Whole
from fleet.schedule.table import PODS, UNLIMITED


@dataclass(frozen=True, slots=True, order=True)
class Kind:
    """`count` nodes that are alike: what each has free, and what of each turn it holds.

    **Shape**: `free` by the resources of the Nodes; `holds` sorted, (turn, replicas per node).
    """

    free: tuple[int, ...]
    holds: tuple[tuple[int, int], ...]
    count: int


Kinds = tuple[Kind, ...]
Change = tuple[Kinds, Kinds]


class Nodes:
    """The nodes of all clusters at one turn of a run; goes forward and back like the ledger."""

    def __init__(self, clusters: Sequence[Cluster]) -> None:
        listed = {place: each.spec.capacity.nodes for place, each in enumerate(clusters)}
        names = {name for groups in listed.values() for each in groups for name in each.free}
        self._resources = tuple(sorted(names))
        self._size = len(clusters)
        self._kinds = {
            place: merged(self._kind(group) for group in groups)
            for place, groups in listed.items()
            if groups
        }
        self._places = np.array(list(self._kinds), dtype=np.intp)
        self._position = {place: position for position, place in enumerate(self._kinds)}
        self._log: list[dict[int, Change]] = []
        self._free, self._count = self._grids(1)
        for place in self._kinds:
            self._show(place)

    @property
    def listed(self) -> bool:
        """Whether any cluster lists its nodes; where none does, nothing here costs anything."""
        return bool(self._kinds)

    def room(self, request: Mapping[str, int]) -> Whole:
        """How many replicas the nodes of each cluster hold; UNLIMITED where none are listed."""
        room = np.full(self._size, UNLIMITED, dtype=np.int64)
        asked = self._asked(request)
        if self._kinds and asked is not None and any(asked):
            fits = np.full(self._count.shape, UNLIMITED, dtype=np.int64)
            for row, amount in enumerate(asked):
                if amount:
                    np.minimum(fits, self._free[row] // amount, out=fits)
            room[self._places] = (fits * self._count).sum(axis=1)
        elif asked is None:
            room[self._places] = 0
        return room

    def hold(self, turn: int, request: Mapping[str, int], replicas: Mapping[int, int]) -> None:
        """Sets aside, before the first turn, what a workload runs already."""
        for place in self._changed(replicas):
            self._put(place, self._taken(place, (turn, request, replicas[place])))

    def forward(
        self,
        left: tuple[int, Mapping[str, int], Mapping[int, int]] | None,
        comes: tuple[int, Mapping[str, int], Mapping[int, int]],
    ) -> None:
        """To the next turn: who leaves takes its charge, who comes finds its own as free.

        **Shape**: (turn, request, replicas by place).
        """
        turn = comes[0]
        if turn < len(self._log):
            for place, (_, after) in self._log[turn].items():
                self._put(place, after)
            return
        before: dict[int, Kinds] = {}
        if left is not None:
            for place in self._changed(left[2]):
                before[place] = self._kinds[place]
                self._put(place, self._taken(place, (left[0], left[1], left[2][place])))
        for place in self._changed(comes[2]):
            before.setdefault(place, self._kinds[place])
            self._put(place, self._released(place, turn, comes[1]))
        self._log.append({place: (kinds, self._kinds[place]) for place, kinds in before.items()})

    def back(self, turn: int) -> None:
        """From a turn to the one before."""
        for place, (before, _) in self._log[turn].items():
            self._put(place, before)

    def forget_after(self, turn: int) -> None:
        """What was found for later turns holds no more, because this one was charged anew."""
        del self._log[turn + 1 :]

    def largest(self, place: int, resource: str) -> int:
        """The most of a resource that any one node of a cluster has free now."""
        if resource not in self._resources:
            return UNLIMITED if resource == PODS else 0
        row = self._resources.index(resource)
        return max(kind.free[row] for kind in self._kinds[place])

    def _kind(self, group: NodeGroup) -> Kind:
        free = (group.free.get(name, UNLIMITED if name == PODS else 0) for name in self._resources)
        return Kind(tuple(free), (), group.count)

    def _asked(self, request: Mapping[str, int]) -> tuple[int, ...] | None:
        """Amounts in the order of the resources; None where no node lists one that is asked for."""
        if any(name not in self._resources for name in request if name != PODS):
            return None
        return tuple(request.get(name, 0) for name in self._resources)

    def _changed(self, replicas: Mapping[int, int]) -> Iterator[int]:
        return (place for place, count in replicas.items() if count and place in self._kinds)

    def _taken(self, place: int, what: tuple[int, Mapping[str, int], int]) -> Kinds:
        turn, request, replicas = what
        asked = self._asked(request)
        if asked is None or not any(asked):
            return self._kinds[place]
        return packed(self._kinds[place], asked, turn, replicas)

    def _released(self, place: int, turn: int, request: Mapping[str, int]) -> Kinds:
        asked = self._asked(request) or ()
        return merged(_without(kind, asked, turn) for kind in self._kinds[place])

    def _put(self, place: int, kinds: Kinds) -> None:
        self._kinds[place] = kinds
        self._show(place)

    def _show(self, place: int) -> None:
        """Writes the kinds of a cluster into the grids; those grow where it needs more columns."""
        kinds = self._kinds[place]
        if len(kinds) > self._count.shape[1]:
            free, count = self._free, self._count
            self._free, self._count = self._grids(2 * len(kinds))
            self._free[:, :, : count.shape[1]] = free
            self._count[:, : count.shape[1]] = count
        position = self._position[place]
        self._count[position] = 0
        for column, kind in enumerate(kinds):
            self._count[position, column] = kind.count
            self._free[:, position, column] = kind.free

    def _grids(self, width: int) -> tuple[Whole, Whole]:
        """Free by resource, cluster and kind; counts by cluster and kind."""
        size = len(self._kinds)
        return (
            np.zeros((len(self._resources), size, width), dtype=np.int64),
            np.zeros((size, width), dtype=np.int64),
        )


def packed(kinds: Kinds, asked: Sequence[int], turn: int, replicas: int) -> Kinds:
    """The kinds after so many replicas were packed onto them.

    >>> small, large = Kind((2,), (), 2), Kind((5,), (), 1)
    >>> [(kind.free, kind.count) for kind in packed((small, large), (2,), 0, 3)]
    [((0,), 2), ((3,), 1)]
    """
    made: list[Kind] = []
    for kind in sorted(kinds, key=lambda kind: _order(kind, asked)):
        each = fits(kind, asked)
        full = min(kind.count, replicas // each) if each else 0
        part = 1 if each and full < kind.count and replicas - full * each else 0
        rest = min(each, replicas - full * each) if part else 0
        replicas -= full * each + rest
        made += _with(kind, asked, (turn, each), full)
        made += _with(kind, asked, (turn, rest), part)
        made += _with(kind, asked, (turn, 0), kind.count - full - part)
    return merged(made)


def _order(kind: Kind, asked: Sequence[int]) -> tuple[int, int, Kind]:
    """What a replica does not need goes last; then where fewest fit."""
    unused = sum(1 for free, amount in zip(kind.free, asked, strict=True) if free and not amount)
    return unused, fits(kind, asked), kind


def fits(kind: Kind, asked: Sequence[int]) -> int:
    """How many replicas one node holds.

    >>> fits(Kind((4, 10), (), 1), (2, 3)), fits(Kind((4, 10), (), 1), (0, 11))
    (2, 0)
    """
    return min(free // amount for free, amount in zip(kind.free, asked, strict=True) if amount)


def _with(kind: Kind, asked: Sequence[int], holds: tuple[int, int], count: int) -> list[Kind]:
    """So many nodes of the kind, each with replicas of a turn more; none where there are none."""
    if not count:
        return []
    if not holds[1]:
        return [Kind(kind.free, kind.holds, count)]
    free = (have - amount * holds[1] for have, amount in zip(kind.free, asked, strict=True))
    return [Kind(tuple(free), tuple(sorted((*kind.holds, holds))), count)]


def _without(kind: Kind, asked: Sequence[int], turn: int) -> Kind:
    """The kind without what it holds of a turn."""
    held = dict(kind.holds).get(turn, 0)
    if not held:
        return kind
    free = (have + amount * held for have, amount in zip(kind.free, asked, strict=True))
    holds = tuple(each for each in kind.holds if each[0] != turn)
    return Kind(tuple(free), holds, kind.count)


def merged(kinds: Iterable[Kind]) -> Kinds:
    """Equal nodes counted together, in an order that does not depend on how they came about."""
    counts: dict[tuple[tuple[int, ...], tuple[tuple[int, int], ...]], int] = {}
    for kind in kinds:
        key = kind.free, kind.holds
        counts[key] = counts.get(key, 0) + kind.count
    return tuple(sorted(Kind(*key, count) for key, count in counts.items()))
