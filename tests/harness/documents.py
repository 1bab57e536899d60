"""Documents of small projects: a workload of few objects, its placement and its name."""

from collections.abc import Iterable
from typing import Any

from tests.harness.project import Project
from tests.harness.world import CLUSTERS, cluster_document

TTL = 3


def lay_inventory(project: Project, clusters: Iterable[str] = CLUSTERS) -> None:
    """The inventory, as the devkit plays it."""
    documents = [cluster_document(project.world.home, each) for each in clusters]
    project.write("inventory/clusters.yaml", *documents)


def deployment(project: Project, name: str, replicas: int, **changes: Any) -> dict[str, Any]:
    """A Deployment of one container; `image` and `labels` can be changed."""
    labels = changes.get("labels", {"app": name})
    container = {
        "name": name,
        "image": changes.get("image", "registry.example/web:1"),
        "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}},
    }
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": project.name},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": {"containers": [container]}},
        },
    }


def door(project: Project, name: str) -> list[dict[str, Any]]:
    """The Service and the Ingress by which a workload's name is answered."""
    metadata = {"name": name, "namespace": project.name}
    backend = {"service": {"name": name, "port": {"number": 80}}}
    paths = [{"path": "/", "pathType": "Prefix", "backend": backend}]
    return [
        {
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": metadata,
            "spec": {"selector": {"app": name}, "ports": [{"port": 80, "targetPort": 8080}]},
        },
        {
            "apiVersion": "networking.k8s.io/v1",
            "kind": "Ingress",
            "metadata": metadata,
            "spec": {"rules": [{"host": f"{name}.{project.zone}", "http": {"paths": paths}}]},
        },
    ]


def configmap(project: Project, name: str, value: str = "1") -> dict[str, Any]:
    """A ConfigMap."""
    metadata = {"name": name, "namespace": project.name}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"key": value}}


def secret(project: Project, name: str, value: str) -> dict[str, Any]:
    """A Secret, as a person writes it."""
    metadata = {"name": name, "namespace": project.name}
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": metadata,
        "stringData": {"password": value},
    }


def fleet_file(project: Project, name: str, **spec: Any) -> dict[str, Any]:
    """A workload's settings: its namespace is created, its wait is short."""
    return {
        "apiVersion": "fleet/v1",
        "kind": "Workload",
        "metadata": {"name": name},
        "spec": {"namespaces": {"create": [project.name]}, "waitSeconds": 60, **spec},
    }


def placement(name: str, clusters: list[str] | None = None, **spec: Any) -> dict[str, Any]:
    """Where a workload may run; divided by equal weights where nothing else is said."""
    required = {"required": [{"clusters": clusters}]} if clusters else {}
    body = {"workloads": [name], "affinity": required, "division": {"mode": "weighted"}, **spec}
    return {
        "apiVersion": "fleet/v1",
        "kind": "PlacementPolicy",
        "metadata": {"name": name},
        "spec": {key: each for key, each in body.items() if each},
    }


def traffic(project: Project, name: str, **spec: Any) -> dict[str, Any]:
    """An active-standby name in a zone of the test's own, eu-west-1 first."""
    return {
        "apiVersion": "fleet/v1",
        "kind": "TrafficPolicy",
        "metadata": {"name": name},
        "spec": {
            "workload": name,
            "name": f"{name}.{project.zone}",
            "zone": {"name": project.zone, "create": True},
            "mode": "active-standby",
            "activeRegion": "eu-west-1",
            "standby": 50,
            "ttlSeconds": TTL,
            "healthCheck": {"type": "HTTP", "path": "/", "intervalSeconds": 10},
            **spec,
        },
    }


def lay_plain(project: Project, replicas: int, policy: dict[str, Any], **changes: Any) -> None:
    """The three clusters, and the Deployment `web` without a name, placed by a policy."""
    lay_inventory(project)
    project.write("workloads/web/web.yaml", deployment(project, "web", replicas, **changes))
    project.write("workloads/web/fleet.yaml", fleet_file(project, "web"))
    project.write("policies/web.yaml", policy)


def lay_web(project: Project, replicas: int = 4, **changes: Any) -> None:
    """The workload `web` behind a name: Deployment, Service, Ingress."""
    project.write(
        "workloads/web/web.yaml",
        deployment(project, "web", replicas, **changes),
        *door(project, "web"),
    )
    project.write("workloads/web/fleet.yaml", fleet_file(project, "web"))


def lay_switchable(project: Project, clusters: list[str] | None = None, **spec: Any) -> None:
    """`web` on two clusters, active-standby: 4 replicas in eu-west-1, 2 in the standby."""
    lay_inventory(project)
    lay_web(project)
    project.write(
        "policies/web.yaml",
        placement("web", clusters or ["eu-1", "us-1"]),
        traffic(project, "web", **spec),
    )
