"""What there is to decide for one workload in its turn: everything that both ways read."""

from dataclasses import dataclass

import numpy as np

from fleet.model.policy import DivisionMode
from fleet.model.snapshot import Linked
from fleet.schedule.candidates import Candidates
from fleet.schedule.cluster_bounds import ClusterBounds
from fleet.schedule.columns import Whole
from fleet.schedule.heavy import weights_speak
from fleet.schedule.request import Request
from fleet.schedule.spread import Spread
from fleet.schedule.stance import Stance, division_mode
from fleet.schedule.table import UNLIMITED


@dataclass(slots=True, eq=False)
class Task:
    """A workload, its policy in terms of the table, and who may run it."""

    linked: Linked
    stance: Stance
    spread: Spread
    request: Request
    candidates: Candidates
    bounds: ClusterBounds

    @property
    def replicas(self) -> int:
        """How many replicas one group of clusters runs."""
        return self.stance.targets.get(0, 0)

    @property
    def least(self) -> int:
        """The least that a cluster runs if it runs any, where all are alike."""
        return self.bounds.at_least(0)

    @property
    def most(self) -> int:
        """The most that a cluster may run, where all are alike."""
        return self.bounds.at_most(0)

    def capped(self, rooms: list[int]) -> list[int]:
        """What clusters with so much room may run."""
        most = self.most
        return rooms if most >= UNLIMITED else [min(room, most) for room in rooms]

    @property
    def usual(self) -> bool:
        """Whether a policy asks for nothing that only the general way knows."""
        stance, linked = self.stance, self.linked
        if stance.by_region or not self.replicas or linked.workload.autoscaled:
            return False
        if self.spread.skews or linked.placement.spec.division.keep or not self.bounds.alike:
            return False
        return not self.least or division_mode(linked) is DivisionMode.DUPLICATED

    def weights(self, places: Whole) -> Whole | None:
        """The static weights of candidates; where none of them has any, all count the same."""
        if self.spread.weights is None:
            return None
        weights, needed = self.spread.weights.column[places], self.request.needed
        asked = needed if isinstance(needed, int) else needed[places]
        speak = weights_speak(weights > 0, np.ones(places.size, dtype=bool), asked)
        return weights if speak else np.ones_like(weights)
