"""Where the faults of one Kubernetes document go, each with its place."""

from dataclasses import dataclass

from fleet.errors import ErrorList
from fleet.load.source import Document
from fleet.load.wording import described, wants_text
from fleet.model.source import Path, dotted

MOST_WHOLE = 2**31 - 1
"""Replicas and such are 32 bits wide in every API of Kubernetes."""


@dataclass(frozen=True, slots=True)
class Faults:
    """Notes the faults of one document."""

    document: Document
    errors: ErrorList

    @property
    def count(self) -> int:
        """How many faults there are so far, of all documents."""
        return len(self.errors.errors)

    def add(self, path: Path, sentence: str, hint: str = "") -> None:
        """One fault at a field, or where its nearest enclosing field stands."""
        self.errors.add(self.document.origin.at(*path), dotted(path), sentence, hint)

    def missing(self, path: Path, hint: str = "") -> None:
        """A required field that is not there."""
        self.add(path, "is required, but not there", hint)

    def wants(self, path: Path, wanted: str, value: object, hint: str = "") -> None:
        """A value of another type than the API server takes."""
        self.add(path, f"wants {wanted}, not {described(value, self.spelled(path))}", hint)

    def wants_text(self, path: Path, value: object) -> None:
        """A value that is no text where the API server takes only text."""
        self.add(path, *wants_text(value, self.spelled(path)))

    def spelled(self, path: Path) -> str | None:
        """The value as the file has it."""
        return self.document.marks.spelling(path)


def texts(value: object, path: Path, faults: Faults) -> dict[str, str]:
    """A map of text to text, as labels and data are; null reads as "", as an API server reads it.

    >>> texts(None, (), Faults.__new__(Faults))
    {}
    """
    if value is None:
        return {}
    if not isinstance(value, dict):
        faults.wants(path, "a map of text", value)
        return {}
    for key, each in value.items():
        if each is None:
            value[key] = ""
        elif not isinstance(each, str):
            faults.wants_text((*path, key), each)
    return value


def items(value: object, path: Path, faults: Faults) -> list[object]:
    """A list; absent or null is an empty one."""
    if value is None:
        return []
    if isinstance(value, list):
        return value
    faults.wants(path, "a list", value)
    return []


def entries(value: object, path: Path, faults: Faults) -> dict[str, object]:
    """A map; absent or null is an empty one."""
    if value is None:
        return {}
    if isinstance(value, dict):
        return value
    faults.wants(path, "a map", value)
    return {}


def whole(value: object, path: Path, faults: Faults, default: int) -> int:
    """A whole number of at least 0; absent or null is the default."""
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int):
        hint = f"write {value} without quotes" if str(value).isdecimal() else ""
        faults.wants(path, "a whole number", value, hint)
        return default
    if value < 0:
        faults.add(path, f"{value} is negative; it is 0 or more")
        return default
    if value > MOST_WHOLE:
        faults.add(path, f"{value} is too large; an API server takes at most {MOST_WHOLE}")
        return default
    return value
