"""What an unplanned loss would land on, and what of it Route53 does by itself."""

from collections.abc import Iterator

from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.decision import Finding
from fleet.model.plan import EndpointDelivery
from fleet.model.traffic import Mode, TrafficPolicy


def timeline_findings(
    policy: TrafficPolicy, endpoint: EndpointDelivery, counted: FrozenMap[int]
) -> Iterator[Finding]:
    """What is to be said about the loss of the side that answers.

    **Shape**: `counted` are replicas by cluster, empty for a workload that has none.
    """
    spec = policy.spec
    if all(each.type == "TCP" for each in spec.health_check.probes):
        yield Finding(
            codes.BLIND_CHECK,
            FrozenMap({"policy": policy.name, "name": spec.name}),
            policy.origin.at("spec", "healthCheck", "type"),
        )
    if spec.mode is Mode.ACTIVE_STANDBY and endpoint.records:
        yield from _standby_findings(policy, endpoint, counted)


def _standby_findings(
    policy: TrafficPolicy, endpoint: EndpointDelivery, counted: FrozenMap[int]
) -> Iterator[Finding]:
    sides = {True: 0, False: 0}
    weights = {record.cluster: record.dns_weight for record in endpoint.records}
    for cluster, weight in weights.items():
        sides[weight > 0] += counted.get(cluster, 0)
    if counted:
        yield Finding(
            codes.FAILOVER_CAPACITY,
            FrozenMap(
                {
                    "policy": policy.name,
                    "workload": endpoint.workload,
                    "landing": sides[False],
                    "wanted": sides[True],
                }
            ),
            policy.origin.start,
        )
    values: FrozenMap[str | int] = FrozenMap({"policy": policy.name, "name": endpoint.dns_name})
    stands_by = any(
        record.dns_weight == 0 and (not counted or record.cluster in counted)
        for record in endpoint.records
    )
    if policy.spec.failover == "automatic" and stands_by:
        yield Finding(codes.FAILBACK_AUTOMATIC, values, policy.origin.start)
    elif _answers_unasked(policy, endpoint) and (sides[False] or not counted):
        place = policy.origin.at("spec", "failover")
        yield Finding(codes.MANUAL_NOT_HELD, values, place)


def _answers_unasked(policy: TrafficPolicy, endpoint: EndpointDelivery) -> bool:
    """Whether a standby that should wait for a person is answered without one."""
    return policy.spec.failover == "manual" and any(
        record.dns_weight == 0 and not record.held for record in endpoint.records
    )
