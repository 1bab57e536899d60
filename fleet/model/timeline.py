"""How long a loss or a switch takes, step by step: the arithmetic of recovery, written once.

Preview checks it against the recovery targets, the drill prints it.

Source: Route53 health checks (interval x failure threshold until an entry is unhealthy); a record
change is in sync everywhere within 30 to 60 s; resolvers keep an answer for its TTL.
"""

from dataclasses import dataclass

from fleet.model.data import NO_DATA, Data, DataKind
from fleet.model.traffic import Mode, TrafficSpec
from fleet.model.workload import Workload

RECORD_CHANGE_SECONDS = 60
"""The most that a changed record usually takes until every name server has it."""

_WHOLE = 100


@dataclass(frozen=True, slots=True)
class Timeline:
    """The steps of one recovery, one after the other. **Units**: seconds.

    `detection` until the loss is seen, `capacity` until replicas are ready, `data` until the
    other side is the primary, `record` until a changed record is everywhere, `ttl` until
    resolvers have forgotten the old answer.
    """

    detection: int = 0
    capacity: int = 0
    data: int = 0
    record: int = 0
    ttl: int = 0

    @property
    def dns(self) -> int:
        """Until everybody is answered with the other side: the record change and the TTL."""
        return self.record + self.ttl

    @property
    def total(self) -> int:
        """All steps together.

        >>> Timeline(detection=30, data=10, record=60, ttl=20).total
        120
        """
        return self.detection + self.capacity + self.data + self.dns

    @property
    def steps(self) -> tuple[tuple[str, int], ...]:
        """The four phases in their order, also those that take no time.

        >>> Timeline(detection=30, record=60, ttl=20).steps
        (('detection', 30), ('capacity', 0), ('data', 0), ('dns', 80))
        """
        return (
            ("detection", self.detection),
            ("capacity", self.capacity),
            ("data", self.data),
            ("dns", self.dns),
        )

    @property
    def spelled(self) -> str:
        """The steps that take time, as a sum.

        >>> Timeline(detection=30, ttl=20).spelled
        'detection 30 s + dns 20 s'
        """
        return " + ".join(f"{name} {seconds} s" for name, seconds in self.steps if seconds)


def capacity_seconds(spec: TrafficSpec, workload: Workload) -> int:
    """How long the replicas that a standby lacks may take to become ready; 0 where none lacks.

    The workload's `waitSeconds` is the bound: an update gives up then.
    """
    full = spec.standby >= _WHOLE or spec.mode is not Mode.ACTIVE_STANDBY
    return 0 if full or workload.main is None else workload.settings.wait_seconds


def detection_seconds(spec: TrafficSpec) -> int:
    """How long Route53 needs to take an entry for dead."""
    return spec.health_check.slowest.seconds


def is_released(spec: TrafficSpec, data: Data = NO_DATA) -> bool:
    """Whether a person lets the standby answer by the lever alone, without an update.

    Data that has to be promoted needs the update in any case.
    """
    lever = spec.lever
    return (
        spec.waits_for_release
        and lever is not None
        and (lever.release is not None or bool(lever.routing_controls))
        and data.kind is not DataKind.REPLICATED
    )


def unplanned_loss(
    spec: TrafficSpec, data: Data = NO_DATA, *, capacity: int = 0, hops: int = 1
) -> Timeline:
    """The loss of the side that is answered, until the other side serves everybody.

    With `failover: automatic` the data plane goes over by itself: no record changes, and capacity
    follows afterwards. With `manual` an update raises the capacity, promotes the data and changes
    records, each of the dependent `hops` after the one before; where a lever releases the standby,
    its checks have to see it instead. The time until a person decides is not in it.

    **Units**: seconds; `capacity` is how long missing replicas take to become ready.

    >>> from fleet.model.traffic import TrafficSpec
    >>> words = {"workload": "web", "name": "web.example.org", "zone": {"name": "example.org"}}
    >>> unplanned_loss(TrafficSpec.model_validate(words)).total
    150
    >>> unplanned_loss(TrafficSpec.model_validate({**words, "failover": "manual"})).total
    210
    """
    detection, ttl = detection_seconds(spec), spec.ttl_seconds
    if spec.failover == "automatic":
        return Timeline(detection=detection, data=data.promote_seconds, ttl=ttl)
    if spec.lever is not None and is_released(spec, data):
        return Timeline(detection=detection + spec.lever.seconds, ttl=ttl)
    return Timeline(
        detection, capacity, data.promote_seconds, record=RECORD_CHANGE_SECONDS * hops, ttl=ttl
    )


def planned_switch(
    spec: TrafficSpec, data: Data = NO_DATA, *, capacity: int = 0, hops: int = 1
) -> Timeline:
    """A switch of the active region by an update, from its start until everybody has moved.

    >>> from fleet.model.traffic import TrafficSpec
    >>> words = {"workload": "web", "name": "web.example.org", "zone": {"name": "example.org"}}
    >>> planned_switch(TrafficSpec.model_validate(words)).total
    120
    """
    record = RECORD_CHANGE_SECONDS * hops
    return Timeline(0, capacity, data.promote_seconds, record, spec.ttl_seconds)
