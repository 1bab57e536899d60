"""The straight way for a handful of clusters, in plain numbers.

It answers as the general way does, or not at all; guarded by
test_the_straight_way_agrees_with_the_general_one.
"""

from collections.abc import Sequence

from fleet.model.policy import DivisionMode
from fleet.schedule.greedy import best_within
from fleet.schedule.ledger import HANDFUL, Taken
from fleet.schedule.stance import division_mode
from fleet.schedule.straight import is_covered
from fleet.schedule.table import UNLIMITED
from fleet.schedule.task import Task
from fleet.schedule.webster import webster


def handful(task: Task) -> Taken | None:
    """What the workload takes; None where there is more to it."""
    request, replicas = task.request, task.stance.targets.get(0, 0)
    if not replicas or not _is_plain(task):
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


def _is_plain(task: Task) -> bool:
    """Whether plain numbers will do: one group, no bounds, nobody else's filters."""
    alike = task.bounds.alike
    if alike is None or task.stance.by_region or task.linked.workload.autoscaled:
        return False
    if not task.candidates.evaluator.native:
        return False
    everywhere = division_mode(task.linked) is DivisionMode.DUPLICATED
    if task.request.prior and (task.request.packed or everywhere):
        return False
    if everywhere:
        return task.spread.weights is None
    return not alike[0]


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
    least, most = task.bounds.alike or (0, UNLIMITED)
    caps = rooms if most >= UNLIMITED else [min(room, most) for room in rooms]
    if division_mode(task.linked) is DivisionMode.DUPLICATED:
        fits = least <= replicas <= min(caps)
        return Taken(places, [replicas] * len(places)) if fits else None
    if max(rooms) >= UNLIMITED or sum(caps) < replicas:
        return None
    static = task.spread.weights
    weights = rooms if static is None else [int(static[place]) for place in places]
    if task.request.packed and order is not None:
        weights, caps = _packed(places, weights, caps, order, replicas)
    if task.request.prior and static is None:
        counts = _steady(
            weights, caps, [task.request.prior.get(each, 0) for each in places], replicas
        )
    else:
        counts = webster(weights, replicas, caps)
    if sum(counts) < replicas or not is_covered(task.spread, places, counts):
        return None
    if all(counts):
        return Taken(places, counts)
    return Taken.of(dict(zip(places, counts, strict=True)))


def _steady(
    rooms: Sequence[int], caps: Sequence[int], before: Sequence[int], replicas: int
) -> list[int]:
    """What runs stays as far as the replicas reach; the missing ones go by free room."""
    kept = [min(count, cap) for count, cap in zip(before, caps, strict=True)]
    missing = replicas - sum(kept)
    if missing <= 0:
        return webster(before, replicas, kept) if missing else kept
    free = [max(room - count, 0) for room, count in zip(rooms, kept, strict=True)]
    more = webster(free, missing, [cap - count for cap, count in zip(caps, kept, strict=True)])
    return [count + added for count, added in zip(kept, more, strict=True)]


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
