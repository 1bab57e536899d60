"""Times as files write them (RFC 3339), compared as whole seconds."""

import re
from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator

_FORM = re.compile(
    r"\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})\Z", re.ASCII
)

_FIRST_YEAR, _LAST_YEAR = 1900, 9000
"""What can be counted from, back and on, without leaving the calendar."""


def seconds_of(text: str) -> int:
    """Whole seconds since 1970, rounded down. Source: RFC 3339.

    Raises ValueError with a sentence where the text is no such time.

    >>> seconds_of("1970-01-01T01:00:30.9+01:00")
    30
    """
    try:
        moment = datetime.fromisoformat(text.upper()) if _FORM.match(text) else None
    except ValueError:
        moment = None
    if moment is None:
        message = f"'{text}' is no time of RFC 3339, such as 2030-01-31T12:00:00Z"
        raise ValueError(message)
    if not _FIRST_YEAR <= moment.year <= _LAST_YEAR:
        message = f"'{text}' is not in the years {_FIRST_YEAR} to {_LAST_YEAR}"
        raise ValueError(message)
    return int(moment.timestamp() // 1)


def spelled(seconds: int) -> str:
    """A time as files write it, in UTC.

    >>> spelled(30)
    '1970-01-01T00:00:30Z'
    """
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _checked(text: str) -> str:
    seconds_of(text)
    return text


Moment = Annotated[str, AfterValidator(_checked)]
"""A time of RFC 3339, as it is written."""
