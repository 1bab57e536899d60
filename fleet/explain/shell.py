"""Command lines that a person can copy: words are quoted."""

import shlex
from collections.abc import Iterable


def line(*words: str) -> str:
    """A command line; each word reaches the command as it is.

    >>> line("pulumi", "config", "set", "--path", "down[0]", "eu-1")
    "pulumi config set --path 'down[0]' eu-1"
    """
    return shlex.join(words)


def fenced(lines: Iterable[str]) -> str:
    """A block of commands in Markdown."""
    return "\n".join(("```sh", *lines, "```"))
