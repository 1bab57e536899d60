"""What a person wrote about placement: PlacementPolicy."""

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from fleet.model.affinity import Affinity, ClusterTerm
from fleet.model.base import NOT_EMPTY, FileValue, Flag, FrozenMap, Names, Whole
from fleet.model.document import FileDocument, Name
from fleet.model.inventory import TaintEffect
from fleet.model.source import Path


class Residency(FileValue):
    """Where the workload may be at all; never relaxed, also not for what is there already.

    `regions` are names or patterns with `*` (`eu-*`).
    """

    regions: Names


class Toleration(FileValue):
    """Kubernetes' toleration. Source: core/v1 Toleration (an empty key with Exists is all).

    `toleration_seconds` bounds how long a NoExecute taint is tolerated, from the taint's
    `timeAdded`; a taint without a time is tolerated for good, as in Kubernetes' manual taints.
    """

    key: str = ""
    operator: Literal["Equal", "Exists"] = "Equal"
    value: str = ""
    effect: TaintEffect | None = None
    toleration_seconds: Annotated[Whole, Field(ge=0)] | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if not self.key and self.operator != "Exists":
            message = "an empty key needs operator 'Exists'"
            raise ValueError(message)
        if self.operator == "Exists" and self.value:
            message = "operator 'Exists' takes no value"
            raise ValueError(message)
        return self


PICK: Path = ("spec", "pick")
"""Where a number of clusters stands. Another product's document that names it, while `pick` says
nothing, takes fewer where there are fewer."""


class SpreadConstraint(FileValue):
    """How many domains the workload spreads over.

    `by` is cluster, region, zone, provider or `labels.<key>`; a cluster without a value has no
    domain there and is not feasible. `max_domains` None is unlimited. `max_skew` bounds the
    difference of replicas (duplicated: of clusters) between any two domains that are used.
    """

    by: Annotated[str, Field(pattern=r"^(cluster|region|zone|provider|labels\..+)$")]
    min_domains: Annotated[Whole, Field(ge=1)] = 1
    max_domains: Annotated[Whole, Field(ge=1)] | None = None
    max_skew: Annotated[Whole, Field(ge=1)] | None = None

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.max_domains is not None and self.max_domains < self.min_domains:
            message = f"minDomains {self.min_domains} is more than maxDomains {self.max_domains}"
            raise ValueError(message)
        return self


class WeightRule(FileValue):
    """Clusters that match `term` weigh `replica_weight`; of several rules the largest counts."""

    replica_weight: Annotated[Whole, Field(ge=0, le=1_000_000)]
    term: ClusterTerm


class DivisionMode(StrEnum):
    """How replicas are divided over the selected clusters."""

    DUPLICATED = "duplicated"
    WEIGHTED = "weighted"
    AGGREGATED = "aggregated"


class Bounds(FileValue):
    """The least and the most on clusters that match `term`; the first rule that matches counts.

    What a rule does not say is what the division says. A most of 0 bars the cluster.
    """

    term: ClusterTerm
    min_replicas: Annotated[Whole, Field(ge=0)] | None = None
    max_replicas: Annotated[Whole, Field(ge=0)] | None = None


class Division(FileValue):
    """How replicas are divided.

    duplicated: every selected cluster runs all replicas. weighted: Webster over static
    `weights`, or, where none are given, over the replicas that each cluster has room for.
    aggregated: as few clusters as hold all, largest room first.
    `min_replicas` and `max_replicas` bound each cluster that gets any; `bounds` say it for some
    clusters instead. `keep`: static weights leave what runs, and divide only what is missing.
    """

    mode: DivisionMode = DivisionMode.DUPLICATED
    weights: Annotated[tuple[WeightRule, ...], NOT_EMPTY] = ()
    min_replicas: Annotated[Whole, Field(ge=0)] = 0
    max_replicas: Annotated[Whole, Field(ge=1)] | None = None
    bounds: tuple[Bounds, ...] = ()
    keep: Flag = False

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.weights and self.mode is not DivisionMode.WEIGHTED:
            message = f"'weights' go with mode 'weighted', not '{self.mode}'"
            raise ValueError(message)
        if self.keep and not self.weights:
            message = "'keep' goes with 'weights'; without them what runs is kept anyway"
            raise ValueError(message)
        if self.max_replicas is not None and self.max_replicas < self.min_replicas:
            message = (
                f"minReplicas {self.min_replicas} is more than maxReplicas {self.max_replicas}"
            )
            raise ValueError(message)
        return self

    @property
    def by_room(self) -> bool:
        """Whether replicas are divided by the room that clusters have, not by fixed weights."""
        return self.mode is not DivisionMode.DUPLICATED and not self.weights


class Overflow(FileValue):
    """Clusters that are used only when everything before them is full."""

    terms: Annotated[tuple[ClusterTerm, ...], Field(min_length=1)]


class Tier(FileValue):
    """One of several ordered alternatives; `terms` as in affinity.required.

    Source: Karmada's clusterAffinities with overflowAffinities.
    """

    name: Name
    terms: Annotated[tuple[ClusterTerm, ...], Field(min_length=1)]
    overflow: tuple[Overflow, ...] = ()


class Scoring(FileValue):
    """What a point of each scorer counts for this policy.

    `weights` by the scorer's name replace the profile's; `exact`: a scorer that is not named
    counts nothing. Source: Open Cluster Management's prioritizerPolicy (Additive, Exact).
    """

    exact: Flag = False
    weights: FrozenMap[Annotated[Whole, Field(ge=-1000, le=1000)]] = FrozenMap()


class LatencyLimit(FileValue):
    """Clusters that are too slow are left, and taken again only when they are clearly faster.

    **Units**: milliseconds, seconds. A cluster is barred when every sample from `origin` within the
    last `hold_seconds` is above `most`; once the workload has left it, it is allowed again when
    every sample within `hold_seconds` is at most `most - distance`.
    """

    origin: Annotated[str, Field(min_length=1)]
    most: Annotated[Whole, Field(ge=1)]
    distance: Annotated[Whole, Field(ge=0)] = 0
    hold_seconds: Annotated[Whole, Field(ge=0)] = 300

    @model_validator(mode="after")
    def _can_come_back(self) -> Self:
        if self.distance >= self.most:
            message = f"distance {self.distance} is not less than most {self.most}"
            raise ValueError(message)
        return self


class PlacementSpec(FileValue):
    """The body of a PlacementPolicy.

    `workloads` are names or patterns with `*`. `pick` is N of M: exactly that many clusters
    (shorthand for a spread by cluster with min = max = N). `tiers` are tried in order: the first
    one that holds the workload wins; it moves forward only, and back when `return_to_better_tier`.
    `priority`: of workloads that compete for room, the larger number chooses first. `together` and
    `apart` are workloads (names or patterns) whose clusters are shared, or avoided. `survive`: the
    loss of any one such domain must leave room for all. `rules` karmada: selects and divides as
    Karmada's scheduler does, in spite of capacity where that ignores it.
    """

    workloads: Names
    affinity: Affinity = Affinity()
    residency: Residency | None = None
    tolerations: tuple[Toleration, ...] = ()
    spread: tuple[SpreadConstraint, ...] = ()
    pick: Annotated[Whole, Field(ge=1)] | None = None
    division: Division = Division()
    placement: Literal["steady", "fresh"] = "steady"
    tiers: Annotated[tuple[Tier, ...], NOT_EMPTY] = ()
    return_to_better_tier: Flag = False
    scoring: Scoring = Scoring()
    latency: LatencyLimit | None = None
    priority: Whole = 0
    together: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    survive: Literal["cluster", "region", "provider"] | None = None
    rules: Literal["fleet", "karmada"] = "fleet"

    @model_validator(mode="after")
    def _once_each(self) -> Self:
        names = [constraint.by for constraint in self.spread]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            message = f"spread by '{twice[0]}' is said twice"
            raise ValueError(message)
        if self.pick is not None and "cluster" in names:
            message = "'pick' and a spread by 'cluster' say the same thing; keep one"
            raise ValueError(message)
        return self

    @model_validator(mode="after")
    def _tiers_fit(self) -> Self:
        if self.return_to_better_tier and not self.tiers:
            message = "'returnToBetterTier' needs 'tiers'"
            raise ValueError(message)
        if any(tier.overflow for tier in self.tiers):
            self._overflow_fits()
        return self

    def _overflow_fits(self) -> None:
        """Overflow asks that clusters are filled one after the other."""
        if not self.division.by_room:
            how = "fixed weights" if self.division.weights else f"mode '{self.division.mode}'"
            message = f"'overflow' goes with a division by room, not with {how}"
            raise ValueError(message)
        if any(constraint.max_skew is not None for constraint in self.spread):
            message = "'overflow' fills one after the other, 'maxSkew' fills evenly; keep one"
            raise ValueError(message)

    @model_validator(mode="after")
    def _skews_nest(self) -> Self:
        skewed = [constraint.by for constraint in self.spread if constraint.max_skew is not None]
        if "cluster" in skewed[:-1]:
            message = "a spread by 'cluster' with maxSkew stands last: nothing is inside a cluster"
            raise ValueError(message)
        return self


class PlacementPolicy(FileDocument):
    """Which clusters a workload may use, how it spreads and how it is divided."""

    kind: Literal["PlacementPolicy"] = "PlacementPolicy"
    spec: PlacementSpec
