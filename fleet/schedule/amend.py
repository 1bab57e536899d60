"""A snapshot with changes carried out, as if the files said so."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, TypeVar

from fleet.model.base import FileValue, FrozenMap
from fleet.model.change import APPEND, Edit
from fleet.model.cluster_set import ClusterSet
from fleet.model.inventory import Cluster
from fleet.model.quota import Quota
from fleet.model.snapshot import ClusterState, Linked, Snapshot
from fleet.model.source import Path
from fleet.model.words import field_of
from fleet.model.workload import Autoscaled, Workload

T = TypeVar("T", Cluster, ClusterSet, Quota)
D = TypeVar("D", bound=FileValue | Workload | Autoscaled)
STATE = ("spec", "state")
MAINTENANCE = ("spec", "maintenance")


def amended(snapshot: Snapshot, edits: Iterable[Edit]) -> Snapshot:
    """The snapshot after all edits, in their order."""
    return reduce(_after, edits, snapshot)


def _after(snapshot: Snapshot, edit: Edit) -> Snapshot:
    return _CARRY_OUT.get(edit.kind, _with_linked)(snapshot, edit)


def _without_config(snapshot: Snapshot, edit: Edit) -> Snapshot:
    return _restored(snapshot, str(edit.value))


def _with_cluster(snapshot: Snapshot, edit: Edit) -> Snapshot:
    """The windows that are left of an edit are those that are not open."""
    changed = replace(snapshot, clusters=_edited(snapshot.clusters, edit))
    if edit.path == MAINTENANCE:
        open_ = {name: each for name, each in snapshot.facts.windows.items() if name != edit.name}
        return replace(changed, facts=replace(snapshot.facts, windows=FrozenMap(open_)))
    heard = edit.path == STATE and not by_config(snapshot, edit.name)
    return _restored(changed, edit.name) if heard else changed


def _with_observation(snapshot: Snapshot, edit: Edit) -> Snapshot:
    """What is observed of a capacity is what the cluster has."""
    seen = snapshot.facts.observations
    new = with_value(seen[edit.name], edit.path, edit.value)
    facts = replace(snapshot.facts, observations=FrozenMap({**seen, edit.name: new}))
    return replace(snapshot, facts=facts, clusters=_edited(snapshot.clusters, edit))


def _with_set(snapshot: Snapshot, edit: Edit) -> Snapshot:
    facts = replace(snapshot.facts, sets=_edited(snapshot.facts.sets, edit))
    return replace(snapshot, facts=facts)


def _with_quota(snapshot: Snapshot, edit: Edit) -> Snapshot:
    return replace(snapshot, quotas=_edited(snapshot.quotas, edit))


def _with_linked(snapshot: Snapshot, edit: Edit) -> Snapshot:
    return replace(snapshot, linked=tuple(_linked(each, edit) for each in snapshot.linked))


_CARRY_OUT: Mapping[str, Callable[[Snapshot, Edit], Snapshot]] = {
    "Config": _without_config,
    "Cluster": _with_cluster,
    "ClusterObservation": _with_observation,
    "ClusterSet": _with_set,
    "Quota": _with_quota,
}


def _edited(documents: Sequence[T], edit: Edit) -> tuple[T, ...]:
    """The documents, of which the one that is meant has another value."""
    return tuple(
        with_value(each, edit.path, edit.value) if each.name == edit.name else each
        for each in documents
    )


def by_config(snapshot: Snapshot, name: str) -> bool:
    """Whether the config's word on a cluster's state counts, not the inventory's."""
    origin = _named(snapshot, name).origin
    return snapshot.states[name].said_by != str(origin.at(*STATE))


def _named(snapshot: Snapshot, name: str) -> Cluster:
    return next(each for each in snapshot.clusters if each.name == name)


def _restored(snapshot: Snapshot, name: str) -> Snapshot:
    """The inventory's word on a cluster's state counts."""
    cluster = _named(snapshot, name)
    said = ClusterState(cluster.spec.state, str(cluster.origin.at(*STATE)))
    return replace(snapshot, states=FrozenMap({**snapshot.states, name: said}))


def _linked(linked: Linked, edit: Edit) -> Linked:
    """A policy changes for all its workloads."""
    if edit.kind == "PlacementPolicy" and linked.placement.name == edit.name:
        return replace(linked, placement=with_value(linked.placement, edit.path, edit.value))
    if edit.kind == "Workload" and linked.workload.name == edit.name:
        own = edit.path[0] == "spec"
        path: Path = ("settings", *edit.path[1:]) if own else edit.path
        return replace(linked, workload=with_value(linked.workload, path, edit.value))
    return linked


def with_value(whole: D, path: Path, value: object) -> D:
    """A document with another value at a path; everything beside the path is shared."""
    field = field_of(str(path[0]))
    inner = _with(getattr(whole, field), path[1:], value)
    if isinstance(whole, FileValue):
        return whole.model_copy(update={field: inner})
    same: dict[str, Any] = {field: inner}
    return replace(whole, **same)


def _with(whole: object, path: Path, value: object) -> object:
    if not path:
        return value
    step, rest = path[0], path[1:]
    if isinstance(whole, tuple):
        if step == APPEND:
            return (*whole, value)
        return tuple(
            _with(each, rest, value) if place == step else each for place, each in enumerate(whole)
        )
    if isinstance(whole, FrozenMap):
        key = str(step)
        return FrozenMap[object]({**whole, key: _with(whole.get(key), rest, value)})
    if isinstance(whole, FileValue | Autoscaled):
        return with_value(whole, path, value)
    message = f"there is nothing at '{step}' to change"
    raise TypeError(message)
