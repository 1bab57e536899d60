"""How the command line speaks: plain in a pipe, coloured in a terminal."""

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import TextIO

from fleet.errors import FleetError
from fleet.explain.layout import Block, plain_text

_WIDTH = 100


class UnwritableError(FleetError):
    """What was to be said could not be written."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the output cannot be written: {reason}")


def say(text: str) -> None:
    """Text on stdout as it is."""
    _write(sys.stdout, text)


def say_error(text: str) -> None:
    """Text on stderr, with an end of line; without a stderr the exit code has to say it."""
    with suppress(UnwritableError):
        _write(sys.stderr, f"{text}\n")


def say_blocks(blocks: Iterable[Block]) -> None:
    """Blocks as tables in a terminal, as plain text of 100 columns everywhere else."""
    if not in_terminal():
        say(plain_text(blocks, _WIDTH))
        return
    from fleet.cli.terminal import print_blocks  # noqa: PLC0415 - rich is slow to import

    print_blocks(blocks)


def in_terminal() -> bool:
    """Whether a person reads this as it is printed, and allows colours."""
    stdout: TextIO | None = sys.stdout
    if stdout is None or not stdout.isatty():
        return False
    return not os.environ.get("NO_COLOR") and _terminal_kind() != "dumb"


def _terminal_kind() -> str:
    return os.environ.get("TERM", "")


def _write(stream: TextIO | None, text: str) -> None:
    """Writes; a reader that has gone away (`fleet plan | head`) is no fault of the plan.

    **Errors**: UnwritableError when the text is lost for any other reason, such as a full disk, or
    no output at all (`fleet plan >&-` leaves Python without one).
    """
    if stream is None:
        raise UnwritableError("it is closed")
    try:
        encoding = stream.encoding or "utf-8"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
        stream.flush()
    except BrokenPipeError:
        _give_up(stream)
    except OSError as error:
        _give_up(stream)
        raise UnwritableError((error.strerror or "unknown reason").lower()) from None


def _give_up(stream: TextIO) -> None:
    """What is still in the buffer goes nowhere, so that the exit code stays what it is."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
