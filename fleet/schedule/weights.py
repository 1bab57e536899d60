"""Static weights: a column, or a few numbers where every rule names its clusters."""

from collections.abc import Mapping, Sequence

import numpy as np

from fleet.model.policy import WeightRule
from fleet.schedule.columns import Whole
from fleet.schedule.matching import NAMES_ONLY, matching
from fleet.schedule.table import Table


class Weights:
    """The largest weight of the rules that match each cluster; 0 where none does."""

    def __init__(self, table: Table, rules: Sequence[WeightRule]) -> None:
        self._table = table
        self._rules = rules
        self.named = _named(table, rules)
        """By position, where every rule names its clusters and says no more; else None."""
        self._column: Whole | None = None

    def at(self, places: Sequence[int]) -> list[int]:
        """The weights of a few clusters."""
        if self.named is not None:
            return [self.named.get(place, 0) for place in places]
        column = self.column.data
        return [column[place] for place in places]

    @property
    def column(self) -> Whole:
        """The weights of all clusters."""
        if self._column is None:
            self._column = self._of_all()
        return self._column

    def _of_all(self) -> Whole:
        weights = np.zeros(self._table.size, dtype=np.int64)
        if self.named is not None:
            weights[list(self.named)] = list(self.named.values())
            return weights
        for rule in self._rules:
            mask = matching(self._table, rule.term)
            np.maximum(weights, rule.replica_weight * mask, out=weights)
        return weights


def _named(table: Table, rules: Sequence[WeightRule]) -> Mapping[int, int] | None:
    weights: dict[int, int] = {}
    for rule in rules:
        if not rule.term.clusters or rule.term.model_fields_set != NAMES_ONLY:
            return None
        for name in rule.term.clusters:
            place = table.index.get(name)
            if place is not None and rule.replica_weight > weights.get(place, 0):
                weights[place] = rule.replica_weight
    return weights
