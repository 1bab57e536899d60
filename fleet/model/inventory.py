"""Clusters: what the inventory says of them."""

import re
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, field_validator, model_validator

from fleet.model.base import FileValue, FrozenMap, ItemsError, Labels, Resources, Whole
from fleet.model.document import FileDocument
from fleet.model.maintenance import MaintenanceWindow
from fleet.model.moment import Moment
from fleet.model.quantity import in_base_units, parse_quantity
from fleet.model.source import Path

_API = re.compile(
    r"(v1|(?!v[0-9]+/)[a-z0-9]([-a-z0-9.]*[a-z0-9])?/[a-z]([-a-z0-9]*[a-z0-9])?)"
    r"(/[A-Z][A-Za-z0-9]*)?\Z"
)
FREE: Path = ("spec", "capacity", "free")
"""What another product's document says of what is free; fleet's own says what is reserved."""
TaintEffect = Literal["NoSchedule", "PreferNoSchedule", "NoExecute"]


def _amounts(value: object) -> object:
    """Quantities of a resource map in base units (cpu in millicores); every fault by its key."""
    if not isinstance(value, dict):
        return value
    amounts: dict[str, int] = {}
    faults: dict[str, str] = {}
    for name, amount in value.items():
        if isinstance(amount, bool) or not isinstance(amount, int | float | str):
            faults[str(name)] = "wants a quantity, such as 2, 500m, 1.5 or 4Gi"
            continue
        try:
            amounts[str(name)] = in_base_units(str(name), amount)
        except ValueError as error:
            faults[str(name)] = str(error)
    if faults:
        raise ItemsError(faults)
    return amounts


def _api(text: str) -> str:
    if not _API.match(text):
        message = f"'{text}' is not an API: apps/v1, apps/v1/Deployment, v1 or v1/Service"
        raise ValueError(message)
    return text


Api = Annotated[str, AfterValidator(_api)]
Amounts = Annotated[Resources, BeforeValidator(_amounts)]


def _amount(value: object) -> object:
    """One quantity in millionths of its unit, so that `0.023` and `4Gi` compare exactly."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        message = "wants a quantity, such as 2, 500m, 1.5 or 4Gi"
        raise ValueError(message)  # noqa: TRY004 - pydantic wants a ValueError
    exact = parse_quantity(value) * _PARTS
    return exact.numerator // exact.denominator


_PARTS = 1_000_000
Amount = Annotated[int, BeforeValidator(_amount)]
"""A quantity in millionths of its unit, rounded down."""


class State(StrEnum):
    """What a person says of a cluster; only `active` takes new replicas."""

    ACTIVE = "active"
    DRAINING = "draining"
    DOWN = "down"
    DECOMMISSIONED = "decommissioned"


GONE = frozenset({State.DOWN, State.DECOMMISSIONED})
"""The states of clusters that run nothing."""


class Taint(FileValue):
    """Kubernetes' taint, on a cluster. Source: core/v1 Taint.

    `time_added` is a time of RFC 3339; tolerations with seconds count from it.
    """

    key: Annotated[str, Field(min_length=1)]
    value: str = ""
    effect: TaintEffect
    time_added: Moment | None = None


class NodeGroup(FileValue):
    """`count` equal nodes: what a replica must fit on, because it cannot span two.

    From an observed node list (one entry per kind of node, `free` as it was seen), or a grade of
    a resource model (`free` is the least that a node of the grade has, as in Karmada).
    """

    count: Annotated[Whole, Field(ge=0)] = 1
    free: Amounts


class Capacity(FileValue):
    """What a cluster can hold; free = allocatable - reserved, at least 0, per resource.

    With `nodes` a cluster holds no more replicas than fit on them one by one.
    """

    allocatable: Amounts = Resources()
    reserved: Amounts = Resources()
    nodes: tuple[NodeGroup, ...] = ()


class Connection(FileValue):
    """How to reach the API server: a kubeconfig file and context, or a secret of the stack.

    `secret` names a key of the stack's config `fleet:kubeconfigs`.
    """

    file: str | None = None
    context: str | None = None
    secret: str | None = None
    timeout_seconds: Annotated[Whole, Field(ge=1, le=60)] = 5

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if (self.file is None) == (self.secret is None):
            message = "say either 'file' or 'secret', not both and not neither"
            raise ValueError(message)
        return self


class Entry(FileValue):
    """Where a cluster's traffic comes in: one hostname, or IPv4 and IPv6 addresses."""

    hostname: str | None = None
    addresses: tuple[str, ...] = ()
    port: Annotated[Whole, Field(ge=1, le=65535)] = 443
    path: Annotated[str, Field(pattern="^/")] = "/"

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if (self.hostname is None) == (not self.addresses):
            message = "say either 'hostname' or 'addresses', not both and not neither"
            raise ValueError(message)
        return self


class ClusterSpec(FileValue):
    """The body of a Cluster document.

    `apis` are the served APIs, `apps/v1` or `apps/v1/Deployment`; empty: nothing is known, and
    everything is taken to be served. `properties` are amounts that policies compare and scorers
    read, such as `cost-per-core`.
    """

    region: Annotated[str, Field(min_length=1)]
    zones: tuple[str, ...] = ()
    provider: str = ""
    taints: tuple[Taint, ...] = ()
    capacity: Capacity = Capacity()
    nodes: Annotated[Whole, Field(ge=1)] | None = None
    apis: tuple[Api, ...] = ()
    properties: FrozenMap[Amount] = FrozenMap()
    maintenance: tuple[MaintenanceWindow, ...] = ()
    state: State = State.ACTIVE
    kubernetes_version: str = ""
    connection: Connection | None = None
    entry: Entry | None = None

    @field_validator("zones")
    @classmethod
    def _distinct(cls, zones: tuple[str, ...]) -> tuple[str, ...]:
        if len(set(zones)) != len(zones):
            message = "a zone is listed twice"
            raise ValueError(message)
        return zones


class Cluster(FileDocument):
    """One cluster of the inventory."""

    kind: Literal["Cluster"] = "Cluster"
    spec: ClusterSpec

    @property
    def labels(self) -> Labels:
        """The cluster's labels."""
        return self.metadata.labels

    @property
    def free(self) -> Resources:
        """Allocatable less reserved, at least 0; cpu in millicores, others in base units."""
        capacity = self.spec.capacity
        return Resources(
            {
                name: max(0, amount - capacity.reserved.get(name, 0))
                for name, amount in capacity.allocatable.items()
            }
        )
