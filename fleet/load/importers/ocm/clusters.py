"""Open Cluster Management's ManagedCluster and AddOnPlacementScore."""

from collections.abc import Iterable
from typing import Any

from fleet.load.importers.native import (
    Native,
    cluster_of,
    clusters_of,
    made_cluster,
    not_true,
    note_connection,
    note_unwell,
    put_region,
    put_zones,
)
from fleet.load.importers.reading import Foreign, Part
from fleet.model.inventory import Cluster

CLAIM = "claim.open-cluster-management.io/"
"""Before the name of a cluster claim: the label that it becomes."""

SET_LABEL = "cluster.open-cluster-management.io/clusterset"
DEFAULT_SET = "default"
EFFECTS = {
    "NoSelect": "NoExecute",
    "NoSelectIfNew": "NoSchedule",
    "PreferNoSelect": "PreferNoSchedule",
}
"""NoSelect also takes clusters out of the decisions, NoSelectIfNew spares those."""
WORDS = {native: said for said, native in EFFECTS.items()}
"""What Open Cluster Management says for the effects of Kubernetes."""

_AVAILABLE = "ManagedClusterConditionAvailable"
_HUB_TAINTS = frozenset(
    f"cluster.open-cluster-management.io/{name}" for name in ("unavailable", "unreachable")
)
_REGION_CLAIM = "region.open-cluster-management.io"
_PROVIDER_CLAIM = "platform.open-cluster-management.io"
_UNREACHED = "is reached by an agent on the cluster"


def managed_clusters(documents: Iterable[Foreign]) -> list[Cluster]:
    """The clusters, without those whose documents have faults."""
    return clusters_of(documents, _cluster)


def _cluster(each: Foreign, *, first: bool) -> Cluster | None:
    status = each.body.within("status")
    status.skip("conditions", "capacity", "managedNamespaces")
    _note_unavailable(each, status)
    claims = _claims(status)
    labels = {CLAIM + name: value for name, value in claims.items()}
    native = cluster_of(each, {SET_LABEL: DEFAULT_SET, **labels})
    native.words = WORDS
    _spec(native, first=first)
    put_region(
        native,
        claims.get(_REGION_CLAIM, ""),
        status.at("clusterClaims"),
        f", or the cluster claim '{_REGION_CLAIM}'",
    )
    put_zones(native, (), ())
    provider = claims.get(_PROVIDER_CLAIM, "").lower()
    native.put(("spec", "provider"), provider, status.at("clusterClaims"))
    allocatable = status.amounts("allocatable")
    native.put(("spec", "capacity", "allocatable"), allocatable, status.at("allocatable"))
    version = status.within("version")
    native.put(("spec", "kubernetesVersion"), version.text("kubernetes"), version.path)
    version.close("status.version")
    status.close("the status of a ManagedCluster")
    each.body.close("a ManagedCluster")
    return made_cluster(native)


def _note_unavailable(each: Foreign, status: Part) -> None:
    """The hub taints such a cluster; its Placements go by the taints, as they do here."""
    taints = [part.data.get("key") for part in each.body.within("spec").parts("taints")]
    for part in not_true(status, _AVAILABLE):
        if not _HUB_TAINTS.intersection(taints):
            why = "taints a cluster that is not available, and that taint is not here"
            note_unwell(each.notes, part.path, why, each.name)


def _claims(status: Part) -> dict[str, str]:
    claims = {}
    for part in status.parts("clusterClaims"):
        claims[part.required("name")] = part.text("value")
        part.close("a cluster claim")
    return claims


def _spec(native: Native, *, first: bool) -> None:
    spec = native.of.body.within("spec")
    spec.skip("leaseDurationSeconds")
    for part in spec.parts("managedClusterClientConfigs"):
        part.skip("url", "caBundle")
        part.close("a client config")
        if first:
            note_connection(native.of.notes, part.path, _UNREACHED)
    spec.flag("hubAcceptsClient")
    if spec.raw("hubAcceptsClient") in (None, False):
        native.of.notes.differs(
            spec.at("hubAcceptsClient"),
            "does not let a cluster join that the hub has not accepted; it is draining here",
            "say hubAcceptsClient: true",
        )
        native.put(("spec", "state"), "draining", spec.at("hubAcceptsClient"))
    native.put(("spec", "taints"), _taints(native.of, spec), spec.at("taints"))
    spec.close("the spec of a ManagedCluster")


def _taints(each: Foreign, spec: Part) -> list[dict[str, Any]]:
    taints = []
    for part in spec.parts("taints"):
        effect = part.choice("effect", tuple(EFFECTS), "NoSelect")
        taint = {"key": part.required("key"), "effect": EFFECTS[effect]}
        taint |= {name: part.text(name) for name in ("value", "timeAdded") if part.has(name)}
        part.close("a taint")
        taints.append(taint)
        if effect == "PreferNoSelect":
            why = "tolerates PreferNoSelect always, and scores nothing by it"
            each.notes.ignored(part.at("effect"), why)
    return taints
