"""The straight way in plain numbers: few clusters are allowed, or only the best are selected.

It answers as the general way does, or not at all; guarded by
test_the_straight_way_agrees_with_the_general_one.
"""

from collections.abc import Collection
from dataclasses import dataclass

from fleet.model.webster import webster
from fleet.schedule.divide import Party
from fleet.schedule.greedy import best_within
from fleet.schedule.ledger import Taken
from fleet.schedule.share import needed_places, way_of
from fleet.schedule.spread import Spread
from fleet.schedule.table import UNLIMITED
from fleet.schedule.task import Task


@dataclass(slots=True, eq=False)
class Few:
    """The selected clusters as the division sees them.

    **Shape**: `places` by name, `rooms` and `caps` likewise. `order` has them in the order of
    preference; None where all candidates are selected.
    """

    task: Task
    places: list[int]
    rooms: list[int]
    caps: list[int]
    order: list[int] | None

    def weights(self) -> list[int]:
        """Static weights, or rooms: one without a bound weighs as much as the largest bounded."""
        static = self.task.spread.weights
        if static is not None:
            weights = static.at(self.places)
            return weights if any(weights) else [1] * len(weights)
        if max(self.rooms) < UNLIMITED:
            return self.rooms
        bounded = max([room for room in self.rooms if room < UNLIMITED], default=0)
        most = max(self.task.replicas, bounded)
        return [min(room, most) for room in self.rooms]

    def before(self) -> list[int]:
        """What the last update ran on each of them."""
        prior = self.task.request.prior
        return [prior.get(place, 0) for place in self.places]


def handful(task: Task) -> Taken | None:
    """What the workload takes; None where there is more to it."""
    few = _selected(task)
    if few is None or len(few.places) < max(1, task.spread.least):
        return None
    if task.everywhere:
        fits = task.least <= task.replicas <= min(few.caps) and task.spread.weights is None
        return Taken(few.places, [task.replicas] * len(few.places)) if fits else None
    counts = _covering(few) if sum(few.caps) >= task.replicas else None
    if counts is None or sum(counts) < task.replicas:
        return None
    if all(counts):
        return Taken(few.places, counts)
    return Taken.of(dict(zip(few.places, counts, strict=True)))


def _covering(few: Few) -> list[int] | None:
    """The replicas of each place; None where the spread needs others, and all are selected."""
    spread, counts = few.task.spread, _divided(few)
    if is_covered(spread, few.places, counts):
        return counts
    if few.order is None:
        return None
    return _by_parties(few, few.order, needed_places(spread.limits, spread.least, few.order))


def _selected(task: Task) -> Few | None:
    """The selected clusters, if they are few."""
    spread = task.spread
    if spread.limits or spread.most is not None:
        best = best_within(spread, task.candidates)
    elif task.request.packed:
        best = _beginning(task)
    else:
        return _all_of_few(task)
    if not best:
        return None
    by_name = sorted(best)
    rooms = [room for _, room in by_name]
    places = [place for place, _ in by_name]
    return Few(task, places, rooms, task.capped(rooms), [place for place, _ in best])


def _beginning(task: Task) -> list[tuple[int, int]] | None:
    """The best clusters until they have room for all; None where they would not do.

    They would not where one has no bound, or the workload runs elsewhere.
    """
    best: list[tuple[int, int]] = []
    left, elsewhere = task.replicas, set(task.request.prior)
    for place, room in task.candidates.best():
        best.append((place, room))
        left -= min(room, task.most)
        elsewhere.discard(place)
        if room >= UNLIMITED or (left <= 0 and not elsewhere):
            break
    bounded = all(room < UNLIMITED for _, room in best)
    return best if bounded and left <= 0 and not elsewhere else None


def _all_of_few(task: Task) -> Few | None:
    """All candidates, where a handful is allowed."""
    request, listed = task.request, task.candidates.view.listed
    if listed is None or not task.candidates.evaluator.native:
        return None
    rooms = request.ledger.rooms(request.asked, listed)
    needed = request.needed
    each = [needed] * len(rooms) if isinstance(needed, int) else needed[listed].tolist()
    kept = [pair for pair in zip(listed, rooms, each, strict=True) if pair[1] >= pair[2]]
    places, rooms = [pair[0] for pair in kept], [pair[1] for pair in kept]
    return Few(task, places, rooms, task.capped(rooms), None)


def _divided(few: Few) -> list[int]:
    """The replicas of each place."""
    task, weights, caps = few.task, few.weights(), few.caps
    if task.request.packed and few.order is not None:
        if task.request.prior:
            return _by_parties(few, few.order, ())
        inside = _shortest(few, few.order)
        weights = [
            each * (place in inside) for place, each in zip(few.places, weights, strict=True)
        ]
        caps = [each * (place in inside) for place, each in zip(few.places, caps, strict=True)]
    if task.request.prior and task.spread.weights is None:
        return _steady(few, weights)
    return webster(weights, task.replicas, caps)


def _steady(few: Few, weights: list[int]) -> list[int]:
    """What runs stays as far as the replicas reach; the missing ones go by free room."""
    before, caps, replicas = few.before(), few.caps, few.task.replicas
    kept = [min(count, cap) for count, cap in zip(before, caps, strict=True)]
    missing = replicas - sum(kept)
    if missing <= 0:
        return webster(before, replicas, kept) if missing else kept
    free = [max(weight - count, 0) for weight, count in zip(weights, kept, strict=True)]
    more = webster(free, missing, [cap - count for cap, count in zip(caps, kept, strict=True)])
    return [count + added for count, added in zip(kept, more, strict=True)]


def _shortest(few: Few, order: list[int]) -> set[int]:
    """The shortest beginning of the order that holds all."""
    room = dict(zip(few.places, few.caps, strict=True))
    chosen: set[int] = set()
    left = few.task.replicas
    for place in order:
        if left <= 0:
            break
        chosen.add(place)
        left -= room[place]
    return chosen


def _by_parties(few: Few, order: list[int], needed: Collection[int]) -> list[int]:
    """As the general way divides; the clusters that the spread needs get theirs first."""
    rank = {place: position for position, place in enumerate(order)}
    columns = zip(few.places, few.weights(), few.caps, few.before(), strict=True)
    parties = [
        Party(weight, cap, before, 0, place in needed, rank[place])
        for place, weight, cap, before in columns
    ]
    way = way_of(few.task.linked, static=few.task.spread.weights is not None)
    return way(parties, few.task.replicas)


def is_covered(spread: Spread, places: list[int], counts: list[int]) -> bool:
    """Whether the clusters that run something are enough for every least of the spread."""
    if not spread.wants_several or all(counts):
        return True
    running = [place for place, count in zip(places, counts, strict=True) if count]
    return len(running) >= spread.least and all(
        len(each.found(running)) >= each.least for each in spread.limits
    )
