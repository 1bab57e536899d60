"""Checks of several questions: which ones are made, what they are called, what they cost."""

from typing import Any

import pytest

from fleet.model.endpoint import CheckDelivery
from fleet.model.plan import DeliveryPlan
from tests.builders import a_cluster, a_traffic
from tests.deliver.kit import a_schedule, an_entry, faults_of
from tests.deliver.test_dns import EU, a_snapshot_of, directed

DOOR = {"type": "HTTPS", "port": 8443, "path": "/ready", "host": "h.example"}
CLOSED = {"type": "HTTP", "path": "/maintenance", "inverted": True}


def planned(*children: dict[str, Any], **words: Any) -> DeliveryPlan:
    check = {"calculated": {"children": list(children), **words}}
    return directed(a_snapshot_of(a_traffic(**EU, health_check=check)), {"eu-1": 4})


def the_check(plan: DeliveryPlan) -> CheckDelivery:
    name = plan.endpoints[0].records[0].check
    return next(each for each in plan.checks if each.name == name)


def test_several_questions_are_counted() -> None:
    plan = planned(DOOR, {"type": "TCP"}, CLOSED, threshold=2)
    parent = the_check(plan)
    assert (parent.check, len(parent.children), parent.threshold) == (None, 3, 2)
    assert parent.name.startswith("check/eu-1/any-2-")
    asked = {(each.port, each.path, each.host) for each in plan.checks if each.check}
    assert asked == {
        (8443, "/ready", "h.example"),
        (8080, "", ""),
        (8080, "/maintenance", "web.fleet.test"),
    }
    assert {each.name for each in plan.checks} == {parent.name, *parent.children}


def test_all_of_them_is_the_default() -> None:
    parent = the_check(planned({"port": 1}, {"port": 2}))
    assert parent.threshold == 2
    assert parent.name.startswith("check/eu-1/all-")


def test_one_question_needs_no_counting() -> None:
    plan = planned(DOOR)
    assert [each.name for each in plan.checks] == [the_check(plan).name]


def test_a_question_is_shared_with_names_that_ask_it_alone() -> None:
    several = a_traffic(
        "a", "web", **EU, health_check={"calculated": {"children": [DOOR, {"type": "TCP"}]}}
    )
    alone = a_traffic("b", "web", **EU, health_check=DOOR)
    plan = directed(a_snapshot_of(several, alone), {"eu-1": 4})
    assert len(plan.checks) == 3
    assert plan.endpoints[1].records[0].check in {
        child for each in plan.checks for child in each.children
    }


DIFFERENT = [
    {"type": "HTTPS"},
    {"type": "HTTPS", "enable_sni": False},
    {"type": "HTTPS", "inverted": True},
    {"calculated": {"children": [{}, {"port": 9}]}},
    {"calculated": {"children": [{}, {"port": 9}], "threshold": 1}},
    {"calculated": {"children": [{}, {"port": 8}]}},
]


def test_what_tells_checks_apart_is_in_their_names() -> None:
    names = set()
    for words in ({}, *DIFFERENT):
        policy = a_traffic(**EU, health_check=words)
        names.add(the_check(directed(a_snapshot_of(policy), {"eu-1": 4})).name)
    assert len(names) == len(DIFFERENT) + 1


def test_the_order_of_children_is_no_difference() -> None:
    one, other = {"port": 1}, {"port": 2}
    assert the_check(planned(one, other)).name == the_check(planned(other, one)).name


PRICES = [
    pytest.param([{}, {"type": "TCP"}], "2.00", id="two plain ones and their sum"),
    pytest.param([DOOR, {"intervalSeconds": 10}], "6.00", id="options"),
    pytest.param([{"type": "HTTPS_STR_MATCH", "searchString": "x"}], "4.75", id="alone"),
]


@pytest.mark.parametrize(("children", "expected"), PRICES)
def test_the_price_counts_every_check(children: list[dict[str, Any]], expected: str) -> None:
    (found,) = (each for each in planned(*children).findings if each.code == "health-checks")
    assert found.values["price"] == expected


def test_a_fault_names_the_child() -> None:
    clusters = [a_cluster("eu-1", entry=an_entry(hostname="lb.example"))]
    check = {"calculated": {"children": [{}, {"host": "other.example"}]}}
    snapshot = a_snapshot_of(a_traffic(**EU, health_check=check), clusters=clusters)
    schedule = a_schedule({"web": {"eu-1": 6}}, active={"web": "eu-west-1"})
    (fault,) = faults_of(snapshot, schedule)
    assert "spec.healthCheck.calculated.children[1].host" in fault
    assert "is asked as 'lb.example', not 'other.example'" in fault


def test_only_connections_are_blind() -> None:
    def blind(*children: dict[str, Any]) -> bool:
        return any(each.code == "blind-check" for each in planned(*children).findings)

    assert blind({"type": "TCP"}, {"type": "TCP", "port": 9})
    assert not blind({"type": "TCP"}, {})
