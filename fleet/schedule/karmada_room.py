"""How many more replicas each cluster holds, as Karmada's estimator counts.

Where a cluster says what its nodes have (`capacity.nodes`, the grades of a resource model) these
replace the sums of cpu and memory: replicas are put on them first fit. The pods of the cluster
always bound it. A cluster without figures holds nothing.
Source: pkg/estimator/client/general.go.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from fleet.model.inventory import NodeGroup
from fleet.schedule.columns import Mask, Whole
from fleet.schedule.ledger import Ledger
from fleet.schedule.table import PODS, UNLIMITED, Table

MOST = 2**31 - 1
"""What Karmada counts where nothing bounds a figure."""

PODS_OF_A_NODE = 110
"""How many pods a node runs that does not say; Karmada's models never say."""

Asked = Mapping[str, int]
Nodes = list[tuple[int, dict[str, int]]]


@dataclass(frozen=True, slots=True)
class Promise:
    """What a workload took on a cluster, in its turn."""

    turn: int
    asked: Asked
    replicas: int


@dataclass(slots=True)
class Rooms:
    """The figures of a run.

    **Shape**: `promised` by the cluster's position, in the order of turns; only clusters with
    nodes need it, because the ledger knows the sums. `listed`: the cluster says how many pods.
    """

    table: Table
    ledger: Ledger
    deducts: bool
    promised: dict[int, list[Promise]] = field(default_factory=dict)
    kept: dict[tuple[tuple[str, int], ...], Whole] = field(default_factory=dict)
    modelled: tuple[int, ...] = ()
    listed: Mask = field(default_factory=lambda: np.zeros(0, dtype=bool))

    def __post_init__(self) -> None:
        clusters = self.table.clusters
        self.listed = np.array([PODS in each.spec.capacity.allocatable for each in clusters])
        self.modelled = tuple(
            place for place, cluster in enumerate(clusters) if cluster.spec.capacity.nodes
        )

    def figures(self, turn: int, asked: Asked, replicas: int) -> Whole:
        """How many more replicas fit on each cluster, as the workload of that turn finds them.

        Of no replicas as many as anybody likes fit everywhere. The ledger must stand at the turn.
        """
        if not replicas:
            return np.full(self.table.size, MOST, dtype=np.int64)
        if self.deducts:
            found = self._figures(turn, asked)
        else:
            key = tuple(sorted(asked.items()))
            if key not in self.kept:
                self.kept[key] = self._figures(turn, asked)
            found = self.kept[key]
        return np.where(found >= MOST, replicas, found)

    def promise(self, turn: int, asked: Asked, given: Mapping[int, int]) -> None:
        """Notes what the workload of a turn takes; turns come in order."""
        for place in self.modelled if self.deducts else ():
            if given.get(place):
                self.promised.setdefault(place, []).append(Promise(turn, asked, given[place]))

    def _figures(self, turn: int, asked: Asked) -> Whole:
        table = self.table
        pods = np.where(self.listed, self.ledger.left(PODS), 0) // asked.get(PODS, 1)
        room = np.full(table.size, UNLIMITED, dtype=np.int64)
        for name, amount in asked.items():
            if name != PODS:
                np.minimum(room, self.ledger.left(name) // amount, out=room)
        for place in self.modelled:
            on_nodes = self._on_nodes(place, turn, asked)
            if on_nodes is not None:
                room[place] = on_nodes
        found: Whole = np.minimum(pods, room).clip(0, MOST)
        return found

    def _on_nodes(self, place: int, turn: int, asked: Asked) -> int | None:
        """What fits on a cluster's nodes; None where the sums count.

        They count where nothing but pods is asked for, and where the nodes do not say all that is.
        """
        groups = self.table.clusters[place].spec.capacity.nodes
        if not asked.keys() - {PODS}:
            return None
        if any(name not in group.free for group in groups for name in asked if name != PODS):
            return None
        nodes = nodes_of(groups)
        for each in self.promised.get(place, ()):
            if each.turn < turn:
                nodes = filled(nodes, each.asked, each.replicas)
        return holds(nodes, asked)


def nodes_of(groups: Sequence[NodeGroup]) -> Nodes:
    """Runs of equal nodes, as they come."""
    return [(group.count, {PODS: PODS_OF_A_NODE, **group.free}) for group in groups if group.count]


def holds(nodes: Nodes, asked: Asked) -> int:
    """How many equal replicas fit, one node after the other.

    >>> holds([(3, {"cpu": 1000, "pods": 110})], {"cpu": 500})
    6
    """
    return sum(count * _on_one(free, asked) for count, free in nodes)


def filled(nodes: Nodes, asked: Asked, replicas: int) -> Nodes:
    """What is free on the nodes after so many replicas were put on the first that hold them.

    >>> filled([(3, {"cpu": 1000})], {"cpu": 500}, 3)
    [(1, {'cpu': 0}), (1, {'cpu': 500}), (1, {'cpu': 1000})]
    """
    left: Nodes = []
    for count, free in nodes:
        most = min(_on_one(free, asked), replicas) if replicas else 0
        if not most:
            left.append((count, free))
            continue
        full = min(count, replicas // most)
        replicas -= full * most
        left.append((full, _less(free, asked, most)))
        if full < count and replicas:
            left.append((1, _less(free, asked, replicas)))
            full, replicas = full + 1, 0
        if full < count:
            left.append((count - full, free))
    return left


def _on_one(free: Asked, asked: Asked) -> int:
    return min((free.get(name, 0) // amount for name, amount in asked.items()), default=0)


def _less(free: Asked, asked: Asked, replicas: int) -> dict[str, int]:
    return {name: amount - asked.get(name, 0) * replicas for name, amount in free.items()}
