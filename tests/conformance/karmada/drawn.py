"""Random fleets of Karmada documents, small, with everything that their form can say."""

from typing import Any

from hypothesis import strategies as st

from tests.conformance.karmada.fleets import KarmadaFleet

REGIONS = ("", "r-north", "r-south", "r-west", "r-east", "r-mid")
PROVIDERS = ("", "p-one", "p-two")
ZONES = ("z1", "z2", "z3")
TIERS = ("gold", "iron")
GIB = 2**30
TAINTS = (
    {"key": "dedicated", "value": "gpu", "effect": "NoSchedule"},
    {"key": "maintenance", "effect": "NoExecute"},
    {"key": "spot", "value": "true", "effect": "PreferNoSchedule"},
)
TOLERATIONS = (
    {"key": "dedicated", "operator": "Equal", "value": "gpu", "effect": "NoSchedule"},
    {"key": "maintenance", "operator": "Exists"},
    {"operator": "Exists"},
)


@st.composite
def summaries(draw: st.DrawFn, *, modelled: bool) -> dict[str, Any]:
    cores = draw(st.sampled_from([0, 1, 2, 3, 5, 8, 13, 40]))
    summary: dict[str, Any] = {
        "allocatable": {
            "cpu": f"{cores * 1000}m",
            "memory": str(cores * 2 * GIB),
            "pods": str(draw(st.sampled_from([0, 3, 9, 30, 110]))),
        },
        "allocated": {
            "cpu": draw(st.sampled_from(["0", "250m", "1500m"])),
            "memory": "1Gi",
            "pods": draw(st.sampled_from(["0", "2"])),
        },
    }
    if draw(st.booleans()):
        summary["allocating"] = {"cpu": "100m", "pods": "1"}
    if draw(st.integers(0, 6)) == 0:
        del summary["allocatable"]["memory"]
    if modelled:
        counts = draw(st.lists(st.integers(0, 3), min_size=4, max_size=4))
        summary["allocatableModelings"] = [
            {"grade": grade, "count": count} for grade, count in enumerate(counts)
        ]
    return summary


@st.composite
def clusters(draw: st.DrawFn, name: str, *, modelled: bool) -> dict[str, Any]:
    spec: dict[str, Any] = {
        "syncMode": "Push",
        "region": draw(st.sampled_from(REGIONS)),
        "provider": draw(st.sampled_from(PROVIDERS)),
        "zones": draw(st.lists(st.sampled_from(ZONES), unique=True, max_size=2)),
        "taints": draw(st.lists(st.sampled_from(TAINTS), max_size=1)),
    }
    status: dict[str, Any] = {
        "apiEnablements": [
            {
                "groupVersion": "apps/v1",
                "resources": [{"name": "deployments", "kind": "Deployment"}],
            }
        ]
    }
    if draw(st.integers(0, 9)):
        status["resourceSummary"] = draw(summaries(modelled=modelled))
    return {
        "apiVersion": "cluster.karmada.io/v1alpha1",
        "kind": "Cluster",
        "metadata": {"name": name, "labels": {"tier": draw(st.sampled_from(TIERS))}},
        "spec": {key: value for key, value in spec.items() if value},
        "status": status,
    }


@st.composite
def affinities(draw: st.DrawFn, names: list[str]) -> dict[str, Any]:
    said: dict[str, Any] = {}
    if draw(st.integers(0, 2)) == 0:
        said["labelSelector"] = draw(
            st.sampled_from(
                [
                    {"matchLabels": {"tier": "gold"}},
                    {
                        "matchExpressions": [
                            {"key": "tier", "operator": "NotIn", "values": ["gold"]}
                        ]
                    },
                    {"matchExpressions": [{"key": "tier", "operator": "Exists"}]},
                ]
            )
        )
    if draw(st.integers(0, 3)) == 0:
        key, values = draw(
            st.sampled_from([("provider", PROVIDERS[1:]), ("region", REGIONS[1:]), ("zone", ZONES)])
        )
        operator = draw(st.sampled_from(["In", "NotIn"]))
        chosen = draw(st.lists(st.sampled_from(values), min_size=1, max_size=2, unique=True))
        said["fieldSelector"] = {
            "matchExpressions": [{"key": key, "operator": operator, "values": chosen}]
        }
    if draw(st.integers(0, 3)) == 0:
        said["clusterNames"] = draw(st.lists(st.sampled_from(names), min_size=1, unique=True))
    if draw(st.integers(0, 3)) == 0:
        said["exclude"] = draw(st.lists(st.sampled_from(names), max_size=2, unique=True))
    return said


@st.composite
def divisions(draw: st.DrawFn, names: list[str]) -> dict[str, Any] | None:
    mode = draw(st.sampled_from(["none", "duplicated", "equal", "static", "dynamic", "aggregated"]))
    if mode == "none":
        return None
    if mode == "duplicated":
        return {"replicaSchedulingType": "Duplicated"}
    said: dict[str, Any] = {"replicaSchedulingType": "Divided"}
    if mode == "aggregated":
        return said | {"replicaDivisionPreference": "Aggregated"}
    said["replicaDivisionPreference"] = "Weighted"
    if mode == "dynamic":
        said["weightPreference"] = {"dynamicWeight": "AvailableReplicas"}
    if mode == "static":
        rules = st.builds(
            lambda affinity, weight: {"targetCluster": affinity, "weight": weight},
            affinities(names),
            st.integers(1, 9),
        )
        said["weightPreference"] = {
            "staticWeightList": draw(st.lists(rules, min_size=1, max_size=3))
        }
    return said


@st.composite
def spreads(draw: st.DrawFn) -> list[dict[str, Any]]:
    fields = draw(st.sampled_from([(), ("cluster",), ("region", "cluster"), ("zone", "cluster")]))
    made = []
    for by in fields:
        least = draw(st.integers(1, 4))
        constraint = {"spreadByField": by, "minGroups": least}
        if draw(st.integers(0, 12)):
            constraint["maxGroups"] = draw(st.integers(least, 6))
        made.append(constraint)
    return made


@st.composite
def policies(draw: st.DrawFn, name: str, names: list[str]) -> dict[str, Any]:
    placement: dict[str, Any] = {
        "clusterAffinity": draw(affinities(names)),
        "clusterTolerations": draw(st.lists(st.sampled_from(TOLERATIONS), max_size=1)),
        "spreadConstraints": draw(spreads()),
        "replicaScheduling": draw(divisions(names)),
    }
    return {
        "apiVersion": "policy.karmada.io/v1alpha1",
        "kind": "PropagationPolicy",
        "metadata": {"name": name, "namespace": "shop"},
        "spec": {
            "resourceSelectors": [{"apiVersion": "apps/v1", "kind": "Deployment", "name": name}],
            "placement": {key: value for key, value in placement.items() if value},
        },
    }


@st.composite
def workloads(draw: st.DrawFn, name: str) -> dict[str, Any]:
    requests = draw(
        st.sampled_from(
            [
                {"cpu": "500m", "memory": "1Gi"},
                {"cpu": "1", "memory": "512Mi"},
                {"cpu": "250m"},
                {"memory": str(3 * GIB)},
            ]
        )
    )
    container = {"name": "app", "image": "app:1", "resources": {"requests": requests}}
    labels = {"app": name}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {
            "name": name,
            "namespace": "shop",
            "uid": draw(st.sampled_from(["", "uid-1", "uid-2", "uid-3"])),
        },
        "spec": {
            "replicas": draw(st.sampled_from([0, 1, 2, 3, 5, 8, 13, 21])),
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": {"containers": [container]}},
        },
    }


@st.composite
def fleets(draw: st.DrawFn, *, modelled: bool = False) -> KarmadaFleet:
    """A fleet; its prior is what anybody may have assigned before."""
    names = [f"k{number}" for number in range(draw(st.integers(1, 12)))]
    applications = [f"app-{number}" for number in range(draw(st.integers(1, 4)))]
    shuffled = draw(st.permutations(names))
    counts = st.dictionaries(st.sampled_from(names), st.integers(1, 6), max_size=4)
    return KarmadaFleet(
        [draw(clusters(name, modelled=modelled)) for name in shuffled],
        [draw(workloads(name)) for name in applications],
        [draw(policies(name, names)) for name in applications],
        {f"shop/{name}": draw(counts) for name in applications if draw(st.integers(0, 2)) == 0},
    )
