"""Differences, and which of them make a new resource."""

import pytest

from devkit.aws.values import UNKNOWN
from tests.devkit_aws.engine_side import CHECK_INPUTS, Kept, Plugin, Props, record_inputs


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, {}),
        ({"name": "WEB.example.test."}, {}),
        (
            {"weightedRoutingPolicies": [{"weight": 0}]},
            {"weightedRoutingPolicies[0].weight": "UPDATE"},
        ),
        ({"ttl": 60}, {"ttl": "UPDATE"}),
        ({"type": "AAAA"}, {"type": "UPDATE"}),
        ({"setIdentifier": "eu-2"}, {"setIdentifier": "UPDATE"}),
        ({"healthCheckId": "x"}, {"healthCheckId": "ADD"}),
        ({"name": "api.example.test"}, {"name": "UPDATE_REPLACE"}),
        ({"zoneId": "Z2"}, {"zoneId": "UPDATE_REPLACE"}),
        ({"zoneId": UNKNOWN}, {"zoneId": "UPDATE_REPLACE"}),
        ({"records": ["127.0.10.1", "127.0.10.9"]}, {"records[1]": "ADD"}),
        ({"allowOverwrite": True}, {"allowOverwrite": "UPDATE"}),
        ({"allowOverwrite": False}, {}),
    ],
)
def test_a_record(plugin: Plugin, changed: Props, expected: dict[str, str]) -> None:
    old = Kept("Record", "Z1_web", record_inputs("Z1"), {**record_inputs("Z1"), "fqdn": "w"})
    assert plugin.diff(old, record_inputs("Z1", **changed)) == expected


def test_the_order_of_a_records_values_is_no_difference(plugin: Plugin) -> None:
    inputs = record_inputs("Z1", records=["127.0.10.1", "127.0.10.2"])
    old = Kept("Record", "Z1_web", inputs, inputs)
    assert plugin.diff(old, record_inputs("Z1", records=["127.0.10.2", "127.0.10.1"])) == {}


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"requestInterval": 30}, {"requestInterval": "UPDATE_REPLACE"}),
        ({"type": "TCP"}, {"type": "UPDATE_REPLACE"}),
        ({"measureLatency": True}, {"measureLatency": "UPDATE_REPLACE"}),
        ({"referenceName": "x"}, {"referenceName": "ADD_REPLACE"}),
        ({"failureThreshold": 3}, {"failureThreshold": "UPDATE"}),
        ({"invertHealthcheck": True}, {"invertHealthcheck": "UPDATE"}),
        ({"invertHealthcheck": False, "disabled": False}, {}),
        ({"tags": {"a.b": "c"}}, {"tags": "ADD"}),
    ],
)
def test_a_health_check(plugin: Plugin, changed: Props, expected: dict[str, str]) -> None:
    old = Kept("HealthCheck", "x", CHECK_INPUTS, CHECK_INPUTS)
    assert plugin.diff(old, {**CHECK_INPUTS, **changed}) == expected


def test_a_zone(plugin: Plugin) -> None:
    old = Kept("Zone", "Z1", {"name": "a.test", "tags": {"x": "1"}}, {})
    changed = {"name": "b.test", "comment": "mine", "tags": {"x": "2"}}
    assert plugin.diff(old, changed) == {
        "name": "UPDATE_REPLACE",
        "comment": "UPDATE",
        "tags.x": "UPDATE",
    }
