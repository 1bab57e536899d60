"""Which maintenance windows are open at the time of the run.

A cron line is read in its time zone. A local time that the clock skips counts as if it had not
been put forward; one that comes twice opens the window the first time. The duration is real time.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, time, timedelta
from functools import lru_cache

from fleet.errors import ErrorList
from fleet.load.cron import Cron, parse_cron
from fleet.load.names import Spot
from fleet.load.zones import zone_names, zone_of
from fleet.model.base import FrozenMap
from fleet.model.inventory import Cluster
from fleet.model.maintenance import MaintenanceWindow, OpenWindow
from fleet.model.moment import seconds_of

_MINUTE = 60
_DAY = timedelta(days=1)


def check_windows(clusters: Iterable[Cluster], errors: ErrorList) -> bool:
    """Whether every cron line and every time zone is one; faults if not."""
    before = len(errors.errors)
    for cluster in clusters:
        for index, window in enumerate(cluster.spec.maintenance):
            spot = Spot.of(cluster.origin, "spec", "maintenance", index, "timeZone")
            if window.time_zone not in zone_names():
                sentence = f"there is no time zone '{window.time_zone}'"
                spot.fault(errors, sentence, zone_names().hint(window.time_zone))
            _check_schedule(window, cluster, index, errors)
    return len(errors.errors) == before


def _check_schedule(
    window: MaintenanceWindow, cluster: Cluster, index: int, errors: ErrorList
) -> None:
    spot = Spot.of(cluster.origin, "spec", "maintenance", index, "schedule")
    line = window.schedule or "* * * * *"
    try:
        opens = parse_cron(line).opens
    except ValueError as error:
        spot.fault(errors, str(error))
        return
    if not opens:
        spot.fault(errors, f"'{line}' never opens: no month of it has such a day")


def open_windows(clusters: Iterable[Cluster], now: int) -> FrozenMap[OpenWindow]:
    """The window of each cluster that is open; of several one that moves, then the last to end."""
    found: dict[str, OpenWindow] = {}
    for cluster in clusters:
        spans = {
            index: span
            for index, window in enumerate(cluster.spec.maintenance)
            if (span := open_span(window, now)) is not None
        }
        windows = [
            OpenWindow(
                *span,
                cluster.spec.maintenance[index].action,
                cluster.origin.at("spec", "maintenance", index),
                tuple(spans),
            )
            for index, span in spans.items()
        ]
        if windows:
            found[cluster.name] = max(windows, key=lambda each: (each.action == "move", each.end))
    return FrozenMap(found)


def open_span(window: MaintenanceWindow, now: int) -> tuple[int, int] | None:
    """From when to when the window is open that is open now, in seconds since 1970."""
    if window.schedule is None or window.duration_minutes is None:
        start, end = seconds_of(window.start or ""), seconds_of(window.end or "")
        return (start, end) if start <= now < end else None
    lasts = window.duration_minutes * _MINUTE
    begun = _last_start(window.schedule, window.time_zone, lasts, now)
    return None if begun is None else (begun, begun + lasts)


@lru_cache(maxsize=256)
def _last_start(line: str, zone: str, lasts: int, now: int) -> int | None:
    """The last time that a cron line meant, if a window of that length is still open now."""
    cron = parse_cron(line)
    starts = (start for start in _starts(cron, zone, lasts, now) if start <= now < start + lasts)
    return max(starts, default=None)


def _starts(cron: Cron, zone: str, lasts: int, now: int) -> Iterator[int]:
    """All times that a cron line means on the days that matter."""
    where = zone_of(zone)
    day = datetime.fromtimestamp(now - lasts, UTC).astimezone(where).date() - _DAY
    last = datetime.fromtimestamp(now, UTC).astimezone(where).date()
    while day <= last:
        if cron.matches(day):
            for hour in cron.hours:
                for minute in cron.minutes:
                    local = datetime.combine(day, time(hour, minute), where)
                    yield int(local.timestamp())
        day += _DAY
