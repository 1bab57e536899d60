"""The aliases of a name in a break-glass batch: where each leads after a region switch."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from fleet.model.endpoint import AliasDelivery, EndpointDelivery
from fleet.model.geography import Location


def turns(now: EndpointDelivery, then: EndpointDelivery, zone_id: str) -> Iterator[dict[str, Any]]:
    """A change for each alias that exists, what is led to before what leads to it.

    `then` is the name as the switch has it. An alias that would lead to records that are not there
    yet leads to the heaviest region instead: a batch creates nothing that fleet would not know. So
    does one by latency whose region is left: the check that would bar that region is not there.
    """
    planned = {each.name: each for each in then.aliases}
    here = {each.dns_name for each in now.records} | {each.dns_name for each in now.aliases}
    heaviest = max(then.records, key=lambda each: (each.dns_weight, each.name), default=None)
    led_to = {each.dns_name for each in then.records if each.dns_weight}
    led_to |= {each.dns_name for each in now.records if each.held}
    for alias in sorted(now.aliases, key=lambda each: (each.stage, each.name)):
        led = planned.get(alias.name, alias)
        is_left = bool(led.region) and led.target not in led_to
        if (is_left or led.target not in here) and heaviest is not None:
            led = replace(led, target=heaviest.dns_name)
        yield {"Action": "UPSERT", "ResourceRecordSet": _record_set(led, zone_id)}


def _record_set(alias: AliasDelivery, zone_id: str) -> dict[str, Any]:
    """Source: Route53 ChangeResourceRecordSets, an alias of the same zone."""
    target = {"HostedZoneId": zone_id, "DNSName": alias.target, "EvaluateTargetHealth": True}
    record_set: dict[str, Any] = {
        "Name": alias.dns_name,
        "Type": alias.type,
        "SetIdentifier": alias.set_identifier,
        "AliasTarget": target,
    }
    if alias.location is not None:
        return record_set | {"GeoLocation": _place(alias.location)}
    if alias.region:
        return record_set | {"Region": alias.region}
    return record_set | {"Weight": alias.dns_weight}


def _place(location: Location) -> dict[str, str]:
    if location.continent:
        return {"ContinentCode": location.continent}
    part = {"SubdivisionCode": location.subdivision} if location.subdivision else {}
    return {"CountryCode": location.country or "*", **part}
