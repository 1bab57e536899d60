"""What every step of one emission shares."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import pulumi

from fleet.emit.access import ClusterAccess
from fleet.emit.existing import Survey
from fleet.emit.promotion import Promotion
from fleet.emit.state import OwnState
from fleet.model.plan import Outcome, WorkloadDelivery


@dataclass(slots=True)
class Run:
    """One preview or update. `failures` are sentences that make the exit non-zero at the end.

    `died` are clusters that stopped answering on the way, and how: one workload finds out, all
    know.

    **Shape**: `accesses` and `providers` by cluster; `placements` by workload, as it was reached;
    `promotions` by the name under which a person registered them.
    """

    outcome: Outcome
    state: OwnState
    survey: Survey
    accesses: Mapping[str, ClusterAccess]
    providers: Mapping[str, pulumi.ProviderResource]
    preview: bool
    promotions: Mapping[str, Promotion] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    died: dict[str, str] = field(default_factory=dict)
    placements: dict[str, dict[str, object]] = field(default_factory=dict)

    def is_cut_off(self, cluster: str) -> bool:
        """Whether the cluster does not answer though nobody declared it down."""
        return cluster in self.survey.unreachable


def names_of(workload: WorkloadDelivery) -> tuple[str, ...]:
    """A workload's name and its former ones, under which the state may still hold objects."""
    return (workload.workload, *workload.renamed_from)
