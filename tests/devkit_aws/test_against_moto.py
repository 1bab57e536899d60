"""Where moto, another local Route53, is right, ours answers the same."""

import botocore.session
import pytest
from moto import mock_aws

from tests.devkit_aws.kit import Api, a_record, a_simple, calls_of, values

CHANGED = ("Id", "CallerReference", "Location", "ResponseMetadata", "ChangeInfo", "NameServers")


def scenario(call: Api) -> list[object]:
    """A zone, two weighted records, a TXT record, a check and tags: everything that is answered."""
    made = call("CreateHostedZone", {"Name": "example.test", "CallerReference": "z"})
    zone = made["HostedZone"]["Id"].rpartition("/")[2]
    config = {"Type": "HTTPS", "IPAddress": "192.0.2.1", "Port": 443, "RequestInterval": 10}
    config |= {"FailureThreshold": 2, "FullyQualifiedDomainName": "web.example.test"}
    config |= {"ResourcePath": "/ready", "EnableSNI": True}
    check = call("CreateHealthCheck", {"CallerReference": "c", "HealthCheckConfig": config})
    name = check["HealthCheck"]["Id"]
    steps = [
        ("CREATE", a_record(HealthCheckId=name)),
        ("CREATE", a_record(SetIdentifier="us-1", Weight=0, HealthCheckId=name)),
        ("CREATE", a_simple(Type="TXT", Name="t.example.test", ResourceRecords=values('"a b"'))),
        ("UPSERT", a_record(Weight=7, HealthCheckId=name)),
    ]
    for action, record in steps:
        batch = {"Changes": [{"Action": action, "ResourceRecordSet": record}]}
        call("ChangeResourceRecordSets", {"HostedZoneId": zone, "ChangeBatch": batch})
    tags = [{"Key": "team", "Value": "a"}, {"Key": "env", "Value": "b"}]
    tagged = {"ResourceType": "hostedzone", "ResourceId": zone}
    call("ChangeTagsForResource", {**tagged, "AddTags": tags})
    call("ChangeTagsForResource", {**tagged, "RemoveTagKeys": ["team"]})
    listed = call("ListResourceRecordSets", {"HostedZoneId": zone})["ResourceRecordSets"]
    return [
        made["HostedZone"]["Name"],
        check["HealthCheck"],
        [record for record in listed if record["Type"] not in ("NS", "SOA")],
        call("ListResourceRecordSets", {"HostedZoneId": zone})["IsTruncated"],
        call("GetHostedZone", {"Id": zone})["HostedZone"]["ResourceRecordSetCount"],
        call("GetHealthCheck", {"HealthCheckId": name})["HealthCheck"],
        call("ListTagsForResource", tagged)["ResourceTagSet"]["Tags"],
        call("ListHostedZonesByName", {"DNSName": "example.test"})["HostedZones"][0]["Name"],
    ]


def without_names(value: object) -> object:
    """Leave out what each makes up by itself."""
    if isinstance(value, dict):
        kept = {key: one for key, one in value.items() if key not in (*CHANGED, "HealthCheckId")}
        return {key: without_names(one) for key, one in kept.items()}
    return [without_names(one) for one in value] if isinstance(value, list) else value


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_same_calls_get_the_same_answers(api: Api) -> None:
    with mock_aws():
        client = botocore.session.Session().create_client(
            "route53",
            region_name="us-east-1",
            aws_access_key_id="devkit",
            aws_secret_access_key="devkit",  # noqa: S106 - moto takes anything
        )
        theirs = scenario(calls_of(client))
        client.close()
    assert without_names(scenario(api)) == without_names(theirs)
