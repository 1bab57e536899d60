"""The run as Markdown, for the comment on a pull request."""

from collections.abc import Iterable, Iterator

from fleet.explain.layout import Block, Row, cell_widths
from fleet.explain.table import summary_blocks
from fleet.model.plan import Outcome


def to_markdown(outcome: Outcome) -> str:
    """The blocks of the summary as headings and tables."""
    return blocks_to_markdown(summary_blocks(outcome))


def blocks_to_markdown(blocks: Iterable[Block]) -> str:
    """Any blocks as headings and tables."""
    return "\n\n".join(part for block in blocks for part in _block(block)) + "\n"


def _block(block: Block) -> Iterator[str]:
    facts = " · ".join((*map(_escape, block.facts), *_code(block.source)))
    yield f"**{_escape(block.title)}**{f' {facts}' if facts else ''}"
    columns = [index for index, size in enumerate(cell_widths(block.rows)) if size]
    table = [row for row in block.rows if row.cells]
    if table:
        yield "\n".join(_table(block, table, columns))
    notes = [row for row in block.rows if not row.cells]
    if notes:
        yield "\n".join(f"- {_joined(row)}" for row in notes)


def _table(block: Block, rows: list[Row], columns: list[int]) -> Iterator[str]:
    names = (*block.headings, *[""] * 5)
    cells = max(len(row.cells) for row in rows)
    heads = [*(names[index] for index in columns), *names[cells : cells + 1]]
    yield _line(heads)
    yield _line(["---"] * len(heads))
    for row in rows:
        shown = [row.cells[index] if index < len(row.cells) else "" for index in columns]
        yield _line([*map(_escape, shown), _joined(row)])


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _joined(row: Row) -> str:
    return " ".join(part for part in (_escape(row.text), *_code(row.source)) if part)


def _code(source: str) -> tuple[str, ...]:
    return (f"`{source}`",) if source else ()


def _escape(text: str) -> str:
    """Text that Markdown and HTML leave alone."""
    for sign in "\\`*_|<[":
        text = text.replace(sign, f"\\{sign}")
    return text
