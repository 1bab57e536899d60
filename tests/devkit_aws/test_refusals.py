"""The local Route53 refuses what the real one refuses, with the real one's codes."""

import pytest
from botocore.exceptions import ClientError

from tests.devkit_aws.kit import (
    Account,
    Answer,
    Api,
    Change,
    Step,
    a_record,
    a_simple,
    an_alias,
    values,
)

CASES = [
    pytest.param(
        [a_record()],
        [("CREATE", a_record())],
        "InvalidChangeBatch",
        "already exists",
        id="create of what exists",
    ),
    pytest.param(
        [a_record()],
        [("CREATE", a_record(Name="WEB.example.test."))],
        "InvalidChangeBatch",
        "already exists",
        id="create of what exists in another spelling",
    ),
    pytest.param(
        [a_record()],
        [("UPSERT", a_simple())],
        "InvalidChangeBatch",
        "simple and weighted routing cannot be mixed",
        id="simple beside weighted",
    ),
    pytest.param(
        [a_simple()],
        [("UPSERT", a_record())],
        "InvalidChangeBatch",
        "cannot be mixed",
        id="weighted beside simple",
    ),
    pytest.param(
        [a_record()],
        [("CREATE", a_record(SetIdentifier="us-1", Weight=None, Failover="PRIMARY"))],
        "InvalidChangeBatch",
        "failover and weighted routing cannot be mixed",
        id="failover beside weighted",
    ),
    pytest.param(
        [a_record(Weight=0)],
        [("CREATE", a_record(SetIdentifier="us-1", Weight=None, Region="us-east-1"))],
        "InvalidChangeBatch",
        "latency and weighted routing cannot be mixed",
        id="latency beside a weight of zero",
    ),
    pytest.param(
        [a_record()],
        [("CREATE", a_record(SetIdentifier="us-1", TTL=30))],
        "InvalidChangeBatch",
        "different TTL values (30, 60)",
        id="unequal TTLs in a weighted group",
    ),
    pytest.param(
        [a_record(Weight=None, Region="us-east-1")],
        [("CREATE", a_record(SetIdentifier="us-1", Weight=None, Region="us-east-1"))],
        "InvalidChangeBatch",
        "another one has the same region",
        id="two latency records of one region",
    ),
    pytest.param(
        [a_record(Weight=None, GeoLocation={"CountryCode": "FR"})],
        [("CREATE", a_record(SetIdentifier="b", Weight=None, GeoLocation={"CountryCode": "FR"}))],
        "InvalidChangeBatch",
        "another one has the same geolocation",
        id="two records of one country",
    ),
    pytest.param(
        [],
        [("CREATE", an_alias("nowhere.example.test"))],
        "InvalidChangeBatch",
        "that target was not found",
        id="an alias to nowhere",
    ),
    pytest.param(
        [a_simple(Name="leaf.example.test", Type="AAAA", ResourceRecords=values("2001:db8::1"))],
        [("CREATE", an_alias("leaf.example.test"))],
        "InvalidChangeBatch",
        "type A in zone example.test., but that target was not found",
        id="an alias to a record of another type",
    ),
    pytest.param(
        [a_record(Weight=None, Failover="PRIMARY")],
        [("CREATE", a_record(SetIdentifier="us-1", Weight=None, Failover="PRIMARY"))],
        "InvalidChangeBatch",
        "same failover role",
        id="two primaries",
    ),
    pytest.param(
        [],
        [("CREATE", a_simple(Type="CNAME", Name="example.test", ResourceRecords=values("a.test")))],
        "InvalidChangeBatch",
        "not permitted at apex",
        id="a CNAME at the apex",
    ),
    pytest.param(
        [a_simple(Type="TXT", ResourceRecords=values('"x"'))],
        [("CREATE", a_simple(Type="CNAME", ResourceRecords=values("a.test")))],
        "InvalidChangeBatch",
        "conflicts with other records",
        id="a CNAME beside another type",
    ),
    pytest.param(
        [a_simple(Type="CNAME", ResourceRecords=values("a.test"))],
        [("CREATE", a_simple())],
        "InvalidChangeBatch",
        "conflicts with other records",
        id="another type beside a CNAME",
    ),
    pytest.param(
        [],
        [("DELETE", a_record())],
        "InvalidChangeBatch",
        "was not found",
        id="delete of what is not there",
    ),
    pytest.param(
        [a_record()],
        [("DELETE", a_record(Weight=7))],
        "InvalidChangeBatch",
        "do not match the current values",
        id="delete with another weight",
    ),
    pytest.param(
        [a_record()],
        [("DELETE", a_record(ResourceRecords=values("192.0.2.9")))],
        "InvalidChangeBatch",
        "do not match the current values",
        id="delete with another value",
    ),
    pytest.param(
        [],
        [("CREATE", a_record(HealthCheckId="11111111-2222-3333-4444-555555555555"))],
        "NoSuchHealthCheck",
        "No health check exists",
        id="a health check that does not exist",
    ),
    pytest.param(
        [],
        [("CREATE", a_record(Name="web.other.test"))],
        "InvalidChangeBatch",
        "not permitted in zone example.test.",
        id="a name outside the zone",
    ),
    pytest.param(
        [],
        [("CREATE", a_record(Name="badexample.test"))],
        "InvalidChangeBatch",
        "not permitted in zone",
        id="a name that only ends like the zone",
    ),
    pytest.param(
        [],
        [("CREATE", a_record(ResourceRecords=values("eu-1.example.test")))],
        "InvalidChangeBatch",
        "not a valid IPv4 address",
        id="a host name in an A record",
    ),
    pytest.param(
        [],
        [("CREATE", a_record(ResourceRecords=values("192.0.2.1", "192.0.2.1")))],
        "InvalidChangeBatch",
        "Duplicate Resource Record",
        id="the same value twice",
    ),
    pytest.param(
        [],
        [("CREATE", a_simple(Type="TXT", ResourceRecords=values("bare")))],
        "InvalidChangeBatch",
        "enclosed in quotation marks",
        id="a TXT value without quotation marks",
    ),
]
CREATED = [
    (
        an_alias("leaf.example.test", TTL=60),
        "Expected exactly one of [AliasTarget",
        "an alias with a TTL of its own",
    ),
    (
        a_record(Weight=None, Region="mars-north-1"),
        "Value 'mars-north-1' at",
        "latency to a region that is none",
    ),
    (
        a_record(Weight=None, GeoLocation={"CountryCode": "UK"}),
        "'UK' is not a country code",
        "a country that is none",
    ),
    (
        a_record(Weight=None, GeoLocation={"ContinentCode": "XX"}),
        "'XX' is not a continent code",
        "a continent that is none",
    ),
    (
        a_record(Weight=None, GeoLocation={"CountryCode": "FR", "ContinentCode": "EU"}),
        "exactly one of ContinentCode and CountryCode",
        "a country and a continent",
    ),
    (
        a_record(Weight=None, GeoLocation={"CountryCode": "DE", "SubdivisionCode": "BY"}),
        "goes with CountryCode US only",
        "a part of a country that has none",
    ),
    (
        a_record(SetIdentifier=None),
        "Missing field 'SetIdentifier'",
        "a weight without a set identifier",
    ),
    (a_record(Weight=None), "Expected exactly one of", "a set identifier without a policy"),
    (a_record(Failover="PRIMARY"), "found more than one", "two policies on one record set"),
    (a_record(Weight=256), "between 0 and 255", "weight 256"),
    (a_record(Weight=-1), "between 0 and 255", "weight -1"),
    (a_simple(TTL=None), "all of [TTL, and ResourceRecords]", "values without a TTL"),
    (a_simple(Type="NONSENSE"), "enum value set", "a type that does not exist"),
]
"""What may not be created in an empty zone: the record, what Route53 says, what it is."""

CASES += [
    pytest.param([], [("CREATE", record)], "InvalidInput", sentence, id=name)
    for record, sentence, name in CREATED
]


@pytest.mark.parametrize(("before", "steps", "code", "sentence"), CASES)
def test_a_change_batch_is_refused(
    account: Account, before: list[Answer], steps: list[Step], code: str, sentence: str
) -> None:
    for record in before:
        account.change(("CREATE", record))
    kept = account.records()
    with pytest.raises(ClientError) as caught:
        account.change(*steps)
    assert caught.value.response["Error"]["Code"] == code
    assert sentence in caught.value.response["Error"]["Message"]
    assert account.records() == kept, "a refused batch changes nothing"


def test_a_batch_is_all_or_nothing(change: Change, api: Api, zone: str) -> None:
    with pytest.raises(ClientError):
        change(("CREATE", a_record()), ("CREATE", a_record(SetIdentifier="us-1", TTL=1)))
    listed = api("ListResourceRecordSets", {"HostedZoneId": zone})["ResourceRecordSets"]
    assert [record["Type"] for record in listed] == ["NS", "SOA"]


def test_the_policy_of_a_name_can_change_in_one_batch(change: Change) -> None:
    change(("CREATE", a_simple()))
    change(("DELETE", a_simple()), ("CREATE", a_record()))


def test_the_ttl_of_a_group_can_change_in_one_batch(change: Change) -> None:
    change(("CREATE", a_record()), ("CREATE", a_record(SetIdentifier="us-1", Weight=0)))
    change(("UPSERT", a_record(TTL=5)), ("UPSERT", a_record(SetIdentifier="us-1", Weight=0, TTL=5)))


def test_a_delete_hits_its_own_name_only(change: Change, api: Api, zone: str) -> None:
    other = a_record(Name="api.example.test")
    change(("CREATE", a_record()), ("CREATE", other))
    change(("DELETE", a_record()))
    listed = api("ListResourceRecordSets", {"HostedZoneId": zone})["ResourceRecordSets"]
    assert [record["Name"] for record in listed if record["Type"] == "A"] == ["api.example.test."]


def test_values_are_compared_in_any_order_when_deleted(change: Change) -> None:
    change(("CREATE", a_simple(ResourceRecords=values("192.0.2.1", "192.0.2.2"))))
    change(("DELETE", a_simple(ResourceRecords=values("192.0.2.2", "192.0.2.1"))))


def test_the_zones_own_ns_record_cannot_be_deleted(change: Change, api: Api, zone: str) -> None:
    own = api("ListResourceRecordSets", {"HostedZoneId": zone})["ResourceRecordSets"][0]
    with pytest.raises(ClientError, match="at least one NS record"):
        change(("DELETE", own))


def test_a_zone_with_records_cannot_be_deleted(change: Change, api: Api, zone: str) -> None:
    change(("CREATE", a_record()))
    with pytest.raises(ClientError, match="HostedZoneNotEmpty"):
        api("DeleteHostedZone", {"Id": zone})
    change(("DELETE", a_record()))
    api("DeleteHostedZone", {"Id": zone})
    with pytest.raises(ClientError, match="NoSuchHostedZone"):
        api("GetHostedZone", {"Id": zone})


def test_a_zone_with_a_used_reference_is_refused(api: Api, zone: str) -> None:
    del zone
    with pytest.raises(ClientError, match="HostedZoneAlreadyExists"):
        api("CreateHostedZone", {"Name": "other.test", "CallerReference": "zone"})


CHECKS = [
    pytest.param({"RequestInterval": 20}, "must be 10 or 30", id="interval 20"),
    pytest.param({"RequestInterval": 5}, "between 10 and 30", id="interval 5"),
    pytest.param({"FailureThreshold": 0}, "between 1 and 10", id="threshold 0"),
    pytest.param({"FailureThreshold": 11}, "between 1 and 10", id="threshold 11"),
    pytest.param({"Port": 70000}, "between 1 and 65535", id="port 70000"),
    pytest.param({"IPAddress": None}, "IPAddress or FullyQualified", id="no endpoint"),
    pytest.param({"Type": "HTTP_STR_MATCH"}, "SearchString is required", id="no search string"),
    pytest.param({"SearchString": "ok"}, "for no other", id="a search string without its type"),
    pytest.param({"Type": "TCP", "Port": None}, "TCP needs a Port", id="TCP without a port"),
    pytest.param({"Type": "PING"}, "enum value set", id="a type that does not exist"),
    pytest.param({"EnableSNI": True}, "EnableSNI cannot be true", id="SNI without TLS"),
    pytest.param(
        {"Type": "CALCULATED", "IPAddress": None, "Port": None, "HealthThreshold": 1}
        | {"ChildHealthChecks": ["nobody"]},
        "no health check exists",
        id="a child that does not exist",
    ),
    pytest.param({"Regions": ["us-east-1"]}, "between 3 and", id="one checker region"),
]


@pytest.mark.parametrize(("changed", "sentence"), CHECKS)
def test_a_health_check_is_refused(api: Api, changed: Answer, sentence: str) -> None:
    config = {"Type": "HTTP", "IPAddress": "192.0.2.1", "Port": 80, **changed}
    config = {name: value for name, value in config.items() if value is not None}
    with pytest.raises(ClientError) as caught:
        api("CreateHealthCheck", {"CallerReference": "x", "HealthCheckConfig": config})
    assert caught.value.response["Error"]["Code"] == "InvalidInput"
    assert sentence in caught.value.response["Error"]["Message"]
    assert api("ListHealthChecks", {})["HealthChecks"] == []


def test_a_used_reference_with_other_settings_is_refused(api: Api) -> None:
    one = {"Type": "HTTP", "IPAddress": "192.0.2.1"}
    first = api("CreateHealthCheck", {"CallerReference": "x", "HealthCheckConfig": one})
    again = api("CreateHealthCheck", {"CallerReference": "x", "HealthCheckConfig": one})
    assert first["HealthCheck"]["Id"] == again["HealthCheck"]["Id"]
    with pytest.raises(ClientError, match="HealthCheckAlreadyExists"):
        api("CreateHealthCheck", {"CallerReference": "x", "HealthCheckConfig": {**one, "Port": 81}})


def test_an_inverted_check_can_be_turned_back(api: Api) -> None:
    config = {"Type": "HTTP", "IPAddress": "192.0.2.1"}
    made = api("CreateHealthCheck", {"CallerReference": "x", "HealthCheckConfig": config})
    name = made["HealthCheck"]["Id"]
    api("UpdateHealthCheck", {"HealthCheckId": name, "Inverted": True})
    api("UpdateHealthCheck", {"HealthCheckId": name, "Inverted": False, "FailureThreshold": 5})
    found = api("GetHealthCheck", {"HealthCheckId": name})["HealthCheck"]
    assert found["HealthCheckConfig"]["Inverted"] is False
    assert found["HealthCheckConfig"]["FailureThreshold"] == 5
    assert found["HealthCheckVersion"] == 3
