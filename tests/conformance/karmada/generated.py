"""A large fleet of the same form as the cases, with names of its own, always the same."""

from random import Random
from typing import Any

from tests.conformance.karmada.fleets import Documents, KarmadaFleet

GIB = 2**30
REGIONS = ["", *(f"land-{number}" for number in range(7))]


def generated(seed: int, clusters: int, workloads: int) -> KarmadaFleet:
    """A fleet; a quarter of its workloads ran before, at another size."""
    dice = Random(seed)  # noqa: S311 - a test's dice, always the same
    names = [f"site-{number:04}" for number in range(clusters)]
    applications = [f"job{number:05}" for number in range(workloads)]
    placed = [_workload(dice, name) for name in applications]
    policies = [_policy(dice, name, names) for name in applications]
    prior = {
        f"team/{name}": {
            each: dice.randint(1, 9) for each in dice.sample(names, dice.randint(1, 6))
        }
        for name in applications
        if dice.random() < 0.25
    }
    listed = [_cluster(dice, name) for name in names]
    dice.shuffle(listed)
    return KarmadaFleet(listed, placed, policies, prior)


def _cluster(dice: Random, name: str) -> dict[str, Any]:
    cores = dice.choice([0, 2, 8, 31, 125, 400])
    spec: dict[str, Any] = {
        "region": dice.choice(REGIONS),
        "provider": dice.choice(["", "north", "south"]),
        "zones": dice.sample(["z1", "z2", "z3"], dice.randint(0, 3)),
    }
    if dice.random() < 0.1:
        spec["taints"] = [{"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}]
    summary = {
        "allocatable": {
            "cpu": str(cores),
            "memory": f"{cores * 3}Gi",
            "pods": str(dice.choice([0, 110, 500])),
        },
        "allocated": {"cpu": f"{dice.randint(0, 900)}m", "memory": str(GIB), "pods": "7"},
    }
    resources = [{"name": "deployments", "kind": "Deployment"}]
    return {
        "apiVersion": "cluster.karmada.io/v1alpha1",
        "kind": "Cluster",
        "metadata": {"name": name, "labels": {"tier": dice.choice(["gold", "iron", "tin"])}},
        "spec": spec,
        "status": {
            "apiEnablements": [{"groupVersion": "apps/v1", "resources": resources}],
            "resourceSummary": summary,
        },
    }


def _workload(dice: Random, name: str) -> dict[str, Any]:
    requests = {
        "cpu": dice.choice(["50m", "250m", "1", "3"]),
        "memory": dice.choice(["64Mi", "2Gi"]),
    }
    container = {"name": "job", "image": "job:1", "resources": {"requests": requests}}
    labels = {"app": name}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": "team", "uid": f"{dice.getrandbits(64):016x}"},
        "spec": {
            "replicas": dice.choice([0, 1, 3, 12, 47, 130]),
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": {"containers": [container]}},
        },
    }


def _policy(dice: Random, name: str, names: list[str]) -> dict[str, Any]:
    placement: dict[str, Any] = {}
    affinity = dice.choice(
        [
            {},
            {"labelSelector": {"matchLabels": {"tier": dice.choice(["gold", "iron"])}}},
            {"clusterNames": dice.sample(names, 9)},
            {"exclude": dice.sample(names, 20)},
        ]
    )
    if affinity:
        placement["clusterAffinity"] = affinity
    if dice.random() < 0.3:
        placement["clusterTolerations"] = [{"key": "dedicated", "operator": "Exists"}]
    spread = _spread(dice)
    if spread:
        placement["spreadConstraints"] = spread
    placement["replicaScheduling"] = _scheduling(dice, names)
    selector = {"apiVersion": "apps/v1", "kind": "Deployment", "name": name}
    return {
        "apiVersion": "policy.karmada.io/v1alpha1",
        "kind": "PropagationPolicy",
        "metadata": {"name": name, "namespace": "team"},
        "spec": {"resourceSelectors": [selector], "placement": placement},
    }


def _spread(dice: Random) -> Documents:
    least, by_region = dice.randint(1, 3), dice.randint(1, 3)
    cluster = {
        "spreadByField": "cluster",
        "minGroups": least,
        "maxGroups": least + dice.randint(0, 9),
    }
    region = {"spreadByField": "region", "minGroups": by_region, "maxGroups": by_region + 1}
    return dice.choice([[], [cluster], [region, cluster]])


def _scheduling(dice: Random, names: list[str]) -> dict[str, Any]:
    rules = [
        {"targetCluster": {"clusterNames": dice.sample(names, 15)}, "weight": dice.randint(1, 99)}
        for _ in range(3)
    ]
    weighted = {"replicaSchedulingType": "Divided", "replicaDivisionPreference": "Weighted"}
    return dice.choice(
        [
            {"replicaSchedulingType": "Duplicated"},
            {"replicaSchedulingType": "Divided", "replicaDivisionPreference": "Aggregated"},
            weighted,
            weighted | {"weightPreference": {"staticWeightList": rules}},
            weighted | {"weightPreference": {"dynamicWeight": "AvailableReplicas"}},
            weighted | {"weightPreference": {"dynamicWeight": "AvailableReplicas"}},
        ]
    )
