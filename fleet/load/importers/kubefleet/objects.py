"""Which objects of the workload files KubeFleet's placements and overrides select."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fleet.load.importers.reading import Foreign, Part
from fleet.load.importers.selectors import ANY, Selector, labels_of, selector
from fleet.model.api_version import group_of
from fleet.model.workload import Manifest

_RESERVED = re.compile(r"default\Z|kube-|fleet-")
_ALONE = "NamespaceOnly"
_INSIDE = (
    "ConfigMap ControllerRevision CronJob DaemonSet Deployment Endpoints EndpointSlice"
    " HorizontalPodAutoscaler Ingress Job LimitRange NetworkPolicy PersistentVolumeClaim Pod"
    " PodDisruptionBudget PodTemplate ReplicaSet ReplicationController ResourceQuota Role"
    " RoleBinding Secret Service ServiceAccount StatefulSet"
)
_NAMESPACED = frozenset(_INSIDE.split())
"""Kinds of Kubernetes that live in a namespace."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """One resource selector; `where` is its namespace, None for a cluster-scoped selector."""

    group: str
    kind: str
    name: str
    labels: Selector
    where: str | None
    alone: bool

    @property
    def is_namespace(self) -> bool:
        """Whether it selects namespaces."""
        return (self.group, self.kind) == ("", "Namespace")

    def takes(self, manifest: Manifest) -> bool:
        """Whether an object of the selected kind is meant, by name or labels."""
        if self.where is not None and (manifest.namespace or "default") != self.where:
            return False
        return self.name in {"", manifest.name} and self.labels.holds(labels_of(manifest))


class Objects:
    """All objects of the workload files, looked up by kind and by namespace."""

    def __init__(self, objects: Sequence[Manifest]) -> None:
        self._place = {id(each): place for place, each in enumerate(objects)}
        self._of_kind: dict[tuple[str, str], list[Manifest]] = {}
        self._inside: dict[str, list[Manifest]] = {}
        for each in objects:
            kind = (group_of(each.api_version), each.kind)
            self._of_kind.setdefault(kind, []).append(each)
            self._inside.setdefault(each.namespace, []).append(each)

    def taken(self, one: Wanted) -> list[Manifest]:
        """The objects that a selector takes itself."""
        return [each for each in self._of_kind.get((one.group, one.kind), ()) if one.takes(each)]

    def inside(self, names: Iterable[str]) -> list[Manifest]:
        """The objects in some namespaces."""
        return [each for name in names for each in self._inside.get(name, ())]

    def in_order(self, objects: Iterable[Manifest]) -> tuple[Manifest, ...]:
        """Objects, each once, in the order of files."""
        once = {id(each): each for each in objects}
        return tuple(sorted(once.values(), key=lambda each: self._place[id(each)]))


def wanted(part: Part, where: str | None) -> Wanted:
    """Reads a resource selector."""
    part.skip("version")
    found = Wanted(
        group=part.text("group"),
        kind=part.required("kind"),
        name=part.text("name"),
        labels=selector(part.map("labelSelector")) if part.has("labelSelector") else ANY,
        where=where,
        alone=part.choice("selectionScope", ("NamespaceWithResources", _ALONE), "") == _ALONE,
    )
    if found.name and part.has("labelSelector"):
        sentence = "'name' and 'labelSelector' exclude each other"
        part.fault("labelSelector", sentence, "the product refuses it")
    if where is None and found.kind in _NAMESPACED:
        sentence = (
            f"a {found.kind} lives in a namespace, and only cluster-scoped kinds are selected"
        )
        part.fault("kind", sentence, "select its Namespace, or use a ResourcePlacement")
    if found.is_namespace and _RESERVED.match(found.name):
        part.fault("name", f"the namespace '{found.name}' is reserved", "the product refuses it")
    part.close("a resource selector")
    return found


def selected(placement: Foreign, spec: Part, name: str, objects: Objects) -> tuple[Manifest, ...]:
    """The objects that a placement or an override selects, in the order of files."""
    where = placement.namespace or None
    chosen: list[Manifest] = []
    for part in spec.parts(name):
        found = _taken(placement, part, wanted(part, where), objects)
        if not found:
            why = "selects nothing with it; no object of the workload files matches"
            placement.notes.ignored(part.path, why)
        chosen += found
    return objects.in_order(chosen)


def _taken(placement: Foreign, part: Part, one: Wanted, objects: Objects) -> list[Manifest]:
    found = objects.taken(one)
    if not one.is_namespace or one.alone:
        return found
    names = {each.name for each in found} | ({one.name} if one.name else set())
    members = objects.inside(sorted(names))
    if members and not found:
        why = f"places the Namespace '{one.name}' too, which is not in the workload files"
        placement.notes.differs(part.at("name"), why, "add it, or have it on every cluster")
    return found + members
