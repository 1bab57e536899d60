"""Plain data: what JSON, XML and the engine's property maps have in common."""

from collections.abc import Mapping
from typing import TypeAlias

Data: TypeAlias = bool | int | float | str | list["Data"] | dict[str, "Data"] | None
Table: TypeAlias = dict[str, Data]


def text(table: Mapping[str, Data], key: str, default: str = "") -> str:
    """Return a text; the default where it is absent or something else."""
    value = table.get(key)
    return value if isinstance(value, str) else default


def number(table: Mapping[str, Data], key: str, default: int = 0) -> int:
    """Return a whole number; the default where it is absent or something else."""
    value = table.get(key)
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) else default


def flag(table: Mapping[str, Data], key: str) -> bool:
    """Return whether the key is there and true."""
    return table.get(key) is True


def table(parent: Mapping[str, Data], key: str) -> Table:
    """Return a nested table; an empty one where it is absent."""
    value = parent.get(key)
    return value if isinstance(value, dict) else {}


def tables(parent: Mapping[str, Data], key: str) -> list[Table]:
    """Return the tables of a list, in order."""
    value = parent.get(key)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def texts(parent: Mapping[str, Data], key: str) -> list[str]:
    """Return the texts of a list, in order."""
    value = parent.get(key)
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
