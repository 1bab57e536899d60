"""What an ingress controller sees of one cluster: Ingresses, Services and EndpointSlices.

It lists and watches through the cluster's own API server, past the proxy that plays dead.
"""

import asyncio
import base64
import json
import ssl
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

from devkit.dataplane.ingress import Objects
from devkit.dataplane.web import Limits, Target, get, stream_lines

PATHS = {
    "ingresses": "/apis/networking.k8s.io/v1/ingresses",
    "services": "/api/v1/services",
    "slices": "/apis/discovery.k8s.io/v1/endpointslices",
}
PAUSE_SECONDS = 0.5
WATCH_SECONDS = 300
HEADERS = {"Host": "kubernetes", "Accept": "application/json"}
SLOW = Limits(connect=5, status=20, body=20)


class ClusterView:
    """Keeps the objects of one cluster up to date."""

    def __init__(self, kubeconfig: Path) -> None:
        self._kubeconfig = kubeconfig
        self._kinds: dict[str, dict[str, dict[str, Any]]] = {kind: {} for kind in PATHS}
        self._seen = {kind: asyncio.Event() for kind in PATHS}
        self._tasks: list[asyncio.Task[None]] = []
        self.trouble = ""

    @property
    def objects(self) -> Objects:
        """Return what is known now."""
        return Objects(
            ingresses=tuple(self._kinds["ingresses"].values()),
            services=frozenset(self._kinds["services"]),
            slices=tuple(self._kinds["slices"].values()),
        )

    async def start(self, seconds: float) -> None:
        """Begin to follow the cluster; return when it is known, or after that many seconds."""
        self._tasks = [asyncio.create_task(self._follow(kind)) for kind in PATHS]
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                for seen in self._seen.values():
                    await seen.wait()

    async def stop(self) -> None:
        """End every watch."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _follow(self, kind: str) -> None:
        """List and watch for ever; whatever fails is begun again."""
        while True:
            try:
                target = api_server(self._kubeconfig)
                version = await self._list(target, kind)
                self._seen[kind].set()
                self.trouble = ""
                await self._watch(target, kind, version)
            except (OSError, TimeoutError, ValueError, asyncio.IncompleteReadError) as error:
                self.trouble = f"{kind}: {str(error) or type(error).__name__}"
            await asyncio.sleep(PAUSE_SECONDS)

    async def _list(self, target: Target, kind: str) -> str:
        answer = await get(target, PATHS[kind], HEADERS, SLOW)
        if answer.status != 200:  # noqa: PLR2004
            raise ValueError(f"the answer is {answer.status}")
        document = json.loads(answer.body)
        self._kinds[kind] = {_key(item): item for item in document.get("items") or []}
        return str(document["metadata"]["resourceVersion"])

    async def _watch(self, target: Target, kind: str, version: str) -> None:
        path = f"{PATHS[kind]}?watch=1&timeoutSeconds={WATCH_SECONDS}&resourceVersion={version}"
        async for line in stream_lines(target, path, HEADERS, SLOW):
            event = json.loads(line)
            if event["type"] == "ERROR":
                return
            item = event["object"]
            if event["type"] == "DELETED":
                self._kinds[kind].pop(_key(item), None)
            else:
                self._kinds[kind][_key(item)] = item


def _key(item: Mapping[str, Any]) -> str:
    metadata = item["metadata"]
    return f"{metadata['namespace']}/{metadata['name']}"


def api_server(kubeconfig: Path) -> Target:
    """Return how a kubeconfig's current context reaches its API server.

    **Errors**: OSError, ValueError where the file is not there or not whole.
    """
    document = yaml.safe_load(kubeconfig.read_text())
    try:
        context = _named(document["contexts"], document["current-context"])["context"]
        cluster = _named(document["clusters"], context["cluster"])["cluster"]
        user = _named(document["users"], context["user"])["user"]
    except (KeyError, TypeError, StopIteration) as error:
        raise ValueError(f"{kubeconfig} is no whole kubeconfig") from error
    parts = urlsplit(str(cluster["server"]))
    if parts.scheme == "http":
        return Target(parts.hostname or "", parts.port or 80)
    tls = ssl.create_default_context(cadata=_pem(cluster, "certificate-authority", kubeconfig))
    _present(tls, user, kubeconfig)
    return Target(parts.hostname or "", parts.port or 443, tls)


def _named(items: list[dict[str, Any]], name: str) -> dict[str, Any]:
    return next(item for item in items if item["name"] == name)


def _pem(table: Mapping[str, Any], key: str, kubeconfig: Path) -> str:
    """Return a certificate or key that stands in the kubeconfig or in a file beside it."""
    if table.get(f"{key}-data"):
        return base64.b64decode(table[f"{key}-data"]).decode()
    return (kubeconfig.parent / str(table[key])).read_text()


def _present(tls: ssl.SSLContext, user: Mapping[str, Any], kubeconfig: Path) -> None:
    """Let the client show its certificate; ssl takes it from a file only."""
    with tempfile.NamedTemporaryFile("w", suffix=".pem") as both:
        both.write(_pem(user, "client-certificate", kubeconfig))
        both.write("\n" + _pem(user, "client-key", kubeconfig))
        both.flush()
        tls.load_cert_chain(both.name)
