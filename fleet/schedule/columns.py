"""One fact about every cluster, as a numpy column over its distinct values."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
Whole = NDArray[np.int64]
Plain = memoryview
"""A column's numbers one at a time, as whole numbers of Python: quicker than numpy's."""
V = TypeVar("V", bound=Hashable)


@dataclass(frozen=True, slots=True, eq=False)
class Column(Generic[V]):
    """A fact about every cluster.

    **Shape**: `values` are the distinct values, `codes` has the position of each cluster's value.
    """

    values: tuple[V, ...]
    codes: NDArray[np.intp]

    def where(self, accepts: Callable[[V], bool]) -> Mask:
        """The clusters whose value is accepted; asks once per distinct value."""
        answers = np.fromiter((accepts(value) for value in self.values), bool, len(self.values))
        return answers[self.codes]


def column_of(facts: Iterable[V]) -> Column[V]:
    """A column from one value per cluster."""
    positions: dict[V, int] = {}
    codes = [positions.setdefault(fact, len(positions)) for fact in facts]
    return Column(tuple(positions), np.array(codes, dtype=np.intp))


@dataclass(frozen=True, slots=True, eq=False)
class Amounts:
    """An amount of every cluster.

    **Shape**: `values` in units of `unit` millionths, 0 where `present` is False.
    """

    values: Whole
    present: Mask
    unit: int

    def compared(self, operator: str, value: int) -> Mask:
        """Where the amount compares as asked with a number of millionths; nowhere if absent.

        The value is turned into the amounts' unit, so that nothing is rounded and nothing large
        is multiplied.
        """
        floor, rest = divmod(value, self.unit)
        ceiling = floor + bool(rest)
        answers: dict[str, Callable[[], Mask]] = {
            "Gt": lambda: self.values > floor,
            "Ge": lambda: self.values >= ceiling,
            "Eq": lambda: (self.values == floor) & (not rest),
            "Ne": lambda: (self.values != floor) | bool(rest),
            "Le": lambda: self.values <= floor,
            "Lt": lambda: self.values < ceiling,
        }
        return answers[operator]() & self.present


@dataclass(frozen=True, slots=True, eq=False)
class Domains:
    """Which domains of one kind each cluster belongs to.

    **Shape**: `names` sorted; `of` has the positions in `names` for each cluster (several for a
    cluster with several zones, none where the inventory says nothing); `present` is True where
    there is one at least, `everywhere` that it is for all. `single` has the one domain of each, -1
    for none; None where a cluster is in several.
    """

    names: tuple[str, ...]
    of: tuple[tuple[int, ...], ...]
    present: Mask
    everywhere: bool
    single: tuple[int, ...] | None


def domains_of(column: Column[tuple[str, ...]]) -> Domains:
    """The domains that the texts of a column make."""
    names = tuple(sorted({name for texts in column.values for name in texts}))
    position = {name: place for place, name in enumerate(names)}
    coded = [tuple(position[name] for name in texts) for texts in column.values]
    of = tuple([coded[code] for code in column.codes.tolist()])
    single = None
    if all(len(each) <= 1 for each in coded):
        alone = [each[0] if each else -1 for each in coded]
        single = tuple([alone[code] for code in column.codes.tolist()])
    return Domains(names, of, column.where(bool), all(coded), single)
