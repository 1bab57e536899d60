"""The value that is carried out: what to create, in which order, and what it takes away."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from fleet.model.base import FrozenMap
from fleet.model.decision import Decision, Finding, Role, Schedule
from fleet.model.endpoint import CheckDelivery, EndpointDelivery
from fleet.model.inventory import Connection, State
from fleet.model.prior import Prior, PriorObject
from fleet.model.settings import Settings
from fleet.model.snapshot import Snapshot
from fleet.model.source import Source


@dataclass(frozen=True, slots=True)
class PlannedObject:
    """One Kubernetes object on one cluster.

    `name` is the resource name `<workload>/<cluster>/<kind>/<namespace>/<name>`, `key` its last
    three parts, `token` the Pulumi type. `digest` is the hash of `body`. `secret` bodies reach
    the state only as Pulumi secrets. `stage` orders objects on one cluster: 1 custom resource
    definitions, 2 what others refer to by name (service accounts, ConfigMaps …), 3 the rest.
    """

    name: str
    key: str
    token: str
    cluster: str
    body: dict[str, Any] = field(repr=False, hash=False)
    digest: str
    secret: bool = False
    stage: int = 3


@dataclass(frozen=True, slots=True)
class ReadyTarget:
    """An object that must become ready.

    So many replicas of a workload kind; a definition (replicas 0) must be established.
    """

    api_version: str
    kind: str
    namespace: str
    name: str
    replicas: int


class Change(StrEnum):
    """What happens to a workload's capacity on a cluster."""

    GAIN = "gain"
    SAME = "same"
    SHRINK = "shrink"


@dataclass(frozen=True, slots=True)
class ClusterDelivery:
    """A workload on one cluster: its objects, what must become ready, how its capacity changes.

    `previous` None: it was not there. `fingerprint` is the hash of all objects.
    """

    cluster: str
    replicas: int
    role: Role
    previous: int | None
    change: Change
    objects: tuple[PlannedObject, ...]
    ready: tuple[ReadyTarget, ...]
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Leaving:
    """A workload's objects on a cluster that it leaves. On a dead cluster they are a debt.

    `waits`: a record that leads there goes in this update, so that they go in the next one.
    """

    cluster: str
    replicas: int
    objects: tuple[PriorObject, ...]
    debt: bool
    waits: bool = False

    @property
    def stays(self) -> bool:
        """Whether this update leaves them where they are."""
        return self.debt or self.waits


@dataclass(frozen=True, slots=True)
class DataStep:
    """A workload's data gets another primary, between capacity and weights.

    `clusters` of `region` become it, `previous` are it until now; of those `lost` are dead, and
    `unfenced` are the lost ones of which nobody says that they cannot write: then the step is
    refused. `promotion` is the name of a registered command; None: the overrides do all.
    """

    workload: str
    region: str
    clusters: tuple[str, ...]
    previous: tuple[str, ...]
    lost: tuple[str, ...] = ()
    unfenced: tuple[str, ...] = ()
    promotion: str | None = None
    source: Source | None = None


@dataclass(frozen=True, slots=True)
class WorkloadDelivery:
    """A workload to carry out. `source` None: it is gone from the files, and only leaves.

    **Shape**: `deliveries` and `leaving` sorted by cluster. `removed` are objects that go while
    the workload stays on their cluster; `data` and `passed_over` are what the next run is told of
    it. **Units**: seconds.
    """

    workload: str
    decision: Decision | None
    deliveries: tuple[ClusterDelivery, ...]
    leaving: tuple[Leaving, ...] = ()
    removed: tuple[PriorObject, ...] = ()
    wait_seconds: int = 300
    adopt: bool = False
    renamed_from: tuple[str, ...] = ()
    source: Source | None = None
    step: DataStep | None = None
    data: FrozenMap[str] = FrozenMap()
    passed_over: FrozenMap[str] = FrozenMap()

    @property
    def held(self) -> FrozenMap[str]:
        """The clusters that would be active, and stand by because the data cannot follow.

        **Shape**: by cluster, what has to be fenced first, joined by `, `.
        """
        if self.step is None or not self.step.unfenced:
            return FrozenMap()
        return FrozenMap(dict.fromkeys(self.step.clusters, ", ".join(self.step.unfenced)))


@dataclass(frozen=True, slots=True)
class SharedNamespace:
    """A namespace that fleet creates once on a cluster for all workloads that asked."""

    cluster: str
    namespace: str
    body: dict[str, Any] = field(repr=False, hash=False)
    asked_by: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The resource name."""
        return f"{self.cluster}/Namespace/{self.namespace}"


@dataclass(frozen=True, slots=True)
class ProviderDelivery:
    """A cluster's provider. `skip` while it is declared down, `forget` when decommissioned."""

    cluster: str
    connection: Connection
    state: State
    skip: bool = False
    forget: bool = False


@dataclass(frozen=True, slots=True)
class DeliveryPlan:
    """Everything to carry out; **shape**: each tuple sorted by name.

    `digest` covers assignments, roles, records, object hashes, data and what is removed, owed or
    given up relative to the prior; never now, approve, scores or sentences.
    """

    providers: tuple[ProviderDelivery, ...]
    namespaces: tuple[SharedNamespace, ...]
    workloads: tuple[WorkloadDelivery, ...]
    checks: tuple[CheckDelivery, ...]
    endpoints: tuple[EndpointDelivery, ...]
    findings: tuple[Finding, ...]
    digest: str

    @property
    def decisions(self) -> dict[str, Decision]:
        """What is carried out of each workload of the files, by name; its roles may be held."""
        return {each.workload: each.decision for each in self.workloads if each.decision}


@dataclass(frozen=True, slots=True)
class Outcome:
    """A whole run: what was said, what was decided, what is carried out."""

    settings: Settings
    snapshot: Snapshot
    prior: Prior
    schedule: Schedule
    plan: DeliveryPlan
