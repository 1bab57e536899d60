"""Everything that a filter or a scorer may read about one workload: one read-only value."""

from collections.abc import Mapping
from dataclasses import dataclass

from fleet.model.policy import DivisionMode, PlacementPolicy
from fleet.model.workload import Workload
from fleet.schedule.columns import Whole
from fleet.schedule.table import Table


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """One workload in its turn.

    **Shape**: all arrays have one entry per cluster of the table. `prior` has the replicas of the
    last update by the cluster's position; it is empty for a policy that says `placement: fresh`.
    `room` is how many replicas fit (what is there already counts as room), `need` how many must
    fit for the cluster to be of use, `free_percent` what is left of the scarcest resource, 0..100.
    `asked` has what a replica asks for by resource, amounts above 0; `left` what is left of each.
    """

    table: Table
    workload: Workload
    policy: PlacementPolicy
    asked: Mapping[str, int]
    prior: Mapping[int, int]
    room: Whole
    need: Whole
    free_percent: Whole
    left: Mapping[str, Whole]

    @property
    def packed(self) -> bool:
        """Whether the policy asks for as few clusters as possible."""
        aggregated = self.policy.spec.division.mode is DivisionMode.AGGREGATED
        return aggregated and not self.workload.per_cluster
