"""Objects of a cluster, dumps of Route53, and a server that answers as it is told."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from devkit.dataplane.ingress import Objects
from devkit.dataplane.zone_view import Dump, RecordSet
from devkit.dev_cluster import DevCluster, Entry

ZONE = "example.test"
WEB = f"web.{ZONE}"


def an_ingress(host: str = WEB, path: str = "/", **changed: Any) -> dict[str, Any]:
    """An Ingress of one rule that leads to the Service web."""
    backend = {"service": {"name": changed.get("service", "web"), "port": {"number": 80}}}
    item = {"path": path, "pathType": changed.get("kind", "Prefix"), "backend": backend}
    rule = {"host": host, "http": {"paths": [item]}} if host else {"http": {"paths": [item]}}
    metadata = {"namespace": changed.get("namespace", "default"), "name": changed.get("name", "i")}
    return {"metadata": metadata, "spec": {"rules": [rule]}}


def a_slice(ready: int, service: str = "web", unready: int = 0) -> dict[str, Any]:
    """An EndpointSlice of a Service with so many endpoints."""
    endpoints = [
        {"addresses": [f"10.0.0.{n}"], "conditions": {"ready": n < ready}}
        for n in range(ready + unready)
    ]
    labels = {"kubernetes.io/service-name": service}
    metadata = {"namespace": "default", "name": f"{service}-x", "labels": labels}
    return {"metadata": metadata, "endpoints": endpoints}


def objects(*ingresses: Mapping[str, Any], ready: int = 1) -> Objects:
    """A cluster with the Service web and so many ready endpoints."""
    return Objects(tuple(ingresses), frozenset({"default/web"}), (a_slice(ready),))


def a_cluster(name: str, *addresses: str, hostname: str = "", port: int = 8080) -> DevCluster:
    """A cluster with an entry."""
    entry = Entry(addresses=addresses, hostname=hostname, port=port)
    return DevCluster(name, "eu-west-1", ("eu-west-1a",), entry=entry)


def a_weighted(cluster: str, weight: int, *values: str, check: str = "") -> RecordSet:
    """A weighted A record of web.example.test."""
    return RecordSet(WEB, "A", 5, values, cluster, weight=weight, health_check=check)


def a_dump(*records: RecordSet, checks: Mapping[str, dict[str, Any]] | None = None) -> Dump:
    """A dump of one zone."""
    soa = RecordSet(ZONE, "SOA", 900, ("ns-1.awsdns-00.com. admin.test. 1 7200 900 1209600 86400",))
    return Dump({ZONE: (soa, *records)}, dict(checks or {}))


class Backend:
    """An HTTP server that answers with what stands in `status` and `body`."""

    def __init__(self) -> None:
        self.status = 200
        self.body = b"fine"
        self.seconds = 0.0
        self.asked: list[tuple[str, str]] = []
        self.port = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request."""
        try:
            await self._answer(reader, writer)
        finally:
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        path = (await reader.readline()).decode().split()[1]
        host = ""
        while line := (await reader.readline()).decode().strip():
            name, _, value = line.partition(": ")
            host = value if name == "Host" else host
        self.asked.append((host, path))
        await asyncio.sleep(self.seconds)
        head = f"HTTP/1.1 {self.status} X\r\nContent-Length: {len(self.body)}\r\n\r\n"
        writer.write(head.encode() + self.body)
        await writer.drain()


@asynccontextmanager
async def a_backend() -> AsyncIterator[Backend]:
    """A backend on a free loopback port."""
    backend = Backend()
    server = await asyncio.start_server(backend.serve, "127.0.0.1", 0)
    backend.port = server.sockets[0].getsockname()[1]
    try:
        yield backend
    finally:
        server.close()
        await asyncio.sleep(0.02)  # an answer that is under way ends before its loop does


class FakeCluster:
    """An API server that lists and watches what it is told."""

    def __init__(self) -> None:
        self.items: dict[str, list[dict[str, Any]]] = {
            "ingresses": [],
            "services": [],
            "endpointslices": [],
        }
        self.streams: dict[str, list[asyncio.StreamWriter]] = {kind: [] for kind in self.items}
        self.port = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer a list, or begin a watch."""
        path = (await reader.readline()).decode().split()[1]
        while (await reader.readline()).strip():
            pass
        kind = path.partition("?")[0].rpartition("/")[2]
        if "watch=1" in path:
            writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            self.streams[kind].append(writer)
            return
        body = json.dumps({"metadata": {"resourceVersion": "1"}, "items": self.items[kind]})
        writer.write(f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
        await writer.drain()
        writer.close()

    def tell(self, kind: str, event: str, item: Mapping[str, Any]) -> None:
        """Send one event to every watch, cut into two chunks."""
        line = json.dumps({"type": event, "object": item}).encode() + b"\n"
        for writer in self.streams[kind]:
            for part in (line[:10], line[10:]):
                writer.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")

    def end_watches(self) -> None:
        """End every watch, as an API server does now and then."""
        for writers in self.streams.values():
            for writer in writers:
                writer.write(b"0\r\n\r\n")
                writer.close()
            writers.clear()


@asynccontextmanager
async def a_fake_cluster() -> AsyncIterator[FakeCluster]:
    """A fake API server on a free loopback port."""
    cluster = FakeCluster()
    server = await asyncio.start_server(cluster.serve, "127.0.0.1", 0)
    cluster.port = server.sockets[0].getsockname()[1]
    try:
        yield cluster
    finally:
        server.close()
        cluster.end_watches()


def a_kubeconfig(port: int, user: Mapping[str, str] | None = None) -> str:
    """A kubeconfig of a cluster without TLS."""
    return json.dumps(
        {
            "current-context": "c",
            "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
            "clusters": [{"name": "c", "cluster": {"server": f"http://127.0.0.1:{port}"}}],
            "users": [{"name": "u", "user": user or {}}],
        }
    )


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds. **Errors**: TimeoutError after thirty seconds."""
    async with asyncio.timeout(30):
        while not holds():  # noqa: ASYNC110 - what is waited for knows no events
            await asyncio.sleep(0.01)
