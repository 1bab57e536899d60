"""The hash that consent is bound to.

It covers what happens: assignments and roles, dns weights and aliases, objects and namespaces, and
what is removed relative to the prior. Never the time, a consent, a score or a sentence.
"""

from fleet.deliver.bodies import hash_of
from fleet.model.decision import Decision
from fleet.model.plan import DeliveryPlan

LENGTH = 12


def digest_of(plan: DeliveryPlan, forgotten: tuple[str, ...]) -> str:
    """The digest of a plan, whatever the order of its parts.

    **Shape**: `forgotten` are the names of objects and records that are dropped besides.
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
                    if not leaving.debt
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


def _assignments(decision: Decision) -> dict[str, list[str | int | None]]:
    return {
        each.cluster: [each.replicas, str(each.role), each.minimum, each.maximum]
        for each in decision.assignments
    }
