"""How long a loss or a switch takes, step by step: the arithmetic of recovery, written once.

Preview checks it against the recovery targets, the drill plays it, the runbook prints it.

Source: Route53 health checks (interval x failure threshold until an entry is unhealthy); a record
change is in sync everywhere within 30 to 60 s; resolvers keep an answer for its TTL.
"""

from dataclasses import dataclass
from enum import StrEnum

from fleet.model.drill_targets import DrillTargets
from fleet.model.traffic import TrafficSpec
from fleet.model.workload import Workload


class StepKind(StrEnum):
    """A part of a timeline, in the order in which they follow each other."""

    DETECTION = "detection"
    SPREAD = "spread"
    DECISION = "decision"
    RELEASE = "release"
    CAPACITY = "capacity"
    DATA = "data"
    RECORD = "record"
    TTL = "ttl"


_DNS = frozenset(
    {StepKind.DETECTION, StepKind.SPREAD, StepKind.RELEASE, StepKind.RECORD, StepKind.TTL}
)


@dataclass(frozen=True, slots=True)
class Step:
    """One part of a timeline. **Units**: seconds."""

    kind: StepKind
    seconds: int


@dataclass(frozen=True, slots=True)
class Timeline:
    """How long something takes, step after step; no step is no time.

    `ends` False: it is not over then, and no update of these files ends it.
    """

    steps: tuple[Step, ...] = ()
    ends: bool = True

    @property
    def total(self) -> int:
        """All of it, in seconds.

        >>> Timeline((Step(StepKind.DETECTION, 30), Step(StepKind.TTL, 20))).total
        50
        """
        return sum(each.seconds for each in self.steps)

    @property
    def by_lever(self) -> bool:
        """Whether a person lets the standby answer by the lever, without an update."""
        return StepKind.RELEASE in self.kinds

    @property
    def by_update(self) -> bool:
        """Whether a person decides and updates before it is over."""
        return StepKind.DECISION in self.kinds and not self.by_lever

    @property
    def kinds(self) -> frozenset[StepKind]:
        """The steps that it has, also those that take no time."""
        return frozenset(each.kind for each in self.steps)

    @property
    def dns(self) -> int:
        """What DNS has a part in, in seconds: until checks fail, records change, caches forget."""
        return sum(each.seconds for each in self.steps if each.kind in _DNS)

    @property
    def spelled(self) -> str:
        """The steps that take time, as a sum.

        >>> Timeline((Step(StepKind.DETECTION, 30), Step(StepKind.DATA, 0))).spelled
        'detection 30 s'
        """
        return " + ".join(f"{each.kind} {each.seconds} s" for each in self.steps if each.seconds)

    def seconds(self, kind: StepKind) -> int:
        """One step's seconds; 0 where it is not needed."""
        return sum(each.seconds for each in self.steps if each.kind is kind)


NO_TIME = Timeline()


class Way(StrEnum):
    """Who leads a name to what is left: Route53 alone, a person by the lever, or an update."""

    ITSELF = "itself"
    LEVER = "lever"
    UPDATE = "update"


@dataclass(frozen=True, slots=True)
class Need:
    """What the end of a loss takes.

    `lacks`: replicas have to start before the rest is enough; `promotes`: the data gets another
    primary.
    """

    way: Way = Way.ITSELF
    lacks: bool = False
    promotes: bool = False


def start_seconds(workload: Workload, words: DrillTargets) -> int:
    """How long replicas take until they are ready: assumed, or at most what an update waits."""
    said = words.start_seconds
    return workload.settings.wait_seconds if said is None else said


def noticed_steps(spec: TrafficSpec, words: DrillTargets) -> tuple[Step, Step]:
    """Until Route53 takes an entry for dead: its slowest check, and all checkers agree."""
    return (
        Step(StepKind.DETECTION, spec.health_check.slowest.seconds),
        Step(StepKind.SPREAD, words.spread_seconds),
    )


def update_steps(need: Need, workload: Workload, words: DrillTargets) -> tuple[Step, ...]:
    """What an update does from the alarm until the data has its primary, as far as it is needed.

    The data step comes after the capacity, and nobody promotes without having decided it.
    """
    decides = need.lacks or need.promotes or need.way is Way.UPDATE
    found = (
        (decides, StepKind.DECISION, words.decision_seconds),
        (need.lacks, StepKind.CAPACITY, start_seconds(workload, words)),
        (need.promotes, StepKind.DATA, workload.settings.data.promote_seconds),
    )
    return tuple(Step(kind, seconds) for needed, kind, seconds in found if needed)


def loss_timeline(
    need: Need, spec: TrafficSpec, workload: Workload, words: DrillTargets
) -> Timeline:
    """Until a name whose side was lost is answered again, by what runs.

    By itself nothing but the checks and the TTL are waited for; replicas that are missing follow
    later, except where data is promoted: the update does that after its capacity. By the lever
    somebody decides, and the lever's checks see it. By an update, a record changes as well.

    >>> from fleet.model.base import Resources
    >>> said = {"workload": "web", "name": "web.example.org", "zone": {"name": "example.org"}}
    >>> spec, web = TrafficSpec.model_validate(said), Workload("web", (), None, 2, Resources())
    >>> loss_timeline(Need(), spec, web, DrillTargets()).spelled
    'detection 90 s + spread 10 s + ttl 60 s'
    >>> loss_timeline(Need(Way.UPDATE), spec, web, DrillTargets()).spelled
    'detection 90 s + spread 10 s + decision 60 s + record 60 s + ttl 60 s'
    """
    noticed, forgotten = noticed_steps(spec, words), Step(StepKind.TTL, spec.ttl_seconds)
    if need.way is Way.LEVER and spec.lever is not None:
        decided = Step(StepKind.DECISION, words.decision_seconds)
        released = Step(StepKind.RELEASE, spec.lever.seconds)
        return Timeline((*noticed, decided, released, forgotten))
    if need.way is Way.ITSELF and not need.promotes:
        return Timeline((*noticed, forgotten))
    changed = (Step(StepKind.RECORD, words.record_seconds),) if need.way is Way.UPDATE else ()
    updated = update_steps(need, workload, words)
    return Timeline((*noticed, *updated, *changed, forgotten))


def switch_timeline(
    need: Need, spec: TrafficSpec, workload: Workload, words: DrillTargets
) -> Timeline:
    """A switch of the active region by an update, from its start until everybody has moved."""
    update = update_steps(need, workload, words)
    steps = [each for each in update if each.kind is not StepKind.DECISION]
    changed = Step(StepKind.RECORD, words.record_seconds)
    return Timeline((*steps, changed, Step(StepKind.TTL, spec.ttl_seconds)))
