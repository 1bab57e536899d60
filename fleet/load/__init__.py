"""Files -> Snapshot: everything that is wrong in them is said at once, at its place."""

from pathlib import Path

from fleet.errors import ErrorList
from fleet.load.files import Files
from fleet.load.importers import convert_all
from fleet.load.importers.importer import Context
from fleet.load.link import link
from fleet.load.parse import read_declared
from fleet.load.workloads import make_workloads, read_contents
from fleet.model.settings import Settings
from fleet.model.snapshot import Snapshot


def load_snapshot(settings: Settings, root: Path) -> Snapshot:
    """Everything that the files under `root` and the settings say, with all names resolved.

    **Errors**: InvalidError with all faults of the run, in the order of files and lines.
    """
    errors = ErrorList()
    declared = read_declared(settings.inventory, settings.policies, root, errors)
    contents = read_contents(Files(root, errors), settings.workloads)
    before = len(errors.errors)
    imported = convert_all(declared.foreign, Context(contents.objects, errors, declared.names))
    declared.take(imported, whole=len(errors.errors) == before)
    workloads = make_workloads(contents, imported.workloads)
    snapshot = link(declared, workloads, settings, errors)
    errors.raise_if_any()
    return snapshot
