"""Kubernetes quantities as whole numbers.

**Units**: cpu in millicores, everything else in its base unit (bytes, pieces), rounded up as
`resource.Quantity.Value()` does. Source: k8s.io/apimachinery/pkg/api/resource/quantity.go.
"""

import re
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

_SUFFIX = {
    "": 0,
    "n": -9,
    "u": -6,
    "m": -3,
    "k": 3,
    "M": 6,
    "G": 9,
    "T": 12,
    "P": 15,
    "E": 18,
}
_BINARY = {"Ki": 1, "Mi": 2, "Gi": 3, "Ti": 4, "Pi": 5, "Ei": 6}
_FORM = re.compile(
    r"(?P<number>[+-]?(?:\d+(?:\.\d*)?|\.\d+))"
    r"(?:(?P<suffix>[KMGTPE]i|[numkMGTPE])|[eE](?P<exponent>[+-]?\d{1,3}))?\Z",
    re.ASCII,
)
_MAX = 2**63 - 1


def parse_quantity(text: str | float) -> Fraction:
    """The exact value of a quantity.

    Raises ValueError with a sentence when the text is no quantity.

    >>> parse_quantity("1500m"), parse_quantity("1Ki"), parse_quantity("1e3")
    (Fraction(3, 2), Fraction(1024, 1), Fraction(1000, 1))
    """
    spelled = str(text)
    match = _FORM.match(spelled)
    if match is None:
        message = f"'{spelled}' is no Kubernetes quantity, such as 2, 500m, 1.5 or 4Gi"
        raise ValueError(message)
    value: Fraction = Fraction(Decimal(match["number"]))
    suffix = match["suffix"] or ""
    if suffix in _BINARY:
        factor: int = 1024 ** _BINARY[suffix]
        return value * factor
    exponent = int(match["exponent"]) if match["exponent"] else _SUFFIX[suffix]
    power = Fraction(10**exponent) if exponent >= 0 else Fraction(1, 10**-exponent)
    return value * power


@lru_cache(maxsize=4096, typed=True)
def in_base_units(resource: str, text: str | float) -> int:
    """A quantity of a resource: cpu in millicores, others in base units, rounded up.

    Raises ValueError when it is no quantity, negative, or over 2^63-1.

    >>> in_base_units("cpu", "1.5"), in_base_units("memory", "1Gi"), in_base_units("pods", 110)
    (1500, 1073741824, 110)
    """
    value = parse_quantity(text) * (1000 if resource == "cpu" else 1)
    if value < 0:
        message = f"'{text}' is negative; a quantity here is 0 or more"
        raise ValueError(message)
    whole = -(-value.numerator // value.denominator)
    if whole > _MAX:
        message = f"'{text}' is more than 2^63-1 in base units"
        raise ValueError(message)
    return whole


_PARTS = 1_000_000


def spell_millionths(millionths: int) -> str:
    """An amount that is kept in millionths, as a decimal number.

    >>> spell_millionths(23_000), spell_millionths(3_000_000), spell_millionths(-1_500_000)
    ('0.023', '3', '-1.5')
    """
    sign, rest = ("-", -millionths) if millionths < 0 else ("", millionths)
    whole, parts = divmod(rest, _PARTS)
    return f"{sign}{whole}.{parts:06d}".rstrip("0").rstrip(".")


def spell_quantity(resource: str, amount: int) -> str:
    """An amount as people write it.

    >>> spell_quantity("cpu", 1500), spell_quantity("cpu", 2000)
    ('1500m', '2')
    >>> spell_quantity("memory", 3 * 1024**3), spell_quantity("nvidia.com/gpu", 8)
    ('3Gi', '8')
    """
    if resource == "cpu":
        return str(amount // 1000) if amount % 1000 == 0 else f"{amount}m"
    if resource in {"memory", "ephemeral-storage"} and amount:
        for suffix in reversed(_BINARY):
            unit = 1024 ** _BINARY[suffix]
            if amount % unit == 0:
                return f"{amount // unit}{suffix}"
    return str(amount)
