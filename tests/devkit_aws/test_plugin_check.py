"""Inputs are checked as the real SDK and the real provider would."""

import grpc
import pytest

from devkit.aws.values import UNKNOWN
from tests.devkit_aws.engine_side import CHECK_INPUTS, Plugin, Props, record_inputs, refusal


@pytest.mark.parametrize(
    ("changed", "failure"),
    [
        pytest.param(
            {"setIdentifer": "x"},
            ("setIdentifer", "unknown property 'setIdentifer', did you mean 'setIdentifier'?"),
            id="an unknown property",
        ),
        pytest.param(
            {"ttl": "60"}, ("ttl", "must be a whole number, not '60'"), id="a text as a number"
        ),
        pytest.param(
            {"ttl": 1.5}, ("ttl", "must be a whole number, not '1.5'"), id="half a second"
        ),
        pytest.param(
            {"weightedRoutingPolicies": [{"wieght": 1, "weight": 1}]},
            (
                "weightedRoutingPolicies[0].wieght",
                "unknown property 'wieght', did you mean 'weight'?",
            ),
            id="an unknown property of a block",
        ),
        pytest.param(
            {"weightedRoutingPolicies": {"weight": 1}},
            ("weightedRoutingPolicies", "must be a list, not a block"),
            id="a block where a list is wanted",
        ),
        pytest.param({"name": None}, ("name", "required property 'name' is missing"), id="no name"),
        pytest.param(
            {"type": "a"}, ("type", "'a' is none of A, AAAA, CAA"), id="a type that is none"
        ),
        pytest.param(
            {"records": None, "ttl": None},
            ("records", "exactly one of 'records' and 'aliases' must be given"),
            id="neither values nor alias",
        ),
        pytest.param(
            {"ttl": None}, ("ttl", "'ttl' and 'records' must be given together"), id="no TTL"
        ),
        pytest.param(
            {"setIdentifier": None},
            ("setIdentifier", "must be given with 'weightedRoutingPolicies'"),
            id="a weight without a set identifier",
        ),
        pytest.param(
            {"failoverRoutingPolicies": [{"type": "PRIMARY"}]},
            ("failoverRoutingPolicies", "conflicts with 'weightedRoutingPolicies'"),
            id="two policies",
        ),
    ],
)
def test_a_record_is_refused(plugin: Plugin, changed: Props, failure: tuple[str, str]) -> None:
    ((path, reason),) = plugin.check("Record", record_inputs("Z1", **changed))
    assert (path, reason[: len(failure[1])]) == failure


def test_unknown_values_of_a_preview_pass(plugin: Plugin) -> None:
    inputs = record_inputs(UNKNOWN, healthCheckId=UNKNOWN, records=UNKNOWN, ttl=UNKNOWN)
    assert plugin.check("Record", inputs) == []


@pytest.mark.parametrize(
    ("changed", "failure"),
    [
        ({"requestInterval": 20}, ("requestInterval", "must be 10 or 30, not 20")),
        ({"failureThreshold": 11}, ("failureThreshold", "must be 1..10, not 11")),
        ({"ipAddress": "eu-1"}, ("ipAddress", "'eu-1' is no IP address")),
        ({"type": "PING"}, ("type", "'PING' is none of CALCULATED")),
        ({"invertHealthcheck": "yes"}, ("invertHealthcheck", "must be true or false")),
    ],
)
def test_a_health_check_is_refused(
    plugin: Plugin, changed: Props, failure: tuple[str, str]
) -> None:
    ((path, reason),) = plugin.check("HealthCheck", {**CHECK_INPUTS, **changed})
    assert (path, reason[: len(failure[1])]) == failure


def test_a_delegation_set_is_refused(plugin: Plugin) -> None:
    inputs = {"name": "example.test", "delegationSetId": "N1"}
    assert plugin.check("Zone", inputs) == [
        ("delegationSetId", "'delegationSetId' is not part of this stand-in of the AWS plugin")
    ]


def test_another_type_is_refused_with_one_sentence(plugin: Plugin) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        plugin.check("aws:s3/bucket:Bucket", {})
    assert refusal(caught) == (
        "this stand-in of the AWS plugin knows aws.route53 Zone, Record, HealthCheck only, "
        "not aws:s3/bucket:Bucket"
    )
