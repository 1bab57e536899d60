"""What happens when a cluster, a region or a provider is gone: values only."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from fleet.model.base import FrozenMap
from fleet.model.decision import Rejection


class By(StrEnum):
    """Everything that can be gone, the small before the large."""

    CLUSTER = "cluster"
    REGION = "region"
    PROVIDER = "provider"


KINDS: Final[tuple[By, ...]] = tuple(By)


@dataclass(frozen=True, slots=True)
class Scenario:
    """A domain that is gone. **Shape**: `clusters` of it that live today, sorted.

    Clusters that say no provider are one domain, whose name is empty.
    """

    by: By
    domain: str
    clusters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Loss:
    """What a scenario does to one workload. **Units**: replicas.

    **Shape**: `before` and `after` by cluster: the present plan, and the plan that follows it.
    `dies` ran on what is gone; `moves` are started elsewhere; `shortfall` fits nowhere (`reasons`),
    of which `short_before` do not today. `fence` are the dead clusters of a primary: until somebody
    says that they cannot write, the data gets no other.
    """

    workload: str
    before: FrozenMap[int]
    after: FrozenMap[int]
    dies: int
    moves: int
    shortfall: int
    reasons: tuple[Rejection, ...] = ()
    short_before: int = 0
    fence: tuple[str, ...] = ()

    @property
    def wanted(self) -> int:
        """What should run afterwards."""
        return sum(self.after.values()) + self.shortfall

    @property
    def nothing_left(self) -> bool:
        """Whether it was somewhere, and is nowhere any more."""
        return bool(self.before) and not self.after

    @property
    def has_room(self) -> bool:
        """Whether all of it has a place afterwards."""
        return not self.shortfall and not self.nothing_left

    @property
    def is_survived(self) -> bool:
        """Whether the update that declares it is enough: all has a place, the data a primary."""
        return self.has_room and not self.fence


@dataclass(frozen=True, slots=True)
class Drill:
    """One scenario, played.

    **Shape**: `losses` by name, only of workloads that run on what is gone, or that change.
    `dark` are public names without a healthy target until an update; `failing_over` those that
    other targets answer by themselves, though what they led to is gone.
    """

    scenario: Scenario
    losses: FrozenMap[Loss]
    dark: tuple[str, ...] = ()
    failing_over: tuple[str, ...] = ()

    @property
    def dies(self) -> int:
        """Replicas of all workloads that ran on what is gone."""
        return sum(loss.dies for loss in self.losses.values())


@dataclass(frozen=True, slots=True)
class Survival:
    """All scenarios: the played ones, and those where nothing runs, so that nothing is lost."""

    drills: tuple[Drill, ...] = ()
    quiet: tuple[Scenario, ...] = ()
