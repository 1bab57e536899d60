"""Ordered alternatives and overflow: what is tried, who wins, and what is said of the others."""

from typing import Any

import pytest

from fleet.model.decision import Outcome, Schedule
from fleet.model.inventory import State
from fleet.model.source import Origin
from fleet.schedule import reasons, remedies
from tests.builders import a_cluster, a_policy, a_traffic, a_workload, linked
from tests.schedule.asking import codes, decide, only, replicas

MARKS = {
    ("spec", "tiers"): (5, 3),
    ("spec", "tiers", 0): (6, 5),
    ("spec", "tiers", 1): (9, 5),
    ("spec", "tiers", 2): (12, 5),
}
HERE = Origin("policies/web.yaml", marks=MARKS)
BY_ROOM = {"mode": "weighted"}


def tier(name: str, *clusters: str, overflow: list[list[str]] | None = None) -> dict[str, Any]:
    return {
        "name": name,
        "terms": [{"clusters": list(clusters)}],
        "overflow": [{"terms": [{"clusters": each}]} for each in overflow or []],
    }


ORDERED = [tier("first", "a"), tier("second", "b"), tier("third", "c")]


def ask(
    rooms: dict[str, int],
    wanted: int,
    *,
    tiers: list[dict[str, Any]] | None = None,
    spec: dict[str, Any] | None = None,
    **run: Any,
) -> Schedule:
    """A run over clusters with so much room each."""
    policy = a_policy(
        origin=HERE, **{"tiers": tiers or ORDERED, "division": BY_ROOM, **(spec or {})}
    )
    clusters = [a_cluster(name, cpu=room) for name, room in rooms.items()]
    return decide(clusters, linked(a_workload("web", wanted), policy), **run)


TRIED = [
    pytest.param(
        {"a": 9, "b": 9, "c": 9}, {}, "", {"a": 4}, "first", id="the first that holds all"
    ),
    pytest.param({"a": 3, "b": 9, "c": 9}, {}, "", {"b": 4}, "second", id="the next when short"),
    pytest.param({"a": 0, "b": 3, "c": 4}, {}, "", {"c": 4}, "third", id="and the next"),
    pytest.param(
        {"a": 9, "b": 9, "c": 9}, {"b": 4}, "second", {"b": 4}, "second", id="never back by itself"
    ),
    pytest.param(
        {"a": 9, "b": 0, "c": 9},
        {"b": 4},
        "second",
        {"c": 4},
        "third",
        id="forward, past the first",
    ),
    pytest.param(
        {"a": 9, "b": 9, "c": 9}, {"b": 4}, "", {"b": 4}, "second", id="no word: where it runs"
    ),
    pytest.param(
        {"a": 9, "b": 9, "c": 9}, {"a": 2, "b": 2}, "", {"a": 4}, "first", id="in no single tier"
    ),
    pytest.param(
        {"a": 9, "b": 9, "c": 9}, {"b": 4}, "gone", {"a": 4}, "first", id="a tier that is gone"
    ),
    pytest.param({"a": 9, "b": 9, "c": 9}, {}, "second", {"a": 4}, "first", id="runs nowhere"),
    pytest.param({"a": 1, "b": 3, "c": 2}, {}, "", {"b": 3}, "second", id="the least short"),
    pytest.param({"a": 2, "b": 2, "c": 2}, {}, "", {"a": 2}, "first", id="the first of equal ones"),
]


@pytest.mark.parametrize(("rooms", "ran", "said", "expected", "name"), TRIED)
def test_tiers_are_tried_in_order(
    rooms: dict[str, int], ran: dict[str, int], said: str, expected: dict[str, int], name: str
) -> None:
    made = ask(rooms, 4, prior={"web": ran} if ran or said else None, tiers_before={"web": said})
    assert replicas(made) == expected
    assert only(made).tier == name


def test_it_goes_back_when_asked() -> None:
    rooms = {"a": 9, "b": 9, "c": 9}
    back = {"return_to_better_tier": True}
    made = ask(rooms, 4, spec=back, prior={"web": {"b": 4}}, tiers_before={"web": "second"})
    assert (replicas(made), only(made).tier) == ({"a": 4}, "first")


def test_it_stays_where_it_is_while_the_better_one_is_short() -> None:
    rooms = {"a": 3, "b": 9, "c": 9}
    back = {"return_to_better_tier": True}
    made = ask(rooms, 4, spec=back, prior={"web": {"b": 4}}, tiers_before={"web": "second"})
    assert (replicas(made), only(made).tier) == ({"b": 4}, "second")


def test_fresh_starts_at_the_first() -> None:
    made = ask(
        {"a": 9, "b": 9, "c": 9},
        4,
        spec={"placement": "fresh"},
        prior={"web": {"b": 4}},
        tiers_before={"web": "second"},
    )
    assert (replicas(made), only(made).tier) == ({"a": 4}, "first")


def test_a_dead_primary_fails_over_and_a_living_one_does_not_come_back() -> None:
    rooms = {"a": 9, "b": 9, "c": 9}
    made = ask(rooms, 4, states={"a": State.DOWN}, prior={"web": {"a": 4}})
    assert replicas(made) == {"b": 4}
    after = ask(rooms, 4, prior={"web": {"b": 4}}, tiers_before={"web": only(made).tier})
    assert replicas(after) == {"b": 4}


def test_tiers_stand_on_top_of_the_required_terms() -> None:
    spec = {
        "affinity": {"required": [{"exclude_clusters": ["a"]}]},
        "tiers": [tier("first", "a", "b"), tier("second", "c")],
    }
    assert replicas(ask({"a": 9, "b": 9, "c": 9}, 4, spec=spec)) == {"b": 4}


def test_a_spread_that_fails_leads_to_the_next_tier() -> None:
    tiers = [tier("first", "a"), tier("second", "b", "c")]
    spread = {"spread": [{"by": "cluster", "min_domains": 2}]}
    made = ask({"a": 9, "b": 9, "c": 9}, 4, tiers=tiers, spec=spread)
    assert replicas(made) == {"b": 2, "c": 2}


def test_nobody_holds_it() -> None:
    made = ask({"a": 1, "b": 3, "c": 2}, 4)
    (finding,) = made.findings
    assert finding.code == reasons.TIERS_SHORT
    assert finding.values == {"workload": "web", "tier": "second", "short": 1, "tried": 3}
    assert str(finding.source) == "policies/web.yaml:5:3"
    assert only(made).shortfall == 1


def test_every_other_tier_says_why() -> None:
    made = ask({"a": 1, "b": 9, "c": 9, "d": 9}, 4)
    verdicts = only(made).verdicts
    short, why = verdicts["a"].rejections
    assert (short.code, short.values) == (
        reasons.TIER_SHORT,
        {"tier": "first", "won": "second", "missing": 3},
    )
    assert str(short.source) == "policies/web.yaml:6:5"
    assert (why.code, why.values) == (reasons.CAPACITY_SHORT, {"wanted": 4, "placed": 1})
    (later,) = verdicts["c"].rejections
    assert (later.code, later.values) == (reasons.TIER_LATER, {"tier": "third", "won": "second"})
    assert str(later.source) == "policies/web.yaml:12:5"
    (none,) = verdicts["d"].rejections
    assert (none.code, none.values) == (reasons.TIER_NONE, {"won": "second"})
    assert str(none.source) == "policies/web.yaml:5:3"
    assert verdicts["b"].outcome is Outcome.ASSIGNED


def test_a_tier_that_was_left_says_so() -> None:
    made = ask({"a": 9, "b": 9, "c": 9}, 4, prior={"web": {"b": 4}}, tiers_before={"web": "second"})
    (left,) = only(made).verdicts["a"].rejections
    assert (left.code, left.values) == (reasons.TIER_LEFT, {"tier": "first", "won": "second"})


def test_a_later_tier_that_was_tried_too_says_what_it_lacks() -> None:
    verdicts = only(ask({"a": 2, "b": 2, "c": 2}, 4)).verdicts
    assert codes(verdicts["c"]) == [reasons.TIER_SHORT, reasons.CAPACITY_SHORT]


def test_what_runs_keeps_its_room_in_a_later_tier() -> None:
    """Who chooses first finds what is set aside for a workload that runs in its second tier."""
    clusters = [a_cluster("a", cpu=1), a_cluster("b", cpu=4)]
    tiers = [tier("first", "a"), tier("second", "b")]
    web = linked(a_workload("web", 4), a_policy(tiers=tiers, division=BY_ROOM))
    api = linked(a_workload("api", 2), a_policy("api", division=BY_ROOM))
    prior = {"web": {"b": 4}}
    made = decide(clusters, web, api, prior=prior, tiers_before={"web": "second"})
    assert (replicas(made, "web"), replicas(made, "api")) == ({"b": 4}, {"a": 1})


def test_an_active_region_is_found_in_the_tier() -> None:
    clusters = [a_cluster("a", "eu", cpu=1), a_cluster("b", "us", cpu=9)]
    tiers = [tier("first", "a"), tier("second", "b")]
    policy = a_policy(tiers=tiers, division=BY_ROOM)
    item = linked(a_workload("web", 4), policy, traffic=[a_traffic(active_region="eu")])
    made = decide(clusters, item)
    assert made.active["web"].region == "us"
    assert replicas(made) == {"b": 4}


OVERFLOW = [
    pytest.param({"a": 10, "b": 10}, 5, "weighted", {}, {"a": 5}, id="V1"),
    pytest.param({"a": 2, "b": 10}, 5, "weighted", {}, {"a": 2, "b": 3}, id="V2"),
    pytest.param({"a": 2, "b": 2}, 10, "weighted", {}, {"a": 2, "b": 2}, id="V3 is short"),
    pytest.param({"a": 2, "b": 10}, 5, "aggregated", {}, {"a": 2, "b": 3}, id="V2 aggregated"),
    pytest.param(
        {"a": 10, "b": 10}, 5, "weighted", {"a": 2, "b": 3}, {"a": 2, "b": 3}, id="what runs stays"
    ),
    pytest.param(
        {"a": 10, "b": 10},
        8,
        "weighted",
        {"a": 2, "b": 3},
        {"a": 5, "b": 3},
        id="grows in the first",
    ),
    pytest.param(
        {"a": 10, "b": 10}, 3, "weighted", {"a": 2, "b": 3}, {"a": 2, "b": 1}, id="leaves the last"
    ),
    pytest.param(
        {"a": 1, "b": 1, "c": 9}, 5, "weighted", {}, {"a": 1, "b": 1, "c": 3}, id="two levels"
    ),
]


@pytest.mark.parametrize(("rooms", "wanted", "mode", "ran", "expected"), OVERFLOW)
def test_overflow_fills_when_the_rest_is_full(
    rooms: dict[str, int], wanted: int, mode: str, ran: dict[str, int], expected: dict[str, int]
) -> None:
    tiers = [tier("only", "a", overflow=[["b"], ["c", "a"]])]
    made = ask(rooms, wanted, tiers=tiers, spec={"division": {"mode": mode}}, prior={"web": ran})
    assert replicas(made) == expected
    assert only(made).shortfall == wanted - sum(expected.values())


@pytest.mark.parametrize("mode", ["weighted", "aggregated"])
def test_overflow_that_is_not_needed_says_so(mode: str) -> None:
    tiers = [tier("only", "a", overflow=[["b"]])]
    made = ask({"a": 10, "b": 10, "c": 10}, 5, tiers=tiers, spec={"division": {"mode": mode}})
    verdicts = only(made).verdicts
    assert codes(verdicts["b"]) == [reasons.OVERFLOW]
    assert verdicts["b"].rejections[0].source == HERE.at("spec", "tiers")
    assert codes(verdicts["c"]) == [reasons.TIER_NONE]


def test_fresh_leaves_overflow() -> None:
    tiers = [tier("only", "a", overflow=[["b"]])]
    prior = {"web": {"a": 2, "b": 3}}
    made = ask({"a": 10, "b": 10}, 5, tiers=tiers, spec={"placement": "fresh"}, prior=prior)
    assert replicas(made) == {"a": 5}


def test_c6_overflow_comes_after_its_own_clusters_whatever_the_points() -> None:
    tiers = [tier("only", "a", overflow=[["b"]])]
    wish = {"preferred": [{"weight": 100, "term": {"clusters": ["b"]}}]}
    spec = {"affinity": wish, "spread": [{"by": "cluster", "max_domains": 1}]}
    assert replicas(ask({"a": 10, "b": 10}, 5, tiers=tiers, spec=spec)) == {"a": 5}


def test_a_spread_reaches_into_overflow() -> None:
    tiers = [tier("only", "a", overflow=[["b"]])]
    spec = {"spread": [{"by": "cluster", "min_domains": 2}]}
    assert replicas(ask({"a": 10, "b": 10}, 5, tiers=tiers, spec=spec)) == {"a": 4, "b": 1}


def test_a_floor_that_overflow_cannot_reach_is_reached_together() -> None:
    tiers = [tier("only", "a", overflow=[["b"]])]
    spec = {"division": {"mode": "weighted", "min_replicas": 2}}
    assert replicas(ask({"a": 5, "b": 9}, 6, tiers=tiers, spec=spec)) == {"a": 2, "b": 4}


def test_a_floor_that_nobody_reaches_is_short() -> None:
    tiers = [tier("only", "a", overflow=[["b"]])]
    spec = {"division": {"mode": "weighted", "min_replicas": 4, "max_replicas": 5}}
    made = ask({"a": 5, "b": 9}, 7, tiers=tiers, spec=spec)
    assert replicas(made) == {"a": 5}
    assert only(made).shortfall == 2


def test_overflow_that_is_not_needed_is_with_more_replicas() -> None:
    tiers = [tier("only", "a", overflow=[["b"]])]
    spec = {"division": {"mode": "weighted"}}
    made = ask({"a": 10, "b": 10}, 5, tiers=tiers, spec=spec)
    assert codes(only(made).verdicts["b"]) == [reasons.OVERFLOW]
    (change,) = made.changes["web"]["b"]
    assert (change.code, change.values["to"]) == (remedies.ADD_REPLICAS, 11)
