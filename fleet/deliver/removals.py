"""What a workload leaves behind: clusters that it leaves, objects that go while it stays.

On a cluster that is down the objects are a debt and stay; on a decommissioned one they are
dropped from the state without being named here; everywhere else they go.
"""

from collections.abc import Container, Mapping

from fleet.deliver.history import History, Past, key_of
from fleet.model.base import FrozenMap
from fleet.model.decision import Decision
from fleet.model.inventory import State
from fleet.model.plan import ClusterDelivery, Leaving, WorkloadDelivery
from fleet.model.prior import PriorObject
from fleet.model.snapshot import Linked, Snapshot


def workload_deliveries(
    snapshot: Snapshot,
    decisions: Mapping[str, Decision],
    deliveries: Mapping[str, tuple[ClusterDelivery, ...]],
    history: History,
) -> tuple[WorkloadDelivery, ...]:
    """Every workload of the files and of the prior, sorted by name."""
    states = FrozenMap({name: each.state for name, each in snapshot.states.items()})
    here = {each.workload.name: each for each in snapshot.linked}
    found = []
    for name in sorted({*here, *history.pasts}):
        past, now = history.of(name), deliveries.get(name, ())
        leaving = leaving_of(past, now, states)
        linked = here.get(name)
        if linked is None:
            found.append(WorkloadDelivery(name, None, (), leaving))
        else:
            removed = removed_of(past, now)
            found.append(_delivery(linked, decisions.get(name), now, (leaving, removed), here))
    return tuple(each for each in found if each.decision is not None or each.leaving)


def _delivery(
    linked: Linked,
    decision: Decision | None,
    now: tuple[ClusterDelivery, ...],
    gone: tuple[tuple[Leaving, ...], tuple[PriorObject, ...]],
    today: Container[str],
) -> WorkloadDelivery:
    """A former name that is a workload of the files again is no former name any more."""
    workload = linked.workload
    return WorkloadDelivery(
        workload=workload.name,
        decision=decision,
        deliveries=now,
        leaving=gone[0],
        removed=gone[1],
        wait_seconds=workload.settings.wait_seconds,
        adopt=workload.settings.adopt,
        renamed_from=tuple(old for old in workload.settings.renamed_from if old not in today),
        source=workload.source,
    )


def leaving_of(
    past: Past, now: tuple[ClusterDelivery, ...], states: Mapping[str, State]
) -> tuple[Leaving, ...]:
    """The clusters that a workload leaves, sorted; a cluster that is unknown is the guard's."""
    here = {each.cluster for each in now}
    return tuple(
        Leaving(
            cluster,
            past.replicas.get(cluster, 0),
            past.objects.get(cluster, ()),
            debt=states[cluster] is State.DOWN,
        )
        for cluster in past.clusters
        if cluster not in here and cluster in states and states[cluster] is not State.DECOMMISSIONED
    )


def removed_of(past: Past, now: tuple[ClusterDelivery, ...]) -> tuple[PriorObject, ...]:
    """The objects that go from clusters where the workload stays, sorted by resource name."""
    gone = []
    for delivery in now:
        keys = {each.key for each in delivery.objects}
        gone += [
            each for each in past.objects.get(delivery.cluster, ()) if key_of(each.name) not in keys
        ]
    return tuple(sorted(gone, key=lambda each: each.name))
