"""Cron lines of five fields: which minutes of which days they mean.

Source: crontab(5). A day matches by its day of the month or its day of the week where both are
restricted, and by both where one of them begins with `*`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
_FIELDS: tuple[tuple[str, int, int, Mapping[str, int]], ...] = (
    ("minute", 0, 59, {}),
    ("hour", 0, 23, {}),
    ("day of the month", 1, 31, {}),
    ("month", 1, 12, {name: place for place, name in enumerate(_MONTHS, 1)}),
    ("day of the week", 0, 7, {name: place for place, name in enumerate(_DAYS)}),
)
_WEEK = 7
_LONGEST = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


@dataclass(frozen=True, slots=True)
class Cron:
    """A cron line; Sunday is 0. `either`: one of the two kinds of days is enough."""

    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    either: bool

    def matches(self, day: date) -> bool:
        """Whether the line means a day."""
        if day.month not in self.months:
            return False
        by_month, by_week = day.day in self.days, day.isoweekday() % _WEEK in self.weekdays
        return (by_month or by_week) if self.either else (by_month and by_week)

    @property
    def opens(self) -> bool:
        """Whether there is any such day: every date falls on every weekday some year."""
        return self.either or any(
            day <= _LONGEST[month - 1] for month in self.months for day in self.days
        )


def parse_cron(line: str) -> Cron:
    """A cron line. Raises ValueError with a sentence where it is none.

    >>> sorted(parse_cron("*/20 22-23 * * sat,7").minutes)
    [0, 20, 40]
    >>> sorted(parse_cron("*/20 22-23 * * sat,7").weekdays)
    [0, 6]
    """
    words = line.split()
    if len(words) != len(_FIELDS):
        message = f"'{line}' has {len(words)} fields; a cron line has five, such as '0 22 * * sat'"
        raise ValueError(message)
    minutes, hours, days, months, weekdays = (
        _field(word, *field) for word, field in zip(words, _FIELDS, strict=True)
    )
    either = not words[2].startswith("*") and not words[4].startswith("*")
    return Cron(minutes, hours, days, months, frozenset(day % _WEEK for day in weekdays), either)


def _field(word: str, noun: str, least: int, most: int, names: Mapping[str, int]) -> frozenset[int]:
    found: set[int] = set()
    for part in word.split(","):
        span, slash, stride = part.partition("/")
        first, dash, last = span.partition("-")
        step = _number(stride, {}) if slash else 1
        if span == "*":
            low, high = least, most
        else:
            low = _number(first, names)
            high = _number(last, names) if dash else (most if slash else low)
        if step < 1 or not least <= low <= high <= most:
            message = f"'{part}' is no {noun} of a cron line, {least} to {most}"
            raise ValueError(message)
        found.update(range(low, high + 1, step))
    return frozenset(found)


def _number(text: str, names: Mapping[str, int]) -> int:
    """A number or a name; -1, which no field allows, for anything else."""
    small = text.isascii() and text.isdecimal() and len(text) <= len("59")
    return int(text) if small else names.get(text.lower(), -1)
