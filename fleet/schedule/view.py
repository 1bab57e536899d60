"""The clusters that a policy allows, whatever room there is."""

from collections.abc import Hashable
from typing import Any

import numpy as np

from fleet.schedule.ask import Where
from fleet.schedule.columns import Mask, Whole
from fleet.schedule.ledger import HANDFUL

_FEW = 4
"""Where less than one in so many clusters is allowed, the others are not looked at again."""
_MOST = 4
"""Where less than one in so many is barred, nearly all are allowed."""


class View:
    """The clusters that a policy allows, whatever room there is.

    **Shape**: `barred` by position; `where` picks what is worth looking at out of a column: the
    allowed positions where they are few, else everything. `places` are the allowed positions,
    `listed` as well, where they are a handful. `heads` is what candidates remember of it.

    A handful needs no column: most policies that name their clusters are seen once.
    """

    def __init__(self, size: int, listed: list[int] | None) -> None:
        self._size = size
        self.listed = listed
        self.heads: dict[Hashable, Any] = {}
        self._barred: Mask | None = None
        self._places: Whole | None = None
        self._where: Where | None = None

    @classmethod
    def of(cls, barred: Mask) -> "View":
        """The view that the filters leave."""
        places = (~barred).nonzero()[0]
        view = cls(barred.size, places.tolist() if places.size <= HANDFUL else None)
        few = places.size * _FEW < barred.size or places.size <= HANDFUL
        view._barred, view._places, view._where = barred, places, places if few else slice(None)
        return view

    @property
    def barred(self) -> Mask:
        """True for each cluster that is not allowed."""
        if self._barred is None:
            self._barred = np.ones(self._size, dtype=bool)
            self._barred[self.listed] = False
        return self._barred

    @property
    def places(self) -> Whole:
        """The allowed positions."""
        if self._places is None:
            self._places = np.array(self.listed, dtype=np.int64)
        return self._places

    @property
    def is_wide(self) -> bool:
        """Whether so many are allowed that it is looked at together with the others."""
        return isinstance(self._where, slice)

    @property
    def is_most(self) -> bool:
        """Whether it is nearly all: a walk that skips many others meets hardly a barred one."""
        return (self._size - self.places.size) * _MOST < self._size

    @property
    def where(self) -> Where:
        """What is worth looking at."""
        return self.places if self._where is None else self._where
