"""How long an unplanned loss is felt, what it would land on, and what is promised about it.

An unplanned loss takes interval x threshold to be seen and the TTL to be forgotten by resolvers.
Source: Route53 health checks, failure threshold; times are seconds.
"""

from collections.abc import Iterator

from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.decision import Finding
from fleet.model.plan import EndpointDelivery
from fleet.model.traffic import Mode, TrafficPolicy, TrafficSpec


def detection_seconds(spec: TrafficSpec) -> int:
    """How long Route53 needs to take an entry for dead."""
    return spec.health_check.interval_seconds * spec.health_check.failure_threshold


def timeline_findings(
    policy: TrafficPolicy, endpoint: EndpointDelivery, counted: FrozenMap[int]
) -> Iterator[Finding]:
    """What is to be said about the loss of the side that answers.

    **Shape**: `counted` are replicas by cluster, empty for a workload that has none.
    """
    spec = policy.spec
    detection = detection_seconds(spec)
    total = detection + spec.ttl_seconds
    rto = spec.recovery.rto_seconds
    if rto is not None and total > rto:
        yield Finding(
            codes.RTO_MISSED,
            FrozenMap(
                {
                    "policy": policy.name,
                    "detection": detection,
                    "ttl": spec.ttl_seconds,
                    "total": total,
                    "rto": rto,
                }
            ),
            policy.origin.at("spec", "recovery", "rtoSeconds"),
            blocks=True,
        )
    if spec.health_check.type == "TCP":
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
    elif stands_by and (sides[False] or not counted):
        place = policy.origin.at("spec", "failover")
        yield Finding(codes.MANUAL_NOT_HELD, values, place)
