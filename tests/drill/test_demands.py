"""Policies that demand that a loss is survived."""

from typing import Any

import pytest

from fleet.drill import unmet_demands
from fleet.model.decision import Finding
from fleet.model.inventory import State
from fleet.model.policy import PlacementPolicy
from fleet.model.snapshot import Snapshot
from fleet.model.source import Origin, Source
from fleet.schedule import schedule
from tests.builders import a_cluster, a_policy, a_snapshot, a_workload, linked
from tests.drill.playing import Counting, planned, present

EQUAL = {"mode": "weighted", "weights": [{"replica_weight": 1, "term": {}}]}
PLACE = Source("policies/web.yaml", 7, 3)


def demanding(survive: str | None, **spec: Any) -> PlacementPolicy:
    """A policy whose `survive` stands on line 7."""
    origin = Origin("policies/web.yaml", marks={("spec", "survive"): (7, 3)})
    return a_policy(origin=origin, survive=survive, **{"division": EQUAL, **spec})


def fleet(cpu: int, policy: PlacementPolicy, **states: State) -> Snapshot:
    """Three clusters in two regions; web runs two replicas on each."""
    clusters = [
        a_cluster("eu1", "eu", provider="aws", cpu=cpu),
        a_cluster("eu2", "eu", provider="gcp", cpu=cpu),
        a_cluster("us1", "us", provider="gcp", cpu=cpu),
    ]
    return a_snapshot(clusters, [linked(a_workload("web", 6), policy)], states=states)


def unmet(snapshot: Snapshot) -> tuple[Finding, ...]:
    return unmet_demands(planned(snapshot), schedule, present)


CASES = [
    pytest.param(3, "cluster", {}, id="a cluster: room for three on each"),
    pytest.param(
        2, "cluster", {"domain": "eu1", "short": 2, "wanted": 6, "others": 2}, id="no room at all"
    ),
    pytest.param(
        3, "region", {"domain": "eu", "short": 3, "wanted": 6, "others": 0}, id="the worst region"
    ),
    pytest.param(6, "region", {}, id="room for all in each region"),
    pytest.param(
        4, "provider", {"domain": "gcp", "short": 2, "wanted": 6, "others": 0}, id="a provider"
    ),
    pytest.param(2, None, {}, id="nobody demands"),
]


@pytest.mark.parametrize(("cpu", "by", "expected"), CASES)
def test_a_demand_holds_or_is_told_at_its_line(
    cpu: int, by: str | None, expected: dict[str, str | int]
) -> None:
    found = unmet(fleet(cpu, demanding(by)))
    if not expected:
        assert found == ()
        return
    assert [(each.code, each.source, each.blocks) for each in found] == [
        ("not-survived", PLACE, True)
    ]
    assert dict(found[0].values) == {"workload": "web", "by": by, **expected}


def test_a_pinned_workload_has_nothing_left() -> None:
    policy = demanding("region", affinity={"required": [{"regions": ["eu"]}]})
    values = unmet(fleet(9, policy))[0].values
    assert (values["domain"], values["short"], values["wanted"]) == ("eu", 6, 6)


def test_nothing_left_is_worse_than_a_shortfall() -> None:
    clusters = [a_cluster("eu1", "eu", cpu=6), a_cluster("us1", "us", cpu=1)]
    policy = demanding("cluster", division={"mode": "duplicated"}, pick=1)
    snapshot = a_snapshot(clusters, [linked(a_workload("web", 6), policy)])
    values = unmet(snapshot)[0].values
    assert (values["domain"], values["short"]) == ("eu1", 6)


def test_who_runs_nowhere_today_is_told_without_a_domain() -> None:
    policy = demanding("region", affinity={"required": [{"clusters": ["gone"]}]})
    found = unmet(fleet(9, policy))
    assert dict(found[0].values) == {"workload": "web", "by": "region", "short": 6, "wanted": 6}
    assert found[0].blocks


def test_while_a_cluster_is_down_a_demand_blocks_nothing() -> None:
    found = unmet(fleet(3, demanding("cluster"), us1=State.DOWN))
    assert [each.blocks for each in found] == [False]


@pytest.mark.parametrize("state", [State.DRAINING, State.DECOMMISSIONED])
def test_what_somebody_chose_blocks(state: State) -> None:
    assert [each.blocks for each in unmet(fleet(3, demanding("cluster"), us1=state))] == [True]


def test_a_dead_cluster_that_it_could_not_use_is_no_excuse() -> None:
    policy = demanding("cluster", affinity={"required": [{"clusters": ["eu1", "eu2"]}]})
    assert [each.blocks for each in unmet(fleet(3, policy, us1=State.DOWN))] == [True]


def test_only_what_is_demanded_costs_a_plan() -> None:
    clusters = [a_cluster(f"c{number}", f"r{number}", cpu=99) for number in range(9)]
    two = {"required": [{"clusters": ["c1", "c2"]}]}
    items = [
        linked(a_workload("all", 9), a_policy("all")),
        linked(a_workload("web", 2), demanding("region", affinity=two)),
        linked(a_workload("api", 2), a_policy("api", affinity=two, survive="region")),
    ]
    plan = Counting()
    assert unmet_demands(planned(a_snapshot(clusters, items)), plan, present) == ()
    assert plan.asked == 2


def test_nobody_demands_and_nothing_is_planned() -> None:
    plan = Counting()
    assert unmet_demands(planned(fleet(1, demanding(None))), plan, present) == ()
    assert plan.asked == 0
