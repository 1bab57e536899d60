"""Versions: read them from a program's answer and compare them."""

import re
import subprocess
from pathlib import Path

Version = tuple[int, int, int]

_NUMBERS = re.compile(r"(?<![\d.])v?(\d+)\.(\d+)(?:\.(\d+))?")
ANSWER_SECONDS = 20


def parse(text: str) -> Version | None:
    """Return the first version that a text names.

    >>> parse("etcd Version: 3.6.16")
    (3, 6, 16)
    >>> parse("go version go1.26 linux/amd64")
    (1, 26, 0)
    >>> parse("no number")
    """
    found = _NUMBERS.search(text) or re.search(r"go(\d+)\.(\d+)(?:\.(\d+))?", text)
    if found is None:
        return None
    major, minor, patch = found.groups(default="0")
    return int(major), int(minor), int(patch)


def show(version: Version) -> str:
    """Return a version as people write it.

    >>> show((3, 6, 16))
    '3.6.16'
    """
    return ".".join(str(number) for number in version)


def ask(program: Path, arguments: tuple[str, ...]) -> Version | None:
    """Ask a program for its version; None where it does not start or does not say."""
    try:
        answer = subprocess.run(
            [str(program), *arguments],
            capture_output=True,
            text=True,
            timeout=ANSWER_SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return parse(answer.stdout) or parse(answer.stderr)


def is_new_enough(found: Version | None, minimum: Version) -> bool:
    """Tell whether a found version is at least the minimum.

    >>> is_new_enough((1, 32, 4), (1, 34, 0))
    False
    >>> is_new_enough(None, (1, 34, 0))
    False
    """
    return found is not None and found >= minimum
