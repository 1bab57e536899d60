"""What fits where, and that nobody counts on the same free core."""

from typing import Any

import pytest

from fleet.model.decision import Outcome
from fleet.model.source import Origin
from fleet.schedule import reasons
from tests.builders import a_cluster, a_policy, a_workload, linked
from tests.schedule.asking import codes, decide, only, replicas

WEIGHTED = {"mode": "weighted"}
HALF = {"cpu": "500m", "memory": "1Gi", "pods": 1}
ROOM = [
    pytest.param(
        {"cpu": 4, "memory": "8Gi", "pods": 100},
        {"cpu": 1, "memory": "2Gi", "pods": 20},
        HALF,
        6,
        id="E4 the scarcest resource",
    ),
    pytest.param({"cpu": 4, "pods": 10}, {"pods": 10}, HALF, 0, id="E6 no pods left"),
    pytest.param({"cpu": 4, "pods": 10}, {}, {"pods": 1}, 10, id="E6 pods alone"),
    pytest.param(
        {"cpu": 4, "pods": 10}, {}, {"cpu": 0, "pods": 1}, 10, id="request 0 is no request"
    ),
    pytest.param(
        {"cpu": 4}, {}, {"cpu": 1, "memory": "1Gi"}, 0, id="a resource that is not listed"
    ),
    pytest.param({"cpu": 4}, {}, {"cpu": 1, "x.io/gpu": 1}, 0, id="one that nobody lists"),
    pytest.param(
        {"cpu": 4}, {}, {"cpu": 1, "pods": 1}, 4, id="pods that are not listed are not counted"
    ),
    pytest.param({"cpu": 1}, {"cpu": 4}, {"cpu": 1}, 0, id="reserved more than there is"),
    pytest.param({"cpu": 4}, {}, {"cpu": 3}, 1, id="rounded down"),
]


@pytest.mark.parametrize(("allocatable", "reserved", "request_", "room"), ROOM)
def test_room(
    allocatable: dict[str, Any], reserved: dict[str, Any], request_: dict[str, Any], room: int
) -> None:
    cluster = a_cluster("eu-1", cpu=None, allocatable=allocatable, reserved=reserved)
    policy = a_policy("web", division=WEIGHTED)
    made = decide([cluster], linked(a_workload("web", 50, request=request_), policy))
    assert only(made).verdicts["eu-1"].room == room
    assert sum(replicas(made).values()) == room
    assert only(made).shortfall == 50 - room


def test_a_full_cluster_is_told_with_every_resource_that_is_short() -> None:
    marks = {
        ("spec", "capacity", "allocatable", "cpu"): (5, 9),
        ("spec", "capacity", "allocatable"): (4, 7),
    }
    cluster = a_cluster(
        "eu-1", cpu=1, allocatable={"pods": 9}, origin=Origin("inventory/eu.yaml", marks=marks)
    )
    request = {"cpu": 1, "memory": 5, "pods": 1}
    verdict = only(decide([cluster], linked(a_workload("web", 3, request=request)))).verdicts[
        "eu-1"
    ]
    assert verdict.outcome is Outcome.INFEASIBLE
    assert [(dict(each.values), str(each.source)) for each in verdict.rejections] == [
        (
            {"resource": "cpu", "needed": 3000, "free": 1000, "replicas": 3},
            "inventory/eu.yaml:5:9",
        ),
        ({"resource": "memory", "needed": 15, "free": 0, "replicas": 3}, "inventory/eu.yaml:4:7"),
    ]
    assert verdict.room == 0


def test_a_cluster_that_declares_nothing_is_unlimited_and_told() -> None:
    clusters = [a_cluster("eu-1", cpu=None), a_cluster("eu-2", cpu=4)]
    made = decide(clusters, linked(a_workload("web", 9), a_policy("web", division=WEIGHTED)))
    assert replicas(made) == {"eu-1": 6, "eu-2": 3}, "it weighs as much as what is to be placed"
    assert only(made).verdicts["eu-1"].room is None
    assert [(each.code, dict(each.values)) for each in made.findings] == [
        (reasons.CAPACITY_UNDECLARED, {"cluster": "eu-1"})
    ]


def test_without_requests_room_plays_no_part() -> None:
    made = decide([a_cluster("eu-1", cpu=0)], linked(a_workload("web", 9, request={})))
    assert replicas(made) == {"eu-1": 9}
    assert only(made).verdicts["eu-1"].room is None
    assert decide([a_cluster("eu-1", cpu=None)], linked(a_workload(request={}))).findings == ()


def test_without_replicas_room_plays_no_part() -> None:
    made = decide([a_cluster("eu-1", cpu=0)], linked(a_workload("web", 0)))
    assert replicas(made) == {"eu-1": 0}
    assert only(made).verdicts["eu-1"].outcome is Outcome.SELECTED
    assert only(made).verdicts["eu-1"].room is None


def test_two_workloads_never_count_on_the_same_core() -> None:
    items = [
        linked(a_workload(name, 4), a_policy(name, division=WEIGHTED)) for name in ("api", "web")
    ]
    made = decide([a_cluster("eu-1", cpu=6)], *items)
    assert [sum(each.replicas.values()) for each in made.decisions] == [4, 2]
    assert [each.shortfall for each in made.decisions] == [0, 2]
    assert [each.verdicts["eu-1"].room for each in made.decisions] == [6, 2]


def test_independent_workloads_see_the_inventory_as_written() -> None:
    items = [
        linked(a_workload(name, 4), a_policy(name, division=WEIGHTED)) for name in ("api", "web")
    ]
    made = decide(
        [a_cluster("eu-1", cpu=6)], *items, capacity="independent", prior={"web": {"eu-1": 4}}
    )
    assert [sum(each.replicas.values()) for each in made.decisions] == [4, 4]
    assert [each.verdicts["eu-1"].room for each in made.decisions] == [6, 6]


def test_what_runs_is_not_pushed_out_by_an_earlier_name() -> None:
    items = [
        linked(a_workload(name, 4), a_policy(name, division=WEIGHTED)) for name in ("api", "web")
    ]
    made = decide([a_cluster("eu-1", cpu=6)], *items, prior={"web": {"eu-1": 4}})
    assert [sum(each.replicas.values()) for each in made.decisions] == [2, 4]


def test_what_runs_is_charged_once() -> None:
    made = decide(
        [a_cluster("eu-1", cpu=4)],
        linked(a_workload("web", 4), a_policy("web", division=WEIGHTED)),
        prior={"web": {"eu-1": 4}},
    )
    assert replicas(made) == {"eu-1": 4}
    assert only(made).verdicts["eu-1"].room == 4


def test_what_a_later_name_gives_up_is_there_for_an_earlier_one() -> None:
    items = [
        linked(a_workload(name, count), a_policy(name, division=WEIGHTED))
        for name, count in (("api", 5), ("web", 1))
    ]
    made = decide([a_cluster("eu-1", cpu=6)], *items, prior={"web": {"eu-1": 6}})
    assert [sum(each.replicas.values()) for each in made.decisions] == [5, 1]


def test_what_leaves_a_barred_cluster_is_not_set_aside() -> None:
    items = [
        linked(a_workload("api", 6), a_policy("api", division=WEIGHTED)),
        linked(
            a_workload("web", 6),
            a_policy("web", division=WEIGHTED, affinity={"required": [{"clusters": ["eu-2"]}]}),
        ),
    ]
    clusters = [a_cluster("eu-1", cpu=6), a_cluster("eu-2", cpu=6)]
    made = decide(clusters, *items, prior={"web": {"eu-1": 6}})
    assert replicas(made, "api") == {"eu-1": 3, "eu-2": 3}, "eu-1 counts as free"
    assert replicas(made, "web") == {"eu-2": 3}


def test_a_cluster_that_shrank_loses_only_what_does_not_fit() -> None:
    clusters = [a_cluster("eu-1", cpu=4), a_cluster("eu-2", cpu=9)]
    made = decide(
        clusters,
        linked(a_workload("web", 6), a_policy("web", division=WEIGHTED)),
        prior={"web": {"eu-1": 6}},
    )
    assert replicas(made) == {"eu-1": 4, "eu-2": 2}


def test_an_explanation_asked_for_later_has_the_room_of_its_moment() -> None:
    items = [
        linked(a_workload(name, 2), a_policy(name, division=WEIGHTED)) for name in ("a", "b", "c")
    ]
    made = decide([a_cluster("eu-1", cpu=6)], *items)
    asked = [made.decisions[turn].verdicts["eu-1"].room for turn in (2, 0, 1, 2, 1, 0)]
    assert asked == [2, 6, 4, 2, 4, 6]


def test_duplicated_takes_only_clusters_with_room_for_all() -> None:
    clusters = [a_cluster("eu-1", cpu=2), a_cluster("eu-2", cpu=3)]
    made = decide(clusters, linked(a_workload("web", 3)))
    assert replicas(made) == {"eu-2": 3}
    assert codes(only(made).verdicts["eu-1"]) == [reasons.CAPACITY]
    assert only(made).shortfall == 0


def test_duplicated_stays_with_what_fits_where_it_runs() -> None:
    made = decide(
        [a_cluster("eu-1", cpu=4)], linked(a_workload("web", 5)), prior={"web": {"eu-1": 3}}
    )
    assert replicas(made) == {"eu-1": 4}
    assert only(made).shortfall == 1
    assert [each.code for each in only(made).shortfall_reasons] == [reasons.CAPACITY_SHORT]


def test_amounts_up_to_the_largest_quantity() -> None:
    huge = 2**63 - 1
    cluster = a_cluster("eu-1", cpu=None, allocatable={"memory": huge})
    items = [linked(a_workload(name, 3, request={"memory": 2**61})) for name in ("api", "web")]
    made = decide([cluster], *items)
    assert [dict(each.replicas) for each in made.decisions] == [{"eu-1": 3}, {}]
