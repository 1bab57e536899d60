"""Karmada's propagation policies as its API has them: every field, known or refused.

Source: pkg/apis/policy/v1alpha1, and the defaults of its webhooks.
"""

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from fleet.model.base import FileValue, Flag, FrozenMap, Whole
from fleet.model.source import Origin

Texts = tuple[str, ...]
Count = Annotated[Whole, Field(ge=0)]
Json = JsonValue


class Meta(FileValue):
    """The metadata of any object. Source: meta/v1 ObjectMeta."""

    name: Annotated[str, Field(min_length=1)]
    namespace: str = ""
    labels: FrozenMap[str] = FrozenMap()
    annotations: FrozenMap[str] = FrozenMap()
    uid: str = ""
    generate_name: str = ""
    generation: int = 0
    resource_version: str = ""
    creation_timestamp: str | None = None
    deletion_timestamp: str | None = None
    deletion_grace_period_seconds: int | None = None
    finalizers: Texts = ()
    owner_references: Json = None
    managed_fields: Json = None
    self_link: str = ""


class Requirement(FileValue):
    """One expression of a label or field selector."""

    key: str
    operator: Literal["In", "NotIn", "Exists", "DoesNotExist"]
    values: Texts = ()


class LabelSelector(FileValue):
    """Source: meta/v1 LabelSelector."""

    match_labels: FrozenMap[str] = FrozenMap()
    match_expressions: tuple[Requirement, ...] = ()


class FieldRequirement(FileValue):
    """One expression over a cluster's fields."""

    key: Literal["provider", "region", "zone"]
    operator: Literal["In", "NotIn"]
    values: Annotated[Texts, Field(min_length=1)]


class FieldSelector(FileValue):
    """Expressions over a cluster's fields."""

    match_expressions: tuple[FieldRequirement, ...] = ()


class ClusterAffinity(FileValue):
    """Which clusters; what is not said matches all."""

    label_selector: LabelSelector | None = None
    field_selector: FieldSelector | None = None
    cluster_names: Texts = ()
    exclude: Texts = ()


class OverflowAffinity(ClusterAffinity):
    """Clusters that are used when those before are full."""

    affinity_name: str = ""


class AffinityTerm(ClusterAffinity):
    """One of several ordered groups."""

    affinity_name: Annotated[str, Field(min_length=1, max_length=32)]
    overflow_affinities: tuple[OverflowAffinity, ...] = ()


class Tolerated(FileValue):
    """Source: core/v1 Toleration."""

    key: str = ""
    operator: Literal["", "Equal", "Exists"] = "Equal"
    value: str = ""
    effect: Literal["", "NoSchedule", "PreferNoSchedule", "NoExecute"] = ""
    toleration_seconds: Whole | None = None


class SpreadBy(FileValue):
    """How many clusters or regions; minGroups 1 unless said, maxGroups has no default."""

    spread_by_field: Literal["", "cluster", "region", "zone", "provider"] = ""
    spread_by_label: str = ""
    min_groups: Count = 0
    max_groups: Count = 0


class StaticWeight(FileValue):
    """What the clusters that match weigh."""

    target_cluster: ClusterAffinity
    weight: Count


class Preferences(FileValue):
    """Static weights, or the factor of dynamic ones."""

    static_weight_list: tuple[StaticWeight, ...] = ()
    dynamic_weight: Literal["", "AvailableReplicas"] = ""


class ReplicaScheduling(FileValue):
    """How replicas are divided."""

    replica_scheduling_type: Literal["Duplicated", "Divided"] = "Divided"
    replica_division_preference: Literal["", "Aggregated", "Weighted"] = ""
    weight_preference: Preferences | None = None


class AffinityGroup(FileValue):
    """Workloads of one group, told by a label."""

    group_by_label_key: str = ""


class WorkloadAffinity(FileValue):
    """Where other workloads of a group are. Alpha, off by default."""

    affinity: AffinityGroup | None = None
    anti_affinity: AffinityGroup | None = None


class Placement(FileValue):
    """Which clusters, and how replicas are divided."""

    cluster_affinity: ClusterAffinity | None = None
    cluster_affinities: tuple[AffinityTerm, ...] = ()
    cluster_tolerations: tuple[Tolerated, ...] = ()
    spread_constraints: tuple[SpreadBy, ...] = ()
    replica_scheduling: ReplicaScheduling | None = None
    workload_affinity: WorkloadAffinity | None = None


class ResourceSelector(FileValue):
    """Which objects: of a kind, and by name or by labels."""

    api_version: Annotated[str, Field(min_length=1)]
    kind: Annotated[str, Field(min_length=1)]
    namespace: str = ""
    name: str = ""
    label_selector: LabelSelector | None = None


PurgeMode = Literal["Directly", "Gracefully", "Never", "Immediately", "Graciously"]


class DecisionConditions(FileValue):
    """When an application counts as failed."""

    toleration_seconds: Count | None = None


class ApplicationFailover(FileValue):
    """What happens when an application fails."""

    decision_conditions: DecisionConditions
    purge_mode: PurgeMode = "Gracefully"
    grace_period_seconds: Annotated[Whole, Field(ge=1)] | None = None
    state_preservation: Json = None


class ClusterFailover(FileValue):
    """What happens when a cluster fails."""

    purge_mode: PurgeMode = "Gracefully"
    state_preservation: Json = None


class Failover(FileValue):
    """What happens when something fails."""

    application: ApplicationFailover | None = None
    cluster: ClusterFailover | None = None


class SuspendClusters(FileValue):
    """The clusters to which nothing is sent."""

    cluster_names: Texts = ()


class Suspension(FileValue):
    """What is held back."""

    dispatching: Flag | None = None
    dispatching_on_clusters: SuspendClusters | None = None


class SchedulePriority(FileValue):
    """Which PriorityClass says who is placed first."""

    priority_class_source: Literal[
        "KubePriorityClass", "PodPriorityClass", "FederatedPriorityClass"
    ]
    priority_class_name: Annotated[str, Field(min_length=1)]


class PropagationSpec(FileValue):
    """The body of a PropagationPolicy."""

    resource_selectors: Annotated[tuple[ResourceSelector, ...], Field(min_length=1)]
    association: Flag = False
    propagate_deps: Flag = False
    placement: Placement = Placement()
    priority: Whole = 0
    preemption: Literal["Always", "Never"] = "Never"
    dependent_overrides: Texts = ()
    scheduler_name: str = "default-scheduler"
    failover: Failover | None = None
    conflict_resolution: Literal["Abort", "Overwrite"] = "Abort"
    activation_preference: Literal["", "Lazy"] = ""
    suspension: Suspension | None = None
    preserve_resources_on_deletion: Flag = False
    schedule_priority: SchedulePriority | None = None


class Propagation(FileValue):
    """A PropagationPolicy or a ClusterPropagationPolicy."""

    api_version: Literal["policy.karmada.io/v1alpha1"]
    kind: Literal["PropagationPolicy", "ClusterPropagationPolicy"]
    metadata: Meta
    spec: PropagationSpec
    status: Json = None
    origin: Origin = Field(default=Origin("<memory>"), exclude=True, repr=False)
