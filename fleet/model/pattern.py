"""Names with `*`, the one wildcard that policies know: any run of characters, also none."""

import re
from functools import lru_cache


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(".*".join(re.escape(part) for part in pattern.split("*")), re.DOTALL)


def is_pattern(text: str) -> bool:
    """Whether a text is a pattern and not a name."""
    return "*" in text


def matches(pattern: str, name: str) -> bool:
    """Whether a name, or a pattern with `*`, matches a name as a whole.

    >>> matches("eu-*", "eu-west-1"), matches("eu-*", "us-eu-1"), matches("eu-1", "eu-1")
    (True, False, True)
    """
    return (
        _compiled(pattern).fullmatch(name) is not None if is_pattern(pattern) else pattern == name
    )
