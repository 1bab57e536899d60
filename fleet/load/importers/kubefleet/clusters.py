"""KubeFleet's MemberCluster, and the names of the amounts that its policies compare."""

from collections.abc import Iterable, Mapping
from typing import Any

from fleet.load.importers.kubefleet.eligible import barred, no_schedule
from fleet.load.importers.native import (
    Native,
    cluster_of,
    clusters_of,
    made_cluster,
    note_connection,
    put_region,
    put_zones,
)
from fleet.load.importers.reading import Foreign, Part
from fleet.model.inventory import FREE, Cluster
from fleet.model.quantity import in_base_units, spell_quantity

AZURE_REGION = "fleet.azure.com/location"
_RESOURCE = "resources.kubernetes-fleet.io/"
_NODES = "kubernetes-fleet.io/node-count"
_NATIVE = {"allocatable-": "allocatable.", "available-": "free."}
_TOTAL = "total-"


def property_name(name: str) -> str:
    """A property of KubeFleet by its name in fleet.

    >>> property_name("resources.kubernetes-fleet.io/available-cpu"), property_name(_NODES)
    ('free.cpu', 'nodes')
    >>> property_name("kubernetes.azure.com/per-cpu-core-cost")
    'kubernetes.azure.com/per-cpu-core-cost'
    """
    if name == _NODES:
        return "nodes"
    if name.startswith(_RESOURCE):
        rest = name.removeprefix(_RESOURCE)
        for theirs, ours in _NATIVE.items():
            if rest.startswith(theirs):
                return ours + rest.removeprefix(theirs)
    return name


def member_clusters(documents: Iterable[Foreign]) -> list[Cluster]:
    """The clusters, without those whose documents have faults."""
    return clusters_of(documents, _cluster)


def _cluster(each: Foreign, *, first: bool) -> Cluster | None:
    native = cluster_of(each)
    _put_spec(native, first=first)
    _put_status(native)
    location = each.labels.get(AZURE_REGION, "")
    path = ("metadata", "labels", AZURE_REGION)
    put_region(native, location, path)
    put_zones(native, (), ())
    native.put(("spec", "provider"), "azure" if location else "", path)
    each.body.close("a MemberCluster")
    return made_cluster(native)


def _put_spec(native: Native, *, first: bool) -> None:
    spec = native.of.body.within("spec")
    spec.skip("heartbeatPeriodSeconds")
    if spec.has("identity") and first:
        note_connection(
            native.of.notes, spec.at("identity"), "is reached by an agent on the cluster"
        )
    if spec.has("deleteOptions"):
        why = "follows it when a cluster leaves; fleet forgets a cluster by its state"
        native.of.notes.differs(spec.at("deleteOptions"), why, "say the state 'decommissioned'")
    taints = []
    for part in spec.parts("taints"):
        taint = {"key": part.required("key")}
        if part.has("value"):
            taint["value"] = part.text("value")
        taint["effect"] = part.choice("effect", ("NoSchedule",), "NoSchedule")
        part.close("a taint")
        taints.append(taint)
    native.put(("spec", "taints"), taints, spec.at("taints"))
    spec.close("the spec of a MemberCluster")


def _put_status(native: Native) -> None:
    status = native.of.body.within("status")
    status.skip("conditions", "namespaces")
    _put_eligible(native, status)
    usage = status.within("resourceUsage")
    usage.skip("observationTime")
    total, allocatable = usage.amounts("capacity"), usage.amounts("allocatable")
    available = usage.amounts("available")
    usage.close("a resourceUsage")
    place = usage.at("allocatable")
    native.put(("spec", "capacity", "allocatable"), allocatable, place)
    if available:
        reserved = _reserved(allocatable, available, usage)
        native.put(("spec", "capacity", "reserved"), reserved, usage.at("available"))
        native.names[FREE] = usage.at("available")
    _put_properties(native, status, total)
    status.close("the status of a MemberCluster")


def _put_eligible(native: Native, status: Part) -> None:
    """Says as a taint that it takes nothing new, and keeps what it has."""
    why_not = barred(status)
    if why_not is not None:
        place, value = why_not
        taints = native.body.get("spec", {}).get("taints", [])
        native.put(("spec", "taints"), [*taints, no_schedule(value)], ("spec", "taints"))
        native.links["spec", "taints", len(taints)] = place


def _reserved(
    allocatable: Mapping[str, str], available: Mapping[str, str], usage: Part
) -> dict[str, str]:
    """What is allocatable and not available, by resource."""
    reserved = {}
    for name, amount in allocatable.items():
        try:
            used = in_base_units(name, amount) - in_base_units(name, available.get(name, 0))
        except ValueError as error:
            usage.fault("available", str(error))
            continue
        if used > 0:
            reserved[name] = spell_quantity(name, used)
    return reserved


def _put_properties(native: Native, status: Part, total: Mapping[str, str]) -> None:
    properties: dict[str, Any] = {
        f"{_RESOURCE}{_TOTAL}{name}": each for name, each in total.items()
    }
    found = status.within("properties")
    for name in found.data:
        part = found.within(name)
        part.skip("observationTime", "value")
        if name == _NODES:
            native.put(("spec", "nodes"), _count(part), found.at(name))
        elif property_name(name) == name:
            properties[name] = part.amount("value")
        else:
            why = "reads this amount from status.resourceUsage, wherever else it is said"
            native.of.notes.ignored(part.path, why)
        part.close("a property")
    native.put(("spec", "properties"), properties, found.path)


def _count(part: Part) -> int | None:
    """A number of nodes; none is said by 0."""
    value = part.amount("value")
    return int(value) if value.isdecimal() and value != "0" else None
