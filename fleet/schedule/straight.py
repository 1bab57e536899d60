"""The straight way: what most workloads need, decided on columns.

One group of clusters, at most one kind of domain, room for all replicas. It answers as the
general way does, or not at all; guarded by test_the_straight_way_agrees_with_the_general_one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fleet.model.policy import DivisionMode
from fleet.schedule.candidates import Candidates
from fleet.schedule.columns import Mask, Whole
from fleet.schedule.divide import Party
from fleet.schedule.greedy import HEAD, best_within
from fleet.schedule.ledger import HANDFUL, Taken
from fleet.schedule.share import needed_places, way_of
from fleet.schedule.spread import Spread
from fleet.schedule.stance import division_mode
from fleet.schedule.table import UNLIMITED
from fleet.schedule.task import Task
from fleet.schedule.webster import webster_columns


@dataclass(slots=True, eq=False)
class Parts:
    """The selected clusters as the division sees them.

    **Shape**: columns over `places`, by name. `order` is None where all candidates are selected,
    `before` where the workload runs nowhere.
    """

    task: Task
    replicas: int
    places: Whole
    order: Sequence[int] | None
    room: Whole
    caps: Whole
    before: Whole | None
    least: int

    def first(self, count: int) -> Sequence[int]:
        """The best of them."""
        return self.task.candidates.first(count) if self.order is None else self.order

    def ranks(self) -> Whole:
        """The position of each place in the order of preference."""
        ranks = np.zeros(self.task.request.table.size, dtype=np.int64)
        ranked = self.first(self.places.size)
        ranks[ranked] = np.arange(len(ranked))
        return ranks[self.places]

    def weights(self) -> Whole:
        """Static weights, or rooms: one without a bound weighs as much as the largest bounded."""
        static = self.task.weights(self.places)
        if static is not None:
            return static
        if self.room.max() < UNLIMITED:
            return self.room
        bounded = self.room[self.room < UNLIMITED]
        most = max(self.replicas, int(bounded.max()) if bounded.size else 0)
        return np.minimum(self.room, most)


def straight(task: Task) -> Taken | None:
    """What the workload takes; None where the general way must decide."""
    parts = _selected(task)
    if parts is None:
        return None
    counts = _divided(parts)
    if counts is not None and not _is_covered(parts, counts):
        counts = _divided_to_cover(parts)
    if counts is None or int(counts.sum()) < parts.replicas:
        return None
    some = counts.nonzero()[0]
    if some.size <= HANDFUL:
        return Taken(parts.places[some].tolist(), counts[some].tolist())
    return Taken(parts.places[some], counts[some])


def _selected(task: Task) -> Parts | None:
    """The selected clusters, if they are found at once and have room for all."""
    spread, candidates = task.spread, task.candidates
    replicas = task.stance.targets.get(0, 0)
    alike = task.bounds.alike
    if alike is None or task.stance.by_region or task.linked.workload.autoscaled or not replicas:
        return None
    least, most = alike
    if not candidates.has(max(1, spread.least)):
        return None
    order = None
    if spread.limits or spread.most is not None:
        order = best_within(spread, candidates)
        if order is None:
            return None
    elif task.request.packed and not task.request.prior:
        order = _best_that_hold(candidates, replicas, most)
    places = candidates.places if order is None else np.sort(np.array(order, dtype=np.int64))
    room = candidates.room_at(places)
    caps = np.minimum(room, most)
    divides = division_mode(task.linked) is not DivisionMode.DUPLICATED
    if order is not None and divides and caps.sum() < replicas:
        return None
    return Parts(task, replicas, places, order, room, caps, _before(task, places), least)


def _best_that_hold(candidates: Candidates, replicas: int, most: int) -> list[int] | None:
    """A short beginning of the order that has room for all; None where it must be longer."""
    best = candidates.first(HEAD)
    room = np.minimum(candidates.room_at(np.array(best, dtype=np.int64)), most)
    return best if int(room.sum()) >= replicas else None


def _before(task: Task, places: Whole) -> Whole | None:
    """What the last update ran on each place."""
    prior = task.request.prior
    if not prior:
        return None
    return np.array([prior.get(place, 0) for place in places.tolist()], dtype=np.int64)


def _divided(parts: Parts) -> Whole | None:
    """The replicas of each place; None where bounds make it harder."""
    mode, least = division_mode(parts.task.linked), parts.least
    if mode is DivisionMode.DUPLICATED:
        fits = least <= parts.replicas <= parts.caps.min()
        return np.full_like(parts.caps, parts.replicas) if fits else None
    if least:
        return None
    if parts.task.spread.weights is not None:
        return webster_columns(parts.weights(), parts.replicas, parts.caps)
    return _by_room(parts, packed=mode is DivisionMode.AGGREGATED)


def _by_room(parts: Parts, *, packed: bool) -> Whole:
    """Steadily: what runs stays as far as the replicas reach, the missing ones go by free room."""
    if parts.before is None:
        return _grown(parts, np.zeros_like(parts.caps), packed=packed)
    kept = np.minimum(parts.before, parts.caps)
    if int(kept.sum()) <= parts.replicas:
        return _grown(parts, kept, packed=packed)
    chosen = _fewest(parts, kept) if packed else kept
    return webster_columns(np.where(chosen > 0, parts.before, 0), parts.replicas, chosen)


def _grown(parts: Parts, kept: Whole, *, packed: bool) -> Whole:
    """Adds the missing replicas in proportion to the free room."""
    missing = parts.replicas - int(kept.sum())
    free = parts.caps - kept
    weights = np.maximum(parts.weights() - kept, 0)
    if packed:
        joining = _joining(parts, kept, free, missing)
        weights, free = np.where(joining, weights, 0), np.where(joining, free, 0)
    return kept + webster_columns(weights, missing, free)


def _fewest(parts: Parts, kept: Whole) -> Whole:
    """What runs on the shortest beginning that holds all: the largest numbers first."""
    ranked = np.lexsort((parts.ranks(), -kept))
    enough = int(np.searchsorted(np.cumsum(kept[ranked]), parts.replicas)) + 1
    chosen = np.zeros_like(kept)
    chosen[ranked[:enough]] = kept[ranked[:enough]]
    return chosen


def _joining(parts: Parts, kept: Whole, free: Whole, missing: int) -> Mask:
    """The shortest beginning that holds the missing replicas: where it runs, then the best."""
    joining = np.zeros(kept.size, dtype=bool)
    running = np.flatnonzero(kept)
    if running.size:
        running = running[np.lexsort((parts.ranks()[running], -free[running]))]
        missing = _join(joining, running, free, missing)
    for count in (HEAD, kept.size):
        if missing <= 0:
            break
        best = np.searchsorted(parts.places, parts.first(count))
        missing = _join(joining, best[~joining[best] & (kept[best] == 0)], free, missing)
    return joining


def _join(joining: Mask, ranked: Whole, free: Whole, missing: int) -> int:
    """Lets clusters join in their order until nothing is missing; answers what still is."""
    held = np.cumsum(free[ranked])
    enough = int(np.searchsorted(held, missing)) + 1
    joining[ranked[:enough]] = True
    return missing - int(held[min(enough, held.size) - 1]) if held.size else missing


def _is_covered(parts: Parts, counts: Whole) -> bool:
    if not parts.task.spread.wants_several:
        return True
    return is_covered(parts.task.spread, parts.places.tolist(), counts.tolist())


def is_covered(spread: Spread, places: Sequence[int], counts: Sequence[int]) -> bool:
    """Whether the clusters that run something are enough for every least of the spread."""
    if not spread.wants_several or all(counts):
        return True
    running = [place for place, count in zip(places, counts, strict=True) if count]
    return len(running) >= spread.least and all(
        len(each.found(running)) >= each.least for each in spread.limits
    )


def _divided_to_cover(parts: Parts) -> Whole | None:
    """Once more; the clusters that the spread needs get theirs first."""
    if parts.order is None:
        return None
    spread, rank = parts.task.spread, parts.ranks().tolist()
    needed = needed_places(spread.limits, spread.least, parts.order)
    columns = zip(
        parts.places.tolist(),
        parts.weights().tolist(),
        parts.caps.tolist(),
        [0] * len(rank) if parts.before is None else parts.before.tolist(),
        rank,
        strict=True,
    )
    parties = [
        Party(weight, cap, before, 0, place in needed, position)
        for place, weight, cap, before, position in columns
    ]
    way = way_of(parts.task.linked, static=parts.task.spread.weights is not None)
    return np.array(way(parties, parts.replicas), dtype=np.int64)
