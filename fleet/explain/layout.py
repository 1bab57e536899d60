"""Blocks of aligned rows, and how they become plain text of a given width.

A block knows nothing of fleets: a title with facts, rows of cells followed by running text, and
the place in a file that explains each. The terminal and Markdown draw the same blocks.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest
from textwrap import wrap

GAP = "  "
INDENT = "  "
_MIN_TEXT = 24


class Mood(StrEnum):
    """What a row tells at a glance; a terminal may colour it."""

    PLAIN = "plain"
    CHANGED = "changed"
    QUIET = "quiet"
    WARNING = "warning"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Row:
    """Cells in columns, then text that may wrap, then the place that explains it."""

    cells: tuple[str, ...] = ()
    text: str = ""
    source: str = ""
    mood: Mood = Mood.PLAIN


@dataclass(frozen=True, slots=True)
class Block:
    """Rows under a title. `facts` follow the title on its line."""

    title: str
    facts: tuple[str, ...] = ()
    source: str = ""
    rows: tuple[Row, ...] = ()
    headings: tuple[str, ...] = ()


def plain_text(blocks: Iterable[Block], width: int) -> str:
    """All blocks as text without colours, an empty line between those that have rows.

    No line is wider than `width`, except where a single name or place is: those are never cut,
    so that an editor can still open them.
    """
    lines: list[str] = []
    for block in blocks:
        if lines and (block.rows or lines[-1].startswith(INDENT)):
            lines.append("")
        lines.extend(_heading(block, width))
        lines.extend(_rows(block.rows, width))
    return "\n".join(lines) + "\n" if lines else ""


def cell_widths(rows: Sequence[Row]) -> list[int]:
    """The width of each column over all rows; columns that are empty everywhere are 0."""
    columns = zip_longest(*(row.cells for row in rows), fillvalue="")
    return [max(map(len, column)) for column in columns]


def _heading(block: Block, width: int) -> Iterator[str]:
    lines = [block.title]
    for fact in filter(None, block.facts):
        joined = f"{lines[-1]}{GAP} {fact}"
        if len(joined) <= width:
            lines[-1] = joined
        else:
            lines.extend(INDENT + piece for piece in wrap_text(fact, width - len(INDENT)))
    yield from _with_source(lines, block.source, width, INDENT)


def _rows(rows: Sequence[Row], width: int) -> Iterator[str]:
    widths = cell_widths(rows)
    for row in rows:
        cells = [cell.ljust(size) for cell, size in zip(row.cells, widths, strict=False) if size]
        yield from _row(INDENT + GAP.join(cells), row, width)


def _row(start: str, row: Row, width: int) -> Iterator[str]:
    """One row: text beside its cells where there is room, below them where there is not."""
    head = start.rstrip()
    if not row.text:
        yield from _with_source([head], row.source, width, INDENT * 2)
        return
    column = len(start + GAP) if row.cells else len(INDENT)
    if width - column < _MIN_TEXT:
        yield head
        head, column = "", len(INDENT * 2)
    room = max(_MIN_TEXT, width - column)
    pieces = wrap_text(row.text, room)
    lines = [head.ljust(column) + pieces[0], *(" " * column + piece for piece in pieces[1:])]
    yield from _with_source(lines, row.source, width, " " * column)


def _with_source(lines: list[str], source: str, width: int, indent: str) -> Iterator[str]:
    """The place at the end of the last line, or on a line of its own."""
    if not source:
        yield from lines
        return
    joined = f"{lines[-1]}{GAP} {source}"
    if len(joined) <= width:
        yield from (*lines[:-1], joined)
    else:
        room = max(0, width - len(source))
        yield from (*lines, indent[:room] + source)


def wrap_text(text: str, width: int) -> list[str]:
    """Text in lines of at most `width`; words (names, places, digests) stay whole."""
    lines = wrap(text, max(1, width), break_long_words=False, break_on_hyphens=False)
    return lines or [""]
