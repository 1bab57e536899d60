"""What an ingress controller sees of one cluster: Ingresses, Services and EndpointSlices.

It lists and watches through the cluster's own API server, past the proxy that plays dead.
"""

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from devkit.dataplane.ingress import Objects
from devkit.dataplane.kubeconfig import api_server
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
