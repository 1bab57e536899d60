"""What a cluster's API server says: does it answer, does an object exist, is it ready.

The Kubernetes plugin cannot be asked: its preview does not tell a dead cluster from a living one,
and it adopts or refuses what exists depending on its version. All calls are bounded by the
cluster's client time limit, and run in threads of the cluster's own: what waits for a dead one
takes no thread from the others, nor from the engine.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from kubernetes import client
from kubernetes.client.exceptions import ApiException
from kubernetes.config.config_exception import ConfigException
from urllib3.exceptions import HTTPError

from fleet.emit.kubeconfig import log_in
from fleet.errors import FleetError
from fleet.model.inventory import Connection

FORBIDDEN = 403
NOT_FOUND = 404
AT_ONCE = 8
Query = Sequence[tuple[str, str]]


class ForbiddenError(FleetError):
    """The API server lives, but this login lacks a right: nobody should declare it dead."""


class UnreachableError(FleetError):
    """The API server did not answer in time, or not as an API server."""


class StatusError(UnreachableError):
    """It answers, but with a status that says nothing of what was asked for."""

    def __init__(self, status: int, sentence: str, body: bytes = b"") -> None:
        self.status = status
        self.body = body
        super().__init__(sentence)


@dataclass(slots=True)
class ClusterAccess:
    """One cluster's API server, read-only.

    `kubeconfig` is the text where the connection is a secret of the stack, else None.
    """

    cluster: str
    connection: Connection
    root: Path
    kubeconfig: str | None = None
    _client: client.ApiClient | None = field(default=None, init=False, repr=False)
    _plurals: dict[str, dict[str, tuple[str, bool]]] = field(
        default_factory=dict, init=False, repr=False
    )
    _lock: Lock = field(default_factory=Lock, init=False, repr=False)
    _threads: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(AT_ONCE), init=False, repr=False
    )

    async def reachable(self) -> str | None:
        """None when the API server answers; else why not, in a few words."""
        try:
            loop = asyncio.get_running_loop()
            found = await loop.run_in_executor(self._threads, self._read, "/version")
        except ForbiddenError:
            return None
        except UnreachableError as error:
            return str(error)
        return None if found is not None else _no_api_server("/version")

    async def get(
        self, api_version: str, kind: str, namespace: str, name: str
    ) -> dict[str, Any] | None:
        """The live object, or None where it, its namespace or its kind does not exist.

        Raises UnreachableError, and ForbiddenError where the login may not read it.
        """
        loop = asyncio.get_running_loop()
        what = (api_version, kind, namespace, name)
        return await loop.run_in_executor(self._threads, self.find, *what)

    def find(self, api_version: str, kind: str, namespace: str, name: str) -> dict[str, Any] | None:
        """As `get`, in the thread of whoever asks."""
        kinds = self._kinds(api_version)
        if kind not in kinds:
            return None
        plural, namespaced = kinds[kind]
        scope = f"namespaces/{namespace or 'default'}/" if namespaced else ""
        return self._read(f"{_prefix(api_version)}/{scope}{plural}/{name}")

    def _kinds(self, api_version: str) -> dict[str, tuple[str, bool]]:
        """What the server serves under a group version: kind -> (plural, namespaced)."""
        with self._lock:
            known = self._plurals.get(api_version)
        if known is not None:
            return known
        listing = self._read(_prefix(api_version)) or {}
        kinds = {
            each["kind"]: (each["name"], bool(each["namespaced"]))
            for each in listing.get("resources", [])
            if "/" not in each["name"]
        }
        if kinds:
            with self._lock:
                self._plurals[api_version] = kinds
        return kinds

    def _read(self, path: str) -> dict[str, Any] | None:
        return self.read(path)

    def read(
        self, path: str, query: Query = (), accept: str = "application/json"
    ) -> dict[str, Any] | None:
        """The JSON object at a path, or None where there is none; blocks the thread.

        Raises UnreachableError, and ForbiddenError where the login may not read it.
        """
        body = self.text(path, query, accept)
        return None if body is None else _object(body, path)

    def text(self, path: str, query: Query = (), accept: str = "application/json") -> bytes | None:
        """What stands at a path, whatever it is; blocks the thread. Raises as `read` does."""
        status, body = self._ask(path, query, accept)
        if status == NOT_FOUND:
            return None
        if status == FORBIDDEN:
            raise ForbiddenError(f"its API server refuses {path} to this login (403)")
        if not status or status >= 300:  # noqa: PLR2004 - everything but success
            raise StatusError(status, f"its API server answers {status} to {path}", body)
        return body

    def _ask(self, path: str, query: Query, accept: str) -> tuple[int, bytes]:
        api = self.connect()
        limit = self.connection.timeout_seconds
        request = api.param_serialize(
            method="GET",
            resource_path=path,
            query_params=list(query),
            header_params={"Accept": accept},
            auth_settings=["BearerToken"],
        )
        try:
            response = api.call_api(*request, _request_timeout=(limit, limit))
            return response.status, response.read()
        except ApiException as error:  # the client's word for a TLS handshake that failed
            raise UnreachableError(_reason(error)) from error
        except ConfigException as error:  # a login that could not be renewed
            raise UnreachableError(str(error)) from error
        except (HTTPError, OSError) as error:
            raise UnreachableError(_reason(error)) from error

    def connect(self) -> client.ApiClient:
        """The client; raises KubeconfigError where the kubeconfig cannot be used."""
        with self._lock:
            if self._client is None:
                path = self.root / Path(self.connection.file or "").expanduser()
                kubeconfig = path if self.kubeconfig is None else self.kubeconfig
                self._client = log_in(self.cluster, kubeconfig, self.connection.context)
            return self._client


def _prefix(api_version: str) -> str:
    return f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}"


def _object(body: bytes, path: str) -> dict[str, Any]:
    """The JSON object of an answer; a login page or a proxy's greeting is none."""
    try:
        value = json.loads(body)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise UnreachableError(_no_api_server(path))
    return value


def _no_api_server(path: str) -> str:
    return f"what answers {path} is no API server"


def _first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0]


def _reason(error: BaseException) -> str:
    """A few words for what urllib3 wraps in many layers."""
    text = f"{type(error).__name__} {error}".lower()
    words: Mapping[str, str] = {
        "refused": "connection refused",
        "timed out": "no answer in time",
        "timeout": "no answer in time",
        "reset": "connection reset",
        "certificate": "its certificate is not the kubeconfig's",
        "name or service": "its host name does not resolve",
        "getaddrinfo": "its host name does not resolve",
    }
    for part, meaning in words.items():
        if part in text:
            return meaning
    return _first_line(error)
