"""The hash that consent is bound to.

It covers what happens: assignments and roles, the records of names with their weights, targets and
checks, objects and namespaces, what becomes of data, and what is removed, owed or given up relative
to the prior. Never the time, a consent, a score or a sentence.
"""

from fleet.deliver.bodies import hash_of
from fleet.model.decision import Decision
from fleet.model.endpoint import EndpointDelivery
from fleet.model.plan import DataStep, DeliveryPlan

LENGTH = 12


def digest_of(plan: DeliveryPlan, forgotten: tuple[str, ...]) -> str:
    """The digest of a plan, whatever the order of its parts.

    **Shape**: `forgotten` are the names of objects and records that are dropped besides, and
    `<workload>/<cluster>` where a workload is given up.
    """
    workloads = plan.workloads
    content: dict[str, object] = {
        "assignments": {
            each.workload: _assignments(each.decision) for each in workloads if each.decision
        },
        "weights": {
            each.policy: {record.cluster: record.dns_weight for record in each.records}
            for each in plan.endpoints
        },
        "names": {each.policy: standing_of(each) for each in plan.endpoints},
        "data": {
            each.workload: [dict(each.data), _step(each.step)]
            for each in workloads
            if each.data or each.step
        },
        "debts": {
            f"{each.workload}/{leaving.cluster}": leaving.replicas
            for each in workloads
            for leaving in each.leaving
            if leaving.debt
        },
        "objects": {
            planned.name: planned.digest
            for each in workloads
            for delivery in each.deliveries
            for planned in delivery.objects
        },
        "namespaces": {each.name: hash_of(each.body) for each in plan.namespaces},
        "removals": sorted(
            [
                *(gone.name for each in workloads for gone in each.removed),
                *(
                    name
                    for each in workloads
                    for leaving in each.leaving
                    if not leaving.stays
                    for name in (
                        f"{each.workload}/{leaving.cluster}",
                        *(gone.name for gone in leaving.objects),
                    )
                ),
                *(gone.name for each in plan.endpoints for gone in each.leaving),
                *forgotten,
            ]
        ),
    }
    aliases = {each.name: each.text for one in plan.endpoints for each in one.aliases}
    if aliases:
        content["aliases"] = aliases
    return hash_of(content)[:LENGTH]


def standing_of(endpoint: EndpointDelivery) -> str:
    """The hash of how a name's records stand, whatever they weigh.

    The name of a check is made of all that it asks.
    """
    records = {
        each.name: [
            each.dns_name or endpoint.dns_name,
            each.type,
            sorted(each.targets),
            each.check,
            each.check_other,
        ]
        for each in endpoint.records
    }
    aliases = {
        each.name: [
            each.dns_name,
            each.type,
            each.set_identifier,
            each.target,
            each.region,
            each.location.code if each.location else "",
        ]
        for each in endpoint.aliases
    }
    zone = endpoint.zone.model_dump(mode="json")
    return hash_of([zone, endpoint.ttl_seconds, records, aliases])[:LENGTH]


def _step(step: DataStep | None) -> list[object]:
    """What is done with data, and whether it is refused."""
    if step is None:
        return []
    sides = [sorted(each) for each in (step.clusters, step.previous, step.lost, step.unfenced)]
    return [step.region, step.promotion, *sides]


def _assignments(decision: Decision) -> dict[str, list[str | int | None]]:
    return {
        each.cluster: [each.replicas, str(each.role), each.minimum, each.maximum]
        for each in decision.assignments
    }
