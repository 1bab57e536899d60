"""A program that logs in, as a kubeconfig names one, run with a time limit.

The Kubernetes client runs it without one, and passes over its failure. Source: Kubernetes
documentation, "Authenticating", client-go credential plugins (ExecCredential).
"""

import base64
import json
import os
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kubernetes.config.config_exception import ConfigException

from fleet.model.moment import seconds_of

LOGIN_SECONDS = 30
_PARTS = {"clientCertificateData": "client-certificate-data", "clientKeyData": "client-key-data"}


@dataclass(frozen=True, slots=True)
class Credential:
    """What a login program gave; `user` stands for it in the kubeconfig.

    **Units**: `expires` in seconds since 1970, None where it does not say.
    """

    user: dict[str, str]
    expires: int | None = None


def login_of(kubeconfig: Mapping[str, Any], context: str | None) -> dict[str, Any] | None:
    """The user of a context if a program logs in for it, else None.

    The shape of a kubeconfig is taken for granted: its own faults are the client's to tell.
    """
    name = context or kubeconfig["current-context"]
    for each in kubeconfig["contexts"]:
        if each["name"] == name:
            for user in kubeconfig.get("users") or ():
                if user["name"] == each["context"].get("user"):
                    return user if _is_by_program(user.get("user") or {}) else None
    return None


def _is_by_program(user: Mapping[str, Any]) -> bool:
    """Whether the program counts: the client prefers what stands in the file."""
    return "exec" in user and user.keys().isdisjoint(("token", "tokenFile", "auth-provider"))


def run_login(program: Mapping[str, Any], folder: Path | None, limit: float) -> Credential:
    """Runs a login program. **Units**: `limit` in seconds.

    **Errors**: ConfigException in one sentence. What the program prints is never shown: it may be
    a secret.
    """
    name = str(program["command"])
    said = {str(each["name"]): str(each["value"]) for each in program.get("env") or ()}
    info = {
        "apiVersion": program["apiVersion"],
        "kind": "ExecCredential",
        "spec": {"interactive": False},
    }
    output = _output(
        [name, *map(str, program.get("args") or ())],
        {**os.environ, **said, "KUBERNETES_EXEC_INFO": json.dumps(info)},
        folder,
        limit,
    )
    return _credential(name, output)


def _output(command: list[str], env: Mapping[str, str], folder: Path | None, limit: float) -> bytes:
    name = f"its login program '{command[0]}'"
    try:
        process = subprocess.Popen(  # noqa: S603 - the user's kubeconfig names it
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=env,
            start_new_session=True,
        )
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise ConfigException(f"{name} cannot be started: {reason}") from None
    with process:
        try:
            output, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            raise ConfigException(f"{name} did not end within {limit:g} s") from None
    if process.returncode:
        raise ConfigException(f"{name} failed with exit code {process.returncode}")
    return output


def _credential(name: str, output: bytes) -> Credential:
    try:
        status = json.loads(output)["status"]
        expires = status.get("expirationTimestamp")
        if "token" in status:
            user = {"token": str(status["token"])}
        else:
            user = {ours: _encoded(status[theirs]) for theirs, ours in _PARTS.items()}
        return Credential(user, None if expires is None else seconds_of(str(expires)))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ConfigException(f"its login program '{name}' printed no ExecCredential") from None


def _encoded(pem: str) -> str:
    return base64.b64encode(pem.encode()).decode()
