"""One workload by itself, in the room that it found."""

from collections.abc import Mapping
from dataclasses import replace

from fleet.model.base import Resources
from fleet.model.decision import Decision
from fleet.model.inventory import Cluster
from fleet.model.snapshot import Snapshot
from fleet.schedule.verdicts import Verdicts


def alone(snapshot: Snapshot, decision: Decision) -> Snapshot:
    """The snapshot with one workload only; what all others held in its turn is reserved.

    A decision that the scheduler did not make has no such moment: it finds the clusters empty.
    """
    verdicts = decision.verdicts
    free = verdicts.free() if isinstance(verdicts, Verdicts) else {}
    clusters = (_with_room(each, free.get(each.name, {})) for each in snapshot.clusters)
    linked = (each for each in snapshot.linked if each.workload.name == decision.workload)
    return replace(snapshot, clusters=tuple(clusters), linked=tuple(linked))


def _with_room(cluster: Cluster, free: Mapping[str, int]) -> Cluster:
    capacity = cluster.spec.capacity
    taken = {
        name: max(capacity.reserved.get(name, 0), amount - free[name])
        for name, amount in capacity.allocatable.items()
        if name in free
    }
    reserved = Resources({**capacity.reserved, **taken})
    spec = cluster.spec.model_copy(
        update={"capacity": capacity.model_copy(update={"reserved": reserved})}
    )
    return cluster.model_copy(update={"spec": spec})
