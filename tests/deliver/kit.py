"""What the tests of this room need besides the common builders: objects and decisions."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from fleet.deliver import deliver
from fleet.errors import InvalidError
from fleet.model.base import FrozenMap
from fleet.model.decision import Active, Assignment, Decision, Finding, Role, Schedule
from fleet.model.inventory import Cluster, Entry
from fleet.model.override import OverridePolicy
from fleet.model.plan import DeliveryPlan, PlannedObject
from fleet.model.prior import Prior, PriorObject, PriorWorkload
from fleet.model.settings import Settings
from fleet.model.snapshot import Snapshot
from fleet.model.source import Origin
from fleet.model.workload import Manifest, Workload
from tests.builders import a_cluster, a_snapshot, a_workload, linked

Body = dict[str, Any]


def an_object(
    kind: str = "ConfigMap",
    name: str = "web",
    *,
    api: str = "v1",
    namespace: str = "",
    **fields: Any,
) -> Manifest:
    """A manifest; `fields` are the parts of its body besides the metadata."""
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    metadata |= fields.pop("metadata", {})
    body = {"apiVersion": api, "kind": kind, "metadata": metadata, **fields}
    return Manifest(api, kind, namespace, name, body, Origin(f"workloads/{name}/{kind}.yaml"))


def a_deployment(name: str = "web", replicas: int | None = 6, **fields: Any) -> Manifest:
    """A Deployment with one container `name` of image `shop/web:1.0`."""
    spec: Body = {
        "selector": {"matchLabels": {"app": name}},
        "template": {
            "metadata": {"labels": {"app": name}},
            "spec": {"containers": [{"name": name, "image": "shop/web:1.0"}]},
        },
    }
    if replicas is not None:
        spec["replicas"] = replicas
    fields.setdefault("kind", "Deployment")
    return an_object(name=name, api="apps/v1", spec=spec, **fields)


def web(*manifests: Manifest, replicas: int = 6, name: str = "web", **fields: Any) -> Workload:
    """A workload whose main object is its first manifest, a Deployment by default."""
    objects = manifests or (a_deployment(name, replicas),)
    workload = a_workload(name, replicas, manifests=objects, main=objects[0].key)
    return workload if not fields else Workload(**{**_fields(workload), **fields})


def _fields(workload: Workload) -> dict[str, Any]:
    return {key: getattr(workload, key) for key in Workload.__slots__}


def a_schedule(
    placed: Mapping[str, Mapping[str, int | Assignment]],
    *,
    standby: Sequence[str] = (),
    active: Mapping[str, str] | None = None,
    shortfall: Mapping[str, int] | None = None,
) -> Schedule:
    """Decisions from replicas by workload and cluster; `standby` names clusters."""
    decisions = [
        Decision(
            workload,
            tuple(
                each
                if isinstance(each, Assignment)
                else Assignment(cluster, each, _role(cluster, standby))
                for cluster, each in sorted(clusters.items())
            ),
            shortfall=(shortfall or {}).get(workload, 0),
        )
        for workload, clusters in sorted(placed.items())
    ]
    regions = {policy: Active(region, "test") for policy, region in (active or {}).items()}
    return Schedule(tuple(decisions), FrozenMap(regions))


def _role(cluster: str, standby: Sequence[str]) -> Role:
    return Role.STANDBY if cluster in standby else Role.ACTIVE


def two_clusters(**fields: Any) -> list[Cluster]:
    """eu-1 in eu-west-1 and us-1 in us-east-1, each behind an address."""
    return [
        a_cluster("eu-1", "eu-west-1", entry=an_entry("192.0.2.1"), **fields),
        a_cluster("us-1", "us-east-1", entry=an_entry("192.0.2.2"), **fields),
    ]


def an_entry(*addresses: str, hostname: str | None = None, port: int = 8080) -> Entry:
    """An entry of addresses, or of a host name."""
    return Entry(addresses=addresses, hostname=hostname, port=port)


def planned(
    workload: Workload | None = None,
    placed: Mapping[str, int | Assignment] | None = None,
    *,
    overrides: Sequence[OverridePolicy] = (),
    clusters: Sequence[Cluster] | None = None,
    standby: Sequence[str] = (),
) -> DeliveryPlan:
    """The plan of one workload on a first run."""
    it = workload or web()
    snapshot = a_snapshot(clusters or two_clusters(), [linked(it, overrides=overrides)])
    schedule = a_schedule({it.name: placed or {"eu-1": 4, "us-1": 2}}, standby=standby)
    return deliver(snapshot, schedule, Prior(), Settings())


def faults_of(
    snapshot: Snapshot, schedule: Schedule, prior: Prior | None = None, **words: Any
) -> list[str]:
    """The faults of a run as text; empty where there are none."""
    try:
        deliver(snapshot, schedule, prior or Prior(), Settings.model_validate(words))
    except InvalidError as error:
        return [str(each) for each in error.errors]
    return []


def objects_on(plan: DeliveryPlan, cluster: str) -> dict[str, Body]:
    """The bodies of a cluster's objects by key."""
    return {each.key: each.body for each in every_object(plan) if each.cluster == cluster}


def every_object(plan: DeliveryPlan) -> list[PlannedObject]:
    """All planned objects."""
    return [
        planned
        for workload in plan.workloads
        for delivery in workload.deliveries
        for planned in delivery.objects
    ]


def findings(plan: DeliveryPlan, code: str) -> list[Finding]:
    """The findings of one code."""
    return [each for each in plan.findings if each.code == code]


def the_prior(plan: DeliveryPlan, **changes: Any) -> Prior:
    """What the state says after a plan was carried out; `changes` replace fields."""
    workloads = {
        each.workload: PriorWorkload(
            replicas=FrozenMap({one.cluster: one.replicas for one in each.deliveries}),
            roles=FrozenMap({one.cluster: one.role for one in each.deliveries}),
        )
        for each in plan.workloads
    }
    objects = {
        each.name: PriorObject(each.name, each.token, deepcopy(each.body))
        for each in every_object(plan)
    }
    weights = {
        each.policy: FrozenMap({record.cluster: record.dns_weight for record in each.records})
        for each in plan.endpoints
    }
    fields: dict[str, Any] = {
        "known": True,
        "workloads": FrozenMap(workloads),
        "dns_weights": FrozenMap(weights),
        "objects": FrozenMap(objects),
    }
    return Prior(**{**fields, **changes})
