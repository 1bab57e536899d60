"""Compile a product from its tools module into the cache, once, with progress."""

import fcntl
import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from devkit.errors import DevkitError
from devkit.home import PACKAGE
from devkit.products import Product
from devkit.search_path import cache_folder, go_version
from devkit.versions import Version, show

Say = Callable[[str], None]
PROGRESS_SECONDS = 30
LAST_LINES = 15


def cached(product: Product) -> dict[str, Path]:
    """Return name -> path of the compiled programs; empty unless all of them are there."""
    folder = cache_folder() / product.folder
    paths = {program.name: folder / program.name for program in product.programs}
    return paths if all(os.access(path, os.X_OK) for path in paths.values()) else {}


def compile_product(product: Product, say: Say) -> dict[str, Path]:
    """Return the product's programs, compiled now unless another process just did.

    Errors: DevkitError when Go is missing, too old or fails.
    """
    go = _find_go(product)
    with _lock(product, say):
        found = cached(product)
        if found:
            return found
        _compile(product, go, say)
    return cached(product)


def _find_go(product: Product) -> Path:
    wanted = _go_directive(product)
    names = ", ".join(program.name for program in product.programs)
    cure = (
        f"install Go {show(wanted)} or newer, or put {names} "
        f"{show(product.minimum)} or newer on PATH (from {product.official})"
    )
    go = shutil.which("go")
    if go is None:
        raise DevkitError(f"{names}: not on PATH, and there is no Go to compile it - {cure}")
    try:
        go_version(Path(go), wanted)
    except DevkitError as error:
        raise DevkitError(
            f"{names}: not on PATH, and cannot be compiled: {error}; {cure}"
        ) from None
    return Path(go)


def _go_directive(product: Product) -> Version:
    """Return the Go version that the tools module's go.mod asks for."""
    text = (PACKAGE / "tools" / product.module / "go.mod").read_text()
    found = re.search(r"^go (\d+)\.(\d+)(?:\.(\d+))?$", text, re.MULTILINE)
    if found is None:
        raise DevkitError(f"devkit/tools/{product.module}/go.mod names no Go version")
    major, minor, patch = found.groups(default="0")
    return int(major), int(minor), int(patch)


@contextmanager
def _lock(product: Product, say: Say) -> Iterator[None]:
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{product.folder}.lock").open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"{product.name} {product.version}: another process compiles it, waiting")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _compile(product: Product, go: Path, say: Say) -> None:
    folder = cache_folder() / product.folder
    unfinished = cache_folder() / f"{product.folder}.unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    say(
        f"compiling {product.name} {product.version}, "
        f"about {product.minutes} min on two cores with nothing cached"
    )
    try:
        started = time.monotonic()
        _go_build(product, go, unfinished, say)
        folder.mkdir(parents=True, exist_ok=True)
        for program in product.programs:
            (unfinished / program.name).replace(folder / program.name)
        say(f"compiled {product.name} {product.version} in {_took(started)}")
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _overlay(product: Product, go: Path, folder: Path) -> list[str]:
    """Return the flag that lays files of other modules beside our main, where it embeds some."""
    if not product.embedded:
        return []
    module = PACKAGE / "tools" / product.module
    places = {}
    for one in product.embedded:
        listing = subprocess.run(
            [str(go), "mod", "download", "-json", one.module],
            cwd=module,
            capture_output=True,
            text=True,
            check=False,
        )
        if listing.returncode:
            raise DevkitError(f"{one.module} cannot be downloaded: {listing.stderr.strip()}")
        places[str(module / one.file)] = str(Path(json.loads(listing.stdout)["Dir"]) / one.path)
    file = folder / "overlay.json"
    file.write_text(json.dumps({"Replace": places}))
    return [f"-overlay={file}"]


def _go_build(product: Product, go: Path, folder: Path, say: Say) -> None:
    module = PACKAGE / "tools" / product.module
    # One output name for a main of ours, a folder for several upstream packages.
    single = len(product.programs) == 1
    output = f"{folder}/{product.programs[0].name}" if single else f"{folder}/"
    command = [str(go), "build", "-trimpath", "-buildvcs=false", "-mod=readonly"]
    command += _overlay(product, go, folder)
    command += ["-o", output, "-ldflags", product.linker_flags, *product.packages]
    environment = {**os.environ, "CGO_ENABLED": "0", "GOWORK": "off"}
    log = cache_folder() / f"{product.folder}.log"
    started = time.monotonic()
    with (
        log.open("w") as handle,
        subprocess.Popen(
            command,
            cwd=module,
            env=environment,
            stdout=handle,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
        ) as build,
    ):
        try:
            while build.poll() is None:
                try:
                    build.wait(PROGRESS_SECONDS)
                except subprocess.TimeoutExpired:
                    say(f"  still compiling {product.name}, {_took(started)} so far")
        except BaseException:
            build.terminate()
            raise
    if build.returncode:
        last = "\n".join(log.read_text(errors="replace").splitlines()[-LAST_LINES:])
        raise DevkitError(f"{product.name} {product.version} does not compile ({log}):\n{last}")


def _took(started: float) -> str:
    """Return the time since then as people say it."""
    seconds = round(time.monotonic() - started)
    return f"{seconds} s" if seconds < 60 else f"{seconds // 60} min {seconds % 60} s"  # noqa: PLR2004
