"""Files -> Snapshot: everything that is wrong in them is said at once, at its place."""

from pathlib import Path

from fleet.errors import ErrorList
from fleet.load.files import Files
from fleet.load.link import link
from fleet.load.parse import read_declared
from fleet.load.workloads import read_workloads
from fleet.model.settings import Settings
from fleet.model.snapshot import Snapshot


def load_snapshot(settings: Settings, root: Path) -> Snapshot:
    """Everything that the files under `root` and the settings say, with all names resolved.

    **Errors**: InvalidError with all faults of the run, in the order of files and lines.
    """
    errors = ErrorList()
    declared = read_declared(settings.inventory, settings.policies, root, errors)
    workloads = read_workloads(Files(root, errors), settings.workloads)
    snapshot = link(declared, workloads, settings, errors)
    errors.raise_if_any()
    return snapshot
