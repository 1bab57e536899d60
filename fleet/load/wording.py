"""A fault that pydantic found, in words for the person who wrote the file."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fleet.load.scalars import shorten
from fleet.load.words import Words, quoted
from fleet.model.base import FieldError, ItemsError
from fleet.model.data import OBJECT_PATTERN
from fleet.model.document import NAME_PATTERN
from fleet.model.source import Path
from fleet.model.workload import DOTTED_PATTERN

_QUOTED = re.compile(r"'([^']*)'")
_NUMBER = re.compile(r"\d+")
_TRUE = frozenset({"yes", "on", "y", "true"})
_FALSE = frozenset({"no", "off", "n", "false"})

FORMS = {
    NAME_PATTERN: "a name: lower case letters, digits, '-' and '.', at most 253 characters",
    r"^(\*\.)?([a-z0-9_]([-a-z0-9_]*[a-z0-9_])?\.)+[a-z0-9-]+$": (
        "a DNS name in lower case, such as api.example.org, without a dot at the end"
    ),
    r"^(cluster|region|zone|provider|labels\..+)$": (
        "one of 'cluster', 'region', 'zone', 'provider' or 'labels.<key>'"
    ),
    r"^(/|$)": "a JSON pointer: empty, or it begins with '/'",
    DOTTED_PATTERN: "field names joined by dots, such as spec.replicas",
    OBJECT_PATTERN: "kind and name of an object, such as Cluster/orders",
    r"^vpc-[0-9a-f]+$": "a network's id, such as vpc-0a1b2c3d",
    "^/": "a path that begins with '/'",
    r"^[a-z0-9]+:[0-9a-f]{32,}$": "a digest, such as sha256:0123…",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a value: its kind as pydantic names it, and what was written."""

    kind: str
    value: object
    spelling: str | None
    context: Mapping[str, Any] = field(default_factory=dict)

    @property
    def written(self) -> str:
        """The value as the file has it, short enough for a sentence."""
        return described(self.value, self.spelling)


def described(value: object, spelling: str | None) -> str:
    """What was written, for a sentence.

    >>> described(1.1, "1.10"), described("x", None), described(None, ""), described({}, None)
    ('the number 1.10', "'x'", 'nothing', 'a map')
    """
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return shorten(spelling or str(value).lower())
    if isinstance(value, int | float):
        return f"the number {shorten(spelling or str(value))}"
    if isinstance(value, str):
        return f"'{shorten(value)}'"
    return "a map" if isinstance(value, Mapping) else "a list"


def words_for(fault: Fault) -> tuple[str, str]:
    """The sentence for a fault, and its cure (empty where the sentence says it)."""
    made = _WORDED.get(fault.kind)
    if made is None:
        return f"{fault.written} is not allowed here", ""
    return made(fault)


def items_of(fault: Fault) -> Mapping[str | int, str]:
    """The faults of single items of a map or list, by key; empty where it is one fault."""
    error = fault.context.get("error")
    return error.faults if isinstance(error, ItemsError) else {}


def place_in(fault: Fault) -> Path:
    """Where in the value that is at fault the field is that is to blame; empty where it is all."""
    error = fault.context.get("error")
    return error.path if isinstance(error, FieldError) else ()


def wants_text(value: object, spelling: str | None) -> tuple[str, str]:
    """The sentence where text is wanted and something else came.

    >>> wants_text(1.1, "1.10")
    ('wants text, not the number 1.10', 'write "1.10"')
    """
    sentence = f"wants text, not {described(value, spelling)}"
    if value is None:
        return sentence, 'give it a value, or write ""'
    if isinstance(value, int | float):
        return sentence, f'write "{shorten(spelling or str(value))}"'
    return sentence, ""


def _text(fault: Fault) -> tuple[str, str]:
    return wants_text(fault.value, fault.spelling)


def _whole(fault: Fault) -> tuple[str, str]:
    sentence = f"wants a whole number, not {fault.written}"
    value = fault.value
    if isinstance(value, str) and re.fullmatch(r"-?(0|[1-9]\d{0,17})", value):
        return sentence, f"write {value} without quotes"
    return sentence, ""


def _flag(fault: Fault) -> tuple[str, str]:
    sentence = f"wants true or false, not {fault.written}"
    word = str(fault.value).lower()
    if word in _TRUE | _FALSE:
        return sentence, f"write {'true' if word in _TRUE else 'false'} without quotes"
    return sentence, ""


def _list(fault: Fault) -> tuple[str, str]:
    sentence = f"wants a list, not {fault.written}"
    if fault.value is None:
        return sentence, "remove the field, or write []"
    simple = isinstance(fault.value, str | int | float)
    return sentence, f"write [{shorten(fault.spelling or str(fault.value))}]" if simple else ""


def _map(fault: Fault) -> tuple[str, str]:
    hint = "remove the field, or write {}" if fault.value is None else ""
    return f"wants a map, not {fault.written}", hint


def _choice(fault: Fault) -> tuple[str, str]:
    expected = str(fault.context.get("expected", ""))
    allowed = _QUOTED.findall(expected) or _NUMBER.findall(expected)
    sentence = f"{fault.written} is not allowed; allowed are {quoted(allowed)}"
    if isinstance(fault.value, str):
        near = Words(allowed).nearest(fault.value)
        return sentence, f"did you mean '{near}'?" if near else ""
    if fault.spelling in allowed:
        return sentence, f'write "{fault.spelling}"'
    return sentence, ""


def _form(fault: Fault) -> tuple[str, str]:
    pattern = str(fault.context.get("pattern", ""))
    form = FORMS.get(pattern, f"text of the form {pattern}")
    value = fault.value
    if isinstance(value, str) and value != value.lower() and re.match(pattern, value.lower()):
        return f"{fault.written} is not {form}", f"write '{value.lower()}'"
    return f"{fault.written} is not {form}", ""


def _bound(words: str, name: str) -> Callable[[Fault], tuple[str, str]]:
    def made(fault: Fault) -> tuple[str, str]:
        return f"{fault.spelling or fault.value} is {words} {fault.context[name]}", ""

    return made


def _said(fault: Fault) -> tuple[str, str]:
    return str(fault.context.get("error", "")), ""


_WORDED: dict[str, Callable[[Fault], tuple[str, str]]] = {
    "missing": lambda _: ("is required, but not there", ""),
    "string_type": _text,
    "int_type": _whole,
    "int_from_float": _whole,
    "int_parsing": _whole,
    "bool_type": _flag,
    "bool_parsing": _flag,
    "tuple_type": _list,
    "list_type": _list,
    "dict_type": _map,
    "model_type": _map,
    "model_attributes_type": _map,
    "literal_error": _choice,
    "enum": _choice,
    "string_pattern_mismatch": _form,
    "string_too_short": lambda _: ("is empty; it wants text", ""),
    "string_too_long": lambda fault: (
        f"is longer than {fault.context['max_length']} characters",
        "",
    ),
    "too_short": lambda _: ("is an empty list; it wants at least one item", ""),
    "greater_than_equal": _bound("too small; it is at least", "ge"),
    "less_than_equal": _bound("too large; it is at most", "le"),
    "value_error": _said,
}
