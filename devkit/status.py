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
    return ClusterStatus(
        name=cluster.name,
        how=how,
        nodes=cluster.nodes,
        components=len(clusters.component_pids(home, cluster.name)),
        latency=latency(home, cluster.name, planned.proxy_port),
        server=f"127.0.0.1:{planned.proxy_port}",
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
    console.print(_clusters(found))
    plane, route53 = answer["plane"], answer["route53"]
    console.print(f"Route53  {route53['url']} (told things at {route53['admin_url']})")
    console.print(f"DNS      {plane['dns']}")
    if plane["entries"]:
        console.print(_entries(plane["entries"]))
    if plane["checks"]:
        console.print(_checks(plane["checks"]))
    if plane["shares"]:
        console.print(_shares(plane["shares"]))


def _clusters(found: list[ClusterStatus]) -> Table:
    table = Table("cluster", "state", "nodes", "processes", "API", "latency")
    for one in found:
        said = f"{one.latency * 1000:.0f} ms" if one.latency is not None else "no answer"
        parts = f"{one.components} of {len(clusters.COMPONENTS)}"
        table.add_row(one.name, _state(one.how), str(one.nodes), parts, one.server, said)
    return table


def _state(how: str) -> str:
    return "alive" if how == "alive" else f"dead ({how})"


def _entries(entries: dict[str, Any]) -> Table:
    table = Table("entry", "served at", "state")
    for name, entry in entries.items():
        table.add_row(name, entry["at"], entry["trouble"] or _state(entry["how"]))
    return table


def _checks(checks: dict[str, Any]) -> Table:
    table = Table("health check", "asks", "state")
    for name, check in checks.items():
        state = "healthy" if check["healthy"] else "unhealthy"
        asked = f"{check['endpoint']}{check['path']}"
        table.add_row(name, asked, f"{state}: {check['reason']}" if check["reason"] else state)
    return table


def _shares(shares: dict[str, Any]) -> Table:
    table = Table("name", "share of the answers")
    for name, parts in shares.items():
        table.add_row(name, ", ".join(f"{one} {share}" for one, share in parts.items()))
    return table
