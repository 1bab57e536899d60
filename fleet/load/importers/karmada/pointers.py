"""JSON pointers and patches on plain data. Source: RFC 6901, RFC 6902."""

from copy import deepcopy
from typing import Any, Protocol


class Step(Protocol):
    """One operation."""

    @property
    def path(self) -> str:
        """Where."""

    @property
    def operator(self) -> str:
        """`add`, `remove` or `replace`."""

    @property
    def value(self) -> Any:  # noqa: ANN401 - any JSON
        """What."""


def escaped(key: str) -> str:
    """A key as a part of a pointer.

    >>> escaped("a/b~c")
    'a~1b~0c'
    """
    return key.replace("~", "~0").replace("/", "~1")


def parts_of(pointer: str) -> list[str]:
    """The keys on the way."""
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


def look(data: Any, pointer: str) -> Any:  # noqa: ANN401 - any JSON
    """What a pointer leads to; None where it leads nowhere."""
    for part in parts_of(pointer):
        data = _inside(data, part)
    return data


def _inside(data: Any, part: str) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(data, dict):
        return data.get(part)
    if isinstance(data, list) and part.isdecimal() and int(part) < len(data):
        return data[int(part)]
    return None


def patched(data: Any, step: Step) -> Any:  # noqa: ANN401 - any JSON
    """The data after one operation; unchanged where its path leads nowhere."""
    whole = deepcopy(data)
    if not parts_of(step.path):
        return whole
    *way, last = parts_of(step.path)
    home = whole
    for part in way:
        home = _inside(home, part)
    if isinstance(home, dict):
        if step.operator == "remove":
            home.pop(last, None)
        elif step.operator == "add" or last in home:
            home[last] = deepcopy(step.value)
    elif isinstance(home, list):
        _patch_list(home, last, step)
    return whole


def _patch_list(home: list[Any], last: str, step: Step) -> None:
    at = len(home) if last == "-" else int(last) if last.isdecimal() else len(home) + 1
    if step.operator == "add" and at <= len(home):
        home.insert(at, deepcopy(step.value))
    elif at < len(home) and step.operator == "remove":
        del home[at]
    elif at < len(home) and step.operator == "replace":
        home[at] = deepcopy(step.value)
