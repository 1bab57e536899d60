"""What somebody saw: observed clusters, and scores that another program gave."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from fleet.model.base import FileValue, Flag, FrozenMap, Whole
from fleet.model.document import FileDocument
from fleet.model.inventory import Capacity
from fleet.model.moment import Moment, seconds_of


class LatencySample(FileValue):
    """One measurement. **Units**: milliseconds."""

    at: Moment
    milliseconds: Annotated[Whole, Field(ge=0)]


class LoadBalancer(FileValue):
    """Where the traffic of an object that fleet placed comes in, as its status says.

    Source: status.loadBalancer of Service and Ingress, status.addresses of Gateway.
    """

    kind: Literal["Service", "Ingress", "Gateway"]
    namespace: str
    name: str
    workload: str
    addresses: tuple[str, ...] = ()
    hostnames: tuple[str, ...] = ()


class ObservationSpec(FileValue):
    """The body of a ClusterObservation.

    **Shape**: `latency` by the origin that measured, samples in any order. `capacity` overlays
    the inventory's, resource by resource; as there, `reserved` is what runs outside of fleet, and
    `nodes` of it are what they have free without fleet. `kubernetes_version`, `nodes` and `apis`
    replace the inventory's. `observed_at` is when these were read, None where they never were;
    `probed_at` when the cluster was asked last, None: then, too. `error` is why that gave no new
    values. **Units**: seconds.
    """

    observed_at: Moment | None = None
    probed_at: Moment | None = None
    reachable: Flag = True
    error: str = ""
    unreachable_since: Moment | None = None
    reachable_since: Moment | None = None
    hold_seconds: Annotated[Whole, Field(ge=1)] = 300
    stale_after_seconds: Annotated[Whole, Field(ge=1)] = 3600
    latency: FrozenMap[tuple[LatencySample, ...]] = FrozenMap()
    capacity: Capacity | None = None
    kubernetes_version: str = ""
    nodes: Annotated[Whole, Field(ge=1)] | None = None
    apis: tuple[str, ...] = ()
    load_balancers: tuple[LoadBalancer, ...] = ()

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.observed_at is None and self.probed_at is None:
            message = "say 'observedAt', when this was seen"
            raise ValueError(message)
        if not self.reachable and self.unreachable_since is None:
            message = "'reachable: false' goes with 'unreachableSince'"
            raise ValueError(message)
        if self.reachable and (self.unreachable_since is None) != (self.reachable_since is None):
            message = "a cluster that answers again says 'unreachableSince' and 'reachableSince'"
            raise ValueError(message)
        return self

    @property
    def asked_at(self) -> str:
        """When the cluster was asked last."""
        return self.probed_at or self.observed_at or ""

    @property
    def is_dead(self) -> bool:
        """Whether it counts as down: silent for the hold time, or not yet back for as long.

        Only probes count, never the time since the last of them: nobody knows what happened then.
        """
        if self.unreachable_since is None:
            return False
        if self.reachable_since is not None:
            return _between(self.reachable_since, self.asked_at) < self.hold_seconds
        return _between(self.unreachable_since, self.asked_at) >= self.hold_seconds


def _between(begin: str, end: str) -> int:
    return seconds_of(end) - seconds_of(begin)


class ClusterObservation(FileDocument):
    """What a probe saw of a cluster; its name is the cluster's."""

    kind: Literal["ClusterObservation"] = "ClusterObservation"
    spec: ObservationSpec


Points = Annotated[Whole, Field(ge=-100, le=100)]


class ExternalSpec(FileValue):
    """The body of an ExternalScores document.

    **Shape**: points by cluster; a cluster that is not listed has 0. `valid_until` is for all,
    `valid_until_by_cluster` for one instead. Source: Open Cluster Management's
    AddOnPlacementScore.
    """

    scores: FrozenMap[Points]
    valid_until: Moment | None = None
    valid_until_by_cluster: FrozenMap[Moment] = FrozenMap()


class ExternalScores(FileDocument):
    """Points for clusters that another program made; the scorer is `external/<name>`."""

    kind: Literal["ExternalScores"] = "ExternalScores"
    spec: ExternalSpec

    def until(self, cluster: str) -> str | None:
        """When the points of a cluster expire; None is never."""
        return self.spec.valid_until_by_cluster.get(cluster, self.spec.valid_until)
