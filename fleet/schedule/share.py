"""From selected clusters to replicas: makes the parties of each group and divides."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from fleet.model.policy import DivisionMode
from fleet.model.snapshot import Linked
from fleet.schedule import divide
from fleet.schedule.choice import Choice, Cover, first_cover
from fleet.schedule.divide import Party
from fleet.schedule.keep import by_weight_kept
from fleet.schedule.stance import Stance, division_mode, highest, lowest
from fleet.schedule.table import UNLIMITED, Table

_DIVIDE = {
    DivisionMode.DUPLICATED: divide.duplicated,
    DivisionMode.WEIGHTED: divide.by_capacity,
    DivisionMode.AGGREGATED: divide.aggregated,
}


@dataclass(frozen=True, slots=True, eq=False)
class Division:
    """What the division of one workload reads.

    **Shape**: `room`, `weights` (None: by room) and `prior` by the cluster's position in the table.
    """

    table: Table
    linked: Linked
    stance: Stance
    choice: Choice
    room: Sequence[int]
    weights: Mapping[int, int] | None
    prior: Mapping[int, int]


def shares(division: Division, chosen: Sequence[int]) -> dict[int, int]:
    """The replicas of each selected cluster, also where it is 0; sorted by cluster.

    Where the replicas alone would leave a limit's least uncovered (a large cluster takes them
    all), the clusters that the limit needs get theirs first.
    """
    given = _divided(division, chosen, frozenset())
    if division_mode(division.linked) is DivisionMode.DUPLICATED or not _spreads(division.choice):
        return given
    running = [place for place in chosen if given[place] or not division.stance.target(place)]
    if _uncovered(division.choice, running) > _uncovered(division.choice, chosen):
        return _divided(division, chosen, frozenset(_needed(division.choice, chosen)))
    return given


def _spreads(choice: Choice) -> bool:
    """Whether more than one cluster must run something."""
    return choice.least > 1 or any(limit.least > 1 for limit in choice.limits)


def _uncovered(choice: Choice, places: Sequence[int]) -> int:
    """How many domains, or clusters, are missing for the limits to hold."""
    cover = Cover(choice.limits)
    for place in places:
        cover.add(place)
    return max(cover.missing(), choice.least - len(places))


def _needed(choice: Choice, places: Sequence[int]) -> list[int]:
    """The clusters, best first, that the limits need to be covered."""
    strict = tuple(limit for limit in choice.limits if limit.least > 1)
    needed = first_cover(strict, places)
    others = [place for place in places if place not in set(needed)]
    more = choice.least - len(needed) if choice.least > 1 else 0
    return needed + others[: max(0, more)]


def _divided(division: Division, chosen: Sequence[int], needed: frozenset[int]) -> dict[int, int]:
    """Divides inside each group."""
    rank = {place: position for position, place in enumerate(chosen)}
    given: dict[int, int] = {}
    for group in sorted({division.stance.groups[place] for place in chosen}):
        places = sorted(place for place in chosen if division.stance.groups[place] == group)
        parties = _parties(division, places, rank, needed)
        mode = division_mode(division.linked)
        static = mode is DivisionMode.WEIGHTED and division.weights is not None
        way = _fixed(division.linked) if static else _DIVIDE[mode]
        given.update(zip(places, way(parties, division.stance.targets[group]), strict=True))
    return dict(sorted(given.items()))


def _fixed(linked: Linked) -> Callable[[Sequence[Party], int], list[int]]:
    """The way of fixed weights: over again, or only what is missing."""
    return by_weight_kept if linked.placement.spec.division.keep else divide.by_weight


def _parties(
    division: Division, places: Sequence[int], rank: Mapping[int, int], needed: frozenset[int]
) -> list[Party]:
    """The clusters of a group as the division sees them.

    A cluster without a bound weighs as much as the largest bounded one, and at least what is to
    be divided.
    """
    least, most = lowest(division.linked), highest(division.linked)
    rooms = [division.room[place] for place in places]
    weights: Iterable[int] = rooms
    if division.weights is not None:
        weights = [division.weights[place] for place in places]
    elif max(rooms) >= UNLIMITED:
        bounded = max((room for room in rooms if room < UNLIMITED), default=0)
        bound = max(division.stance.target(places[0]), bounded)
        weights = [min(room, bound) for room in rooms]
    parties = []
    for place, room, weight in zip(places, rooms, weights, strict=True):
        before = division.prior.get(place, 0)
        bounds = (min(room, most), before, least)
        parties.append(Party(weight, *bounds, place in needed, rank[place]))
    return parties
