"""A switch over several updates: shares of the traffic, and who runs what meanwhile."""

from collections.abc import Mapping
from typing import Any

import pytest

from fleet.deliver import deliver
from fleet.deliver.shift import percent_of, shifted, with_shifts
from fleet.deliver.weights import Target
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.decision import Active, Role
from fleet.model.inventory import Cluster
from fleet.model.plan import DeliveryPlan
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.model.snapshot import Snapshot
from fleet.schedule import schedule
from tests.builders import a_cluster, a_prior, a_snapshot, a_traffic, linked
from tests.deliver.kit import an_entry, findings, web
from tests.deliver.kit import the_prior as prior_of

EU, US = ("eu-1", "eu-2"), ("us-1",)


def clusters() -> list[Cluster]:
    places = {**dict.fromkeys(EU, "eu-west-1"), "us-1": "us-east-1", "ap-1": "ap-south-1"}
    return [
        a_cluster(name, region, entry=an_entry(f"192.0.2.{number}"))
        for number, (name, region) in enumerate(places.items(), 1)
    ]


def a_fleet(active: str, *, standby: int = 50) -> Snapshot:
    policy = a_traffic(active_region=active, standby=standby)
    return a_snapshot(clusters(), [linked(web(replicas=4), traffic=[policy])])


def run(active: str, prior: Prior | None = None, **words: Any) -> DeliveryPlan:
    before, settings = prior or Prior(), Settings.model_validate(words)
    snapshot = with_shifts(a_fleet(active), before, settings)
    return deliver(snapshot, schedule(snapshot, before, settings), before, settings)


def weights(plan: DeliveryPlan) -> dict[str, int]:
    return {each.cluster: each.dns_weight for each in plan.endpoints[0].records}


def replicas(plan: DeliveryPlan) -> dict[str, int]:
    return {each.cluster: each.replicas for each in plan.workloads[0].deliveries}


def test_a_switch_over_three_updates_keeps_the_capacity_that_each_share_demands() -> None:
    first = run("eu-west-1")
    assert (weights(first)["us-1"], replicas(first)["us-1"]) == (0, 2)
    assert sum(replicas(first)[each] for each in EU) == 8
    prior = prior_of(first)
    for percent in (0, 10, 50):
        plan = run("us-east-1", prior, shift={"web": percent})
        assert sum(weights(plan)[each] for each in EU) == 100 - percent
        assert weights(plan)["us-1"] == percent
        assert findings(plan, codes.FAILOVER_CAPACITY) == [] or percent == 0
        assert replicas(plan)["us-1"] == 4
        assert sum(replicas(plan)[each] for each in EU) == 8
        roles = {each.cluster: each.role for each in plan.workloads[0].deliveries}
        assert {roles[each] for each in (*EU, *US)} == {Role.ACTIVE}
        assert roles["ap-1"] is Role.STANDBY
        assert findings(plan, codes.MOVEMENT_BUDGET) == []
        (told,) = findings(plan, codes.SHIFT)
        assert dict(told.values) == {
            "name": "web.fleet.test",
            "region": "us-east-1",
            "percent": percent,
            "leaving": "eu-west-1",
            "rest": 100 - percent,
        }
        prior = prior_of(plan)
    for words in ({}, {"shift": {"web": 100}}):
        last = run("us-east-1", prior, **words)
        assert weights(last) == {"ap-1": 0, "eu-1": 0, "eu-2": 0, "us-1": 100}
        assert (replicas(last)["us-1"], sum(replicas(last)[each] for each in EU)) == (4, 4)
        assert findings(last, codes.SHIFT) == findings(last, codes.SHIFT_IDLE) == []


def test_going_back_half_way_is_a_change_of_weights() -> None:
    half = run("us-east-1", prior_of(run("eu-west-1")), shift={"*": 50})
    back = run("eu-west-1", prior_of(half))
    assert sum(weights(back)[each] for each in EU) == 100
    assert sum(replicas(back)[each] for each in EU) == 8


def test_a_shift_with_nothing_to_shift_is_told() -> None:
    plan = run("eu-west-1", shift={"web": 10})
    (told,) = findings(plan, codes.SHIFT_IDLE)
    assert dict(told.values) == {"policy": "web", "region": "eu-west-1", "percent": 10}
    assert findings(run("eu-west-1", shift={"web": 100}), codes.SHIFT_IDLE) == []
    assert findings(run("eu-west-1", shift={"*": 10}), codes.SHIFT_IDLE) == []


def test_a_prior_without_weights_is_read_by_its_roles() -> None:
    roles = {"web": {"eu-1": Role.ACTIVE, "us-1": Role.STANDBY}}
    prior = a_prior({"web": {"eu-1": 4, "us-1": 4}}, roles)
    settings = Settings(shift=FrozenMap({"web": 10}))
    (word,) = with_shifts(a_fleet("us-east-1"), prior, settings).wanted["web"]
    assert (word.leaving, word.percent) == ("eu-west-1", 10)
    (word,) = with_shifts(a_fleet("eu-west-1"), prior, settings).wanted["web"]
    assert word.leaving == ""


def test_without_a_shift_the_snapshot_stays() -> None:
    snapshot = a_fleet("eu-west-1")
    assert with_shifts(snapshot, Prior(), Settings()) is snapshot


def test_a_policy_s_own_percent_goes_before_everybody_s() -> None:
    settings = Settings(shift=FrozenMap({"*": 50, "web": 10}))
    assert (percent_of(settings, "web"), percent_of(settings, "api")) == (10, 50)
    assert percent_of(Settings(), "web") == 100


TARGETS = (Target("a", "eu", 2), Target("b", "us", 1))
MOVES: list[tuple[Active | None, Mapping[str, int]]] = [
    (None, {"a": 0, "b": 0}),
    (Active("us", "x"), {"a": 0, "b": 100}),
    (Active("us", "x", "eu", 0), {"a": 100, "b": 0}),
    (Active("us", "x", "ap", 10), {"a": 0, "b": 100}),
    (Active("ap", "x", "eu", 10), {"a": 0, "b": 0}),
]


@pytest.mark.parametrize(("active", "expected"), MOVES)
def test_shares(active: Active | None, expected: Mapping[str, int]) -> None:
    assert shifted(TARGETS, active) == expected
