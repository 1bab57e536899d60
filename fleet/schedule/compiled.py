"""What a policy says, in terms of the table: compiled once for all its workloads."""

from dataclasses import dataclass

from fleet.model.policy import DivisionMode
from fleet.model.snapshot import Linked
from fleet.schedule.cluster_bounds import NO_BOUNDS, ClusterBounds, cluster_bounds
from fleet.schedule.spread import Spread, Spreads
from fleet.schedule.stance import division_mode
from fleet.schedule.table import Table


@dataclass(slots=True, eq=False)
class Compiled:
    """A policy for the workloads whose replicas it divides, or for those that run one per cluster.

    `usual`: it asks for nothing that only the general way knows.
    """

    mode: DivisionMode
    spread: Spread
    bounds: ClusterBounds
    usual: bool


class Compiler:
    """The policies of a run, each compiled once."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._spreads = Spreads(table)
        self._known: dict[tuple[int, bool], Compiled] = {}

    def of(self, linked: Linked) -> Compiled:
        """What the policy says of the workload."""
        key = (id(linked.placement), linked.workload.per_cluster)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._read(linked)
        return found

    def _read(self, linked: Linked) -> Compiled:
        division, spread = linked.placement.spec.division, self._spreads.of(linked.placement)
        mode, per_cluster = division_mode(linked), linked.workload.per_cluster
        bounds = NO_BOUNDS if per_cluster else cluster_bounds(self._table, division)
        special = spread.skews or division.keep or division.bounds
        if division.min_replicas and mode is not DivisionMode.DUPLICATED:
            special = True
        return Compiled(mode, spread, bounds, usual=not special)
