"""A cluster on loopback, with TLS, that tells what a probe wants to know."""

import base64
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from fleet.emit.access import ClusterAccess
from fleet.model.inventory import Connection
from tests.emit.api_server import ApiServer, an_api_server
from tests.emit.certificates import Authority

OWNER = "fleet/owner"
LISTS = {
    "nodes": "/api/v1/nodes",
    "pods": "/api/v1/pods",
    "services": "/api/v1/services",
    "ingresses": "/apis/networking.k8s.io/v1/ingresses",
    "gateways": "/apis/gateway.networking.k8s.io/v1/gateways",
    "replicasets": "/apis/apps/v1/replicasets",
    "deployments": "/apis/apps/v1/deployments",
    "statefulsets": "/apis/apps/v1/statefulsets",
    "daemonsets": "/apis/apps/v1/daemonsets",
    "jobs": "/apis/batch/v1/jobs",
    "cronjobs": "/apis/batch/v1/cronjobs",
}
KINDS = {
    "": {"v1": ["ConfigMap", "Node", "Pod", "Secret", "Service", "ServiceAccount"]},
    "apps": {"v1": ["DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"]},
    "autoscaling": {"v2": ["HorizontalPodAutoscaler"]},
    "batch": {"v1": ["CronJob", "Job"]},
    "gateway.networking.k8s.io": {"v1": ["Gateway"]},
    "networking.k8s.io": {"v1": ["Ingress", "NetworkPolicy"]},
    "policy": {"v1": ["PodDisruptionBudget"]},
    "rbac.authorization.k8s.io": {
        "v1": ["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"]
    },
}


def a_node(name: str, cpu: str = "4", **spec: Any) -> dict[str, Any]:
    """A node that is ready."""
    return {
        "metadata": {"name": name},
        "spec": spec,
        "status": {
            "allocatable": {"cpu": cpu, "memory": "8Gi", "pods": "110"},
            "conditions": [{"type": "Ready", "status": "True"}],
        },
    }


def a_pod(name: str, node: str = "n1", cpu: str = "500m", **metadata: Any) -> dict[str, Any]:
    """A pod that runs on a node."""
    requests = {"cpu": cpu, "memory": "1Gi"}
    return {
        "metadata": {"name": name, "namespace": "shop", **metadata},
        "spec": {
            "nodeName": node,
            "containers": [{"name": "c", "resources": {"requests": requests}}],
        },
        "status": {"phase": "Running"},
    }


def controlled_by(kind: str, name: str, version: str = "apps/v1") -> dict[str, Any]:
    """The metadata of what somebody controls."""
    owner = {"apiVersion": version, "kind": kind, "name": name, "controller": True}
    return {"ownerReferences": [owner]}


def signed(workload: str) -> dict[str, Any]:
    """The metadata of what fleet placed."""
    return {"annotations": {OWNER: f"fleet/dev/{workload}"}}


def an_object(name: str, **metadata: Any) -> dict[str, Any]:
    """An object in a namespace, its metadata only."""
    return {"metadata": {"name": name, "namespace": "shop", **metadata}}


def serve_list(api: ApiServer, what: str, items: Sequence[dict[str, Any]], pages: int = 1) -> None:
    """Answers a list, in so many pages."""
    path = f"{LISTS[what]}?limit=500"
    size = max(1, -(-len(items) // pages))
    for number in range(pages):
        metadata = {"continue": f"p{number + 1}"} if number + 1 < pages else {}
        page: dict[str, Any] = {"kind": "List", "metadata": metadata}
        page["items"] = list(items[number * size : (number + 1) * size])
        api.serve(path if number == 0 else f"{path}&continue=p{number}", page)


def serve_apis(api: ApiServer, **freshness: str) -> None:
    """Answers discovery as newer servers do."""
    for path, groups in (("/api", [""]), ("/apis", [name for name in KINDS if name])):
        items = [
            {
                "metadata": {"name": name},
                "versions": [
                    {
                        "version": version,
                        "freshness": freshness.get(name, "Current"),
                        "resources": [{"responseKind": {"kind": kind}} for kind in kinds],
                    }
                    for version, kinds in KINDS[name].items()
                ],
            }
            for name in groups
        ]
        api.serve(path, {"kind": "APIGroupDiscoveryList", "items": items})


def make_cluster(api: ApiServer) -> None:
    """Two nodes, a pod of fleet's and one of somebody else's, a load balancer."""
    api.answers["/readyz"] = (200, b"ok")
    serve_apis(api)
    for what in LISTS:
        serve_list(api, what, [])
    serve_list(api, "nodes", [a_node("n1"), a_node("n2")])
    serve_list(api, "replicasets", [an_object("web-1", **controlled_by("Deployment", "web"))])
    serve_list(api, "deployments", [an_object("web", **signed("web"))])
    serve_list(
        api,
        "pods",
        [
            a_pod("web-1-a", **controlled_by("ReplicaSet", "web-1")),
            a_pod("agent", node="n2", cpu="250m"),
        ],
    )
    service = an_object("web", **signed("web")) | {
        "spec": {"type": "LoadBalancer"},
        "status": {"loadBalancer": {"ingress": [{"ip": "192.0.2.7"}, {"hostname": "lb.example"}]}},
    }
    serve_list(api, "services", [service, an_object("other") | {"spec": {"type": "LoadBalancer"}}])


@contextmanager
def a_cluster_api(authority: Authority, folder: Path) -> Iterator[ApiServer]:
    """A living cluster behind TLS."""
    pair = authority.issue("server")
    file = folder / "server.pem"
    file.write_bytes(pair.key + pair.certificate)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    with an_api_server(context) as api:
        make_cluster(api)
        yield api


def a_kubeconfig(url: str, authority: Authority | None = None, **user: Any) -> str:
    """A kubeconfig for a server."""
    cluster: dict[str, Any] = {"server": url}
    if authority is not None:
        data = base64.b64encode(authority.certificate).decode()
        cluster["certificate-authority-data"] = data
    return yaml.safe_dump(
        {
            "clusters": [{"name": "it", "cluster": cluster}],
            "users": [{"name": "me", "user": user or {"token": "s3cr3t-t0ken"}}],
            "contexts": [{"name": "main", "context": {"cluster": "it", "user": "me"}}],
            "current-context": "main",
        }
    )


def an_access(name: str, kubeconfig: str, timeout: int = 2) -> ClusterAccess:
    """A way to a cluster."""
    connection = Connection(secret=name, timeout_seconds=timeout)
    return ClusterAccess(name, connection, Path("/nowhere"), kubeconfig)
