"""Timelines and checks of a workload whose data has a copy elsewhere."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from fleet.drill.checks import name_checks, workload_checks
from fleet.drill.data import data_of
from fleet.drill.data_checks import Hit
from fleet.drill.replans import Replans
from fleet.drill.timeline import data_timeline, start_timeline
from fleet.model import drill_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.data import Data
from fleet.model.decision import Decision, Schedule
from fleet.model.drill_targets import DrillTargets
from fleet.model.exercise import Check, Item, NameExercise, Replanned, Result
from fleet.model.outage import Answers
from fleet.model.survival import Loss
from fleet.model.timeline import Timeline
from fleet.model.workload import WorkloadSettings
from tests.builders import a_traffic, a_workload, linked

WORDS = DrillTargets()
NOWHERE = Answers(nowhere=Fraction(1))
REGIONS = {"eu-1": "eu", "us-1": "us", "ap-1": "ap"}
QUICK = {"interval_seconds": 10, "failure_threshold": 3}


def a_name() -> NameExercise:
    """A name in an emergency, which others answer by themselves."""
    here = Answers()
    return NameExercise(
        "web", "web", "web.fleet.test", today=here, at_once=here, felt=Fraction(1), by_itself=True
    )


def a_copy(lag: int = 0, promote: int = 0, **words: Any) -> Data:
    """Data of eu with a copy in us."""
    how = {"how": "async", "lag_seconds": lag} if lag else {"how": "sync"}
    replication = {**how, "to": ["us"]}
    said = {"kind": "replicated", "replication": replication, "promote_seconds": promote}
    return Data.model_validate({**said, **words})


def kinds(timeline: Timeline) -> list[tuple[str, int]]:
    """Its steps as plain values."""
    return [(str(each.kind), each.seconds) for each in timeline.steps]


def a_loss(*, moves: int = 0, left: int = 2) -> Loss:
    """Two replicas in eu that die; others are left in us."""
    counts, after = FrozenMap({"eu-1": 2}), FrozenMap({"us-1": left} if left else {})
    return Loss("web", counts, after, dies=2, moves=moves, shortfall=0 if left else 2)


def a_hit(  # noqa: PLR0913 - one keyword per part of it
    data: Data,
    *,
    moves: int = 0,
    left: int = 2,
    promotes: bool = True,
    gone: str = "eu-1",
    traffic: tuple[dict[str, Any], ...] = ({"health_check": QUICK},),
) -> Hit:
    """`web` in eu, whose primary is lost with it."""
    workload = a_workload(settings=WorkloadSettings(data=data))
    item = linked(workload, traffic=[a_traffic("web", **each) for each in traffic])
    loss = a_loss(moves=moves, left=left)
    start = start_timeline(loss, workload, WORDS, promotes=promotes)
    return Hit(item, loss, start, data_of(workload), frozenset(gone.split()), REGIONS)


def found(hit: Hit, **words: int) -> dict[Item, Check]:
    """The items of a workload, by item."""
    plan = Replanned(Schedule(()))
    replans = Replans(plan, plan, DrillTargets.model_validate(words))
    return {each.item: each for each in workload_checks(hit, replans)}


DECISION, CAPACITY, DATA = ("decision", 60), ("capacity", 300), ("data", 40)
STARTS = [
    pytest.param(0, False, [], id="nothing to do"),
    pytest.param(0, True, [DECISION, DATA], id="a promotion only"),
    pytest.param(1, False, [DECISION, CAPACITY], id="a start only"),
    pytest.param(1, True, [DECISION, CAPACITY, DATA], id="both"),
]


@pytest.mark.parametrize(("moves", "promotes", "steps"), STARTS)
def test_a_workload_s_timeline(moves: int, steps: list[tuple[str, int]], *, promotes: bool) -> None:
    hit = a_hit(a_copy(promote=40), moves=moves, promotes=promotes)
    assert kinds(hit.start) == steps


NAMED = [
    pytest.param([], [], id="without a name it counts from the alarm"),
    pytest.param([{"health_check": QUICK}], [("detection", 30), ("spread", 10)], id="one name"),
    pytest.param(
        [{"health_check": QUICK}, {}],
        [("detection", 90), ("spread", 10)],
        id="the slowest check of several",
    ),
]


@pytest.mark.parametrize(("names", "noticed"), NAMED)
def test_a_database_answers_again_once_somebody_noticed_decided_and_promoted(
    names: list[dict[str, Any]], noticed: list[tuple[str, int]]
) -> None:
    start = a_hit(a_copy(promote=40), moves=1).start
    line = data_timeline(start, [a_traffic("web", **each) for each in names], WORDS)
    assert kinds(line) == [*noticed, DECISION, CAPACITY, DATA]


PASS, FAIL = Result.PASS, Result.FAIL
CHECKS = [
    pytest.param(a_copy(5), {}, {}, (FAIL, PASS, FAIL), id="a copy that lags"),
    pytest.param(
        a_copy(), {}, {"database_seconds": 100}, (PASS, PASS, PASS), id="100 s is at most 100"
    ),
    pytest.param(
        a_copy(), {}, {"database_seconds": 99}, (FAIL, PASS, PASS), id="30 + 10 + 60 s is over 99"
    ),
    pytest.param(
        a_copy(promote=1),
        {},
        {"database_seconds": 100},
        (FAIL, PASS, PASS),
        id="the promotion counts, too",
    ),
    pytest.param(
        a_copy(),
        {},
        {"database_seconds": 40, "decision_seconds": 0},
        (FAIL, PASS, PASS),
        id="limits alone change no step",
    ),
    pytest.param(a_copy(60), {}, {}, (FAIL, FAIL, FAIL), id="under the RPO"),
    pytest.param(
        a_copy(60), {"rpo_seconds": 60}, {}, (FAIL, PASS, FAIL), id="the policy's own target"
    ),
    pytest.param(a_copy(60), {"rpo_seconds": 59}, {}, (FAIL, FAIL, FAIL), id="which is missed"),
]


@pytest.mark.parametrize(("data", "recovery", "words", "results"), CHECKS)
def test_the_items_of_copied_data(
    data: Data, recovery: dict[str, int], words: dict[str, int], results: tuple[Result, ...]
) -> None:
    hit = a_hit(data, traffic=({"health_check": QUICK, "recovery": recovery},))
    checks = found(hit, **words)
    items = (Item.DATABASE, Item.RPO, Item.NO_DATA_LOSS)
    assert tuple(checks[each].result for each in items) == results
    assert checks[Item.DATABASE].code == codes.DATA_TIME
    assert checks[Item.FAILBACK].result is Result.PASS


def test_what_the_database_waits_for_is_listed() -> None:
    values = found(a_hit(a_copy(promote=40), moves=1))[Item.DATABASE].values
    assert dict(values) == {
        "seconds": 30 + 10 + 60 + 300 + 40,
        "limit": 60,
        "detection": 30,
        "spread": 10,
        "decision": 60,
        "capacity": 300,
        "data": 40,
    }


BUCKET: dict[str, Any] = {"kind": "object-storage", "promote_seconds": 0}
ELSE = [
    pytest.param(
        a_hit(a_copy(5), promotes=False),
        (codes.PRIMARY_LIVES, PASS),
        (codes.PRIMARY_LIVES, PASS),
        id="only a copy died",
    ),
    pytest.param(
        a_hit(a_copy(5), gone="eu-1 us-1"),
        (codes.NO_COPY, FAIL),
        (codes.NO_COPY, FAIL),
        id="every copy died",
    ),
    pytest.param(
        a_hit(a_copy(5), left=0),
        (codes.NO_PLACE, FAIL),
        (codes.DATA_LAG, PASS),
        id="the copy lives, and nothing runs beside it",
    ),
    pytest.param(
        a_hit(a_copy(5, **BUCKET), promotes=False),
        (codes.NO_PROMOTION, PASS),
        (codes.DATA_LAG, PASS),
        id="a bucket that is copied",
    ),
    pytest.param(
        a_hit(Data.model_validate({"kind": "pinned"}), promotes=False),
        (codes.VOLUMES, FAIL),
        (codes.VOLUMES, FAIL),
        id="pinned",
    ),
]


@pytest.mark.parametrize(("hit", "database", "rpo"), ELSE)
def test_what_becomes_of_the_data(
    hit: Hit, database: tuple[str, Result], rpo: tuple[str, Result]
) -> None:
    checks = found(hit)
    for item, wanted in ((Item.DATABASE, database), (Item.RPO, rpo)):
        assert (checks[item].code, checks[item].result) == wanted


def test_what_has_no_place_after_the_return_is_told() -> None:
    plan = Replanned(Schedule((Decision("web", (), shortfall=2),)))
    check = {
        each.item: each
        for each in workload_checks(a_hit(Data(), promotes=False), Replans(plan, plan, WORDS))
    }[Item.FAILBACK]
    assert (check.result, check.code) == (Result.FAIL, codes.BACK_SHORT)
    assert check.values == {"short": 2, "before": 0}


@pytest.mark.parametrize("stage", ["revived", "returned"])
def test_a_name_that_leads_nowhere_after_the_return_is_told(stage: str) -> None:
    name = replace(a_name(), **{stage: NOWHERE})  # type: ignore[arg-type] # a stage
    checks = name_checks(name, a_traffic("web"), WORDS, Replanned(Schedule(())))
    check = {each.item: each for each in checks}[Item.FAILBACK]
    assert (check.result, check.code) == (Result.FAIL, codes.NAME_BACK_NOWHERE)
    assert check.values[stage] == 100
