"""Lays the break-glass files into a folder; both doors do."""

from collections.abc import Mapping
from pathlib import Path

from fleet.recover.break_glass import NOW

STALE = ("leave-*.sh", "leave-*.json", f"{NOW}.*.json")
"""What an earlier run may have written and this one does not: a region or zone that is gone."""


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Writes what changed; what an earlier run wrote and this one does not goes.

    Nothing happens where there is nothing to write: the last files are better than none. Raises
    OSError.
    """
    if not files:
        return
    folder.mkdir(parents=True, exist_ok=True)
    for pattern in STALE:
        for stale in folder.glob(pattern):
            if stale.name not in files:
                stale.unlink()
    for name, text in files.items():
        path, content = folder / name, text.encode()
        # Bytes: somebody may have put anything into a file.
        if not path.exists() or path.read_bytes() != content:
            fresh = path.with_name(f".{name}.new")
            fresh.write_bytes(content)
            fresh.replace(path)
