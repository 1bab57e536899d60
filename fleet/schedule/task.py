"""What there is to decide for one workload in its turn: everything that both ways read."""

from dataclasses import dataclass

import numpy as np

from fleet.model.policy import DivisionMode
from fleet.model.snapshot import Linked
from fleet.schedule.candidates import Candidates
from fleet.schedule.columns import Whole
from fleet.schedule.compiled import Compiled
from fleet.schedule.heavy import weights_speak
from fleet.schedule.request import Request
from fleet.schedule.spread import Spread
from fleet.schedule.stance import Stance
from fleet.schedule.table import UNLIMITED


@dataclass(slots=True, eq=False)
class Task:
    """A workload, its policy in terms of the table, and who may run it.

    `replicas` is how many one group of clusters runs.
    """

    linked: Linked
    stance: Stance
    compiled: Compiled
    request: Request
    candidates: Candidates
    replicas: int

    @property
    def least(self) -> int:
        """The least that a cluster runs if it runs any, where all are alike."""
        return self.compiled.bounds.at_least(0)

    @property
    def most(self) -> int:
        """The most that a cluster may run, where all are alike."""
        return self.compiled.bounds.at_most(0)

    def capped(self, rooms: list[int]) -> list[int]:
        """What clusters with so much room may run."""
        most = self.most
        return rooms if most >= UNLIMITED else [min(room, most) for room in rooms]

    @property
    def usual(self) -> bool:
        """Whether nothing is asked for that only the general way knows."""
        by_region, scaled = self.stance.by_region, self.linked.workload.autoscaled
        return self.compiled.usual and not by_region and not scaled and bool(self.replicas)

    @property
    def everywhere(self) -> bool:
        """Whether every selected cluster runs all replicas."""
        return self.compiled.mode is DivisionMode.DUPLICATED

    @property
    def spread(self) -> Spread:
        """What the policy says of domains and weights."""
        return self.compiled.spread

    def weights(self, places: Whole) -> Whole | None:
        """The static weights of candidates; where none of them has any, all count the same."""
        if self.spread.weights is None:
            return None
        weights, needed = self.spread.weights.column[places], self.request.needed
        asked = needed if isinstance(needed, int) else needed[places]
        speak = weights_speak(weights > 0, np.ones(places.size, dtype=bool), asked)
        return weights if speak else np.ones_like(weights)
