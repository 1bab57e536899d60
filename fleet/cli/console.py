"""How the command line speaks: plain in a pipe, coloured in a terminal."""

import os
import sys
from collections.abc import Iterable
from typing import TextIO

from fleet.explain.layout import Block, plain_text

_WIDTH = 100


def say(text: str) -> None:
    """Text on stdout as it is."""
    _write(sys.stdout, text)


def say_error(text: str) -> None:
    """Text on stderr, with an end of line."""
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
    return is_open(sys.stdout) and sys.stdout.isatty() and not os.environ.get("NO_COLOR") and _terminal_kind() != "dumb"


def is_open(stream: TextIO | None) -> bool:
    """Whether there is anything to write to: `fleet plan >&-` leaves Python without a stdout."""
    return stream is not None


def _terminal_kind() -> str:
    return os.environ.get("TERM", "")


def _write(stream: TextIO, text: str) -> None:
    """Writes; a reader that has gone away (`fleet plan | head`) is no fault of the plan."""
    try:
        encoding = stream.encoding or "utf-8"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
        stream.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
