"""A kubeconfig, as text or file -> a client that is logged in.

Certificates and keys are read once and their temporary files removed at once: a program that is
killed leaves no credentials behind.
"""

import copy
import ssl
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

import yaml
from kubernetes import client
from kubernetes.config.config_exception import ConfigException
from kubernetes.config.kube_config import KubeConfigLoader, _cleanup_temp_files
from urllib3.util.ssl_ import create_urllib3_context

from fleet.emit.login import LOGIN_SECONDS, Credential, login_of, run_login
from fleet.errors import FleetError

_SHAPE_ERRORS = (AttributeError, KeyError, TypeError, ValueError)
_one_at_a_time = Lock()


class KubeconfigError(FleetError):
    """The kubeconfig cannot be used at all: a missing file, an unknown context."""


def log_in(
    cluster: str, kubeconfig: str | Path, context: str | None, login_seconds: float = LOGIN_SECONDS
) -> client.ApiClient:
    """The client of a kubeconfig, given as its text or as a file.

    A program that logs in has `login_seconds` for it, and nobody else waits for it. Raises
    KubeconfigError with one sentence.
    """
    settings = client.Configuration(host="")
    try:
        folder = kubeconfig.absolute().parent if isinstance(kubeconfig, Path) else None
        data = _mapping(yaml.safe_load(_text(kubeconfig)))
        login = _Login.of(data, context, folder, login_seconds)
        if login is not None:
            data = login.inserted(data)
        with _one_at_a_time:
            try:
                _load(settings, data, context, folder)
                api = _with_certificates(settings)
            finally:
                _cleanup_temp_files()
    except (ConfigException, OSError, yaml.YAMLError, *_SHAPE_ERRORS) as error:
        raise KubeconfigError(
            f"cluster '{cluster}': the kubeconfig cannot be used: {_sentence(error)}"
        ) from None
    if login is not None:
        settings.refresh_api_key_hook = login.renew  # type: ignore[assignment] # the client starts it as None
    return api


@dataclass(slots=True)
class _Login:
    """A program that logs in, and what it gave last."""

    user: dict[str, Any]
    folder: Path | None
    limit: float
    credential: Credential
    _lock: Lock = field(default_factory=Lock)

    @classmethod
    def of(
        cls, data: dict[str, Any], context: str | None, folder: Path | None, limit: float
    ) -> "_Login | None":
        """Logs in, where a program does it for the context."""
        user = login_of(data, context)
        if user is None:
            return None
        return cls(user, folder, limit, run_login(user["user"]["exec"], folder, limit))

    def inserted(self, data: dict[str, Any]) -> dict[str, Any]:
        """The kubeconfig with what the program gave in place of the program."""
        data = copy.deepcopy(data)
        for each in data["users"]:
            if each["name"] == self.user["name"]:
                each["user"] = dict(self.credential.user)
        return data

    def renew(self, settings: client.Configuration) -> None:
        """Logs in again when the token has expired; the client asks before each request."""
        with self._lock:
            expires = self.credential.expires
            if expires is None or time.time() < expires or "token" not in self.credential.user:
                return
            self.credential = run_login(self.user["user"]["exec"], self.folder, self.limit)
            settings.api_key["BearerToken"] = f"Bearer {self.credential.user.get('token', '')}"


def _text(kubeconfig: str | Path) -> str:
    if not isinstance(kubeconfig, Path):
        return kubeconfig
    if not kubeconfig.is_file():
        raise ConfigException(f"there is no file '{kubeconfig}'")
    return kubeconfig.read_text(encoding="utf-8")


def _load(
    settings: client.Configuration, data: dict[str, Any], context: str | None, folder: Path | None
) -> None:
    KubeConfigLoader(
        config_dict=data,
        active_context=context,
        config_base_path=str(folder) if folder is not None else None,
        temp_file_path=tempfile.gettempdir(),
    ).load_and_set(settings)
    if not settings.host.startswith(("http://", "https://")):
        raise ConfigException("its cluster has no 'server' that starts with https://")


def _mapping(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ConfigException("it is no map with clusters, users and contexts")
    return value


def _with_certificates(settings: client.Configuration) -> client.ApiClient:
    """A client that needs the files of its certificates no more, and never asks twice."""
    settings.retries = False
    api = client.ApiClient(configuration=settings)
    if settings.host.startswith("https"):
        pool = api.rest_client.pool_manager.connection_pool_kw
        for name in ("ca_certs", "ca_cert_data", "cert_file", "key_file"):
            pool.pop(name, None)
        pool["ssl_context"] = _tls(settings)
    return api


def _tls(settings: client.Configuration) -> ssl.SSLContext:
    """What kubectl checks; newer Pythons also want key identifiers that many clusters lack."""
    context = create_urllib3_context()
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    if not settings.verify_ssl:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    elif settings.ssl_ca_cert:
        context.load_verify_locations(settings.ssl_ca_cert)
    else:
        context.load_default_certs()
    if settings.cert_file:
        context.load_cert_chain(settings.cert_file, settings.key_file)
    return context


def _sentence(error: BaseException) -> str:
    """One line; a shape error's own text can hold parts of the file, and is not shown."""
    if isinstance(error, ssl.SSLError):
        return "a certificate or key in it cannot be read"
    if isinstance(error, _SHAPE_ERRORS):
        return "it does not have the shape of a kubeconfig"
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        mark = error.problem_mark
        return f"it is no YAML at line {mark.line + 1}, column {mark.column + 1}"
    return str(error).strip().partition("\n")[0]
