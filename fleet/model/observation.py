"""What somebody saw: observed clusters, and scores that another program gave."""

from typing import Annotated, Literal

from pydantic import Field

from fleet.model.base import FileValue, FrozenMap, Whole
from fleet.model.inventory import Capacity, Metadata
from fleet.model.moment import Moment
from fleet.model.source import Origin


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
    `nodes` are what they have free without fleet. **Units**: seconds.
    """

    observed_at: Moment
    stale_after_seconds: Annotated[Whole, Field(ge=1)] = 3600
    latency: FrozenMap[tuple[LatencySample, ...]] = FrozenMap()
    capacity: Capacity | None = None
    load_balancers: tuple[LoadBalancer, ...] = ()


class ClusterObservation(FileValue):
    """What a probe saw of a cluster; its name is the cluster's."""

    api_version: Literal["fleet/v1"] = "fleet/v1"
    kind: Literal["ClusterObservation"] = "ClusterObservation"
    metadata: Metadata
    spec: ObservationSpec
    origin: Origin = Field(default=Origin("<memory>"), exclude=True, repr=False)

    @property
    def name(self) -> str:
        """The cluster's name."""
        return self.metadata.name


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


class ExternalScores(FileValue):
    """Points for clusters that another program made; the scorer is `external/<name>`."""

    api_version: Literal["fleet/v1"] = "fleet/v1"
    kind: Literal["ExternalScores"] = "ExternalScores"
    metadata: Metadata
    spec: ExternalSpec
    origin: Origin = Field(default=Origin("<memory>"), exclude=True, repr=False)

    @property
    def name(self) -> str:
        """The document's name."""
        return self.metadata.name

    def until(self, cluster: str) -> str | None:
        """When the points of a cluster expire; None is never."""
        return self.spec.valid_until_by_cluster.get(cluster, self.spec.valid_until)
