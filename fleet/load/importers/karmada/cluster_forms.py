"""Karmada's Cluster as its API has it. Source: pkg/apis/cluster/v1alpha1."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from fleet.load.importers.karmada.forms import Count, Json, Meta, Texts
from fleet.model.base import FileValue, Flag, FrozenMap
from fleet.model.inventory import Taint
from fleet.model.source import Origin

Quantity = str | int | float


class Range(FileValue):
    """What the nodes of a grade have of a resource: at least `min`, less than `max`."""

    name: str
    min: Quantity
    max: Quantity | None = None


class ResourceModel(FileValue):
    """One grade of nodes."""

    grade: Count
    ranges: tuple[Range, ...]


class ClusterBody(FileValue):
    """The body of a Cluster."""

    id: str = ""
    sync_mode: Literal["Push", "Pull"] = "Push"
    api_endpoint: Annotated[str, Field(alias="apiEndpoint")] = ""
    secret_ref: Json = None
    impersonator_secret_ref: Json = None
    insecure_skip_tls: Annotated[Flag, Field(alias="insecureSkipTLSVerification")] = False
    proxy_url: Annotated[str, Field(alias="proxyURL")] = ""
    proxy_header: Json = None
    provider: str = ""
    region: str = ""
    zone: str = ""
    zones: Texts = ()
    taints: tuple[Taint, ...] = ()
    resource_models: tuple[ResourceModel, ...] = ()


class ApiResource(FileValue):
    """One kind of an API."""

    name: str = ""
    kind: str


class ApiEnablement(FileValue):
    """The kinds of one group and version that a cluster serves."""

    group_version: str
    resources: tuple[ApiResource, ...] = ()


class NodeSummary(FileValue):
    """How many nodes."""

    total_num: Count = 0
    ready_num: Count = 0


class Modeling(FileValue):
    """How many nodes of a grade."""

    grade: Count
    count: Count


Quantities = FrozenMap[Quantity]


class ResourceSummary(FileValue):
    """What a cluster has, and what of it is taken."""

    allocatable: Quantities = FrozenMap()
    allocating: Quantities = FrozenMap()
    allocated: Quantities = FrozenMap()
    allocatable_modelings: tuple[Modeling, ...] = ()
    allocating_modelings: Json = None
    allocated_modelings: Json = None


class ClusterStatus(FileValue):
    """What Karmada saw of a cluster; a newer Karmada may see more."""

    model_config = ConfigDict(extra="allow")

    kubernetes_version: str = ""
    api_enablements: tuple[ApiEnablement, ...] = ()
    conditions: Json = None
    node_summary: NodeSummary | None = None
    resource_summary: ResourceSummary | None = None
    remedy_actions: Json = None


class KarmadaCluster(FileValue):
    """A Cluster."""

    api_version: Literal["cluster.karmada.io/v1alpha1"]
    kind: Literal["Cluster"]
    metadata: Meta
    spec: ClusterBody = ClusterBody()
    status: ClusterStatus = ClusterStatus()
    origin: Origin = Field(default=Origin("<memory>"), exclude=True, repr=False)
