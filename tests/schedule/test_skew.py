"""Even numbers over nested domains: the rule, its laws against brute force and against greedy."""

from collections.abc import Sequence
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet.model.decision import Schedule
from fleet.model.source import Origin, Source
from fleet.schedule import reasons
from fleet.schedule.choice import Budget
from fleet.schedule.even import even_shares, is_even, levelled, settled_shares
from fleet.schedule.skew import Evenly, Skew, narrowed, trimmed
from tests.builders import a_cluster, a_policy, a_traffic, a_workload, linked
from tests.schedule.asking import codes, decide, only, replicas

MARKS = {
    ("spec", "spread", 0): (6, 5),
    ("spec", "spread", 0, "maxSkew"): (6, 20),
    ("spec", "spread", 1, "maxSkew"): (7, 20),
}
HERE = Origin("policies/web.yaml", marks=MARKS)
BY_ROOM = {"mode": "weighted"}
Rooms = dict[str, int]


def by(field: str, skew: int | None = 1, least: int = 1, most: int | None = None) -> dict[str, Any]:
    return {"by": field, "min_domains": least, "max_domains": most, "max_skew": skew}


def ask(
    rooms: Rooms,
    wanted: int,
    *spread: dict[str, Any],
    spec: dict[str, Any] | None = None,
    **run: Any,
) -> Schedule:
    """A run over clusters called `<region>-<zone>-<number>`, with so much room each."""
    clusters = [
        a_cluster(name, name.split("-")[0], zones=[name.rpartition("-")[0]], cpu=room)
        for name, room in rooms.items()
    ]
    policy = a_policy(origin=HERE, **{"division": BY_ROOM, "spread": spread, **(spec or {})})
    return decide(clusters, linked(a_workload("web", wanted), policy), **run)


def totals(made: Schedule, depth: int = 1) -> dict[str, int]:
    """Replicas by region, or by zone."""
    found: dict[str, int] = {}
    for name, count in replicas(made).items():
        domain = "-".join(name.split("-")[:depth])
        found[domain] = found.get(domain, 0) + count
    return {name: count for name, count in found.items() if count}


THREE = {"ap-a-1": 40, "eu-a-1": 9, "eu-b-1": 9, "us-a-1": 20}
REGIONS = [
    pytest.param(THREE, 3, by("region", 1, 3, 3), {"ap": 1, "eu": 1, "us": 1}, id="one per region"),
    pytest.param(THREE, 9, by("region"), {"ap": 3, "eu": 3, "us": 3}, id="equal in spite of room"),
    pytest.param(THREE, 10, by("region"), {"ap": 4, "eu": 3, "us": 3}, id="one over"),
    pytest.param(THREE, 2, by("region"), {"ap": 1, "us": 1}, id="fewer than domains"),
    pytest.param(
        {"ap-a-1": 9, "eu-a-1": 9, "us-a-1": 2}, 8, by("region"), {"ap": 3, "eu": 3, "us": 2},
        id="a small domain bounds the others",
    ),
    pytest.param(
        {"ap-a-1": 9, "eu-a-1": 9, "us-a-1": 2}, 9, by("region"), {"ap": 5, "eu": 4},
        id="or is left out",
    ),
    pytest.param(
        {"ap-a-1": 9, "eu-a-1": 9, "us-a-1": 2}, 9, by("region", 2), {"ap": 4, "eu": 3, "us": 2},
        id="a wider skew keeps it",
    ),
    pytest.param(
        {"ap-a-1": 9, "eu-a-1": 9, "us-a-1": 2}, 9, by("region", 1, 3), {"ap": 3, "eu": 3, "us": 2},
        id="but never below the least",
    ),
    pytest.param(
        {"ap-a-1": 1, "eu-a-1": 9, "us-a-1": 9}, 10, by("region", 1, 2, 2), {"eu": 5, "us": 5},
        id="the domains that suit are opened",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("rooms", "wanted", "spread", "expected"), REGIONS)
def test_regions_get_equal_numbers(
    rooms: Rooms, wanted: int, spread: dict[str, Any], expected: dict[str, int]
) -> None:
    made = ask(rooms, wanted, spread)
    assert totals(made) == expected
    assert only(made).shortfall == wanted - sum(expected.values())


def test_inside_a_domain_the_policy_divides() -> None:
    made = ask({"eu-a-1": 30, "eu-a-2": 10, "us-a-1": 10}, 8, by("region"))
    assert replicas(made) == {"eu-a-1": 3, "eu-a-2": 1, "us-a-1": 4}


def test_domains_nest_in_the_order_of_the_list() -> None:
    rooms = {"eu-a-1": 9, "eu-b-1": 9, "eu-b-2": 9, "us-a-1": 9, "us-a-2": 9}
    made = ask(rooms, 8, by("region"), by("zone"), by("cluster"))
    assert replicas(made) == {"eu-a-1": 2, "eu-b-1": 1, "eu-b-2": 1, "us-a-1": 2, "us-a-2": 2}


def test_a_constraint_without_a_skew_is_no_step() -> None:
    rooms = {"eu-a-1": 9, "eu-b-1": 9, "eu-c-1": 9, "us-a-1": 9}
    assert totals(ask(rooms, 8, by("region", None, 2), by("zone"))) == {"eu": 6, "us": 2}


def test_an_inner_domain_that_is_too_small_is_left_out() -> None:
    rooms = {"eu-a-1": 9, "eu-b-1": 1, "us-a-1": 9}
    made = ask(rooms, 8, by("region"), by("zone"))
    assert totals(made, 2) == {"eu-a": 4, "us-a": 4}


def test_an_inner_least_spares_no_domain() -> None:
    rooms = {"eu-a-1": 9, "eu-b-1": 1, "us-a-1": 9}
    made = ask(rooms, 8, by("region", 2), by("zone", 1, 3))
    assert totals(made, 2) == {"eu-a": 2, "eu-b": 1, "us-a": 5}
    assert only(made).shortfall == 0


def test_clusters_of_several_zones_are_one_domain_of_their_own() -> None:
    clusters = [
        a_cluster("both", zones=["a", "b"], cpu=9),
        a_cluster("also", zones=["b", "a"], cpu=9),
        a_cluster("one", zones=["a"], cpu=9),
    ]
    policy = a_policy(division=BY_ROOM, spread=[by("zone")])
    made = decide(clusters, linked(a_workload("web", 4), policy))
    assert replicas(made) == {"also": 1, "both": 1, "one": 2}


def test_static_weights_count_inside() -> None:
    rules = [
        {"replica_weight": 3, "term": {"clusters": ["eu-a-1"]}},
        {"replica_weight": 1, "term": {}},
    ]
    division = {"division": {"mode": "weighted", "weights": rules}}
    made = ask({"eu-a-1": 9, "eu-a-2": 9, "us-a-1": 9}, 8, by("region"), spec=division)
    assert replicas(made) == {"eu-a-1": 3, "eu-a-2": 1, "us-a-1": 4}


def test_aggregated_packs_inside() -> None:
    division = {"division": {"mode": "aggregated"}}
    made = ask({"eu-a-1": 9, "eu-a-2": 9, "us-a-1": 9}, 8, by("region"), spec=division)
    assert replicas(made) == {"eu-a-1": 4, "us-a-1": 4}


STEADY = [
    pytest.param({"eu-a-1": 2, "us-a-1": 2}, 5, {"eu-a-1": 3, "us-a-1": 2}, id="one more"),
    pytest.param({"eu-a-1": 3, "us-a-1": 2}, 4, {"eu-a-1": 2, "us-a-1": 2}, id="one less"),
    pytest.param({"eu-a-1": 2, "us-a-1": 3}, 5, {"eu-a-1": 2, "us-a-1": 3}, id="even already"),
    pytest.param(
        {"eu-a-1": 4, "us-a-1": 0}, 5, {"eu-a-1": 3, "us-a-1": 2}, id="no more than needed"
    ),
    pytest.param({"eu-a-1": 4}, 4, {"eu-a-1": 4}, id="one domain is even"),
    pytest.param({"eu-a-1": 5, "us-a-1": 1}, 6, {"eu-a-1": 3, "us-a-1": 3}, id="uneven moves"),
]


@pytest.mark.parametrize(("ran", "wanted", "expected"), STEADY)
def test_what_runs_moves_only_for_the_skew(ran: Rooms, wanted: int, expected: Rooms) -> None:
    made = ask({"eu-a-1": 9, "us-a-1": 9}, wanted, by("region"), prior={"web": ran})
    assert {name: count for name, count in replicas(made).items() if count} == expected
    assert not made.findings


def test_fresh_starts_over() -> None:
    spec = {"placement": "fresh"}
    made = ask({"eu-a-1": 9, "us-a-1": 9}, 4, by("region"), spec=spec, prior={"web": {"eu-a-1": 4}})
    assert totals(made) == {"eu": 2, "us": 2}


def test_nothing_that_runs_goes_for_the_skew_alone() -> None:
    """A region that shrinks takes nothing from the other one; new replicas obey the skew."""
    ran = {"eu-a-1": 5, "us-a-1": 5}
    made = ask({"eu-a-1": 9, "us-a-1": 2}, 10, by("region", 1, 2), prior={"web": ran})
    assert replicas(made) == {"eu-a-1": 5, "us-a-1": 2}
    (why,) = only(made).shortfall_reasons
    assert why.code == reasons.SKEW_SHORT
    (finding,) = made.findings
    assert (finding.code, finding.values) == (
        reasons.SKEW_KEPT,
        {"workload": "web", "by": "region", "skew": 1, "most": 5, "least": 2},
    )
    assert str(finding.source) == "policies/web.yaml:6:20"


def test_an_inner_skew_that_is_kept_is_told() -> None:
    ran = {"eu-a-1": 5, "eu-b-1": 1}
    rooms = {"eu-a-1": 5, "eu-b-1": 1}
    made = ask(rooms, 6, by("region"), by("zone", 1, 2), prior={"web": ran})
    assert replicas(made) == ran
    assert [(it.code, it.values["by"]) for it in made.findings] == [(reasons.SKEW_KEPT, "zone")]


def test_a_floor_that_even_numbers_miss_closes_domains() -> None:
    spec = {"division": {"mode": "weighted", "min_replicas": 3}}
    assert totals(ask({"eu-a-1": 9, "us-a-1": 8}, 4, by("region"), spec=spec)) == {"eu": 4}


def test_room_that_the_skew_leaves_empty_is_told() -> None:
    made = ask({"eu-a-1": 9, "us-a-1": 2}, 9, by("region", 1, 2))
    assert replicas(made) == {"eu-a-1": 3, "us-a-1": 2}
    (why,) = only(made).shortfall_reasons
    assert (why.code, why.values) == (
        reasons.SKEW_SHORT,
        {"wanted": 9, "placed": 5, "by": "region", "skew": 1},
    )
    assert str(why.source) == "policies/web.yaml:6:20"


def test_no_room_is_no_fault_of_the_skew() -> None:
    (why,) = only(ask({"eu-a-1": 2, "us-a-1": 2}, 9, by("region"))).shortfall_reasons
    assert why.code == reasons.CAPACITY_SHORT


def test_a_domain_that_is_left_out_says_so() -> None:
    made = ask({"ap-a-1": 9, "eu-a-1": 9, "us-a-1": 2}, 9, by("region"))
    (why,) = only(made).verdicts["us-a-1"].rejections
    assert (why.code, why.values) == (reasons.SKEW_LIMIT, {"by": "region", "skew": 1})


def test_a_domain_too_many_has_no_share() -> None:
    made = ask(THREE, 2, by("region"))
    assert codes(only(made).verdicts["eu-a-1"]) == [reasons.NO_SHARE]


def test_every_group_of_regions_is_even_inside() -> None:
    clusters = [a_cluster(f"{z}-{n}", "eu", zones=[z], cpu=9 * n) for z in "ab" for n in (1, 2)]
    clusters += [a_cluster(f"us-{z}", "us", zones=[z], cpu=9) for z in "ab"]
    policy = a_policy(division=BY_ROOM, spread=[by("zone")])
    item = linked(a_workload("web", 6), policy, traffic=[a_traffic(active_region="eu", standby=50)])
    made = decide(clusters, item)
    found = replicas(made)
    assert found["a-1"] + found["a-2"] == found["b-1"] + found["b-2"] == 3
    assert {found["us-a"], found["us-b"]} == {1, 2}


EVERYWHERE = {"division": {"mode": "duplicated"}}
COPIES = [
    pytest.param([by("region")], {}, ["eu-a-1", "eu-a-2", "us-a-1"], id="one more than the fewest"),
    pytest.param(
        [by("region")], {"eu-a-1": 1, "eu-a-2": 1, "eu-b-1": 1, "us-a-1": 1},
        ["eu-a-1", "eu-a-2", "eu-b-1", "us-a-1"], id="what runs stays",
    ),
    pytest.param(
        [by("region")], {"eu-b-1": 1}, ["eu-a-1", "eu-b-1", "us-a-1"], id="what runs comes first"
    ),
    pytest.param(
        [by("region", 2), by("zone")], {}, ["eu-a-1", "eu-a-2", "eu-b-1", "us-a-1"], id="nested"
    ),
]  # fmt: skip


@pytest.mark.parametrize(("spread", "ran", "expected"), COPIES)
def test_copies_are_even_in_number(
    spread: list[dict[str, Any]], ran: Rooms, expected: list[str]
) -> None:
    rooms = {"eu-a-1": 9, "eu-a-2": 9, "eu-a-3": 9, "eu-b-1": 9, "us-a-1": 9}
    if len(spread) == 1:
        del rooms["eu-a-3"]
    made = ask(rooms, 1, *spread, spec=EVERYWHERE, prior={"web": ran} if ran else None)
    assert sorted(replicas(made)) == expected


def test_as_many_clusters_of_one_region_where_two_regions_would_not_do() -> None:
    rooms = dict.fromkeys(["ap-a-1", "eu-a-1", "eu-a-2", "eu-a-3", "eu-a-4"], 9)
    made = ask(rooms, 1, by("region"), by("cluster", None, 4, 4), spec=EVERYWHERE)
    assert sorted(replicas(made)) == ["eu-a-1", "eu-a-2", "eu-a-3", "eu-a-4"]
    assert codes(only(made).verdicts["ap-a-1"]) == [reasons.DOMAIN_LIMIT]


def test_a_copy_too_many_says_why() -> None:
    made = ask(
        {"eu-a-1": 9, "eu-a-2": 9, "eu-a-3": 9, "us-a-1": 9}, 1, by("region"), spec=EVERYWHERE
    )
    (why,) = only(made).verdicts["eu-a-3"].rejections
    assert (why.code, why.values) == (reasons.SKEW_LIMIT, {"by": "region", "skew": 1})


def test_a_number_of_clusters_that_the_skew_forbids_is_short() -> None:
    rooms = {"eu-a-1": 9, "us-a-1": 9, "us-a-2": 9, "us-a-3": 9}
    made = ask(rooms, 1, by("region", 1, 2), by("cluster", None, 4), spec=EVERYWHERE)
    (why,) = only(made).shortfall_reasons
    assert (why.code, why.values) == (reasons.SKEW_CONFLICT, {"by": "region", "skew": 1})
    assert not replicas(made)


def test_uneven_copies_that_run_are_told() -> None:
    ran = {"eu-a-1": 1, "eu-a-2": 1, "eu-a-3": 1, "us-a-1": 1}
    made = ask(dict.fromkeys(ran, 9), 1, by("region"), spec=EVERYWHERE, prior={"web": ran})
    assert [it.values["most"] for it in made.findings] == [3]


K3 = [
    pytest.param([2, 2, 2], 7, 1, [3, 2, 2], id="all equal: any may grow"),
    pytest.param([1, 2, 2], 6, 1, [2, 2, 2], id="the fewest grows"),
    pytest.param([1, 4, 4], 10, 1, [3, 4, 3], id="skew 3 must be mended"),
    pytest.param([1, 1, 2], 5, 1, [2, 1, 2], id="one of the fewest grows"),
    pytest.param([1, 2, 3], 7, 2, [2, 2, 3], id="skew 2 holds"),
]


@pytest.mark.parametrize(("kept", "wanted", "skew", "expected"), K3)
def test_k3_growing_by_one(kept: list[int], wanted: int, skew: int, expected: list[int]) -> None:
    """The cases of KubeFleet's skew, as divisions of one more replica."""
    level = levelled(kept, [9] * len(kept), wanted)
    mended = even_shares(kept, [9] * len(kept), wanted, skew)
    assert (level if is_even(level, skew) else mended) == expected


numbers = st.lists(st.integers(0, 6), min_size=1, max_size=4)


def a_skew(of: Sequence[int], most: int, least: int = 1) -> Skew:
    return Skew("region", most, least, of, Source("policies/web.yaml", 1, 1))


def plain(caps: Sequence[int]) -> Any:
    """Fills the clusters of a domain one after the other."""

    def leaf(places: Sequence[int], wanted: int) -> dict[int, int]:
        given = {}
        for place in places:
            given[place] = min(wanted, caps[place])
            wanted -= given[place]
        return given

    return leaf


def over(caps: Sequence[int], kept: Sequence[int], skews: Sequence[Skew], wanted: int) -> list[int]:
    places = range(len(caps))
    evenly = Evenly(
        skews,
        dict(zip(places, caps, strict=True)),
        dict(zip(places, kept, strict=True)),
        plain(caps),
    )
    given = evenly.divide(list(places), wanted)
    return [given[place] for place in places]


def best(caps: Sequence[int], skew: int, wanted: int) -> int:
    """How many replicas any division within the skew places: all of them are tried."""
    ways = product(*(range(cap + 1) for cap in caps))
    return max(sum(way) for way in ways if is_even(way, skew) and sum(way) <= wanted)


@given(numbers, st.integers(1, 3), st.integers(0, 20))
def test_no_division_places_more(caps: list[int], skew: int, wanted: int) -> None:
    made = over(caps, [0] * len(caps), [a_skew(range(len(caps)), skew)], wanted)
    assert all(number <= cap for number, cap in zip(made, caps, strict=True))
    assert is_even(made, skew)
    assert sum(made) == best(caps, skew, wanted)


def greedy(caps: Sequence[int], skew: int, wanted: int) -> list[int]:
    """KubeFleet's way: one replica after the other, where there are fewest and the skew allows."""
    given = [0] * len(caps)
    for _ in range(wanted):
        ways = [
            place
            for place, cap in enumerate(caps)
            if given[place] < cap
            and is_even([n + (each == place) for each, n in enumerate(given)], skew)
        ]
        if not ways:
            break
        given[min(ways, key=lambda place: (given[place], place))] += 1
    return given


@given(numbers, st.integers(1, 3), st.integers(0, 20))
def test_never_worse_than_greedy(caps: list[int], skew: int, wanted: int) -> None:
    made = over(caps, [0] * len(caps), [a_skew(range(len(caps)), skew)], wanted)
    quick = greedy(caps, skew, wanted)
    assert sum(made) >= sum(quick)
    if sum(made) == sum(quick):
        assert sum(map(bool, made)) >= sum(map(bool, quick))


@st.composite
def nested(draw: st.DrawFn) -> tuple[list[int], list[int], list[Skew], int]:
    size = draw(st.integers(1, 5))
    caps = draw(st.lists(st.integers(0, 6), min_size=size, max_size=size))
    kept = [draw(st.integers(0, cap)) for cap in caps]
    regions = draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))
    zones = draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
    skews = [
        a_skew(regions, draw(st.integers(1, 2)), draw(st.integers(1, 2))),
        a_skew(zones, draw(st.integers(1, 2)), draw(st.integers(1, 2))),
    ]
    return caps, kept, skews, draw(st.integers(0, 20))


@given(nested())
def test_more_wanted_never_means_fewer_placed(case: tuple[Any, Any, Any, int]) -> None:
    caps, kept, skews, wanted = case
    fewer, more = (sum(over(caps, kept, skews, each)) for each in (wanted, wanted + 1))
    assert fewer <= more <= fewer + 1


@given(nested())
def test_what_is_divided_stays_as_it_is(case: tuple[Any, Any, Any, int]) -> None:
    caps, kept, skews, wanted = case
    made = over(caps, kept, skews, wanted)
    assert over(caps, made, skews, wanted) == made
    assert all(number <= cap for number, cap in zip(made, caps, strict=True))


@given(numbers, st.integers(1, 2), st.integers(0, 12))
def test_settled_takes_nothing_but_for_want(caps: list[int], skew: int, wanted: int) -> None:
    kept = [cap // 2 for cap in caps]
    made = settled_shares(kept, caps, wanted, skew)
    assert all(now >= was for now, was in zip(made, kept, strict=True)) or wanted < sum(kept)
    assert sum(made) <= wanted


def test_without_steps_left_the_first_way_counts() -> None:
    caps = {0: 9, 1: 2}
    evenly = Evenly([a_skew([0, 1], 1)], caps, {0: 0, 1: 0}, plain([9, 2]), Budget(0))
    assert evenly.divide([0, 1], 9) == {0: 3, 1: 2}


def test_narrowed_leaves_out_the_smallest_first() -> None:
    skew = a_skew([0, 0, 1, 2], 1)
    assert list(narrowed([skew], [3, 0, 1, 2], [5, 5, 3, 3])) == [[3, 0, 1, 2], [3, 0, 1], [0, 1]]
    assert list(narrowed([], [1, 0], None)) == [[1, 0]]


def test_trimmed_without_a_candidate_is_empty() -> None:
    assert trimmed([a_skew([], 1)], [], {}) == []


@given(
    st.lists(st.integers(1, 9), min_size=2, max_size=5),
    st.integers(1, 3),
    st.integers(1, 2),
    st.integers(0, 2),
    st.integers(1, 30),
)
def test_no_set_of_regions_holds_more(
    caps: list[int], skew: int, least: int, more: int, wanted: int
) -> None:
    """All sets of regions within the limits are tried; the bounded search finds one as good."""
    rooms = {f"r{number}-a-1": cap for number, cap in enumerate(caps)}
    made = ask(rooms, wanted, by("region", skew, least, least + more))
    ways = [
        sum(min(cap, min(opened) + skew) for cap in opened)
        for count in range(least, min(least + more, len(caps)) + 1)
        for opened in combinations(caps, count)
    ]
    assert sum(replicas(made).values()) == min(wanted, max(ways, default=0))


def test_a_copy_without_room_is_not_short_because_of_the_skew() -> None:
    clusters = [a_cluster("a", "r1", cpu=3), a_cluster("b", "r2", cpu=20)]
    policy = a_policy("web", spread=[{"by": "region", "max_skew": 2}])
    item = linked(a_workload("web", 9), policy)
    made = decide(clusters, item, prior={"web": {"a": 9, "b": 9}})
    (why,) = made.decisions[0].shortfall_reasons
    assert (why.code, dict(why.values)) == (reasons.CAPACITY_SHORT, {"wanted": 18, "placed": 12})


def test_room_for_all_is_even_where_numbers_are_to_be_even() -> None:
    clusters = [a_cluster(name, cpu=3) for name in ("a", "b", "c")]
    spread = [{"by": "cluster", "max_skew": 1}]
    item = linked(a_workload("web", 12), a_policy(division={"mode": "weighted"}, spread=spread))
    cures = decide(clusters, item).cures["web"]
    assert [(each.values["cluster"], each.values["to"]) for each in cures] == [
        ("a", 4000),
        ("b", 4000),
        ("c", 4000),
    ]
