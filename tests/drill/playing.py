"""A fleet as it is planned now, and what happens to it."""

from collections.abc import Sequence

from fleet.drill import survive
from fleet.model.decision import Schedule
from fleet.model.endpoint import EndpointDelivery
from fleet.model.plan import DeliveryPlan, Outcome
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.model.snapshot import Snapshot
from fleet.model.survival import By, Drill, Survival
from fleet.schedule import schedule
from tests.builders import settings
from tests.schedule.fleets import as_prior


class Counting:
    """The scheduler, counting how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, snapshot: Snapshot, prior: Prior, words: Settings) -> Schedule:
        """Plans."""
        self.asked += 1
        return schedule(snapshot, prior, words)


def planned(
    snapshot: Snapshot, *, prior: Prior | None = None, endpoints: Sequence[EndpointDelivery] = ()
) -> Outcome:
    """The present plan of a fleet."""
    before, words = prior or Prior(), settings()
    delivered = DeliveryPlan((), (), (), (), tuple(endpoints), (), "")
    return Outcome(words, snapshot, before, schedule(snapshot, before, words), delivered)


def present(outcome: Outcome) -> Prior:
    """What the next run finds."""
    return as_prior(outcome.schedule)


def played(snapshot: Snapshot, *kinds: By) -> Survival:
    """All its scenarios of these kinds."""
    return survive(planned(snapshot), schedule, present, kinds or tuple(By))


def drill_of(survival: Survival, by: str, domain: str) -> Drill:
    """The drill of one scenario."""
    return next(
        each for each in survival.drills if (each.scenario.by, each.scenario.domain) == (by, domain)
    )
