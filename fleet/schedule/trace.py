"""What is kept of a decision so that it can be explained later."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from fleet.model.decision import Assignment, Rejection
from fleet.model.snapshot import Linked
from fleet.schedule.attempt import Attempt
from fleet.schedule.choice import Choice
from fleet.schedule.columns import Mask
from fleet.schedule.select import Selection
from fleet.schedule.spread import Spread
from fleet.schedule.stance import Stance
from fleet.schedule.tiers import Tiered
from fleet.schedule.uneven import left_out


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """What is needed to answer again for one decision.

    `candidates` took part in the selection; `over` says which quota left fewer replicas;
    `left_out` are selected clusters that only the demand for even numbers left without any.
    """

    linked: Linked
    stance: Stance
    choice: Choice
    spread: Spread
    selection: Selection
    candidates: Mask
    placed: Mapping[int, Assignment]
    over: Rejection | None
    left_out: frozenset[int]
    tiered: Tiered | None


def trace_of(made: Attempt, placed: Mapping[int, Assignment], tiered: Tiered | None) -> Trace:
    """The trace of an answer, without what is as long as the inventory."""
    candidates = np.zeros(made.asked.request.table.size, dtype=bool)
    candidates[made.asked.order] = True
    return Trace(
        linked=made.asked.linked,
        stance=made.asked.stance,
        choice=replace(made.division.choice, order=(), caps=()),
        spread=made.asked.spread,
        selection=made.selection,
        candidates=candidates,
        placed=placed,
        over=made.over,
        left_out=left_out(made),
        tiered=tiered,
    )
