"""The scheduler's answer for one workload, with its reasons as data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from fleet.model.base import FrozenMap
from fleet.model.change import Change
from fleet.model.source import Source


class Role(StrEnum):
    """What a cluster is for a workload: answered now, or waiting to be."""

    ACTIVE = "active"
    STANDBY = "standby"


class Outcome(StrEnum):
    """The verdict on one workload and one cluster; exactly one holds."""

    ASSIGNED = "assigned"
    SELECTED = "selected"
    FEASIBLE = "feasible"
    INFEASIBLE = "infeasible"


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why not: a code with its values, and the line that caused it.

    `code` is one of the constants of fleet.schedule.reasons; the sentence is made by
    fleet.explain only when somebody asks.
    """

    code: str
    values: FrozenMap[str | int] = FrozenMap()
    source: Source | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """One scorer's part: `value` 0..100, times `scorer_weight`."""

    scorer: str
    value: int
    scorer_weight: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was decided about one cluster, and why.

    `total` is the sum of value x scorer_weight; `room` is how many replicas would have fit when
    the decision was made (None where capacity plays no part).
    """

    cluster: str
    outcome: Outcome
    replicas: int = 0
    rejections: tuple[Rejection, ...] = ()
    scores: tuple[Score, ...] = ()
    total: int = 0
    room: int | None = None


@dataclass(frozen=True, slots=True)
class Assignment:
    """So many replicas of the workload on this cluster; 0 is selected without replicas.

    `minimum` and `maximum` are an autoscaler's bounds on this cluster (None: nobody else owns
    the replicas).
    """

    cluster: str
    replicas: int
    role: Role = Role.ACTIVE
    minimum: int | None = None
    maximum: int | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """Where one workload runs.

    **Shape**: `assignments` sorted by cluster, never changed; `verdicts` has every cluster of the
    inventory and words nothing until it is asked. `shortfall` counts replicas that fit nowhere.
    `tier` is the name of the tier that is used; empty where the policy has none.
    """

    workload: str
    assignments: Sequence[Assignment]
    shortfall: int = 0
    shortfall_reasons: tuple[Rejection, ...] = ()
    verdicts: Mapping[str, Verdict] = field(default_factory=dict, compare=False, repr=False)
    source: Source | None = None
    tier: str = ""

    @property
    def replicas(self) -> FrozenMap[int]:
        """Replicas by cluster."""
        return FrozenMap({each.cluster: each.replicas for each in self.assignments})


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to tell: `code` with values, worded by fleet.explain.

    `blocks`: up refuses it unless `approve` carries the plan's digest; preview warns.
    """

    code: str
    values: FrozenMap[str | int] = FrozenMap()
    source: Source | None = None
    blocks: bool = False


@dataclass(frozen=True, slots=True)
class Active:
    """The region that a policy's name leads to, and who says so.

    `said_by` is a `file:line:col`, `config fleet:activeRegion`, or the reason of a fallback.
    During a shift `percent` of the traffic goes there, the rest to the region `leaving`.
    `instead_of` is the region that somebody asks for and that has to wait.
    `then` are the regions that follow when this one is lost, the next one first; empty where no
    more than one could. Of those the first `equal` are told apart by their name alone.
    """

    region: str
    said_by: str
    leaving: str = ""
    percent: int = 100
    instead_of: str = ""
    then: tuple[str, ...] = field(default=(), compare=False)
    equal: int = field(default=0, compare=False)

    @property
    def asked(self) -> str:
        """The region that somebody asks for."""
        return self.instead_of or self.region

    @property
    def regions(self) -> tuple[str, ...]:
        """Every region that runs all replicas: two during a shift."""
        return (self.region, self.leaving) if self.leaving else (self.region,)


@dataclass(frozen=True, slots=True)
class Schedule:
    """All decisions of a run.

    **Shape**: `decisions` sorted by workload; `active` by the name of each active-standby
    traffic policy. `changes` by workload, then by cluster: what flips the verdict; each is found
    when it is asked for. `cures` by workload: what gives every replica a place, found likewise.
    """

    decisions: tuple[Decision, ...]
    active: FrozenMap[Active] = FrozenMap()
    findings: tuple[Finding, ...] = ()
    changes: Mapping[str, Mapping[str, tuple[Change, ...]]] = field(
        default_factory=dict, compare=False, repr=False
    )
    cures: Mapping[str, tuple[Change, ...]] = field(default_factory=dict, compare=False, repr=False)
