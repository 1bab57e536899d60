"""What a probe hands on: what was seen of a cluster, or why nothing was."""

from dataclasses import dataclass
from enum import StrEnum

from fleet.errors import FleetError
from fleet.model.inventory import Capacity
from fleet.model.observation import LoadBalancer


class Reach(StrEnum):
    """Whether the API server answered. UNKNOWN: the fault is on the way there, or ours."""

    ANSWERS = "answers"
    SILENT = "silent"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Seen:
    """A whole reading of a cluster. **Units**: milliseconds of one small request.

    **Shape**: `apis` (`apps/v1/Deployment`) and `load_balancers` sorted.
    """

    milliseconds: int
    kubernetes_version: str
    nodes: int
    capacity: Capacity
    apis: tuple[str, ...]
    load_balancers: tuple[LoadBalancer, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of asking a cluster; `seen` None goes with an `error`, one sentence."""

    reach: Reach
    seen: Seen | None = None
    error: str = ""


class HalfError(FleetError):
    """An answer that is not whole: nothing of it counts."""
