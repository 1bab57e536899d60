"""The hard rules of neighbours: where those are that a workload must be with, or must avoid."""

from collections.abc import Iterator, Sequence

import numpy as np

from fleet.model.base import FrozenMap
from fleet.model.decision import Rejection
from fleet.schedule import reasons
from fleet.schedule.columns import Mask
from fleet.schedule.neighbours import Neighbour
from fleet.schedule.plugin import Filter
from fleet.schedule.request import Request


def _together_bars(request: Request) -> Mask:
    allowed = request.beside.allowed
    barred = np.full(request.table.size, allowed is not None, dtype=bool)
    if allowed:
        barred[list(allowed)] = False
    return barred


def _together_explains(request: Request, place: int) -> Iterator[Rejection]:
    missing = [each for each in request.beside.together if place not in each.places]
    return _rejections(reasons.TOGETHER, missing)


def _apart_bars(request: Request) -> Mask:
    barred = np.zeros(request.table.size, dtype=bool)
    barred[list(request.beside.avoided)] = True
    return barred


def _apart_explains(request: Request, place: int) -> Iterator[Rejection]:
    there = [each for each in request.beside.apart if place in each.places]
    return _rejections(reasons.APART, there)


def _rejections(code: str, neighbours: Sequence[Neighbour]) -> Iterator[Rejection]:
    for each in neighbours:
        yield Rejection(code, FrozenMap[str | int]({"other": each.name}), each.source)


def _runs_there(_request: Request, _place: int) -> bool:
    return True


TOGETHER = Filter(
    "together",
    _together_bars,
    _together_explains,
    lambda request: request.beside.allowed,
    _runs_there,
    passes=True,
    speaks=lambda table: "together" in table.written,
)
APART = Filter(
    "apart",
    _apart_bars,
    _apart_explains,
    lambda request: request.beside.avoided,
    _runs_there,
    passes=True,
    speaks=lambda table: "apart" in table.written,
)
