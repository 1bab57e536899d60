"""The Kubernetes plugin as its newer versions are: it refuses to create what exists already.

A program between the engine and the plugin that the devkit has. It forwards every call as it is,
but asks the cluster before a create. Source: pulumi-kubernetes 4.29, where a create is a POST.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.json_format import MessageToDict
from pulumi.runtime.proto import provider_pb2

from devkit.home import PROJECT

REAL = "FLEET_REAL_PLUGIN"
SLOW = "FLEET_SLOW_CREATE"
"""Seconds between a create and its answer: as long as a plugin that waits for an object takes."""
LIMITS = [
    ("grpc.max_receive_message_length", 400 * 1024 * 1024),
    ("grpc.max_send_message_length", 400 * 1024 * 1024),
]
THREADS = 64
ENDS_WITH_PARENT = """\
import ctypes, os, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGKILL)
os.execv(sys.argv[1], sys.argv[1:])
"""


def install(folder: Path, real: Path) -> dict[str, str]:
    """Lays the program into a folder; returns the variables that make the engine use it."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "pulumi-resource-kubernetes"
    lines = (
        f"#!{sys.executable}",
        f"import sys; sys.path.insert(0, {str(PROJECT)!r})",
        "from tests.harness.strict_plugin import main",
        "main()",
    )
    program.write_text("".join(f"{line}\n" for line in lines))
    program.chmod(0o755)
    return {"PATH": str(folder), REAL: str(real)}


class Between(grpc.GenericRpcHandler):  # type: ignore[misc] # grpc has no types
    """Takes every call of the engine."""

    def __init__(self, channel: Any) -> None:
        self._channel = channel
        self._cluster: tuple[str, str] = ("", "")

    def service(self, details: Any) -> Any:
        """The handler of a call, whatever its name is."""
        method = details.method
        return grpc.unary_unary_rpc_method_handler(self._forwarder(method))

    def _forwarder(self, method: str) -> Callable[[bytes, Any], bytes]:
        ask = self._channel.unary_unary(method)

        def forward(request: bytes, context: Any) -> bytes:
            if method.endswith("/Configure"):
                self._configured(provider_pb2.ConfigureRequest.FromString(request))
            if method.endswith("/Create"):
                self._refuse_existing(provider_pb2.CreateRequest.FromString(request), context)
            try:
                answer: bytes = ask(request)
            except grpc.RpcError as error:
                context.set_trailing_metadata(error.trailing_metadata() or ())
                context.abort(error.code(), error.details())
                raise
            if method.endswith("/Create"):
                time.sleep(float(os.environ.get(SLOW, "0")))
            return answer

        return forward

    def _configured(self, request: Any) -> None:
        inputs = MessageToDict(request.args)
        self._cluster = (str(inputs.get("kubeconfig", "")), str(inputs.get("context", "")))

    def _refuse_existing(self, request: Any, context: Any) -> None:
        if request.preview:
            return
        body = MessageToDict(request.properties)
        metadata = body.get("metadata") or {}
        group, _, version = str(body.get("apiVersion", "")).rpartition("/")
        kind = ".".join(filter(None, (str(body.get("kind")), version if group else "", group)))
        where = ["--namespace", metadata["namespace"]] if metadata.get("namespace") else []
        kubeconfig, name = self._cluster
        asked = ["kubectl", "--kubeconfig", kubeconfig, "--context", name, "get", kind]
        done = subprocess.run(
            [*asked, metadata["name"], *where, "--output", "name", "--ignore-not-found"],
            capture_output=True,
            text=True,
            check=False,
            timeout=20,
        )
        if done.stdout.strip():
            message = f'{done.stdout.strip()} "{metadata["name"]}" already exists'
            context.abort(grpc.StatusCode.ALREADY_EXISTS, message)


def main() -> None:
    """Serves until the engine, or the plugin behind, is gone."""
    with subprocess.Popen(
        [sys.executable, "-c", ENDS_WITH_PARENT, os.environ[REAL], *sys.argv[1:]],
        stdout=subprocess.PIPE,
        text=True,
    ) as real:
        assert real.stdout
        port = real.stdout.readline().strip()
        channel = grpc.insecure_channel(f"127.0.0.1:{port}", options=LIMITS)
        server = grpc.server(ThreadPoolExecutor(THREADS), options=LIMITS)
        server.add_generic_rpc_handlers((Between(channel),))
        own = server.add_insecure_port("127.0.0.1:0")
        server.start()
        sys.stdout.write(f"{own}\n")
        sys.stdout.flush()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda given, _: _pass_on(real, given))
        threading.Thread(target=_drain, args=(real,), daemon=True).start()
        code = real.wait()
        server.stop(None)
    os._exit(code if code >= 0 else 1)


def _pass_on(real: subprocess.Popen[str], number: int) -> None:
    with suppress(OSError):
        real.send_signal(number)


def _drain(real: subprocess.Popen[str]) -> None:
    """What the plugin prints later is read, so that it never waits for a reader."""
    assert real.stdout
    for _ in real.stdout:
        pass
