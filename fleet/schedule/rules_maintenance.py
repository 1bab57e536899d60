"""Clusters in a maintenance window that is open at the time of the run."""

from collections.abc import Iterator

from fleet.model.base import FrozenMap
from fleet.model.decision import Rejection
from fleet.model.moment import spelled
from fleet.schedule import reasons
from fleet.schedule.columns import Mask
from fleet.schedule.plugin import Filter
from fleet.schedule.request import Request

_MINUTE = 60


def _bars(request: Request) -> Mask:
    return request.table.closed


def _spares(request: Request, place: int) -> bool:
    """What runs there stays, unless the window says `move`."""
    return request.table.facts.windows[request.table.names[place]].action == "avoid"


def _explains(request: Request, place: int) -> Iterator[Rejection]:
    window = request.table.facts.windows[request.table.names[place]]
    now = request.table.facts.now or 0
    values: dict[str, str | int] = {
        "action": window.action,
        "start": spelled(window.start),
        "end": spelled(window.end),
        "now": spelled(now),
        "minutes": -((now - window.end) // _MINUTE),
    }
    yield Rejection(reasons.MAINTENANCE, FrozenMap(values), window.source)


MAINTENANCE = Filter(
    "maintenance",
    _bars,
    _explains,
    lambda _request: None,
    _spares,
    passes=True,
    speaks=lambda table: bool(table.facts.windows),
)
