"""The observed file is written whole or not at all."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from fleet.errors import FleetError

_MODE = 0o644


class UnwritableFileError(FleetError):
    """The observed file could not be written; the old one is as it was."""


def write(path: Path, text: str) -> None:
    """Puts a text in the place of a file at once: a reader sees the old or the new one.

    **Errors**: UnwritableFileError with one sentence.
    """
    try:
        mode = path.stat().st_mode & 0o777 if path.exists() else _MODE
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(mode)
            Path(name).replace(path)
        except BaseException:
            with suppress(OSError):
                Path(name).unlink()
            raise
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise UnwritableFileError(f"'{path}' cannot be written: {reason}") from None
