"""Carries changes out as a person would: on the words of the files, which are then read again.

Nothing of fleet.schedule takes part, so that a change that only the scheduler understands fails.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from fleet.model.base import FrozenMap
from fleet.model.change import APPEND, Change, Edit
from fleet.model.inventory import Cluster
from fleet.model.policy import PlacementPolicy
from fleet.model.snapshot import ClusterState, Linked, Snapshot
from fleet.model.words import in_words
from fleet.model.workload import Workload

Words = dict[str, Any]


def applied(snapshot: Snapshot, changes: Iterable[Change]) -> Snapshot:
    """The snapshot of files in which all changes were written down."""
    for change in changes:
        for edit in change.edits:
            snapshot = _written(snapshot, edit)
    return snapshot


def _written(snapshot: Snapshot, edit: Edit) -> Snapshot:
    if edit.kind == "Config":
        return _without_config(snapshot, str(edit.value))
    if edit.kind == "Cluster":
        return _with_cluster(snapshot, edit)
    items = []
    for item in snapshot.linked:
        if edit.kind == "PlacementPolicy" and item.placement.name == edit.name:
            items.append(replace(item, placement=_policy(item.placement, edit)))
        elif edit.kind == "Workload" and item.workload.name == edit.name:
            items.append(_with_workload(item, edit))
        else:
            items.append(item)
    assert items != list(snapshot.linked), edit
    return replace(snapshot, linked=tuple(items))


def _without_config(snapshot: Snapshot, name: str) -> Snapshot:
    (cluster,) = [each for each in snapshot.clusters if each.name == name]
    return _with_state(snapshot, cluster)


def _with_state(snapshot: Snapshot, cluster: Cluster) -> Snapshot:
    said = ClusterState(cluster.spec.state, str(cluster.origin.at("spec", "state")))
    return replace(snapshot, states=FrozenMap({**snapshot.states, cluster.name: said}))


def _with_cluster(snapshot: Snapshot, edit: Edit) -> Snapshot:
    (old,) = [each for each in snapshot.clusters if each.name == edit.name]
    words = in_words(old, whole=True)
    _spell(words["spec"]["capacity"])
    value = edit.value
    if edit.path[:3] == ("spec", "capacity", "allocatable"):
        value = _spelled(str(edit.path[3]), int(str(value)))
    _put(words, edit, value)
    new = Cluster.model_validate(words).model_copy(update={"origin": old.origin})
    clusters = tuple(new if each is old else each for each in snapshot.clusters)
    changed = replace(snapshot, clusters=clusters)
    said = snapshot.states[old.name].said_by
    return _with_state(changed, new) if said == str(old.origin.at("spec", "state")) else changed


def _policy(old: PlacementPolicy, edit: Edit) -> PlacementPolicy:
    words = in_words(old, whole=True)
    _put(words, edit, in_words(edit.value))
    return PlacementPolicy.model_validate(words).model_copy(update={"origin": old.origin})


def _with_workload(item: Linked, edit: Edit) -> Linked:
    workload: Workload = item.workload
    if edit.path == ("replicas",):
        return replace(item, workload=replace(workload, replicas=int(str(edit.value))))
    assert workload.autoscaled is not None
    part, bound = edit.path
    assert part == "autoscaled"
    owner = replace(workload.autoscaled, **{str(bound): int(str(edit.value))})
    return replace(item, workload=replace(workload, autoscaled=owner))


def _put(words: Words, edit: Edit, value: object) -> None:
    """One step of a JSON patch. Source: RFC 6902."""
    inner: Any = words
    for step in edit.path[:-1]:
        inner = inner[step]
    last = edit.path[-1]
    if last == APPEND:
        inner.append(value)
    else:
        assert inner.get(last) != value, edit
        inner[last] = value


def _spell(capacity: Words) -> None:
    """Amounts in base units as quantities, which are read the same again."""
    amounts: list[Mapping[str, int]] = [capacity["allocatable"], capacity["reserved"]]
    capacity["allocatable"], capacity["reserved"] = (
        {name: _spelled(name, amount) for name, amount in each.items()} for each in amounts
    )
    for group in capacity["nodes"]:
        group["free"] = {name: _spelled(name, each) for name, each in group["free"].items()}


def _spelled(resource: str, amount: int) -> str:
    return f"{amount}m" if resource == "cpu" else str(amount)
