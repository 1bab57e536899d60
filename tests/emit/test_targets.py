"""Where load balancers are is looked up after placing, and waited for with what hangs on it."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from fleet.emit import targets
from fleet.emit.access import UnreachableError
from fleet.load.prior import prior_from_document
from fleet.model.base import FrozenMap
from fleet.model.plan import WorkloadDelivery
from fleet.model.target import KnownTarget
from tests.emit.carrying import Scene
from tests.emit.engine import Engine
from tests.emit.plans import (
    PretendCluster,
    Question,
    a_delivery,
    a_plan,
    a_record,
    a_state,
    a_workload,
    all_ready,
    an_endpoint,
    an_object,
)
from tests.emit.test_placement import EU, US, a_scene, document, naps, steps, the_move

KEY = "Service/shop/web"
Answer = Callable[[Question], dict[str, Any] | None]

__all__ = ["naps"]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits half a minute here."""
    monkeypatch.setattr(targets, "POLL_SECONDS", 0.001)
    monkeypatch.setattr(targets, "LOOK_SECONDS", 0.1)


def with_doors(workload: WorkloadDelivery) -> WorkloadDelivery:
    """The same with a Service on every cluster."""
    return replace(
        workload,
        deliveries=tuple(
            replace(each, objects=(*each.objects, an_object(each.cluster, kind="Service")))
            for each in workload.deliveries
        ),
    )


def a_cluster(name: str, answer: Answer) -> PretendCluster:
    """A cluster whose Deployments are ready, and whose Services are as told."""
    return PretendCluster(
        name, answer=lambda question: (answer if question[1] == "Service" else all_ready)(question)
    )


def balanced(ip: str, version: str = "7") -> Answer:
    """A load balancer that has an address."""
    ingress = [{"ip": ip}] if ip else []
    body = {
        "metadata": {"resourceVersion": version},
        "status": {"loadBalancer": {"ingress": ingress}},
    }
    return lambda _question: body


def silent(_question: Question) -> dict[str, Any] | None:
    raise UnreachableError("it does not answer")


def scene(*clusters: PretendCluster, known: dict[str, KnownTarget] | None = None) -> Scene:
    """A name whose target is the Service, on two clusters that stay as they are."""
    deliveries = a_delivery("eu-1", 4, previous=4), a_delivery("us-1", 1, previous=1)
    endpoint = an_endpoint(a_record("eu-1", 100, 100), a_record("us-1", 0, 0), target=KEY)
    state = a_state()
    prior = replace(state.prior, targets=FrozenMap({"web": FrozenMap(known or {})}))
    return a_scene(
        with_doors(a_workload(*deliveries, wait_seconds=0)),
        *clusters,
        plan=a_plan(with_doors(a_workload(*deliveries, wait_seconds=0)), endpoints=[endpoint]),
        state=replace(state, prior=prior),
    )


def looked(engine: Engine) -> dict[str, KnownTarget]:
    """What the next run reads of it, through JSON as the engine hands it back."""
    found = prior_from_document(json.loads(json.dumps({"web": document(engine)})))
    return dict(found.targets["web"])


def test_what_is_seen_is_the_next_run_s_prior(engine: Engine) -> None:
    clusters = a_cluster("eu-1", balanced("192.0.2.1")), a_cluster("us-1", balanced("192.0.2.2"))
    scene(*clusters).carry_out(engine)
    assert looked(engine) == {
        "eu-1": KnownTarget(("192.0.2.1",), ("192.0.2.1",), 7),
        "us-1": KnownTarget(("192.0.2.2",), ("192.0.2.2",), 7),
    }


def test_a_load_balancer_that_comes_later_is_waited_for(engine: Engine) -> None:
    asked: list[Question] = []

    def later(question: Question) -> dict[str, Any] | None:
        asked.append(question)
        return balanced("192.0.2.1" if len(asked) > 3 else "")(question)

    scene(a_cluster("eu-1", later), a_cluster("us-1", balanced("192.0.2.2"))).carry_out(engine)
    assert looked(engine)["eu-1"].values == ("192.0.2.1",)
    assert len(asked) == 4


def test_one_that_never_comes_ends_the_wait_and_fails_nothing(engine: Engine) -> None:
    clusters = a_cluster("eu-1", lambda _: None), a_cluster("us-1", balanced("192.0.2.2"))
    run = scene(*clusters).carry_out(engine)
    assert looked(engine)["eu-1"] == KnownTarget()
    assert run.failures == []


def test_one_that_is_gone_is_not_waited_for_and_remembered(engine: Engine) -> None:
    known = {"eu-1": KnownTarget(("192.0.2.1",), ("192.0.2.1",), 7)}
    gone = a_cluster("eu-1", balanced("", "9"))
    scene(gone, a_cluster("us-1", balanced("192.0.2.2")), known=known).carry_out(engine)
    assert looked(engine)["eu-1"] == KnownTarget((), ("192.0.2.1",), 9)
    assert sum(question[1] == "Service" for question in gone.asked) == 1


def test_a_cluster_that_cannot_be_asked_keeps_what_was_known(engine: Engine) -> None:
    known = {
        "eu-1": KnownTarget(("192.0.2.1",), ("192.0.2.1",), 7),
        "gone": KnownTarget(("192.0.2.9",), ("192.0.2.9",), 1),
    }
    dead = a_cluster("eu-1", silent)
    scene(dead, a_cluster("us-1", balanced("192.0.2.2")), known=known).carry_out(engine)
    assert looked(engine)["eu-1"] == known["eu-1"]
    assert looked(engine)["gone"] == known["gone"]


def test_without_a_target_nobody_looks(engine: Engine) -> None:
    eu = a_cluster("eu-1", silent)
    a_scene(with_doors(the_move()), eu).carry_out(engine)
    assert "targets" not in document(engine)


def test_a_preview_looks_nowhere_and_shows_what_is_known() -> None:
    engine = Engine(preview=True)
    known = {"eu-1": KnownTarget(("192.0.2.1",), ("192.0.2.1",), 7)}
    scene(a_cluster("eu-1", silent), a_cluster("us-1", silent), known=known).carry_out(engine)
    assert looked(engine) == known


def test_an_old_side_stays_until_the_new_one_can_be_answered(engine: Engine) -> None:
    """The plan keeps the weights, emission the old side; the exit is that of a good update."""
    records = a_record("eu-1", 100, 100), a_record("us-1", 0, 0)
    endpoint = an_endpoint(*records, target=KEY, waits=("us-1",))
    workload = the_move()
    run = a_scene(workload, plan=a_plan(workload, endpoints=[endpoint])).carry_out(engine)
    assert US in steps(engine)
    assert engine[EU].kept
    assert engine.weights() == {"web/eu-1": 100, "web/us-1": 0}
    assert run.failures == []
    assert document(engine)["assignments"] == {"eu-1": 4, "us-1": 1}
