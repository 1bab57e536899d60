"""Maintenance windows of a cluster, and one of them as it is open at the run's time."""

from dataclasses import dataclass
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from fleet.model.base import FileValue, Whole
from fleet.model.moment import Moment, seconds_of
from fleet.model.source import Source

Action = Literal["avoid", "move"]
_WEEK = 7 * 24 * 60


class MaintenanceWindow(FileValue):
    """When a cluster is worked on: once (`start` to `end`), or again and again (`schedule`).

    **Units**: minutes. `schedule` is a cron line of five fields in `time_zone`; each match opens
    the window for `duration_minutes`. The window is open from its start on, and closed at its end.
    `action` avoid: nothing new is placed; move: what runs there is moved away, too.
    """

    start: Moment | None = None
    end: Moment | None = None
    schedule: str | None = None
    duration_minutes: Annotated[Whole, Field(ge=1, le=_WEEK)] | None = None
    time_zone: str = "UTC"
    action: Action = "avoid"

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        once = (self.start is not None, self.end is not None)
        again = (self.schedule is not None, self.duration_minutes is not None)
        if not (all(once) and not any(again)) and not (all(again) and not any(once)):
            message = "say 'start' and 'end', or 'schedule' and 'durationMinutes'"
            raise ValueError(message)
        if self.start and self.end and seconds_of(self.end) <= seconds_of(self.start):
            message = f"'end' {self.end} is not after 'start' {self.start}"
            raise ValueError(message)
        return self


@dataclass(frozen=True, slots=True)
class OpenWindow:
    """A window that is open now. **Units**: seconds since 1970.

    `positions`: which of the cluster's windows are open, this one among them.
    """

    start: int
    end: int
    action: Action
    source: Source
    positions: tuple[int, ...] = (0,)
