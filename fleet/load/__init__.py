"""Files -> Snapshot: everything that is wrong in them is said at once, at its place."""

from pathlib import Path

from fleet.errors import ErrorList
from fleet.load.edits import edit
from fleet.load.files import Files
from fleet.load.link import link
from fleet.load.parse import read_declared
from fleet.load.workloads import read_workloads
from fleet.model.edits import NO_EDITS, Edits
from fleet.model.settings import Settings
from fleet.model.snapshot import Snapshot


def load_snapshot(settings: Settings, root: Path, edits: Edits = NO_EDITS) -> Snapshot:
    """Everything that the files under `root` and the settings say, with all names resolved.

    `edits` are made to what was read, as if the files said so.

    **Errors**: InvalidError with all faults of the run, in the order of files and lines.
    """
    errors = ErrorList()
    declared = read_declared(settings.inventory, settings.policies, root, errors)
    workloads = read_workloads(Files(root, errors), settings.workloads)
    edit(edits, declared, workloads, errors)
    snapshot = link(declared, workloads, settings, errors)
    errors.raise_if_any()
    return snapshot
