"""Which of the feasible clusters Karmada takes: by cluster, or by sets of regions.

Pure, over whole numbers. Candidates come in Karmada's order: where the workload runs already, then
most available replicas, then by name. Source: pkg/scheduler/core/spreadconstraint.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fleet.schedule.columns import Mask, Whole
from fleet.schedule.karmada_regions import Limits, Regions, best_regions

_PLACE_BITS = 20
"""Enough for a million clusters; what is available has more than forty bits besides."""

SCORE = 100
"""What a cluster counts that runs the workload already; every other one counts 0."""


@dataclass(frozen=True, slots=True)
class Short:
    """Why nothing is taken: `found` of `wanted` clusters, regions, or replicas with room."""

    by: str
    found: int
    wanted: int


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """The best of the feasible clusters, best first; `total` is how many there are in all.

    **Shape**: `places` has positions in the table; the others are in the same order. `available`
    is what fits besides, and what runs there already; `runs` whether anything does.
    """

    places: Whole
    available: Whole
    runs: Mask
    total: int


def in_order(places: Whole, available: Whole, runs: Mask, *, most: int | None = None) -> Candidates:
    """Candidates in Karmada's order. `places` comes sorted, which ends all ties by name.

    `most`: of those where nothing runs only so many are needed.
    """
    total = len(places)
    if most is not None and total > most:
        kept = np.sort(np.concatenate((np.flatnonzero(runs), best(available, most, ~runs))))
        places, available, runs = places[kept], available[kept], runs[kept]
    ranked = np.argsort((available << _PLACE_BITS) + np.arange(len(places), 0, -1))[::-1]
    if runs.any():
        there = runs[ranked]
        ranked = np.concatenate((ranked[there], ranked[~there]))
    return Candidates(places[ranked], available[ranked], runs[ranked], total)


def behind(candidates: Candidates, tier: Whole) -> Candidates:
    """Overflow clusters behind all that come before them; `tier` is by the cluster's position."""
    ranked = np.argsort(tier[candidates.places], kind="stable")
    return Candidates(
        candidates.places[ranked],
        candidates.available[ranked],
        candidates.runs[ranked],
        candidates.total,
    )


def best(amounts: Whole, count: int, among: Mask | None = None) -> Whole:
    """The positions of the largest amounts, ascending; of equal ones the first.

    >>> best(np.array([3, 9, 3, 7, 3]), 3).tolist()
    [0, 1, 3]
    """
    inside = np.arange(len(amounts)) if among is None else np.flatnonzero(among)
    if len(inside) <= count:
        return inside
    if not count:
        return inside[:0]
    amounts = amounts[inside]
    least = np.partition(amounts, -count)[-count]
    above = amounts > least
    level = np.flatnonzero(amounts == least)[: count - int(np.count_nonzero(above))]
    return inside[np.sort(np.concatenate((np.flatnonzero(above), level)))]


def by_cluster(candidates: Candidates, limits: Limits, replicas: int | None) -> Whole | Short:
    """The first `limits.most` clusters; where room is short, the last ones are exchanged.

    From the last to the first, each is exchanged for the cluster with most room of all that are
    left, if that is more, until all replicas have room. `replicas` None: room plays no part. Twice
    as many candidates as may be taken are enough.
    """
    if candidates.total < limits.least:
        return Short("cluster", candidates.total, limits.least)
    if replicas is None:
        return candidates.places[: limits.most]
    rooms: list[int] = candidates.available[: limits.most].tolist()
    chosen = list(range(len(rooms)))
    if sum(rooms) < replicas:
        _exchange(candidates.available, chosen, rooms, replicas)
    if sum(rooms) < replicas:
        return Short("replicas", sum(rooms), replicas)
    taken: Whole = candidates.places[chosen]
    return taken


def _exchange(available: Whole, chosen: list[int], rooms: list[int], replicas: int) -> None:
    """Exchanges chosen positions, and their rooms, as long as room is short.

    Of equal ones the first in the pool is taken; what was given up joins the pool in the place of
    what replaced it. More than one per chosen cluster is never needed.
    """
    count = len(chosen)
    pool: list[int] = (best(available[count:], count) + count).tolist()
    held = sum(rooms)
    for position in range(count - 1, -1, -1):
        if held >= replicas or not pool:
            return
        most = max(range(len(pool)), key=lambda each: available[pool[each]])
        more = int(available[pool[most]])
        if more > rooms[position]:
            held += more - rooms[position]
            chosen[position], pool[most] = pool[most], chosen[position]
            rooms[position] = more


@dataclass(frozen=True, slots=True)
class Spread:
    """A spread by region and cluster; `replicas` None: every cluster runs all of `each`."""

    regions: Limits
    clusters: Limits
    replicas: int | None
    each: int


def by_region(
    candidates: Candidates, codes: Whole, names: Sequence[str], spread: Spread
) -> Whole | Short:
    """The best cluster of each region of the best set, then the best others.

    `codes` has each candidate's region, a position in `names`. Room is not looked at again: the
    division may find that it does not do.
    """
    counts = np.bincount(codes, minlength=len(names))
    present = int(np.count_nonzero(counts))
    if present < spread.regions.least:
        return Short("region", present, spread.regions.least)
    scores = region_scores(candidates, codes, len(names), spread)
    target = spread.clusters.least
    chosen = best_regions(Regions(names, counts, scores), spread.regions, target)
    if not chosen:
        return Short("cluster", candidates.total, target)
    inside = [np.flatnonzero(codes == region) for region in chosen]
    leaders = np.array([each[0] for each in inside])
    others = np.sort(np.concatenate([each[1:] for each in inside]))
    room = max(0, spread.clusters.most - len(leaders))
    taken: Whole = candidates.places[np.concatenate((leaders, others[:room]))]
    return taken


def region_scores(candidates: Candidates, codes: Whole, count: int, spread: Spread) -> Whole:
    """What each region is worth: room first, then where the workload runs already.

    Divided: `1000 x the region's part of the replicas`, where its best clusters hold that, else
    1000 x what they hold; and the average score of the clusters that it takes. Duplicated: 1000 x
    the clusters that hold all replicas, and their average score.
    """
    if spread.replicas is None:
        return _duplicated_scores(candidates, codes, count, spread.each)
    part = -(-spread.replicas // max(1, spread.regions.least))
    needed = max(spread.clusters.least, spread.regions.least)
    ranked = np.argsort(codes, kind="stable")
    sizes = np.bincount(codes, minlength=count)
    ends = np.cumsum(sizes)
    starts = ends - sizes
    owner = codes[ranked]
    held = _within(candidates.available[ranked], starts, owner)
    points = _within(candidates.runs[ranked] * SCORE, starts, owner)
    number = np.arange(len(ranked)) - starts[owner] + 1
    enough = np.flatnonzero((held >= part) & (number >= needed))
    there = sizes > 0
    last = np.where(there, ends - 1, 0)
    stop = last.copy()
    np.minimum.at(stop, owner[enough], enough)
    worth = np.minimum(held[last], part) * 1000 + points[stop] // number[stop]
    return np.where(there, worth, 0)


def _within(amounts: Whole, starts: Whole, owner: Whole) -> Whole:
    """Running sums that begin anew in each region."""
    running = np.concatenate(([0], np.cumsum(amounts)))
    sums: Whole = running[1:] - running[starts[owner]]
    return sums


def _duplicated_scores(candidates: Candidates, codes: Whole, count: int, each: int) -> Whole:
    valid = candidates.available >= each
    sizes = np.bincount(codes[valid], minlength=count)
    there = np.bincount(codes[valid & candidates.runs], minlength=count)
    scores: Whole = sizes * 1000 + there * SCORE // np.maximum(sizes, 1)
    return scores
