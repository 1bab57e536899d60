"""The errors that a person can cause, worded for that person.

Every error of a run is collected, and reaches the user at once: nothing here is raised one at a
time by the rooms, they put a `SourceError` into an `ErrorList` and go on.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from json import JSONDecodeError

from fleet.model.source import Source

_MOST_WORD = 260
_KEPT = 60
_LONG = re.compile(rf"(?<![\w'])'[^'\n]{{{_MOST_WORD},}}'(?!\w)|[^\s']{{{_MOST_WORD},}}")
"""A quoted value, or a word, that is longer than any name that Kubernetes allows."""


def readable(text: str) -> str:
    """A sentence in which no value is longer than a person reads.

    >>> readable(f"there is no cluster '{'9' * 5000}'")[-15:]
    "99999999999...'"
    """
    return _LONG.sub(_shortened, text) if len(text) > _MOST_WORD else text


def _shortened(found: re.Match[str]) -> str:
    value = found[0]
    quote = value[-1] if value[0] == value[-1] == "'" else ""
    return f"{value[:_KEPT].rstrip()}...{quote}"


class FleetError(Exception):
    """Base of everything that is the user's to mend: shown as text, never as a traceback."""

    def __str__(self) -> str:
        """The sentences."""
        return readable(super().__str__())


@dataclass(frozen=True, slots=True)
class SourceError:
    """One fault in one place.

    Attributes:
        source: where the fault is; None where there is no file (a command line, a config key).
        path: the field, dotted (`spec.spread[0].by`); may be empty.
        sentence: what is wrong and what is allowed; lower case, no full stop.
        hint: how to mend it; may be empty.
    """

    source: Source | None
    path: str
    sentence: str
    hint: str = ""

    def __str__(self) -> str:
        """`file:line:col: field: sentence - hint`."""
        place = f"{self.source}: " if self.source else ""
        where = f"{self.path}: " if self.path else ""
        hint = f" - {self.hint}" if self.hint else ""
        return f"{place}{where}{self.sentence}{hint}"

    @property
    def sort_key(self) -> tuple[str, int, int, str, str]:
        """File, line, column; then the text, so that the order is total."""
        if self.source is None:
            return ("", 0, 0, self.path, self.sentence)
        return (
            self.source.file,
            self.source.line,
            self.source.column,
            self.path,
            self.sentence,
        )


def json_fault(file: str, error: JSONDecodeError, whence: str) -> SourceError:
    """What is wrong with a file that should hold JSON; `whence` is the command that writes it.

    Half a file is what a command that was cut, or a full disk, leaves.

    >>> import json
    >>> try: json.loads('{"web": {"eu-')
    ... except JSONDecodeError as error: print(json_fault("a.json", error, "date"))
    a.json:1:14: the JSON ends here, in the middle - write the file anew: date > a.json
    """
    end, half = len(error.doc.rstrip()), error.msg.startswith("Unterminated string")
    if half or error.pos >= end:
        place = JSONDecodeError("", error.doc, end)
        sentence = "the JSON ends here, in the middle" if end else "the file is empty"
    else:
        place, sentence = error, f"the JSON is broken: {error.msg.lower()}"
    source = Source(file, place.lineno, place.colno)
    return SourceError(source, "", sentence, f"write the file anew: {whence} > {file}")


class InvalidError(FleetError):
    """The input is wrong: all faults, in the order of files and lines."""

    def __init__(self, errors: Iterable[SourceError]) -> None:
        self.errors = tuple(sorted(set(errors), key=lambda error: error.sort_key))
        super().__init__("\n".join(str(error) for error in self.errors))


class RefusedError(FleetError):
    """The input is fine, but what it would do needs consent that was not given."""


class PluginError(FleetError):
    """A rule that somebody added does not keep to what rules must answer."""

    def __init__(self, plugin: str, sentence: str) -> None:
        self.plugin = plugin
        super().__init__(f"plugin '{plugin}': {sentence}")


@dataclass(slots=True)
class ErrorList:
    """Faults as they are found; `raise_if_any` ends a stage."""

    errors: list[SourceError] = field(default_factory=list)

    def add(self, source: Source | None, path: str, sentence: str, hint: str = "") -> None:
        """Notes one fault."""
        said = (readable(each) for each in (path, sentence, hint))
        self.errors.append(SourceError(source, *said))

    def raise_if_any(self) -> None:
        """Raises InvalidError with all faults, if there are any."""
        if self.errors:
            raise InvalidError(self.errors)
