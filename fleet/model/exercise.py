"""An emergency that is played through: how long it is felt, who answers, what passes. Values only.

`fleet survive` asks what has a place afterwards (fleet.model.survival); a drill asks how long it
takes, and measures that against targets.
"""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from fleet.model.base import FrozenMap
from fleet.model.decision import Schedule
from fleet.model.drill_targets import DrillTargets
from fleet.model.endpoint import EndpointDelivery
from fleet.model.outage import NOT_ASKED, Answers
from fleet.model.source import Source
from fleet.model.survival import Loss
from fleet.model.timeline import NO_TIME, Timeline


class Kind(StrEnum):
    """What goes wrong, in the order of a drill."""

    CLUSTER = "cluster"
    REGION = "region"
    HALF_REGION = "half-region"
    PROVIDER = "provider"
    ROUTE53 = "route53"


ALL_KINDS: Final[tuple[Kind, ...]] = tuple(Kind)


@dataclass(frozen=True, slots=True)
class Emergency:
    """What goes wrong. **Shape**: `clusters` that die, sorted; none where the API of Route53 does.

    The domain is empty for Route53, and for the clusters that say no provider.
    """

    kind: Kind
    domain: str = ""
    clusters: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NameExercise:
    """A public name in an emergency.

    `today`, `at_once` (the checks have failed, and nobody has updated anything), `afterwards` (the
    update that declares the loss is done), `revived` (everything lives again, before another
    update) and `returned` (after the update that takes the declaration back). `felt` is the share
    of today's answers that leads to what died, until the timeline is over. `landing` of
    `wanted` replicas answer at once (both 0: the workload has none). `held`: a lever holds a record
    that lives. `healed` says for the regions
    that are answered today whether their loss needs no record change; `hopeless` are those of the
    others whose loss no record change heals.
    """

    policy: str
    workload: str
    dns_name: str
    today: Answers
    at_once: Answers
    afterwards: Answers = NOT_ASKED
    revived: Answers = NOT_ASKED
    returned: Answers = NOT_ASKED
    felt: Fraction = Fraction(0)
    by_itself: bool = False
    timeline: Timeline = NO_TIME
    landing: int = 0
    wanted: int = 0
    held: bool = False
    healed: FrozenMap[bool] = FrozenMap()
    hopeless: tuple[str, ...] = ()

    @property
    def hit(self) -> bool:
        """Whether anything that is answered today died."""
        return bool(self.felt)


class Item(StrEnum):
    """The checklist of a drill, in its order."""

    DNS = "dns"
    APPLICATION = "application"
    DATABASE = "database"
    RTO = "rto"
    RPO = "rpo"
    NO_DATA_LOSS = "no data loss"
    FAILBACK = "failback"
    ALERTS = "alerts"


class Result(StrEnum):
    """What came of a check. What cannot be known from files is neither passed nor failed."""

    PASS = "PASS"  # noqa: S105 - no password
    FAIL = "FAIL"
    UNKNOWN = "not checked"


@dataclass(frozen=True, slots=True)
class Check:
    """One item of the checklist for one name or workload; worded by fleet.explain."""

    item: Item
    subject: str
    result: Result
    code: str
    values: FrozenMap[str | int] = FrozenMap()
    source: Source | None = None


@dataclass(frozen=True, slots=True)
class Exercise:
    """One emergency, played.

    **Shape**: `losses` and `starts` by workload (`starts` only of those that lose replicas: until
    all of them run again, counted from the alarm); `names` sorted by name, all of them; `checks`
    by subject, then in the checklist's order. `refused` is why the update that declares the loss
    would not be made.
    """

    emergency: Emergency
    losses: FrozenMap[Loss] = FrozenMap()
    starts: FrozenMap[Timeline] = FrozenMap()
    names: tuple[NameExercise, ...] = ()
    checks: tuple[Check, ...] = ()
    refused: tuple[str, ...] = ()

    @property
    def dies(self) -> int:
        """Replicas of all workloads that ran on what is gone."""
        return sum(loss.dies for loss in self.losses.values())

    @property
    def failed(self) -> tuple[Check, ...]:
        """The checks that failed."""
        return tuple(each for each in self.checks if each.result is Result.FAIL)


@dataclass(frozen=True, slots=True)
class Exercises:
    """A whole drill: what was played, and where nothing runs, so that nothing is lost."""

    targets: DrillTargets
    played: tuple[Exercise, ...] = ()
    quiet: tuple[Emergency, ...] = ()


@dataclass(frozen=True, slots=True)
class Replanned:
    """Another plan of the same files, as far as a drill needs it. `refused`: it has faults."""

    schedule: Schedule
    endpoints: tuple[EndpointDelivery, ...] = ()
    refused: tuple[str, ...] = ()
