"""The clusters that a policy allows, whatever room there is."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fleet.schedule.columns import Mask, Whole
from fleet.schedule.ledger import HANDFUL, Where

_FEW = 4
"""Where less than one in so many clusters is allowed, the others are not looked at again."""


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The clusters that a policy allows, whatever room there is.

    **Shape**: `barred` by position; `where` picks what is worth looking at out of a column: the
    allowed positions where they are few, else everything. `places` are the allowed positions,
    `listed` as well, where they are a handful. `heads` is what candidates remember of it.
    """

    barred: Mask
    where: Where
    places: Whole
    listed: list[int] | None
    heads: dict[Hashable, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, barred: Mask) -> "View":
        """The view that the filters leave."""
        places = (~barred).nonzero()[0]
        few = places.size * _FEW < barred.size or places.size <= HANDFUL
        listed = places.tolist() if places.size <= HANDFUL else None
        return cls(barred, places if few else slice(None), places, listed)

    @classmethod
    def few(cls, places: Iterable[int], masks: Iterable[Mask], size: int) -> "View":
        """The view where nobody is allowed but these, and of them none that a mask bars."""
        bars = [mask.data for mask in masks]
        listed = [place for place in places if not any(each[place] for each in bars)]
        barred = np.ones(size, dtype=bool)
        barred[listed] = False
        where = np.array(listed, dtype=np.int64)
        return cls(barred, where, where, listed)
