"""Clusters that are too slow for too long, and are taken again only when clearly faster."""

from collections.abc import Hashable, Iterator

import numpy as np

from fleet.model.base import FrozenMap
from fleet.model.decision import Rejection
from fleet.model.policy import LatencyLimit
from fleet.schedule import reasons
from fleet.schedule.columns import Mask, Whole
from fleet.schedule.latency import Evidence
from fleet.schedule.plugin import Filter, Scorer
from fleet.schedule.request import Request

_FULL = 100


def _reads(request: Request) -> Hashable:
    limit = request.policy.spec.latency
    return limit and (limit, tuple(request.prior))


def _bars(request: Request) -> Mask:
    """Where it runs: all samples over the limit. Elsewhere: any over the limit less the distance.

    A workload that runs nowhere yet is not on its way back to anywhere: it is asked the first
    question everywhere. Guarded by test_a_latency_between_the_two_limits_moves_nothing.
    """
    barred = np.zeros(request.table.size, dtype=bool)
    for limit, seen in _asked(request):
        slow = seen.covered & (seen.least > limit.most)
        not_yet = seen.measured & (seen.most > limit.most - limit.distance)
        there = np.full(request.table.size, not request.prior)
        there[list(request.prior)] = True
        barred |= np.where(there, slow, not_yet)
    return barred


def _asked(request: Request) -> Iterator[tuple[LatencyLimit, Evidence]]:
    """The policy's limit and what was measured; nothing where it has none."""
    limit = request.policy.spec.latency
    if limit is not None:
        yield limit, request.table.latencies.evidence(limit.origin, limit.hold_seconds)


def _explains(request: Request, place: int) -> Iterator[Rejection]:
    there = place in request.prior or not request.prior
    for limit, seen in _asked(request):
        values: dict[str, str | int] = {
            "origin": limit.origin,
            "milliseconds": int((seen.least if there else seen.most)[place]),
            "limit": limit.most if there else limit.most - limit.distance,
            "seconds": limit.hold_seconds,
            "there": int(there),
        }
        source = request.policy.origin.at("spec", "latency")
        yield Rejection(reasons.LATENCY, FrozenMap(values), source)


def _gives(request: Request) -> Whole:
    """The share of the limit that the median leaves, in percent; 0 where nobody measured."""
    points = np.zeros(request.table.size, dtype=np.int64)
    for limit, seen in _asked(request):
        left = np.maximum(limit.most - seen.middle, 0) * _FULL // limit.most
        points += np.where(seen.measured, left, 0)
    return points


LATENCY = Filter(
    "latency",
    _bars,
    _explains,
    _reads,
    passes=True,
    speaks=lambda table: "latency" in table.written,
)
FAST = Scorer("latency", _gives, lambda request: request.policy.spec.latency)
