"""Drills of fleets that are made in memory."""

from fleet.deliver.endpoints import endpoints_of
from fleet.drill.emergencies import emergencies
from fleet.drill.exercises import exercise
from fleet.errors import InvalidError
from fleet.model.exercise import (
    ALL_KINDS,
    Check,
    Emergency,
    Exercise,
    Exercises,
    Item,
    Kind,
    NameExercise,
    Replanned,
)
from fleet.model.plan import DeliveryPlan, Outcome
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.model.snapshot import Snapshot
from fleet.schedule import schedule
from tests.drill.playing import present


class Replanning:
    """What the pipeline hands in, counting how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, snapshot: Snapshot, prior: Prior, words: Settings) -> Replanned:
        """Plans decisions and names."""
        self.asked += 1
        decided = schedule(snapshot, prior, words)
        try:
            return Replanned(decided, endpoints_of(snapshot, decided, prior))
        except InvalidError as error:
            return Replanned(decided, refused=tuple(str(each) for each in error.errors))


def today(snapshot: Snapshot, words: Settings | None = None) -> Outcome:
    """The present plan of a fleet, with its names."""
    said = words or Settings()
    decided = schedule(snapshot, Prior(), said)
    endpoints = endpoints_of(snapshot, decided, Prior())
    plan = DeliveryPlan((), (), (), (), endpoints, (), "")
    return Outcome(said, snapshot, Prior(), decided, plan)


def drilled(
    snapshot: Snapshot, *asked: Emergency | Kind, words: Settings | None = None
) -> Exercises:
    """A drill: of these emergencies, of all of these kinds, of everything where none is said."""
    outcome = today(snapshot, words)
    kinds = [each for each in asked if isinstance(each, Kind)]
    found = list(emergencies(snapshot, kinds or () if asked else ALL_KINDS))
    found += [each for each in asked if isinstance(each, Emergency)]
    return exercise(outcome, Replanning(), present(outcome), found)


def dead(*clusters: str) -> Emergency:
    """The death of these clusters."""
    return Emergency(Kind.REGION, "+".join(clusters), tuple(sorted(clusters)))


def the_exercise(snapshot: Snapshot, *clusters: str, words: Settings | None = None) -> Exercise:
    """What the death of these clusters does."""
    (found,) = drilled(snapshot, dead(*clusters), words=words).played
    return found


def name_of(exercise_: Exercise, dns_name: str = "web.fleet.test") -> NameExercise:
    """One name of an exercise."""
    return next(each for each in exercise_.names if each.dns_name == dns_name)


def check_of(exercise_: Exercise, item: Item, subject: str = "web") -> Check:
    """One check of an exercise."""
    found = (each for each in exercise_.checks if (each.item, each.subject) == (item, subject))
    return next(found)
