"""Pinned data: where it is, and what is said when its workload would leave it."""

from collections.abc import Iterator
from dataclasses import replace

from fleet.deliver.history import History, history_of
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.data import DataKind
from fleet.model.decision import Decision, Finding
from fleet.model.inventory import State
from fleet.model.prior import Prior
from fleet.model.snapshot import Linked, Snapshot


def with_pins(snapshot: Snapshot, prior: Prior) -> Snapshot:
    """The snapshot in which pinned data that says no place is where the last update left it.

    A debt on a dead cluster is data, too. What was on a decommissioned cluster is lost.
    """
    if all(each.workload.settings.data.kind is not DataKind.PINNED for each in snapshot.linked):
        return snapshot
    history = history_of(snapshot, prior)
    linked = tuple(_pinned(each, snapshot, history) for each in snapshot.linked)
    return replace(snapshot, linked=linked) if linked != snapshot.linked else snapshot


def _pinned(linked: Linked, snapshot: Snapshot, history: History) -> Linked:
    settings = linked.workload.settings
    if settings.data.kind is not DataKind.PINNED or settings.data.at:
        return linked
    past = history.of(linked.workload.name)
    held = tuple(
        cluster
        for cluster in past.clusters
        if (past.replicas.get(cluster, 0) or past.objects.get(cluster))
        and cluster in snapshot.states
        and snapshot.states[cluster].state is not State.DECOMMISSIONED
    )
    if not held:
        return linked
    data = settings.data.model_copy(update={"at": held})
    pinned = settings.model_copy(update={"data": data})
    return replace(linked, workload=replace(linked.workload, settings=pinned))


def pin_findings(
    snapshot: Snapshot, history: History, decisions: dict[str, Decision]
) -> Iterator[Finding]:
    """What leaves its data, which needs consent whatever moves it, and what waits for it."""
    for linked in snapshot.linked:
        workload, decision = linked.workload, decisions.get(linked.workload.name)
        if workload.settings.data.kind is not DataKind.PINNED or decision is None:
            continue
        now = {cluster for cluster, count in decision.replicas.items() if count}
        ran = {name for name, count in history.of(workload.name).replicas.items() if count}
        dead = [each for each in workload.settings.data.at if _is_down(snapshot, each)]
        left = sorted(each for each in ran - now if not _is_down(snapshot, each))
        values: dict[str, str | int] = {"workload": workload.name}
        source = workload.data_source()
        if left:
            new = now - ran
            moves = {"clusters": ", ".join(left), "to": ", ".join(sorted(new))}
            if new and new.issubset(workload.settings.data.at):
                moves["said"] = ", ".join(sorted(new))
            yield Finding(codes.PINNED_MOVES, FrozenMap(values | moves), source, blocks=True)
        if dead:
            waits = {"clusters": ", ".join(dead)}
            yield Finding(codes.PINNED_WAITS, FrozenMap(values | waits), source)


def _is_down(snapshot: Snapshot, cluster: str) -> bool:
    return cluster in snapshot.states and snapshot.states[cluster].state is State.DOWN
