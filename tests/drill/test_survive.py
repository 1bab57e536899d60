"""What a loss does to workloads, with numbers; and that each loss is planned no more than once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet.drill import survive
from fleet.model.inventory import Cluster, State
from fleet.model.policy import PlacementPolicy
from fleet.model.prior import Prior
from fleet.model.snapshot import Snapshot
from fleet.model.survival import By
from fleet.model.traffic import TrafficPolicy
from fleet.schedule import schedule
from tests.builders import (
    a_cluster,
    a_policy,
    a_snapshot,
    a_traffic,
    a_workload,
    linked,
    settings,
)
from tests.drill.playing import Counting, drill_of, planned, played, present
from tests.schedule.fleets import by_name, fleets, priors

EQUAL = {"mode": "weighted", "weights": [{"replica_weight": 1, "term": {}}]}
PINNED = {"required": [{"clusters": ["eu-1"]}]}
STANDBY = a_traffic("web", active_region="eu", standby=50)


def two(cpu: int) -> list[Cluster]:
    """Two clusters in two regions."""
    return [a_cluster("eu-1", "eu", cpu=cpu), a_cluster("us-1", "us", cpu=cpu)]


CASES = [
    pytest.param(
        6, a_policy(division=EQUAL), (), (3, 3, 0, {"us-1": 6}), id="all of it finds a place"
    ),
    pytest.param(
        4, a_policy(division=EQUAL), (), (3, 1, 2, {"us-1": 4}), id="a part of it finds none"
    ),
    pytest.param(
        9, a_policy(division=EQUAL, affinity=PINNED), (), (6, 0, 6, {}), id="nothing is left"
    ),
    pytest.param(9, a_policy(), (), (6, 0, 0, {"us-1": 6}), id="duplicated has one already"),
    pytest.param(
        9,
        a_policy(
            division={"mode": "aggregated"},
            affinity={"preferred": [{"weight": 100, "term": {"clusters": ["eu-1"]}}]},
        ),
        (),
        (6, 6, 0, {"us-1": 6}),
        id="aggregated moves as a whole",
    ),
    pytest.param(
        9,
        a_policy(division=EQUAL),
        (STANDBY,),
        (6, 3, 0, {"us-1": 6}),
        id="the standby grows to the full number",
    ),
    pytest.param(
        4,
        a_policy(division={**EQUAL, "max_replicas": 3}),
        (),
        (3, 0, 3, {"us-1": 3}),
        id="the most of a cluster holds",
    ),
]


@pytest.mark.parametrize(("cpu", "policy", "traffic", "expected"), CASES)
def test_the_loss_of_a_cluster(
    cpu: int,
    policy: PlacementPolicy,
    traffic: tuple[TrafficPolicy, ...],
    expected: tuple[int, int, int, dict[str, int]],
) -> None:
    items = [linked(a_workload("web", 6), policy, traffic=traffic)]
    loss = drill_of(played(a_snapshot(two(cpu), items)), "cluster", "eu-1").losses["web"]
    assert (loss.dies, loss.moves, loss.shortfall, dict(loss.after)) == expected
    assert loss.is_survived == (expected[2] == 0)
    assert loss.nothing_left == (not expected[3])
    assert loss.wanted == sum(expected[3].values()) + expected[2]
    assert bool(loss.reasons) == bool(expected[2])


def test_a_region_takes_all_of_its_clusters() -> None:
    clusters = [a_cluster("eu-1", "eu", cpu=4), a_cluster("eu-2", "eu", cpu=4)]
    clusters.append(a_cluster("us-1", "us", cpu=5))
    items = [linked(a_workload("web", 9), a_policy(division=EQUAL))]
    survival = played(a_snapshot(clusters, items))
    one, all_of_it = drill_of(survival, "cluster", "eu-2"), drill_of(survival, "region", "eu")
    assert (one.losses["web"].dies, one.losses["web"].shortfall) == (3, 0)
    assert (all_of_it.losses["web"].dies, all_of_it.losses["web"].shortfall) == (6, 4)
    assert all_of_it.dies == 6


def test_a_workload_without_replicas_is_lost_when_it_is_nowhere() -> None:
    items = [linked(a_workload("web", 0, request={}), a_policy(affinity=PINNED))]
    drill = drill_of(played(a_snapshot(two(9), items)), "cluster", "eu-1")
    loss = drill.losses["web"]
    assert (loss.dies, loss.shortfall, loss.nothing_left, loss.is_survived) == (0, 0, True, False)


def test_who_does_not_run_there_is_not_hit() -> None:
    items = [
        linked(a_workload("api", 1), a_policy("api", affinity=PINNED)),
        linked(a_workload("web", 1), a_policy("web", affinity={"required": [{"regions": ["us"]}]})),
    ]
    survival = played(a_snapshot(two(9), items))
    assert set(drill_of(survival, "cluster", "eu-1").losses) == {"api"}
    assert set(drill_of(survival, "cluster", "us-1").losses) == {"web"}


def test_where_nothing_runs_nothing_is_played() -> None:
    items = [linked(a_workload("web", 1), a_policy(affinity=PINNED))]
    survival = played(a_snapshot(two(9), items))
    assert [each.scenario.domain for each in survival.drills] == ["eu-1", "eu", ""]
    assert [each.domain for each in survival.quiet] == ["us-1", "us"]


def test_equal_losses_are_planned_once() -> None:
    plan = Counting()
    items = [linked(a_workload("web", 6), a_policy(division=EQUAL))]
    survival = survive(planned(a_snapshot(two(9), items)), plan, present)
    assert len(survival.drills) == 5
    assert plan.asked == 3
    assert drill_of(survival, "region", "eu").losses == drill_of(survival, "cluster", "eu-1").losses


@st.composite
def situations(draw: st.DrawFn) -> tuple[Snapshot, Prior]:
    snapshot = draw(fleets())
    return snapshot, draw(priors(snapshot))


@given(situations())
def test_a_loss_is_what_the_plan_with_these_clusters_down_decides(
    situation: tuple[Snapshot, Prior],
) -> None:
    snapshot, prior = situation
    outcome = planned(snapshot, prior=prior)
    survival = survive(outcome, schedule, present)
    before = by_name(outcome.schedule)
    for drill in survival.drills:
        down = dict.fromkeys(drill.scenario.clusters, State.DOWN)
        said = {name: each.state for name, each in snapshot.states.items()} | down
        lost = a_snapshot(
            snapshot.clusters,
            snapshot.linked,
            states={name: state for name, state in said.items() if state is not State.ACTIVE},
        )
        after = by_name(schedule(lost, present(outcome), settings()))
        for name, decision in after.items():
            loss = drill.losses.get(name)
            if loss is None:
                assert decision.replicas == before[name].replicas
                assert decision.shortfall == before[name].shortfall
                assert not set(before[name].replicas) & set(down)
            else:
                assert loss.after == decision.replicas
                assert loss.before == before[name].replicas
                assert (loss.shortfall, loss.reasons) == (
                    decision.shortfall,
                    decision.shortfall_reasons,
                )


@given(situations())
def test_every_living_domain_is_played_or_has_nothing_to_lose(
    situation: tuple[Snapshot, Prior],
) -> None:
    snapshot, prior = situation
    outcome = planned(snapshot, prior=prior)
    survival = survive(outcome, schedule, present, [By.CLUSTER])
    played_there = {each.scenario.domain for each in survival.drills}
    quiet = {each.domain for each in survival.quiet}
    dead = {State.DOWN, State.DECOMMISSIONED}
    living = {name for name, each in snapshot.states.items() if each.state not in dead}
    used = {it.cluster for each in outcome.schedule.decisions for it in each.assignments}
    assert played_there == living & used
    assert quiet == living - used
