"""Blocks as coloured tables, for a person at a terminal."""

from collections.abc import Iterable

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from fleet.explain.layout import Block, Mood, Row, cell_widths

_STYLES = {
    Mood.PLAIN: "",
    Mood.CHANGED: "green",
    Mood.QUIET: "dim",
    Mood.WARNING: "yellow",
    Mood.BAD: "bold red",
}


def print_blocks(blocks: Iterable[Block]) -> None:
    """Prints every block with its rows as a table without lines."""
    console = Console(highlight=False, soft_wrap=False)
    try:
        for number, block in enumerate(blocks):
            if number and block.rows:
                console.print()
            console.print(_heading(block))
            _print_rows(console, block)
    except BrokenPipeError:
        return


def _heading(block: Block) -> Text:
    text = Text(block.title, style="bold")
    for fact in block.facts:
        text.append(f"   {fact}", style="not bold")
    if block.source:
        text.append(f"   {block.source}", style="dim not bold")
    return text


def _print_rows(console: Console, block: Block) -> None:
    """Rows with cells share a table; those without stand on their own lines, in order."""
    columns = [index for index, size in enumerate(cell_widths(block.rows)) if size]
    celled = [row for row in block.rows if row.cells]
    if celled:
        console.print(Padding(_table(celled, columns), (0, 0, 0, 2)))
    for row in block.rows:
        if not row.cells:
            console.print(Padding(_joined(row), (0, 0, 0, 2)))


def _table(rows: list[Row], columns: list[int]) -> Table:
    table = Table.grid(padding=(0, 2))
    for _ in columns:
        table.add_column(no_wrap=True)
    table.add_column(ratio=1)
    for row in rows:
        style = _STYLES[row.mood]
        cells = [row.cells[index] if index < len(row.cells) else "" for index in columns]
        table.add_row(*(Text(cell, style=style) for cell in cells), _joined(row))
    return table


def _joined(row: Row) -> Text:
    text = Text(row.text, style=_STYLES[row.mood])
    if row.source:
        text.append(f"{'  ' if row.text else ''}{row.source}", style="dim")
    return text
