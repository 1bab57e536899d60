"""Blocks in the form that was asked for."""

from collections.abc import Sequence

from fleet.cli.console import say, say_blocks
from fleet.cli.options import Form
from fleet.explain.layout import Block
from fleet.explain.markdown import blocks_to_markdown


def show(blocks: Sequence[Block], form: Form) -> None:
    """Prints blocks as Markdown or as text; JSON is no form of blocks."""
    if form is Form.MARKDOWN:
        say(blocks_to_markdown(blocks))
    else:
        say_blocks(blocks)
