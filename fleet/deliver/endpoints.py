"""Where names would lead under a schedule, without making any object: what a drill needs often."""

from fleet.deliver.dns import Names
from fleet.deliver.faults import Faults
from fleet.errors import ErrorList
from fleet.model.decision import Assignment, Schedule
from fleet.model.endpoint import EndpointDelivery
from fleet.model.plan import Change, ClusterDelivery
from fleet.model.prior import Prior
from fleet.model.snapshot import Snapshot


def endpoints_of(
    snapshot: Snapshot, schedule: Schedule, prior: Prior
) -> tuple[EndpointDelivery, ...]:
    """The names of a schedule, as `deliver` makes them.

    **Errors**: InvalidError with every fault of a name, such as one that would lead nowhere.
    """
    faults, errors = Faults(), ErrorList()
    placed = {
        each.workload: tuple(_bare(assignment) for assignment in each.assignments)
        for each in schedule.decisions
    }
    names = Names(snapshot, schedule, prior, placed, faults)
    names.direct()
    faults.tell(errors)
    errors.raise_if_any()
    return tuple(names.endpoints)


def _bare(assignment: Assignment) -> ClusterDelivery:
    """A delivery of which only the place, the count and the role are asked."""
    return ClusterDelivery(
        assignment.cluster, assignment.replicas, assignment.role, None, Change.SAME, (), (), ""
    )
