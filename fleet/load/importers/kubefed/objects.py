"""The Kubernetes object inside a federated one, and where KubeFed puts it."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from fleet.load.importers.reading import Foreign, Part
from fleet.load.importers.selectors import Selector, selector, term
from fleet.load.objects import Checked, read_objects
from fleet.model.source import Path

PREFIX = "Federated"
WITH_REPLICAS = frozenset({"Deployment", "ReplicaSet", "StatefulSet", "ReplicationController"})
WITH_PODS = WITH_REPLICAS | {"DaemonSet", "Job", "CronJob", "Pod"}
_HOMES = {
    "v1": "ConfigMap LimitRange Namespace PersistentVolume PersistentVolumeClaim Pod"
    " ReplicationController ResourceQuota Secret Service ServiceAccount",
    "apps/v1": "DaemonSet Deployment ReplicaSet StatefulSet",
    "batch/v1": "CronJob Job",
    "autoscaling/v2": "HorizontalPodAutoscaler",
    "networking.k8s.io/v1": "Ingress IngressClass NetworkPolicy",
    "policy/v1": "PodDisruptionBudget",
    "rbac.authorization.k8s.io/v1": "ClusterRole ClusterRoleBinding Role RoleBinding",
    "scheduling.k8s.io/v1": "PriorityClass",
    "storage.k8s.io/v1": "StorageClass",
    "apiextensions.k8s.io/v1": "CustomResourceDefinition",
}
_VERSIONS = {kind: version for version, kinds in _HOMES.items() for kind in kinds.split()}


def type_configs(documents: Iterable[Foreign]) -> dict[str, tuple[str, str]]:
    """The target apiVersion and kind of the federated kinds that FederatedTypeConfigs declare."""
    found = {}
    for each in documents:
        spec = each.body.within("spec")
        spec.skip("statusType", "statusCollection", "namespaced")
        if spec.choice("propagation", ("Enabled", "Disabled"), "Enabled") == "Disabled":
            why = "places no object of this type then; fleet places those that are in its files"
            each.notes.differs(spec.at("propagation"), why, "take the objects out of the files")
        federated, target = spec.within("federatedType"), spec.within("targetType")
        for part in (federated, target):
            part.skip("pluralName", "scope", "group", "version")
        kind, version = target.required("kind"), target.text("version", "v1")
        group = target.text("group")
        found[federated.required("kind")] = (f"{group}/{version}" if group else version, kind)
        for part in (federated, target):
            part.close("an API resource")
        each.body.skip("status")
        spec.close("the spec of a FederatedTypeConfig")
        each.body.close("a FederatedTypeConfig")
    return found


def target_of(
    each: Foreign, template: Part, types: Mapping[str, tuple[str, str]]
) -> tuple[str, str] | None:
    """The API version and kind of the object inside; None, with a fault, where nobody says them."""
    kind = template.text("kind") or types.get(each.kind, ("", each.kind.removeprefix(PREFIX)))[1]
    version = template.text("apiVersion") or types.get(each.kind, ("", ""))[0]
    version = version or _VERSIONS.get(kind, "")
    if not version:
        sentence = f"nothing says which API a {kind} is of"
        hint = "write spec.template.apiVersion, or add the FederatedTypeConfig"
        each.notes.fault(("kind",), sentence, hint)
        return None
    return version, kind


def object_of(
    each: Foreign, template: Part, target: tuple[str, str], replicas: int | None
) -> Checked | None:
    """The object that every cluster gets, before overrides; None where it has faults."""
    metadata = {**template.within("metadata").data, "name": each.name}
    data: dict[str, Any] = {"apiVersion": target[0], "kind": target[1], "metadata": metadata}
    data |= {key: value for key, value in template.data.items() if key not in data}
    if each.namespace and target[1] != "Namespace":
        metadata["namespace"] = each.namespace
    if replicas is not None:
        data["spec"] = {**template.within("spec").data, "replicas": replicas}
    checked = read_objects(each.document.part(data, *template.path), each.notes.errors)
    return checked[0] if checked else None


@dataclass(frozen=True, slots=True)
class Where:
    """Which clusters: the names, where there are any to choose from, that the selectors choose."""

    names: tuple[str, ...] | None
    selectors: tuple[Selector, ...] = ()

    def within(self, other: "Where") -> "Where":
        """Only what is in both."""
        names = self.names if other.names is None else other.names
        if self.names is not None and other.names is not None:
            names = tuple(name for name in self.names if name in other.names)
        return Where(names, self.selectors + other.selectors)

    def chosen(self, labels: Mapping[str, Mapping[str, str]]) -> tuple[str, ...]:
        """The names of clusters, of which `labels` has the labels, sorted."""
        names = sorted(labels if self.names is None else self.names)
        return tuple(
            name
            for name in names
            if all(each.holds(labels.get(name, {})) for each in self.selectors)
        )

    @property
    def term(self) -> dict[str, Any]:
        """As a term in a file of fleet."""
        names = {} if self.names is None else {"clusters": list(self.names)}
        return names | term(self.selectors)


def is_known(each: Foreign, path: Path, name: str, known: Collection[str]) -> bool:
    """Whether there is such a cluster; a note if not. Where nobody knows any there may be."""
    if name in known or not known or not name:
        return True
    each.notes.ignored(path, f"leaves out '{name}'; no cluster has that name")
    return False


def where(each: Foreign, placement: Part, known: Collection[str]) -> Where | None:
    """Reads spec.placement; None, with a note, where it selects no cluster."""
    listed = placement.has("clusters")
    names = []
    for part in placement.parts("clusters"):
        name = part.required("name")
        if is_known(each, part.at("name"), name, known):
            names.append(name)
        part.close("a cluster reference")
    chosen = placement.map("clusterSelector")
    selected = selector(chosen)
    placement.close("a placement")
    if listed and chosen is not None:
        each.notes.ignored(
            placement.at("clusterSelector"), "follows clusters, where both are there"
        )
    if listed and names:
        return Where(tuple(names))
    if not listed and chosen is not None:
        return Where(None, (selected,))
    each.notes.ignored(placement.path, "places nothing; the placement names no cluster")
    return None
