"""A federated object as a workload: its object, its policy, its overrides."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from fleet.load.importers.importer import Claim, Imported
from fleet.load.importers.kubefed.division import (
    Preferences,
    fixed,
    names_of,
    weighted,
    where_preferred,
)
from fleet.load.importers.kubefed.objects import (
    WITH_PODS,
    WITH_REPLICAS,
    Where,
    is_known,
    object_of,
    target_of,
    where,
)
from fleet.load.importers.native import Native, escaped
from fleet.load.importers.reading import Foreign, Part
from fleet.model.override import OverridePolicy
from fleet.model.policy import PlacementPolicy
from fleet.model.source import Path

_REPLICAS = "/spec/replicas"
_OPERATIONS = ("add", "remove", "replace")


@dataclass(frozen=True, slots=True)
class Federation:
    """What the documents say together.

    **Shape**: `types` by federated kind, `labels` by cluster, `namespaces` by name (None: it is
    nowhere), `preferences` by kind, namespace and name; `known` are all clusters of the run.
    """

    types: Mapping[str, tuple[str, str]]
    labels: Mapping[str, Mapping[str, str]]
    namespaces: Mapping[str, Where | None]
    preferences: Mapping[tuple[str, str, str], Preferences]
    known: Collection[str]


@dataclass(frozen=True, slots=True)
class _Read:
    """A federated object that was read. **Shape**: `steps` by cluster, each with its path."""

    target: tuple[str, str]
    template: Part
    where: Where
    steps: Mapping[str, list[tuple[Path, dict[str, Any]]]]
    preference: Preferences | None


def claimed(each: Foreign, federation: Federation, imported: Imported, names: set[str]) -> None:
    """Adds the workload of a federated object, unless it is placed nowhere or has faults.

    `names` are taken already, and get its name.
    """
    read = _read(each, federation)
    if read is None:
        return
    if each.notes.refused:
        _counts(each, read)  # its faults are told with the others
        return
    name = _name(each, read.target[1], names)
    names.add(name)
    native = _policy(each, read, name)
    replicas = _divide(native, each, read, federation)
    checked = object_of(each, read.template, read.target, replicas)
    policy = native.made(PlacementPolicy)
    changes = _overrides(each, read, name)
    if checked is None or policy is None or each.notes.refused:
        return
    imported.objects.append(checked)
    claim = Claim(
        name,
        (checked.manifest,),
        placement=policy,
        overrides=() if changes is None else (changes,),
        adopt=True,
    )
    imported.workloads.append(claim)


def _name(each: Foreign, kind: str, taken: set[str]) -> str:
    base = f"{each.namespace}/{each.name}" if each.namespace else each.name
    return base if kind in WITH_PODS and base not in taken else f"{base}.{kind.lower()}"


def _read(each: Foreign, federation: Federation) -> _Read | None:
    spec = each.body.within("spec")
    each.body.skip("status")
    template = spec.within("template")
    target = target_of(each, template, federation.types)
    if spec.flag("retainReplicas"):
        why = "leaves the replicas to an autoscaler on the cluster"
        each.notes.differs(spec.at("retainReplicas"), why, "add the autoscaler to the workload")
    steps = _steps(each, spec, federation.known)
    preference = federation.preferences.get(("" if target is None else target[1], *each.key))
    placement = _where(each, spec, federation, preference)
    spec.close(f"the spec of a {each.kind}")
    each.body.close(f"a {each.kind}")
    if target is None or placement is None:
        return None
    if placement.names == ():
        each.notes.ignored(spec.at("placement"), "places nothing; no cluster is left of it")
        return None
    return _Read(target, template, placement, steps, preference)


def _where(
    each: Foreign, spec: Part, federation: Federation, preference: Preferences | None
) -> Where | None:
    """Where it goes; inside a federated namespace no further than that goes."""
    if each.kind == "FederatedNamespace":
        spec.skip("placement")
        return federation.namespaces[each.namespace or each.name]
    if preference is not None and not preference.intersect:
        spec.skip("placement")
        found = where_preferred(preference, None)
    else:
        found = where(each, spec.within("placement"), federation.known)
        found = found if preference is None else where_preferred(preference, found)
    if not each.namespace:
        return found
    if each.namespace not in federation.namespaces:
        why = "places it only where a FederatedNamespace is, and there is none for its namespace"
        each.notes.differs(("metadata", "namespace"), why, "have the namespace on every cluster")
        return found
    outer = federation.namespaces[each.namespace]
    return found.within(outer) if found is not None and outer is not None else None


def _steps(
    each: Foreign, spec: Part, known: Collection[str]
) -> dict[str, list[tuple[Path, dict[str, Any]]]]:
    """The overrides by cluster."""
    found: dict[str, list[tuple[Path, dict[str, Any]]]] = {}
    for part in spec.parts("overrides"):
        name = part.required("clusterName")
        steps: list[tuple[Path, dict[str, Any]]] = []
        if is_known(each, part.at("clusterName"), name, known):
            steps = found.setdefault(name, [])
        for change in part.parts("clusterOverrides"):
            step: dict[str, Any] = {
                "op": change.choice("op", _OPERATIONS, "replace"),
                "path": change.required("path"),
            }
            value = change.raw("value")
            change.close("a cluster override")
            if step["op"] != "remove":
                step["value"] = escaped(value)
            steps.append((change.path, step))
        part.close("an override")
    return found


def _policy(each: Foreign, read: _Read, name: str) -> Native:
    """The policy; its places are those of the preference, where there is one."""
    native = Native(each if read.preference is None else read.preference.of)
    native.put(("metadata", "name"), name.replace("/", "."), ("metadata", "name"))
    native.put(("spec", "workloads"), [name], ("metadata", "name"))
    term = read.where.term
    path: Path = ("spec", "placement") if read.preference is None else read.preference.path
    native.names["spec", "affinity", "required"] = path
    if term:
        native.put(("spec", "affinity", "required"), [term], path)
        native.links["spec", "affinity", "required", 0] = path
    return native


def _divide(native: Native, each: Foreign, read: _Read, federation: Federation) -> int | None:
    """Says the division; returns the replicas of all clusters together, None for the template's."""
    preference = read.preference
    counts = _counts(each, read)
    if preference is not None:
        native.put(("spec", "division"), weighted(preference), preference.path)
        native.links["spec", "division", "weights"] = preference.path
        native.names |= names_of(preference)
        return preference.total
    if not counts:
        return None
    names = read.where.chosen(federation.labels)
    default = read.template.within("spec").whole("replicas")
    default = 1 if default is None else default
    native.put(("spec", "division"), fixed(counts, names, default), ("spec", "overrides"))
    return sum(counts.get(name, default) for name in names)


def _counts(each: Foreign, read: _Read) -> dict[str, int]:
    """The replicas of clusters that have a number of their own."""
    counts: dict[str, int] = {}
    for cluster, steps in read.steps.items():
        for path, step in steps:
            if not _is_replicas(step, read):
                continue
            value = step.get("value")
            if read.preference is not None:
                why = "overwrites it with what the ReplicaSchedulingPreference divides"
                each.notes.ignored(path, why)
            elif isinstance(value, int) and not isinstance(value, bool) and value >= 0:
                counts[cluster] = value
            else:
                each.notes.fault((*path, "value"), "wants a whole number of replicas")
    return counts


def _is_replicas(step: Mapping[str, Any], read: _Read) -> bool:
    return step["path"] == _REPLICAS and read.target[1] in WITH_REPLICAS


def _overrides(each: Foreign, read: _Read, name: str) -> OverridePolicy | None:
    """What differs between clusters, but for replicas, which are divided."""
    native = Native(each)
    native.put(("metadata", "name"), name.replace("/", "."), ("metadata", "name"))
    native.put(("spec", "workloads"), [name], ("metadata", "name"))
    rules: list[dict[str, Any]] = []
    for cluster, steps in read.steps.items():
        for path, step in steps:
            if _is_replicas(step, read):
                continue
            native.links["spec", "rules", len(rules)] = path
            native.links["spec", "rules", len(rules), "patch", 0] = path
            rules.append({"where": {"clusters": [cluster]}, "patch": [step]})
    native.put(("spec", "rules"), rules, ("spec", "overrides"))
    return native.made(OverridePolicy) if rules else None
