"""Which clusters count together, and how many replicas each such group must run."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fleet.model.decision import Role
from fleet.model.policy import DivisionMode
from fleet.model.snapshot import Linked
from fleet.model.workload import Workload
from fleet.schedule.cluster_bounds import ClusterBounds
from fleet.schedule.columns import Whole
from fleet.schedule.table import Table

_ALL = 100
_ALL_ACTIVE = frozenset({0})


@dataclass(slots=True, eq=False)
class Stance:
    """The groups of a workload: its regions where it has active and standby ones, else one for all.

    **Shape**: `groups` by the cluster's position; `targets` has the replicas of each group.
    """

    groups: Sequence[int]
    targets: Mapping[int, int]
    active: frozenset[int]
    by_region: bool

    def role(self, place: int) -> Role:
        """What a cluster is for the workload."""
        return Role.ACTIVE if self.groups[place] in self.active else Role.STANDBY

    def target(self, place: int) -> int:
        """How many replicas the group of a cluster must run."""
        return self.targets[self.groups[place]]


def wanted_replicas(workload: Workload) -> int:
    """What the scheduler divides: one per cluster, an autoscaler's minimum, or the file's."""
    if workload.per_cluster:
        return 1
    return workload.autoscaled.minimum if workload.autoscaled else workload.replicas


def standby_replicas(replicas: int, percent: int) -> int:
    """What a standby region runs: a share of the replicas, rounded up.

    >>> standby_replicas(5, 50), standby_replicas(5, 1), standby_replicas(5, 0)
    (3, 1, 0)
    """
    return -(-replicas * percent // _ALL)


def one_group(table: Table, replicas: int) -> Stance:
    """All clusters together."""
    return Stance(table.together, {0: replicas}, _ALL_ACTIVE, by_region=False)


def region_groups(table: Table, replicas: int, standby: int, active: Collection[int]) -> Stance:
    """One group per region: the active ones run all replicas, the others the standby share."""
    column = table.column("region")
    share = standby_replicas(replicas, standby)
    targets = {group: replicas if group in active else share for group in range(len(column.values))}
    return Stance(table.by_region, targets, frozenset(active), by_region=True)


def division_mode(linked: Linked) -> DivisionMode:
    """How the replicas are divided; one per cluster is the same everywhere."""
    if linked.workload.per_cluster:
        return DivisionMode.DUPLICATED
    return linked.placement.spec.division.mode


def needs(
    stance: Stance, mode: DivisionMode, bounds: ClusterBounds, running: Sequence[int]
) -> int | Whole:
    """How many replicas must fit on each cluster for it to be of use; one number where all agree.

    Duplicated needs room for all; where the workload is `running` in the same role already it
    stays with what fits, so that asking for more takes nothing away.
    """
    everywhere = mode is DivisionMode.DUPLICATED
    least, most = bounds.least, bounds.most
    if not stance.by_region and isinstance(least, int) and isinstance(most, int):
        target = stance.targets[0]
        if not everywhere:
            return max(1, least) if target else 0
        if not running:
            return min(target, most)
    targets = np.array([stance.targets[group] for group in stance.groups], dtype=np.int64)
    if not everywhere:
        return np.where(targets > 0, np.maximum(1, least), 0)
    need: Whole = np.minimum(targets, most)
    need[running] = np.minimum(need[running], 1)
    return need
