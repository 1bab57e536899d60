"""Namespaces: once per cluster, kept when nobody asks any more, never somebody else's."""

from fleet.emit.existing import Survey
from fleet.emit.namespaces import create_namespaces
from fleet.emit.run import Run
from fleet.model.plan import SharedNamespace
from fleet.model.settings import Settings
from tests.emit.engine import Engine
from tests.emit.plans import (
    a_delivery,
    a_leaving,
    a_namespace,
    a_plan,
    a_run,
    a_state,
    a_workload,
    an_object,
)

NAME = "eu-1/Namespace/shop"
DELETE = Settings(delete_namespaces=("shop",))


def created(
    engine: Engine,
    *asked: SharedNamespace,
    survey: Survey | None = None,
    had: dict[str, bool] | None = None,
    settings: Settings | None = None,
) -> Run:
    async def program() -> Run:
        plan = a_plan(a_workload(a_delivery("eu-1")), namespaces=asked)
        state = a_state(namespaces=had)
        run = a_run(plan, state, survey=survey, settings=settings)
        await create_namespaces(run)
        return run

    return engine.run(program)


def test_a_namespace_is_created_and_never_deleted(engine: Engine) -> None:
    assert created(engine, a_namespace()).failures == []
    found = engine[NAME]
    assert found.token == "kubernetes:core/v1:Namespace"
    assert found.inputs["metadata"] == {
        "name": "shop",
        "annotations": {"fleet/owner": "fleet/dev/fleet"},
    }
    assert found.provider == "eu-1"
    assert found.request.retainOnDelete
    assert not found.kept


def test_a_namespace_of_the_state_that_is_asked_for_is_registered_once(engine: Engine) -> None:
    created(engine, a_namespace(), had={NAME: False})
    assert not engine[NAME].kept


def test_a_namespace_that_nobody_asks_for_any_more_stays(engine: Engine) -> None:
    created(engine, had={NAME: False})
    found = engine[NAME]
    assert found.kept
    assert found.request.retainOnDelete
    assert found.inputs == {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {"name": "shop"},
    }


def test_a_namespace_that_is_named_is_released_first(engine: Engine) -> None:
    created(engine, had={NAME: False}, settings=DELETE)
    found = engine[NAME]
    assert not found.kept
    assert not found.request.retainOnDelete
    assert found.inputs["metadata"]["annotations"]["fleet/released"] == "true"


def test_a_namespace_that_was_released_is_left_out(engine: Engine) -> None:
    created(engine, had={NAME: True}, settings=DELETE)
    assert NAME not in engine.names


def test_a_namespace_that_was_released_and_is_named_no_more_stays(engine: Engine) -> None:
    created(engine, had={NAME: True})
    assert engine[NAME].kept


def test_a_namespace_that_is_asked_for_is_not_deleted_whatever_is_named(engine: Engine) -> None:
    created(engine, a_namespace(), had={NAME: False}, settings=DELETE)
    assert engine[NAME].request.retainOnDelete


def test_a_namespace_of_a_cluster_without_a_provider_is_left_out(engine: Engine) -> None:
    created(engine, had={"gone-1/Namespace/shop": False})
    assert "gone-1/Namespace/shop" not in engine.names


def test_a_namespace_goes_out_of_the_state_with_the_last_object_of_its_cluster(
    engine: Engine,
) -> None:
    created(engine, had={"us-1/Namespace/shop": False})
    assert "us-1" in engine.names
    assert "us-1/Namespace/shop" not in engine.names


def test_a_namespace_stays_with_the_debt_on_its_cluster(engine: Engine) -> None:
    async def program() -> None:
        left = a_leaving(an_object("us-1"), debt=True)
        plan = a_plan(a_workload(leaving=[left]), down=["us-1"])
        await create_namespaces(a_run(plan, a_state(namespaces={"us-1/Namespace/shop": False})))

    engine.run(program)
    assert engine["us-1/Namespace/shop"].kept


def test_a_namespace_of_somebody_else_is_left_alone(engine: Engine) -> None:
    created(engine, a_namespace(), survey=Survey(referenced={NAME}))
    assert NAME not in engine.names


def test_a_namespace_that_fleet_left_is_imported(engine: Engine) -> None:
    created(engine, a_namespace(), survey=Survey(imports={NAME: "shop"}))
    assert engine[NAME].request.importId == "shop"


def test_on_a_silent_cluster_an_old_namespace_is_kept(engine: Engine) -> None:
    silent = Survey(unreachable={"eu-1": "refused"})
    created(engine, a_namespace(), survey=silent, had={NAME: False})
    assert engine[NAME].kept


def test_on_a_silent_cluster_no_namespace_is_created(engine: Engine) -> None:
    created(engine, a_namespace(), survey=Survey(unreachable={"eu-1": "refused"}))
    assert NAME not in engine.names


def test_a_namespace_that_is_refused_is_said_once() -> None:
    run = created(Engine(failing={NAME}), a_namespace())
    assert run.failures == ["not every namespace was accepted; what lives in it failed too"]
