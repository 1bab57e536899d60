"""What there is to decide for one workload in its turn: everything that both ways read."""

from dataclasses import dataclass

import numpy as np

from fleet.model.snapshot import Linked
from fleet.schedule.candidates import Candidates
from fleet.schedule.cluster_bounds import ClusterBounds
from fleet.schedule.columns import Whole
from fleet.schedule.request import Request
from fleet.schedule.spread import Spread
from fleet.schedule.stance import Stance


@dataclass(slots=True, eq=False)
class Task:
    """A workload, its policy in terms of the table, and who may run it."""

    linked: Linked
    stance: Stance
    spread: Spread
    request: Request
    candidates: Candidates
    bounds: ClusterBounds

    def weights(self, places: Whole) -> Whole | None:
        """The static weights of candidates; where none of them has any, all count the same."""
        if self.spread.weights is None:
            return None
        weights = self.spread.weights[places]
        return weights if np.count_nonzero(weights) else np.ones_like(weights)
