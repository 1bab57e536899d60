"""Waiting until a workload serves on a cluster, within bounds."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from fleet.emit import settle
from fleet.emit.access import ForbiddenError, UnreachableError
from fleet.emit.components import WorkloadComponent
from fleet.emit.settle import Failure, Settler
from fleet.emit.state import OwnState
from fleet.model.plan import ClusterDelivery, PlannedObject
from tests.emit.carrying import a_past, never_ready
from tests.emit.engine import Engine
from tests.emit.plans import (
    PretendCluster,
    Question,
    a_delivery,
    a_plan,
    a_ready_cluster,
    a_run,
    a_state,
    a_workload,
    all_ready,
    an_object,
)

WEB: Question = ("apps/v1", "Deployment", "shop", "web")
NAME = "web/eu-1/Deployment/shop/web"
DEFINITION = an_object(kind="CustomResourceDefinition", name="things.example", namespace="")
CONFIG = an_object(kind="ConfigMap", name="settings")
DEPLOYMENT = an_object(replicas=2)


class Clock:
    """Time passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0

    def time(self) -> float:
        """What the running loop's clock says."""
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Lets time pass."""
        self.now += seconds


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    it = Clock()
    pretended = SimpleNamespace(get_running_loop=lambda: it, sleep=it.sleep)
    monkeypatch.setattr(settle, "asyncio", pretended)
    return it


def scripted(*answers: dict[str, Any] | Exception) -> PretendCluster:
    """A cluster that answers in turn, with an object or a fault; the last one for ever."""
    left = list(answers)

    def answer(_: Question) -> dict[str, Any]:
        found = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(found, Exception):
            raise found
        return found

    return PretendCluster("eu-1", answer=answer)


READY = all_ready(WEB) or {}
NOT_READY: dict[str, Any] = {"status": {}}


def settled(
    engine: Engine,
    cluster: PretendCluster,
    delivery: ClusterDelivery | None = None,
    *,
    state: OwnState | None = None,
    wait_seconds: int = 300,
) -> Failure | None:
    async def program() -> Failure | None:
        workload = a_workload(delivery or a_delivery(), wait_seconds=wait_seconds)
        run = a_run(a_plan(workload), state, cluster)
        return await Settler(run, workload, WorkloadComponent(workload, {})).settle(
            workload.deliveries[0]
        )

    return engine.run(program)


def test_a_workload_that_is_ready_has_settled(engine: Engine) -> None:
    cluster = a_ready_cluster("eu-1")
    assert settled(engine, cluster) is None
    assert cluster.asked == [WEB]


def test_what_is_not_ready_yet_is_asked_for_again(engine: Engine) -> None:
    cluster = scripted(NOT_READY, NOT_READY, READY)
    assert settled(engine, cluster) is None
    assert len(cluster.asked) == 3


def test_waiting_ends_at_its_limit(engine: Engine, clock: Clock) -> None:
    assert settled(engine, never_ready("eu-1"), wait_seconds=60) == Failure(
        "eu-1", "Deployment 'shop/web': 0 of 2 replicas run the new version after 60 s"
    )
    assert clock.now == pytest.approx(1060, abs=1)


SILENT = UnreachableError("no answer in time")


def test_a_cluster_may_be_silent_for_a_while(engine: Engine) -> None:
    assert settled(engine, scripted(NOT_READY, *[SILENT] * 30, READY)) is None


def test_a_cluster_that_dies_is_given_up(engine: Engine, clock: Clock) -> None:
    assert settled(engine, scripted(*[NOT_READY] * 100, SILENT)) == Failure(
        "eu-1", "it stopped answering (no answer in time)", cut_off=True
    )
    assert clock.now == pytest.approx(1000 + 50 + 20, abs=1)


def test_a_right_that_is_missing_is_no_death(engine: Engine) -> None:
    failure = settled(engine, scripted(ForbiddenError("403")), wait_seconds=60)
    assert failure == Failure("eu-1", "403 after 60 s")


def test_an_answer_in_between_gives_a_cluster_its_time_again(engine: Engine) -> None:
    silence = [SILENT] * 30
    cluster = scripted(*silence, NOT_READY, *silence, NOT_READY, *silence, READY)
    assert settled(engine, cluster) is None


def test_nothing_is_waited_for_where_nothing_has_to_become_ready(engine: Engine) -> None:
    cluster = never_ready("eu-1")
    assert settled(engine, cluster, a_delivery(objects=[CONFIG])) is None
    assert cluster.asked == []


@pytest.mark.parametrize(
    ("proven", "asked"),
    [
        pytest.param("web/eu-1/2", 0, id="the same objects were seen ready"),
        pytest.param("web/eu-1/1", 1, id="other objects were"),
    ],
)
def test_only_what_is_not_proven_is_waited_for(engine: Engine, proven: str, asked: int) -> None:
    state = a_state(DEPLOYMENT, workloads={"web": a_past({"eu-1": 2}, eu_1=proven)})
    cluster = a_ready_cluster("eu-1")
    assert settled(engine, cluster, a_delivery(previous=2), state=state) is None
    assert len(cluster.asked) == asked
    assert not engine[NAME].kept


def registered(engine: Engine) -> list[str]:
    """The keys of all objects, in order."""
    return [each.name.split("/", 2)[2] for each in engine.registered if each.name.count("/") == 4]


def staged(*objects: PlannedObject) -> ClusterDelivery:
    return a_delivery(objects=objects)


def test_definitions_come_first_and_are_served_before_the_rest(engine: Engine) -> None:
    at_the_question: list[list[str]] = []

    def answer(question: Question) -> dict[str, Any] | None:
        at_the_question.append(registered(engine))
        return all_ready(question)

    cluster = PretendCluster("eu-1", answer=answer)
    assert settled(engine, cluster, staged(DEPLOYMENT, CONFIG, DEFINITION)) is None
    assert registered(engine) == [DEFINITION.key, CONFIG.key, DEPLOYMENT.key]
    assert at_the_question[0] == [DEFINITION.key]
    assert [question[1] for question in cluster.asked] == [
        "CustomResourceDefinition",
        "Deployment",
        "CustomResourceDefinition",
    ]


@pytest.mark.parametrize(
    ("refused", "sentence"),
    [
        pytest.param({DEFINITION.name}, f"{DEFINITION.key} was not accepted", id="refused"),
        pytest.param(
            set(),
            "CustomResourceDefinition '/things.example': its API is not served yet after 1 s",
            id="not served",
        ),
    ],
)
@pytest.mark.parametrize("had", [(), (DEPLOYMENT,)], ids=["new", "there already"])
def test_a_stage_that_fails_leaves_the_later_ones_as_they_were(
    engine: Engine, had: Sequence[PlannedObject], refused: set[str], sentence: str
) -> None:
    engine.failing = refused
    failure = settled(
        engine,
        never_ready("eu-1"),
        staged(DEFINITION, CONFIG, DEPLOYMENT),
        state=a_state(*had),
        wait_seconds=1,
    )
    assert failure == Failure("eu-1", sentence)
    assert registered(engine) == [DEFINITION.key, *(each.key for each in had)]
    assert all(engine[each.name].kept for each in had)


def test_the_first_object_that_is_refused_is_named(engine: Engine) -> None:
    engine.failing = {DEPLOYMENT.name, CONFIG.name}
    failure = settled(engine, a_ready_cluster("eu-1"), staged(CONFIG, DEPLOYMENT))
    assert failure == Failure("eu-1", "ConfigMap/shop/settings was not accepted")


def test_a_preview_asks_nobody(engine: Engine) -> None:
    engine.preview = True
    cluster = never_ready("eu-1")
    assert settled(engine, cluster, staged(DEFINITION, DEPLOYMENT)) is None
    assert cluster.asked == []
