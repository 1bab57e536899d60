"""The value that is carried out: what to create, in which order, and what it takes away."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from fleet.model.base import FrozenMap
from fleet.model.decision import Decision, Finding, Role, Schedule
from fleet.model.geography import Location
from fleet.model.health import Probe
from fleet.model.inventory import Connection, State
from fleet.model.prior import Prior, PriorObject
from fleet.model.record_names import FLAT
from fleet.model.settings import Settings
from fleet.model.snapshot import Snapshot
from fleet.model.source import Source
from fleet.model.traffic import Mode, ZoneRef


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


LEVER = "lever/"
"""How names of checks begin that ask no entry."""


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
class CheckDelivery:
    """A health check, shared by all records with the same identity (`name` is made of it).

    Three kinds: a probe (exactly one of `address` and `hostname` is set); a calculated one
    (`children` are names of checks, healthy while `threshold` of them are); a routing control's
    ARN. `cluster` is whose entry is asked, or the region of a lever.
    """

    name: str
    cluster: str
    check: Probe | None
    address: str | None = None
    hostname: str | None = None
    port: int = 0
    path: str = ""
    host: str = ""
    children: tuple[str, ...] = ()
    threshold: int = 0
    routing_control: str = ""

    @property
    def is_lever(self) -> bool:
        """Whether it asks no entry, but what an operator pulls."""
        return self.name.startswith(LEVER)


@dataclass(frozen=True, slots=True)
class RecordDelivery:
    """A cluster's weighted record under a name; `previous` None: there was none.

    `held`: it is not answered before a lever lets it go, or another standby. `check_other` is the
    check of the other role, where that is another one: of a standby if the record has a weight,
    else of an active one. It is there all the time, so that whoever moves weights needs no new
    check. `dns_name` empty: it stands at the public name. Records of a higher `stage` come later,
    because they lead to those of a lower one.
    """

    name: str
    cluster: str
    type: str
    targets: tuple[str, ...]
    dns_weight: int
    previous: int | None
    check: str
    held: bool = False
    check_other: str | None = None
    dns_name: str = ""
    stage: int = 0

    @property
    def falls(self) -> bool:
        """Whether it is less heavy than before."""
        return self.previous is not None and self.dns_weight < self.previous

    def check_for(self, dns_weight: int) -> str:
        """The check that goes with a weight."""
        same_role = (dns_weight > 0) == (self.dns_weight > 0)
        return self.check if same_role or self.check_other is None else self.check_other


@dataclass(frozen=True, slots=True)
class AliasDelivery:
    """A record that leads to other records of its zone, and is as healthy as they are.

    At most one of `dns_weight`, `region` (latency) and `location` (geolocation) is set.
    `previous` is the `text` of what was there, None where nothing was.
    """

    name: str
    dns_name: str
    type: str
    set_identifier: str
    target: str
    dns_weight: int | None = None
    region: str = ""
    location: Location | None = None
    previous: str | None = None
    stage: int = 0

    @property
    def text(self) -> str:
        """Where it leads, and how heavy it is: what can change in place.

        >>> AliasDelivery("web/_leaf", "web.test", "A", "_leaf", "_latency.web.test", 100).text
        '_latency.web.test 100'
        """
        return self.target if self.dns_weight is None else f"{self.target} {self.dns_weight}"

    @property
    def falls(self) -> bool:
        """Whether it is less heavy than before."""
        if self.dns_weight is None or self.previous is None:
            return False
        return int(self.previous.rpartition(" ")[2]) > self.dns_weight


class LeverKind(StrEnum):
    """What pulling a lever does: take a region out, let a standby answer, or either by ARC."""

    OUT = "out"
    RELEASE = "release"
    CONTROL = "control"


@dataclass(frozen=True, slots=True)
class LeverDelivery:
    """What an operator can pull for some records of a name: a URL, or a routing control's ARN.

    **Units**: `seconds` until Route53 has seen it; 0 for a routing control, which is told.
    """

    kind: LeverKind
    where: str
    clusters: tuple[str, ...]
    seconds: int


@dataclass(frozen=True, slots=True)
class EndpointDelivery:
    """A public name. **Units**: seconds.

    **Shape**: `records` sorted by cluster, `aliases` by name. `leaving` are records that exist and
    go. `form` is how the records stand: flat, or below the name, by weight, latency or place.
    `waits` are clusters that cannot be answered yet, because nobody knows where they are: what is
    answered today stays until they can. `target` is `<kind>/<namespace>/<name>` of the object whose
    load balancer is answered, empty: the clusters' entries are. `standing` is the hash of how its
    records stand, whatever they weigh: types, addresses, ttl and checks.
    """

    policy: str
    workload: str
    dns_name: str
    zone: ZoneRef
    mode: Mode
    ttl_seconds: int
    records: tuple[RecordDelivery, ...]
    leaving: tuple[PriorObject, ...] = ()
    active_region: str | None = None
    adopt: bool = False
    source: Source | None = None
    levers: tuple[LeverDelivery, ...] = ()
    waits: tuple[str, ...] = ()
    target: str = ""
    form: str = FLAT
    aliases: tuple[AliasDelivery, ...] = ()
    names: tuple[str, ...] = ()
    standing: str = ""

    @property
    def moves(self) -> bool:
        """Whether traffic that flows today moves: a weight or an alias changes, a record goes."""
        return (
            bool(self.leaving)
            or any(each.previous not in {None, each.dns_weight} for each in self.records)
            or any(each.previous not in {None, each.text} for each in self.aliases)
        )


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
