"""What a person wrote about traffic: TrafficPolicy."""

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, ValidationInfo, field_validator, model_validator

from fleet.model.base import FieldError, FileValue, Flag, FrozenMap, ItemsError, Whole
from fleet.model.document import FileDocument
from fleet.model.health import HealthCheck, Lever
from fleet.model.target import TargetRef
from fleet.model.traffic_modes import LatencyRegion, Places, Vpc, places_fault

_LONGEST_NAME, _LONGEST_LABEL = 253, 63


def _short_enough(name: str) -> str:
    """A name that DNS can carry. Source: RFC 1035, 2.3.4."""
    label = max(name.split("."), key=len)
    if len(label) > _LONGEST_LABEL:
        message = f"'{label[:20]}...' has {len(label)} characters; a part of a DNS name has at most"
        raise ValueError(f"{message} {_LONGEST_LABEL}")
    if len(name) > _LONGEST_NAME:
        message = f"the name has {len(name)} characters; a DNS name has at most {_LONGEST_NAME}"
        raise ValueError(message)
    return name


DnsName = Annotated[
    str,
    Field(pattern=r"^(\*\.)?([a-z0-9_]([-a-z0-9_]*[a-z0-9_])?\.)+[a-z0-9-]+$"),
    AfterValidator(_short_enough),
]


class Mode(StrEnum):
    """Who is answered: one region with a standby, several by weight, the nearest, or by place."""

    ACTIVE_STANDBY = "active-standby"
    WEIGHTED = "weighted"
    LATENCY = "latency"
    GEOLOCATION = "geolocation"


BY_WEIGHT = frozenset({Mode.ACTIVE_STANDBY, Mode.WEIGHTED})
"""The modes whose regions are told apart by weights."""


class ZoneRef(FileValue):
    """The hosted zone: an existing one by name or id, or one to create.

    A `private` one is seen by its `vpcs` only; those of an existing zone are its own affair.
    """

    name: DnsName
    id: str | None = None
    create: Flag = False
    private: Flag = False
    vpcs: tuple[Vpc, ...] = ()

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if self.create and self.id is not None:
            message = "a zone with an 'id' exists already; drop 'create' or 'id'"
            raise ValueError(message)
        if bool(self.vpcs) != (self.create and self.private):
            message = "'vpcs' go with 'create' and 'private': who sees the zone that is created"
            raise ValueError(message)
        return self

    @property
    def key(self) -> str:
        """What tells zones apart: two can have one name, when one of them is private."""
        return self.id or (f"private/{self.name}" if self.private else self.name)


class Recovery(FileValue):
    """Recovery targets, in seconds. None is no target."""

    rto_seconds: Annotated[Whole, Field(ge=1)] | None = None
    rpo_seconds: Annotated[Whole, Field(ge=0)] | None = None


class TrafficSpec(FileValue):
    """The body of a TrafficPolicy.

    `active_region` is the region until the stack's config says another. `standby` is the percent
    of the workload's replicas that each standby region runs. `dns_weights` (mode weighted) maps a
    region or a cluster to 0..255; without it every cluster weighs as many replicas as it runs.
    Without a `target` a name leads to the clusters' entries.
    `latency_regions` maps a region to the one that Route53 measures, `geolocation` a region or a
    cluster to whom it answers. `nested`: by region first, then by cluster. `names` lead where
    `name` leads. `adopt` takes over records of the same name, type and set identifier that are not
    fleet's.
    """

    workload: Annotated[str, Field(min_length=1)]
    name: DnsName
    names: tuple[DnsName, ...] = ()
    zone: ZoneRef
    mode: Mode = Mode.ACTIVE_STANDBY
    nested: Flag = False
    latency_regions: FrozenMap[LatencyRegion] = FrozenMap()
    geolocation: FrozenMap[Places] = FrozenMap()
    active_region: str | None = None
    standby: Annotated[Whole, Field(ge=0, le=100)] = 100
    failover: Literal["automatic", "manual"] = "automatic"
    dns_weights: FrozenMap[Annotated[Whole, Field(ge=0, le=255)]] = FrozenMap()
    ttl_seconds: Annotated[Whole, Field(ge=1, le=86400)] = 60
    health_check: HealthCheck = HealthCheck()
    lever: Lever | None = None
    target: TargetRef | None = None
    recovery: Recovery = Recovery()
    adopt: Flag = False

    @field_validator("names")
    @classmethod
    def _once(cls, names: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        first = info.data.get("name")
        twice = {
            index: f"the name '{name}' is said already"
            for index, name in enumerate(names)
            if name == first or name in names[:index]
        }
        if twice:
            raise ItemsError(twice)
        return names

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.mode is not Mode.ACTIVE_STANDBY and self.active_region is not None:
            message = "'activeRegion' goes with mode 'active-standby'"
            raise ValueError(message)
        if self.mode is Mode.WEIGHTED:
            if self.dns_weights and not any(self.dns_weights.values()):
                message = "every dnsWeight is 0: nobody would be answered by weight"
                raise ValueError(message)
        elif self.dns_weights:
            message = "'dnsWeights' go with mode 'weighted'; active-standby is 100 and 0"
            raise ValueError(message)
        elif (
            self.mode is Mode.ACTIVE_STANDBY and self.standby == 0 and self.failover == "automatic"
        ):
            message = "standby 0 leaves nothing to fail over to; say 'failover: manual' or more"
            raise ValueError(message)
        self._refuse_lever()
        for name in self.all_names:
            if name != self.zone.name and not name.endswith(f".{self.zone.name}"):
                message = f"name '{name}' is not in zone '{self.zone.name}'"
                raise ValueError(message)
        return self

    @model_validator(mode="after")
    def _fits_mode(self) -> Self:
        if self.latency_regions and self.mode is not Mode.LATENCY:
            message = "'latencyRegions' go with mode 'latency'"
            raise ValueError(message)
        if bool(self.geolocation) != (self.mode is Mode.GEOLOCATION):
            message = "'geolocation' and mode 'geolocation' go together"
            raise ValueError(message)
        if self.mode is not Mode.ACTIVE_STANDBY and self.failover == "manual":
            message = "'failover: manual' goes with mode 'active-standby': no other has a standby"
            raise FieldError(message, "failover")
        fault = places_fault(dict(self.geolocation)) if self.geolocation else ""
        if fault:
            raise ValueError(fault)
        return self

    @property
    def all_names(self) -> tuple[str, ...]:
        """Every public name, `name` first."""
        return (self.name, *self.names)

    @property
    def is_nested(self) -> bool:
        """Whether regions are chosen first, and clusters within them."""
        return self.nested or self.mode not in BY_WEIGHT

    def _refuse_lever(self) -> None:
        """A lever that could hold nothing, or that Route53 cannot combine with the check."""
        if self.lever is None:
            return
        if self.lever.release is not None and not self.waits_for_release:
            message = "'lever.release' holds a standby out: it goes with mode 'active-standby'"
            raise FieldError(f"{message} and 'failover: manual'", "lever", "release")
        if not self.health_check.needs_all:
            message = (
                "a lever goes with a check that needs all its children: Route53 counts children and"
                " knows no 'this many of these, and the lever'; drop 'threshold', or let one path"
                " of the service answer for several and ask that"
            )
            raise FieldError(message, "lever")

    @property
    def waits_for_release(self) -> bool:
        """Whether a person lets the standby answer."""
        return self.mode is Mode.ACTIVE_STANDBY and self.failover == "manual"


class TrafficPolicy(FileDocument):
    """Which name leads to a workload, and who is answered."""

    kind: Literal["TrafficPolicy"] = "TrafficPolicy"
    spec: TrafficSpec
