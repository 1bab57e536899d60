"""Files -> Snapshot: everything that is wrong in them is said at once, at its place."""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from fleet.errors import ErrorList
from fleet.load.cache import open_cache
from fleet.load.edits import edit
from fleet.load.files import Files
from fleet.load.folders import read_contents
from fleet.load.importers import convert_all
from fleet.load.importers.importer import Context
from fleet.load.link import link
from fleet.load.parse import Declared, read_declared
from fleet.load.workloads import Workloads, make_workloads, read_workloads
from fleet.model.edits import NO_EDITS, Edits
from fleet.model.settings import Settings
from fleet.model.snapshot import Snapshot


def load_snapshot(
    settings: Settings, root: Path, cache: Path | None = None, edits: Edits = NO_EDITS
) -> Snapshot:
    """Everything that the files under `root` and the settings say, with all names resolved.

    `edits` are made to what was read, as if the files said so. `cache` is the folder where what was
    read is kept for the next run; it changes nothing but the time that this takes.

    **Errors**: InvalidError with all faults of the run, in the order of files and lines.
    """
    with _no_collection():
        return _load(settings, root, edits, cache)


def _load(settings: Settings, root: Path, edits: Edits, cache: Path | None) -> Snapshot:
    errors = ErrorList()
    paths = (settings.inventory, settings.policies, settings.workloads)
    opened = open_cache(cache, root, paths)
    declared = read_declared(settings.inventory, settings.policies, Files(root, errors, opened))
    workloads = _workloads(declared, Files(root, errors, opened), settings.workloads)
    opened.save()
    edit(edits, declared, workloads, errors)
    snapshot = link(declared, workloads, settings, errors)
    errors.raise_if_any()
    return snapshot


@contextmanager
def _no_collection() -> Iterator[None]:
    """No search for cyclic garbage: loading only builds, and would be searched again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _workloads(declared: Declared, files: Files, paths: Sequence[str]) -> Workloads:
    """The workloads; documents of other products may claim objects, and so must see them all."""
    if not declared.foreign:
        return read_workloads(files, paths)
    errors = files.errors
    contents = read_contents(files, paths)
    before = len(errors.errors)
    imported = convert_all(declared.foreign, Context(contents.objects, errors, declared.names))
    whole = len(errors.errors) == before
    declared.take(imported, errors, whole=whole)
    workloads = make_workloads(contents, imported.workloads, imported.objects)
    workloads.claimed = whole
    return workloads
