"""The straight way on columns: all candidates are selected, and they are many.

It answers as the general way does, or not at all; guarded by
test_the_straight_way_agrees_with_the_general_one.
"""

from dataclasses import dataclass

import numpy as np

from fleet.schedule.columns import Whole
from fleet.schedule.handful import is_covered
from fleet.schedule.ledger import HANDFUL, Taken
from fleet.schedule.table import UNLIMITED
from fleet.schedule.task import Task
from fleet.schedule.webster_columns import webster_columns


@dataclass(slots=True, eq=False)
class Many:
    """The candidates as the division sees them.

    **Shape**: columns over `places`, by name.
    """

    task: Task
    places: Whole
    room: Whole
    caps: Whole

    def weights(self) -> Whole:
        """Static weights, or rooms: one without a bound weighs as much as the largest bounded."""
        static = self.task.weights(self.places)
        if static is not None:
            return static
        if self.room.max() < UNLIMITED:
            return self.room
        bounded = self.room[self.room < UNLIMITED]
        most = max(self.task.replicas, int(bounded.max()) if bounded.size else 0)
        return np.minimum(self.room, most)


def straight(task: Task) -> Taken | None:
    """What the workload takes; None where the general way must decide."""
    candidates, spread = task.candidates, task.spread
    if spread.limits or spread.most is not None or task.request.packed:
        return None
    if candidates.size < max(1, spread.least):
        return None
    room = candidates.room[candidates.fits]
    many = Many(task, candidates.places, room, np.minimum(room, task.most))
    counts = _divided(many)
    if counts is None or int(counts.sum()) < task.replicas:
        return None
    some = counts.nonzero()[0]
    if spread.wants_several and not is_covered(spread, many.places.tolist(), counts.tolist()):
        return None
    if some.size <= HANDFUL:
        return Taken(many.places[some].tolist(), counts[some].tolist())
    return Taken(many.places[some], counts[some])


def _divided(many: Many) -> Whole | None:
    """The replicas of each place; None where bounds or lack of room make it harder."""
    task = many.task
    if task.everywhere:
        fits = task.least <= task.replicas <= many.caps.min()
        return np.full_like(many.caps, task.replicas) if fits else None
    if task.spread.weights is None and task.request.prior:
        return _steady(many)
    return webster_columns(many.weights(), task.replicas, many.caps)


def _steady(many: Many) -> Whole:
    """What runs stays as far as the replicas reach; the missing ones go by free room."""
    prior, replicas = many.task.request.prior, many.task.replicas
    before = np.array([prior.get(place, 0) for place in many.places.tolist()], dtype=np.int64)
    kept = np.minimum(before, many.caps)
    missing = replicas - int(kept.sum())
    if missing < 0:
        return webster_columns(before, replicas, kept)
    free = np.maximum(many.weights() - kept, 0)
    return kept + webster_columns(free, missing, many.caps - kept)
