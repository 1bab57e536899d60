"""Command lines that a person can copy: words are quoted, paths of config keys are spelled."""

import re
import shlex
from collections.abc import Iterable

_PLAIN = re.compile(r"[A-Za-z0-9_-]+\Z")


def line(*words: str) -> str:
    """A command line; each word reaches the command as it is.

    >>> line("pulumi", "config", "set", "--path", "down[0]", "eu-1")
    "pulumi config set --path 'down[0]' eu-1"
    """
    return shlex.join(words)


def below(key: str, name: str) -> str:
    """The path of a value below a config key, as `pulumi config --path` takes it.

    >>> below("activeRegions", "api"), below("activeRegions", "api.v2")
    ('activeRegions.api', 'activeRegions["api.v2"]')
    """
    return f"{key}.{name}" if _PLAIN.match(name) else f'{key}["{name}"]'


def fenced(lines: Iterable[str]) -> str:
    """A block of commands in Markdown."""
    return "\n".join(("```sh", *lines, "```"))
