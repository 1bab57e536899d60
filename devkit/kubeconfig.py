"""One kubeconfig with one context per cluster, each through the cluster's proxy."""

import base64
import os
from pathlib import Path
from typing import Any

import yaml

from devkit.clusters import folder
from devkit.dev_cluster import DevCluster
from devkit.home import Home
from devkit.ledger import Ledger


def write(home: Home, clusters: list[DevCluster], ledger: Ledger) -> None:
    """Write the devkit's kubeconfig, readable by its owner only.

    The API server's certificate names 127.0.0.1, and the proxy does not touch TLS: what is
    verified is the API server behind it.
    """
    document: dict[str, Any] = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": clusters[0].context if clusters else "",
        "clusters": [_cluster(home, one, ledger.of(one.name).proxy) for one in clusters],
        "users": [_user(home, one) for one in clusters],
        "contexts": [
            {"name": one.context, "context": {"cluster": one.name, "user": one.name}}
            for one in clusters
        ],
    }
    fresh = home.kubeconfig.with_name(f".kubeconfig.{os.getpid()}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as handle:
        yaml.safe_dump(document, handle, sort_keys=False)
    fresh.replace(home.kubeconfig)


def _cluster(home: Home, cluster: DevCluster, port: int) -> dict[str, Any]:
    ca = folder(home, cluster.name) / "pki" / "ca.crt"
    entry = {"server": f"https://127.0.0.1:{port}", "certificate-authority-data": _data(ca)}
    return {"name": cluster.name, "cluster": entry}


def _user(home: Home, cluster: DevCluster) -> dict[str, Any]:
    pki = folder(home, cluster.name) / "pki"
    entry = {
        "client-certificate-data": _data(pki / "admin.crt"),
        "client-key-data": _data(pki / "admin.key"),
    }
    return {"name": cluster.name, "user": entry}


def _data(file: Path) -> str:
    return base64.b64encode(file.read_bytes()).decode()
