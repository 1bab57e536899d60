"""The hard rule of the bounds of a cluster: a most of 0 bars it."""

from collections.abc import Iterator

import numpy as np

from fleet.model.base import FrozenMap
from fleet.model.decision import Rejection
from fleet.model.policy import Bounds
from fleet.schedule import reasons
from fleet.schedule.columns import Mask
from fleet.schedule.matching import matching
from fleet.schedule.plugin import Filter
from fleet.schedule.request import Request


def _barring(request: Request) -> Iterator[tuple[int, Mask]]:
    """The positions of the rules, and the clusters that each of them bars."""
    if request.workload.per_cluster:
        return
    open_places = np.ones(request.table.size, dtype=bool)
    for position, rule in enumerate(request.policy.spec.division.bounds):
        mask = matching(request.table, rule.term) & open_places
        if rule.max_replicas == 0:
            yield position, mask
        open_places &= ~mask


def _bounds_bar(request: Request) -> Mask:
    barred = np.zeros(request.table.size, dtype=bool)
    for _, mask in _barring(request):
        barred |= mask
    return barred


def _bounds_explain(request: Request, place: int) -> Iterator[Rejection]:
    for position, mask in _barring(request):
        if mask[place]:
            at = ("spec", "division", "bounds", position, "maxReplicas")
            values = FrozenMap[str | int]({"rule": position})
            yield Rejection(reasons.NONE_ALLOWED, values, request.policy.origin.at(*at))


def _bounds_read(request: Request) -> tuple[Bounds, ...]:
    return () if request.workload.per_cluster else request.policy.spec.division.bounds


BOUNDS = Filter(
    "bounds",
    _bounds_bar,
    _bounds_explain,
    _bounds_read,
    speaks=lambda table: "bounds" in table.written,
)
