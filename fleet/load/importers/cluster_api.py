"""The Cluster of Cluster API."""

import re
from collections.abc import Sequence

from fleet.load.importers.importer import Context, Imported, Importer
from fleet.load.importers.native import (
    Native,
    cluster_of,
    clusters_of,
    made_cluster,
    note_connection,
    note_unwell,
    put_region,
    put_zones,
)
from fleet.load.importers.reading import Foreign, Part, by_kind, findings_of
from fleet.load.source import Document
from fleet.model.inventory import Cluster

PRODUCT = "Cluster API"
_INFRASTRUCTURE = re.compile(r"(?P<provider>[A-Z][A-Za-z0-9]*?)(Managed)?Cluster\Z")
_DELETING, _PROVISIONED = "Deleting", "Provisioned"
_OLD_REFERENCE = ("resourceVersion", "fieldPath")
_BUILDS = ("class", "classNamespace", "classRef", "rolloutAfter", "controlPlane", "workers")
"""What a topology says of how the cluster is built."""


def convert(documents: Sequence[Document], context: Context) -> Imported:
    """Cluster API's Clusters as clusters."""
    found = by_kind(CLUSTER_API, documents, context.errors)
    clusters = clusters_of(found.get("Cluster", ()), _cluster)
    return Imported(clusters=clusters, findings=findings_of(found))


def _cluster(each: Foreign, *, first: bool) -> Cluster | None:
    native = cluster_of(each)
    spec, status = each.body.within("spec"), each.body.within("status")
    spec.skip("clusterNetwork", "controlPlaneRef", "availabilityGates")
    if spec.flag("paused"):
        why = "stops to build the cluster while it is paused; that decides nothing here"
        each.notes.ignored(spec.at("paused"), why)
    if spec.has("controlPlaneEndpoint") and first:
        why = f"keeps the kubeconfig in the secret '{each.name}-kubeconfig', under the key 'value'"
        note_connection(each.notes, spec.at("controlPlaneEndpoint"), why)
    reference = spec.within("infrastructureRef")
    native.put(("spec", "provider"), provider_of(reference.text("kind")), reference.at("kind"))
    reference.skip("apiVersion", "apiGroup", "name", "namespace", "uid", *_OLD_REFERENCE)
    reference.close("an infrastructureRef")
    _put_topology(native, spec)
    put_zones(native, _failure_domains(status), status.at("failureDomains"))
    phase = status.text("phase", _PROVISIONED)
    if phase == _DELETING:
        native.put(("spec", "state"), "draining", status.at("phase"))
    elif phase != _PROVISIONED:
        why = f"has not built the cluster, it is '{phase}'; fleet goes by the state of a cluster"
        note_unwell(each.notes, status.at("phase"), why, each.name)
    spec.close("the spec of a Cluster")
    each.body.close("a Cluster")
    return made_cluster(native)


def provider_of(kind: str) -> str:
    """The provider that an infrastructure cluster is of.

    >>> provider_of("AWSManagedCluster"), provider_of("VSphereCluster"), provider_of("Other")
    ('aws', 'vsphere', '')
    """
    match = _INFRASTRUCTURE.match(kind)
    return match["provider"].lower() if match else ""


def _put_topology(native: Native, spec: Part) -> None:
    """The version, and the region where the topology has a variable of that name."""
    topology = spec.within("topology")
    version = topology.text("version")
    native.put(("spec", "kubernetesVersion"), version, topology.at("version"))
    region, place = "", topology.at("variables")
    for part in topology.parts("variables"):
        name, value = part.text("name"), part.raw("value")
        part.skip("definitionFrom")
        part.close("a topology variable")
        if name == "region" and isinstance(value, str):
            region, place = value, part.at("value")
    topology.skip(*_BUILDS)
    topology.close("a topology")
    put_region(native, region, place, ", or a topology variable 'region'")


def _failure_domains(status: Part) -> list[str]:
    """The names of the failure domains: the keys of a map, or (v1beta2) the names of a list."""
    domains = status.raw("failureDomains")
    if isinstance(domains, dict):
        return sorted(str(name) for name in domains)
    return [part.required("name") for part in status.parts("failureDomains")]


CLUSTER_API = Importer(PRODUCT, {"cluster.x-k8s.io": frozenset({"Cluster"})}, convert)
