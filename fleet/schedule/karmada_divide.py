"""How Karmada divides replicas over the clusters that it took: whole numbers, exact.

Pure. Clusters come in the order of their names; equal claims go to the first of them, or to the
last where the workload says `ties: descending`. None: the clusters do not hold all.
Source: pkg/scheduler/core/assignment.go and division_algorithm.go.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fleet.schedule.webster import webster

Given = dict[int, int]


@dataclass(frozen=True, slots=True)
class Ask:
    """So many replicas, and the direction that ends ties."""

    replicas: int
    descending: bool = False


def by_votes(votes: Mapping[int, int], ask: Ask) -> Given:
    """Webster over votes; who has none gets nothing.

    Of many parties only as many as there are seats can get one: those with most votes.

    >>> by_votes({1: 100, 2: 80, 3: 30, 4: 20}, Ask(8))
    {1: 3, 2: 3, 3: 1, 4: 1}
    >>> by_votes({1: 1, 2: 1}, Ask(5, descending=True))
    {1: 2, 2: 3}
    """
    places = [place for place in sorted(votes, reverse=ask.descending) if votes[place] > 0]
    if len(places) > ask.replicas:
        places = sorted(places, key=lambda place: -votes[place])[: ask.replicas]
        places.sort(reverse=ask.descending)
    seats = webster([votes[place] for place in places], ask.replicas, [ask.replicas] * len(places))
    given = dict(zip(places, seats, strict=True))
    return {place: given.get(place, 0) for place in sorted(votes)}


def static(weights: Mapping[int, int], ask: Ask) -> Given:
    """By weight, whatever runs and whatever fits; where all weigh 0, all count the same.

    >>> static({1: 3, 2: 2, 3: 1, 4: 0}, Ask(12))
    {1: 6, 2: 4, 3: 2}
    >>> static({1: 0, 2: 0, 3: 0}, Ask(12))
    {1: 4, 2: 4, 3: 4}
    """
    heavy = {place: weight for place, weight in weights.items() if weight}
    return by_votes(heavy or dict.fromkeys(weights, 1), ask)


def dynamic(free: Mapping[int, int], before: Mapping[int, int], ask: Ask) -> Given | None:
    """By room, steadily: what runs stays; only what is missing, or too much, is divided.

    More are wanted: what is missing is divided over the `free` room and added to what ran
    `before`. Fewer: all are divided over the old numbers, and room plays no part.

    >>> dynamic({1: 18, 2: 12, 3: 6}, {}, Ask(12))
    {1: 6, 2: 4, 3: 2}
    >>> dynamic({1: 10, 2: 10, 3: 10}, {1: 2, 2: 4, 3: 6}, Ask(24))
    {1: 6, 2: 8, 3: 10}
    >>> dynamic({1: 1, 2: 1, 3: 1}, {1: 2, 2: 4, 3: 6}, Ask(6))
    {1: 1, 2: 2, 3: 3}
    """
    return _steady([*free.items()], before, ask, packed=False)


def aggregated(
    free: Sequence[tuple[int, int]], before: Mapping[int, int], ask: Ask
) -> Given | None:
    """As `dynamic`, but over the shortest beginning of the list that holds what is to be divided.

    The list: where it runs already, then most room; of equal ones the first in `free`, which is
    in the order of selection. Of clusters that shrink, most replicas first, then by name.

    >>> aggregated([(1, 6), (2, 12), (3, 6)], {}, Ask(12))
    {2: 12}
    >>> aggregated([(1, 4), (2, 6), (3, 8)], {1: 4, 2: 8}, Ask(24))
    {1: 7, 2: 12, 3: 5}
    """
    return _steady(free, before, ask, packed=True)


def _steady(
    free: Sequence[tuple[int, int]], before: Mapping[int, int], ask: Ask, *, packed: bool
) -> Given | None:
    inside = {place for place, _ in free}
    kept = {place: count for place, count in before.items() if count and place in inside}
    held = sum(kept.values())
    if held == ask.replicas:
        return dict(sorted(kept.items()))
    shrinks = held > ask.replicas
    votes = sorted(kept.items()) if shrinks else list(free)
    missing = ask.replicas if shrinks else ask.replicas - held
    if sum(count for _, count in votes) < missing:
        return None
    taken = _shortest(votes, kept, missing) if packed else votes
    given = by_votes(dict(taken), Ask(missing, ask.descending))
    stays = {} if shrinks else kept
    return {
        place: given.get(place, 0) + stays.get(place, 0)
        for place in sorted(given.keys() | stays.keys())
    }


def _shortest(
    votes: Sequence[tuple[int, int]], kept: Mapping[int, int], enough: int
) -> list[tuple[int, int]]:
    ordered = sorted(votes, key=lambda vote: (vote[0] not in kept, -vote[1]))
    sums = np.cumsum(np.array([count for _, count in ordered], dtype=object))
    return ordered[: int(np.searchsorted(sums, enough)) + 1]


def overflowing(
    tiers: Sequence[Sequence[tuple[int, int]]],
    before: Mapping[int, int],
    ask: Ask,
    *,
    packed: bool,
) -> Given | None:
    """Tier by tier: a later one gets only what the ones before it do not hold.

    >>> overflowing([[(1, 2)], [(2, 10)]], {}, Ask(5), packed=False)
    {1: 2, 2: 3}
    """
    everything = [vote for tier in tiers for vote in tier]
    inside = {place for place, _ in everything}
    kept = {place: count for place, count in before.items() if count and place in inside}
    missing = ask.replicas - sum(kept.values())
    if missing <= 0:
        return _steady(everything, before, ask, packed=packed)
    given: Given = dict(kept)
    for tier in tiers:
        share = min(missing, sum(count for _, count in tier))
        taken = _shortest(tier, kept, share) if packed and share else list(tier)
        for place, count in by_votes(dict(taken), Ask(share, ask.descending)).items():
            given[place] = given.get(place, 0) + count
        missing -= share
    return None if missing else dict(sorted(given.items()))
