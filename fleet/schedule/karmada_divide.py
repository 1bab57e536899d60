"""How Karmada divides replicas over the clusters that it took: whole numbers, exact.

Pure. Equal claims go to the first cluster by name, or to the last where the workload says
`ties: descending`. Who gets nothing is left out. None: the clusters do not hold all.
Source: pkg/scheduler/core/assignment.go and division_algorithm.go.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fleet.model.webster import webster
from fleet.schedule.columns import Whole
from fleet.schedule.karmada_select import best

Given = dict[int, int]


@dataclass(frozen=True, slots=True)
class Ask:
    """So many replicas, and the direction that ends ties."""

    replicas: int
    descending: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Votes:
    """What each cluster claims. **Shape**: `places` are positions in the table, by name."""

    places: Whole
    counts: Whole

    @classmethod
    def of(cls, counts: Mapping[int, int]) -> "Votes":
        """Votes by place.

        >>> Votes.of({3: 7, 1: 9}).places.tolist()
        [1, 3]
        """
        places = sorted(counts)
        return cls(
            np.array(places, dtype=np.int64),
            np.array([counts[place] for place in places], dtype=np.int64),
        )

    def at(self, positions: Whole) -> "Votes":
        """Those at some positions."""
        return Votes(self.places[positions], self.counts[positions])

    @property
    def total(self) -> int:
        """All votes together."""
        return int(self.counts.sum())


def by_votes(votes: Votes, ask: Ask) -> Given:
    """Webster over votes; who has none gets nothing.

    Of many parties only as many as there are seats can get one: those with most votes.

    >>> by_votes(Votes.of({1: 100, 2: 80, 3: 30, 4: 20}), Ask(8))
    {1: 3, 2: 3, 3: 1, 4: 1}
    >>> by_votes(Votes.of({1: 1, 2: 1}), Ask(5, descending=True))
    {2: 3, 1: 2}
    """
    places, counts = votes.places, votes.counts
    if ask.descending:
        places, counts = places[::-1], counts[::-1]
    taken = best(counts, ask.replicas)
    names, weights = places[taken].tolist(), counts[taken].tolist()
    seats = webster(weights, ask.replicas, [ask.replicas] * len(weights))
    return {place: count for place, count in zip(names, seats, strict=True) if count}


def static(weights: Votes, ask: Ask) -> Given:
    """By weight, whatever runs and whatever fits; where all weigh 0, all count the same.

    >>> static(Votes.of({1: 3, 2: 2, 3: 1, 4: 0}), Ask(12))
    {1: 6, 2: 4, 3: 2}
    >>> static(Votes.of({1: 0, 2: 0, 3: 0}), Ask(12))
    {1: 4, 2: 4, 3: 4}
    """
    if not weights.counts.any():
        weights = Votes(weights.places, np.ones_like(weights.counts))
    return by_votes(weights, ask)


def dynamic(free: Votes, before: Mapping[int, int], ask: Ask) -> Given | None:
    """By room, steadily: what runs stays; only what is missing, or too much, is divided.

    More are wanted: what is missing is divided over the `free` room and added to what ran
    `before`. Fewer: all are divided over the old numbers, and room plays no part.

    >>> dynamic(Votes.of({1: 18, 2: 12, 3: 6}), {}, Ask(12))
    {1: 6, 2: 4, 3: 2}
    >>> dynamic(Votes.of({1: 10, 2: 10, 3: 10}), {1: 2, 2: 4, 3: 6}, Ask(24))
    {1: 6, 2: 8, 3: 10}
    >>> dynamic(Votes.of({1: 1, 2: 1, 3: 1}), {1: 2, 2: 4, 3: 6}, Ask(6))
    {1: 1, 2: 2, 3: 3}
    """
    kept = _kept(before, free.places.tolist() if before else ())
    missing = ask.replicas - sum(kept.values())
    if missing <= 0:
        return _shrunk(kept, ask, packed=False)
    if free.total < missing:
        return None
    return _added(kept, by_votes(free, Ask(missing, ask.descending)))


def aggregated(free: Votes, before: Mapping[int, int], ask: Ask) -> Given | None:
    """As `dynamic`, but over the shortest beginning of the list that holds what is to be divided.

    The list: where it runs already, then most room; of equal ones the first in `free`, which is
    in the order of selection here. Of clusters that shrink, most replicas first, then by name.

    >>> aggregated(Votes.of({1: 6, 2: 12, 3: 6}), {}, Ask(12))
    {2: 12}
    >>> aggregated(Votes.of({1: 4, 2: 6, 3: 8}), {1: 4, 2: 8}, Ask(24))
    {1: 7, 2: 12, 3: 5}
    """
    kept = _kept(before, free.places.tolist() if before else ())
    missing = ask.replicas - sum(kept.values())
    if missing <= 0:
        return _shrunk(kept, ask, packed=True)
    if free.total < missing:
        return None
    return _added(kept, by_votes(_packed(free, kept, missing), Ask(missing, ask.descending)))


def overflowing(
    tiers: Sequence[Votes], before: Mapping[int, int], ask: Ask, *, packed: bool
) -> Given | None:
    """Tier by tier: a later one gets only what the ones before it do not hold.

    >>> overflowing([Votes.of({1: 2}), Votes.of({2: 10})], {}, Ask(5), packed=False)
    {1: 2, 2: 3}
    """
    kept = _kept(before, (place for tier in tiers for place in tier.places.tolist()))
    missing = ask.replicas - sum(kept.values())
    if missing <= 0:
        return _shrunk(kept, ask, packed=packed)
    given: Given = dict(kept)
    for tier in tiers:
        share = min(missing, tier.total)
        votes = _packed(tier, kept, share) if packed else _by_name(tier)
        given = _added(given, by_votes(votes, Ask(share, ask.descending)))
        missing -= share
    return None if missing else given


def _kept(before: Mapping[int, int], inside: Iterable[int]) -> Given:
    """What ran on clusters that are still selected."""
    there = set(inside)
    return {place: before[place] for place in sorted(before) if before[place] and place in there}


def _added(kept: Given, more: Given) -> Given:
    return {place: kept.get(place, 0) + more.get(place, 0) for place in sorted(kept.keys() | more)}


def _shrunk(kept: Given, ask: Ask, *, packed: bool) -> Given:
    """The old numbers as they are where they do, else as votes."""
    if sum(kept.values()) == ask.replicas:
        return kept
    votes = Votes.of(kept)
    given = by_votes(_packed(votes, kept, ask.replicas) if packed else votes, ask)
    return dict(sorted(given.items()))


def _by_name(votes: Votes) -> Votes:
    return votes.at(np.argsort(votes.places))


def _packed(votes: Votes, kept: Given, enough: int) -> Votes:
    """The shortest beginning of the list that holds enough."""
    running = np.isin(votes.places, list(kept)) if kept else np.zeros(len(votes.places), dtype=bool)
    taken = np.concatenate((np.flatnonzero(running), best(votes.counts, enough, ~running)))
    short = votes.at(taken)
    ranked = np.lexsort((np.arange(len(taken)), -short.counts, ~running[taken]))
    sums = np.cumsum(short.counts[ranked])
    end = int(np.searchsorted(sums, enough)) + 1 if enough else 0
    return _by_name(short.at(ranked[:end]))
