"""Node lists: what was just carried out is what the next plan finds, whatever packing that was."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet.model.decision import Schedule
from fleet.model.inventory import Cluster
from fleet.model.snapshot import Linked
from fleet.schedule import settle
from tests.builders import a_cluster, a_policy, a_workload, linked
from tests.schedule.asking import decide

Assigned = dict[str, dict[str, int]]
DIVISIONS: tuple[dict[str, Any], ...] = (
    {"division": {"mode": "weighted"}},
    {"division": {"mode": "aggregated"}},
    {"division": {"mode": "duplicated"}},
    {"division": {"mode": "weighted", "weights": [{"replicaWeight": 1, "term": {}}]}},
    {"division": {"mode": "weighted"}, "pick": 1},
    {"division": {"mode": "weighted"}, "spread": [{"by": "cluster", "maxSkew": 1}]},
)


def on_nodes(name: str, *groups: tuple[int, int, int]) -> Cluster:
    """A cluster of so many nodes with that much cpu and memory each."""
    nodes = [{"count": count, "free": {"cpu": cpu, "memory": more}} for count, cpu, more in groups]
    return a_cluster(name, cpu=1000, nodes=nodes, allocatable={"memory": 10**6})


def assigned(made: Schedule) -> Assigned:
    return {each.workload: dict(each.replicas) for each in made.decisions if each.replicas}


def workload(name: str, replicas: int, cpu: int, memory: int, **policy: Any) -> Linked:
    request = {"cpu": cpu, "memory": memory}
    return linked(a_workload(name, replicas, request=request), a_policy(name, **policy))


def test_a_better_packing_that_a_prior_would_allow_moves_nothing() -> None:
    cluster = on_nodes("a", (3, 3, 0))
    by_room: dict[str, Any] = {"division": {"mode": "weighted"}}
    items = [workload("w0", 2, 1, 0, **by_room), workload("w1", 8, 2, 0, **by_room)]
    first = assigned(decide([cluster], *items))
    assert first == {"w0": {"a": 2}, "w1": {"a": 2}}
    assert assigned(decide([cluster], *items, prior=first)) == first


def test_what_runs_keeps_its_node_where_the_order_of_turns_would_leave_it_none() -> None:
    """One of w1 ran first; w0 was put beside it and on the other node, so that two of w1 fit."""
    cluster = on_nodes("a", (2, 3, 0))
    by_room: dict[str, Any] = {"division": {"mode": "weighted"}}
    items = [workload("w0", 2, 1, 0, **by_room), workload("w1", 2, 2, 0, **by_room)]
    first = assigned(decide([cluster], *items, prior={"w1": {"a": 1}}))
    assert first == {"w0": {"a": 2}, "w1": {"a": 2}}
    assert assigned(decide([cluster], *items, prior=first)) == first


def test_what_runs_keeps_its_node_also_where_another_resource_is_scarce() -> None:
    cluster = on_nodes("a", (2, 6, 1))
    by_room: dict[str, Any] = {"division": {"mode": "weighted"}}
    items = [workload("w0", 2, 3, 0, **by_room), workload("w1", 2, 1, 1, **by_room)]
    before = {"w0": {"a": 2}, "w1": {"a": 2}}
    assert assigned(decide([cluster], *items, prior=before)) == before


def test_what_fits_in_no_order_goes() -> None:
    cluster = on_nodes("a", (1, 3, 0))
    items = [workload("w0", 2, 1, 0), workload("w1", 1, 2, 0)]
    before = {"w0": {"a": 2}, "w1": {"a": 1}}
    assert assigned(decide([cluster], *items, prior=before)) == {"w0": {"a": 2}}


GROUPS = st.lists(
    st.tuples(st.integers(1, 3), st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=3
)
WORKLOADS = st.lists(
    st.tuples(st.integers(1, 9), st.integers(0, 3), st.integers(0, 3), st.sampled_from(DIVISIONS)),
    min_size=1,
    max_size=5,
)


PRIORS = st.dictionaries(
    st.sampled_from([f"w{turn}" for turn in range(5)]),
    st.dictionaries(st.sampled_from(["c0", "c1", "c2"]), st.integers(0, 5), max_size=3),
    max_size=5,
)


@given(st.lists(GROUPS, min_size=1, max_size=3), WORKLOADS, st.one_of(st.just({}), PRIORS))
def test_a_second_plan_is_a_no_op(
    groups: list[list[tuple[int, int, int]]],
    workloads: list[tuple[int, int, int, dict[str, Any]]],
    prior: Assigned,
) -> None:
    clusters = [on_nodes(f"c{place}", *each) for place, each in enumerate(groups)]
    items = [
        workload(f"w{turn}", *each, **policy) for turn, (*each, policy) in enumerate(workloads)
    ]
    first = assigned(decide(clusters, *items, prior=prior))
    second = assigned(decide(clusters, *items, prior=first))
    assert second == first


WEIGHTED: dict[str, Any] = {"division": {"mode": "weighted"}}


def short_beside_what_runs() -> tuple[list[Cluster], list[Linked], Assigned]:
    """w1 is set aside on the node where w0 would fit; as soon as both run, it is on the other."""
    items = [workload("w0", 2, 0, 3, **WEIGHTED), workload("w1", 1, 0, 1, **WEIGHTED)]
    return [on_nodes("a", (1, 0, 3), (1, 0, 4))], items, {"w1": {"a": 1}}


def test_what_the_next_plan_would_find_room_for_is_placed_now() -> None:
    clusters, items, prior = short_beside_what_runs()
    both = {"w0": {"a": 2}, "w1": {"a": 1}}
    made = decide(clusters, *items, prior=prior)
    assert assigned(made) == both
    assert not made.decisions[0].shortfall
    assert {each.verdicts["a"].replicas for each in made.decisions} == {2, 1}
    assert assigned(decide(clusters, *items, prior=both)) == both


def test_deciding_again_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    clusters, items, prior = short_beside_what_runs()
    monkeypatch.setattr(settle, "ROUNDS", 0)
    assert assigned(decide(clusters, *items, prior=prior)) == {"w0": {"a": 1}, "w1": {"a": 1}}
