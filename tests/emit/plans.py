"""Builders of what is carried out, with quiet defaults, and clusters that only pretend."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pulumi

from fleet.emit.access import ClusterAccess, UnreachableError
from fleet.emit.existing import Survey
from fleet.emit.providers import kubernetes_provider
from fleet.emit.run import Run
from fleet.emit.state import OwnState
from fleet.model.base import FrozenMap
from fleet.model.decision import Assignment, Decision, Role, Schedule
from fleet.model.endpoint import CheckDelivery, EndpointDelivery, RecordDelivery
from fleet.model.health import HealthCheck
from fleet.model.inventory import Connection, State
from fleet.model.plan import (
    Change,
    ClusterDelivery,
    DeliveryPlan,
    Leaving,
    Outcome,
    PlannedObject,
    ProviderDelivery,
    ReadyTarget,
    SharedNamespace,
    WorkloadDelivery,
)
from fleet.model.prior import Prior, PriorObject, PriorWorkload
from fleet.model.settings import Settings
from fleet.model.snapshot import Snapshot
from fleet.model.source import Source
from fleet.model.traffic import Mode, ZoneRef

GROUPS = {
    "Deployment": "apps/v1",
    "CustomResourceDefinition": "apiextensions.k8s.io/v1",
    "ClusterRole": "rbac.authorization.k8s.io/v1",
}
STAGES = {"CustomResourceDefinition": 1, "ConfigMap": 2, "Secret": 2}


def an_object(  # noqa: PLR0913 - one keyword per part of an object
    cluster: str = "eu-1",
    kind: str = "Deployment",
    name: str = "web",
    *,
    workload: str = "web",
    namespace: str = "shop",
    replicas: int | None = None,
    **body: Any,
) -> PlannedObject:
    """An object of a workload on a cluster."""
    version = GROUPS.get(kind, "v1")
    metadata: dict[str, Any] = {"name": name, "annotations": {"fleet/owner": workload}}
    metadata |= {"namespace": namespace} if namespace else {}
    spec = {} if replicas is None else {"spec": {"replicas": replicas}}
    key = f"{kind}/{namespace}/{name}"
    return PlannedObject(
        name=f"{workload}/{cluster}/{key}",
        key=key,
        token=f"kubernetes:{version if '/' in version else f'core/{version}'}:{kind}",
        cluster=cluster,
        body={"apiVersion": version, "kind": kind, "metadata": metadata, **spec, **body},
        digest=f"digest of {name}",
        secret=kind == "Secret",
        stage=STAGES.get(kind, 3),
    )


def as_prior(*objects: PlannedObject) -> dict[str, PriorObject]:
    """Objects as the state has them, by name."""
    return {each.name: PriorObject(each.name, each.token, each.body) for each in objects}


def a_delivery(  # noqa: PLR0913 - one keyword per field of a delivery
    cluster: str = "eu-1",
    replicas: int = 2,
    *,
    previous: int | None = None,
    workload: str = "web",
    role: Role = Role.ACTIVE,
    objects: Sequence[PlannedObject] | None = None,
) -> ClusterDelivery:
    """A workload on one cluster: a Deployment that must become ready, unless said otherwise."""
    planned = (
        [an_object(cluster, workload=workload, replicas=replicas)] if objects is None else objects
    )
    before = previous or 0
    change = Change.SAME if replicas == before else Change.SHRINK
    if previous is None or replicas > before:
        change = Change.GAIN
    return ClusterDelivery(
        cluster=cluster,
        replicas=replicas,
        role=role,
        previous=previous,
        change=change,
        objects=tuple(planned),
        ready=tuple(
            ReadyTarget(str(each.body["apiVersion"]), *each.key.split("/"), replicas)
            for each in planned
            if each.key.startswith(("Deployment/", "CustomResourceDefinition/")) and replicas
        ),
        fingerprint=f"{workload}/{cluster}/{replicas}",
    )


def a_workload(
    *deliveries: ClusterDelivery,
    name: str = "web",
    leaving: Sequence[Leaving] = (),
    removed: Sequence[PlannedObject] = (),
    **fields: Any,
) -> WorkloadDelivery:
    """A workload to carry out."""
    return WorkloadDelivery(
        workload=name,
        decision=Decision(
            name, tuple(Assignment(each.cluster, each.replicas, each.role) for each in deliveries)
        ),
        deliveries=deliveries,
        leaving=tuple(leaving),
        removed=tuple(as_prior(*removed).values()),
        source=Source(f"workloads/{name}/fleet.yaml", 1, 1),
        **fields,
    )


def a_leaving(*objects: PlannedObject, replicas: int = 2, debt: bool = False) -> Leaving:
    """Objects on a cluster that the workload leaves."""
    return Leaving(objects[0].cluster, replicas, tuple(as_prior(*objects).values()), debt)


def a_record(
    cluster: str = "eu-1", weight: int = 100, previous: int | None = None, *, policy: str = "web"
) -> RecordDelivery:
    """A cluster's record under a name."""
    return RecordDelivery(
        name=f"{policy}/{cluster}",
        cluster=cluster,
        type="CNAME",
        targets=(f"{cluster}.example.test",),
        dns_weight=weight,
        previous=previous,
        check=f"check-{cluster}",
    )


def an_endpoint(
    *records: RecordDelivery, policy: str = "web", workload: str = "web", **fields: Any
) -> EndpointDelivery:
    """A name in a zone that exists by its id."""
    return EndpointDelivery(
        **{
            "policy": policy,
            "workload": workload,
            "dns_name": f"{policy}.fleet.test",
            "zone": ZoneRef(name="fleet.test", id="Z1"),
            "mode": Mode.ACTIVE_STANDBY,
            "ttl_seconds": 60,
            "records": records,
            "source": Source(f"policies/{policy}.yaml", 1, 1),
            **fields,
        }
    )


def a_check(cluster: str = "eu-1", **fields: Any) -> CheckDelivery:
    """The health check of a cluster's entry."""
    return CheckDelivery(
        **{
            "name": f"check-{cluster}",
            "cluster": cluster,
            "check": HealthCheck(),
            "address": None,
            "hostname": f"{cluster}.example.test",
            "port": 80,
            "path": "/",
            "host": "web.fleet.test",
            **fields,
        }
    )


def a_provider(cluster: str, *, state: State = State.ACTIVE) -> ProviderDelivery:
    """A cluster's provider, as its state asks for."""
    return ProviderDelivery(
        cluster,
        Connection(file=f"kube/{cluster}.yaml"),
        state,
        skip=state is State.DOWN,
        forget=state is State.DECOMMISSIONED,
    )


def a_plan(
    *workloads: WorkloadDelivery,
    endpoints: Sequence[EndpointDelivery] = (),
    namespaces: Sequence[SharedNamespace] = (),
    clusters: Sequence[str] = ("eu-1", "us-1"),
    down: Sequence[str] = (),
) -> DeliveryPlan:
    """A plan; every record has its cluster's health check."""
    checked = sorted({record.cluster for each in endpoints for record in each.records})
    return DeliveryPlan(
        providers=tuple(
            a_provider(each, state=State.DOWN if each in down else State.ACTIVE)
            for each in clusters
        ),
        namespaces=tuple(namespaces),
        workloads=workloads,
        checks=tuple(a_check(each) for each in checked),
        endpoints=tuple(endpoints),
        findings=(),
        digest="digest",
    )


def a_namespace(cluster: str = "eu-1", name: str = "shop") -> SharedNamespace:
    """A namespace that fleet creates."""
    metadata = {"name": name, "annotations": {"fleet/owner": "fleet"}}
    body = {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}
    return SharedNamespace(cluster, name, body)


def a_state(
    *objects: PlannedObject,
    workloads: Mapping[str, PriorWorkload] | None = None,
    records: Mapping[str, PriorObject] | None = None,
    namespaces: Mapping[str, bool] | None = None,
    zone_ids: Mapping[str, str] | None = None,
) -> OwnState:
    """What the stack holds."""
    prior = Prior(
        known=bool(objects),
        workloads=FrozenMap(workloads or {}),
        objects=FrozenMap(as_prior(*objects)),
        records=FrozenMap(records or {}),
    )
    return OwnState(prior, FrozenMap(zone_ids or {}), FrozenMap(namespaces or {}))


Question = tuple[str, str, str, str]


@dataclass
class PretendCluster:
    """A cluster that answers from a table; what is in none of it does not exist.

    `answer` overrides the table: it is asked each time, and may raise UnreachableError.
    """

    cluster: str
    objects: dict[Question, dict[str, Any]] = field(default_factory=dict)
    fault: str | None = None
    answer: Callable[[Question], dict[str, Any] | None] | None = None
    asked: list[Question] = field(default_factory=list)

    async def reachable(self) -> str | None:
        """Whether it answers."""
        await asyncio.sleep(0)
        return self.fault

    async def get(
        self, api_version: str, kind: str, namespace: str, name: str
    ) -> dict[str, Any] | None:
        """What the table says."""
        await asyncio.sleep(0)
        question = (api_version, kind, namespace, name)
        self.asked.append(question)
        if self.fault is not None:
            raise UnreachableError(self.fault)
        if self.answer is not None:
            return self.answer(question)
        return self.objects.get(question)


def accesses(*clusters: PretendCluster) -> Mapping[str, ClusterAccess]:
    """Clusters by name, as emission takes them."""
    found: dict[str, Any] = {each.cluster: each for each in clusters}
    return found


def all_ready(question: Question) -> dict[str, Any] | None:
    """Any object, as ready as anyone asks."""
    del question
    counts = dict.fromkeys(("replicas", "updatedReplicas", "availableReplicas"), 99)
    return {"status": {**counts, "conditions": [{"type": "Established", "status": "True"}]}}


def a_ready_cluster(cluster: str) -> PretendCluster:
    """A cluster where everything is ready at once."""
    return PretendCluster(cluster, answer=all_ready)


def a_run(
    plan: DeliveryPlan,
    state: OwnState | None = None,
    *clusters: PretendCluster,
    survey: Survey | None = None,
    settings: Settings | None = None,
) -> Run:
    """A run in the engine that is set up now; clusters that are not given are ready."""
    given = {each.cluster for each in clusters}
    living = [each.cluster for each in plan.providers if not (each.skip or each.forget)]
    others = [a_ready_cluster(each) for each in living if each not in given]
    own = state or a_state()
    schedule = Schedule(tuple(each.decision for each in plan.workloads if each.decision))
    snapshot = Snapshot((), (), FrozenMap())
    return Run(
        outcome=Outcome(settings or Settings(), snapshot, own.prior, schedule, plan),
        state=own,
        survey=survey or Survey(),
        accesses=accesses(*clusters, *others),
        providers={each.cluster: kubernetes_provider(each, {}) for each in plan.providers},
        preview=pulumi.runtime.is_dry_run(),
    )
