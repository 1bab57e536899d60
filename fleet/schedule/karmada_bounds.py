"""From what each cluster gets to assignments, with an autoscaler's bounds where one owns them."""

from collections.abc import Mapping, Sequence

from fleet.model.decision import Assignment, Role
from fleet.model.policy import DivisionMode
from fleet.model.webster import webster
from fleet.schedule.karmada_run import Turn
from fleet.schedule.table import UNLIMITED


def bounded(
    turn: Turn, given: Mapping[int, int], roles: Mapping[int, Role], names: Sequence[str]
) -> dict[int, Assignment]:
    """The assignments by the cluster's position, sorted; active where no role is said."""
    owner = turn.workload.autoscaled
    places = sorted(given)
    if owner is None:
        return {
            place: Assignment(names[place], given[place], roles.get(place, Role.ACTIVE))
            for place in places
        }
    most = [owner.maximum] * len(places)
    if turn.mode is not DivisionMode.DUPLICATED:
        least = [max(given[place], 1) for place in places]
        more = max(0, owner.maximum - sum(least))
        most = webster(least, more, [UNLIMITED] * len(least), least)
    return {
        place: Assignment(
            names[place], given[place], roles.get(place, Role.ACTIVE), given[place], upper
        )
        for place, upper in zip(places, most, strict=True)
    }
