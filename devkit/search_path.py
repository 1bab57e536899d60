"""Programs on PATH, without those that a devkit put there itself."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from devkit.errors import DevkitError
from devkit.home import BIN_MARKER
from devkit.products import Product, Program
from devkit.versions import Version, ask, is_new_enough, parse, show

PLUGIN_SECONDS = 30


def cache_folder() -> Path:
    """Return the folder of compiled programs, shared by all devkits of a user."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if base else Path.home() / ".cache") / "fleet" / "devkit"


def find(name: str) -> Path | None:
    """Return the first program of that name on PATH that is not the devkit's own."""
    return next(_candidates(name), None)


def _candidates(name: str) -> Iterator[Path]:
    cache = cache_folder().resolve()
    for entry in os.environ.get("PATH", os.defpath).split(os.pathsep):
        folder = Path(entry or ".")
        program = folder / name
        with suppress(OSError):
            if (folder / BIN_MARKER).exists() or not os.access(program, os.X_OK):
                continue
            if program.is_file() and cache not in program.resolve().parents:
                yield program.absolute()


def find_product(product: Product) -> tuple[dict[str, Path], list[str]]:
    """Return the product's programs when PATH has all of them new enough, and what was seen.

    Shape: name -> path, empty where the product has to be compiled; then one remark for each
    program that is on PATH and will not do.
    """
    found: dict[str, Path] = {}
    remarks: list[str] = []
    for program in product.programs:
        path = find(program.name)
        if path is None:
            continue
        version = version_of(path, program)
        if is_new_enough(version, product.minimum):
            found[program.name] = path
            continue
        said = show(version) if version else "an unknown version"
        remarks.append(f"{path} is {said}, at least {show(product.minimum)} is needed")
    complete = len(found) == len(product.programs)
    return (found if complete else {}), remarks


def version_of(path: Path, program: Program) -> Version | None:
    """Ask a program, or a resource plugin over its own protocol, for its version."""
    if program.name.startswith("pulumi-resource-"):
        return plugin_version(path)
    return ask(path, program.version_arguments)


def plugin_version(path: Path) -> Version | None:
    """Start a resource plugin, ask it who it is, and end it."""
    # The gRPC stack takes most of a second to import and is needed only here.
    import grpc  # noqa: PLC0415
    from google.protobuf.empty_pb2 import Empty  # noqa: PLC0415
    from pulumi.runtime.proto.provider_pb2_grpc import ResourceProviderStub  # noqa: PLC0415

    try:
        plugin = subprocess.Popen(
            [str(path), "127.0.0.1:1"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            text=True,
        )
    except OSError:
        return None
    try:
        port = plugin.stdout.readline().strip() if plugin.stdout else ""
        if not port.isdigit():
            return None
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            stub = ResourceProviderStub(channel)
            return parse(stub.GetPluginInfo(Empty(), timeout=PLUGIN_SECONDS).version)
    except grpc.RpcError:
        return None
    finally:
        plugin.kill()
        plugin.communicate()


def go_version(go: Path, wanted: Version) -> None:
    """Check that Go is new enough to compile, or may fetch a newer toolchain by itself.

    Errors: DevkitError when it is not.
    """
    found = ask(go, ("version",))
    if is_new_enough(found, wanted):
        return
    answer = subprocess.run(
        [str(go), "env", "GOTOOLCHAIN"], capture_output=True, text=True, check=False
    )
    if found and found >= (1, 21, 0) and not answer.stdout.strip().startswith("local"):
        return
    said = show(found) if found else "of an unknown version"
    raise DevkitError(f"Go {show(wanted)} or newer is needed, {go} is {said} - install a newer Go")
