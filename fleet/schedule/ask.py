"""What a replica asks for, in terms of the table's rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fleet.schedule.columns import Plain, Whole
from fleet.schedule.table import PODS, Table

Where = Whole | slice
"""Positions of clusters, or a slice for all of them."""


class Row(NamedTuple):
    """A resource of the grid as plain numbers, by position, and how much of it a replica takes."""

    left: Plain
    whole: Plain
    amount: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Ask:
    """What a replica asks for, in terms of the table.

    **Shape**: `rows` of the table that count, and the `amounts` of these as a column; None: none.
    `column` has the amount of each resource of the table, `plain` each row that counts as numbers.
    `unlisted`: no cluster has one of them.
    """

    request: Mapping[str, int]
    rows: Where
    amounts: Whole | None
    column: Whole | None
    unlisted: bool
    plain: tuple[Row, ...]


def ask_of(request: Mapping[str, int], table: Table, grid: Sequence[Row]) -> Ask:
    """Pods that no cluster lists bound nothing; of any other resource there is none then."""
    listed = [table.row[name] for name in request if name in table.row]
    unlisted = any(name not in table.row and name != PODS for name in request)
    if not listed:
        return Ask(request, slice(0), None, None, unlisted, ())
    column = np.zeros((len(table.resources), 1), dtype=np.int64)
    column[listed, 0] = [request[table.resources[row]] for row in listed]
    rows: Where = slice(None) if len(listed) == len(table.resources) else np.sort(listed)
    plain = tuple(
        grid[row]._replace(amount=request[table.resources[row]]) for row in sorted(listed)
    )
    return Ask(request, rows, column[rows], column, unlisted, plain)
