"""Timelines and checks of data that has a copy elsewhere."""

from dataclasses import replace
from fractions import Fraction

import pytest

from fleet.drill.checks import name_checks, workload_checks
from fleet.drill.data import DataState
from fleet.drill.replans import Replans
from fleet.drill.timeline import name_timeline, start_timeline
from fleet.model import drill_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.decision import Decision, Schedule
from fleet.model.drill_targets import DrillTargets
from fleet.model.exercise import (
    Answers,
    Item,
    NameExercise,
    Replanned,
    Result,
    StepKind,
    Timeline,
)
from fleet.model.survival import Loss
from tests.builders import a_traffic, a_workload, linked

COPIED = DataState(promotion_seconds=40, lost_seconds=5, has_copy=True)
WORDS = DrillTargets()
SPEC = a_traffic("web", ttl_seconds=20).spec
NOWHERE = Answers(nowhere=Answers().nowhere + 1)


def a_name(*, hit: bool = True, by_itself: bool, afterwards: Answers | None = None) -> NameExercise:
    """A name in an emergency."""
    here = Answers()
    return NameExercise(
        "web",
        "web",
        "web.fleet.test",
        today=here,
        at_once=here,
        afterwards=afterwards or here,
        felt=Fraction(int(hit)),
        by_itself=by_itself,
    )


def kinds(timeline: Timeline) -> list[tuple[str, int]]:
    """Its steps as plain values."""
    return [(str(each.kind), each.seconds) for each in timeline.steps]


def test_a_promotion_is_decided_by_somebody_also_where_the_name_goes_over_by_itself() -> None:
    found = name_timeline(a_name(by_itself=True), SPEC, a_workload(), COPIED, WORDS)
    assert kinds(found) == [
        ("detection", 90),
        ("spread", 10),
        ("decision", 60),
        ("data", 40),
        ("ttl", 20),
    ]


def test_the_data_step_waits_for_the_replicas_that_the_standby_lacks() -> None:
    name = replace(a_name(by_itself=True), landing=2, wanted=4)
    found = name_timeline(name, SPEC, a_workload(), COPIED, WORDS)
    capacity = ("capacity", a_workload().settings.wait_seconds)
    assert kinds(found)[2:] == [("decision", 60), capacity, ("data", 40), ("ttl", 20)]


def test_the_slowest_child_of_a_calculated_check_is_waited_for() -> None:
    children = [{"port": 1, "intervalSeconds": 10}, {"port": 2, "failureThreshold": 5}]
    spec = a_traffic(
        "web", ttl_seconds=20, health_check={"calculated": {"children": children}}
    ).spec
    found = name_timeline(a_name(by_itself=True), spec, a_workload(), DataState(), WORDS)
    assert kinds(found) == [("detection", 150), ("spread", 10), ("data", 0), ("ttl", 20)]


def test_a_name_that_is_not_hit_has_no_timeline() -> None:
    name = a_name(hit=False, by_itself=False)
    assert name_timeline(name, SPEC, a_workload(), COPIED, WORDS) == Timeline()


def test_a_name_that_leads_nowhere_after_the_update_does_not_end() -> None:
    name = a_name(by_itself=False, afterwards=NOWHERE)
    found = name_timeline(name, SPEC, a_workload(), DataState(), WORDS)
    assert not found.ends
    assert found.seconds(StepKind.RECORD) == 60


def a_loss(*, moves: int = 0) -> Loss:
    """Two replicas that die."""
    counts = FrozenMap({"eu-1": 2})
    return Loss("web", counts, FrozenMap({"us-1": 2}), dies=2, moves=moves, shortfall=0)


@pytest.mark.parametrize(
    ("moves", "data", "steps"),
    [
        pytest.param(0, DataState(), [("data", 0)], id="nothing to do"),
        pytest.param(0, COPIED, [("decision", 60), ("data", 40)], id="a promotion only"),
        pytest.param(
            1, DataState(), [("decision", 60), ("capacity", 300), ("data", 0)], id="a start only"
        ),
        pytest.param(1, COPIED, [("decision", 60), ("capacity", 300), ("data", 40)], id="both"),
    ],
)
def test_a_workload_s_timeline(moves: int, data: DataState, steps: list[tuple[str, int]]) -> None:
    assert kinds(start_timeline(a_loss(moves=moves), a_workload(), data, WORDS)) == steps


CHECKS = [
    pytest.param({}, {}, COPIED, ("PASS", "PASS", "FAIL"), id="a copy that lags"),
    pytest.param(
        {}, {}, DataState(61, has_copy=True), ("FAIL", "PASS", "PASS"), id="a slow promotion"
    ),
    pytest.param(
        {}, {}, DataState(0, 60, has_copy=True), ("PASS", "FAIL", "FAIL"), id="under the RPO"
    ),
    pytest.param(
        {"rpo_seconds": 60},
        {},
        DataState(0, 60, has_copy=True),
        ("PASS", "PASS", "FAIL"),
        id="the policy's own",
    ),
    pytest.param(
        {"rpo_seconds": 59},
        {},
        DataState(0, 60, has_copy=True),
        ("PASS", "FAIL", "FAIL"),
        id="which is missed",
    ),
    pytest.param(
        {}, {}, DataState(has_copy=True), ("PASS", "PASS", "PASS"), id="a copy that lacks nothing"
    ),
    pytest.param(
        {},
        {"database_seconds": 61},
        DataState(61, has_copy=True),
        ("PASS", "PASS", "PASS"),
        id="another limit",
    ),
]


@pytest.mark.parametrize(("recovery", "words", "data", "results"), CHECKS)
def test_the_items_of_copied_data(
    recovery: dict[str, int],
    words: dict[str, int],
    data: DataState,
    results: tuple[str, str, str],
) -> None:
    item = linked(a_workload(), traffic=[a_traffic("web", recovery=recovery)])
    plan = Replanned(Schedule(()))
    replans = Replans(plan, plan, DrillTargets.model_validate(words))
    found = {each.item: each for each in workload_checks(item, a_loss(), Timeline(), data, replans)}
    items = (Item.DATABASE, Item.RPO, Item.NO_DATA_LOSS)
    assert tuple(found[each].result for each in items) == results
    assert found[Item.DATABASE].code == codes.DATA_TIME
    assert found[Item.FAILBACK].result is Result.PASS


def test_what_has_no_place_after_the_return_is_told() -> None:
    plan = Replanned(Schedule((Decision("web", (), shortfall=2),)))
    found = {
        each.item: each
        for each in workload_checks(
            linked(a_workload()), a_loss(), Timeline(), DataState(), Replans(plan, plan, WORDS)
        )
    }[Item.FAILBACK]
    assert (found.result, found.code) == (Result.FAIL, codes.BACK_SHORT)
    assert found.values == {"short": 2, "before": 0}


@pytest.mark.parametrize("stage", ["revived", "returned"])
def test_a_name_that_leads_nowhere_after_the_return_is_told(stage: str) -> None:
    name = replace(a_name(by_itself=True), **{stage: NOWHERE})  # type: ignore[arg-type] # a stage
    checks = name_checks(name, a_traffic("web"), WORDS, Replanned(Schedule(())))
    found = {each.item: each for each in checks}[Item.FAILBACK]
    assert (found.result, found.code) == (Result.FAIL, codes.NAME_BACK_NOWHERE)
    assert found.values[stage] == 100


def test_a_lever_lets_the_standby_go_without_an_update() -> None:
    lever = {"release": "https://levers.example/{region}/release", "intervalSeconds": 10}
    spec = a_traffic(
        "web", mode="active-standby", failover="manual", ttl_seconds=20, lever=lever
    ).spec
    found = name_timeline(a_name(by_itself=False), spec, a_workload(), DataState(), WORDS)
    steps = [("detection", 90), ("spread", 10), ("decision", 60), ("release", 30), ("data", 0)]
    assert kinds(found) == [*steps, ("ttl", 20)]
    assert found.by_lever
    assert found.dns == 90 + 10 + 30 + 20
