"""The least and the most that each cluster runs, by the rules of a policy."""

from dataclasses import dataclass

import numpy as np

from fleet.model.policy import Division
from fleet.schedule.columns import Whole
from fleet.schedule.matching import matching
from fleet.schedule.table import UNLIMITED, Table


@dataclass(frozen=True, slots=True, eq=False)
class ClusterBounds:
    """One number for all clusters, or one per cluster where rules say so."""

    least: int | Whole
    most: int | Whole

    def at_least(self, place: int) -> int:
        """The least that a cluster runs if it runs any."""
        return self.least if isinstance(self.least, int) else int(self.least[place])

    def at_most(self, place: int) -> int:
        """The most that a cluster may run."""
        return self.most if isinstance(self.most, int) else int(self.most[place])


NO_BOUNDS = ClusterBounds(0, UNLIMITED)


def _says_any(division: Division) -> bool:
    return bool(division.min_replicas or division.max_replicas is not None or division.bounds)


def cluster_bounds(table: Table, division: Division) -> ClusterBounds:
    """The first rule that matches a cluster counts; what it does not say the division says."""
    if not _says_any(division):
        return NO_BOUNDS
    least = division.min_replicas
    most = UNLIMITED if division.max_replicas is None else division.max_replicas
    rules = division.bounds
    if not rules:
        return ClusterBounds(least, most)
    lows = np.full(table.size, least, dtype=np.int64)
    highs = np.full(table.size, most, dtype=np.int64)
    for rule in reversed(rules):
        mask = matching(table, rule.term)
        lows[mask] = least if rule.min_replicas is None else rule.min_replicas
        highs[mask] = most if rule.max_replicas is None else rule.max_replicas
    return ClusterBounds(lows, highs)
