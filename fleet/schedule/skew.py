"""Divides evenly over domains, and inside each of them again: what `maxSkew` asks for.

The constraints with a `maxSkew` nest in the order of the policy: between the used domains of the
first, then inside each of them between the used domains of the second, numbers differ by at most
`most`. Inside the innermost domains the policy's own way of dividing counts.

The rule: as equal as room allows, starting from what runs. Where that breaks the skew, all domains
get a common floor, and none more than floor + skew. Where that places not all, the domain with
least room is left out, then the next, as long as enough domains are left. Nothing that runs goes
for the skew where every way is short: then it stays, and the others grow as far as the skew allows.
Of ways that are all short the one counts that places most. All trying together takes at most STEPS
steps; the first way of each domain is always tried.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from fleet.model.source import Source
from fleet.model.webster import Seats
from fleet.schedule.choice import Budget
from fleet.schedule.even import (
    even_shares,
    is_even,
    levelled,
    most_even,
    settled_caps,
    settled_shares,
)

STEPS = 500
Leaf = Callable[[Sequence[int], int], Mapping[int, int]]


@dataclass(frozen=True, slots=True, eq=False)
class Skew:
    """Between used domains of one kind, numbers differ by at most `most`.

    **Shape**: `of` has each cluster's domain, by the cluster's position in the table; clusters
    with the same list of zones are one domain. `least` is the least number of domains.
    """

    by: str
    most: int
    least: int
    of: Sequence[int]
    source: Source


class _Domain(NamedTuple):
    """Clusters of one domain, best first: how much fits, and how much runs there."""

    places: list[int]
    cap: int
    kept: int


@dataclass(slots=True, eq=False)
class Evenly:
    """Divides replicas over nested domains; `leaf` divides inside an innermost one.

    **Shape**: `caps` and `kept` (never above the cap) by the cluster's position.
    """

    skews: Sequence[Skew]
    caps: Mapping[int, int]
    kept: Mapping[int, int]
    leaf: Leaf
    budget: Budget = field(default_factory=lambda: Budget(STEPS))

    def divide(self, places: Sequence[int], replicas: int, depth: int = 0) -> dict[int, int]:
        """The replicas of each cluster. **Shape**: `places` best first."""
        if depth == len(self.skews):
            return dict(self.leaf(places, replicas))
        domains = self._domains(places, depth)
        best: dict[int, int] = {}
        most = -1
        for shares, settled in self._ways(domains, replicas, depth):
            given: dict[int, int] = {}
            numbers = []
            for domain, share in zip(domains, shares, strict=True):
                inside = self.divide(domain.places, share, depth + 1)
                given |= inside
                numbers.append(sum(inside.values()))
            even = is_even(numbers, self.skews[depth].most)
            placed = sum(numbers)
            if even and placed == replicas:
                return given
            if (even or settled) and placed > most - settled:
                best, most = given, placed
            if not self.budget.spend():
                break
        return best or given

    def most(self, places: Sequence[int], depth: int = 0) -> int:
        """How many replicas can be placed on clusters within the skews."""
        if depth == len(self.skews):
            return sum(self.caps[place] for place in places)
        domains = self._domains(places, depth)
        skew = self.skews[depth].most
        ways = [
            most_even([each.cap for each in opened], skew)
            for opened in self._opened(domains, depth)
        ]
        used = [each for each in domains if each.kept]
        settled = settled_caps([each.kept for each in used], [each.cap for each in used], skew)
        return max(*ways, sum(settled), 0)

    def _domains(self, places: Sequence[int], depth: int) -> list[_Domain]:
        """The domains of one kind, in the order in which clusters bring them up."""
        return [
            _Domain(inside, self.most(inside, depth + 1), sum(self.kept[each] for each in inside))
            for inside in by_domain(self.skews[depth], places)
        ]

    def _opened(self, domains: Sequence[_Domain], depth: int) -> Iterator[list[_Domain]]:
        """All domains with room, then without the one that has least (the last of equal ones).

        And so on, as far as enough are left.

        A domain inside others is left out only where no least number counts all of them together.
        """
        usable = [position for position, each in enumerate(domains) if each.cap]
        ranked = sorted(usable, key=lambda each: (domains[each].cap, -each))
        least = self.skews[depth].least
        fewest = len(usable) if depth and least > 1 else least
        for count in range(max(1, len(usable) - fewest + 1)):
            left_out = set(ranked[:count])
            yield [domains[each] for each in usable if each not in left_out]

    def _ways(
        self, domains: Sequence[_Domain], replicas: int, depth: int
    ) -> Iterator[tuple[Seats, bool]]:
        """The shares of all domains, the preferred way first; True where what runs stays."""
        skew = self.skews[depth].most
        kept, caps = [each.kept for each in domains], [each.cap for each in domains]
        level = levelled(kept, caps, replicas)
        if is_even(level, skew):
            yield level, False
        for opened in self._opened(domains, depth):
            shares = even_shares(
                [each.kept for each in opened], [each.cap for each in opened], replicas, skew
            )
            by_place = {each.places[0]: share for each, share in zip(opened, shares, strict=True)}
            yield [by_place.get(each.places[0], 0) for each in domains], False
        if any(kept):
            yield settled_shares(kept, caps, replicas, skew), True


def by_domain(skew: Skew, places: Sequence[int]) -> list[list[int]]:
    """The clusters of each domain, both in the given order."""
    members: dict[int, list[int]] = {}
    for place in places:
        members.setdefault(skew.of[place], []).append(place)
    return list(members.values())


def trimmed(skews: Sequence[Skew], chosen: Sequence[int], running: Mapping[int, int]) -> list[int]:
    """The clusters of a workload that runs everywhere: their numbers in used domains are even.

    No domain is left out, and none that runs already. **Shape**: `chosen` best first.
    """
    if not skews:
        return list(chosen)
    skew, *inner = skews
    domains = [trimmed(inner, places, running) for places in by_domain(skew, chosen)]
    top = min(map(len, domains), default=0) + skew.most
    kept: set[int] = set()
    for places in domains:
        first = sorted(places, key=lambda place: place not in running)
        kept.update(first[: max(top, sum(place in running for place in places))])
    return [place for place in chosen if place in kept]


def narrowed(
    skews: Sequence[Skew], order: Sequence[int], sizes: Sequence[int] | None
) -> Iterator[list[int]]:
    """The candidates; then without the smallest outermost domain, and so on.

    Selection looks at room alone: a small domain that it opens may bound all others by the skew.
    **Shape**: `sizes` by the cluster's position; None counts clusters.
    """
    yield list(order)
    if not skews:
        return
    domains = by_domain(skews[0], order)
    weights = [sum(sizes[place] if sizes else 1 for place in places) for places in domains]
    ranked = sorted(range(len(domains)), key=lambda each: (weights[each], -each))
    for count in range(1, min(len(domains) - max(1, skews[0].least) + 1, NARROWINGS)):
        left_out = {place for each in ranked[:count] for place in domains[each]}
        yield [place for place in order if place not in left_out]


NARROWINGS = 32
"""How often candidates are narrowed at most."""
