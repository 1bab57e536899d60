"""The clusters that a policy allows, whatever room there is."""

from collections.abc import Hashable
from typing import Any

import numpy as np

from fleet.schedule.ask import Where
from fleet.schedule.columns import Mask, Whole
from fleet.schedule.lazy import Lazy
from fleet.schedule.ledger import HANDFUL

_FEW = 4
"""Where less than one in so many clusters is allowed, the others are not looked at again."""


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

    @classmethod
    def of(cls, barred: Mask) -> "View":
        """The view that the filters leave."""
        places = (~barred).nonzero()[0]
        view = cls(barred.size, places.tolist() if places.size <= HANDFUL else None)
        few = places.size * _FEW < barred.size or places.size <= HANDFUL
        view.__dict__.update(barred=barred, places=places, where=places if few else slice(None))
        return view

    @Lazy
    def barred(self) -> Mask:
        """True for each cluster that is not allowed."""
        barred = np.ones(self._size, dtype=bool)
        barred[self.listed] = False
        return barred

    @Lazy
    def places(self) -> Whole:
        """The allowed positions."""
        return np.array(self.listed, dtype=np.int64)

    @Lazy
    def where(self) -> Where:
        """What is worth looking at."""
        return self.places
