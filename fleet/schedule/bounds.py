"""From shares to assignments: the role of each cluster, and the bounds of an autoscaler."""

from collections.abc import Mapping

from fleet.model.decision import Assignment
from fleet.model.policy import DivisionMode
from fleet.schedule.divide import at_most
from fleet.schedule.share import Division
from fleet.schedule.stance import division_mode


def assigned(division: Division, given: Mapping[int, int]) -> dict[int, Assignment]:
    """The assignments by the cluster's position, sorted.

    A cluster without a share is left out, unless nothing is to be divided in its group: then it
    is selected without replicas.
    """
    kept = {
        place: count for place, count in given.items() if count or not division.stance.target(place)
    }
    upper = _upper_bounds(division, kept)
    names = division.table.names
    return {
        place: Assignment(
            names[place],
            count,
            division.stance.role(place),
            count if place in upper else None,
            upper.get(place),
        )
        for place, count in kept.items()
    }


def _upper_bounds(division: Division, kept: Mapping[int, int]) -> dict[int, int]:
    """An autoscaler's maximum on each cluster; empty where nobody else owns the replicas.

    A standby region may grow as far as the active one: a failover lands there before any update.
    By capacity the weights are the shares of the minimum, which stay as they are while the room
    of the clusters changes with every neighbour.
    """
    owner = division.linked.workload.autoscaled
    if owner is None:
        return {}
    bounds: dict[int, int] = {}
    for group in sorted({division.stance.groups[place] for place in kept}):
        places = [place for place in kept if division.stance.groups[place] == group]
        if not division.stance.targets[group] and group not in division.stance.active:
            bounds.update(dict.fromkeys(places, 0))
        elif division_mode(division.linked) is DivisionMode.DUPLICATED:
            bounds.update(dict.fromkeys(places, max(owner.maximum, owner.minimum)))
        else:
            least = [kept[place] for place in places]
            weights = [_weight(division, place, kept[place]) for place in places]
            caps = [division.bounds.at_most(place) for place in places]
            most = at_most(weights, least, owner.maximum, caps)
            bounds.update(zip(places, most, strict=True))
    return bounds


def _weight(division: Division, place: int, share: int) -> int:
    return division.weights[place] if division.weights is not None else max(share, 1)
