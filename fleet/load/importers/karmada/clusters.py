"""Karmada's Cluster -> a cluster of the inventory."""

from fractions import Fraction

from fleet.load.importers.importer import Notes
from fleet.load.importers.karmada.cluster_forms import (
    ClusterStatus,
    KarmadaCluster,
    Quantities,
    ResourceModel,
    ResourceSummary,
)
from fleet.load.importers.native import note_connection, note_unwell
from fleet.load.importers.places import Links, origin_of
from fleet.load.source import Document
from fleet.model.base import Resources
from fleet.model.document import Metadata
from fleet.model.inventory import Capacity, Cluster, ClusterSpec, NodeGroup, State
from fleet.model.quantity import in_base_units, parse_quantity
from fleet.model.source import Path

_SUMMARY: Path = ("status", "resourceSummary")
_GRADES = ((0, 0), (1, 4), (2, 16), (4, 32), (8, 64), (16, 128), (32, 256), (64, 512), (128, 1024))
"""The least of the grades that Karmada fills in: cores, and GiB of memory."""

_GIB = 2**30
_REACHED_BY = {
    "api_endpoint": "apiEndpoint",
    "secret_ref": "secretRef",
    "impersonator_secret_ref": "impersonatorSecretRef",
    "sync_mode": "syncMode",
    "insecure_skip_tls": "insecureSkipTLSVerification",
    "proxy_url": "proxyURL",
    "proxy_header": "proxyHeader",
}
_CONTROLLER_TAINTS = frozenset(
    f"cluster.karmada.io/{name}" for name in ("not-ready", "unreachable")
)
_LINKS: Links = {
    ("spec",): ("spec",),
    ("spec", "capacity"): _SUMMARY,
    ("spec", "capacity", "allocatable"): (*_SUMMARY, "allocatable"),
    ("spec", "capacity", "reserved"): (*_SUMMARY, "allocated"),
    ("spec", "capacity", "nodes"): (*_SUMMARY, "allocatableModelings"),
    ("spec", "apis"): ("status", "apiEnablements"),
    ("spec", "nodes"): ("status", "nodeSummary"),
    ("spec", "kubernetesVersion"): ("status", "kubernetesVersion"),
    ("spec", "state"): ("metadata", "deletionTimestamp"),
}

_NAMES: Links = {("spec", "apis"): ("status", "apiEnablements")}


def cluster_of(form: KarmadaCluster, document: Document, notes: Notes) -> Cluster:
    """A cluster; the native form's demand of a region does not hold for it."""
    spec, status = form.spec, form.status
    _note_not_ready(form, notes)
    more = ("remedyActions",) if status.remedy_actions else ()
    for name in (*more, *(status.model_extra or ())):
        notes.ignored(("status", name), "reports it, and nothing here reads it")
    zones = spec.zones or ((spec.zone,) if spec.zone else ())
    body = ClusterSpec.model_construct(
        region=spec.region,
        zones=tuple(dict.fromkeys(zones)),
        provider=spec.provider,
        taints=spec.taints,
        capacity=_capacity(form, notes),
        nodes=(status.node_summary.total_num or None) if status.node_summary else None,
        apis=_apis(status),
        state=State.DRAINING if form.metadata.deletion_timestamp else State.ACTIVE,
        kubernetes_version=status.kubernetes_version,
    )
    return Cluster.model_construct(
        metadata=Metadata.model_construct(
            name=form.metadata.name,
            labels=form.metadata.labels,
            annotations=form.metadata.annotations,
        ),
        spec=body,
        origin=origin_of(document, _LINKS, _NAMES),
    )


def note_reach(form: KarmadaCluster, notes: Notes) -> None:
    """Tells that fleet does not reach a cluster as Karmada does; once is enough."""
    said = form.spec.model_fields_set
    for name, field in _REACHED_BY.items():
        if name in said:
            pull = form.spec.sync_mode == "Pull"
            how = "an agent on the cluster" if pull else "an endpoint and a secret"
            note_connection(notes, ("spec", field), f"reaches a cluster by {how}")
            return


def _note_not_ready(form: KarmadaCluster, notes: Notes) -> None:
    """The controllers taint such a cluster; the scheduler goes by the taints, as it does here."""
    conditions = form.status.conditions
    if _CONTROLLER_TAINTS.intersection(each.key for each in form.spec.taints):
        return
    for index, each in enumerate(conditions if isinstance(conditions, list) else ()):
        if isinstance(each, dict) and each.get("type") == "Ready" and each.get("status") != "True":
            why = "taints a cluster that is not ready, and that taint is not here"
            path = ("status", "conditions", index)
            note_unwell(notes, path, why, form.metadata.name)


def _apis(status: ClusterStatus) -> tuple[str, ...]:
    return tuple(
        f"{group.group_version}/{each.kind}"
        for group in status.api_enablements
        for each in group.resources
    )


def _capacity(form: KarmadaCluster, notes: Notes) -> Capacity:
    """Free is what is neither allocated nor allocating: the difference is rounded, as Karmada's."""
    summary = form.status.resource_summary
    if summary is None:
        return Capacity()
    allocatable: dict[str, int] = {}
    reserved: dict[str, int] = {}
    amounts = _read(summary.allocatable, "allocatable", notes)
    taken = [_read(getattr(summary, each), each, notes) for each in ("allocated", "allocating")]
    for name, amount in amounts.items():
        unit = 1000 if name == "cpu" else 1
        left = (amount - sum(part.get(name, Fraction(0)) for part in taken)) * unit
        if left < 0:
            path = (*_SUMMARY, "allocated" if name in summary.allocated else "allocating", name)
            notes.ignored(path, "counts no room where more is taken than there is")
        allocatable[name] = _rounded_up(amount * unit)
        reserved[name] = allocatable[name] - max(0, _rounded_up(left))
    return Capacity(
        allocatable=Resources(allocatable),
        reserved=Resources(reserved),
        nodes=_nodes(form.spec.resource_models, summary, notes),
    )


def _rounded_up(amount: Fraction) -> int:
    return -(-amount.numerator // amount.denominator)


def _read(quantities: Quantities, field: str, notes: Notes) -> dict[str, Fraction]:
    amounts: dict[str, Fraction] = {}
    for name, written in quantities.items():
        try:
            amounts[name] = parse_quantity(str(written))
        except ValueError as error:
            notes.fault((*_SUMMARY, field, name), str(error))
    return amounts


def _nodes(
    models: tuple[ResourceModel, ...], summary: ResourceSummary, notes: Notes
) -> tuple[NodeGroup, ...]:
    """The nodes of each grade, with the least that a node of the grade has."""
    least = _least(models, notes)
    nodes: list[NodeGroup] = []
    for index, each in enumerate(summary.allocatable_modelings):
        if each.grade not in least:
            sentence = f"there is no grade {each.grade} in spec.resourceModels"
            notes.fault((*_SUMMARY, "allocatableModelings", index, "grade"), sentence)
        else:
            nodes.append(NodeGroup.model_construct(count=each.count, free=least[each.grade]))
    return tuple(nodes)


def _least(models: tuple[ResourceModel, ...], notes: Notes) -> dict[int, Resources]:
    if not models:
        return {
            grade: Resources({"cpu": cores * 1000, "memory": memory * _GIB})
            for grade, (cores, memory) in enumerate(_GRADES)
        }
    least: dict[int, Resources] = {}
    for index, model in enumerate(models):
        amounts: dict[str, int] = {}
        for inner, each in enumerate(model.ranges):
            try:
                amounts[each.name] = in_base_units(each.name, str(each.min))
            except ValueError as error:
                notes.fault(("spec", "resourceModels", index, "ranges", inner, "min"), str(error))
        least[model.grade] = Resources(amounts)
    return least
