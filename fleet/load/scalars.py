"""What an unquoted word of a YAML file means: in fleet's own documents, and in Kubernetes'.

fleet's documents follow YAML 1.2's core schema without octal and hexadecimal numbers: only true,
false, null and decimal numbers are more than text, so that `no` is Norway and `012` is text.
Kubernetes' documents mean what kubectl reads in them, which is YAML 1.1 as Go's yaml.v2 has it.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

Scalar = str | int | float | bool | None

_COMMON: dict[str, Scalar] = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
}
_KUBERNETES: dict[str, Scalar] = {
    **_COMMON,
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "off", "Off", "OFF"), False),
}
_NO_NUMBER = re.compile(r"[-+]?\.(inf|Inf|INF)\Z|\.(nan|NaN|NAN)\Z")
_DECIMAL = re.compile(r"[-+]?(0|[1-9][0-9]*)\Z")
_FRACTION = re.compile(r"[-+]?(\.[0-9]+|(0|[1-9][0-9]*)(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
_GO_FRACTION = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
_GO_WHOLE = re.compile(
    r"(?P<sign>[-+]?)(?:0[xX](?P<hexadecimal>[0-9a-fA-F]+)|0[bB](?P<binary>[01]+)"
    r"|0[oO]?(?P<octal>[0-7]+)|(?P<decimal>0|[1-9][0-9]*))\Z"
)
_BASES = {"hexadecimal": 16, "binary": 2, "octal": 8, "decimal": 10}
_NUMBER_STARTS = frozenset("+-.0123456789")
_MOST_DIGITS = 300
_WHOLE_IN_FLOAT = 2**53


def fleet_scalar(text: str) -> Scalar:
    """The meaning of an unquoted word in one of fleet's documents.

    Raises ValueError with a sentence for a number that no computer holds.

    >>> [fleet_scalar(text) for text in ("no", "012", "12", "1.5", "true", "~", "0x10")]
    ['no', '012', 12, 1.5, True, None, '0x10']
    """
    if text in _COMMON:
        return _COMMON[text]
    if text[0] not in _NUMBER_STARTS:
        return text
    if _DECIMAL.match(text):
        return _whole(text, 10)
    return _real(text) if _FRACTION.match(text) else text


def kubernetes_scalar(text: str) -> Scalar:
    """The meaning of an unquoted word in a Kubernetes document, as kubectl reads it.

    Raises ValueError with a sentence for infinity, not-a-number and numbers out of range.
    Source: the resolver of yaml.v2 in sigs.k8s.io/yaml; a time stamp stays text there.

    >>> [kubernetes_scalar(text) for text in ("no", "012", "0x10", "1e3", "1_000", "08")]
    [False, 10, 16, 1000, 1000, 8]
    """
    if text in _KUBERNETES:
        return _KUBERNETES[text]
    if text[0] not in _NUMBER_STARTS:
        return text
    if _NO_NUMBER.match(text):
        message = f"'{text}' is no number that an API server takes"
        raise ValueError(message)
    plain = text if text[0] == "." else text.replace("_", "")
    whole = _GO_WHOLE.match(plain)
    if whole is not None and whole.lastgroup is not None:
        return _whole(whole["sign"] + whole[whole.lastgroup], _BASES[whole.lastgroup])
    if not _GO_FRACTION.match(plain):
        return text
    value = _real(plain)
    return int(value) if value.is_integer() and abs(value) < _WHOLE_IN_FLOAT else value


def _whole(text: str, base: int) -> int:
    if len(text) > _MOST_DIGITS:
        message = f"a number of {len(text)} digits is too large"
        raise ValueError(message)
    return int(text, base)


def _real(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        message = f"the number {shorten(text)} is too large"
        raise ValueError(message)
    return value


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a kind of file reads its unquoted words, as values and as keys of maps."""

    value: Callable[[str], Scalar]
    key: Callable[[str], str]


def _kubernetes_key(text: str) -> str:
    value = kubernetes_scalar(text)
    if value is None:
        message = "a key of a map is empty or null"
        raise ValueError(message)
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else str(value)


def _fleet_key(text: str) -> str:
    return text


_remembered = lru_cache(maxsize=16384)
FLEET = Dialect(_remembered(fleet_scalar), _fleet_key)
KUBERNETES = Dialect(_remembered(kubernetes_scalar), _remembered(_kubernetes_key))


def shorten(text: str, most: int = 60) -> str:
    """A text that fits a sentence.

    >>> shorten("a" * 80, 10)
    'aaaaaaa...'
    """
    flat = " ".join(text.split()) if any(sign in text for sign in "\n\r\t") else text
    return flat if len(flat) <= most else f"{flat[: most - 3]}..."
