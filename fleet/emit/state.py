"""The stack's own state, read once before anything is registered, as the prior of this run.

What was assigned comes from the components' outputs (written whether or not their children
succeeded), what exists from the objects themselves; the second corrects the first.
"""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pulumi

from fleet.emit.aliases import prior_aliases
from fleet.emit.objects import NAMESPACE_TYPE
from fleet.errors import RefusedError
from fleet.explain.placements import CLUSTERS
from fleet.load.prior import prior_from_document
from fleet.model.base import FrozenMap
from fleet.model.prior import Prior, PriorObject, PriorWorkload
from fleet.model.record_names import split_record_name
from fleet.model.resource_names import is_object_name, split_name
from fleet.model.workload import REPLICA_FIELDS

WORKLOAD_TYPE = "fleet:index:Workload"
RECORD_TYPE = "aws:route53/record:Record"
CHECK_TYPE = "aws:route53/healthCheck:HealthCheck"
STACK_TYPE = "pulumi:pulumi:Stack"
ZONE_TYPE = "aws:route53/zone:Zone"
# A file back end writes the state and what it notes about it one after the other, also while the
# update begins: a look in between fails, the next one does not.
READ_ATTEMPTS = 5
READ_PAUSE_SECONDS = 0.3
RELEASED = "fleet/released"
SHARED_PARTS = 3
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


@dataclass(frozen=True, slots=True)
class StateResource:
    """One resource of the state: its Pulumi type, its name, its outputs."""

    token: str
    name: str
    outputs: dict[str, Any]


@dataclass(frozen=True, slots=True)
class OwnState:
    """What the stack holds: the prior, and the parts that only emission needs.

    **Shape**: `zone_ids` by zone name; `namespaces` by resource name
    `<cluster>/Namespace/<namespace>`: whether the last update released it for deletion.
    `check_ids` are what AWS calls the stack's health checks.
    """

    prior: Prior
    zone_ids: FrozenMap[str]
    namespaces: FrozenMap[bool]
    check_ids: frozenset[str] = frozenset()


async def read_own_state() -> OwnState:
    """Reads the state of this stack as it is before this update; empty on a first run.

    Raises RefusedError where it cannot be read: without it everything would move.
    """
    stack = f"{pulumi.get_organization()}/{pulumi.get_project()}/{pulumi.get_stack()}"
    for attempt in range(1, READ_ATTEMPTS + 1):
        try:
            answer = await pulumi.runtime.invoke_async(
                "pulumi:pulumi:readStackResourceOutputs", {"stackName": stack}
            )
        except Exception as error:  # noqa: BLE001 - the SDK raises nothing narrower
            if attempt == READ_ATTEMPTS:
                raise RefusedError(f"the stack's own state cannot be read: {error}") from None
            await asyncio.sleep(READ_PAUSE_SECONDS)
        else:
            break
    return own_state(_resources((answer or {}).get("outputs") or {}))


def own_state(resources: Iterable[StateResource]) -> OwnState:
    """Sorts the state's resources into what the next plan needs to know."""
    everything = list(resources)
    objects = {each.name: _prior_object(each) for each in everything if _is_object(each)}
    records = {each.name: _prior_object(each) for each in everything if each.token == RECORD_TYPE}
    said = prior_from_document(
        {
            each.name: _assigned(each.outputs["placement"])
            for each in everything
            if each.token == WORKLOAD_TYPE and each.outputs.get("placement")
        }
        | _known_clusters(everything)
    )
    prior = Prior(
        known=bool(objects) or any(each.token == WORKLOAD_TYPE for each in everything),
        workloads=_corrected(said.workloads, objects),
        dns_weights=_dns_weights(records.values()),
        objects=FrozenMap(objects),
        records=FrozenMap(records),
        clusters=said.clusters,
        targets=said.targets,
        aliases=prior_aliases(records.values()),
        standing=said.standing,
    )
    return OwnState(
        prior=prior,
        zone_ids=FrozenMap(
            {
                each.name: str(each.outputs.get("zoneId"))
                for each in everything
                if each.token == ZONE_TYPE and each.outputs.get("zoneId")
            }
        ),
        namespaces=FrozenMap(
            {
                each.name: _is_released(each)
                for each in everything
                if each.token == NAMESPACE_TYPE and each.name.count("/") == SHARED_PARTS - 1
            }
        ),
        check_ids=frozenset(
            str(each.outputs["arn"]).rpartition("/")[2]
            for each in everything
            if each.token == CHECK_TYPE and each.outputs.get("arn")
        ),
    )


def _is_released(resource: StateResource) -> bool:
    annotations = (resource.outputs.get("metadata") or {}).get("annotations") or {}
    return RELEASED in annotations


def _resources(outputs: Mapping[str, Any]) -> Iterable[StateResource]:
    for urn, entry in outputs.items():
        token = urn.split("::")[2].rpartition("$")[2]
        name = urn.split("::", 3)[3]
        yield StateResource(token, name, plain(entry.get("outputs") or {}))


def _known_clusters(resources: Iterable[StateResource]) -> dict[str, object]:
    """What the last update noted of the inventory: an output of the stack itself."""
    for each in resources:
        if each.token == STACK_TYPE:
            placements = each.outputs.get("placements")
            if isinstance(placements, dict) and CLUSTERS in placements:
                return {CLUSTERS: placements[CLUSTERS]}
    return {}


def plain(outputs: Mapping[str, Any]) -> dict[str, Any]:
    """Outputs as they were before the engine: whole floats are integers again, no Nones."""
    return {key: _plain(value) for key, value in outputs.items() if value is not None}


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return plain(value)
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _is_object(resource: StateResource) -> bool:
    return resource.token.startswith("kubernetes:") and is_object_name(resource.name)


def _assigned(placement: object) -> object:
    """What a component says but for weights and aliases: of those the records are the truth.

    A policy that went from one workload to another in an update that was cut stands in both.
    """
    if not isinstance(placement, dict):
        return placement
    return {key: value for key, value in placement.items() if key not in {"dnsWeights", "aliases"}}


def _prior_object(resource: StateResource) -> PriorObject:
    body = {key: each for key, each in resource.outputs.items() if not key.startswith("__")}
    if resource.token.endswith(":Secret"):
        body = _without_data(body)
    return PriorObject(resource.name, resource.token, body)


def _without_data(body: dict[str, Any]) -> dict[str, Any]:
    """A secret's body without its data, also the copy that `kubectl apply` leaves."""
    kept = {key: each for key, each in body.items() if key not in {"data", "stringData"}}
    metadata = dict(kept.get("metadata") or {})
    annotations = metadata.get("annotations") or {}
    metadata["annotations"] = {k: v for k, v in annotations.items() if k != LAST_APPLIED}
    return kept | {"metadata": metadata}


def _corrected(
    said: Mapping[str, PriorWorkload], objects: Mapping[str, PriorObject]
) -> FrozenMap[PriorWorkload]:
    """Assignments whose objects exist.

    Objects that a workload's own assignments do not speak of are a debt, or the half of an update
    that failed: they are no assignment. Only where no update has ended yet do they count as one.
    """
    there: dict[str, dict[str, int]] = {}
    for name, each in objects.items():
        parts = split_name(name)
        clusters = there.setdefault(parts.workload, {})
        count = _count(parts.key.partition("/")[0], each.body)
        clusters[parts.cluster] = max(clusters.get(parts.cluster, 0), count)
    return FrozenMap(
        {workload: _existing(said.get(workload), clusters) for workload, clusters in there.items()}
    )


def _count(kind: str, body: Mapping[str, Any]) -> int:
    """How many replicas an object runs; a DaemonSet counts 1, as in the plan."""
    if kind == "DaemonSet":
        return 1
    replicas = (body.get("spec") or {}).get(REPLICA_FIELDS[kind]) if kind in REPLICA_FIELDS else 0
    return int(replicas or 0)


def _existing(said: PriorWorkload | None, there: Mapping[str, int]) -> PriorWorkload:
    if said is None:
        return PriorWorkload(replicas=FrozenMap(there))
    replicas = {cluster: count for cluster, count in said.replicas.items() if cluster in there}
    return replace(
        said,
        replicas=FrozenMap(replicas),
        roles=FrozenMap({key: role for key, role in said.roles.items() if key in there}),
        hashes=FrozenMap({key: each for key, each in said.hashes.items() if key in there}),
        proven=FrozenMap({key: each for key, each in said.proven.items() if key in there}),
    )


def _dns_weights(records: Iterable[PriorObject]) -> FrozenMap[FrozenMap[int]]:
    weights: dict[str, dict[str, int]] = {}
    for record in records:
        parts = split_record_name(record.name)
        if not parts.cluster:
            continue
        routing = record.body.get("weightedRoutingPolicies") or [{}]
        weights.setdefault(parts.policy, {})[parts.cluster] = int(routing[0].get("weight", 0))
    return FrozenMap({policy: FrozenMap(clusters) for policy, clusters in weights.items()})
