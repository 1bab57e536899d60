"""Simulated nodes, as the inventory describes them."""

import json
import subprocess
from pathlib import Path
from typing import Any

from devkit.dev_cluster import DevCluster
from devkit.errors import DevkitError

KWOK_ANNOTATION = "kwok.x-k8s.io/node"
HOSTNAME_LABEL = "kubernetes.io/hostname"


def documents(cluster: DevCluster, kubelet_version: str) -> list[dict[str, Any]]:
    """Return the Node objects: the cluster's capacity divided, its zones round robin."""
    shares = {
        resource: divide(amount, resource, cluster.nodes)
        for resource, amount in cluster.allocatable.items()
    }
    return [
        _node(
            cluster, index, {name: share[index] for name, share in shares.items()}, kubelet_version
        )
        for index in range(cluster.nodes)
    ]


def divide(amount: int, resource: str, parts: int) -> list[str]:
    """Divide an amount in base units, as Kubernetes spells it; what is left goes to the first.

    >>> divide(8, "nvidia.com/gpu", 3)
    ['3', '3', '2']
    >>> divide(2000, "cpu", 3)
    ['667m', '667m', '666m']
    """
    share, rest = divmod(amount, parts)
    unit = "m" if resource == "cpu" else ""
    return [f"{share + (1 if index < rest else 0)}{unit}" for index in range(parts)]


def _node(
    cluster: DevCluster, index: int, capacity: dict[str, str], kubelet_version: str
) -> dict[str, Any]:
    name = f"{cluster.name}-{index}"
    labels = {
        **cluster.labels,
        "type": "kwok",
        HOSTNAME_LABEL: name,
        "kubernetes.io/arch": "amd64",
        "kubernetes.io/os": "linux",
        "topology.kubernetes.io/region": cluster.region,
        "topology.kubernetes.io/zone": cluster.zones[index % len(cluster.zones)],
    }
    status = {
        "allocatable": capacity,
        "capacity": capacity,
        "nodeInfo": {
            "architecture": "amd64",
            "bootID": "",
            "containerRuntimeVersion": "",
            "kernelVersion": "",
            "kubeProxyVersion": "",
            "kubeletVersion": kubelet_version,
            "machineID": "",
            "operatingSystem": "linux",
            "osImage": "",
            "systemUUID": "",
        },
    }
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels, "annotations": {KWOK_ANNOTATION: "fake"}},
        "status": status,
    }


def lay(cluster: DevCluster, kubectl: Path, kubeconfig: Path) -> None:
    """Make the cluster's nodes what the inventory says: create, update, and remove others.

    Errors: DevkitError with kubectl's own words.
    """
    run = Kubectl(kubectl, kubeconfig)
    version = json.loads(run("get", "--raw", "/version"))["gitVersion"]
    wanted = {node["metadata"]["name"]: node for node in documents(cluster, version)}
    items = json.loads(run("get", "nodes", "-o", "json"))["items"]
    live = {node["metadata"]["name"]: node for node in items}
    gone = sorted(set(live) - set(wanted))
    if gone:
        run("delete", "node", "--wait=false", *gone)
    missing = [node for name, node in wanted.items() if name not in live]
    if missing:
        run(
            "create",
            "-f",
            "-",
            text=json.dumps({"apiVersion": "v1", "kind": "List", "items": missing}),
        )
    for name in sorted(set(live) & set(wanted)):
        _update(run, wanted[name], live[name])


def _update(run: "Kubectl", wanted: dict[str, Any], live: dict[str, Any]) -> None:
    name = wanted["metadata"]["name"]
    if wanted["metadata"]["labels"].items() - live["metadata"]["labels"].items():
        labels = {"metadata": {"labels": wanted["metadata"]["labels"]}}
        run("patch", "node", name, "--type=merge", "-p", json.dumps(labels))
    if wanted["status"]["allocatable"] != live["status"].get("allocatable"):
        capacity = {key: wanted["status"][key] for key in ("allocatable", "capacity")}
        patch = json.dumps({"status": capacity})
        run("patch", "node", name, "--subresource=status", "--type=merge", "-p", patch)


class Kubectl:
    """Runs kubectl against one kubeconfig."""

    def __init__(self, program: Path, kubeconfig: Path) -> None:
        self._start = [str(program), "--kubeconfig", str(kubeconfig), "--request-timeout=20s"]

    def __call__(self, *arguments: str, text: str | None = None) -> str:
        """Return what kubectl answers.

        Errors: DevkitError with what it complains about.
        """
        answer = subprocess.run(
            [*self._start, *arguments], input=text, capture_output=True, text=True, check=False
        )
        if answer.returncode:
            raise DevkitError(f"kubectl {' '.join(arguments[:2])}: {answer.stderr.strip()}")
        return answer.stdout
