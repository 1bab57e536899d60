"""What there is to decide for one workload in its turn: everything that both ways read."""

from dataclasses import dataclass

import numpy as np

from fleet.model.snapshot import Linked
from fleet.schedule.candidates import Candidates
from fleet.schedule.columns import Whole
from fleet.schedule.request import Request
from fleet.schedule.spread import Spread
from fleet.schedule.stance import Stance


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """A workload, its policy in terms of the table, and who may run it.

    **Shape**: `weights` (static; None: none) has one entry per cluster of the table.
    """

    linked: Linked
    stance: Stance
    spread: Spread
    request: Request
    feasible: Candidates
    candidates: Candidates
    weights: Whole | None


def task_of(
    linked: Linked, stance: Stance, spread: Spread, request: Request, feasible: Candidates
) -> Task:
    """The task; where weights are static, candidates are those with one.

    Where none of the feasible clusters has any, all count the same.
    """
    candidates, weights = feasible, spread.weights
    if weights is not None:
        light = weights[feasible.where] == 0
        if np.count_nonzero(light & feasible.fits):
            heavy = feasible.without(light)
            if heavy.size:
                candidates = heavy
            else:
                weights = np.ones_like(weights)
    return Task(linked, stance, spread, request, feasible, candidates, weights)
