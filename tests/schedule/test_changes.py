"""What flips a verdict, written into the files and decided again."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from fleet.explain.rejection_words import REJECTIONS
from fleet.model.base import FrozenMap
from fleet.model.change import Change, Edit
from fleet.model.decision import Outcome, Schedule
from fleet.model.inventory import State
from fleet.model.policy import Residency
from fleet.model.prior import Prior
from fleet.model.snapshot import ClusterState, Snapshot
from fleet.schedule import changes as module
from fleet.schedule import rehearsal, remedies, schedule
from fleet.schedule.alone import alone
from fleet.schedule.amend import amended
from fleet.schedule.columns import Mask
from fleet.schedule.plugin import Filter
from fleet.schedule.profile import FILTERS, SCORERS, Profile
from fleet.schedule.proposals import PROPOSERS
from fleet.schedule.request import Request
from tests.builders import (
    a_cluster,
    a_policy,
    a_snapshot,
    a_traffic,
    a_workload,
    linked,
    settings,
)
from tests.schedule.applying import applied
from tests.schedule.asking import decide
from tests.schedule.fleets import REGIONS, by_name, fleets, is_lacking, priors
from tests.schedule.flipping import PLACED, check, is_better, told, web

SOME = hypothesis_settings(max_examples=40)
FEW = hypothesis_settings(max_examples=12)


@st.composite
def situations(draw: st.DrawFn) -> tuple[Snapshot, Prior]:
    """Any fleet, with what fleets() leaves out: residency, pick, and states by the config."""
    snapshot = draw(fleets())
    items = []
    for item in snapshot.linked:
        spec = item.placement.spec
        if draw(st.integers(0, 3)) == 0:
            regions = draw(st.sampled_from([("eu",), ("u*",)]))
            spec = spec.model_copy(update={"residency": Residency(regions=regions)})
        if draw(st.integers(0, 3)) == 0 and all(each.by != "cluster" for each in spec.spread):
            spec = spec.model_copy(update={"pick": draw(st.integers(1, 4))})
        policy = item.placement.model_copy(update={"spec": spec})
        items.append(replace(item, placement=policy))
    states = dict(snapshot.states)
    for name in states:
        if draw(st.integers(0, 9)) == 0:
            states[name] = ClusterState(State.DRAINING, "config fleet:drain")
    made = replace(snapshot, linked=tuple(items), states=FrozenMap(states))
    return made, draw(priors(made))


@st.composite
def roomy(draw: st.DrawFn) -> tuple[Snapshot, Prior]:
    """Fleets where nothing bars a cluster, so that the limits and the division decide."""
    clusters = [
        a_cluster(f"c{number}", draw(st.sampled_from(REGIONS)), cpu=draw(st.integers(1, 30)))
        for number in range(draw(st.integers(2, 6)))
    ]
    items = []
    for name in ("w0", "w1"):
        mode = draw(st.sampled_from(["duplicated", "weighted", "weighted", "aggregated"]))
        division: dict[str, object] = {"mode": mode}
        if mode == "weighted" and draw(st.booleans()):
            rules = st.tuples(st.sampled_from(["c0", "c1", "c2"]), st.integers(0, 30))
            division["weights"] = [
                {"replica_weight": weight, "term": {"clusters": [cluster]}}
                for cluster, weight in draw(st.lists(rules, min_size=1, max_size=3))
            ]
        division["min_replicas"] = draw(st.sampled_from([0, 0, 0, 2, 4]))
        spread = []
        if draw(st.booleans()):
            least = draw(st.integers(1, 3))
            most = draw(st.none() | st.integers(least, 3))
            spread.append({"by": "region", "min_domains": least, "max_domains": most})
        pick = draw(st.none() | st.integers(1, 4))
        policy = a_policy(name, division=division, spread=spread, pick=pick)
        autoscaled = draw(st.sampled_from([None, None, None, (2, 4)]))
        workload = a_workload(name, draw(st.integers(0, 9)), autoscaled=autoscaled)
        traffic = [a_traffic(name)] if draw(st.integers(0, 3)) == 0 else []
        items.append(linked(workload, policy, traffic=traffic))
    snapshot = a_snapshot(clusters, items)
    return snapshot, draw(priors(snapshot))


@SOME
@given(situations() | roomy())
def test_every_change_flips_its_verdict(situation: tuple[Snapshot, Prior]) -> None:
    made = schedule(*situation, settings())
    assert list(made.changes) == [each.workload for each in made.decisions]
    assert len(made.changes) == len(made.decisions)
    for decision in made.decisions:
        assert list(made.changes[decision.workload]) == list(decision.verdicts)
        assert len(made.changes[decision.workload]) == len(decision.verdicts)
        check(*situation, made, decision.workload)


@FEW
@given(situations() | roomy())
def test_none_of_the_changes_is_there_for_nothing(situation: tuple[Snapshot, Prior]) -> None:
    snapshot, prior = situation
    made = schedule(snapshot, prior, settings())
    for decision in made.decisions:
        for name, verdict in decision.verdicts.items():
            changes = made.changes[decision.workload][name]
            for each in changes:
                others = [other for other in changes if other is not each]
                again = schedule(applied(snapshot, others), prior, settings())
                after = by_name(again)[decision.workload].verdicts[name]
                assert not is_better(verdict, after), (each, others)


@FEW
@given(situations() | roomy())
def test_in_a_larger_fleet_what_a_workload_finds_alone_is_confirmed(
    situation: tuple[Snapshot, Prior],
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "WHOLE", 0)
        made = schedule(*situation, settings())
        for decision in made.decisions:
            check(*situation, made, decision.workload)


@FEW
@given(situations() | roomy())
def test_in_a_very_large_fleet_all_other_workloads_stay(situation: tuple[Snapshot, Prior]) -> None:
    snapshot, prior = situation
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "WHOLE", 0)
        patch.setattr(module, "CONFIRMED", 0)
        made = schedule(snapshot, prior, settings())
        for decision in made.decisions:
            by_itself = alone(snapshot, decision)
            changes = made.changes[decision.workload]
            (same,) = schedule(by_itself, prior, settings()).decisions
            assert same.assignments == decision.assignments
            for name, verdict in decision.verdicts.items():
                assert same.verdicts[name] == verdict
                if verdict.outcome not in PLACED:
                    again = schedule(applied(by_itself, changes[name]), prior, settings())
                    assert is_better(verdict, again.decisions[0].verdicts[name])


def places(changes: Sequence[Change]) -> list[str]:
    return [str(each.source) for each in changes]


EU, US = a_cluster("eu-1", "eu-west-1", cpu=10), a_cluster("us-1", "us-east-1", cpu=10)


def test_a_cluster_that_the_inventory_declares_down() -> None:
    down = a_cluster("eu-1", state=State.DOWN)
    assert told(decide([down, US], web()), "eu-1") == [
        (remedies.DECLARE_ACTIVE, {"cluster": "eu-1", "was": "down"})
    ]


def test_a_cluster_that_only_the_config_declares_down() -> None:
    made = decide([EU, US], web(), states={"eu-1": State.DOWN})
    assert told(made, "eu-1") == [(remedies.LEAVE_CONFIG, {"cluster": "eu-1", "key": "down"})]


def test_a_cluster_that_the_config_declares_down_too() -> None:
    drained = a_cluster("eu-1", state=State.DRAINING)
    made = decide([drained, US], web(), states={"eu-1": State.DOWN})
    assert told(made, "eu-1") == [
        (remedies.LEAVE_CONFIG, {"cluster": "eu-1", "key": "down"}),
        (remedies.DECLARE_ACTIVE, {"cluster": "eu-1", "was": "draining"}),
    ]


def test_a_region_outside_of_the_residency() -> None:
    made = decide([EU, US], web(residency={"regions": ["eu-*"]}))
    assert told(made, "us-1") == [(remedies.ALLOW_REGION, {"region": "us-east-1"})]


LABELS = [
    pytest.param({"match_labels": {"tier": "gold"}}, {"key": "tier", "value": "gold"}, id="equal"),
    pytest.param(
        {"match_expressions": [{"key": "tier", "operator": "In", "values": ["a", "b"]}]},
        {"key": "tier", "value": "a"},
        id="one of several",
    ),
    pytest.param(
        {"match_expressions": [{"key": "tier", "operator": "Exists"}]},
        {"key": "tier"},
        id="any value",
    ),
    pytest.param(
        {
            "match_expressions": [
                {"key": "tier", "operator": "Exists"},
                {"key": "tier", "operator": "In", "values": ["a"]},
            ]
        },
        {"key": "tier", "value": "a"},
        id="any value, and one of several",
    ),
    pytest.param({"match_labels": {"tier": ""}}, {"key": "tier", "value": ""}, id="no value"),
]


@pytest.mark.parametrize(("term", "values"), LABELS)
def test_a_label_is_missing(term: dict[str, object], values: dict[str, str]) -> None:
    made = decide([EU], web(affinity={"required": [term]}))
    assert told(made, "eu-1") == [(remedies.ADD_LABEL, {"cluster": "eu-1", **values})]


TERMS = [
    pytest.param({"match_labels": {"tier": "gold"}}, id="the label says something else"),
    pytest.param({"match_labels": {"a": "1", "b": "2"}}, id="two labels are missing"),
    pytest.param(
        {"match_expressions": [{"key": "tier", "operator": "DoesNotExist"}]}, id="a label too many"
    ),
]


@pytest.mark.parametrize("term", TERMS)
def test_a_term_has_to_name_the_cluster(term: dict[str, object]) -> None:
    iron = a_cluster("eu-1", labels={"tier": "iron"})
    made = decide([iron], web(affinity={"required": [term]}))
    assert told(made, "eu-1") == [(remedies.ADD_TERM, {"cluster": "eu-1"})]


CORES, COST = "free.cpu", "cost"
COMPARED = [
    pytest.param([(CORES, "Ge", 5)], [(CORES, "Ge", 5_000_000, 3_000_000)], id="a least"),
    pytest.param([(CORES, "Gt", 3)], [(CORES, "Ge", 3_000_000, 3_000_000)], id="more than it has"),
    pytest.param([(COST, "Lt", "0.5")], [(COST, "Le", 500_000, 700_000)], id="less than it has"),
    pytest.param(
        [(CORES, "Le", 2), ("allocatable.cpu", "Ge", 1), (COST, "Le", "0.1")],
        [(CORES, "Le", 2_000_000, 3_000_000), (COST, "Le", 100_000, 700_000)],
        id="each that fails",
    ),
    pytest.param([(CORES, "Eq", 5)], None, id="exactly so much is meant so"),
    pytest.param([(COST, "Ne", "0.7")], None, id="anything but that is meant so"),
    pytest.param([("free.gpu", "Ge", 1)], None, id="an amount that it does not say"),
    pytest.param([(CORES, "Ge", 5), ("free.gpu", "Ge", 1)], None, id="one of which it does not"),
]


@pytest.mark.parametrize(("rules", "expected"), COMPARED)
def test_what_is_compared_becomes_what_it_has(
    rules: list[tuple[str, str, object]], expected: list[tuple[str, str, int, int]] | None
) -> None:
    said = [dict(zip(("property", "operator", "value"), rule, strict=True)) for rule in rules]
    small = a_cluster("eu-1", cpu=3, properties={"cost": "0.7"})
    item = web(affinity={"required": [{"match_properties": said}]})
    made = decide([small], item)
    keys = ("property", "operator", "was", "to")
    found = [(remedies.COMPARE, dict(zip(keys, each, strict=True))) for each in expected or ()]
    assert told(made, "eu-1") == (found or [(remedies.ADD_TERM, {"cluster": "eu-1"})])


def test_every_taint_is_to_be_tolerated() -> None:
    tainted = a_cluster("eu-1", taints=["maintenance=true:NoSchedule", "gpu:NoExecute"])
    made = decide([tainted, US], web())
    assert told(made, "eu-1") == [
        (remedies.TOLERATE, {"key": "maintenance", "value": "true", "effect": "NoSchedule"}),
        (remedies.TOLERATE, {"key": "gpu", "value": "", "effect": "NoExecute"}),
    ]


def test_what_is_short_is_added_to_what_is_listed() -> None:
    small = a_cluster("eu-1", cpu=3, allocatable={"memory": 1}, reserved={"cpu": 5})
    made = decide([small, US], web(2, request={"cpu": 2, "memory": 1}))
    assert told(made, "eu-1") == [
        (
            remedies.ADD_CAPACITY,
            {"cluster": "eu-1", "resource": "cpu", "was": 3000, "to": 9000},
        ),
        (remedies.ADD_CAPACITY, {"cluster": "eu-1", "resource": "memory", "was": 1, "to": 2}),
    ]


def test_as_much_is_added_as_others_take_first() -> None:
    first = linked(a_workload("first", 6), a_policy("first", division={"mode": "weighted"}))
    small = a_cluster("eu-1", cpu=2)
    made = decide([small], first, web())
    assert told(made, "eu-1") == [
        (remedies.ADD_CAPACITY, {"cluster": "eu-1", "resource": "cpu", "was": 2000, "to": 7000})
    ]


def test_a_larger_fleet_asks_all_others_where_alone_is_not_enough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = linked(a_workload("first", 6), a_policy("first", division={"mode": "weighted"}))
    made = decide([a_cluster("eu-1", cpu=2)], first, web())
    monkeypatch.setattr(module, "WHOLE", 0)
    monkeypatch.setattr(rehearsal, "REMEMBERED", 1)
    expected = {"cluster": "eu-1", "resource": "cpu", "was": 2000}
    assert told(made, "eu-1") == [(remedies.ADD_CAPACITY, {**expected, "to": 7000})]
    monkeypatch.setattr(module, "CONFIRMED", 0)
    assert told(made, "eu-1") == [(remedies.ADD_CAPACITY, {**expected, "to": 3000})]


@pytest.mark.parametrize("by", ["zone", "provider"])
def test_a_cluster_without_a_domain(by: str) -> None:
    made = decide([EU], web(spread=[{"by": by}]))
    assert told(made, "eu-1") == [
        (remedies.ADD_DOMAIN, {"cluster": "eu-1", "by": by, "value": "eu-1"})
    ]


def test_a_cluster_without_the_label_to_spread_by() -> None:
    made = decide([EU], web(spread=[{"by": "labels.rack"}]))
    assert told(made, "eu-1") == [
        (remedies.ADD_DOMAIN, {"cluster": "eu-1", "by": "labels.rack", "value": "eu-1"})
    ]


THREE = [
    a_cluster(name, region, cpu=cpu)
    for name, region, cpu in [("a", "r1", 30), ("b", "r2", 20), ("c", "r3", 10)]
]


def test_the_limit_is_raised_as_far_as_it_has_to_be() -> None:
    made = decide(THREE, web(3, division={"mode": "weighted"}, pick=1))
    assert told(made, "b") == [(remedies.RAISE, {"field": "spec.pick", "was": 1, "to": 2})]
    assert told(made, "c") == [(remedies.RAISE, {"field": "spec.pick", "was": 1, "to": 3})]


def test_a_limit_of_domains_is_raised() -> None:
    limit = {"by": "region", "max_domains": 2}
    other = {"by": "cluster", "max_domains": 3}
    made = decide(THREE, web(9, division={"mode": "weighted"}, spread=[other, limit]))
    assert told(made, "c") == [
        (remedies.RAISE, {"field": "spec.spread[1].maxDomains", "was": 2, "to": 3})
    ]


WEIGHTS = {
    "mode": "weighted",
    "weights": [{"replica_weight": 7, "term": {"clusters": ["a"]}}],
}


def test_a_weight_that_brings_a_replica() -> None:
    made = decide(THREE, web(3, division=WEIGHTS))
    assert told(made, "c") == [(remedies.ADD_WEIGHT, {"cluster": "c", "weight": 2})]


def test_a_weight_and_a_replica() -> None:
    made = decide(THREE[:2], web(0, division=WEIGHTS))
    assert told(made, "b") == [(remedies.ADD_WEIGHT, {"cluster": "b", "weight": 1})]


def test_a_weight_that_wins_the_only_replica() -> None:
    rules = [
        {"replica_weight": weight, "term": {"clusters": [name]}}
        for name, weight in [("a", 7), ("b", 1)]
    ]
    made = decide(THREE[:2], web(1, division={"mode": "weighted", "weights": rules}))
    assert told(made, "b") == [(remedies.ADD_WEIGHT, {"cluster": "b", "weight": 8})]


def test_one_per_node_has_no_replicas_to_ask_for() -> None:
    made = decide(THREE, linked(a_workload("web", 1, per_cluster=True), a_policy(division=WEIGHTS)))
    assert told(made, "c") == [(remedies.ADD_WEIGHT, {"cluster": "c", "weight": 1})]


def test_one_replica_more() -> None:
    made = decide(THREE, web(2, division={"mode": "weighted"}), linked(a_workload("zoo")))
    assert told(made, "c") == [(remedies.ADD_REPLICAS, {"was": 2, "to": 3})]


def test_an_autoscaler_runs_more_at_least() -> None:
    workload = a_workload("web", autoscaled=(2, 2))
    made = decide(THREE, linked(workload, a_policy("web", division={"mode": "weighted"})))
    (change,) = made.changes["web"]["c"]
    assert change.values == {"was": 2, "to": 3}
    assert [each.path for each in change.edits] == [
        ("autoscaled", "minimum"),
        ("autoscaled", "maximum"),
    ]


def test_an_autoscaler_s_maximum_stays_where_it_is_enough() -> None:
    workload = a_workload("web", autoscaled=(2, 5))
    made = decide(THREE, linked(workload, a_policy("web", division={"mode": "weighted"})))
    (change,) = made.changes["web"]["c"]
    assert [each.path for each in change.edits] == [("autoscaled", "minimum")]


def test_where_it_runs_there_is_nothing_to_change() -> None:
    made = decide([EU, US], web())
    assert {name: list(each.items()) for name, each in made.changes.items()} == {
        "web": [("eu-1", ()), ("us-1", ())]
    }
    assert dict(made.cures) == {"web": ()}
    assert [len(made.changes), len(made.changes["web"]), len(made.cures)] == [1, 2, 1]


def test_a_number_that_is_changed_twice_counts_once() -> None:
    spread = [{"by": "region", "min_domains": 3}]
    division = {"mode": "weighted", "min_replicas": 2}
    clusters = [a_cluster("a", "r1"), a_cluster("b", "r2")]
    made = decide(clusters, web(2, spread=spread, pick=1, division=division))
    assert told(made, "a") == [
        (remedies.LOWER, {"field": "spec.spread[0].minDomains", "was": 3, "to": 1})
    ]


def test_as_many_replicas_as_fill_what_is_preferred() -> None:
    made = decide(THREE, web(2, division={"mode": "aggregated"}))
    assert told(made, "b") == [(remedies.ADD_REPLICAS, {"was": 2, "to": 31})]


def test_a_preferred_cluster_that_nothing_fills() -> None:
    endless = a_cluster("a", "r1", cpu=None)
    made = decide([endless, *THREE[1:]], web(9, division={"mode": "aggregated"}))
    assert told(made, "b") == [(remedies.DIVIDE, {"was": "aggregated", "to": "weighted"})]


def test_fewer_domains_than_the_policy_asks_for() -> None:
    least = {"by": "region", "min_domains": 2}
    made = decide([EU], web(2, spread=[least]))
    assert told(made, "eu-1") == [
        (remedies.LOWER, {"field": "spec.spread[0].minDomains", "was": 2, "to": 1})
    ]


def test_fewer_clusters_than_are_to_be_picked() -> None:
    made = decide([EU], web(2, pick=2))
    assert told(made, "eu-1") == [(remedies.LOWER, {"field": "spec.pick", "was": 2, "to": 1})]


def test_constraints_that_contradict_each_other() -> None:
    one = [a_cluster(f"c{number}", f"r{number}", provider="p") for number in range(2)]
    spread = [
        {"by": "region", "max_domains": 1},
        {"by": "cluster", "min_domains": 2},
    ]
    made = decide(one, web(2, spread=spread))
    assert told(made, "c0") == [
        (remedies.LOWER, {"field": "spec.spread[1].minDomains", "was": 2, "to": 1})
    ]


def test_replicas_that_do_not_reach_the_least_of_a_cluster() -> None:
    made = decide([EU], web(2, division={"mode": "weighted", "min_replicas": 3}))
    assert told(made, "eu-1") == [
        (remedies.LOWER, {"field": "spec.division.minReplicas", "was": 3, "to": 2})
    ]


def test_a_change_that_the_run_would_refuse_is_none() -> None:
    """Requiring us-2 alone would leave nobody in the region that the config makes active."""
    policy = a_policy("web", division={"mode": "aggregated"}, pick=2)
    item = linked(a_workload("web", 1), policy, traffic=[a_traffic("web")])
    endless = [a_cluster(name, name, cpu=None) for name in ("eu", "us")]
    made = decide([*endless, a_cluster("us-2", "us", cpu=9)], item, active="eu")
    changes = made.changes["web"]["us-2"]
    assert remedies.REQUIRE not in [each.code for each in changes]
    assert changes


def test_a_last_resort_is_to_require_the_cluster_alone() -> None:
    policy = a_policy("web", division={"mode": "weighted", "max_replicas": 1}, pick=1)
    endless = [a_cluster(name, cpu=None) for name in ("a", "b")]
    made = decide(endless, linked(a_workload("web", 0), policy), prior={"web": {"a": 1}})
    assert told(made, "b") == [(remedies.RAISE, {"field": "spec.pick", "was": 1, "to": 2})]


def cured(made: Schedule) -> list[tuple[str, dict[str, object]]]:
    return [(each.code, dict(each.values)) for each in made.cures["web"]]


CURES = [
    pytest.param(
        {"mode": "weighted"},
        9,
        [("add-capacity", {"cluster": "eu-1", "resource": "cpu", "was": 5000, "to": 9000})],
        id="no room",
    ),
    pytest.param(
        {"mode": "weighted", "max_replicas": 2},
        4,
        [("raise", {"field": "spec.division.maxReplicas", "was": 2, "to": 4})],
        id="no more per cluster",
    ),
    pytest.param(
        {"mode": "weighted", "max_replicas": 5},
        6,
        [
            ("raise", {"field": "spec.division.maxReplicas", "was": 5, "to": 6}),
            ("add-capacity", {"cluster": "eu-1", "resource": "cpu", "was": 5000, "to": 6000}),
        ],
        id="neither",
    ),
    pytest.param(
        {"mode": "duplicated", "max_replicas": 2},
        4,
        [("raise", {"field": "spec.division.maxReplicas", "was": 2, "to": 4})],
        id="not as many as everywhere",
    ),
    pytest.param(
        {"mode": "weighted", "min_replicas": 4},
        3,
        [("lower", {"field": "spec.division.minReplicas", "was": 4, "to": 3})],
        id="less than the least",
    ),
]


@pytest.mark.parametrize(("division", "replicas", "expected"), CURES)
def test_what_gives_every_replica_a_place(
    division: dict[str, object],
    replicas: int,
    expected: list[tuple[str, dict[str, object]]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = decide([a_cluster("eu-1", cpu=5)], web(replicas, division=division))
    assert cured(made) == expected
    monkeypatch.setattr(module, "WHOLE", 0)
    assert cured(made) == expected


def test_room_for_what_runs_already() -> None:
    policy = a_policy("web", division={"mode": "duplicated", "min_replicas": 2})
    item = linked(a_workload("web", 2), policy)
    made = decide([a_cluster("b", cpu=1)], item, prior={"web": {"b": 1}})
    assert cured(made) == [
        ("add-capacity", {"cluster": "b", "resource": "cpu", "was": 1000, "to": 2000})
    ]


def test_room_on_every_cluster_that_is_short() -> None:
    running = {"web": {"a": 5, "b": 4}}
    clusters = [a_cluster("a", cpu=2), a_cluster("b", cpu=6)]
    made = decide(clusters, web(7, division={"mode": "duplicated"}), prior=running)
    assert cured(made) == [
        ("add-capacity", {"cluster": "b", "resource": "cpu", "was": 6000, "to": 7000}),
        ("add-capacity", {"cluster": "a", "resource": "cpu", "was": 2000, "to": 7000}),
    ]


def test_a_cluster_that_others_fill_as_soon_as_it_is_there() -> None:
    first = linked(a_workload("first", 5), a_policy("first", division={"mode": "weighted"}))
    drained = a_cluster("c0", cpu=1, state=State.DRAINING)
    assert cured(decide([drained], first, web(5, division={"mode": "weighted"}))) == [
        ("declare-active", {"cluster": "c0", "was": "draining"}),
        ("add-capacity", {"cluster": "c0", "resource": "cpu", "was": 1000, "to": 10000}),
    ]


def test_a_cluster_for_a_workload_that_has_none() -> None:
    barred = [a_cluster("a", state=State.DOWN, taints=["x:NoExecute"]), a_cluster("b", cpu=1)]
    made = decide(barred, web(2))
    assert cured(made) == [
        ("add-capacity", {"cluster": "b", "resource": "cpu", "was": 1000, "to": 2000})
    ]


def test_constraints_that_contradict_each_other_for_all() -> None:
    clusters = [a_cluster(f"c{number}", f"r{number}") for number in range(2)]
    spread = [{"by": "region", "max_domains": 1}, {"by": "cluster", "min_domains": 2}]
    made = decide(clusters, web(2, spread=spread))
    assert cured(made) == [("lower", {"field": "spec.spread[1].minDomains", "was": 2, "to": 1})]


TERM = {"required": [{"match_labels": {"env": "prod"}}]}
NOWHERE = [
    pytest.param({"main": None, "replicas": 0}, TERM, [remedies.ADD_LABEL], id="no replicas"),
    pytest.param({"main": None, "replicas": 0}, {}, [], id="no replicas, and a place"),
    pytest.param({"replicas": 0}, TERM, [], id="nobody wants a replica"),
]


@pytest.mark.parametrize("limits", [(2000, 20000), (0, 20000), (0, 0)])
@pytest.mark.parametrize(("fields", "affinity", "codes"), NOWHERE)
def test_what_has_no_replicas_is_given_a_place(
    fields: dict[str, Any],
    affinity: dict[str, Any],
    codes: list[str],
    limits: tuple[int, int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "WHOLE", limits[0])
    monkeypatch.setattr(module, "CONFIRMED", limits[1])
    workload = replace(a_workload("web", 1), **fields)
    item = linked(workload, a_policy("web", affinity=affinity))
    clusters = [a_cluster("a"), a_cluster("b")]
    made = decide(clusters, item)
    cures = made.cures["web"]
    assert [each.code for each in cures] == codes
    if cures:
        snapshot = a_snapshot(clusters, [item])
        (again,) = schedule(applied(snapshot, cures), Prior(), settings()).decisions
        assert again.assignments


@FEW
@given(situations() | roomy(), st.sampled_from([(2000, 20000), (0, 20000)]))
def test_every_cure_leaves_no_replica_without_a_place(
    situation: tuple[Snapshot, Prior], limits: tuple[int, int]
) -> None:
    snapshot, prior = situation
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "WHOLE", limits[0])
        patch.setattr(module, "CONFIRMED", limits[1])
        made = schedule(snapshot, prior, settings())
        assert list(made.cures) == list(made.changes)
        assert len(made.cures) == len(made.changes)
        for decision in made.decisions:
            cures = made.cures[decision.workload]
            assert bool(cures) == is_lacking(snapshot, made, decision.workload)
            if cures:
                again = schedule(applied(snapshot, cures), prior, settings())
                assert not is_lacking(snapshot, again, decision.workload)


def test_every_reason_has_a_proposal() -> None:
    assert set(PROPOSERS) == set(REJECTIONS)


def far(request: Request) -> Mask:
    return np.array([name == "us-1" for name in request.table.names])


def test_nothing_is_known_of_a_rule_of_somebody_else() -> None:
    rule = Filter("too-far", far, lambda _request, _place: ())
    mine = Profile((*FILTERS, rule), SCORERS)
    tainted = a_cluster("us-1", "us-east-1", taints=["old:NoSchedule"])
    made = decide([EU, tainted], web(), profile=mine)
    assert made.decisions[0].verdicts["us-1"].outcome is Outcome.INFEASIBLE
    assert told(made, "us-1") == []


def test_room_for_the_least_that_a_cluster_runs() -> None:
    policy = a_policy("web", division={"mode": "duplicated", "min_replicas": 2})
    small = [a_cluster("a", cpu=7), a_cluster("b", cpu=1)]
    made = decide(small, linked(a_workload("web", 2), policy), prior={"web": {"b": 1}})
    assert told(made, "b") == [
        (remedies.LOWER, {"field": "spec.division.minReplicas", "was": 2, "to": 1})
    ]


def test_a_decision_from_elsewhere_finds_the_clusters_empty() -> None:
    decision = replace(decide([EU], web(2)).decisions[0], verdicts={})
    snapshot = a_snapshot([EU], [web(2), linked(a_workload("api"))])
    by_itself = alone(snapshot, decision)
    assert by_itself.clusters == snapshot.clusters
    assert [each.workload.name for each in by_itself.linked] == ["web"]


def test_what_is_not_there_cannot_be_changed() -> None:
    edit = Edit("Cluster", "eu-1", ("metadata", "name", "first"), "x")
    with pytest.raises(TypeError, match="nothing at 'first'"):
        amended(a_snapshot([EU]), [edit])


def test_places_are_those_to_write_to() -> None:
    made = decide([EU, US], web(residency={"regions": ["eu-*"]}))
    assert places(made.changes["web"]["us-1"]) == ["policies/web.yaml:1:1"]
