"""The command `status`: clusters, Route53, DNS and entries as tables."""

import http.client
import ssl
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table

from devkit import clusters, control
from devkit import plan as plans
from devkit.home import Home
from devkit.plan import PlannedCluster

LATENCY_SECONDS = 3


@dataclass(frozen=True, slots=True)
class ClusterStatus:
    """How one cluster is.

    Units: latency in seconds, None where the API did not answer through the proxy in time.
    """

    name: str
    how: str
    nodes: int
    components: int
    latency: float | None
    server: str
    entry: str


def collect(home: Home) -> tuple[list[ClusterStatus], dict[str, Any]]:
    """Return how every cluster is, and what the agent says.

    Errors: DevkitError when no devkit is up.
    """
    answer = control.ask(home, command="status")
    plan = plans.read(home)
    planned = plan.clusters if plan else ()

    def one(planned: PlannedCluster) -> ClusterStatus:
        return _status(home, planned, str(answer["clusters"].get(planned.cluster.name, "?")))

    with ThreadPoolExecutor(max_workers=8) as pool:
        return list(pool.map(one, planned)), answer


def _status(home: Home, planned: PlannedCluster, how: str) -> ClusterStatus:
    cluster = planned.cluster
    entry = cluster.entry
    hosts = entry.addresses or ((entry.hostname,) if entry.hostname else ())
    return ClusterStatus(
        name=cluster.name,
        how=how,
        nodes=cluster.nodes,
        components=len(clusters.component_pids(home, cluster.name)),
        latency=latency(home, cluster.name, planned.proxy_port),
        server=f"127.0.0.1:{planned.proxy_port}",
        entry=", ".join(f"{host}:{entry.port}{entry.path}" for host in hosts) or "-",
    )


def latency(home: Home, cluster: str, port: int) -> float | None:
    """Return the seconds that `GET /readyz` takes through the proxy, TLS included."""
    pki = clusters.folder(home, cluster) / "pki"
    started = time.monotonic()
    with suppress(OSError, http.client.HTTPException):
        context = ssl.create_default_context(cafile=str(pki / "ca.crt"))
        context.load_cert_chain(pki / "admin.crt", pki / "admin.key")
        line = http.client.HTTPSConnection(
            "127.0.0.1", port, timeout=LATENCY_SECONDS, context=context
        )
        line.request("GET", "/readyz")
        if line.getresponse().status == http.HTTPStatus.OK:
            return time.monotonic() - started
    return None


def show(home: Home) -> None:
    """Print the tables."""
    found, answer = collect(home)
    console = Console()
    table = Table("cluster", "state", "nodes", "processes", "API", "latency", "entry")
    for one in found:
        state = "alive" if one.how == "alive" else f"dead ({one.how})"
        said = f"{one.latency * 1000:.0f} ms" if one.latency is not None else "no answer"
        parts = f"{one.components}/{len(clusters.COMPONENTS)}"
        table.add_row(one.name, state, str(one.nodes), parts, one.server, said, one.entry)
    console.print(table)
    route53 = answer["route53"]
    console.print(f"Route53     {route53['url']} (told things at {route53['admin_url']})")
    plane = answer["plane"] or {"data plane": "not running"}
    for name, value in plane.items():
        console.print(f"{name:<11} {value}")
