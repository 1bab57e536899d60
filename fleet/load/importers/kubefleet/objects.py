"""Which objects of the workload files KubeFleet's placements and overrides select."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fleet.load.importers.reading import Foreign, Part
from fleet.load.importers.selectors import ANY, Selector, selector
from fleet.load.objects import group_of
from fleet.model.workload import Manifest

_RESERVED = ("default", "kube-", "fleet-")
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
        """Whether an object is one of the selected kind, by name or labels."""
        if (group_of(manifest.api_version), manifest.kind) != (self.group, self.kind):
            return False
        if self.where is not None and (manifest.namespace or "default") != self.where:
            return False
        return self.name in {"", manifest.name} and self.labels.holds(labels_of(manifest))


def labels_of(manifest: Manifest) -> dict[str, str]:
    """The labels of an object."""
    metadata = manifest.body.get("metadata")
    labels = metadata.get("labels") if isinstance(metadata, dict) else None
    return {str(key): str(value) for key, value in labels.items()} if labels else {}


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
    if found.is_namespace and found.name.startswith(_RESERVED):
        part.fault("name", f"the namespace '{found.name}' is reserved", "the product refuses it")
    part.close("a resource selector")
    return found


def selected(
    placement: Foreign, spec: Part, name: str, objects: Sequence[Manifest]
) -> tuple[Manifest, ...]:
    """The objects that a placement or an override selects, in the order of files."""
    where = placement.namespace or None
    chosen: set[int] = set()
    for part in spec.parts(name):
        one = wanted(part, where)
        found = _taken(placement, part, one, objects)
        if not found:
            why = "selects nothing with it; no object of the workload files matches"
            placement.notes.ignored(part.path, why)
        chosen |= {id(each) for each in found}
    return tuple(each for each in objects if id(each) in chosen)


def _taken(
    placement: Foreign, part: Part, one: Wanted, objects: Sequence[Manifest]
) -> list[Manifest]:
    found = [each for each in objects if one.takes(each)]
    if not one.is_namespace or one.alone:
        return found
    inside = _inside(one, found)
    members = [each for each in objects if inside(each)]
    if members and not found:
        why = f"places the Namespace '{one.name}' too, which is not in the workload files"
        placement.notes.differs(part.at("name"), why, "add it, or have it on every cluster")
    return found + members


def _inside(one: Wanted, namespaces: Sequence[Manifest]) -> Callable[[Manifest], bool]:
    names = {each.name for each in namespaces} | ({one.name} if one.name else set())
    return lambda manifest: manifest.namespace in names
