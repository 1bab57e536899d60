"""Carries changes out as a person would: on the words of the files, which are then read again.

Nothing of fleet.schedule takes part, so that a change that only the scheduler understands fails.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from fleet.load.link_facts import observed
from fleet.load.parse import Declared
from fleet.load.windows import open_windows
from fleet.model.base import FrozenMap
from fleet.model.change import APPEND, Change, Edit
from fleet.model.cluster_set import ClusterSet
from fleet.model.inventory import Cluster, NodeGroup
from fleet.model.observation import ClusterObservation
from fleet.model.policy import PlacementPolicy
from fleet.model.quota import Quota
from fleet.model.snapshot import ClusterState, Linked, Snapshot
from fleet.model.words import in_words
from fleet.model.workload import Workload, WorkloadSettings
from tests.builders import said

Words = dict[str, Any]
MILLION = 1_000_000


def applied(snapshot: Snapshot, changes: Iterable[Change]) -> Snapshot:
    """The snapshot of files in which all changes were written down."""
    for change in changes:
        for edit in change.edits:
            snapshot = _written(snapshot, edit)
    return snapshot


def _written(snapshot: Snapshot, edit: Edit) -> Snapshot:
    if edit.kind == "Config":
        return _without_config(snapshot, str(edit.value))
    if edit.kind in DOCUMENTS:
        return DOCUMENTS[edit.kind](snapshot, edit)
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
    _put(words, edit, _amounts_spelled(edit))
    new = Cluster.model_validate(words).model_copy(update={"origin": old.origin})
    clusters = tuple(new if each is old else each for each in snapshot.clusters)
    changed = replace(snapshot, clusters=clusters)
    now = snapshot.facts.now
    if now is not None:
        changed = replace(
            changed, facts=replace(snapshot.facts, windows=open_windows(clusters, now))
        )
    said = snapshot.states[old.name].said_by
    return _with_state(changed, new) if said == str(old.origin.at("spec", "state")) else changed


def _amounts_spelled(edit: Edit) -> object:
    """Amounts as a file has them."""
    if edit.path[-2] in {"allocatable", "limits"}:
        return _spelled(str(edit.path[-1]), int(str(edit.value)))
    if isinstance(edit.value, NodeGroup):
        free = {name: _spelled(name, each) for name, each in edit.value.free.items()}
        return {"count": edit.value.count, "free": free}
    return in_words(edit.value)


def _with_quota(snapshot: Snapshot, edit: Edit) -> Snapshot:
    (old,) = [each for each in snapshot.quotas if each.name == edit.name]
    words = in_words(old, whole=True)
    limits = words["spec"]["limits"]
    words["spec"]["limits"] = {name: _spelled(name, each) for name, each in limits.items()}
    _put(words, edit, _amounts_spelled(edit))
    new = Quota.model_validate(words)
    return replace(snapshot, quotas=tuple(new if each is old else each for each in snapshot.quotas))


def _with_set(snapshot: Snapshot, edit: Edit) -> Snapshot:
    (old,) = [each for each in snapshot.facts.sets if each.name == edit.name]
    words = in_words(old, whole=True)
    _put(words, edit, in_words(edit.value))
    new = ClusterSet.model_validate(said(words))
    sets = tuple(new if each is old else each for each in snapshot.facts.sets)
    return replace(snapshot, facts=replace(snapshot.facts, sets=sets))


def _with_observation(snapshot: Snapshot, edit: Edit) -> Snapshot:
    """The observation is written, and laid over what the inventory says."""
    old = snapshot.facts.observations[edit.name]
    words = in_words(old, whole=True)
    if old.spec.capacity is not None:
        _spell(words["spec"]["capacity"])
    _put(words, edit, _amounts_spelled(edit))
    new = ClusterObservation.model_validate(words).model_copy(update={"origin": old.origin})
    seen = FrozenMap({**snapshot.facts.observations, edit.name: new})
    changed = replace(snapshot, facts=replace(snapshot.facts, observations=seen))
    declared = Declared(clusters=list(snapshot.clusters), observations=[new])
    return replace(changed, clusters=tuple(observed(declared)))


NEVER_EMPTY = {"clusters", "regions", "required", "tiers", "weights"}
DOCUMENTS = {
    "Cluster": _with_cluster,
    "ClusterObservation": _with_observation,
    "ClusterSet": _with_set,
    "Quota": _with_quota,
}


def _policy(old: PlacementPolicy, edit: Edit) -> PlacementPolicy:
    words = in_words(old, whole=True)
    _put(words, edit, in_words(edit.value))
    assert edit.value or edit.path[-1] not in NEVER_EMPTY, edit
    for term in words["spec"]["affinity"]["required"]:
        for each in term.get("matchProperties", ()):
            each["value"] = str(Decimal(each["value"]) / MILLION)
    policy = PlacementPolicy.model_validate(said(words))
    return policy.model_copy(update={"origin": old.origin})


def _with_workload(item: Linked, edit: Edit) -> Linked:
    workload: Workload = item.workload
    if edit.path == ("replicas",):
        return replace(item, workload=replace(workload, replicas=int(str(edit.value))))
    if edit.path[0] == "spec":
        words = {"spec": in_words(workload.settings, whole=True)}
        _put(words, edit, in_words(edit.value))
        settings = WorkloadSettings.model_validate(words["spec"])
        return replace(item, workload=replace(workload, settings=settings))
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
