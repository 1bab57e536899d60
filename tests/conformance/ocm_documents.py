"""Documents of Open Cluster Management, and the decisions that fleet makes of them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.conformance.importing import (
    Document,
    Placed,
    Ran,
    deployment,
    native_run,
    run,
    same_decisions,
)

GROUP = "cluster.open-cluster-management.io"
LABEL = f"{GROUP}/placement"
THREE = ("c1", "c2", "c3")


def cluster(
    name: str, taint: str = "", allocatable: Mapping[str, str] | None = None, **labels: str
) -> Document:
    """A ManagedCluster in a region of its own; `taint` is a key of a NoSelect taint `=value1`."""
    taints = [{"key": taint, "value": "value1", "effect": "NoSelect"}] if taint else []
    return {
        "apiVersion": f"{GROUP}/v1",
        "kind": "ManagedCluster",
        "metadata": {"name": name, "labels": {"topology.kubernetes.io/region": name, **labels}},
        "spec": {"hubAcceptsClient": True, "taints": taints},
        "status": {"allocatable": dict(allocatable or {})},
    }


def binding(name: str = "default", namespace: str = "shop") -> Document:
    return {
        "apiVersion": f"{GROUP}/v1beta2",
        "kind": "ManagedClusterSetBinding",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"clusterSet": name},
    }


def placement(name: str = "web", **spec: Any) -> Document:
    return {
        "apiVersion": f"{GROUP}/v1beta1",
        "kind": "Placement",
        "metadata": {"name": name, "namespace": "shop"},
        "spec": spec,
    }


def scores(of: str, value: int | None, until: str = "") -> Document:
    """The AddOnPlacementScore `usage` of a cluster with one score, `load`."""
    said = [] if value is None else [{"name": "load", "value": value}]
    return {
        "apiVersion": f"{GROUP}/v1alpha1",
        "kind": "AddOnPlacementScore",
        "metadata": {"name": "usage", "namespace": of},
        "status": {"scores": said, **({"validUntil": until} if until else {})},
    }


def only(*prioritizers: tuple[str, int]) -> Document:
    """A prioritizerPolicy in the mode Exact."""
    configurations = [
        {"scoreCoordinate": {"type": "BuiltIn", "builtIn": name}, "weight": weight}
        for name, weight in prioritizers
    ]
    return {"mode": "Exact", "configurations": configurations}


def fleet(
    root: Path,
    documents: Sequence[Document],
    prior: Mapping[str, Placed] | None = None,
    cpu: str = "",
) -> Ran:
    """Every Placement of the documents with a Deployment that names it."""
    names = [each["metadata"]["name"] for each in documents if each["kind"] == "Placement"]
    objects = {name: [deployment(name, labels={LABEL: name}, cpu=cpu)] for name in names}
    made = run(root, [*documents, binding()], objects, prior, now="2026-06-01T00:00:00Z")
    same_decisions(made, native_run(root, prior, now="2026-06-01T00:00:00Z"))
    return made
