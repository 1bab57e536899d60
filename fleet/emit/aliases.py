"""Aliases as Route53 records: from the plan, and back from the state."""

from collections.abc import Iterable, Mapping
from typing import Any

import pulumi_aws as aws

from fleet.model.base import FrozenMap
from fleet.model.endpoint import AliasDelivery
from fleet.model.geography import EVERYWHERE, Location
from fleet.model.prior import PriorObject
from fleet.model.record_names import split_record_name


def routing_of(alias: AliasDelivery) -> dict[str, Any]:
    """The arguments by which Route53 chooses an alias among those of its name."""
    if alias.dns_weight is not None:
        weight = aws.route53.RecordWeightedRoutingPolicyArgs(weight=alias.dns_weight)
        return {"weighted_routing_policies": [weight]}
    if alias.location is None:
        region = aws.route53.RecordLatencyRoutingPolicyArgs(region=alias.region)
        return {"latency_routing_policies": [region]}
    return {"geolocation_routing_policies": [_place(alias.location)]}


def _place(location: Location) -> aws.route53.RecordGeolocationRoutingPolicyArgs:
    everywhere = "*" if location == EVERYWHERE else None
    return aws.route53.RecordGeolocationRoutingPolicyArgs(
        continent=location.continent or None,
        country=location.country or everywhere,
        subdivision=location.subdivision or None,
    )


def prior_aliases(records: Iterable[PriorObject]) -> FrozenMap[FrozenMap[str]]:
    """Where every alias of the state leads, as the plan says it: by policy and resource name."""
    found: dict[str, dict[str, str]] = {}
    for record in records:
        for alias in record.body.get("aliases") or ():
            policy = split_record_name(record.name).policy
            found.setdefault(policy, {})[record.name] = _text(alias, record.body)
    return FrozenMap({policy: FrozenMap(each) for policy, each in found.items()})


def _text(alias: Mapping[str, Any], body: Mapping[str, Any]) -> str:
    target = str(alias.get("name", "")).rstrip(".").lower()
    routing = body.get("weightedRoutingPolicies")
    return f"{target} {int(routing[0].get('weight', 0))}" if routing else target
