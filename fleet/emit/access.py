"""What a cluster's API server says: does it answer, does an object exist, is it ready.

The Kubernetes plugin cannot be asked: its preview does not tell a dead cluster from a living one,
and it adopts or refuses what exists depending on its version. All calls are bounded by the
cluster's client time limit, and run in threads.
"""

import asyncio
import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

import yaml
from kubernetes import client, config
from kubernetes.client.exceptions import ApiException
from kubernetes.config.config_exception import ConfigException
from urllib3.exceptions import HTTPError

from fleet.errors import FleetError
from fleet.model.inventory import Connection

NOT_FOUND = 404


class UnreachableError(FleetError):
    """The API server did not answer in time, or not as an API server."""


class KubeconfigError(FleetError):
    """The kubeconfig cannot be used at all: a missing file, an unknown context."""


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

    async def reachable(self) -> str | None:
        """None when the API server answers; else why not, in a few words."""
        try:
            await asyncio.to_thread(self._read, "/version")
        except UnreachableError as error:
            return str(error)
        return None

    async def get(
        self, api_version: str, kind: str, namespace: str, name: str
    ) -> dict[str, Any] | None:
        """The live object, or None where it, its namespace or its kind does not exist.

        Raises UnreachableError.
        """
        return await asyncio.to_thread(self._get, api_version, kind, namespace, name)

    def _get(self, api_version: str, kind: str, namespace: str, name: str) -> dict[str, Any] | None:
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
        api = self.connect()
        limit = self.connection.timeout_seconds
        request = api.param_serialize(
            method="GET",
            resource_path=path,
            header_params={"Accept": "application/json"},
            auth_settings=["BearerToken"],
        )
        try:
            response = api.call_api(*request, _request_timeout=(limit, limit))
            status, body = response.status, response.read()
        except ApiException as error:
            status, body = error.status, error.body
        except (HTTPError, OSError) as error:
            raise UnreachableError(_reason(error)) from error
        if status == NOT_FOUND:
            return None
        if not status or status >= 300:  # noqa: PLR2004 - everything but success
            raise UnreachableError(f"its API server answers {status} to {path}")
        value: dict[str, Any] = json.loads(body)
        return value

    def connect(self) -> client.ApiClient:
        """The client; raises KubeconfigError where the kubeconfig cannot be used."""
        with self._lock:
            if self._client is None:
                settings = client.Configuration()
                self._load(settings)
                settings.retries = False
                self._client = client.ApiClient(configuration=settings)
            return self._client

    def _load(self, settings: client.Configuration) -> None:
        try:
            if self.kubeconfig is not None:
                config.load_kube_config_from_dict(
                    yaml.safe_load(self.kubeconfig),
                    context=self.connection.context,
                    client_configuration=settings,
                    temp_file_path=tempfile.gettempdir(),
                )
            else:
                config.load_kube_config(
                    str(self.root / Path(self.connection.file or "").expanduser()),
                    context=self.connection.context,
                    client_configuration=settings,
                    persist_config=False,
                )
        except (ConfigException, OSError, yaml.YAMLError) as error:
            raise KubeconfigError(
                f"cluster '{self.cluster}': the kubeconfig cannot be used: {_first_line(error)}"
            ) from error


def _prefix(api_version: str) -> str:
    return f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}"


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
