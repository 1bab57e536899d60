"""Pinned data: a workload runs where its data is, and starts nowhere else without it."""

from collections.abc import Iterator

import numpy as np

from fleet.model.base import FrozenMap
from fleet.model.decision import Rejection
from fleet.schedule import reasons
from fleet.schedule.columns import Mask
from fleet.schedule.plugin import Filter
from fleet.schedule.request import Request


def _bars(request: Request) -> Mask:
    held = request.workload.settings.data.at
    barred = np.full(request.table.size, bool(held), dtype=bool)
    barred[[request.table.index[name] for name in held if name in request.table.index]] = False
    return barred


def _explains(request: Request, _place: int) -> Iterator[Rejection]:
    workload = request.workload
    values = FrozenMap[str | int]({"clusters": ", ".join(workload.settings.data.at)})
    yield Rejection(reasons.PINNED, values, workload.data_source("at"))


PINNED = Filter(
    "pinned",
    _bars,
    _explains,
    lambda request: request.workload.settings.data.at,
    speaks=lambda table: "data" in table.written,
)
