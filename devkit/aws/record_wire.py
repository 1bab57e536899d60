"""A record set between the engine's inputs and the API's form."""

from devkit.aws.data import Data, Table, flag, table, tables, text, texts

QUOTED_TYPES = ("TXT", "SPF")


def to_wire(inputs: Table, name: str) -> Table:
    """Return a record set as the API wants it.

    >>> to_wire({"type": "TXT", "ttl": 5, "records": ["a b"]}, "x.test")["ResourceRecords"]
    [{'Value': '"a b"'}]
    """
    record: Table = {"Name": name, "Type": text(inputs, "type")}
    if "setIdentifier" in inputs:
        record["SetIdentifier"] = inputs["setIdentifier"]
    record |= _policy_to_wire(inputs)
    if "records" in inputs:
        record["TTL"] = inputs.get("ttl")
        record["ResourceRecords"] = [
            {"Value": _quoted(text(inputs, "type"), value)} for value in texts(inputs, "records")
        ]
    for alias in tables(inputs, "aliases"):
        record["AliasTarget"] = {
            "HostedZoneId": alias.get("zoneId"),
            "DNSName": alias.get("name"),
            "EvaluateTargetHealth": alias.get("evaluateTargetHealth"),
        }
    if inputs.get("healthCheckId"):
        record["HealthCheckId"] = inputs["healthCheckId"]
    return record


def _quoted(kind: str, value: str) -> str:
    """Return a text value in quotation marks, as the real provider sends it."""
    return f'"{value}"' if kind in QUOTED_TYPES else value


def _policy_to_wire(inputs: Table) -> Table:
    record: Table = {}
    for policy in tables(inputs, "weightedRoutingPolicies"):
        record["Weight"] = policy.get("weight")
    for policy in tables(inputs, "failoverRoutingPolicies"):
        record["Failover"] = policy.get("type")
    for policy in tables(inputs, "latencyRoutingPolicies"):
        record["Region"] = policy.get("region")
    for policy in tables(inputs, "geolocationRoutingPolicies"):
        names = {"continent": "ContinentCode", "country": "CountryCode"}
        names["subdivision"] = "SubdivisionCode"
        place: Table = {names[key]: value for key, value in policy.items() if value}
        record["GeoLocation"] = place
    if flag(inputs, "multivalueAnswerRoutingPolicy"):
        record["MultiValueAnswer"] = True
    return record


def from_wire(record: Table) -> Table:
    """Return the inputs that describe a record set; name and zone are the caller's.

    >>> from_wire({"Type": "A", "TTL": 5, "Weight": 0, "ResourceRecords": [{"Value": "192.0.2.1"}]})
    {'type': 'A', 'weightedRoutingPolicies': [{'weight': 0}], 'ttl': 5, 'records': ['192.0.2.1']}
    """
    kind = text(record, "Type")
    inputs: Table = {"type": kind}
    if "SetIdentifier" in record:
        inputs["setIdentifier"] = record["SetIdentifier"]
    inputs |= _policy_from_wire(record)
    if "TTL" in record:
        inputs["ttl"] = record["TTL"]
    values = [text(value, "Value") for value in tables(record, "ResourceRecords")]
    if values:
        inputs["records"] = [_unquoted(kind, value) for value in values]
    alias = table(record, "AliasTarget")
    if alias:
        described: Table = {
            "name": text(alias, "DNSName").rstrip("."),
            "zoneId": alias.get("HostedZoneId"),
            "evaluateTargetHealth": alias.get("EvaluateTargetHealth"),
        }
        inputs["aliases"] = [described]
    if record.get("HealthCheckId"):
        inputs["healthCheckId"] = record["HealthCheckId"]
    return inputs


def _unquoted(kind: str, value: str) -> str:
    return value.removeprefix('"').removesuffix('"') if kind in QUOTED_TYPES else value


def _policy_from_wire(record: Table) -> Table:
    inputs: Table = {}
    for field, name, key in (
        ("Weight", "weightedRoutingPolicies", "weight"),
        ("Failover", "failoverRoutingPolicies", "type"),
        ("Region", "latencyRoutingPolicies", "region"),
    ):
        if field in record:
            described: Data = {key: record[field]}
            inputs[name] = [described]
    place = table(record, "GeoLocation")
    if place:
        names = {"ContinentCode": "continent", "CountryCode": "country"}
        names["SubdivisionCode"] = "subdivision"
        where: Table = {names[key]: value for key, value in place.items()}
        inputs["geolocationRoutingPolicies"] = [where]
    if flag(record, "MultiValueAnswer"):
        inputs["multivalueAnswerRoutingPolicy"] = True
    return inputs
