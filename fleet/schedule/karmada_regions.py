"""Which set of regions Karmada takes. Source: pkg/scheduler/core/spreadconstraint/select_groups.go.

Its own walk over all sets is exponential; what it finds is found here without one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fleet.schedule.columns import Mask, Whole


@dataclass(frozen=True, slots=True)
class Limits:
    """Between `least` and `most` clusters or regions; Karmada's missing maxGroups is 0."""

    least: int
    most: int


@dataclass(frozen=True, slots=True, eq=False)
class Regions:
    """What there is in each region. **Shape**: by the region's code; `names` end ties."""

    names: Sequence[str]
    counts: Whole
    scores: Whole


def best_regions(regions: Regions, limits: Limits, target: int) -> list[int]:
    """The best set of regions that Karmada accepts; best region first, empty where there is none.

    Karmada walks all sets depth first, over regions with fewest clusters first, then the highest
    score, then by name. A set is accepted, and not extended, as soon as its size is within the
    limits and it holds `target` clusters. The best has the highest sum of scores, then most
    clusters, then was found first; an accepted beginning of it (best region first) replaces it.

    Its walk is exponential, this is not: where the smallest regions hold enough, the answer is
    the top of the list; else the best set is built up from the last region to the first, over all
    sizes and all sums of clusters up to the target.
    """
    ranked = [
        region
        for _, _, _, region in sorted(
            (int(size), -int(score), name, region)
            for region, (size, score, name) in enumerate(
                zip(regions.counts, regions.scores, regions.names, strict=True)
            )
            if size
        )
    ]
    if not limits.least <= limits.most or len(ranked) < limits.least:
        return []
    sizes = [int(regions.counts[region]) for region in ranked]
    scores = [int(regions.scores[region]) for region in ranked]
    if sum(sizes[: limits.least]) >= target:
        found = sorted(range(len(ranked)), key=lambda each: (-scores[each], -sizes[each], each))
        del found[limits.least :]
    else:
        found = _built_up(sizes, scores, limits, target)
    found.sort(key=lambda each: (-scores[each], regions.names[ranked[each]]))
    return [ranked[each] for each in _shortest(found, sizes, limits, target)]


def _built_up(
    sizes: Sequence[int], scores: Sequence[int], limits: Limits, target: int
) -> list[int]:
    """The best accepted set, as positions in ascending order.

    `found[size][sum]` is what the regions from here on can still add to a set of that size that
    holds that many clusters (never more than the target); a score and a count are one number.
    """
    unit = sum(sizes) + 1
    gains = [score * unit + size for score, size in zip(scores, sizes, strict=True)]
    fits = sum(sorted(gains)[-limits.most :]) < 2**62
    whole: type = np.int64 if fits else object
    nothing = -1
    most = min(limits.most, len(sizes))
    found: Whole = np.full((most, target + 1), nothing, dtype=whole)
    takes: list[Mask] = []
    for position in range(len(sizes) - 1, -1, -1):
        sums = np.minimum(np.arange(target + 1) + sizes[position], target)
        after = np.full_like(found, nothing)
        after[:-1] = found[1:, sums]
        after[limits.least - 1 :, sums == target] = 0
        with_it = np.where(after == nothing, nothing, after + gains[position])
        take = (with_it != nothing) & (with_it >= found)
        found = np.where(take, with_it, found)
        takes.append(take)
    return _followed(takes[::-1], sizes, limits, target) if found[0, 0] != nothing else []


def _followed(
    takes: Sequence[Mask], sizes: Sequence[int], limits: Limits, target: int
) -> list[int]:
    """Walks from the first region on, taking what was found to be best; the earliest on a tie."""
    found: list[int] = []
    held = position = 0
    while len(found) < limits.least or held < target:
        if takes[position][len(found), held]:
            found.append(position)
            held = min(held + sizes[position], target)
        position += 1
    return found


def _shortest(
    found: Sequence[int], sizes: Sequence[int], limits: Limits, target: int
) -> Sequence[int]:
    """The shortest accepted beginning of a set, which comes best region first."""
    for length in range(limits.least, len(found)):
        part = found[:length]
        held = sum(sizes[each] for each in part)
        before = held - sizes[max(part)]
        if held >= target and (length == limits.least or before < target):
            return part
    return found
