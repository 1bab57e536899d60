"""Everything that a filter or a scorer may read about one workload: one read-only value."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fleet.model.policy import DivisionMode, PlacementPolicy
from fleet.model.workload import Workload
from fleet.schedule.columns import Whole
from fleet.schedule.ledger import Ledger
from fleet.schedule.neighbours import NOBODY, Beside
from fleet.schedule.nodes import Nodes
from fleet.schedule.table import Table
from fleet.schedule.tiers import Tiered


@dataclass(slots=True, eq=False)
class Request:
    """One workload in its turn.

    **Shape**: all arrays have one entry per cluster of the table, and are made when they are
    asked for. `prior` has the replicas of the last update by the cluster's position; it is empty
    for a policy that says `placement: fresh`. `needed` is how many replicas must fit for a
    cluster to be of use, one number for all or one for each. `asked` has what a replica asks for
    by resource, amounts above 0. `tiered` are the tiers whose clusters count (None: the policy has
    none), `beside` the workloads that share or avoid clusters.
    """

    table: Table
    workload: Workload
    policy: PlacementPolicy
    asked: Mapping[str, int]
    prior: Mapping[int, int]
    needed: int | Whole
    ledger: Ledger
    tiered: Tiered | None = None
    beside: Beside = NOBODY
    _room: Whole | None = field(default=None, init=False)
    _left: Mapping[str, Whole] | None = field(default=None, init=False)

    @property
    def room(self) -> Whole:
        """How many replicas fit (what is there already counts as room)."""
        if self._room is None:
            self._room = self.ledger.room(self.asked)
        return self._room

    @property
    def need(self) -> Whole:
        """How many replicas must fit on each cluster for it to be of use."""
        return np.broadcast_to(np.int64(self.needed), self.table.size)

    def need_at(self, place: int) -> int:
        """How many replicas must fit on a cluster for it to be of use."""
        return self.needed if isinstance(self.needed, int) else int(self.needed[place])

    @property
    def free_percent(self) -> NDArray[np.int8]:
        """What is left of the scarcest resource, 0..100."""
        return self.ledger.free_percent(self.asked)

    @property
    def left(self) -> Mapping[str, Whole]:
        """What is left of each resource that is asked for."""
        if self._left is None:
            self._left = {name: self.ledger.left(name) for name in self.asked}
        return self._left

    @property
    def nodes(self) -> Nodes:
        """What is left of single nodes."""
        return self.ledger.nodes

    @property
    def others(self) -> Whole:
        """How many other workloads each cluster has."""
        return self.ledger.others()

    @property
    def packed(self) -> bool:
        """Whether the policy asks for as few clusters as possible."""
        aggregated = self.policy.spec.division.mode is DivisionMode.AGGREGATED
        return aggregated and not self.workload.per_cluster

    @property
    def spreads_load(self) -> bool:
        """Whether clusters with more room left are better: not where it asks to be packed."""
        return bool(self.asked) and not self.packed
