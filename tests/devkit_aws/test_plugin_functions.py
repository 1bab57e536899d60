"""What a program can ask: getZone and getRecords."""

import grpc
import pytest

from tests.devkit_aws.engine_side import OTHER, Plugin, record_inputs, refusal
from tests.devkit_aws.kit import Account


def test_a_zone_is_found_by_name_and_by_identifier(plugin: Plugin, account: Account) -> None:
    by_name = plugin.invoke("aws:route53/getZone:getZone", name="Example.test.")
    by_id = plugin.invoke("aws:route53/getZone:getZone", zoneId=account.zone)
    assert by_name == by_id
    assert by_name["zoneId"] == by_name["id"] == account.zone
    assert by_name["name"] == "example.test"
    assert by_name["resourceRecordSetCount"] == 2


def test_a_zone_that_is_not_there_is_one_sentence(plugin: Plugin) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        plugin.invoke("aws:route53/getZone:getZone", name="nowhere.test")
    expected = "getZone: no matching Route 53 Hosted Zone found for 'nowhere.test'"
    assert refusal(caught) == expected


def test_records_are_found_by_a_pattern(plugin: Plugin, account: Account) -> None:
    account.change(("CREATE", OTHER))
    plugin.create("Record", record_inputs(account.zone))
    answer = plugin.invoke(
        "aws:route53/getRecords:getRecords", zoneId=account.zone, nameRegex="^web"
    )
    (found,) = answer["resourceRecordSets"]
    assert found == {
        "name": "web.example.test.",
        "type": "A",
        "ttl": 5,
        "weight": 100,
        "setIdentifier": "eu-1",
        "resourceRecords": [{"value": "127.0.10.1"}],
    }


def test_more_than_one_page_of_records_is_found(plugin: Plugin, account: Account) -> None:
    many = [("CREATE", {**OTHER, "Name": f"n{n}.example.test"}) for n in range(350)]
    account.change(*many)
    answer = plugin.invoke("aws:route53/getRecords:getRecords", zoneId=account.zone)
    assert len(answer["resourceRecordSets"]) == 352


GET_RESOURCES = "aws:resourcegroupstaggingapi/getResources:getResources"


def test_health_checks_are_found_by_their_tags(plugin: Plugin) -> None:
    for owner in ("fleet/dev", "fleet/prod"):
        check = {"type": "TCP", "ipAddress": "127.0.10.1", "port": 80, "failureThreshold": 3}
        plugin.create("HealthCheck", check | {"requestInterval": 10, "tags": {"fleet": owner}})
    asked = {
        "resourceTypeFilters": ["route53:healthcheck"],
        "tagFilters": [{"key": "fleet", "values": ["fleet/dev"]}],
    }
    (found,) = plugin.invoke(GET_RESOURCES, **asked)["resourceTagMappingLists"]
    assert found["resourceArn"].startswith("arn:aws:route53:::healthcheck/")
    assert found["tags"] == {"fleet": "fleet/dev"}
    asked["tagFilters"] = [{"key": "fleet", "values": []}]
    assert len(plugin.invoke(GET_RESOURCES, **asked)["resourceTagMappingLists"]) == 2
    asked["tagFilters"] = [{"key": "other", "values": []}]
    assert plugin.invoke(GET_RESOURCES, **asked)["resourceTagMappingLists"] == []


def test_other_resources_are_not_found_by_tags(plugin: Plugin) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        plugin.invoke(GET_RESOURCES, resourceTypeFilters=["ec2:instance"])
    assert "this stand-in knows route53:healthcheck only" in refusal(caught)


def test_another_function_is_refused(plugin: Plugin) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        plugin.invoke("aws:index/getCallerIdentity:getCallerIdentity")
    assert "not aws:index/getCallerIdentity:getCallerIdentity" in refusal(caught)
