"""Clusters that have a record and a check, and that the file leads nobody to."""

from collections.abc import Iterator

from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.decision import Finding
from fleet.model.endpoint import EndpointDelivery
from fleet.model.traffic import Mode, TrafficPolicy


def unled_findings(
    policy: TrafficPolicy, endpoint: EndpointDelivery, regions: FrozenMap[str]
) -> Iterator[Finding]:
    """Records of clusters that neither `dnsWeights` nor `geolocation` names where one of them says.

    One that weighs something beside `dnsWeights` is led to: nobody who is named there can be.

    **Shape**: `regions` by cluster, of those that run the workload.
    """
    places = policy.spec.mode is Mode.GEOLOCATION
    field = "geolocation" if places else "dnsWeights"
    said = {*(policy.spec.geolocation if places else policy.spec.dns_weights)}
    left = [
        each.cluster
        for each in endpoint.records
        if said
        and each.cluster in regions
        and said.isdisjoint({each.cluster, regions[each.cluster]})
        and (places or each.dns_weight == 0)
    ]
    if left:
        values: dict[str, str | int] = {
            "policy": policy.name,
            "name": policy.spec.name,
            "workload": endpoint.workload,
            "clusters": ", ".join(left),
            "field": field,
        }
        yield Finding(codes.NOT_LED_TO, FrozenMap(values), policy.origin.at("spec", field))
