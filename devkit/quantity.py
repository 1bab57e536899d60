"""Kubernetes quantities, as far as nodes need them: read one, divide one over nodes."""

import re
from decimal import Decimal

from devkit.errors import DevkitError

_SUFFIXES = {
    "": Decimal(1),
    "n": Decimal("1e-9"),
    "u": Decimal("1e-6"),
    "m": Decimal("1e-3"),
    "k": Decimal("1e3"),
    "M": Decimal("1e6"),
    "G": Decimal("1e9"),
    "T": Decimal("1e12"),
    "P": Decimal("1e15"),
    "E": Decimal("1e18"),
    **{f"{unit}i": Decimal(1024) ** power for power, unit in enumerate("KMGTPE", start=1)},
}
_FORM = re.compile(r"([+-]?\d*\.?\d+|[+-]?\d+\.)([eE][+-]?\d+|[numkMGTPE]|[KMGTPE]i)?")


def read(text: str) -> Decimal:
    """Return a quantity's value.

    Errors: DevkitError for what is no quantity.

    >>> read("500m"), read("96Gi"), read("1e3")
    (Decimal('0.500'), Decimal('103079215104'), Decimal('1E+3'))
    """
    found = _FORM.fullmatch(text.strip())
    if found is None:
        raise DevkitError(f"'{text}' is no Kubernetes quantity")
    number, suffix = found.group(1), found.group(2) or ""
    if suffix[:1] in ("e", "E") and len(suffix) > 1:
        return Decimal(number + suffix)
    return Decimal(number) * _SUFFIXES[suffix]


def divide(text: str, resource: str, parts: int) -> list[str]:
    """Divide a quantity into whole units (millicores for cpu); what is left goes to the first.

    >>> divide("8", "nvidia.com/gpu", 3)
    ['3', '3', '2']
    >>> divide("2", "cpu", 3)
    ['667m', '667m', '666m']
    """
    factor = 1000 if resource == "cpu" else 1
    unit = "m" if resource == "cpu" else ""
    share, rest = divmod(int(read(text) * factor), parts)
    return [f"{share + (1 if index < rest else 0)}{unit}" for index in range(parts)]
