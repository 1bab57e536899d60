"""The command `engine`: every program found or compiled, and linked into one folder."""

import os
import shlex
import shutil
import sys
from importlib import metadata
from pathlib import Path

from devkit.build import Say, cached, compile_product
from devkit.errors import DevkitError
from devkit.home import PROJECT, Home
from devkit.products import (
    AWS_PLUGIN,
    AWS_PLUGIN_MINIMUM,
    KUBERNETES_PLUGIN,
    LANGUAGE_EXECUTOR,
    LANGUAGE_HOST,
    PRODUCTS,
    Product,
)
from devkit.search_path import find, find_product, version_of
from devkit.versions import is_new_enough, show

AWS_STAND_IN = "devkit.aws"
LANGUAGE_HOST_MODULE = "devkit.language_host"


def prepare(home: Home, say: Say) -> dict[str, Path]:
    """Find or compile every program and put it where the engine and PATH find it.

    Shape: program name -> its path in the bin folder, or in the engine's folder of plugins.
    Errors: DevkitError naming what is missing and how to get it.
    """
    home.make()
    found: dict[str, Path] = {}
    for product in PRODUCTS:
        found |= _get(product, say)
    plugin, pulumi = found.pop(KUBERNETES_PLUGIN.programs[0].name), found.pop("pulumi")
    links = {name: point(home.bin / name, target) for name, target in found.items()}
    links["pulumi"], links[LANGUAGE_HOST] = find_language_host(home, pulumi, say)
    links[plugin.name] = point(plugin_path(home, "kubernetes"), plugin)
    links[AWS_PLUGIN.name] = _aws_plugin(home, say)
    return links


def plugin_path(home: Home, name: str) -> Path:
    """Return where the engine looks for a plugin of the installed SDK's version.

    A plugin on PATH would do, but every run would warn of it.
    """
    version = metadata.version(f"pulumi-{name}")
    folder = home.pulumi / "plugins" / f"resource-{name}-v{version}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"pulumi-resource-{name}"


def _get(product: Product, say: Say) -> dict[str, Path]:
    found, remarks = find_product(product)
    if found:
        folders = ", ".join(sorted({str(path.parent) for path in found.values()}))
        say(f"{product.name}: on PATH ({folders})")
        return found
    found = cached(product)
    if found:
        say(f"{product.name} {product.version}: compiled before")
        return found
    for remark in remarks:
        say(f"{product.name}: {remark}")
    return compile_product(product, say)


def find_language_host(home: Home, pulumi: Path, say: Say) -> tuple[Path, Path]:
    """Use the official Python language host beside pulumi, else our own.

    Shape: the places of pulumi and of the language host.
    """
    place, wrapper = home.bin / "pulumi", home.bin / LANGUAGE_HOST
    official = find(LANGUAGE_HOST)
    beside = official is not None and official.parent == pulumi.parent
    if official and beside and find(LANGUAGE_EXECUTOR):
        say(f"Python language host: on PATH ({official.parent})")
        return point(place, pulumi), point(wrapper, official)
    say("Python language host: the devkit's own")
    return place_beside(place, pulumi), wrap(wrapper, LANGUAGE_HOST_MODULE)


def _aws_plugin(home: Home, say: Say) -> Path:
    """Use the official AWS plugin on PATH, else the stand-in, which knows loopback only."""
    path = plugin_path(home, "aws")
    official = find(AWS_PLUGIN.name)
    if official and is_new_enough(version_of(official, AWS_PLUGIN), AWS_PLUGIN_MINIMUM):
        say(f"AWS plugin: on PATH ({official.parent})")
        return point(path, official)
    if official:
        say(f"AWS plugin: {official} is older than {show(AWS_PLUGIN_MINIMUM)}")
    say("AWS plugin: the devkit's stand-in")
    return wrap(path, AWS_STAND_IN)


def place_beside(place: Path, program: Path) -> Path:
    """Put the engine itself, not a link, beside the language host.

    The engine warns in every run of a language host that is not beside its own file.
    """
    if place.exists() and not place.is_symlink():
        here, there = place.stat(), program.stat()
        if (here.st_size, here.st_mtime) == (there.st_size, there.st_mtime):
            return place
    fresh = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        fresh.hardlink_to(program.resolve())
    except OSError:
        shutil.copy2(program, fresh)
    fresh.replace(place)
    return place


def point(link: Path, target: Path) -> Path:
    """Point a link at a program, without a moment in which it is missing."""
    if link.is_symlink() and link.readlink() == target:
        return link
    fresh = link.with_name(f".{link.name}.{os.getpid()}")
    fresh.symlink_to(target)
    fresh.replace(link)
    return link


def wrap(wrapper: Path, module: str) -> Path:
    """Write an executable that runs one of the devkit's modules with this Python.

    -P keeps the caller's folder off the module path: a user's `inventory` is not ours.
    """
    code = (
        f"import sys; sys.path.append({str(PROJECT)!r}); "
        f"import runpy; runpy.run_module({module!r}, run_name='__main__', alter_sys=True)"
    )
    text = f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -P -c {shlex.quote(code)} "$@"\n'
    if wrapper.is_symlink() or not wrapper.exists() or wrapper.read_text() != text:
        fresh = wrapper.with_name(f".{wrapper.name}.{os.getpid()}")
        fresh.write_text(text)
        fresh.chmod(0o755)
        fresh.replace(wrapper)
    return wrapper


def need(home: Home, name: str) -> Path:
    """Return a program of the bin folder.

    Errors: DevkitError when `engine` has not been run.
    """
    path = home.bin / name
    if not path.exists():
        raise DevkitError(f"{name} is not in {home.bin} - run 'python -m devkit engine'")
    return path
