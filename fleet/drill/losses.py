"""Two plans compared: the present one, and the one that follows a loss."""

from collections.abc import Collection

from fleet.model.base import FrozenMap
from fleet.model.decision import Decision, Schedule
from fleet.model.endpoint import EndpointDelivery
from fleet.model.outage import running
from fleet.model.survival import Loss


def losses(before: Schedule, after: Schedule, gone: Collection[str]) -> FrozenMap[Loss]:
    """Every workload that ran on what is gone, or that has another place afterwards."""
    later = {each.workload: each for each in after.decisions}
    found = {
        each.workload: _loss(each, later[each.workload], gone)
        for each in before.decisions
        if _is_touched(each, later[each.workload], gone)
    }
    return FrozenMap(found)


def _is_touched(before: Decision, after: Decision, gone: Collection[str]) -> bool:
    if any(each.cluster in gone for each in before.assignments):
        return True
    return before.replicas != after.replicas or before.shortfall != after.shortfall


def _loss(before: Decision, after: Decision, gone: Collection[str]) -> Loss:
    had, has = before.replicas, after.replicas
    return Loss(
        workload=before.workload,
        before=had,
        after=has,
        dies=sum(count for cluster, count in had.items() if cluster in gone),
        moves=sum(max(0, count - had.get(cluster, 0)) for cluster, count in has.items()),
        shortfall=after.shortfall,
        reasons=after.shortfall_reasons,
        short_before=before.shortfall,
    )


def names_at_once(
    endpoints: Collection[EndpointDelivery], before: Schedule, gone: Collection[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names that nobody answers until an update, and those that others answer by themselves.

    Route53 answers with records of weight 0 when every other one is unhealthy, but a record is
    healthy only where something runs behind it, and where no lever holds it out.
    """
    decisions = {each.workload: each for each in before.decisions}
    dark, failing_over = [], []
    for each in endpoints:
        decision = decisions.get(each.workload)
        here = running(decision) if decision else frozenset[str]()
        healthy = {record.cluster: record.dns_weight for record in each.records if not record.held}
        healthy = {name: weight for name, weight in healthy.items() if name in here}
        left = {name: weight for name, weight in healthy.items() if name not in gone}
        if healthy and not left:
            dark.append(each.dns_name)
        elif any(healthy.values()) and not any(left.values()):
            failing_over.append(each.dns_name)
    return tuple(sorted(dark)), tuple(sorted(failing_over))
