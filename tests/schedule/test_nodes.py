"""Node-level fit: no replica spans two nodes, and nobody counts on the same free part of one."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet.model.decision import Outcome
from fleet.model.inventory import Cluster
from fleet.model.source import Origin
from fleet.schedule.nodes import Nodes
from fleet.schedule.table import UNLIMITED
from tests.builders import a_cluster, a_policy, a_workload, linked
from tests.schedule.asking import codes, decide, only, replicas

Group = Mapping[str, Any]


def group(count: int, **free: Any) -> Group:
    return {"count": count, "free": free}


def on_nodes(*groups: Group, name: str = "eu-1", cpu: Any = 1000, **fields: Any) -> Cluster:
    return a_cluster(name, cpu=cpu, nodes=groups, **fields)


def room(cluster: Cluster, **request: int) -> int:
    return int(Nodes([cluster]).room(request)[0])


ROOM = [
    pytest.param([], {"cpu": 1}, UNLIMITED, id="no nodes listed"),
    pytest.param([group(3, cpu=1)], {"cpu": 500}, 6, id="E7 count x floor"),
    pytest.param([group(1, cpu=1), group(1, cpu=2)], {"cpu": 1500}, 1, id="E1 too large for one"),
    pytest.param([group(1, cpu=1), group(1, cpu=2)], {"cpu": 3000}, 0, id="E1 for all of them"),
    pytest.param([group(10, cpu=2), group(5, cpu=0)], {"cpu": 1500}, 10, id="E3 grades"),
    pytest.param([group(2, cpu=4, memory=9)], {"cpu": 1000, "memory": 4}, 4, id="the scarcest"),
    pytest.param([group(2, cpu=4, pods=3)], {"cpu": 100, "pods": 1}, 6, id="pods of a node"),
    pytest.param([group(2, cpu=4)], {"cpu": 2000, "pods": 1}, 4, id="pods that nobody lists"),
    pytest.param(
        [group(2, cpu=4), group(1, cpu=4, pods=1)],
        {"cpu": 2000, "pods": 1},
        5,
        id="pods that one lists",
    ),
    pytest.param([group(2, cpu=4)], {"cpu": 1, "gpu": 1}, 0, id="what no node lists"),
    pytest.param([group(2, cpu=4), group(1, gpu=8)], {"gpu": 1}, 8, id="what some list"),
    pytest.param([group(2, cpu=4)], {}, UNLIMITED, id="nothing asked"),
    pytest.param([group(2, cpu=4)], {"pods": 1}, UNLIMITED, id="only pods, not listed"),
    pytest.param([group(0, cpu=4)], {"cpu": 1}, 0, id="no node of the kind"),
]


@pytest.mark.parametrize(("groups", "request_", "expected"), ROOM)
def test_room_on_nodes(groups: list[Group], request_: dict[str, int], expected: int) -> None:
    assert room(on_nodes(*groups), **request_) == expected


def test_room_is_the_smaller_of_sums_and_nodes() -> None:
    weighted = a_policy(division={"mode": "weighted"})
    clusters = [
        on_nodes(group(4, cpu=2), cpu=3, name="a"),
        on_nodes(group(2, cpu=2), cpu=99, name="b"),
        a_cluster("c", cpu=5),
        on_nodes(group(3, cpu=1), cpu=None, name="d"),
    ]
    made = only(decide(clusters, linked(a_workload(replicas=1), weighted)))
    assert [made.verdicts[name].room for name in "abcd"] == [3, 4, 5, 3]


def test_nodes_without_sums_are_declared_capacity() -> None:
    made = decide([on_nodes(group(1, cpu=1), cpu=None)], linked(a_workload()))
    assert made.findings == ()


TOO_SMALL = [
    pytest.param(
        {"cpu": 3, "memory": 9},
        1,
        [
            {"needed": 1, "fits": 0, "resource": "cpu", "asked": 3000, "largest": 2000},
            {"needed": 1, "fits": 0, "resource": "memory", "asked": 9, "largest": 8},
        ],
        id="no node is large enough",
    ),
    pytest.param(
        {"cpu": 1, "gpu": 1},
        1,
        [{"needed": 1, "fits": 0, "resource": "gpu", "asked": 1, "largest": 0}],
        id="no node has any",
    ),
    pytest.param({"cpu": 2}, 4, [{"needed": 4, "fits": 3}], id="too few nodes"),
    pytest.param({"memory": 8, "cpu": 1}, 1, [], id="it fits"),
    pytest.param(
        {"cpu": 2, "pods": 1},
        4,
        [{"needed": 4, "fits": 3}],
        id="pods that no node lists are not short",
    ),
]


@pytest.mark.parametrize(("request_", "wanted", "expected"), TOO_SMALL)
def test_nodes_that_are_too_small_or_too_few_are_the_reason(
    request_: dict[str, Any], wanted: int, expected: list[dict[str, Any]]
) -> None:
    origin = Origin("inventory/eu.yaml", marks={("spec", "capacity", "nodes"): (12, 5)})
    cluster = on_nodes(
        group(3, cpu=2, memory=8), allocatable={"memory": 999, "gpu": 9}, origin=origin
    )
    item = linked(a_workload(replicas=wanted, request=request_))
    verdict = only(decide([cluster], item)).verdicts["eu-1"]
    assert [dict(each.values) for each in verdict.rejections] == expected
    assert {str(each.source) for each in verdict.rejections} <= {"inventory/eu.yaml:12:5"}


def test_a_list_of_no_nodes_holds_nothing() -> None:
    cluster = on_nodes(group(0, cpu=2), cpu=8)
    (why,) = only(decide([cluster], linked(a_workload()))).verdicts["eu-1"].rejections
    assert (why.values["fits"], why.values["largest"]) == (0, 0)


def test_what_one_workload_takes_of_a_node_the_next_does_not_find() -> None:
    """Two nodes of 4: three of 2 leave half a node, where 3 do not fit."""
    cluster = on_nodes(group(2, cpu=4), cpu=8)
    items = [
        linked(a_workload("a", 3, request={"cpu": 2})),
        linked(a_workload("b", 1, request={"cpu": "2500m"})),
        linked(a_workload("c", 1, request={"cpu": 2})),
    ]
    made = decide([cluster], *items)
    assert [dict(each.replicas) for each in made.decisions] == [{"eu-1": 3}, {}, {"eu-1": 1}]
    assert codes(made.decisions[1].verdicts["eu-1"]) == ["capacity", "nodes"]


def test_what_was_assumed_before_is_deducted() -> None:
    """E7: three nodes of one core, four halves taken, two halves are left."""
    items = [linked(a_workload(name, count, request={"cpu": "500m"})) for name, count in E7]
    made = decide([on_nodes(group(3, cpu=1))], *items)
    assert [each.verdicts["eu-1"].room for each in made.decisions] == [6, 2]


E7 = [("a", 4), ("b", 1)]


def test_an_explanation_asked_for_later_sees_the_nodes_of_the_moment() -> None:
    clusters = [on_nodes(group(3, cpu=4, memory=100), cpu=12, allocatable={"memory": 300})]
    items = [
        linked(a_workload(f"w{turn}", 2, request={"cpu": "1500m", "memory": 10 * turn + 1}))
        for turn in range(4)
    ]
    prior = {"w2": {"eu-1": 1}, "w3": {"eu-1": 2}}
    made = decide(clusters, *items, prior=prior)
    forward = [each.verdicts["eu-1"].room for each in made.decisions]
    backward = [each.verdicts["eu-1"].room for each in reversed(made.decisions)]
    assert forward == backward[::-1]
    again = decide(clusters, *items, prior=prior)
    assert [each.verdicts["eu-1"].room for each in again.decisions] == forward
    assert forward[:2] == [3, 1]


def test_what_runs_keeps_its_room_on_nodes_whatever_its_name() -> None:
    cluster = on_nodes(group(1, cpu=4), cpu=100)
    items = [linked(a_workload(name, 1, request={"cpu": 3})) for name in ("a", "b")]
    made = decide([cluster], *items, prior={"b": {"eu-1": 1}})
    assert replicas(made, "a") == {}
    assert replicas(made, "b") == {"eu-1": 1}


def test_room_that_was_set_aside_and_given_up_is_found_by_the_others() -> None:
    """The run starts again: `b` moves to the cluster that it likes, `a` gets its node."""
    clusters = [on_nodes(group(1, cpu=4), cpu=100), a_cluster("us-1", cpu=100)]
    only_eu = a_policy("a", affinity={"required": [{"clusters": ["eu-1"]}]})
    only_us = a_policy("b", affinity={"required": [{"clusters": ["us-1"]}]})
    items = [
        linked(a_workload("a", 1, request={"cpu": 3}), only_eu),
        linked(a_workload("b", 1, request={"cpu": 3}), only_us),
    ]
    made = decide(clusters, *items, prior={"b": {"eu-1": 1}})
    assert (replicas(made, "a"), replicas(made, "b")) == ({"eu-1": 1}, {"us-1": 1})


def test_a_gpu_node_is_kept_for_who_needs_it() -> None:
    cluster = on_nodes(group(2, cpu=4), group(1, cpu=4, gpu=8), cpu=12, allocatable={"gpu": 8})
    items = [
        linked(a_workload("a", 2, request={"cpu": 4})),
        linked(a_workload("b", 8, request={"cpu": "500m", "gpu": 1})),
    ]
    made = decide([cluster], *items)
    assert [dict(each.replicas) for each in made.decisions] == [{"eu-1": 2}, {"eu-1": 8}]


def kinds_of(nodes: Nodes) -> list[tuple[tuple[int, ...], int]]:
    """What each node of the one cluster has free, and how many have as much."""
    counts: dict[tuple[int, ...], int] = {}
    for kind in nodes.kinds(0):
        counts[kind.free] = counts.get(kind.free, 0) + kind.count
    return sorted((free, count) for free, count in counts.items() if count)


PACKED = [
    pytest.param([(4, 2)], 3, 2, [((1,), 2)], id="one on each"),
    pytest.param([(4, 2)], 2, 3, [((0,), 1), ((2,), 1)], id="whole nodes before parts"),
    pytest.param([(9, 1), (4, 1)], 4, 1, [((0,), 1), ((9,), 1)], id="the tightest first"),
    pytest.param([(1, 5)], 2, 3, [((1,), 5)], id="where nothing fits nothing is taken"),
    pytest.param([(4, 1)], 2, 9, [((0,), 1)], id="no more than fits"),
    pytest.param([(4, 0), (5, 1)], 2, 1, [((3,), 1)], id="no nodes of a kind"),
    pytest.param([(4, 9)], 4, 2, [((0,), 2), ((4,), 7)], id="the others stay as they are"),
]


@pytest.mark.parametrize(("groups", "asked", "count", "expected"), PACKED)
def test_packing(
    groups: list[tuple[int, int]],
    asked: int,
    count: int,
    expected: list[tuple[tuple[int, ...], int]],
) -> None:
    nodes = Nodes([on_nodes(*(group(number, x=size) for size, number in groups))])
    nodes.hold((0, {"x": asked}, {0: count}))
    assert kinds_of(nodes) == expected
    nodes.forward(None, (0, {"x": asked}, {0: count}))
    given_back = Nodes([on_nodes(*(group(number, x=size) for size, number in groups))])
    assert kinds_of(nodes) == kinds_of(given_back)


def test_a_cluster_without_nodes_has_none() -> None:
    assert Nodes([a_cluster()]).kinds(0) == ()


GROUPS = st.lists(
    st.tuples(st.integers(1, 4), st.integers(0, 8), st.integers(0, 8)), min_size=1, max_size=3
)
CLAIMS = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(1, 6)), min_size=1, max_size=6
)


@given(GROUPS, CLAIMS, st.sampled_from([None, {"w0": {"eu-1": 2}}]))
def test_no_run_promises_more_than_sums_or_nodes(
    groups: list[tuple[int, int, int]],
    claims: list[tuple[int, int, int]],
    prior: dict[str, dict[str, int]] | None,
) -> None:
    """Replayed by hand: node by node, in the same order, and against the sums."""
    cluster = on_nodes(
        *(group(count, cpu=cpu, memory=memory) for count, cpu, memory in groups),
        cpu=12,
        allocatable={"memory": 14},
    )
    items = [
        linked(
            a_workload(f"w{turn}", wanted, request={"cpu": cpu, "memory": memory}),
            a_policy(division={"mode": "weighted"}),
        )
        for turn, (cpu, memory, wanted) in enumerate(claims)
    ]
    made = decide([cluster], *items, prior=prior)
    nodes = [[cpu, memory] for count, cpu, memory in groups for _ in range(count)]
    left = [12, 14]
    for decision, (cpu, memory, wanted) in zip(made.decisions, claims, strict=True):
        placed = decision.replicas.get("eu-1", 0)
        assert decision.shortfall == wanted - placed
        for _ in range(placed):
            put_by_hand(nodes, (cpu, memory))
            left = [left[0] - cpu, left[1] - memory]
            assert min(left) >= 0


def put_by_hand(nodes: list[list[int]], asked: tuple[int, int]) -> None:
    """Onto a node that has least besides, of these where fewest fit, and there again and again."""

    def rank(node: list[int]) -> tuple[int, int, list[int]]:
        fits = min(have // need for have, need in zip(node, asked, strict=True) if need)
        unused = sum(1 for have, need in zip(node, asked, strict=True) if have and not need)
        return unused, fits, node[::-1]

    if not any(asked):
        return
    able = [node for node in nodes if all(h >= n for h, n in zip(node, asked, strict=True))]
    assert able, "promised, but no node is left for it"
    node = min(able, key=rank)
    node[:] = [have - need for have, need in zip(node, asked, strict=True)]


@given(GROUPS, CLAIMS, st.lists(st.integers(0, 3), min_size=6, max_size=6))
def test_nodes_go_forward_and_back_alike(
    groups: list[tuple[int, int, int]], claims: list[tuple[int, int, int]], kept: list[int]
) -> None:
    """Reserved first, charged in turn; no node is ever overdrawn, and every turn is found again."""
    nodes = Nodes([on_nodes(*(group(count, cpu=cpu, x=x) for count, cpu, x in groups))])
    asked = [{"cpu": cpu * 1000, "x": x} for cpu, x, _ in claims]
    reserved: list[dict[int, int]] = []
    for turn, request in enumerate(asked):
        reserved.append({0: min(kept[turn], int(nodes.room(request)[0]))})
        nodes.hold((turn, request, reserved[turn]))
    rooms: list[int] = []
    left = None
    for turn, request in enumerate(asked):
        nodes.forward(left, (turn, request, reserved[turn]))
        rooms.append(int(nodes.room(request)[0]))
        charged = {0: min(claims[turn][2], rooms[turn])}
        left = (turn, request, charged)
        assert rooms[turn] >= reserved[turn][0]
        assert min(nodes.largest(0, "cpu"), nodes.largest(0, "x")) >= 0
    turns = range(len(asked))
    for turn in reversed(turns):
        assert int(nodes.room(asked[turn])[0]) == rooms[turn]
        nodes.back(turn)
    for turn in turns:
        nodes.forward(None, (turn, asked[turn], {}))
        assert int(nodes.room(asked[turn])[0]) == rooms[turn]


def test_many_kinds_of_nodes_of_one_cluster_leave_the_others_alone() -> None:
    """Grids grow for one cluster; what the others have stays."""
    clusters = [
        on_nodes(*(group(1, cpu=size) for size in range(1, 9)), name="a"),
        on_nodes(group(2, cpu=3), name="b"),
    ]
    items = [
        linked(a_workload(f"w{turn}", 1, request={"cpu": 1}), a_policy(f"w{turn}", pick=1))
        for turn in range(3)
    ]
    made = decide(clusters, *items)
    verdict = made.decisions[2].verdicts["b"]
    assert verdict.outcome in {Outcome.ASSIGNED, Outcome.FEASIBLE}
    total = sum(each.verdicts["b"].room or 0 for each in made.decisions[:1])
    assert total == 6
