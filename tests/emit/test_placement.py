"""The order of one update: new capacity, then the names, then the old side; and what holds it."""

import asyncio
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from fleet.emit import placement, settle
from fleet.model.base import FrozenMap
from fleet.model.plan import WorkloadDelivery
from fleet.model.prior import PriorObject
from tests.emit.carrying import Scene, a_past, never_ready
from tests.emit.engine import RECORD, Engine
from tests.emit.plans import (
    PretendCluster,
    a_delivery,
    a_leaving,
    a_plan,
    a_record,
    a_state,
    a_workload,
    an_endpoint,
    an_object,
)

EU = "web/eu-1/Deployment/shop/web"
US = "web/us-1/Deployment/shop/web"
NOT_TAKEN = (
    "web: Route53 did not take every record of 'web.fleet.test' - the old side stays as it was;"
    " the next update goes on"
)
GOES_ON = " - traffic and the old side stay as they were; the next update goes on"


@pytest.fixture(autouse=True)
def naps(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting for the TTL is noted on the engine's timeline instead; polling is quick."""

    async def nap(seconds: float) -> None:
        engine.timeline.append(f"{seconds} s")

    patched = SimpleNamespace(gather=asyncio.gather, sleep=nap)
    monkeypatch.setattr(placement, "asyncio", patched)
    monkeypatch.setattr(settle, "POLL_SECONDS", 0.001)


def the_move(**fields: Any) -> WorkloadDelivery:
    """The workload goes from eu-1, which keeps one replica of four, to us-1, which had one."""
    eu, us = a_delivery("eu-1", 1, previous=4), a_delivery("us-1", 4, previous=1)
    return a_workload(eu, us, **{"wait_seconds": 0, **fields})


def the_leaving(**fields: Any) -> WorkloadDelivery:
    """The workload leaves eu-1 for us-1."""
    leaving = [a_leaving(an_object("eu-1", replicas=4), replicas=4)]
    us = a_delivery("us-1", 4, previous=1)
    return a_workload(us, **{"leaving": leaving, "wait_seconds": 0, **fields})


def a_scene(workload: WorkloadDelivery, *clusters: PretendCluster, **fields: Any) -> Scene:
    """The name moves with it; the state has both sides."""
    records = a_record("eu-1", 0, 100), a_record("us-1", 100, 0)
    past = a_past({"eu-1": 4, "us-1": 1}, eu_1="was", us_1="was")
    objects = an_object("eu-1", replicas=4), an_object("us-1", replicas=1)
    return Scene(
        **{
            "plan": a_plan(workload, endpoints=[an_endpoint(*records)]),
            "state": a_state(*objects, workloads={"web": past}),
            "clusters": clusters,
            **fields,
        }
    )


def steps(engine: Engine) -> list[str]:
    """Objects, records and waits, in order."""
    dull = {each.name for each in engine.registered if each.token.startswith("pulumi:")}
    return [
        each for each in engine.timeline if "/" in each or each.endswith(" s") if each not in dull
    ]


def document(engine: Engine, workload: str = "web") -> dict[str, Any]:
    """What the next run reads as its prior."""
    found = engine.outputs[f"fleet:index:Workload::{workload}"]["placement"]
    assert isinstance(found, dict)
    return found


def test_new_capacity_then_names_then_the_ttl_then_the_old_side(engine: Engine) -> None:
    run = a_scene(the_move()).carry_out(engine)
    assert steps(engine) == [US, "web/us-1", "web/eu-1", "60 s", EU]
    assert run.failures == []
    assert engine.weights() == {"web/eu-1": 0, "web/us-1": 100}
    assert engine[EU].inputs["spec"] == {"replicas": 1}
    assert not engine[EU].kept


def test_objects_and_records_hang_under_their_components(engine: Engine) -> None:
    a_scene(the_move()).carry_out(engine)
    assert engine[US].request.parent.endswith("fleet:index:Workload::web")
    assert engine["web/us-1"].request.parent.endswith("fleet:index:Endpoint::web")
    assert (engine[US].provider, engine[EU].provider) == ("us-1", "eu-1")


def test_nothing_depends_on_the_order(engine: Engine) -> None:
    a_scene(the_move()).carry_out(engine)
    checks = {"check-eu-1", "check-us-1"}
    for each in engine.registered:
        needs = {urn.rpartition("::")[2] for urn in each.request.dependencies}
        assert needs <= checks, each.name


def test_the_component_s_inputs_are_the_decision(engine: Engine) -> None:
    leaving = [a_leaving(an_object("ap-1"), debt=True)]
    scene = a_scene(the_move(leaving=leaving))
    plan = replace(scene.plan, providers=a_plan(clusters=["ap-1", "eu-1", "us-1"]).providers)
    replace(scene, plan=plan).carry_out(engine)
    assert engine.of("fleet:index:Workload")[0].inputs == {
        "assignments": {"eu-1": 1, "us-1": 4},
        "roles": {"eu-1": "active", "us-1": "active"},
        "dnsWeights": {"web": {"eu-1": 0, "us-1": 100}},
        "debt": ["ap-1"],
    }


def test_the_old_side_is_left_out_after_success(engine: Engine) -> None:
    run = a_scene(the_leaving()).carry_out(engine)
    assert steps(engine) == [US, "web/us-1", "web/eu-1", "60 s"]
    assert run.failures == []


@pytest.mark.parametrize("moving", [the_move(), the_leaving()], ids=["shrinks", "leaves"])
def test_the_old_side_and_the_weights_stay_until_the_new_is_ready(
    engine: Engine, moving: WorkloadDelivery
) -> None:
    run = a_scene(moving, never_ready("us-1")).carry_out(engine)
    assert engine[EU].kept
    assert engine.weights() == {"web/eu-1": 100, "web/us-1": 0}
    assert "60 s" not in steps(engine)
    assert run.failures == [
        "web on us-1: Deployment 'shop/web': 0 of 4 replicas run the new version after 0 s"
        + GOES_ON
    ]


def test_the_old_side_and_the_weights_stay_when_an_object_is_refused(engine: Engine) -> None:
    engine.failing = {US}
    run = a_scene(the_move()).carry_out(engine)
    assert engine[EU].kept
    assert engine.weights() == {"web/eu-1": 100, "web/us-1": 0}
    assert run.failures == [f"web on us-1: Deployment/shop/web was not accepted{GOES_ON}"]


@pytest.mark.parametrize("record", ["web/us-1", "web/eu-1"], ids=["rising", "falling"])
@pytest.mark.parametrize("moving", [the_move(), the_leaving()], ids=["shrinks", "leaves"])
def test_the_old_side_stays_when_route53_fails(
    engine: Engine, record: str, moving: WorkloadDelivery
) -> None:
    engine.failing = {record}
    run = a_scene(moving).carry_out(engine)
    assert engine[US].inputs["spec"] == {"replicas": 4}
    assert engine[EU].kept
    assert "60 s" not in steps(engine)
    assert run.failures == [NOT_TAKEN]


def test_a_failure_of_the_old_side_alone_is_told(engine: Engine) -> None:
    engine.failing = {EU}
    run = a_scene(the_move()).carry_out(engine)
    assert engine.weights() == {"web/eu-1": 0, "web/us-1": 100}
    assert run.failures == [f"web on eu-1: Deployment/shop/web was not accepted{GOES_ON}"]


def test_what_is_removed_is_left_out_after_success(engine: Engine) -> None:
    gone = an_object("us-1", "ConfigMap", "gone")
    scene = a_scene(the_move(removed=[gone]))
    scene.carry_out(engine)
    assert gone.name not in engine.names


def test_what_would_be_removed_is_kept_while_the_old_side_stays(engine: Engine) -> None:
    gone = an_object("us-1", "ConfigMap", "gone")
    a_scene(the_move(removed=[gone]), never_ready("us-1")).carry_out(engine)
    assert engine[gone.name].kept


@pytest.mark.parametrize("moving", [the_move(), the_leaving()], ids=["shrinks", "leaves"])
def test_an_old_side_that_does_not_answer_is_kept(engine: Engine, moving: WorkloadDelivery) -> None:
    """The names move all the same; the cluster is named once, by the survey."""
    run = a_scene(moving, unreachable={"eu-1": "refused"}).carry_out(engine)
    assert steps(engine) == [US, "web/us-1", "web/eu-1", "60 s", EU]
    assert engine[EU].kept
    assert run.failures == []


def test_what_is_removed_from_a_silent_cluster_is_kept_once(engine: Engine) -> None:
    gone = an_object("eu-1", "ConfigMap", "gone")
    scene = a_scene(the_move(removed=[gone]), never_ready("us-1"), unreachable={"eu-1": "refused"})
    objects = scene.state.prior.objects
    state = a_state(
        gone,
        *(an_object(each, replicas=1) for each in ("eu-1", "us-1")),
        workloads=dict(scene.state.prior.workloads),
    )
    assert len(state.prior.objects) == len(objects) + 1
    replace(scene, state=state).carry_out(engine)
    assert engine[gone.name].kept


def test_a_silent_cluster_that_gains_holds_everything(engine: Engine) -> None:
    run = a_scene(the_move(), unreachable={"us-1": "refused"}).carry_out(engine)
    assert engine[US].kept
    assert engine[EU].kept
    assert engine.weights() == {"web/eu-1": 100, "web/us-1": 0}
    assert run.failures == []


def test_a_cluster_that_dies_under_the_update_is_told(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settle, "DEAD_AFTER_SECONDS", -1)
    dying = PretendCluster("us-1", fault="connection refused")
    run = a_scene(the_move(wait_seconds=60), dying).carry_out(engine)
    assert engine[EU].kept
    assert engine.weights() == {"web/eu-1": 100, "web/us-1": 0}
    assert run.failures == [
        f"web on us-1: it stopped answering (connection refused){GOES_ON}",
    ]


def test_a_silent_cluster_that_gains_nothing_holds_nobody(engine: Engine) -> None:
    ap = an_object("ap-1", replicas=2)
    moving = the_move()
    deliveries = (a_delivery("ap-1", 2, previous=2, objects=[ap]), *moving.deliveries)
    scene = a_scene(replace(moving, deliveries=deliveries), unreachable={"ap-1": "refused"})
    plan = replace(scene.plan, providers=a_plan(clusters=["ap-1", "eu-1", "us-1"]).providers)
    objects = [ap, an_object("eu-1", replicas=4), an_object("us-1", replicas=1)]
    state = a_state(*objects, workloads=dict(scene.state.prior.workloads))
    run = replace(scene, plan=plan, state=state).carry_out(engine)
    assert engine[ap.name].kept
    assert steps(engine)[-4:] == ["web/us-1", "web/eu-1", "60 s", EU]
    assert not engine[EU].kept
    assert run.failures == []


def test_an_unwell_cluster_that_gains_nothing_holds_the_old_side(engine: Engine) -> None:
    moving = the_move()
    deliveries = (a_delivery("ap-1", 2, previous=2), *moving.deliveries)
    scene = a_scene(replace(moving, deliveries=deliveries), never_ready("ap-1"))
    plan = replace(scene.plan, providers=a_plan(clusters=["ap-1", "eu-1", "us-1"]).providers)
    run = replace(scene, plan=plan).carry_out(engine)
    assert engine[EU].kept
    assert engine.weights() == {"web/eu-1": 100, "web/us-1": 0}
    assert len(run.failures) == 1


def test_a_debt_stays_whatever_happens(engine: Engine) -> None:
    owed = an_object("eu-1", replicas=4)
    moving = the_leaving(leaving=[a_leaving(owed, replicas=4, debt=True)])
    scene = a_scene(moving)
    plan = replace(scene.plan, providers=a_plan(down=["eu-1"]).providers)
    run = replace(scene, plan=plan).carry_out(engine)
    assert engine[EU].kept
    assert engine["eu-1"].inputs["skipUpdateUnreachable"] in (True, "true")
    assert run.failures == []
    assert "60 s" not in steps(engine)


def test_a_workload_that_is_gone_is_not_there(engine: Engine) -> None:
    gone = WorkloadDelivery("web", None, (), (a_leaving(an_object("eu-1")),))
    Scene(a_plan(gone), a_state(an_object("eu-1"))).carry_out(engine)
    assert {each.token for each in engine.registered} <= {
        "pulumi:providers:kubernetes",
        "pulumi:providers:aws",
    }


@pytest.mark.parametrize(
    ("debt", "unreachable"),
    [
        pytest.param(True, {}, id="declared down"),
        pytest.param(False, {"eu-1": "refused"}, id="silent"),
    ],
)
def test_a_workload_that_is_gone_is_owed_on_a_dead_cluster(
    engine: Engine, unreachable: dict[str, str], *, debt: bool
) -> None:
    gone = WorkloadDelivery("web", None, (), (a_leaving(an_object("eu-1"), debt=debt),))
    scene = Scene(a_plan(gone), a_state(an_object("eu-1")), unreachable=unreachable)
    scene.carry_out(engine)
    assert engine[EU].kept
    assert [each.name for each in engine.of("fleet:index:Workload")] == ["web"]


def test_what_waits_for_its_record_is_kept_for_an_update(engine: Engine) -> None:
    """The record goes at the end of this update; what it led to is still there."""
    old = replace(a_leaving(an_object("eu-1")), waits=True)
    stays = a_delivery("us-1", 2, previous=2)
    objects = an_object("eu-1"), an_object("us-1")
    endpoint = an_endpoint(a_record("us-1", 100, 100))
    scene = Scene(a_plan(a_workload(stays, leaving=[old]), endpoints=[endpoint]), a_state(*objects))
    run = scene.carry_out(engine)
    assert engine[EU].kept
    assert run.failures == []
    assert run.placements["web"]["assignments"] == {"us-1": 2}
    hashes = run.placements["web"]["hashes"]
    assert isinstance(hashes, dict)
    assert "eu-1" in hashes


def test_one_workload_s_failure_holds_no_other(engine: Engine) -> None:
    other = a_workload(
        a_delivery(
            "us-1", 2, workload="api", objects=[an_object("us-1", name="api", workload="api")]
        ),
        name="api",
    )
    scene = a_scene(the_move())
    names = [
        *scene.plan.endpoints,
        an_endpoint(a_record("us-1", 100, policy="api"), policy="api", workload="api"),
    ]
    engine.failing = {US}
    replace(scene, plan=a_plan(the_move(), other, endpoints=names)).carry_out(engine)
    assert engine.weights()["api/us-1"] == 100
    assert engine[EU].kept


@pytest.mark.parametrize(
    ("records", "ttls", "expected"),
    [
        pytest.param([(100, 100)], [60], [], id="no weight moves"),
        pytest.param([(100, None)], [60], [], id="a new record moves nobody"),
        pytest.param([(100, 0)], [30], ["30 s"], id="the name's own"),
        pytest.param([(100, 0), (100, 0)], [30, 90], ["90 s"], id="the longest"),
        pytest.param([(100, 0), (100, 100)], [30, 90], ["30 s"], id="of names that move"),
    ],
)
def test_caches_are_outlived_where_a_name_moves(
    engine: Engine,
    records: list[tuple[int, int | None]],
    ttls: list[int],
    expected: list[str],
) -> None:
    names = [
        an_endpoint(a_record("us-1", *weights, policy=f"p{n}"), policy=f"p{n}", ttl_seconds=ttl)
        for n, (weights, ttl) in enumerate(zip(records, ttls, strict=True))
    ]
    a_scene(the_move(), plan=a_plan(the_move(), endpoints=names)).carry_out(engine)
    assert [each for each in steps(engine) if each.endswith(" s")] == expected


def test_caches_are_outlived_again_after_an_update_that_was_cut(engine: Engine) -> None:
    """The weights moved in the run before; its wait may have been cut."""
    names = [an_endpoint(a_record("us-1", 100, 100), a_record("eu-1", 0, 0))]
    a_scene(the_move(), plan=a_plan(the_move(), endpoints=names)).carry_out(engine)
    assert "60 s" in steps(engine)


def test_a_ttl_that_shrinks_is_outlived_at_its_old_length(engine: Engine) -> None:
    names = [an_endpoint(a_record("us-1", 100, 0), a_record("eu-1", 0, 100), ttl_seconds=5)]
    before = FrozenMap({"web/eu-1": PriorObject("web/eu-1", RECORD, {"ttl": 90})})
    scene = a_scene(the_move(), plan=a_plan(the_move(), endpoints=names))
    prior = replace(scene.state.prior, records=before)
    replace(scene, state=replace(scene.state, prior=prior)).carry_out(engine)
    assert "90 s" in steps(engine)


def test_caches_are_outlived_when_a_record_goes(engine: Engine) -> None:
    goes = PriorObject("web/eu-1", RECORD, {})
    names = [an_endpoint(a_record("us-1", 100, 100), leaving=(goes,))]
    a_scene(the_leaving(), plan=a_plan(the_leaving(), endpoints=names)).carry_out(engine)
    assert steps(engine) == [US, "web/us-1", "60 s"]


def test_caches_are_not_outlived_where_nothing_goes(engine: Engine) -> None:
    growing = a_workload(a_delivery("us-1", 4, previous=1))
    names = [an_endpoint(a_record("us-1", 100, 0))]
    a_scene(growing, plan=a_plan(growing, endpoints=names)).carry_out(engine)
    assert steps(engine) == [US, "web/us-1"]


def test_a_preview_waits_for_nothing_and_shows_everything(engine: Engine) -> None:
    engine.preview = True
    us = never_ready("us-1")
    run = a_scene(the_move(), us).carry_out(engine)
    assert sorted(steps(engine)) == sorted([US, "web/us-1", "web/eu-1", EU])
    assert engine.weights() == {"web/eu-1": 0, "web/us-1": 100}
    assert engine[EU].inputs["spec"] == {"replicas": 1}
    assert us.asked == []
    assert run.failures == []


def test_a_preview_keeps_what_is_on_a_silent_cluster(engine: Engine) -> None:
    engine.preview = True
    a_scene(the_move(), unreachable={"us-1": "refused"}).carry_out(engine)
    assert engine[US].kept
    assert engine[EU].kept


def test_a_renamed_workload_s_old_side_is_kept_under_its_new_name(engine: Engine) -> None:
    moving = the_move(renamed_from=("old",))
    past = a_past({"eu-1": 4, "us-1": 1})
    objects = [an_object(each, workload="old", replicas=4) for each in ("eu-1", "us-1")]
    scene = a_scene(moving, never_ready("us-1"))
    replace(scene, state=a_state(*objects, workloads={"old": past})).carry_out(engine)
    assert engine[EU].kept
    assert engine[EU].aliases == ["old/eu-1/Deployment/shop/web"]
    assert document(engine)["assignments"] == {"eu-1": 4, "us-1": 1}


def test_the_document_after_success_is_the_plan(engine: Engine) -> None:
    a_scene(the_move()).carry_out(engine)
    assert document(engine) == {
        "assignments": {"eu-1": 1, "us-1": 4},
        "roles": {"eu-1": "active", "us-1": "active"},
        "hashes": {
            "eu-1": {"Deployment/shop/web": "digest of web"},
            "us-1": {"Deployment/shop/web": "digest of web"},
        },
        "proven": {"eu-1": "web/eu-1/1", "us-1": "web/us-1/4"},
        "dnsWeights": {"web": {"eu-1": 0, "us-1": 100}},
        "inputs": {},
    }


def test_the_run_s_placements_are_what_the_components_say(engine: Engine) -> None:
    run = a_scene(the_move(), never_ready("us-1")).carry_out(engine)
    assert run.placements == {"web": document(engine)}


def test_a_gone_workload_is_in_the_placements_while_it_is_owed(engine: Engine) -> None:
    gone = WorkloadDelivery("web", None, (), (a_leaving(an_object("eu-1"), debt=True),))
    run = Scene(a_plan(gone), a_state(an_object("eu-1"))).carry_out(engine)
    assert run.placements["web"]["assignments"] == {}
    assert run.placements["web"]["hashes"] == {"eu-1": {"Deployment/shop/web": ""}}


def test_every_workload_is_told_in_one_line(engine: Engine) -> None:
    a_scene(the_move()).carry_out(engine)
    lines = [each for each in engine.said if each.startswith("web ")]
    assert len(lines) == 1
    assert "eu-1 4 -> 1" in lines[0]


def test_the_wait_for_caches_is_told(engine: Engine) -> None:
    a_scene(the_move()).carry_out(engine)
    assert engine.said[-1] == (
        "web: the weights have moved; 60 s until resolvers have forgotten the old answer,"
        " then the old side goes"
    )


@pytest.mark.parametrize(
    ("failing", "proven"),
    [
        pytest.param({US}, {"eu-1": "was", "us-1": "was"}, id="new capacity is not ready"),
        pytest.param(
            {"web/us-1"}, {"eu-1": "was", "us-1": "web/us-1/4"}, id="Route53 fails after it is"
        ),
    ],
)
def test_the_document_of_a_held_update_leads_to_the_same_plan_again(
    engine: Engine, failing: set[str], proven: dict[str, str]
) -> None:
    engine.failing = failing
    a_scene(the_move()).carry_out(engine)
    found = document(engine)
    assert found["assignments"] == {"eu-1": 4, "us-1": 1}
    assert found["roles"] == {"eu-1": "active", "us-1": "active"}
    assert found["proven"] == proven
    assert found["inputs"] == {"replicas": "was"}
    assert found["hashes"]["eu-1"] == {"key": "was"}
    assert found["hashes"]["us-1"] == {"Deployment/shop/web": "digest of web"}


def test_the_document_knows_what_a_silent_cluster_had(engine: Engine) -> None:
    a_scene(the_move(), unreachable={"eu-1": "refused"}).carry_out(engine)
    found = document(engine)
    assert found["assignments"] == {"eu-1": 4, "us-1": 1}
    assert found["proven"] == {"eu-1": "was", "us-1": "web/us-1/4"}
    assert found["hashes"]["eu-1"] == {"key": "was"}


def test_the_document_of_a_first_update_that_failed_assigns_nothing(engine: Engine) -> None:
    """What has never served is new capacity in the next update too."""
    new = a_workload(a_delivery("eu-1", 2), wait_seconds=0)
    Scene(a_plan(new), a_state(), (never_ready("eu-1"),)).carry_out(engine)
    found = document(engine)
    assert (found["assignments"], found["roles"], found["proven"]) == ({}, {}, {})
