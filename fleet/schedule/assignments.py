"""Assignments that are made when somebody looks at them: a large run decides on millions."""

from collections.abc import Sequence
from typing import overload

from fleet.model.decision import Assignment
from fleet.schedule.ledger import Taken


class Assignments(Sequence[Assignment]):
    """What a workload takes, all of it active and owned by nobody else; equal to the same tuple."""

    __slots__ = ("_made", "_names", "_taken")

    def __init__(self, names: Sequence[str], taken: Taken) -> None:
        self._names = names
        self._taken = taken
        self._made: tuple[Assignment, ...] | None = None

    def _all(self) -> tuple[Assignment, ...]:
        if self._made is None:
            self._made = tuple(
                Assignment(self._names[place], count) for place, count in self._taken.pairs()
            )
        return self._made

    @overload
    def __getitem__(self, index: int) -> Assignment: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Assignment, ...]: ...
    def __getitem__(self, index: int | slice) -> Assignment | tuple[Assignment, ...]:
        return self._all()[index]

    def __len__(self) -> int:
        return self._taken.size

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Assignments):
            return self._all() == other._all()
        return self._all() == other

    def __hash__(self) -> int:
        return hash(self._all())

    def __repr__(self) -> str:
        return repr(self._all())
