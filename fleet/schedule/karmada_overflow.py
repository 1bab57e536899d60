"""Karmada's overflow: clusters that are used when those before are full."""

import numpy as np

from fleet.model.policy import PlacementPolicy
from fleet.schedule.columns import Whole
from fleet.schedule.karmada_run import KarmadaRun


def overflow_of(run: KarmadaRun, policy: PlacementPolicy) -> Whole | None:
    """Which overflow each cluster belongs to, 0 is none; None where there are none.

    Source: overflowAffinities, which go with a division by room only.
    """
    tiers = policy.spec.tiers
    if not tiers or not tiers[0].overflow:
        return None
    order = np.zeros(run.table.size, dtype=np.int64)
    left = ~run.matching(tiers[0].terms)
    for position, overflow in enumerate(tiers[0].overflow, 1):
        mine = left & run.matching(overflow.terms)
        order[mine] = position
        left &= ~mine
    return order
