"""The question that selection answers: which of the candidates, within which limits, for whom."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

FIRST = 2**32
"""What a replica of an active region counts, against one of a standby region."""


@dataclass(slots=True, eq=False)
class Limit:
    """Between `least` and `most` domains of one kind must be covered (`most` None: no end).

    **Shape**: `of` has each cluster's domains, by its position in the table. `position` is the
    constraint's in the policy's spread; None where it is not written there. `single` has the one
    domain of each cluster; None where some are in several.
    """

    by: str
    least: int
    most: int | None
    of: Sequence[tuple[int, ...]]
    position: int | None = None
    single: Sequence[int] | None = None

    def found(self, places: Iterable[int]) -> set[int]:
        """The domains that clusters cover."""
        return {domain for place in places for domain in self.of[place]}


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """All that selection reads.

    `targets` has the replicas that each group of clusters must hold together where possible; a
    group is a region for a workload with active and standby regions, else there is one group for
    all. Without targets room plays no part. A replica of a `required` group (an active region)
    outweighs all others.

    **Shape**: `order` has the candidates, best first; `caps` and `groups` are by the cluster's
    position in the table; `targets` names no group without a candidate.
    """

    order: Sequence[int]
    caps: Sequence[int]
    groups: Sequence[int]
    targets: Mapping[int, int]
    limits: tuple[Limit, ...] = ()
    least: int = 1
    most: int | None = None
    required: tuple[int, ...] = ()

    def lacks(self, group: int, held: int) -> int:
        """How much it matters what a group lacks that has room for so many replicas."""
        missing = max(0, self.targets.get(group, 0) - held)
        return missing * FIRST if group in self.required else missing

    def held(self, chosen: Iterable[int]) -> dict[int, int]:
        """The room of the chosen clusters, by group."""
        held = dict.fromkeys(self.targets, 0)
        for place in chosen if self.targets else ():
            held[self.groups[place]] += self.caps[place]
        return held

    def deficit(self, chosen: Iterable[int]) -> int:
        """How much the chosen clusters lack in all groups together."""
        return sum(self.lacks(group, room) for group, room in self.held(chosen).items())

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
