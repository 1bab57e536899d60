"""A region that returns gets nothing back until somebody asks."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from fleet.deliver import deliver
from fleet.deliver.failback import with_failbacks
from fleet.explain.sentences import finding_sentence
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.inventory import State
from fleet.model.plan import DeliveryPlan
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.model.snapshot import Snapshot
from fleet.schedule import schedule
from tests.builders import a_snapshot, a_traffic, linked
from tests.deliver.kit import findings, the_prior, two_clusters, web

DOWN = {"eu-1": State.DOWN}


def a_fleet(states: Mapping[str, State] | None = None, active: str | None = None) -> Snapshot:
    policy = a_traffic(active_region="eu-west-1")
    return a_snapshot(
        two_clusters(), [linked(web(), traffic=[policy])], states=states, active=active
    )


def run(snapshot: Snapshot, prior: Prior | None = None, **words: Any) -> DeliveryPlan:
    before, settings = prior or Prior(), Settings.model_validate(words)
    held = with_failbacks(snapshot, before, settings)
    return deliver(held, schedule(held, before, settings), before, settings)


def after(plan: DeliveryPlan) -> Prior:
    prior = the_prior(plan)
    said = {
        each.workload: replace(prior.workloads[each.workload], passed_over=each.passed_over)
        for each in plan.workloads
    }
    return replace(prior, workloads=FrozenMap(said))


def leads_to(plan: DeliveryPlan) -> list[str]:
    return [each.cluster for each in plan.endpoints[0].records if each.dns_weight]


def driven_away() -> Prior:
    plan = run(a_fleet(DOWN), after(run(a_fleet())))
    assert leads_to(plan) == ["us-1"]
    assert plan.workloads[0].passed_over == FrozenMap({"web": "eu-west-1"})
    return after(plan)


def test_a_region_that_returns_gets_nothing_back_and_preview_says_so() -> None:
    prior = driven_away()
    for _ in range(2):
        plan = run(a_fleet(), prior)
        assert leads_to(plan) == ["us-1"]
        (told,) = findings(plan, codes.FAILBACK_WAITS)
        assert dict(told.values) == {
            "name": "web.fleet.test",
            "policy": "web",
            "region": "us-east-1",
            "wanted": "eu-west-1",
            "index": 0,
        }
        prior = after(plan)


def test_each_name_that_waits_has_an_index_of_its_own() -> None:
    names = ("api", "shop", "web")

    def three(states: Mapping[str, State] | None = None) -> Snapshot:
        items = [
            linked(web(name=name), traffic=[a_traffic(name, active_region="eu-west-1")])
            for name in names
        ]
        return a_snapshot(two_clusters(), items, states=states)

    prior = after(run(three(DOWN), after(run(three()))))
    told = findings(run(three(), prior), codes.FAILBACK_WAITS)
    assert [(each.values["policy"], each.values["index"]) for each in told] == [
        ("api", 0),
        ("shop", 1),
        ("web", 2),
    ]
    asked = findings(run(three(), prior, failback=["shop"]), codes.FAILBACK_WAITS)
    assert [(each.values["policy"], each.values["index"]) for each in asked] == [
        ("api", 1),
        ("web", 2),
    ]


def test_it_goes_back_when_somebody_asks_and_the_word_is_then_idle() -> None:
    plan = run(a_fleet(), driven_away(), failback=["web"])
    assert leads_to(plan) == ["eu-1"]
    assert plan.workloads[0].passed_over == FrozenMap()
    assert findings(plan, codes.MOVEMENT_BUDGET) == []
    assert findings(plan, codes.FAILBACK_IDLE) == []
    (told,) = findings(run(a_fleet(), after(plan), failback=["web"]), codes.FAILBACK_IDLE)
    assert dict(told.values) == {"policy": "web", "region": "eu-west-1"}


def test_a_word_for_a_policy_without_a_region_does_nothing() -> None:
    snapshot = a_snapshot(two_clusters(), [linked(web(), traffic=[a_traffic(mode="weighted")])])
    (told,) = findings(run(snapshot, failback=["web"]), codes.FAILBACK_IDLE)
    assert dict(told.values) == {"policy": "web"}
    assert "no active region" in finding_sentence(told)


def test_a_word_for_a_region_that_is_still_lost_waits() -> None:
    plan = run(a_fleet(DOWN), driven_away(), failback=["web"])
    assert findings(plan, codes.FAILBACK_IDLE) == []


def test_another_word_for_the_active_region_is_asking() -> None:
    agreed = run(a_fleet(active="us-east-1"), driven_away())
    assert leads_to(agreed) == ["us-1"]
    assert findings(agreed, codes.FAILBACK_WAITS) == []
    assert leads_to(run(a_fleet(), after(agreed))) == ["eu-1"]


def test_while_a_region_is_lost_nobody_waits() -> None:
    plan = run(a_fleet(DOWN), driven_away())
    assert leads_to(plan) == ["us-1"]
    assert findings(plan, codes.FAILBACK_WAITS) == []
    assert plan.workloads[0].passed_over == FrozenMap({"web": "eu-west-1"})


def test_where_it_went_may_be_lost_too() -> None:
    plan = run(a_fleet({"us-1": State.DOWN}), driven_away())
    assert leads_to(plan) == ["eu-1"]


@pytest.mark.parametrize("prior", [Prior(), after(run(a_fleet()))], ids=["first", "steady"])
def test_nothing_was_driven_away(prior: Prior) -> None:
    snapshot = a_fleet()
    assert with_failbacks(snapshot, prior, Settings()) is snapshot
    assert findings(run(snapshot, prior), codes.FAILBACK_IDLE) == []


def test_a_name_that_leads_nowhere_waits_for_nobody() -> None:
    prior = driven_away()
    silent = replace(prior, dns_weights=FrozenMap({"web": FrozenMap({"us-1": 0})}))
    assert leads_to(run(a_fleet(), silent)) == ["eu-1"]
