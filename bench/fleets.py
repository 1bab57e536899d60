"""Fleets of any size, from a seed: the realistic mix that placing is measured with.

A quarter of the workloads is duplicated with affinity, a quarter has static weights, a quarter is
divided by capacity over regions, 15% are aggregated, and the rest scales what runs already. Every
workload has a policy of its own. The shape (how many clusters share a region, a team, a tier, how
large requests and replicas are) follows the Karmada fleets of tests/conformance.
"""

from dataclasses import dataclass
from random import Random
from typing import Any

from fleet.model.base import FrozenMap
from fleet.model.inventory import Cluster
from fleet.model.policy import PlacementPolicy
from fleet.model.prior import Prior, PriorWorkload
from fleet.model.quantity import in_base_units
from fleet.model.snapshot import ClusterState, Linked, Snapshot
from fleet.model.source import Origin
from fleet.model.workload import Workload

_PROVIDERS = ("aws", "gcp", "azure", "onprem")
_SIZES = ((4, 16), (8, 32), (16, 64), (32, 128))
_REQUESTS = (
    ("50m", "64Mi"),
    ("100m", "128Mi"),
    ("250m", "256Mi"),
    ("250m", "512Mi"),
    ("500m", "512Mi"),
    ("500m", "1Gi"),
    ("1", "2Gi"),
    ("2", "4Gi"),
    ("4", "8Gi"),
)
_REPLICAS = (1, 1, 2, 2, 3, 4, 4, 7, 8, 10, 12, 14, 15, 18, 20, 23, 29, 40, 52, 74)
_TOLERATION = {"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}


@dataclass(frozen=True, slots=True)
class Fleet:
    """What a run decides on."""

    snapshot: Snapshot
    prior: Prior


def a_fleet(clusters: int, workloads: int, seed: int = 1) -> Fleet:
    """A fleet of so many clusters and workloads; equal for equal arguments."""
    draw = Random(seed)
    inventory = sorted((_cluster(draw, place, clusters) for place in range(clusters)), key=_name)
    made = [_linked(draw, place, inventory) for place in range(workloads)]
    states = {each.name: ClusterState(each.spec.state, "inventory") for each in inventory}
    snapshot = Snapshot(tuple(inventory), tuple(each for each, _ in made), FrozenMap(states))
    placed = {
        each.workload.name: PriorWorkload(replicas=FrozenMap(before))
        for each, before in made
        if before
    }
    return Fleet(snapshot, Prior(known=True, workloads=FrozenMap(placed)))


def _name(cluster: Cluster) -> str:
    return cluster.name


def _cluster(draw: Random, place: int, count: int) -> Cluster:
    provider = draw.choice(_PROVIDERS)
    region = f"{provider}-r{draw.randrange(max(2, min(16, count // 20))):02d}"
    cores, memory = draw.choice(_SIZES)
    nodes = draw.randint(10, 220)
    used = draw.uniform(0.1, 0.8)
    taints = draw.choices(
        ([], [{"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}]), (93, 7)
    )[0]
    labels = {
        "env": draw.choice(("prod", "prod", "staging", "dev", "dev")),
        "team": f"t{draw.randrange(max(5, count // 12)):03d}",
        "tier": draw.choice(("gold", "silver", "silver", "bronze", "bronze")),
    }
    name = f"c{place:04d}"
    return Cluster.model_validate(
        {
            "metadata": {"name": name, "labels": labels},
            "spec": {
                "region": region,
                "zones": [f"{region}-{draw.choice('abc')}"],
                "provider": provider,
                "taints": taints,
                "capacity": {
                    "allocatable": {
                        "cpu": nodes * cores,
                        "memory": f"{nodes * memory}Gi",
                        "pods": nodes * 110,
                    },
                    "reserved": {
                        "cpu": int(nodes * cores * used),
                        "memory": f"{int(nodes * memory * used)}Gi",
                        "pods": int(nodes * 110 * used / 2),
                    },
                },
            },
            "origin": Origin(f"inventory/{name}.yaml"),
        }
    )


def _linked(draw: Random, place: int, inventory: list[Cluster]) -> tuple[Linked, dict[str, int]]:
    """A workload with its policy, and what runs of it already."""
    name = f"app-{place:05d}"
    replicas = draw.choice(_REPLICAS)
    kind = draw.choices(
        ("duplicated", "static", "regions", "aggregated", "steady"), (25, 25, 25, 15, 10)
    )[0]
    body = _BODIES[kind](draw, inventory)
    before: dict[str, int] = {}
    if kind == "steady":
        most = body["spread"][0]["maxDomains"]
        chosen = draw.sample(inventory, min(len(inventory), draw.randint(2, most)))
        before = {each.name: draw.randint(1, max(1, replicas // len(chosen))) for each in chosen}
    if draw.random() < 0.1:  # noqa: PLR2004 - a tenth of all
        body["tolerations"] = [_TOLERATION]
    cpu, memory = draw.choice(_REQUESTS)
    request = {"cpu": in_base_units("cpu", cpu), "memory": in_base_units("memory", memory)}
    workload = Workload(
        name=name,
        manifests=(),
        main=f"Deployment/default/{name}",
        replicas=replicas,
        request=FrozenMap({**request, "pods": 1}),
    )
    policy = PlacementPolicy.model_validate(
        {
            "metadata": {"name": name},
            "spec": {"workloads": [name], **body},
            "origin": Origin(f"policies/{name}.yaml"),
        }
    )
    return Linked(workload, policy), before


def _some(draw: Random, inventory: list[Cluster]) -> list[str]:
    return [each.name for each in draw.sample(inventory, min(len(inventory), draw.randint(3, 10)))]


def _term(draw: Random, inventory: list[Cluster]) -> dict[str, Any]:
    """Which clusters a policy asks for."""
    labels = draw.choice(inventory).labels
    shape = draw.randrange(6)
    if shape == 0:
        return {"clusters": _some(draw, inventory)}
    if shape == 1:
        tiers = draw.sample(("gold", "silver", "bronze"), 2)
        field = {"key": "provider", "operator": "NotIn", "values": [draw.choice(_PROVIDERS)]}
        return {
            "matchExpressions": [{"key": "tier", "operator": "In", "values": tiers}],
            "matchFields": [field],
        }
    if shape == 2:  # noqa: PLR2004 - the third shape
        return {
            "matchLabels": {"env": labels["env"]},
            "excludeClusters": [draw.choice(inventory).name],
        }
    key = draw.choice(("team", "team", "env", "tier"))
    return {"matchLabels": {key: labels[key]}}


def _duplicated(draw: Random, inventory: list[Cluster]) -> dict[str, Any]:
    """By name, by team, or by label within a region: nobody runs copies on half of a fleet."""
    term = _term(draw, inventory)
    if not {"clusters"} & term.keys() and "team" not in term.get("matchLabels", {}):
        region = draw.choice(inventory).spec.region
        term["matchFields"] = [{"key": "region", "operator": "In", "values": [region]}]
    return {"affinity": {"required": [term]}, "division": {"mode": "duplicated"}}


def _static(draw: Random, inventory: list[Cluster]) -> dict[str, Any]:
    """Weights by name, or by rules over tier and provider."""
    if draw.random() < 0.5:  # noqa: PLR2004 - half of them
        named = _some(draw, inventory)
        rules: list[dict[str, Any]] = [
            {"replicaWeight": draw.randint(1, 10), "term": {"clusters": [name]}} for name in named
        ]
        term: dict[str, Any] = {"clusters": named}
    else:
        tier = {"key": "tier", "operator": "NotIn", "values": ["gold"]}
        provider = {"key": "provider", "operator": "In", "values": [draw.choice(_PROVIDERS)]}
        rules = [
            {"replicaWeight": draw.randint(2, 5), "term": {"matchLabels": {"tier": "gold"}}},
            {"replicaWeight": draw.randint(2, 5), "term": {"matchFields": [provider]}},
            {"replicaWeight": 1, "term": {"matchExpressions": [tier]}},
        ]
        term = _term(draw, inventory)
    return {
        "affinity": {"required": [term]},
        "division": {"mode": "weighted", "weights": rules},
    }


def _regions(draw: Random, _inventory: list[Cluster]) -> dict[str, Any]:
    least = draw.randint(1, 3)
    clusters = draw.randint(least, least + 2)
    spread = [
        {"by": "region", "minDomains": least, "maxDomains": least + draw.randint(0, 2)},
        {"by": "cluster", "minDomains": clusters, "maxDomains": clusters + draw.randint(2, 5)},
    ]
    body: dict[str, Any] = {"spread": spread, "division": {"mode": "weighted"}}
    if draw.random() < 0.5:  # noqa: PLR2004 - half of them
        env = draw.choice(("prod", "staging", "dev"))
        body["affinity"] = {"required": [{"matchLabels": {"env": env}}]}
    return body


def _aggregated(draw: Random, inventory: list[Cluster]) -> dict[str, Any]:
    body: dict[str, Any] = {"division": {"mode": "aggregated"}}
    if draw.random() < 0.8:  # noqa: PLR2004 - most of them
        body["affinity"] = {"required": [_term(draw, inventory)]}
    if draw.random() < 0.5:  # noqa: PLR2004 - half of them
        body["spread"] = [{"by": "cluster", "minDomains": 1, "maxDomains": draw.randint(2, 8)}]
    return body


def _steady(draw: Random, _inventory: list[Cluster]) -> dict[str, Any]:
    most = draw.randint(3, 10)
    return {
        "spread": [{"by": "cluster", "minDomains": 1, "maxDomains": most}],
        "division": {"mode": "weighted"},
    }


_BODIES = {
    "duplicated": _duplicated,
    "static": _static,
    "regions": _regions,
    "aggregated": _aggregated,
    "steady": _steady,
}
