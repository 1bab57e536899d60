"""The straight way for a handful of clusters and a workload that runs nowhere yet: plain numbers.

It answers as the general way does, or not at all; guarded by
test_the_straight_way_agrees_with_the_general_one.
"""

from collections.abc import Sequence

from fleet.model.policy import DivisionMode
from fleet.schedule.greedy import best_within
from fleet.schedule.ledger import HANDFUL, Taken
from fleet.schedule.stance import division_mode, highest, lowest
from fleet.schedule.straight import is_covered
from fleet.schedule.table import UNLIMITED
from fleet.schedule.task import Task
from fleet.schedule.webster import webster


def handful(task: Task) -> Taken | None:
    """What the workload takes; None where there is more to it."""
    request, mode = task.request, division_mode(task.linked)
    replicas = task.stance.targets.get(0, 0)
    if request.prior or task.stance.by_region or task.linked.workload.autoscaled or not replicas:
        return None
    if not task.candidates.evaluator.native:
        return None
    everywhere = mode is DivisionMode.DUPLICATED
    if task.spread.weights is not None if everywhere else lowest(task.linked):
        return None
    order = _ordered(task)
    places = task.candidates.view.listed if order is None else sorted(order)
    if places is None or len(places) > HANDFUL:
        return None
    rooms = request.ledger.rooms(request.asked, places)
    if order is None:
        needed = request.needed
        kept = [(place, room) for place, room in zip(places, rooms, strict=True) if room >= needed]
        places, rooms = [place for place, _ in kept], [room for _, room in kept]
    if len(places) < max(1, task.spread.least):
        return None
    return _divided(task, places, rooms, order, replicas)


def _ordered(task: Task) -> list[int] | None:
    """The selected clusters in the order of preference; None where all candidates are selected."""
    spread = task.spread
    if spread.limits or spread.most is not None:
        return best_within(spread, task.candidates) or []
    if not task.request.packed:
        return None
    best = task.candidates.first(HANDFUL)
    return best[:HANDFUL]


def _divided(
    task: Task, places: list[int], rooms: list[int], order: Sequence[int] | None, replicas: int
) -> Taken | None:
    """The replicas of each place; None where some would be left over."""
    most = highest(task.linked)
    caps = rooms if most >= UNLIMITED else [min(room, most) for room in rooms]
    if division_mode(task.linked) is DivisionMode.DUPLICATED:
        fits = lowest(task.linked) <= replicas <= min(caps)
        return Taken(places, [replicas] * len(places)) if fits else None
    if max(rooms) >= UNLIMITED or sum(caps) < replicas:
        return None
    static = task.spread.weights
    weights = rooms if static is None else [int(static[place]) for place in places]
    if task.request.packed and order is not None:
        weights, caps = _packed(places, weights, caps, order, replicas)
    counts = webster(weights, replicas, caps)
    if sum(counts) < replicas or not is_covered(task.spread, places, counts):
        return None
    if all(counts):
        return Taken(places, counts)
    return Taken.of(dict(zip(places, counts, strict=True)))


def _packed(
    places: Sequence[int],
    weights: Sequence[int],
    caps: Sequence[int],
    order: Sequence[int],
    replicas: int,
) -> tuple[list[int], list[int]]:
    """Nothing but the shortest beginning of the order that holds all."""
    room = dict(zip(places, caps, strict=True))
    chosen: set[int] = set()
    for place in order:
        if replicas <= 0:
            break
        chosen.add(place)
        replicas -= room[place]
    inside = [place in chosen for place in places]
    return (
        [weight * held for weight, held in zip(weights, inside, strict=True)],
        [cap * held for cap, held in zip(caps, inside, strict=True)],
    )
