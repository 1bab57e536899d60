"""Promotion commands: run until it is so, within their time, and told what is wanted."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from fleet.emit import promotion
from fleet.emit.promotion import Desired, Promotion, check_promotions, promote
from fleet.errors import InvalidError
from fleet.model.base import FrozenMap
from fleet.model.data import Data
from fleet.model.decision import Finding
from fleet.model.finding_codes import FENCE_FIRST
from fleet.model.plan import DataStep, WorkloadDelivery
from fleet.model.snapshot import Snapshot
from fleet.model.source import Source
from fleet.model.workload import WorkloadSettings
from tests.builders import a_cluster, a_snapshot, a_workload, linked
from tests.emit.carrying import Scene, a_past, never_ready
from tests.emit.engine import Engine
from tests.emit.plans import a_delivery, a_plan, a_record, a_state, an_endpoint, an_object
from tests.emit.plans import a_workload as a_carried

STEP = DataStep("web", "us-east-1", ("us-1",), ("eu-1",), promotion="orders-db")
WANTED = Desired("web", "us-east-1", ("us-1",), ("eu-1",))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(promotion, "POLL_SECONDS", 0.001)


class Database:
    """A database that becomes the primary when it was asked a few times."""

    def __init__(self, after: int = 0, *, promoted: bool = False) -> None:
        self.told: list[Desired] = []
        self.asked = 0
        self.after = after
        self.promoted = promoted

    def run(self, desired: Desired) -> None:
        """Notes what is wanted."""
        self.told.append(desired)

    async def run_later(self, desired: Desired) -> None:
        """The same, a moment later."""
        await asyncio.sleep(0)
        self.told.append(desired)

    def is_promoted(self, _desired: Desired) -> bool:
        """Whether it was asked often enough."""
        self.asked += 1
        return self.promoted or (bool(self.told) and self.asked > self.after)


def carried(command: Promotion) -> str | None:
    return asyncio.run(promote(STEP, command))


@pytest.mark.parametrize("name", ["run", "run_later"])
def test_a_command_is_told_what_is_wanted(name: str) -> None:
    database = Database()
    assert carried(Promotion(run=getattr(database, name))) is None
    assert database.told == [WANTED]


def test_what_is_so_already_is_not_done_again() -> None:
    database = Database(promoted=True)
    assert carried(Promotion(run=database.run, is_promoted=database.is_promoted)) is None
    assert database.told == []


def test_it_is_waited_for_until_it_is_so() -> None:
    database = Database(after=4)
    assert carried(Promotion(run=database.run, is_promoted=database.is_promoted)) is None
    assert (database.told, database.asked) == ([WANTED], 5)


def test_a_command_that_raises_is_told() -> None:
    def fails(_desired: Desired) -> None:
        raise RuntimeError("no quorum")

    told = carried(Promotion(run=fails))
    assert told == "promotion 'orders-db' failed: RuntimeError: no quorum"


def test_a_command_has_a_time_limit_also_where_it_never_returns() -> None:
    never = threading.Event()
    told = carried(Promotion(run=lambda _desired: never.wait(), timeout_seconds=0.05))
    assert told == "promotion 'orders-db' was not done after 0.05 s"
    never.set()
    database = Database(after=10**6)
    slow = Promotion(run=database.run, is_promoted=database.is_promoted, timeout_seconds=0.05)
    assert carried(slow) == "promotion 'orders-db' was not done after 0.05 s"


def a_fleet(name: str | None) -> Snapshot:
    words: dict[str, Any] = {
        "kind": "replicated",
        "replication": {"how": "sync", "to": ["eu-1"]},
        "promotion": name,
    }
    workload = a_workload(settings=WorkloadSettings(data=Data.model_validate(words)))
    places = FrozenMap({"promotion": Source("workloads/web/fleet.yaml", 7, 5)})
    return a_snapshot([a_cluster()], [linked(replace(workload, data_places=places))])


@pytest.mark.parametrize(
    ("known", "hint"),
    [
        ({}, "register it in __main__.py: main(promotions=…)"),
        ({"other": Promotion(run=print)}, "registered are other"),
    ],
)
def test_a_name_that_nobody_registered_is_refused(known: dict[str, Promotion], hint: str) -> None:
    with pytest.raises(InvalidError) as caught:
        check_promotions(a_fleet("orders-db"), known)
    (error,) = caught.value.errors
    assert str(error) == (
        "workloads/web/fleet.yaml:7:5: spec.data.promotion: no promotion 'orders-db' is registered"
        f" - {hint}"
    )


def test_names_that_are_registered_are_good() -> None:
    check_promotions(a_fleet("orders-db"), {"orders-db": Promotion(run=print)})
    check_promotions(a_fleet(None), {})


def a_switch(run: Callable[[Desired], object], step: DataStep = STEP) -> Scene:
    """eu-1 shrinks, us-1 grows, and the primary goes over in between."""
    eu, us = a_delivery("eu-1", 1, previous=4), a_delivery("us-1", 4, previous=1)
    workload: WorkloadDelivery = a_carried(
        eu, us, wait_seconds=0, step=step, data=FrozenMap({"primary": "us-1"})
    )
    records = a_record("eu-1", 0, 100), a_record("us-1", 100, 0)
    past = replace(a_past({"eu-1": 4, "us-1": 1}), data=FrozenMap({"primary": "eu-1"}))
    objects = an_object("eu-1", replicas=4), an_object("us-1", replicas=1)
    endpoint = an_endpoint(*records, ttl_seconds=0)
    plan = a_plan(workload, endpoints=[endpoint])
    told = FrozenMap[str | int](
        {
            "workload": "web",
            "region": "us-east-1",
            "clusters": "eu-1",
            "index": 0,
        }
    )
    refused = Finding(FENCE_FIRST, told)
    return Scene(
        plan=replace(plan, findings=(refused,) if step.unfenced else ()),
        state=a_state(*objects, workloads={"web": past}),
        promotions={"orders-db": Promotion(run=run)},
    )


def noting(engine: Engine) -> Callable[[Desired], None]:
    return lambda desired: engine.timeline.append(f"promotes {desired.region}")


def moves(engine: Engine) -> list[str]:
    kept = ("Deployment", "promotes", "web/")
    return [each for each in engine.timeline if any(word in each for word in kept)]


def test_data_goes_between_capacity_and_weights(engine: Engine) -> None:
    run = a_switch(noting(engine)).carry_out(engine)
    assert moves(engine) == [
        "web/us-1/Deployment/shop/web",
        "promotes us-east-1",
        "web/us-1",
        "web/eu-1",
        "web/eu-1/Deployment/shop/web",
    ]
    assert run.failures == []
    assert run.placements["web"]["data"] == {"primary": "us-1"}


def test_a_preview_promotes_nothing() -> None:
    engine = Engine(preview=True)
    a_switch(noting(engine)).carry_out(engine)
    assert "promotes us-east-1" not in engine.timeline


def test_capacity_that_is_missing_promotes_nothing(engine: Engine) -> None:
    scene = replace(a_switch(noting(engine)), clusters=(never_ready("us-1"),))
    scene.carry_out(engine)
    assert "promotes us-east-1" not in engine.timeline


def test_a_promotion_that_fails_leaves_traffic_where_it_works(engine: Engine) -> None:
    def fails(_desired: Desired) -> None:
        raise RuntimeError("no quorum")

    run = a_switch(fails).carry_out(engine)
    assert engine.weights() == {"web/eu-1": 100, "web/us-1": 0}
    assert engine["web/eu-1/Deployment/shop/web"].kept
    (sentence,) = run.failures
    assert sentence == (
        "web: promotion 'orders-db' failed: RuntimeError: no quorum - traffic and the old side stay"
        " as they were; the next update goes on"
    )
    assert run.placements["web"]["data"] == {"primary": "eu-1"}


def test_an_input_says_that_several_are_to_be_fenced(engine: Engine) -> None:
    a_switch(noting(engine), replace(STEP, unfenced=("eu-1", "eu-2"))).carry_out(engine)
    (component,) = engine.of("fleet:index:Workload")
    assert component.inputs["held"] == {"us-1": "until eu-1, eu-2 are fenced"}


def test_a_refused_step_is_told_at_the_end_and_runs_no_command(engine: Engine) -> None:
    run = a_switch(noting(engine), replace(STEP, unfenced=("eu-1",))).carry_out(engine)
    assert "promotes us-east-1" not in engine.timeline
    (component,) = engine.of("fleet:index:Workload")
    assert component.inputs["held"] == {"us-1": "until eu-1 is fenced"}
    (sentence,) = run.failures
    assert sentence.startswith("the data of 'web' gets no primary in us-east-1")
    assert sentence.endswith("then: pulumi config set --path 'fenced[0]' eu-1")


def test_a_step_without_a_command_is_the_overrides_alone(engine: Engine) -> None:
    run = a_switch(noting(engine), replace(STEP, promotion=None)).carry_out(engine)
    assert engine.weights() == {"web/eu-1": 0, "web/us-1": 100}
    assert run.failures == []


def test_a_handover_that_stopped_is_remembered(engine: Engine) -> None:
    scene = a_switch(noting(engine))
    begun = FrozenMap({"primary": "eu-1", "to": "us-east-1", "stale": "T0"})
    (workload,) = scene.plan.workloads
    plan = replace(scene.plan, workloads=(replace(workload, step=None, data=begun),))
    run = replace(scene, plan=plan, clusters=(never_ready("us-1"),)).carry_out(engine)
    assert run.placements["web"]["data"] == dict(begun)


def both_stay(**fields: Any) -> Scene:
    """Both sides run what they ran; the primary goes over."""
    eu, us = a_delivery("eu-1", 4, previous=4), a_delivery("us-1", 4, previous=4)
    workload = a_carried(eu, us, wait_seconds=0, step=replace(STEP, promotion=None))
    objects = an_object("eu-1", replicas=4), an_object("us-1", replicas=4)
    state = a_state(*objects, workloads={"web": a_past({"eu-1": 4, "us-1": 4})})
    return Scene(**{"plan": a_plan(workload), "state": state, **fields})


def test_the_old_side_is_demoted_before_the_new_one_is_promoted(engine: Engine) -> None:
    run = both_stay().carry_out(engine)
    assert moves(engine) == ["web/eu-1/Deployment/shop/web", "web/us-1/Deployment/shop/web"]
    assert run.failures == []


def test_where_the_old_side_is_not_demoted_nothing_is_promoted(engine: Engine) -> None:
    run = both_stay(clusters=(never_ready("eu-1"),)).carry_out(engine)
    assert engine["web/us-1/Deployment/shop/web"].kept
    assert run.failures[1].startswith("web on us-1: it waits until eu-1 is demoted")
    assert run.placements["web"]["proven"] == {}
