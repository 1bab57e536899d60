"""The straight way: what most workloads need, decided on columns.

One group of clusters, at most one kind of domain, room for all replicas. It answers as the
general way does, or not at all; guarded by test_the_straight_way_agrees_with_the_general_one.
"""

from collections.abc import Sequence

import numpy as np

from fleet.model.policy import DivisionMode
from fleet.schedule.candidates import Candidates
from fleet.schedule.choice import Limit
from fleet.schedule.columns import Mask, Whole
from fleet.schedule.ledger import Taken
from fleet.schedule.spread import Spread
from fleet.schedule.stance import division_mode, highest, lowest
from fleet.schedule.table import UNLIMITED
from fleet.schedule.task import Task
from fleet.schedule.webster import webster_columns

HEAD = 48
"""How many of the best candidates are put in order at first."""


def straight(task: Task) -> Taken | None:
    """What the workload takes; None where the general way must decide."""
    spread, candidates = task.spread, task.candidates
    replicas = task.stance.targets.get(0, 0)
    if task.stance.by_region or task.linked.workload.autoscaled or not replicas:
        return None
    if candidates.size < spread.least or not candidates.size:
        return None
    if not spread.limits and spread.most is None:
        places, order = candidates.places, None
    else:
        order = _best(spread, candidates)
        if order is None:
            return None
        places = np.sort(np.array(order, dtype=np.int64))
    counts = _divided(task, places, order, replicas)
    if counts is None or not _covers(spread, places, counts):
        return None
    some = counts > 0
    return Taken(places[some], counts[some])


def _best(spread: Spread, candidates: Candidates) -> list[int] | None:
    """The best clusters within the limits, from as short a beginning of the order as will do."""
    if len(spread.limits) > 1 or spread.most is None:
        return None
    for count in (HEAD, candidates.size):
        head = candidates.first(count)
        found = (
            _greedy(spread.limits[0], spread.most, head) if spread.limits else head[: spread.most]
        )
        if found is not None and len(found) == spread.most:
            return found
        if len(head) == candidates.size:
            break
    return None if found is None or len(found) < max(1, spread.least) else found


def _greedy(limit: Limit, most: int, head: Sequence[int]) -> list[int] | None:
    """Opens the domains of the best clusters; covers the least of them first, then fills up.

    None where a cluster is in several domains, or the least is not covered.
    """
    opened: set[int] = set()
    needed: list[int] = []
    rest: list[int] = []
    for place in head:
        domains = limit.of[place]
        if len(domains) != 1:
            return None
        domain = domains[0]
        if domain not in opened:
            if limit.most is not None and len(opened) >= limit.most:
                continue
            opened.add(domain)
            if len(opened) <= limit.least and len(needed) < most:
                needed.append(place)
                continue
        rest.append(place)
        if len(rest) + len(needed) >= most and len(opened) >= limit.least:
            break
    if len(opened) < limit.least or len(needed) < limit.least:
        return None
    return needed + rest[: most - len(needed)]


def _covers(spread: Spread, places: Whole, counts: Whole) -> bool:
    """Whether the clusters that run something are enough for every least of the spread."""
    if counts.all() or (spread.least <= 1 and all(each.least <= 1 for each in spread.limits)):
        return True
    running: list[int] = places[counts > 0].tolist()
    return len(running) >= spread.least and all(
        len(each.found(running)) >= each.least for each in spread.limits
    )


def _divided(task: Task, places: Whole, order: Sequence[int] | None, replicas: int) -> Whole | None:
    """The replicas of each place; None where some would be left over."""
    mode = division_mode(task.linked)
    caps = np.minimum(task.candidates.room_at(places), highest(task.linked))
    least = lowest(task.linked)
    if mode is DivisionMode.DUPLICATED:
        return np.full_like(caps, replicas) if least <= replicas <= caps.min() else None
    if least:
        return None
    if order is not None and caps.sum() < replicas:
        return None
    if mode is DivisionMode.WEIGHTED and task.weights is not None:
        counts = webster_columns(task.weights[places], replicas, caps)
    else:
        counts = _by_room(task, places, caps, order, replicas)
    return counts if counts.sum() == replicas else None


def _by_room(
    task: Task, places: Whole, caps: Whole, order: Sequence[int] | None, replicas: int
) -> Whole:
    """Steadily: what runs stays as far as the replicas reach, the missing ones go by free room."""
    before = np.zeros_like(caps)
    if task.request.prior:
        before = _before(task, places)
    kept = np.minimum(before, caps)
    missing = replicas - int(kept.sum())
    packed = division_mode(task.linked) is DivisionMode.AGGREGATED
    if not missing:
        return kept
    if missing < 0:
        chosen = kept if not packed else _fewest(task, places, kept, order, replicas)
        return webster_columns(np.where(chosen > 0, before, 0), replicas, chosen)
    free = caps - kept
    weights = np.maximum(_bounded(task.candidates.room_at(places), replicas) - kept, 0)
    if packed:
        joining = _joining(task, places, kept, free, order, missing)
        weights, free = np.where(joining, weights, 0), np.where(joining, free, 0)
    return kept + webster_columns(weights, missing, free)


def _before(task: Task, places: Whole) -> Whole:
    """What the last update ran on each place."""
    prior = task.request.prior
    return np.array([prior.get(place, 0) for place in places.tolist()], dtype=np.int64)


def _bounded(room: Whole, replicas: int) -> Whole:
    """Rooms as weights: one without a bound weighs as much as the largest bounded one."""
    if room.max() < UNLIMITED:
        return room
    bounded = room[room < UNLIMITED]
    return np.minimum(room, max(replicas, int(bounded.max()) if bounded.size else 0))


def _fewest(
    task: Task, places: Whole, kept: Whole, order: Sequence[int] | None, replicas: int
) -> Whole:
    """What runs on the shortest beginning that holds all: the largest numbers first."""
    ranks = _ranks(task, places, order)
    ranked = np.lexsort((ranks, -kept))
    enough = int(np.searchsorted(np.cumsum(kept[ranked]), replicas)) + 1
    chosen = np.zeros_like(kept)
    chosen[ranked[:enough]] = kept[ranked[:enough]]
    return chosen


def _joining(
    task: Task, places: Whole, kept: Whole, free: Whole, order: Sequence[int] | None, missing: int
) -> Mask:
    """The shortest beginning that holds the missing replicas: where it runs, then the best."""
    joining = np.zeros(places.size, dtype=bool)
    running = np.flatnonzero(kept)
    if running.size:
        ranks = _ranks(task, places, order)[running]
        running = running[np.lexsort((ranks, -free[running]))]
        missing = _join(joining, running, free, missing)
    for count in (HEAD, task.candidates.size):
        if missing <= 0:
            break
        best = task.candidates.first(count) if order is None else order
        others = np.searchsorted(places, best)
        missing = _join(joining, others[~joining[others]], free, missing)
    return joining


def _join(joining: Mask, ranked: Whole, free: Whole, missing: int) -> int:
    """Lets clusters join in their order until nothing is missing; answers what still is."""
    held = np.cumsum(free[ranked])
    enough = int(np.searchsorted(held, missing)) + 1
    joining[ranked[:enough]] = True
    return missing - int(held[min(enough, held.size) - 1]) if held.size else missing


def _ranks(task: Task, places: Whole, order: Sequence[int] | None) -> Whole:
    """The position of each place in the order of preference."""
    ranks = np.zeros(task.request.table.size, dtype=np.int64)
    ranked = task.candidates.order() if order is None else order
    ranks[ranked] = np.arange(len(ranked))
    return ranks[places]
