"""Division and spread as a policy says them: the whole way from clusters to replicas."""

from typing import Any

import pytest

from fleet.model.decision import Outcome
from fleet.model.source import Origin
from fleet.schedule import reasons
from tests.builders import a_cluster, a_policy, a_workload, clusters_of, linked
from tests.schedule.asking import codes, decide, only, replicas

MARKS = {
    ("spec", "pick"): (7, 3),
    ("spec", "spread"): (8, 3),
    ("spec", "spread", 0): (9, 5),
    ("spec", "spread", 0, "minDomains"): (9, 20),
    ("spec", "spread", 0, "maxDomains"): (9, 40),
    ("spec", "division"): (10, 3),
    ("spec", "division", "weights"): (11, 5),
    ("spec", "division", "minReplicas"): (12, 5),
    ("spec", "division", "maxReplicas"): (13, 5),
}
HERE = Origin("policies/web.yaml", marks=MARKS)


def to(name: str, weight: int) -> dict[str, Any]:
    return {"replica_weight": weight, "term": {"clusters": [name]}}


def static(*rules: dict[str, Any], **bounds: int) -> dict[str, Any]:
    return {"mode": "weighted", "weights": list(rules), **bounds}


BY_ROOM = {"mode": "weighted"}
PACKED = {"mode": "aggregated"}
DIVISION = [
    pytest.param({"m1": 9, "m2": 9}, 2, {}, {"m1": 2, "m2": 2}, id="T11 duplicated is the default"),
    pytest.param(
        {"m1": 99, "m2": 99, "m3": 99},
        12,
        static(to("m1", 3), to("m2", 2), to("m3", 1)),
        {"m1": 6, "m2": 4, "m3": 2},
        id="S1 static weights",
    ),
    pytest.param(
        {"m1": 9, "m2": 9, "m3": 9},
        12,
        BY_ROOM,
        {"m1": 4, "m2": 4, "m3": 4},
        id="S2 differs: without rules fleet weighs by room, here equal",
    ),
    pytest.param(
        {"m1": 9, "m2": 9}, 0, static(to("m1", 1), to("m2", 1)), {"m1": 0, "m2": 0}, id="S4 zeros"
    ),
    pytest.param({"m1": 9, "m2": 9}, 2, static(to("m1", 1)), {"m1": 2}, id="S5 unmatched"),
    pytest.param(
        {"m1": 9, "m2": 9},
        3,
        static(to("m1", 1), to("m1", 2), to("m2", 1)),
        {"m1": 2, "m2": 1},
        id="S6 the largest rule counts",
    ),
    pytest.param(
        {"m1": 9, "m2": 9},
        3,
        static(to("m1", 0)),
        {"m1": 2, "m2": 1},
        id="no weight at all: all the same",
    ),
    pytest.param(
        {"m1": 9, "m2": 9}, 3, static(to("m1", 0), to("m2", 5)), {"m2": 3}, id="weight 0 drops it"
    ),
    pytest.param(
        {"m1": 1, "m2": 9}, 6, static(to("m1", 1), to("m2", 1)), {"m1": 1, "m2": 5}, id="S in room"
    ),
    pytest.param(
        {"m1": 99, "m2": 99},
        60,
        static(to("m1", 100), to("m2", 1)),
        {"m1": 59, "m2": 1},
        id="a tiny weight",
    ),
    pytest.param(
        {"m1": 99, "m2": 99}, 40, static(to("m1", 100), to("m2", 1)), {"m1": 40}, id="it starves"
    ),
    pytest.param(
        {"m1": 99, "m2": 99},
        40,
        static(to("m1", 100), to("m2", 1), min_replicas=2),
        {"m1": 38, "m2": 2},
        id="a minimum cures it",
    ),
    pytest.param(
        {"m1": 99, "m2": 99},
        40,
        static(to("m1", 9), to("m2", 1), max_replicas=30),
        {"m1": 30, "m2": 10},
        id="a maximum",
    ),
    pytest.param({"m1": 18, "m2": 12, "m3": 6}, 12, BY_ROOM, {"m1": 6, "m2": 4, "m3": 2}, id="D1"),
    pytest.param({"m1": 20, "m2": 12, "m3": 6}, 12, BY_ROOM, {"m1": 6, "m2": 4, "m3": 2}, id="D2"),
    pytest.param({"m1": 6, "m2": 8, "m3": 10}, 12, BY_ROOM, {"m1": 3, "m2": 4, "m3": 5}, id="D4"),
    pytest.param({"m1": 8, "m2": 8, "m3": 10}, 12, BY_ROOM, {"m1": 4, "m2": 4, "m3": 4}, id="D5"),
    pytest.param({"m1": 6, "m2": 12, "m3": 6}, 12, PACKED, {"m2": 12}, id="A1"),
    pytest.param({"m1": 6, "m2": 6, "m3": 6}, 12, PACKED, {"m1": 6, "m2": 6}, id="A2"),
    pytest.param({"m1": 12, "m2": 8, "m3": 10}, 12, PACKED, {"m1": 12}, id="A4"),
]


@pytest.mark.parametrize(("rooms", "wanted", "division", "expected"), DIVISION)
def test_division(
    rooms: dict[str, int], wanted: int, division: dict[str, Any], expected: dict[str, int]
) -> None:
    clusters = [a_cluster(name, cpu=room) for name, room in rooms.items()]
    made = decide(clusters, linked(a_workload("web", wanted), a_policy("web", division=division)))
    assert replicas(made) == expected
    assert only(made).shortfall == 0


STEADY = [
    pytest.param({"m1": 3, "m2": 5, "m3": 7}, [2, 4, 6], 6, BY_ROOM, [1, 2, 3], id="T1"),
    pytest.param({"m1": 12, "m2": 14, "m3": 16}, [2, 4, 6], 24, BY_ROOM, [6, 8, 10], id="T2"),
    pytest.param({"m1": 5, "m2": 9}, [4, 8], 6, PACKED, [0, 6], id="T4"),
    pytest.param({"m1": 8, "m2": 14, "m3": 8}, [4, 8, 0], 24, PACKED, [7, 12, 5], id="T6"),
    pytest.param({"m1": 9, "m2": 99}, [5, 0], 5, BY_ROOM, [5, 0], id="the same number stays"),
    pytest.param({"m1": 9, "m2": 99}, [5, 0], 5, PACKED, [5, 0], id="packed stays where it is"),
    pytest.param(
        {"m1": 9, "m2": 9},
        [5, 0],
        4,
        static(to("m1", 1), to("m2", 1)),
        [2, 2],
        id="S has no memory",
    ),
]


@pytest.mark.parametrize(("rooms", "before", "wanted", "division", "expected"), STEADY)
def test_steady(
    rooms: dict[str, int],
    before: list[int],
    wanted: int,
    division: dict[str, Any],
    expected: list[int],
) -> None:
    clusters = [a_cluster(name, cpu=room) for name, room in rooms.items()]
    prior = {name: count for name, count in zip(rooms, before, strict=True) if count}
    item = linked(a_workload("web", wanted), a_policy("web", division=division))
    made = decide(clusters, item, prior={"web": prior})
    placed = replicas(made)
    assert [placed.get(name, 0) for name in rooms] == expected


@pytest.mark.parametrize("before", [[2, 4, 6], [4, 8, 0]])
def test_short_of_room_places_what_fits_t3_t8(before: list[int]) -> None:
    """Karmada fails here and changes nothing; fleet places what fits and says what is short."""
    names = ["m1", "m2", "m3"]
    clusters = [a_cluster(name, cpu=old + 1) for name, old in zip(names, before, strict=True)]
    for division in (BY_ROOM, PACKED):
        item = linked(a_workload("web", 24), a_policy("web", division=division))
        made = decide(clusters, item, prior={"web": dict(zip(names, before, strict=True))})
        assert list(replicas(made).values()) == [old + 1 for old in before]
        assert only(made).shortfall == 24 - sum(before) - 3
        (why,) = only(made).shortfall_reasons
        assert dict(why.values) == {"wanted": 24, "placed": sum(before) + 3}


def test_fresh_starts_over() -> None:
    clusters = [a_cluster("m1", cpu=9), a_cluster("m2", cpu=9)]
    policy = a_policy("web", division=BY_ROOM, placement="fresh")
    made = decide(clusters, linked(a_workload("web", 6), policy), prior={"web": {"m1": 6}})
    assert replicas(made) == {"m1": 3, "m2": 3}


def test_a_renamed_workload_stays_where_it_was() -> None:
    workload = a_workload("web", 6)
    settings = workload.settings.model_copy(update={"renamed_from": ("shop", "frontend")})
    clusters = [a_cluster("m1", cpu=9), a_cluster("m2", cpu=9)]
    renamed = linked(a_workload("web", 6, settings=settings), a_policy("web", division=BY_ROOM))
    made = decide(clusters, renamed, prior={"frontend": {"m2": 6}})
    assert replicas(made) == {"m2": 6}


def test_a_cluster_that_left_the_inventory_is_forgotten() -> None:
    item = linked(a_workload("web", 6), a_policy("web", division=BY_ROOM))
    made = decide([a_cluster("m1")], item, prior={"web": {"gone": 6}})
    assert replicas(made) == {"m1": 6}


def test_one_per_cluster_whatever_the_mode() -> None:
    workload = a_workload("agent", 1, per_cluster=True)
    for division in ({}, BY_ROOM, PACKED, static(to("m1", 1), min_replicas=3)):
        made = decide(
            [a_cluster("m1"), a_cluster("m2", cpu=0)],
            linked(workload, a_policy("agent", division=division)),
        )
        assert replicas(made, "agent") == {"m1": 1}
        assert codes(only(made).verdicts["m2"])[0] == reasons.CAPACITY


FIVE = {"eu": ["eu-1", "eu-2"], "us": ["us-1", "us-2"], "ap": ["ap-1"]}
SPREAD = [
    pytest.param({"pick": 2}, ["ap-1", "eu-1"], id="two of five"),
    pytest.param({"pick": 5}, ["ap-1", "eu-1", "eu-2", "us-1", "us-2"], id="five of five"),
    pytest.param({"pick": 6}, [], id="six of five"),
    pytest.param(
        {"spread": [{"by": "region", "min_domains": 3, "max_domains": 3}], "pick": 3},
        ["ap-1", "eu-1", "us-1"],
        id="one per region in three regions",
    ),
    pytest.param(
        {"spread": [{"by": "region", "max_domains": 1}]}, ["ap-1"], id="the best region only"
    ),
    pytest.param(
        {"spread": [{"by": "region", "max_domains": 2}]}, ["ap-1", "eu-1", "eu-2"], id="two regions"
    ),
    pytest.param({"spread": [{"by": "region", "min_domains": 4}]}, [], id="four regions of three"),
    pytest.param(
        {"spread": [{"by": "cluster", "min_domains": 2, "max_domains": 3}]},
        ["ap-1", "eu-1", "eu-2"],
        id="up to three clusters",
    ),
    pytest.param(
        {
            "spread": [
                {"by": "region", "min_domains": 2},
                {"by": "cluster", "min_domains": 2, "max_domains": 2},
            ]
        },
        ["ap-1", "eu-1"],
        id="two clusters in two regions",
    ),
]


@pytest.mark.parametrize(("policy", "expected"), SPREAD)
def test_spread(policy: dict[str, Any], expected: list[str]) -> None:
    made = decide(clusters_of(FIVE), linked(a_workload("web", 1), a_policy("web", **policy)))
    assert list(replicas(made)) == expected
    assert only(made).shortfall == (0 if expected else 1)


def test_spread_takes_the_region_that_has_room() -> None:
    clusters = [
        *clusters_of({"eu": ["eu-1"]}, cpu=4),
        *clusters_of({"us": ["us-1", "us-2"]}, cpu=3),
    ]
    policy = a_policy("web", division=BY_ROOM, spread=[{"by": "region", "max_domains": 1}])
    assert replicas(decide(clusters, linked(a_workload("web", 4), policy))) == {"eu-1": 4}
    assert replicas(decide(clusters, linked(a_workload("web", 6), policy))) == {
        "us-1": 3,
        "us-2": 3,
    }


def test_spread_asks_for_a_replica_in_every_domain_that_it_needs() -> None:
    """Karmada's division knows nothing of the spread: it gives all three to the large cluster."""
    clusters = [
        *clusters_of({"eu": ["eu-1"]}, cpu=900),
        *clusters_of({"us": ["us-1"], "ap": ["ap-1"]}, cpu=9),
    ]
    spread = [{"by": "region", "min_domains": 3}]
    for division in (BY_ROOM, PACKED, static(to("eu-1", 900), to("us-1", 1), to("ap-1", 1))):
        policy = a_policy("web", division=division, spread=spread)
        made = decide(clusters, linked(a_workload("web", 3), policy))
        assert replicas(made) == {"ap-1": 1, "eu-1": 1, "us-1": 1}
        picked = a_policy("web", division=division, pick=3)
        assert replicas(decide(clusters, linked(a_workload("web", 4), picked))) == {
            "ap-1": 1,
            "eu-1": 2,
            "us-1": 1,
        }


def test_spread_of_fewer_replicas_than_domains() -> None:
    policy = a_policy("web", division=BY_ROOM, spread=[{"by": "region", "min_domains": 3}])
    made = decide(clusters_of(FIVE), linked(a_workload("web", 2), policy))
    assert sum(replicas(made).values()) == 2
    assert len({name[:2] for name in replicas(made)}) == 2


def test_a_lost_region_takes_nothing_from_the_others() -> None:
    """A least is a demand on new placements; guarded here because the opposite deletes."""
    clusters = clusters_of({"eu": ["eu-1"], "us": ["us-1"]})
    policy = a_policy(
        "web", division=BY_ROOM, spread=[{"by": "region", "min_domains": 3}], origin=HERE
    )
    item = linked(a_workload("web", 6), policy)
    made = decide(clusters, item, prior={"web": {"eu-1": 2, "us-1": 2, "ap-1": 2}})
    assert replicas(made) == {"eu-1": 3, "us-1": 3}
    (finding,) = made.findings
    assert finding.code == reasons.SPREAD_RELAXED
    assert dict(finding.values) == {"workload": "web", "by": "region", "found": 2, "wanted": 3}
    assert str(finding.source) == "policies/web.yaml:9:20"
    fresh = only(decide(clusters, item))
    assert (fresh.assignments, fresh.shortfall) == ((), 6)
    (why,) = fresh.shortfall_reasons
    assert dict(why.values) == {"by": "region", "found": 2, "wanted": 3}
    assert codes(fresh.verdicts["eu-1"]) == [reasons.DOMAINS_SHORT]
    assert fresh.verdicts["eu-1"].outcome is Outcome.FEASIBLE


def test_a_spread_that_contradicts_itself() -> None:
    policy = a_policy("web", spread=[{"by": "zone", "max_domains": 1}], origin=HERE)
    clusters = [a_cluster("eu-1", zones=["a", "b"])]
    refused = only(decide(clusters, linked(a_workload("web", 2), policy)))
    (why,) = refused.shortfall_reasons
    assert (why.code, str(why.source)) == (reasons.SPREAD_CONFLICT, "policies/web.yaml:8:3")


def test_a_conflict_is_told_for_what_runs() -> None:
    spread = [{"by": "region", "min_domains": 2}, {"by": "provider", "max_domains": 1}]
    clusters = [a_cluster("a", "r1", provider="p"), a_cluster("b", "r2", provider="q")]
    policy = a_policy("web", spread=spread, origin=HERE)
    made = decide(clusters, linked(a_workload("web", 2), policy), prior={"web": {"a": 2}})
    assert replicas(made) == {"a": 2}
    assert [(each.code, dict(each.values)) for each in made.findings] == [
        (reasons.SPREAD_CONFLICT, {"workload": "web"})
    ]


WHY = [
    pytest.param(
        {"pick": 2},
        reasons.DOMAIN_LIMIT,
        {"by": "cluster", "limit": 2},
        "7:3",
        id="not picked",
    ),
    pytest.param(
        {"spread": [{"by": "region", "max_domains": 2}]},
        reasons.DOMAIN_LIMIT,
        {"by": "region", "limit": 2},
        "9:40",
        id="too many regions",
    ),
    pytest.param(
        {"spread": [{"by": "cluster", "max_domains": 1}]},
        reasons.DOMAIN_LIMIT,
        {"by": "cluster", "limit": 1},
        "9:40",
        id="too many clusters",
    ),
    pytest.param(
        {"division": static(to("eu-1", 1))}, reasons.WEIGHT_ZERO, {}, "11:5", id="no weight"
    ),
    pytest.param({"division": PACKED}, reasons.NOT_NEEDED, {}, "10:3", id="not needed"),
    pytest.param(
        {"division": static(to("eu-1", 99), to("us-1", 1))},
        reasons.NO_SHARE,
        {"replicas": 3},
        "10:3",
        id="no share",
    ),
]


@pytest.mark.parametrize(("policy", "code", "values", "line"), WHY)
def test_why_a_feasible_cluster_has_nothing(
    policy: dict[str, Any], code: str, values: dict[str, Any], line: str
) -> None:
    item = linked(a_workload("web", 3), a_policy("web", origin=HERE, **policy))
    verdict = only(decide(clusters_of(FIVE), item)).verdicts["us-1"]
    assert verdict.outcome is Outcome.FEASIBLE
    (why,) = verdict.rejections
    assert (why.code, dict(why.values)) == (code, values)
    assert str(why.source) == f"policies/web.yaml:{line}"


BOUNDS = [
    pytest.param(
        {"mode": "weighted", "min_replicas": 4},
        3,
        3,
        ("below-minimum", {"minimum": 4, "replicas": 3}, "policies/web.yaml:12:5"),
        id="too few",
    ),
    pytest.param(
        {"mode": "weighted", "max_replicas": 2},
        9,
        5,
        ("capacity-short", {"wanted": 9, "placed": 4}, "policies/web.yaml:13:5"),
        id="too many",
    ),
    pytest.param(
        {"min_replicas": 4},
        3,
        3,
        ("below-minimum", {"minimum": 4, "replicas": 3}, "policies/web.yaml:12:5"),
        id="duplicated, too few",
    ),
    pytest.param(
        {"max_replicas": 2},
        3,
        2,
        ("above-maximum", {"maximum": 2, "replicas": 3}, "policies/web.yaml:13:5"),
        id="duplicated, too many",
    ),
    pytest.param(
        {"mode": "weighted"},
        29,
        9,
        ("capacity-short", {"wanted": 29, "placed": 20}, "workloads/web/deployment.yaml:1:1"),
        id="no room",
    ),
    pytest.param(
        {"mode": "weighted", "min_replicas": 11},
        12,
        12,
        ("no-cluster", {}, "policies/web.yaml:1:1"),
        id="no room for a minimum",
    ),
]


@pytest.mark.parametrize(("division", "wanted", "short", "why"), BOUNDS)
def test_shortfall(
    division: dict[str, Any], wanted: int, short: int, why: tuple[str, dict[str, Any], str]
) -> None:
    clusters = [a_cluster("m1", cpu=10), a_cluster("m2", cpu=10)]
    item = linked(a_workload("web", wanted), a_policy("web", division=division, origin=HERE))
    decision = only(decide(clusters, item))
    assert decision.shortfall == short
    (found,) = decision.shortfall_reasons
    assert (found.code, dict(found.values), str(found.source)) == why


def test_no_cluster_at_all_is_told_without_replicas_too() -> None:
    decision = only(
        decide(
            [a_cluster("m1")],
            linked(a_workload("web", 0), a_policy("web", residency={"regions": ["x"]})),
        )
    )
    assert (decision.assignments, decision.shortfall) == ((), 0)
    assert [each.code for each in decision.shortfall_reasons] == [reasons.NO_CLUSTER]


def test_too_few_replicas_for_all_domains_are_told() -> None:
    clusters = clusters_of({"eu": ["a"], "us": ["b"], "ap": ["c"]}, cpu=9)
    spread = [{"by": "region", "min_domains": 3}, {"by": "cluster", "min_domains": 2}]
    policy = a_policy(division=BY_ROOM, spread=spread, origin=HERE)
    (finding,) = decide(clusters, linked(a_workload("web", 2), policy)).findings
    values = {"workload": "web", "by": "region", "found": 2, "wanted": 3}
    assert (finding.code, finding.values) == (reasons.SPREAD_THIN, values)
    assert str(finding.source) == "policies/web.yaml:9:20"
    assert not decide(clusters, linked(a_workload("web", 3), policy)).findings
