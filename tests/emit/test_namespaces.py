"""Namespaces: once per cluster, kept when they leave the plan, never somebody else's."""

from fleet.emit.existing import Survey
from fleet.emit.namespaces import create_namespaces
from fleet.emit.run import Run
from fleet.emit.state import OwnState
from fleet.model.settings import Settings
from tests.emit.engine import Engine
from tests.emit.plans import a_namespace, a_plan, a_run, a_state

NAME = "eu-1/Namespace/shop"


def created(
    engine: Engine,
    *,
    survey: Survey | None = None,
    state: OwnState | None = None,
    settings: Settings | None = None,
) -> Run:
    async def program() -> Run:
        run = a_run(
            a_plan(namespaces=[a_namespace()]), state, survey=survey, settings=settings
        )
        await create_namespaces(run)
        return run

    return engine.run(program)


def test_a_namespace_is_created_and_never_deleted(engine: Engine) -> None:
    assert created(engine).failures == []
    found = engine[NAME]
    assert found.token == "kubernetes:core/v1:Namespace"
    assert found.inputs["metadata"] == {
        "name": "shop",
        "annotations": {"fleet/owner": "fleet/dev/fleet"},
    }
    assert found.provider == "eu-1"
    assert found.request.retainOnDelete
    assert not found.kept


def test_a_namespace_that_is_named_can_be_deleted(engine: Engine) -> None:
    created(engine, settings=Settings(delete_namespaces=("shop",)))
    assert not engine[NAME].request.retainOnDelete


def test_a_namespace_of_somebody_else_is_left_alone(engine: Engine) -> None:
    created(engine, survey=Survey(referenced={NAME}))
    assert NAME not in engine.names


def test_a_namespace_that_fleet_left_is_created_again(engine: Engine) -> None:
    created(engine, survey=Survey(adopted={NAME}))
    assert engine[NAME].request.importId == ""


def test_on_a_silent_cluster_an_old_namespace_is_kept(engine: Engine) -> None:
    created(engine, survey=Survey(unreachable={"eu-1": "refused"}), state=a_state(namespaces=[NAME]))
    assert engine[NAME].kept


def test_on_a_silent_cluster_no_namespace_is_created(engine: Engine) -> None:
    created(engine, survey=Survey(unreachable={"eu-1": "refused"}))
    assert NAME not in engine.names


def test_a_namespace_that_is_refused_is_said_once() -> None:
    run = created(Engine(failing={NAME}))
    assert run.failures == ["not every namespace was accepted; what lives in it failed too"]
