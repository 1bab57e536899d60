"""Workloads that share clusters or avoid each other's, and who chooses first."""

from typing import Any

import pytest

from fleet.model.decision import Schedule
from fleet.model.inventory import State
from fleet.model.policy import PlacementPolicy
from fleet.model.snapshot import Linked
from fleet.model.source import Origin
from fleet.model.workload import WorkloadSettings
from fleet.schedule import reasons
from tests.builders import a_cluster, a_policy, a_workload, linked
from tests.schedule.asking import codes, decide, replicas

MARKS = {("spec", "together"): (5, 3), ("spec", "apart"): (6, 3)}
PACKED = {"mode": "aggregated"}
ONE = {"pick": 1}


def policy(name: str, **spec: Any) -> PlacementPolicy:
    return a_policy(name, origin=Origin(f"policies/{name}.yaml", marks=MARKS), **spec)


def item(name: str, wanted: int = 1, *, queue: int | None = None, **spec: Any) -> Linked:
    settings = WorkloadSettings(queue=queue)
    return linked(a_workload(name, wanted, settings=settings), policy(name, **spec))


def placed(made: Schedule) -> dict[str, list[str]]:
    return {each.workload: sorted(each.replicas) for each in made.decisions}


CLUSTERS = [a_cluster("a", cpu=9), a_cluster("b", cpu=9), a_cluster("c", cpu=9)]


def test_the_first_is_free_and_the_others_follow() -> None:
    made = decide(
        CLUSTERS,
        item("app", pick=1, affinity={"required": [{"clusters": ["b"]}]}),
        item("cache", together=["app"]),
        item("web", pick=2),
    )
    assert placed(made) == {"app": ["b"], "cache": ["b"], "web": ["a", "c"]}


def test_a_selected_cluster_without_a_share_is_not_used() -> None:
    made = decide(CLUSTERS, item("app", 1, division=PACKED), item("cache", together=["app"]))
    assert placed(made) == {"app": ["a"], "cache": ["a"]}


def test_it_holds_both_ways_whoever_says_it() -> None:
    made = decide(
        CLUSTERS,
        item("app", together=["cache"], pick=1),
        item("cache"),
    )
    assert placed(made) == {"app": ["a"], "cache": ["a"]}


def test_all_of_them_must_be_there() -> None:
    made = decide(
        CLUSTERS,
        item("app", affinity={"required": [{"clusters": ["a", "b"]}]}),
        item("base", affinity={"required": [{"clusters": ["b", "c"]}]}),
        item("cache", together=["app", "base"]),
    )
    assert placed(made)["cache"] == ["b"]
    (why,) = made.decisions[2].verdicts["a"].rejections
    assert (why.code, why.values) == (reasons.TOGETHER, {"other": "base"})
    assert str(why.source) == "policies/cache.yaml:5:3"


def test_who_runs_nowhere_binds_nobody() -> None:
    nowhere = item("app", affinity={"required": [{"regions": ["x"]}]})
    made = decide(CLUSTERS, nowhere, item("cache", together=["app"]))
    assert placed(made) == {"app": [], "cache": ["a", "b", "c"]}


def test_apart_avoids_every_cluster_of_the_other() -> None:
    made = decide(CLUSTERS, item("app", pick=1), item("db-1", apart=["app", "db-*"]), item("db-2"))
    assert placed(made) == {"app": ["a"], "db-1": ["b", "c"], "db-2": ["a"]}
    (why,) = made.decisions[2].verdicts["b"].rejections
    assert (why.code, why.values) == (reasons.APART, {"other": "db-1"})
    assert str(why.source) == "policies/db-1.yaml:6:3"


def test_patterns_mean_the_policys_own_workloads_too() -> None:
    shared = policy("db", workloads=["db-*"], apart=["db-*"], pick=1)
    items = [linked(a_workload(f"db-{number}"), shared) for number in range(4)]
    assert placed(decide(CLUSTERS, *items)) == {
        "db-0": ["a"], "db-1": ["b"], "db-2": ["c"], "db-3": []
    }  # fmt: skip


def test_what_runs_counts_as_decided() -> None:
    items = (item("app", pick=1), item("zoo", apart=["app"], pick=1))
    made = decide(CLUSTERS, *items, prior={"zoo": {"a": 1}})
    assert placed(made) == {"app": ["b"], "zoo": ["a"]}
    items = (item("app", pick=1), item("zoo", together=["app"], pick=1))
    made = decide(CLUSTERS, *items, prior={"zoo": {"c": 1}})
    assert placed(made) == {"app": ["c"], "zoo": ["c"]}


def test_what_runs_on_a_dead_cluster_binds_nobody() -> None:
    items = (item("app", pick=1), item("zoo", together=["app"], pick=1))
    made = decide(CLUSTERS, *items, prior={"zoo": {"c": 1}}, states={"c": State.DOWN})
    assert placed(made) == {"app": ["a"], "zoo": ["a"]}


def test_what_runs_stays_with_whom_it_should_avoid_and_that_is_told() -> None:
    items = (item("app", pick=1), item("zoo", apart=["app"], pick=1))
    made = decide(CLUSTERS, *items, prior={"app": {"a": 1}, "zoo": {"a": 1}})
    assert placed(made) == {"app": ["a"], "zoo": ["a"]}
    told = [it for it in made.findings if it.code == reasons.APART_KEPT]
    assert [dict(it.values) for it in told] == [
        {"workload": "app", "other": "zoo", "cluster": "a"},
        {"workload": "zoo", "other": "app", "cluster": "a"},
    ]
    assert {str(it.source) for it in told} == {"policies/zoo.yaml:6:3"}


def test_fresh_leaves_whom_it_should_avoid() -> None:
    items = (item("app", pick=1), item("zoo", apart=["app"], pick=1, placement="fresh"))
    made = decide(CLUSTERS, *items, prior={"app": {"a": 1}, "zoo": {"a": 1}})
    assert placed(made) == {"app": ["a"], "zoo": ["b"]}


def test_a_cluster_that_a_later_one_leaves_is_free_for_an_earlier_one() -> None:
    items = (
        item("app", affinity={"required": [{"clusters": ["b"]}]}),
        item("zoo", apart=["app"], pick=1),
    )
    made = decide(CLUSTERS, *items, prior={"zoo": {"a": 1, "b": 1}})
    assert placed(made) == {"app": ["b"], "zoo": ["a"]}


def test_a_later_one_that_grows_makes_room_for_an_earlier_one() -> None:
    items = (
        item("app", together=["zoo"], spread=[{"by": "cluster", "min_domains": 2}], priority=1),
        item("zoo"),
    )
    made = decide(CLUSTERS, *items, prior={"zoo": {"a": 1}})
    assert placed(made) == {"app": ["a", "b", "c"], "zoo": ["a", "b", "c"]}


TURNS = [
    pytest.param({}, {}, ["b", "z"], id="by name"),
    pytest.param({"z": 1}, {}, ["z", "b"], id="the larger priority"),
    pytest.param({"b": -1}, {}, ["z", "b"], id="below 0 comes last"),
    pytest.param({}, {"z": 5}, ["z", "b"], id="a place in the queue"),
    pytest.param({}, {"z": 0, "b": 1}, ["z", "b"], id="the lower place"),
    pytest.param({"b": 1}, {"z": 0}, ["b", "z"], id="priority before the queue"),
]


@pytest.mark.parametrize(("priorities", "queue", "order"), TURNS)
def test_who_chooses_first(
    priorities: dict[str, int], queue: dict[str, int], order: list[str]
) -> None:
    items = [
        item(name, 6, queue=queue.get(name), priority=priorities.get(name, 0), division=PACKED)
        for name in ("b", "z")
    ]
    made = decide([a_cluster("a", cpu=9)], *items)
    assert {name: sum(replicas(made, name).values()) for name in ("b", "z")} == {
        order[0]: 6,
        order[1]: 3,
    }
    assert [each.workload for each in made.decisions] == ["b", "z"]


def test_a_larger_priority_never_takes_what_runs() -> None:
    items = [item("b", 6, division=PACKED), item("z", 6, division=PACKED, priority=9)]
    made = decide([a_cluster("a", cpu=9)], *items, prior={"b": {"a": 6}})
    assert (replicas(made, "b"), replicas(made, "z")) == ({"a": 6}, {"a": 3})


def test_codes_of_a_neighbour_come_with_all_others() -> None:
    made = decide(
        [a_cluster("a", cpu=9), a_cluster("b", cpu=0)],
        item("app", affinity={"required": [{"clusters": ["a"]}]}),
        item("cache", together=["app"]),
    )
    verdict = made.decisions[1].verdicts["b"]
    assert codes(verdict) == [reasons.TOGETHER, reasons.CAPACITY]
