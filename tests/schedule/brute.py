"""A plain, slow model of placement: written from docs/format.md, tries everything, knows no numpy.

It gives the exact answer where the rules name one (`expected`), and the least that any selection
must be short of where they only name a quality (`least_shortfall`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from tests.model.brute_webster import seat_by_seat

BOUNDLESS = 10**9


@dataclass(frozen=True)
class Place:
    """A cluster.

    `size` and `left` are in cores (None: it declares nothing); `wish` has the points of the
    preferred terms, 0 to 100; `weight` its static weight; `regions` and `zones` where it lies.
    """

    name: str
    size: int | None
    left: int | None
    region: str = "eu"
    zones: tuple[str, ...] = ()
    wish: int = 0
    weight: int = 1

    def domains(self, by: str) -> frozenset[str]:
        """Its values of a domain."""
        if by == "cluster":
            return frozenset({self.name})
        return frozenset({self.region}) if by == "region" else frozenset(self.zones)


@dataclass(frozen=True)
class Rule:
    """Between `least` and `most` different values of a domain are used."""

    by: str
    least: int = 1
    most: int | None = None


@dataclass(frozen=True)
class Demand:
    """A workload with its policy; `mode` static is weighted with static weights."""

    replicas: int
    mode: str = "duplicated"
    rules: tuple[Rule, ...] = ()
    floor: int = 0
    ceiling: int = BOUNDLESS
    cores: int = 1
    before: Mapping[str, int] = field(default_factory=dict)

    def room(self, place: Place) -> int:
        """How many replicas fit."""
        return BOUNDLESS if place.left is None else place.left // self.cores

    def cap(self, place: Place) -> int:
        """How many it may run."""
        return min(self.room(place), self.ceiling)

    def kept(self, place: Place) -> int:
        """What may stay of what ran."""
        return min(self.before.get(place.name, 0), self.cap(place))

    def rule(self, by: str) -> Rule:
        """What is said of a domain."""
        return next((rule for rule in self.rules if rule.by == by), Rule(by))


def candidates(demand: Demand, places: Sequence[Place]) -> list[Place]:
    """Who may run it, in the order of preference: points, room within bounds, then the name."""
    fits = _feasible(demand, places)
    if demand.mode == "static":
        fits = [place for place in fits if place.weight] or [
            replace(place, weight=1) for place in fits
        ]
    return sorted(fits, key=lambda place: (-_points(demand, place), -demand.cap(place), place.name))


def _feasible(demand: Demand, places: Sequence[Place]) -> list[Place]:
    """Who has room, and a value for every limit."""
    known = [place for place in places if all(place.domains(rule.by) for rule in demand.rules)]
    return [place for place in known if demand.room(place) >= _needed(demand, place)]


def _needed(demand: Demand, place: Place) -> int:
    """A copy needs room for all, and stays with what fits; a part for the least of a cluster."""
    if demand.mode != "duplicated":
        return max(1, demand.floor) if demand.replicas else 0
    every = min(demand.replicas, demand.ceiling)
    return min(every, 1) if demand.before.get(place.name) else every


def _points(demand: Demand, place: Place) -> int:
    """Being there, the wishes, and what is left in percent; a packed workload asks not for it."""
    left = 100
    if place.left is not None and place.size is not None:
        left = 100 * place.left // max(1, place.size)
    there = 100 if place.name in demand.before else 0
    return 6 * there + 3 * place.wish + (0 if demand.mode == "aggregated" else left)


def selections(demand: Demand, order: Sequence[Place]) -> Iterator[tuple[Place, ...]]:
    """Every set of clusters within all limits."""
    for size in range(1, len(order) + 1):
        for chosen in combinations(order, size):
            if all(_holds(rule, chosen) for rule in demand.rules):
                yield chosen


def _holds(rule: Rule, chosen: Sequence[Place]) -> bool:
    count = len(covered(rule.by, chosen))
    return rule.least <= count and (rule.most is None or count <= rule.most)


def covered(by: str, chosen: Sequence[Place]) -> set[str]:
    """The values of a domain that clusters cover."""
    return {domain for place in chosen for domain in place.domains(by)}


def held(demand: Demand, chosen: Sequence[Place]) -> int:
    """How many of the replicas clusters have room for together."""
    return min(demand.replicas, sum(demand.cap(place) for place in chosen))


def least_shortfall(demand: Demand, places: Sequence[Place]) -> int:
    """What must run nowhere, whichever clusters within the limits are taken."""
    order = candidates(demand, places)
    found = [held(demand, chosen) for chosen in selections(limits_of(demand, places), order)]
    return demand.replicas - max(found, default=0)


def limits_of(demand: Demand, places: Sequence[Place]) -> Demand:
    """The demand with the limits that count for it.

    Each least is a demand on new placements: for what runs it is no more than there is, and 1
    where the limits cannot be kept together.
    """
    order = candidates(demand, places)
    if not _runs(demand, places):
        return demand
    rules = [
        replace(rule, least=min(rule.least, len(covered(rule.by, order)))) for rule in demand.rules
    ]
    eased = replace(demand, rules=tuple(rules))
    if any(selections(eased, order)):
        return eased
    return replace(demand, rules=tuple(replace(rule, least=1) for rule in rules))


def _runs(demand: Demand, places: Sequence[Place]) -> bool:
    """Whether it runs, and may go on, anywhere."""
    return any(place.name in demand.before for place in _feasible(demand, places))


def expected(demand: Demand, places: Sequence[Place]) -> dict[str, int] | None:
    """The replicas of each cluster; None where the rules name no single answer.

    For limits on clusters and regions, and bounds only where nothing runs yet.
    """
    order = candidates(demand, places)
    demand = limits_of(demand, places)
    chosen = _first_choice(demand, order)
    if chosen is None:
        return {}
    if demand.mode == "duplicated":
        counts = [demand.cap(place) for place in chosen]
        amounts = [min(demand.replicas, count) for count in counts]
        return _named(demand, chosen, [n if n >= demand.floor else 0 for n in amounts])
    if sum(demand.cap(place) for place in chosen) < demand.replicas:
        if demand.rule("region") != Rule("region"):
            return None
        chosen = _exchanged(demand, chosen, order)
    return _divided(demand, chosen)


def _named(demand: Demand, chosen: Sequence[Place], counts: Sequence[int]) -> dict[str, int]:
    pairs = zip(chosen, counts, strict=True)
    return {place.name: count for place, count in pairs if count or not demand.replicas}


def _first_choice(demand: Demand, order: list[Place]) -> list[Place] | None:
    """The regions of the best clusters that hold enough clusters; in them the best clusters.

    What the regions need comes first.
    """
    regions, clusters = demand.rule("region"), demand.rule("cluster")
    names = list(dict.fromkeys(place.region for place in order))
    if len(names) < regions.least or not order:
        return None
    for opened in combinations(names, min(len(names), regions.most or len(names))):
        inside = [place for place in order if place.region in opened]
        count = min(len(inside), clusters.most or len(inside))
        leaders = _leaders(inside, regions.least)
        if count >= clusters.least and count >= regions.least:
            chosen = [*leaders, *(each for each in inside if each not in leaders)][:count]
            return [place for place in order if place in chosen]
    return None


def _leaders(places: Sequence[Place], count: int) -> list[Place]:
    """The best cluster of each of the first regions."""
    first: dict[str, Place] = {}
    for place in places:
        first.setdefault(place.region, place)
    return list(first.values())[:count]


def _exchanged(demand: Demand, chosen: list[Place], order: list[Place]) -> list[Place]:
    """From the last to the first, each gives way to the largest that is left, while room lacks."""
    for old in reversed(chosen):
        if sum(demand.cap(place) for place in chosen) >= demand.replicas:
            break
        outside = [place for place in order if place not in chosen]
        new = max(outside, key=demand.cap, default=old)
        if demand.cap(new) > demand.cap(old):
            chosen = [new if place == old else place for place in chosen]
    return [place for place in order if place in chosen]


def _divided(demand: Demand, chosen: list[Place]) -> dict[str, int] | None:
    """Divides; what the limits need gets the first replicas where it would get none."""
    given = _shares(demand, chosen, frozenset())
    if given is None:
        return None
    running = [place for place in chosen if given.get(place.name)]
    strict = [rule for rule in demand.rules if rule.least > 1]
    if demand.replicas and any(len(covered(it.by, running)) < it.least for it in strict):
        return _shares(demand, chosen, frozenset(_needed_first(demand, chosen)))
    return given


def _needed_first(demand: Demand, chosen: list[Place]) -> list[str]:
    regions, clusters = demand.rule("region").least, demand.rule("cluster").least
    needed = _leaders(chosen, regions) if regions > 1 else []
    others = [place for place in chosen if place not in needed]
    more = max(0, clusters - len(needed)) if clusters > 1 else 0
    return [place.name for place in (*needed, *others[:more])]


def _shares(demand: Demand, chosen: list[Place], needed: frozenset[str]) -> dict[str, int] | None:
    """The way of the mode, over the clusters by name."""
    by_name = sorted(chosen, key=lambda place: place.name)
    fresh = demand.mode == "static" or not any(map(demand.kept, by_name))
    if (demand.floor or needed) and (not fresh or demand.mode == "aggregated"):
        return None
    if demand.mode == "aggregated":
        counts = _packed(demand, by_name, chosen)
    elif fresh:
        counts = _in_proportion(demand, by_name, needed)
    else:
        counts = _steady(demand, by_name, by_name)
    return _named(demand, by_name, counts)


def weights(demand: Demand, chosen: Sequence[Place]) -> list[int]:
    """Static ones, or room; one without a bound weighs as the largest, and as much as is wanted."""
    if demand.mode == "static":
        return [place.weight for place in chosen]
    rooms = [demand.room(place) for place in chosen]
    bounded = [room for room in rooms if room < BOUNDLESS]
    return [min(room, max(demand.replicas, *bounded, 0)) for room in rooms]


def _in_proportion(demand: Demand, by_name: list[Place], needed: frozenset[str]) -> list[int]:
    """Floors first as far as the replicas reach, then Webster.

    Floors of what the limits need, then where it runs, then for the heaviest; or, if that places
    more, of what the limits need, then for the roomiest.
    """
    heavy = weights(demand, by_name)
    caps = [demand.cap(place) for place in by_name]
    first = [place.name not in needed for place in by_name]
    there = [not demand.kept(place) for place in by_name]
    settled = [(*each[:2], -each[2]) for each in zip(first, there, heavy, strict=True)]
    roomiest = [(each, False, -cap) for each, cap in zip(first, caps, strict=True)]
    ways = []
    for keys in (settled, roomiest):
        start, open_caps, left = [0] * len(caps), [0] * len(caps), demand.replicas
        for _, each in sorted(zip(keys, range(len(keys)), strict=True)):
            least = max(demand.floor, int(not first[each]))
            if least <= min(left, caps[each]):
                start[each], open_caps[each] = least, caps[each]
                left -= least
        ways.append(seat_by_seat(heavy, left, open_caps, start))
    return max(ways, key=sum)


def _steady(demand: Demand, by_name: list[Place], growing: Sequence[Place]) -> list[int]:
    """What runs stays; the missing ones go by free room, the surplus by the old numbers."""
    kept = [demand.kept(place) for place in by_name]
    if sum(kept) > demand.replicas:
        old = [demand.before.get(place.name, 0) for place in by_name]
        return seat_by_seat(old, demand.replicas, kept)
    pairs = zip(weights(demand, by_name), kept, strict=True)
    free = [max(0, weight - count) for weight, count in pairs]
    caps = [
        demand.cap(place) - count if place in growing else 0
        for place, count in zip(by_name, kept, strict=True)
    ]
    added = seat_by_seat(free, demand.replicas - sum(kept), caps)
    return [count + more for count, more in zip(kept, added, strict=True)]


def _packed(demand: Demand, by_name: list[Place], chosen: list[Place]) -> list[int]:
    """Over the shortest beginning of: where it runs (largest first), then the best."""
    surplus = sum(map(demand.kept, chosen)) - demand.replicas

    def amount(place: Place) -> int:
        return demand.kept(place) if surplus > 0 else demand.cap(place) - demand.kept(place)

    there = sorted((place for place in chosen if demand.kept(place)), key=lambda it: -amount(it))
    line = [*there, *(place for place in chosen if place not in there)]
    enough = demand.replicas if surplus > 0 else -surplus
    length = next((n for n in range(len(line)) if sum(map(amount, line[:n])) >= enough), len(line))
    if surplus <= 0:
        return _steady(demand, by_name, line[:length])
    old = [demand.before.get(it.name, 0) if it in line[:length] else 0 for it in by_name]
    return seat_by_seat(old, demand.replicas, [demand.kept(place) for place in by_name])
