"""What drills are measured by and what they assume: the config key `drill`."""

from typing import Annotated

from pydantic import Field

from fleet.model.base import FileValue, Whole


class DrillTargets(FileValue):
    """What a drill is measured by, and what it assumes. **Units**: seconds.

    The first five are the limits of the checklist; a policy's own `recovery` goes before
    `rto_seconds` and `rpo_seconds`. The others are assumptions: how long somebody takes to read
    the alarm and to run the update, how long a record change takes until it is in sync, how long
    Route53's checkers take to agree, and how long replicas take to start (None: as long as the
    update would wait, `waitSeconds`).
    """

    dns_seconds: Annotated[Whole, Field(ge=1)] = 60
    application_seconds: Annotated[Whole, Field(ge=1)] = 180
    database_seconds: Annotated[Whole, Field(ge=1)] = 60
    rto_seconds: Annotated[Whole, Field(ge=1)] = 300
    rpo_seconds: Annotated[Whole, Field(ge=1)] = 60
    decision_seconds: Annotated[Whole, Field(ge=0)] = 60
    record_seconds: Annotated[Whole, Field(ge=0)] = 60
    spread_seconds: Annotated[Whole, Field(ge=0)] = 10
    start_seconds: Annotated[Whole, Field(ge=0)] | None = None


USUAL_TARGETS = DrillTargets()
