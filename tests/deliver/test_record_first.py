"""Capacity whose record goes in the same update waits for the next one."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from fleet.explain.sentences import finding_sentence
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.decision import Role
from fleet.model.inventory import Cluster, State
from fleet.model.plan import DeliveryPlan
from fleet.model.prior import Prior, PriorWorkload
from tests.builders import a_traffic
from tests.deliver.kit import findings
from tests.deliver.test_shape import (
    ALL,
    FLAT,
    GEO,
    LATENCY,
    NESTED,
    PLACES,
    after,
    clusters,
    endpoint_of,
    planned,
)

WITHOUT_AP = {name: count for name, count in ALL.items() if name != "ap-1"}
FEWER = {region: places for region, places in PLACES.items() if region != "ap-south-1"}
OTHERWISE = {**FEWER, "eu-west-1": {"continents": ["EU", "AF"], "countries": ["FR"]}}


def ran(words: Mapping[str, Any], **more: Any) -> Prior:
    """A prior where all clusters run the workload under a name."""
    past = PriorWorkload(
        replicas=FrozenMap(ALL), roles=FrozenMap(dict.fromkeys(ALL, Role.ACTIVE)), **more
    )
    return replace(after(endpoint_of(dict(words))), workloads=FrozenMap({"web": past}))


def without_entry(name: str) -> list[Cluster]:
    return [
        each
        if each.name != name
        else each.model_copy(update={"spec": each.spec.model_copy(update={"entry": None})})
        for each in clusters()
    ]


def waiting(plan: DeliveryPlan) -> list[str]:
    return [each.cluster for each in plan.workloads[0].leaving if each.waits]


def test_a_place_that_goes_with_its_region_s_capacity_is_let_go_first() -> None:
    policy = a_traffic(mode="geolocation", geolocation=FEWER, ttl_seconds=30)
    plan = planned(policy, WITHOUT_AP, prior=ran(GEO))
    assert waiting(plan) == ["ap-1"]
    (leaving,) = plan.workloads[0].leaving
    assert (leaving.debt, leaving.stays) == (False, True)
    (told,) = findings(plan, codes.RECORD_FIRST)
    assert finding_sentence(told) == (
        "'web' stays on ap-1 in this update: the record that leads there goes first, and"
        " resolvers may know it for 30 s; an update after that takes away what runs there"
    )


def test_an_update_later_nothing_waits() -> None:
    policy = a_traffic(mode="geolocation", geolocation=FEWER)
    first = planned(policy, WITHOUT_AP, prior=ran(GEO))
    prior = replace(after(first.endpoints[0]), workloads=ran(GEO).workloads)
    plan = planned(policy, WITHOUT_AP, prior=prior)
    assert [each.cluster for each in plan.workloads[0].leaving] == ["ap-1"]
    assert waiting(plan) == []
    assert findings(plan, codes.RECORD_FIRST) == []
    assert plan.digest != first.digest


def test_an_entry_that_goes_with_the_cluster_s_capacity_is_let_go_first() -> None:
    plan = planned(a_traffic(**FLAT), WITHOUT_AP, prior=ran(FLAT), inventory=without_entry("ap-1"))
    assert waiting(plan) == ["ap-1"]


def test_a_tree_that_goes_with_a_region_is_let_go_first() -> None:
    assert waiting(planned(a_traffic(**LATENCY), WITHOUT_AP, prior=ran(GEO))) == ["ap-1"]


STAY = [
    pytest.param(FLAT, {}, State.ACTIVE, id="its record falls to 0"),
    pytest.param(NESTED, {}, State.ACTIVE, id="so does its region's"),
    pytest.param(GEO, {}, State.ACTIVE, id="its place is led elsewhere"),
    pytest.param(
        {**FLAT, "names": ["b.fleet.test"]}, {"names": ()}, State.ACTIVE, id="another name goes"
    ),
    pytest.param(GEO, {"geolocation": OTHERWISE}, State.ACTIVE, id="its place is somebody else's"),
    pytest.param(GEO, {"geolocation": FEWER}, State.DOWN, id="the dead are owed"),
]


@pytest.mark.parametrize(("was", "now", "state"), STAY)
def test_what_waits_for_nothing(was: dict[str, Any], now: dict[str, Any], state: State) -> None:
    policy = a_traffic(**{**was, **now})
    plan = planned(policy, WITHOUT_AP, prior=ran(was), states={"ap-1": state})
    assert [each.cluster for each in plan.workloads[0].leaving] == ["ap-1"]
    assert waiting(plan) == []
