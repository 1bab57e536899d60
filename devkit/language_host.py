"""The Python language host: lets the engine run a Python program.

Started by the engine as `pulumi-language-python ... ENGINE_ADDRESS`; prints the port on which
it serves and runs every program in a process of its own, so that neither a crash nor a signal
nor a module's state of one run reaches the next.

Source: the protocol `pulumirpc.LanguageRuntime` in `pulumi.runtime.proto`.
"""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path

import grpc
from google.protobuf.empty_pb2 import Empty
from pulumi.runtime.proto import language_pb2, plugin_pb2
from pulumi.runtime.proto.language_pb2_grpc import (
    LanguageRuntimeServicer,
    add_LanguageRuntimeServicer_to_server,
)

from devkit.language_program import ALREADY_TOLD, CONFIG, SECRET_KEYS, Arguments

RUNNER = Path(__file__).with_name("language_program.py")
WORKERS = 16
PARENT_SECONDS = 1
MESSAGE_BYTES = 400 * 1024 * 1024


class Programs:
    """The programs that run now; ending them all is how the host ends."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._ended = False

    def run(
        self,
        command: list[str],
        folder: str,
        variables: dict[str, str],
        context: grpc.ServicerContext,
    ) -> int:
        """Run one program to its end and return its exit code, negative for a signal."""
        environment = {**os.environ, "PYTHONUNBUFFERED": "1", **variables}
        # The runner watches its standard input: when the host dies, even by SIGKILL, the pipe
        # closes and the program ends too.
        with subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.PIPE
        ) as program:
            with self._lock:
                self._running.add(program)
                ended = self._ended
            if ended or not context.add_callback(program.terminate):
                program.terminate()
            try:
                return program.wait()
            finally:
                with self._lock:
                    self._running.discard(program)

    def end(self) -> None:
        """End every program that still runs and let no new one start."""
        with self._lock:
            self._ended = True
            running = list(self._running)
        for program in running:
            program.terminate()


class LanguageHost(LanguageRuntimeServicer):
    """What the engine asks a language host for."""

    def __init__(self, engine_address: str, programs: Programs) -> None:
        self._engine_address = engine_address
        self._programs = programs

    def Handshake(  # noqa: N802 - the protocol's name
        self, request: language_pb2.LanguageHandshakeRequest, _context: grpc.ServicerContext
    ) -> language_pb2.LanguageHandshakeResponse:
        """Take the engine's address."""
        self._engine_address = request.engine_address or self._engine_address
        return language_pb2.LanguageHandshakeResponse()

    def About(  # noqa: N802
        self, _request: language_pb2.AboutRequest, _context: grpc.ServicerContext
    ) -> language_pb2.AboutResponse:
        """Say which Python runs the programs."""
        version = ".".join(str(part) for part in sys.version_info[:3])
        return language_pb2.AboutResponse(executable=sys.executable, version=version)

    def GetPluginInfo(  # noqa: N802
        self, _request: Empty, _context: grpc.ServicerContext
    ) -> plugin_pb2.PluginInfo:
        """Say which version this is: that of the SDK that it is made of."""
        return plugin_pb2.PluginInfo(version=metadata.version("pulumi"))

    def GetRequiredPlugins(  # noqa: N802
        self, _request: language_pb2.GetRequiredPluginsRequest, _context: grpc.ServicerContext
    ) -> language_pb2.GetRequiredPluginsResponse:
        """Ask for none: the devkit's plugins are on PATH."""
        return language_pb2.GetRequiredPluginsResponse()

    def GetRequiredPackages(  # noqa: N802
        self, _request: language_pb2.GetRequiredPackagesRequest, _context: grpc.ServicerContext
    ) -> language_pb2.GetRequiredPackagesResponse:
        """Ask for none: the devkit's plugins are on PATH."""
        return language_pb2.GetRequiredPackagesResponse()

    def GetProgramDependencies(  # noqa: N802
        self,
        _request: language_pb2.GetProgramDependenciesRequest,
        _context: grpc.ServicerContext,
    ) -> language_pb2.GetProgramDependenciesResponse:
        """List the installed Pulumi packages, for `pulumi about`."""
        found = {
            (distribution.metadata["Name"], distribution.version)
            for distribution in metadata.distributions()
            if distribution.metadata["Name"].lower().startswith("pulumi")
        }
        return language_pb2.GetProgramDependenciesResponse(
            dependencies=[
                language_pb2.DependencyInfo(name=name, version=version)
                for name, version in sorted(found)
            ]
        )

    def InstallDependencies(  # noqa: N802
        self, _request: language_pb2.InstallDependenciesRequest, _context: grpc.ServicerContext
    ) -> Iterator[language_pb2.InstallDependenciesResponse]:
        """Do nothing: the program runs in the environment that started the devkit."""
        yield from ()

    def Cancel(  # noqa: N802
        self, _request: Empty, _context: grpc.ServicerContext
    ) -> Empty:
        """End what runs."""
        self._programs.end()
        return Empty()

    def Run(  # noqa: N802
        self, request: language_pb2.RunRequest, context: grpc.ServicerContext
    ) -> language_pb2.RunResponse:
        """Run the program; an error that it told by itself is not told twice (bail)."""
        engine = request.args[0] if request.args else self._engine_address
        folder = request.info.program_directory or request.pwd
        entry = request.info.entry_point or request.program or "."
        arguments = Arguments(
            program=str(Path(folder, entry)),
            project=request.project,
            stack=request.stack,
            organization=request.organization or "organization",
            monitor=request.monitor_address,
            engine=engine,
            parallel=request.parallel,
            dry_run=request.dryRun,
            root=request.info.root_directory,
        )
        command = [python_of(request.info), "-P", str(RUNNER), json.dumps(arguments._asdict())]
        # Secrets go through the environment: other users can read a command line.
        variables = {
            CONFIG: json.dumps(dict(request.config)),
            SECRET_KEYS: json.dumps(list(request.configSecretKeys)),
        }
        code = self._programs.run(command, folder, variables, context)
        return answer_of(code)


def answer_of(code: int) -> language_pb2.RunResponse:
    """Return what the engine is told of a program that ended with this code."""
    if code == 0:
        return language_pb2.RunResponse()
    if code == ALREADY_TOLD:
        return language_pb2.RunResponse(bail=True)
    if code < 0:
        return language_pb2.RunResponse(error=f"the program was ended by signal {-code}")
    return language_pb2.RunResponse(error=f"the program ended with exit code {code}")


def python_of(info: language_pb2.ProgramInfo) -> str:
    """Return the Python of the project's `virtualenv` option, else the one that runs this."""
    option = info.options.fields["virtualenv"].string_value if info.options.fields else ""
    chosen = Path(info.root_directory, option, "bin", "python")
    return str(chosen) if option and chosen.exists() else sys.executable


def main() -> None:
    """Serve until the engine ends the process, and end without a word."""
    programs = Programs()
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    limits = [("grpc.max_receive_message_length", MESSAGE_BYTES)]
    server = grpc.server(ThreadPoolExecutor(max_workers=WORKERS), options=limits)
    host = LanguageHost(sys.argv[-1], programs)
    add_LanguageRuntimeServicer_to_server(host, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    engine = os.getppid()
    # An engine that was killed cannot end its plugins: a host without its parent ends by itself.
    while not stop.wait(PARENT_SECONDS) and os.getppid() == engine:
        pass
    programs.end()
    server.stop(grace=1).wait()


if __name__ == "__main__":
    main()
