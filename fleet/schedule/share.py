"""From selected clusters to replicas: makes the parties of each group and divides."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from fleet.model.policy import DivisionMode
from fleet.model.snapshot import Linked
from fleet.schedule import divide
from fleet.schedule.choice import Choice, Limit, first_cover
from fleet.schedule.cluster_bounds import ClusterBounds
from fleet.schedule.divide import Party
from fleet.schedule.keep import by_weight_kept
from fleet.schedule.overflow import by_level
from fleet.schedule.skew import Evenly, Skew
from fleet.schedule.stance import Stance, division_mode
from fleet.schedule.table import UNLIMITED, Table

_WAYS = {
    DivisionMode.DUPLICATED: divide.duplicated,
    DivisionMode.WEIGHTED: divide.by_capacity,
    DivisionMode.AGGREGATED: divide.aggregated,
}


@dataclass(frozen=True, slots=True, eq=False)
class Division:
    """What the division of one workload reads.

    `skews` ask for even numbers; `levels` (None: one) say which clusters fill first.

    **Shape**: `room`, `weights` (None: by room), `prior` and `levels` by the cluster's position in
    the table.
    """

    table: Table
    linked: Linked
    stance: Stance
    choice: Choice
    room: Sequence[int]
    weights: Mapping[int, int] | None
    prior: Mapping[int, int]
    bounds: ClusterBounds
    skews: tuple[Skew, ...] = ()
    levels: Sequence[int] | None = None

    def cap(self, place: int) -> int:
        """The most that a cluster can run."""
        return min(self.room[place], self.bounds.at_most(place))


def shares(division: Division, chosen: Sequence[int]) -> dict[int, int]:
    """The replicas of each selected cluster, also where it is 0; sorted by cluster.

    Where the replicas alone would leave a limit's least uncovered (a large cluster takes them
    all), the clusters that the limit needs get theirs first.
    """
    given = _divided(division, chosen, frozenset())
    if division_mode(division.linked) is DivisionMode.DUPLICATED or not _spreads(division.choice):
        return given
    running = [place for place in chosen if given[place] or not division.stance.target(place)]
    if lacks(division.choice, running) > lacks(division.choice, chosen):
        return _divided(division, chosen, _needed(division.choice, chosen))
    return given


def _spreads(choice: Choice) -> bool:
    """Whether more than one cluster must run something."""
    return choice.least > 1 or any(limit.least > 1 for limit in choice.limits)


def lacks(choice: Choice, places: Sequence[int]) -> int:
    """How many domains and clusters are missing, in all limits together, for them to hold."""
    lacks = [limit.least - len(limit.found(places)) for limit in choice.limits]
    return sum(max(0, each) for each in (*lacks, choice.least - len(places)))


def _needed(choice: Choice, places: Sequence[int]) -> frozenset[int]:
    return needed_places(choice.limits, choice.least, places)


def needed_places(limits: Sequence[Limit], least: int, places: Sequence[int]) -> frozenset[int]:
    """The clusters, of those in the order of preference, that the limits need to be covered."""
    strict = tuple(limit for limit in limits if limit.least > 1)
    needed = first_cover(strict, places)
    others = [place for place in places if place not in set(needed)]
    more = least - len(needed) if least > 1 else 0
    return frozenset(needed + others[: max(0, more)])


def _divided(division: Division, chosen: Sequence[int], needed: frozenset[int]) -> dict[int, int]:
    """Divides inside each group; where a policy asks for even numbers, first over its domains."""
    rank = {place: position for position, place in enumerate(chosen)}
    even = bool(division.skews) and division_mode(division.linked) is not DivisionMode.DUPLICATED
    given: dict[int, int] = {}
    for group in sorted({division.stance.groups[place] for place in chosen}):
        places = [place for place in chosen if division.stance.groups[place] == group]
        target = division.stance.targets[group]

        def leaf(inside: Sequence[int], replicas: int) -> dict[int, int]:
            return _among(division, sorted(inside), replicas, (rank, needed))

        if even:
            caps = {place: division.cap(place) for place in places}
            kept = {place: min(division.prior.get(place, 0), caps[place]) for place in places}
            given |= Evenly(division.skews, caps, kept, leaf).divide(places, target)
        else:
            given |= leaf(places, target)
    return dict(sorted(given.items()))


def _among(
    division: Division,
    places: Sequence[int],
    replicas: int,
    order: tuple[Mapping[int, int], frozenset[int]],
) -> dict[int, int]:
    """Divides over clusters in the policy's own way. **Shape**: `places` by name."""
    parties = _parties(division, places, *order)
    way = way_of(division.linked, static=division.weights is not None)
    if division.levels is None:
        return dict(zip(places, way(parties, replicas), strict=True))
    levels = [division.levels[place] for place in places]
    return dict(zip(places, by_level(way, parties, levels, replicas), strict=True))


def way_of(linked: Linked, *, static: bool) -> Callable[[Sequence[Party], int], list[int]]:
    """How the replicas of a workload are divided."""
    mode = division_mode(linked)
    if not static or mode is not DivisionMode.WEIGHTED:
        return _WAYS[mode]
    return by_weight_kept if linked.placement.spec.division.keep else divide.by_weight


def _parties(
    division: Division, places: Sequence[int], rank: Mapping[int, int], needed: frozenset[int]
) -> list[Party]:
    """The clusters of a group as the division sees them.

    A cluster without a bound weighs as much as the largest bounded one, and at least what is to
    be divided.
    """
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
        before, least = division.prior.get(place, 0), division.bounds.at_least(place)
        most = min(room, division.bounds.at_most(place))
        parties.append(Party(weight, most, before, least, place in needed, rank[place]))
    return parties
