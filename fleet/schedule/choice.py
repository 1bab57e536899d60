"""The question that selection answers: which of the candidates, within which limits, for whom."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from fleet.model.source import Source


@dataclass(frozen=True, slots=True, eq=False)
class Limit:
    """Between `least` and `most` domains of one kind must be covered (`most` None: no end).

    **Shape**: `of` has each cluster's domains, by the cluster's position in the table.
    """

    by: str
    least: int
    most: int | None
    of: Sequence[tuple[int, ...]]
    least_source: Source | None = None
    most_source: Source | None = None

    def found(self, places: Iterable[int]) -> set[int]:
        """The domains that clusters cover."""
        return {domain for place in places for domain in self.of[place]}


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """All that selection reads.

    `targets` has the replicas that each group of clusters must hold together where possible; a
    group is a region for a workload with active and standby regions, else there is one group for
    all. Without targets room plays no part. A group counts when one of its clusters is selected;
    the groups of `required` always are.

    **Shape**: `order` has the candidates, best first; `caps` and `groups` are by the cluster's
    position in the table.
    """

    order: Sequence[int]
    caps: Sequence[int]
    groups: Sequence[int]
    targets: Mapping[int, int]
    limits: tuple[Limit, ...] = ()
    least: int = 1
    most: int | None = None
    required: tuple[int, ...] = ()

    def deficit(self, chosen: Iterable[int]) -> int:
        """How many replicas the chosen clusters lack room for."""
        if not self.targets:
            return 0
        held: dict[int, int] = {}
        for place in chosen:
            held[self.groups[place]] = held.get(self.groups[place], 0) + self.caps[place]
        return sum(max(0, self.targets[group] - room) for group, room in held.items())

    def least_deficit(self) -> int:
        """A bound below which no selection can come, so that nothing is searched in vain."""
        if not self.targets:
            return 0
        if len(self.targets) != 1:
            return sum(
                max(0, self.targets[group] - self._room_of(group)) for group in self.required
            )
        rooms = [sorted((self.caps[place] for place in self.order), reverse=True)[: self.most]]
        rooms += [
            sorted(self.rooms(limit, self.order).values(), reverse=True)[: limit.most]
            for limit in self.limits
            if limit.most is not None
        ]
        (target,) = self.targets.values()
        return max(0, target - min(map(sum, rooms)))

    def _room_of(self, group: int) -> int:
        """The room of a group's candidates, all of them selected."""
        return sum(self.caps[place] for place in self.order if self.groups[place] == group)

    def rooms(self, limit: Limit, places: Iterable[int]) -> dict[int, int]:
        """The room of each domain, in the order in which the clusters bring them up."""
        room: dict[int, int] = {}
        for place in places:
            for domain in limit.of[place]:
                room[domain] = room.get(domain, 0) + self.caps[place]
        return room


@dataclass(slots=True)
class Cover:
    """How many chosen clusters are in each domain of each limit."""

    limits: tuple[Limit, ...]
    counts: list[dict[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.counts = [{} for _ in self.limits]

    def add(self, place: int) -> None:
        """Counts a cluster in."""
        for limit, count in zip(self.limits, self.counts, strict=True):
            for domain in limit.of[place]:
                count[domain] = count.get(domain, 0) + 1

    def remove(self, place: int) -> None:
        """Counts a cluster out."""
        for limit, count in zip(self.limits, self.counts, strict=True):
            for domain in limit.of[place]:
                count[domain] -= 1
                if not count[domain]:
                    del count[domain]

    def missing(self) -> int:
        """The most domains that any limit still lacks."""
        lacks = [
            limit.least - len(count) for limit, count in zip(self.limits, self.counts, strict=True)
        ]
        return max(0, *lacks) if lacks else 0

    def helps(self, place: int) -> bool:
        """Whether a cluster brings a domain that a limit still lacks."""
        return any(
            len(count) < limit.least and any(domain not in count for domain in limit.of[place])
            for limit, count in zip(self.limits, self.counts, strict=True)
        )


@dataclass(slots=True)
class Budget:
    """How many steps a search may still take; what it finds until then counts."""

    steps: int

    def spend(self) -> bool:
        """Takes a step, if there is one."""
        self.steps -= 1
        return self.steps >= 0


def first_cover(limits: tuple[Limit, ...], places: Iterable[int]) -> list[int]:
    """The clusters, in the given order, that are needed for every limit's least."""
    cover, needed = Cover(limits), []
    for place in places:
        if cover.helps(place):
            cover.add(place)
            needed.append(place)
    return needed
