"""The rows of Karmada's own tests as documents: through the importer, under both kinds of rules."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from fleet.load import load_snapshot
from fleet.load.prior import prior_from_document
from fleet.load.settings import parse_settings
from fleet.model.decision import Decision
from fleet.model.snapshot import Linked, Snapshot
from fleet.schedule import schedule

DUPLICATED = {"replicaSchedulingType": "Duplicated"}
AGGREGATED = {"replicaSchedulingType": "Divided", "replicaDivisionPreference": "Aggregated"}
WEIGHTED = {"replicaSchedulingType": "Divided", "replicaDivisionPreference": "Weighted"}
DYNAMIC = WEIGHTED | {"weightPreference": {"dynamicWeight": "AvailableReplicas"}}
ODD, EVEN = "d43fdeeb-d750-4e2b-bee3-64eb94534f4c", "4858ca61-3ff8-4095-8267-f3d059d8074c"
REFUSED: dict[str, int] = {}


def static(*weights: int) -> dict[str, Any]:
    """Static weights of m1, m2, …."""
    rules = [
        {"targetCluster": {"clusterNames": [f"m{number}"]}, "weight": weight}
        for number, weight in enumerate(weights, 1)
    ]
    return WEIGHTED | {"weightPreference": {"staticWeightList": rules}}


@dataclass(frozen=True)
class Row:
    """One workload on clusters m1, m2, … with room for so many pods each.

    `regions` by cluster; `placement` goes on top of `scheduling`.
    """

    replicas: int
    room: Sequence[int]
    scheduling: Mapping[str, Any] | None = None
    prior: Mapping[str, int] = field(default_factory=dict)
    uid: str = ""
    regions: Mapping[str, str] = field(default_factory=dict)
    placement: Mapping[str, Any] = field(default_factory=dict)
    status: Mapping[str, Any] = field(default_factory=dict)
    requests: Mapping[str, str] = field(default_factory=dict)

    def documents(self) -> dict[str, list[dict[str, Any]]]:
        """The row as Karmada documents."""
        placement = dict(self.placement)
        if self.scheduling is not None:
            placement["replicaScheduling"] = dict(self.scheduling)
        return {
            "clusters": [self._cluster(number, room) for number, room in enumerate(self.room, 1)],
            "workloads": [a_deployment(self.replicas, self.uid, self.requests)],
            "policies": [a_propagation(placement)],
        }

    def _cluster(self, number: int, room: int) -> dict[str, Any]:
        name = f"m{number}"
        summary = {"allocatable": {"cpu": "1000", "memory": "1000Gi", "pods": str(room)}}
        return a_karmada_cluster(
            name,
            region=self.regions.get(name, ""),
            status={"resourceSummary": summary, **self.status},
        )


def a_karmada_cluster(name: str, *, status: Any = None, **spec: Any) -> dict[str, Any]:
    """A Cluster that serves Deployments."""
    return {
        "apiVersion": "cluster.karmada.io/v1alpha1",
        "kind": "Cluster",
        "metadata": {"name": name, "labels": {"foo": "bar"}},
        "spec": spec,
        "status": status or {},
    }


def a_deployment(
    replicas: int, uid: str = "", requests: Mapping[str, str] | None = None, **container: Any
) -> dict[str, Any]:
    """The Deployment `web` in the namespace `shop`."""
    body = {"name": "web", "image": "web:1", **container}
    if requests:
        body["resources"] = {"requests": dict(requests)}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "namespace": "shop", **({"uid": uid} if uid else {})},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": {"app": "web"}},
            "template": {
                "metadata": {"labels": {"app": "web"}},
                "spec": {"containers": [body]},
            },
        },
    }


def a_propagation(placement: Mapping[str, Any], **spec: Any) -> dict[str, Any]:
    """The policy that places it."""
    return {
        "apiVersion": "policy.karmada.io/v1alpha1",
        "kind": "PropagationPolicy",
        "metadata": {"name": "web", "namespace": "shop"},
        "spec": {
            "resourceSelectors": [{"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}],
            "placement": dict(placement),
            **spec,
        },
    }


def loaded(documents: Mapping[str, Sequence[Mapping[str, Any]]], **config: Any) -> Snapshot:
    """The snapshot of documents by file: `clusters`, `workloads`, `policies`."""
    with TemporaryDirectory() as folder:
        root = Path(folder)
        for name, listed in documents.items():
            text = yaml.dump_all(json.loads(json.dumps(listed)), Dumper=yaml.CSafeDumper)
            (root / f"{name}.yaml").write_text(text, encoding="utf-8")
        said = {"inventory": "clusters", "workloads": "workloads", "policies": "policies"}
        paths = {key: [f"{name}.yaml"] for key, name in said.items()}
        return load_snapshot(parse_settings({**paths, **config}), root)


def under(snapshot: Snapshot, rules: str) -> Snapshot:
    """The same snapshot, its policies under other rules."""

    def changed(item: Linked) -> Linked:
        spec = item.placement.spec.model_copy(update={"rules": rules})
        placement = item.placement.model_copy(update={"spec": spec})
        return Linked(item.workload, placement, item.overrides, item.traffic)

    linked = tuple(changed(item) for item in snapshot.linked)
    return Snapshot(snapshot.clusters, linked, snapshot.states, snapshot.wanted)


def decided(snapshot: Snapshot, prior: Mapping[str, int] | None = None) -> Decision:
    """The decision of the one workload."""
    before = prior_from_document({"shop/web": dict(prior or {})})
    settings = parse_settings({"capacity": "independent"})
    (decision,) = schedule(snapshot, before, settings).decisions
    return decision


def answers(row: Row) -> tuple[dict[str, int], dict[str, int]]:
    """What runs where: by Karmada's rules, and by fleet's own."""
    snapshot = loaded(row.documents())
    found = [decided(under(snapshot, rules), row.prior).replicas for rules in ("karmada", "fleet")]
    karmada, fleet = ({name: n for name, n in each.items() if n} for each in found)
    return karmada, fleet


def on(*counts: int) -> dict[str, int]:
    """Replicas of m1, m2, …; 0 is left out."""
    return {f"m{number}": count for number, count in enumerate(counts, 1) if count}
