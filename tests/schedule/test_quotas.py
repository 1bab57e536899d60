"""Quotas of teams and namespaces across clusters."""

from typing import Any

import pytest

from fleet.model.decision import Schedule
from fleet.model.quota import Quota
from fleet.model.snapshot import Linked
from fleet.model.source import Origin
from fleet.model.workload import WorkloadSettings
from fleet.schedule import reasons
from tests.builders import a_cluster, a_policy, a_quota, a_traffic, a_workload, linked
from tests.schedule.asking import codes, decide, replicas

CLUSTERS = [a_cluster("a", "eu", cpu=20), a_cluster("b", "us", cpu=20)]
BY_ROOM = {"mode": "weighted"}
HERE = Origin("policies/team.yaml", marks={("spec", "limits", "cpu"): (7, 5)})


def item(
    name: str, wanted: int, team: str = "shop", *, division: Any = None, **spec: Any
) -> Linked:
    settings = WorkloadSettings(team=team)
    policy = a_policy(name, division=division or BY_ROOM, **spec)
    return linked(a_workload(name, wanted, settings=settings), policy)


def shop(**limits: int | str) -> Quota:
    return a_quota("shop", origin=HERE, teams=["shop"], limits=limits or {"cpu": 6})


def counts(made: Schedule) -> dict[str, int]:
    return {each.workload: sum(each.replicas.values()) for each in made.decisions}


def test_the_sum_over_clusters_stays_within_the_quota() -> None:
    made = decide(CLUSTERS, item("api", 4), item("web", 4), quotas=[shop()])
    assert counts(made) == {"api": 4, "web": 2}
    web = made.decisions[1]
    assert web.shortfall == 2
    (why,) = web.shortfall_reasons
    assert (why.code, why.values) == (
        reasons.QUOTA,
        {"quota": "shop", "resource": "cpu", "limit": 6000, "left": 2000, "replicas": 2},
    )
    assert str(why.source) == "policies/team.yaml:7:5"


WHOM = [
    pytest.param({"teams": ["shop"]}, {"api": 2, "web": 6}, id="one team"),
    pytest.param({"teams": ["sh*"]}, {"api": 2, "web": 6}, id="a pattern"),
    pytest.param({"teams": ["*"]}, {"api": 2, "web": 0}, id="all teams share it"),
    pytest.param({"teams": ["shop", "other"]}, {"api": 2, "web": 0}, id="two teams share it"),
    pytest.param({"namespaces": ["default"]}, {"api": 2, "web": 0}, id="a namespace"),
    pytest.param({"namespaces": ["x"]}, {"api": 6, "web": 6}, id="nobody's namespace"),
]


@pytest.mark.parametrize(("whom", "expected"), WHOM)
def test_whom_a_quota_means(whom: dict[str, list[str]], expected: dict[str, int]) -> None:
    quota = a_quota(**whom, limits={"cpu": 2})
    made = decide(CLUSTERS, item("api", 6), item("web", 6, "other"), quotas=[quota])
    assert counts(made) == expected


def test_a_workload_without_a_team_is_in_no_teams_quota() -> None:
    quota = a_quota(teams=["*"], limits={"cpu": 2})
    assert counts(decide(CLUSTERS, item("api", 6, ""), quotas=[quota])) == {"api": 6}


def test_every_quota_and_every_resource_counts() -> None:
    quotas = [shop(cpu=5, memory=1), a_quota("all", teams=["*"], limits={"cpu": 4, "pods": 1})]
    made = decide(CLUSTERS, item("api", 6), quotas=quotas)
    assert counts(made) == {"api": 4}
    assert made.decisions[0].shortfall_reasons[0].values["quota"] == "all"


def test_what_asks_for_nothing_that_is_limited_is_free() -> None:
    assert counts(decide(CLUSTERS, item("api", 6), quotas=[shop(memory=1)])) == {"api": 6}


def test_the_larger_priority_takes_first() -> None:
    made = decide(CLUSTERS, item("api", 4), item("web", 4, priority=1), quotas=[shop()])
    assert counts(made) == {"api": 2, "web": 4}


def test_what_runs_is_kept_and_nobody_takes_it() -> None:
    prior = {"web": {"a": 4}}
    made = decide(
        CLUSTERS, item("api", 4, priority=1), item("web", 4), quotas=[shop()], prior=prior
    )
    assert counts(made) == {"api": 2, "web": 4}


def test_what_runs_goes_where_the_quota_is_below_it() -> None:
    prior = {"api": {"a": 4}, "web": {"a": 4}}
    made = decide(CLUSTERS, item("api", 4), item("web", 4), quotas=[shop()], prior=prior)
    assert counts(made) == {"api": 4, "web": 2}


def test_what_a_later_one_gives_up_is_there_for_an_earlier_one() -> None:
    """The second run would find it free; so does the first."""
    here = {"required": [{"clusters": ["b"]}]}
    prior = {"web": {"a": 4}}
    moved = item("web", 4, affinity=here, spread=[{"by": "cluster", "min_domains": 1}])
    made = decide(CLUSTERS, item("api", 6), moved, quotas=[shop()], prior=prior)
    assert counts(made) == {"api": 6, "web": 0}


def test_an_earlier_one_takes_what_a_tier_change_gives_up() -> None:
    tiers = [{"name": "only", "terms": [{"clusters": ["a"]}]}]
    prior = {"web": {"a": 3}}
    shrinks = item("web", 4, tiers=tiers, division={"mode": "weighted", "min_replicas": 4})
    made = decide(
        [a_cluster("a", cpu=3), CLUSTERS[1]],
        item("api", 6, affinity={"required": [{"clusters": ["b"]}]}),
        shrinks,
        quotas=[shop()],
        prior=prior,
    )
    assert counts(made) == {"api": 6, "web": 0}


def test_fresh_keeps_nothing() -> None:
    prior = {"web": {"a": 4}}
    items = (item("api", 4), item("web", 4, placement="fresh"))
    assert counts(decide(CLUSTERS, *items, quotas=[shop()], prior=prior)) == {"api": 4, "web": 2}


def test_copies_are_whole() -> None:
    made = decide(CLUSTERS, item("api", 4, division={"mode": "duplicated"}), quotas=[shop()])
    assert replicas(made, "api") == {"a": 4}
    decision = made.decisions[0]
    assert decision.shortfall == 4
    assert codes(decision.verdicts["b"]) == [reasons.QUOTA]


def test_a_copy_that_runs_may_stay_in_part() -> None:
    everywhere = item("api", 4, division={"mode": "duplicated"})
    prior = {"api": {"a": 4, "b": 3}}
    made = decide(CLUSTERS, everywhere, quotas=[shop()], prior=prior)
    assert replicas(made, "api") == {"a": 4, "b": 2}


def test_nothing_to_run_needs_no_quota() -> None:
    made = decide(CLUSTERS, item("api", 0, division={"mode": "duplicated"}), quotas=[shop(cpu=0)])
    assert replicas(made, "api") == {"a": 0, "b": 0}


def test_nothing_left_is_nowhere() -> None:
    made = decide(CLUSTERS, item("api", 4), quotas=[shop(cpu=0)])
    decision = made.decisions[0]
    assert (replicas(made, "api"), decision.shortfall) == ({}, 4)
    assert codes(decision.verdicts["a"]) == [reasons.QUOTA]


def test_the_active_region_takes_first() -> None:
    policy = a_policy("api", division=BY_ROOM)
    workload = a_workload("api", 4, settings=WorkloadSettings(team="shop"))
    traffic = [a_traffic("api", active_region="us", standby=100)]
    made = decide(CLUSTERS, linked(workload, policy, traffic=traffic), quotas=[shop()])
    assert replicas(made, "api") == {"a": 2, "b": 4}


def test_an_object_without_replicas_is_in_no_namespaces_quota() -> None:
    workload = a_workload("api", 0)
    assert (workload.namespace, a_workload(main="Deployment//x").namespace) == (
        "default",
        "default",
    )
