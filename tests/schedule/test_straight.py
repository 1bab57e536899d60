"""The straight way, and what candidates remember, never change an answer."""

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet.model.prior import Prior
from fleet.model.snapshot import Linked, Snapshot
from fleet.schedule import schedule
from tests.builders import a_cluster, a_policy, a_prior, a_snapshot, a_workload, linked, settings
from tests.schedule.asking import decide, replicas
from tests.schedule.fleets import fleets, priors

DECIDE = importlib.import_module("fleet.schedule.decide")
CANDIDATES = importlib.import_module("fleet.schedule.candidates")
VIEW = importlib.import_module("fleet.schedule.view")


@contextmanager
def the_general_way_only() -> Iterator[None]:
    with (
        patch.object(DECIDE, "handful", lambda _task: None),
        patch.object(DECIDE, "straight", lambda _task: None),
    ):
        yield


@contextmanager
def small_heads() -> Iterator[None]:
    """What is for hundreds of clusters already happens with a handful."""
    with (
        patch.object(CANDIDATES, "HEAD", 3),
        patch.object(VIEW, "_FEW", 2),
        patch.object(VIEW, "HANDFUL", 2),
    ):
        yield


@contextmanager
def no_plain_numbers() -> Iterator[None]:
    """Columns also where a handful of clusters would do without."""
    with patch.object(DECIDE, "handful", lambda _task: None), small_heads():
        yield


@st.composite
def situations(draw: st.DrawFn) -> tuple[Snapshot, Prior]:
    snapshot = draw(fleets(traffic=False, workloads=4))
    return snapshot, draw(priors(snapshot))


@given(situations())
def test_the_straight_way_agrees_with_the_general_one(situation: tuple[Snapshot, Prior]) -> None:
    with small_heads():
        found = schedule(*situation, settings())
    with no_plain_numbers():
        assert schedule(*situation, settings()) == found
    with the_general_way_only():
        assert schedule(*situation, settings()) == found


SPREADS: list[dict[str, Any]] = [
    {},
    {"pick": 2},
    {"spread": [{"by": "cluster", "min_domains": 1, "max_domains": 4}]},
    {
        "spread": [
            {"by": "region", "min_domains": 2, "max_domains": 2},
            {"by": "cluster", "min_domains": 2, "max_domains": 5},
        ]
    },
    {"spread": [{"by": "region", "min_domains": 1, "max_domains": 2}]},
]
MODES: list[dict[str, Any]] = [
    {"mode": "duplicated"},
    {"mode": "weighted"},
    {"mode": "aggregated"},
    {"mode": "weighted", "weights": [{"replica_weight": 3, "term": {"regions": ["r1"]}}]},
]


@st.composite
def crowds(draw: st.DrawFn) -> tuple[Snapshot, Prior]:
    """Many clusters, many workloads that ask for the same: what is remembered is used again."""
    clusters = [
        a_cluster(
            f"c{number:02d}",
            f"r{draw(st.integers(0, 3))}",
            labels={"tier": draw(st.sampled_from(["gold", "iron"]))},
            cpu=draw(st.integers(0, 12)),
            allocatable={"memory": draw(st.integers(4, 40))},
            reserved={"cpu": draw(st.integers(0, 6))},
        )
        for number in range(draw(st.integers(8, 20)))
    ]
    items = [draw(one_of_many(f"w{number:02d}")) for number in range(draw(st.integers(4, 12)))]
    snapshot = a_snapshot(clusters, items)
    names = [cluster.name for cluster in clusters]
    placed = {
        item.workload.name: draw(
            st.dictionaries(st.sampled_from(names), st.integers(1, 3), max_size=3)
        )
        for item in items
        if draw(st.integers(0, 3)) == 0
    }
    return snapshot, a_prior(placed)


@st.composite
def one_of_many(draw: st.DrawFn, name: str) -> Linked:
    terms = draw(st.sampled_from([[], [], [{"match_labels": {"tier": "gold"}}]]))
    policy = a_policy(
        name,
        affinity={"required": terms},
        division=draw(st.sampled_from(MODES)),
        **draw(st.sampled_from(SPREADS)),
    )
    request = draw(st.sampled_from([{"cpu": 1}, {"cpu": 1, "memory": 2}]))
    return linked(a_workload(name, draw(st.integers(1, 8)), request=request), policy)


@given(crowds(), st.sampled_from(["deducted", "independent"]))
def test_what_is_remembered_is_what_would_be_found(
    situation: tuple[Snapshot, Prior], capacity: str
) -> None:
    said = settings(capacity=capacity)
    with small_heads():
        found = schedule(*situation, said)
    assert schedule(*situation, said) == found
    with no_plain_numbers():
        assert schedule(*situation, said) == found
    with the_general_way_only():
        assert schedule(*situation, said) == found


FALLEN = [
    pytest.param(90, {"w0": "c0", "w1": "c0", "w2": "c0"}, id="fuller, and still first"),
    pytest.param(11, {"w0": "c0", "w1": "c1", "w2": "c2"}, id="no longer first"),
]


@pytest.mark.parametrize(("free", "expected"), FALLEN)
def test_whoever_has_fallen_moves_down(free: int, expected: dict[str, str]) -> None:
    """One policy each over the same clusters; the first has `free` of 100 cores, others 10."""
    rooms = [free, 10, 10, 10, 10]
    clusters = [
        a_cluster(f"c{at}", cpu=100, reserved={"cpu": 100 - room}) for at, room in enumerate(rooms)
    ]
    items = [
        linked(a_workload(f"w{at}", 1, request={"cpu": 2}), a_policy(f"w{at}", pick=1))
        for at in range(3)
    ]
    with small_heads():
        made = decide(clusters, *items).decisions
    assert {each.workload: next(iter(each.replicas)) for each in made} == expected


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        pytest.param("duplicated", {"a": 2, "b": 2, "c": 2}, id="all of them everywhere"),
        pytest.param("weighted", {"a": 1, "c": 1}, id="by room, larger first"),
        pytest.param("aggregated", {"a": 2}, id="as few as possible"),
    ],
)
def test_straight_answers(mode: str, expected: dict[str, int]) -> None:
    clusters = [a_cluster(name, cpu=cpu) for name, cpu in {"a": 9, "b": 4, "c": 8}.items()]
    item = linked(a_workload("web", 2), a_policy("web", division={"mode": mode}))
    assert replicas(decide(clusters, item)) == expected


TWO_REGIONS = [
    pytest.param({"c2": None, "c3": None}, id="the straight way"),
    pytest.param({"c2": 9, "c3": 2}, id="a handful in plain numbers"),
]


@pytest.mark.parametrize("rooms", TWO_REGIONS)
def test_what_a_region_needs_does_not_come_before_what_is_preferred(
    rooms: dict[str, int | None],
) -> None:
    """Of the three clusters all are wanted: the list ends at c3, for which a place was kept."""
    clusters = [
        a_cluster("c0", cpu=1),
        a_cluster("c1", cpu=1),
        a_cluster("c2", cpu=rooms["c2"]),
        a_cluster("c3", "us-east-1", cpu=rooms["c3"]),
    ]
    policy = a_policy(
        "web",
        affinity={"preferred": [{"weight": 20, "term": {"clusters": ["c0", "c1"]}}]},
        division={"mode": "aggregated"},
        spread=[
            {"by": "cluster", "min_domains": 1, "max_domains": 3},
            {"by": "region", "min_domains": 2},
        ],
    )
    item = linked(a_workload("web", 3), policy)
    assert replicas(decide(clusters, item)) == {"c0": 1, "c1": 1, "c3": 1}


MANY = 30


def test_many_clusters_one_of_which_has_no_end() -> None:
    """It weighs as much as the largest of the others, or as all that is to be divided."""
    clusters = [a_cluster("a", cpu=None), *(a_cluster(f"c{at:02}", cpu=2) for at in range(MANY))]
    item = linked(a_workload("web", 62), a_policy("web", division={"mode": "weighted"}))
    found = replicas(decide(clusters, item))
    with the_general_way_only():
        assert replicas(decide(clusters, item)) == found
    assert found["a"] == 32
    boundless = [a_cluster(f"c{at:02}", cpu=None) for at in range(MANY)]
    assert set(replicas(decide(boundless, linked(a_workload("web", MANY), item.placement)))) == {
        each.name for each in boundless
    }


def test_many_clusters_where_fewer_are_wanted_than_run() -> None:
    clusters = [a_cluster(f"c{at:02}", cpu=9) for at in range(MANY)]
    item = linked(a_workload("web", 3), a_policy("web", division={"mode": "weighted"}))
    before = {"web": {"c03": 4, "c07": 2}}
    assert replicas(decide(clusters, item, prior=before)) == {"c03": 2, "c07": 1}


def test_many_clusters_of_which_two_must_run_something() -> None:
    """By room alone the largest would take both replicas."""
    clusters = [a_cluster("a", cpu=900), *(a_cluster(f"c{at:02}", cpu=3) for at in range(MANY))]
    policy = a_policy(spread=[{"by": "cluster", "min_domains": 2}], division={"mode": "weighted"})
    assert replicas(decide(clusters, linked(a_workload("web", 2), policy))) == {"a": 1, "c00": 1}


def test_packed_clusters_keep_what_runs() -> None:
    clusters = [a_cluster(name, cpu=4) for name in "abc"]
    item = linked(a_workload("web", 6), a_policy("web", division={"mode": "aggregated"}))
    made = decide(clusters, item, prior={"web": {"c": 3}})
    with the_general_way_only():
        assert replicas(decide(clusters, item, prior={"web": {"c": 3}})) == replicas(made)
    assert replicas(made) == {"a": 2, "c": 4}


def test_more_replicas_than_run_on_the_picked_clusters() -> None:
    clusters = [a_cluster(name, cpu=9) for name in "abc"]
    item = linked(a_workload("web", 7), a_policy("web", pick=2, division={"mode": "weighted"}))
    assert replicas(decide(clusters, item, prior={"web": {"b": 4, "c": 1}})) == {"b": 5, "c": 2}


def test_more_clusters_are_allowed_than_there_are() -> None:
    """All are looked at, the one where it runs last: only what is free counts here."""
    clusters = [
        *(a_cluster(f"c{at:02}", cpu=9) for at in range(MANY)),
        a_cluster("z", cpu=9, reserved={"cpu": 7}),
    ]
    policy = a_policy(
        spread=[{"by": "cluster", "min_domains": 1, "max_domains": MANY + 9}],
        division={"mode": "weighted"},
        scoring={"exact": True, "weights": {"balance": 1}},
    )
    item = linked(a_workload("web", MANY + 2), policy)
    made = decide(clusters, item, prior={"web": {"z": 1}})
    with the_general_way_only():
        assert replicas(decide(clusters, item, prior={"web": {"z": 1}})) == replicas(made)
    assert len(replicas(made)) == MANY + 1


def test_the_best_of_many_clusters_one_of_which_declares_nothing() -> None:
    """It has room for all, and comes first."""
    clusters = [a_cluster("z", cpu=None), *(a_cluster(f"c{at:02}", cpu=at) for at in range(MANY))]
    item = linked(a_workload("web", 2), a_policy(pick=2))
    assert replicas(decide(clusters, item)) == {"c29": 2, "z": 2}
