"""What an unplanned loss would land on, and what of it Route53 does by itself."""

from collections.abc import Collection, Iterator

from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.decision import Finding
from fleet.model.endpoint import EndpointDelivery, RecordDelivery
from fleet.model.traffic import Mode, TrafficPolicy


def timeline_findings(
    policy: TrafficPolicy,
    endpoint: EndpointDelivery,
    counted: FrozenMap[int],
    regions: FrozenMap[str],
) -> Iterator[Finding]:
    """What is to be said about the loss of the side that answers.

    **Shape**: `counted` are replicas by cluster, empty for a workload that has none;
    `regions` by cluster.
    """
    spec = policy.spec
    if all(each.type == "TCP" for each in spec.health_check.probes):
        yield Finding(
            codes.BLIND_CHECK,
            FrozenMap({"policy": policy.name, "name": spec.name}),
            policy.origin.at("spec", "healthCheck", "type"),
        )
    if spec.mode is Mode.ACTIVE_STANDBY and endpoint.records:
        yield from _standby_findings(policy, endpoint, counted, regions)


def _standby_findings(
    policy: TrafficPolicy,
    endpoint: EndpointDelivery,
    counted: FrozenMap[int],
    regions: FrozenMap[str],
) -> Iterator[Finding]:
    stands_by = any(
        record.dns_weight == 0 and (not counted or record.cluster in counted)
        for record in endpoint.records
    )
    yield from _capacity_findings(policy, endpoint, counted, regions)
    values: FrozenMap[str | int] = FrozenMap({"policy": policy.name, "name": endpoint.dns_name})
    if policy.spec.failover == "automatic" and stands_by:
        yield Finding(codes.FAILBACK_AUTOMATIC, values, policy.origin.start)
    elif _answers_unasked(policy, endpoint) and (_ready(endpoint, counted) or not counted):
        place = policy.origin.at("spec", "failover")
        yield Finding(codes.MANUAL_NOT_HELD, values, place)


def _ready(endpoint: EndpointDelivery, counted: FrozenMap[int]) -> int:
    """The replicas of all standbys."""
    return sum(counted.get(each.cluster, 0) for each in endpoint.records if each.dns_weight == 0)


def _capacity_findings(
    policy: TrafficPolicy,
    endpoint: EndpointDelivery,
    counted: FrozenMap[int],
    regions: FrozenMap[str],
) -> Iterator[Finding]:
    """That what a failover leaves is less than what answers today.

    Of several regions with a weight (a shift) the others take over what one loses, and no standby
    is asked. Route53 answers with every standby that nothing holds; where all are held, a lever or
    an update lets one region go, of which the largest is told.
    """
    leading = {regions[each.cluster] for each in endpoint.records if each.dns_weight}
    if len(leading) != 1:
        return
    answering = [each for each in endpoint.records if regions[each.cluster] in leading]
    wanted = sum(counted.get(each.cluster, 0) for each in answering)
    standbys = [
        each
        for each in endpoint.records
        if regions[each.cluster] not in leading and each.cluster in counted
    ]
    landing = _landing(standbys, counted, regions)
    if standbys and landing < wanted:
        values: dict[str, str | int] = {
            "policy": policy.name,
            "workload": endpoint.workload,
            "landing": landing,
            "wanted": wanted,
        }
        yield Finding(codes.FAILOVER_CAPACITY, FrozenMap(values), policy.origin.start)


def _landing(
    standbys: Collection[RecordDelivery], counted: FrozenMap[int], regions: FrozenMap[str]
) -> int:
    """The replicas that answer when every record with a weight is unhealthy."""
    free = [each for each in standbys if not each.held]
    if free:
        return sum(counted[each.cluster] for each in free)
    held: dict[str, int] = {}
    for each in standbys:
        region = regions[each.cluster]
        held[region] = held.get(region, 0) + counted[each.cluster]
    return max(held.values(), default=0)


def _answers_unasked(policy: TrafficPolicy, endpoint: EndpointDelivery) -> bool:
    """Whether a standby that should wait for a person is answered without one."""
    return policy.spec.failover == "manual" and any(
        record.dns_weight == 0 and not record.held for record in endpoint.records
    )
