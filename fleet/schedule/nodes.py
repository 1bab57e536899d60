"""Node-level fit: how many replicas single nodes hold, as the run goes.

A replica cannot span two nodes. What a workload is given is packed onto the nodes that the
inventory lists: first onto nodes that have nothing besides what it asks for (so that a GPU node
stays free for who needs it), then where fewest replicas of it fit, whole nodes before parts. What
was set aside for a workload it takes again where it is, before it looks further: another packing
might make room, and the next plan would differ from the one that was just carried out. The next
workload finds what is left on each node. A packing was made for everything that is promised,
so that the nodes never hold more than they can; the scheduler of a cluster may pack worse.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from fleet.model.inventory import Cluster, NodeGroup
from fleet.schedule.columns import Whole
from fleet.schedule.table import PODS, UNLIMITED

_NOBODY = (-1, 0)


@dataclass(frozen=True, slots=True, order=True)
class Kind:
    """`count` nodes that are alike: what each has free, and what is set aside on it.

    **Shape**: `free` by the resources of the Nodes; `holds` is (turn, replicas per node), only for
    workloads whose turn is still to come: what is charged goes no more. `own` is the same of the
    workload whose turn it is: free, and what it takes first.
    """

    free: tuple[int, ...]
    holds: tuple[tuple[int, int], ...]
    count: int
    own: tuple[int, int] = _NOBODY


Kinds = tuple[Kind, ...]
Change = tuple[Kinds, Kinds]
Claim = tuple[int, Mapping[str, int], Mapping[int, int]]
"""Turn, request, replicas by place."""


class Nodes:
    """The nodes of all clusters at one turn of a run; goes forward and back like the ledger.

    Grids with one column per kind answer for all clusters at once; a claim changes few columns.
    """

    def __init__(self, clusters: Sequence[Cluster]) -> None:
        listed = {place: each.spec.capacity.nodes for place, each in enumerate(clusters)}
        names = {name for groups in listed.values() for each in groups for name in each.free}
        self._resources = tuple(sorted(names))
        self._size = len(clusters)
        self._kinds = {
            place: tuple(self._kind(group) for group in groups if group.count)
            for place, groups in listed.items()
            if groups
        }
        self._bare = dict(self._kinds)
        self._held: dict[int, list[Claim]] = {}
        self._places = np.array(list(self._kinds), dtype=np.intp)
        self._position = {place: position for position, place in enumerate(self._kinds)}
        self._log: list[dict[int, Change]] = []
        self._free, self._count = self._grids(1)
        for place, kinds in self._kinds.items():
            self._put(place, kinds)

    @property
    def listed(self) -> bool:
        """Whether any cluster lists its nodes; where none does, nothing here costs anything."""
        return bool(self._kinds)

    def room(self, request: Mapping[str, int]) -> Whole:
        """How many replicas the nodes of each cluster hold; UNLIMITED where none are listed."""
        room = np.full(self._size, UNLIMITED, dtype=np.int64)
        asked = self._asked(request)
        if asked is None:
            room[self._places] = 0
        elif self._kinds and any(asked):
            room[self._places] = (_fits(self._free, asked) * self._count).sum(axis=1)
        return room

    def kinds(self, place: int) -> Kinds:
        """The nodes of a cluster; none where it lists none."""
        return self._kinds.get(place, ())

    def largest(self, place: int, resource: str) -> int:
        """The most of a resource that any one node of a cluster has free now."""
        if resource not in self._resources:
            return UNLIMITED if resource == PODS else 0
        row = self._resources.index(resource)
        return max((kind.free[row] for kind in self._kinds[place]), default=0)

    def make_room(self, claim: Claim) -> None:
        """Packs what is set aside in another way, where that makes it and the claim fit together.

        What runs was packed by earlier plans in an order that nobody knows any more: the largest
        first, by one resource after the other, are the next best guesses.
        """
        for place in self._claimed(claim):
            if self.room(claim[1])[place] < claim[2][place]:
                claims = [*self._held.get(place, ()), claim]
                any(self._repack(place, claims, row) for row in range(len(self._resources)))

    def hold(self, claim: Claim) -> None:
        """Sets aside, before the first turn, what a workload runs already."""
        for place in self._claimed(claim):
            self._held.setdefault(place, []).append(claim)
            self._take(place, claim, aside=True)

    def _repack(self, place: int, claims: list[Claim], row: int) -> bool:
        """Packs all claims but the last, if it fits, too, where the largest in a resource go first.

        Returns whether it does; the nodes are as before where it does not.
        """
        before = self._kinds[place]
        asked = {each[0]: self._asked(each[1]) or () for each in claims}
        self._put(place, self._bare[place])
        for each in sorted(claims, key=lambda each: (-asked[each[0]][row], each[0])):
            if self.room(each[1])[place] < each[2][place]:
                self._put(place, before)
                return False
            self._take(place, each, aside=True)
        self._release(place, claims[-1])
        return True

    def forward(self, left: Claim | None, comes: Claim) -> None:
        """To the next turn: who leaves takes its charge, who comes finds its own as free."""
        turn = comes[0]
        if turn < len(self._log):
            for place, (_, after) in self._log[turn].items():
                self._put(place, after)
            return
        before: dict[int, Kinds] = {}
        for claim in () if left is None else (left,):
            for place in self._claimed(claim):
                before[place] = self._kinds[place]
                self._take(place, claim, aside=False)
        for place in self._claimed(comes):
            before.setdefault(place, self._kinds[place])
            self._release(place, comes)
        self._log.append({place: (kinds, self._kinds[place]) for place, kinds in before.items()})

    def back(self, turn: int) -> None:
        """From a turn to the one before."""
        for place, (before, _) in self._log[turn].items():
            self._put(place, before)

    def forget_after(self, turn: int) -> None:
        """What was found for later turns holds no more, because this one was charged anew."""
        del self._log[turn + 1 :]

    def _kind(self, group: NodeGroup) -> Kind:
        free = (group.free.get(name, UNLIMITED if name == PODS else 0) for name in self._resources)
        return Kind(tuple(free), (), group.count)

    def _asked(self, request: Mapping[str, int]) -> tuple[int, ...] | None:
        """Amounts in the order of the resources; None where no node lists one that is asked for."""
        if any(name not in self._resources for name in request if name != PODS):
            return None
        return tuple(request.get(name, 0) for name in self._resources)

    def _claimed(self, claim: Claim) -> list[int]:
        """The clusters whose nodes a claim concerns; none where it asks for nothing of them."""
        if not self._kinds or not any(self._asked(claim[1]) or ()):
            return []
        return [place for place, count in claim[2].items() if count and place in self._kinds]

    def _take(self, place: int, claim: Claim, *, aside: bool) -> None:
        """Packs a claim onto the nodes of a cluster: see the module."""
        turn, request, replicas = claim
        asked = self._asked(request) or ()
        wanted = replicas[place]
        if not aside:
            own = [kind.own[1] if kind.own[0] == turn else 0 for kind in self._kinds[place]]
            wanted = self._pack(place, (asked, None, wanted), np.array(own))
        free = self._free[:, self._position[place], : len(self._kinds[place])]
        self._pack(place, (asked, turn if aside else None, wanted), _fits(free, asked))

    def _pack(self, place: int, claim: tuple[tuple[int, ...], int | None, int], fits: Whole) -> int:
        """Packs what is asked for, set aside for a turn or for good; returns what is left over.

        `fits` says how many replicas one node of each kind takes.
        """
        asked, turn, wanted = claim
        kinds = list(self._kinds[place])
        free = self._free[:, self._position[place], : len(kinds)]
        unused = (free[[not amount for amount in asked]] > 0).sum(axis=0)
        for column in np.lexsort((*free, fits, unused)).tolist():
            each = int(fits[column])
            if wanted and each:
                taken = min(wanted, each * kinds[column].count)
                parts = _split(kinds[column], asked, (turn, each), taken)
                kinds[column] = parts[0]
                kinds += parts[1:]
                wanted -= taken
        self._change(place, tuple(kinds))
        return wanted

    def _release(self, place: int, claim: Claim) -> None:
        """Gives back what was set aside for the turn."""
        turn, request, _ = claim
        asked = self._asked(request) or ()
        self._change(place, tuple(_without(kind, asked, turn) for kind in self._kinds[place]))

    def _change(self, place: int, kinds: Kinds) -> None:
        """Writes the columns that differ from before."""
        before, position = self._kinds[place], self._position[place]
        self._widen(len(kinds))
        self._kinds[place] = kinds
        for column, kind in enumerate(kinds):
            if column >= len(before) or kind is not before[column]:
                self._count[position, column] = kind.count
                self._free[:, position, column] = kind.free

    def _put(self, place: int, kinds: Kinds) -> None:
        """Writes all columns of a cluster."""
        self._kinds[place] = ()
        self._count[self._position[place]] = 0
        self._change(place, kinds)

    def _widen(self, width: int) -> None:
        """Grids grow for all clusters where one needs more columns."""
        free, count = self._free, self._count
        if width > count.shape[1]:
            self._free, self._count = self._grids(2 * width)
            self._free[:, :, : count.shape[1]] = free
            self._count[:, : count.shape[1]] = count

    def _grids(self, width: int) -> tuple[Whole, Whole]:
        """Free by resource, cluster and kind; counts by cluster and kind."""
        size = len(self._kinds)
        return (
            np.zeros((len(self._resources), size, width), dtype=np.int64),
            np.zeros((size, width), dtype=np.int64),
        )


def _fits(free: Whole, asked: Sequence[int]) -> Whole:
    """How many replicas one node of each kind holds; some amount is above 0."""
    rows = [free[row] // amount for row, amount in enumerate(asked) if amount]
    return reduce(np.minimum, rows)


def _split(
    kind: Kind, asked: Sequence[int], each: tuple[int | None, int], replicas: int
) -> list[Kind]:
    """The nodes after replicas were packed onto them: full ones, one in part, the rest.

    `each` is the turn that they are set aside for, if any, and how many one node holds.

    >>> [(kind.free, kind.count) for kind in _split(Kind((5,), (), 4), (2,), (None, 2), 3)]
    [((1,), 1), ((3,), 1), ((5,), 2)]
    """
    full, part = divmod(replicas, each[1])
    counts = ((each[1], full), (part, 1 if part else 0), (0, kind.count - full - bool(part)))
    return [_with(kind, asked, (each[0], held), count) for held, count in counts if count]


def _with(kind: Kind, asked: Sequence[int], held: tuple[int | None, int], count: int) -> Kind:
    """So many nodes of the kind, each with replicas of a turn more."""
    turn, replicas = held
    free = tuple(have - amount * replicas for have, amount in zip(kind.free, asked, strict=True))
    holds = kind.holds if turn is None or not replicas else (*kind.holds, (turn, replicas))
    return Kind(free, holds, count)


def _without(kind: Kind, asked: Sequence[int], turn: int) -> Kind:
    """The kind without what is set aside of a turn."""
    held = dict(kind.holds).get(turn, 0)
    if not held:
        return kind
    free = (have + amount * held for have, amount in zip(kind.free, asked, strict=True))
    holds = tuple(each for each in kind.holds if each[0] != turn)
    return Kind(tuple(free), holds, kind.count, (turn, held))
