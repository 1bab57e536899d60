"""The functions that a program can ask: getZone and getRecords."""

import re
from collections.abc import Callable, Mapping

from devkit.aws.client import Client
from devkit.aws.data import Data, Table, flag, table, tables, text, texts
from devkit.aws.health_check import ARN as CHECK_ARN
from devkit.aws.record import plain_name
from devkit.aws.tags import read_tags
from devkit.aws.zone import ARN, plain_id, records_of

HEALTH_CHECKS = "route53:healthcheck"
RECORD_FIELDS = {
    "failover": "Failover",
    "healthCheckId": "HealthCheckId",
    "multiValueAnswer": "MultiValueAnswer",
    "name": "Name",
    "region": "Region",
    "setIdentifier": "SetIdentifier",
    "trafficPolicyInstanceId": "TrafficPolicyInstanceId",
    "ttl": "TTL",
    "type": "Type",
    "weight": "Weight",
}


def get_zone(client: Client, wanted: Table) -> Table:
    """Return a zone by its identifier, or by its name. **Errors**: ValueError, ApiError."""
    if bool(text(wanted, "zoneId")) == bool(text(wanted, "name")):
        raise ValueError("getZone: exactly one of 'name' and 'zoneId' must be given")
    if text(wanted, "vpcId"):
        raise ValueError("getZone: this stand-in of the AWS plugin does not look for networks")
    private = flag(wanted, "privateZone")
    identifier = text(wanted, "zoneId") or _zone_named(client, text(wanted, "name"), private)
    answer = client.call("GetHostedZone", Id=plain_id(identifier))
    zone, config = table(answer, "HostedZone"), table(table(answer, "HostedZone"), "Config")
    servers = texts(table(answer, "DelegationSet"), "NameServers")
    return {
        "arn": ARN + plain_id(identifier),
        "callerReference": text(zone, "CallerReference"),
        "comment": text(config, "Comment"),
        "enableAcceleratedRecovery": False,
        "id": plain_id(identifier),
        "linkedServiceDescription": "",
        "linkedServicePrincipal": "",
        "name": text(zone, "Name").rstrip("."),
        "nameServers": list[Data](servers),
        "primaryNameServer": servers[0] if servers else "",
        "privateZone": flag(config, "PrivateZone"),
        "resourceRecordSetCount": zone.get("ResourceRecordSetCount"),
        "tags": read_tags(client, "hostedzone", plain_id(identifier)),
        "zoneId": plain_id(identifier),
    }


def _zone_named(client: Client, name: str, private: bool) -> str:  # noqa: FBT001 - as the API
    answer = client.call("ListHostedZonesByName", DNSName=name)
    found = [
        text(zone, "Id")
        for zone in tables(answer, "HostedZones")
        if plain_name(text(zone, "Name")) == plain_name(name)
        and flag(table(zone, "Config"), "PrivateZone") == private
    ]
    if len(found) != 1:
        how_many = "no matching" if not found else f"{len(found)} matching"
        raise ValueError(f"getZone: {how_many} Route 53 Hosted Zone found for '{name}'")
    return found[0]


def get_records(client: Client, wanted: Table) -> Table:
    """Return the record sets of a zone whose name matches. **Errors**: ValueError, ApiError."""
    zone, pattern = plain_id(text(wanted, "zoneId")), text(wanted, "nameRegex")
    try:
        matches = re.compile(pattern).search
    except re.error as error:
        raise ValueError(f"getRecords: nameRegex '{pattern}': {error}") from error
    found: list[Data] = [
        _described(record) for record in records_of(client, zone) if matches(text(record, "Name"))
    ]
    result: Table = {"zoneId": zone, "resourceRecordSets": found}
    return {**result, "nameRegex": pattern} if pattern else result


def _described(record: Table) -> Table:
    described: Table = {name: record.get(field) for name, field in RECORD_FIELDS.items()}
    values = [text(value, "Value") for value in tables(record, "ResourceRecords")]
    described["resourceRecords"] = [{"value": value} for value in values]
    alias = table(record, "AliasTarget")
    if alias:
        described["aliasTarget"] = {
            "dnsName": alias.get("DNSName"),
            "evaluateTargetHealth": alias.get("EvaluateTargetHealth"),
            "hostedZoneId": alias.get("HostedZoneId"),
        }
    return described


def get_resources(client: Client, wanted: Table) -> Table:
    """Return health checks by their tags, as the tagging API does. **Errors**: ValueError.

    Only what is asked of it here: that one type of resource, and filters on tags.
    """
    kinds = texts(wanted, "resourceTypeFilters")
    if kinds != [HEALTH_CHECKS]:
        raise ValueError(f"getResources: this stand-in knows {HEALTH_CHECKS} only, not {kinds}")
    found: list[Data] = []
    marker: Table = {}
    while True:
        page = client.call("ListHealthChecks", **marker)
        for check in tables(page, "HealthChecks"):
            tags = read_tags(client, "healthcheck", text(check, "Id"))
            if all(_matches(tags, each) for each in tables(wanted, "tagFilters")):
                arn = CHECK_ARN + text(check, "Id")
                found.append({"resourceArn": arn, "tags": tags, "complianceDetails": []})
        if not flag(page, "IsTruncated"):
            return {**wanted, "id": "aws", "resourceTagMappingLists": found}
        marker = {"Marker": text(page, "NextMarker")}


def _matches(tags: Mapping[str, Data], wanted: Table) -> bool:
    value, values = tags.get(text(wanted, "key")), texts(wanted, "values")
    return value is not None and (not values or value in values)


FUNCTIONS: Mapping[str, Callable[[Client, Table], Table]] = {
    "aws:route53/getZone:getZone": get_zone,
    "aws:route53/getRecords:getRecords": get_records,
    "aws:resourcegroupstaggingapi/getResources:getResources": get_resources,
}
