"""The ClusterProfile of Kubernetes' sig-multicluster (the cluster inventory API)."""

from collections.abc import Sequence
from typing import Any

from fleet.load.importers.importer import Context, Imported, Importer
from fleet.load.importers.native import (
    REGION,
    ZONE,
    cluster_of,
    clusters_of,
    made_cluster,
    not_true,
    note_connection,
    note_unwell,
    put_region,
    put_zones,
)
from fleet.load.importers.reading import Foreign, Part, by_kind, findings_of
from fleet.load.source import Document
from fleet.model.inventory import Cluster
from fleet.model.quantity import parse_quantity

PRODUCT = "ClusterProfile"
_MANAGER = "x-k8s.io/cluster-manager"
_REGIONS = (REGION, "region")
_ZONES = (ZONE, "zone")
_REACHES = "gives credentials by a plugin"


def convert(documents: Sequence[Document], context: Context) -> Imported:
    """ClusterProfiles as clusters."""
    found = by_kind(CLUSTER_PROFILE, documents, context.errors)
    clusters = clusters_of(found.get("ClusterProfile", ()), _cluster)
    return Imported(clusters=clusters, findings=findings_of(found))


def _cluster(each: Foreign, *, first: bool) -> Cluster | None:
    spec = each.body.within("spec")
    spec.skip("displayName")
    manager = spec.within("clusterManager")
    by = {_MANAGER: manager.text("name")} if manager.has("name") else {}
    manager.close("a clusterManager")
    spec.close("the spec of a ClusterProfile")
    status = each.body.within("status")
    version = status.within("version")
    said = _properties(status)
    native = cluster_of(each, {**said, **by})
    native.put(("spec", "kubernetesVersion"), version.text("kubernetes"), version.path)
    version.close("a version")
    place = status.at("properties")
    native.put(("spec", "properties"), _amounts(said), place)
    put_region(
        native,
        next((said[name] for name in _REGIONS if said.get(name)), ""),
        place,
        f", or the property '{REGION}'",
    )
    put_zones(native, [said[name] for name in _ZONES if said.get(name)][:1], place)
    _note_the_rest(each, status, first=first)
    status.close("the status of a ClusterProfile")
    each.body.close("a ClusterProfile")
    return made_cluster(native)


def _properties(status: Part) -> dict[str, str]:
    """The properties: each is a label, too, so that policies can match it."""
    said = {}
    for part in status.parts("properties"):
        said[part.required("name")] = part.text("value")
        part.skip("lastObservedTime")
        part.close("a property")
    return said


def _amounts(said: dict[str, str]) -> dict[str, Any]:
    """Those of the properties that are quantities."""
    amounts = {}
    for name, text in said.items():
        try:
            parse_quantity(text)
        except ValueError:
            continue
        amounts[name] = text
    return amounts


def _note_the_rest(each: Foreign, status: Part, *, first: bool) -> None:
    for name in ("credentialProviders", "accessProviders"):
        if status.has(name) and first:
            note_connection(each.notes, status.at(name), _REACHES)
    for part in not_true(status, "ControlPlaneHealthy"):
        why = "does not report a healthy control plane; fleet goes by the state of a cluster"
        note_unwell(each.notes, part.path, why, each.name)


CLUSTER_PROFILE = Importer(
    PRODUCT, {"multicluster.x-k8s.io": frozenset({"ClusterProfile"})}, convert
)
