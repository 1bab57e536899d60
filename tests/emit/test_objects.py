"""Kubernetes objects as they are registered: name, type, provider, parent, what is secret."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pulumi
import pytest

from fleet.emit.components import WorkloadComponent
from fleet.emit.objects import Placing, accepted, keep, register
from fleet.emit.providers import kubernetes_provider
from fleet.model.plan import PlannedObject
from fleet.model.prior import PriorObject
from tests.emit.engine import Engine, Secret
from tests.emit.plans import a_provider, a_workload, an_object


def a_placing(*renamed_from: str) -> Placing:
    component = WorkloadComponent(a_workload(), {})
    return Placing(component, kubernetes_provider(a_provider("eu-1"), {}), renamed_from)


def registering(
    planned: PlannedObject, *renamed_from: str, import_id: str | None = None
) -> Callable[[], Awaitable[bool]]:
    async def program() -> bool:
        return await accepted(register(planned, a_placing(*renamed_from), import_id))

    return program


def keeping(prior: PriorObject, *renamed_from: str) -> Callable[[], Awaitable[bool]]:
    async def program() -> bool:
        return await accepted(keep(prior, a_placing(*renamed_from), "web"))

    return program


def test_an_object_is_registered_as_it_is_planned(engine: Engine) -> None:
    planned = an_object(replicas=3)
    assert engine.run(registering(planned))
    found = engine["web/eu-1/Deployment/shop/web"]
    assert found.token == "kubernetes:apps/v1:Deployment"
    assert found.inputs["spec"] == {"replicas": 3}
    assert found.inputs["metadata"] == {
        "name": "web",
        "namespace": "shop",
        "annotations": {"fleet/owner": "fleet/dev/web"},
    }
    assert planned.body["metadata"]["annotations"] == {"fleet/owner": "web"}
    assert (found.provider, found.parent) == ("eu-1", "web")
    assert (found.aliases, found.request.importId, found.kept) == ([], "", False)
    assert not found.request.retainOnDelete


def test_an_object_without_an_owner_gets_none(engine: Engine) -> None:
    body = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web"}}
    engine.run(registering(replace(an_object(kind="Service"), body=body)))
    assert engine["web/eu-1/Service/shop/web"].inputs["metadata"] == {
        "name": "web",
        "annotations": {},
    }


def test_no_object_depends_on_another(engine: Engine) -> None:
    engine.run(registering(an_object()))
    assert list(engine["web/eu-1/Deployment/shop/web"].request.dependencies) == []


def test_the_data_of_a_secret_is_secret(engine: Engine) -> None:
    planned = an_object(
        kind="Secret", name="key", data={"a": "YQ=="}, stringData={"b": "c"}, type="Opaque"
    )
    engine.run(registering(planned))
    found = engine["web/eu-1/Secret/shop/key"]
    assert found.inputs["data"] == Secret({"a": "YQ=="})
    assert found.inputs["stringData"] == Secret({"b": "c"})
    assert found.inputs["type"] == "Opaque"
    assert list(found.request.additionalSecretOutputs) == ["data", "stringData"]


def test_a_secret_without_data_is_no_error(engine: Engine) -> None:
    engine.run(registering(an_object(kind="Secret", name="key")))
    assert "data" not in engine["web/eu-1/Secret/shop/key"].inputs


def test_the_data_of_other_kinds_is_plain(engine: Engine) -> None:
    engine.run(registering(an_object(kind="ConfigMap", name="settings", data={"a": "b"})))
    found = engine["web/eu-1/ConfigMap/shop/settings"]
    assert found.inputs["data"] == {"a": "b"}
    assert list(found.request.additionalSecretOutputs) == []


def test_a_renamed_workload_s_objects_have_aliases(engine: Engine) -> None:
    engine.run(registering(an_object(), "older", "old"))
    assert engine["web/eu-1/Deployment/shop/web"].aliases == [
        "older/eu-1/Deployment/shop/web",
        "old/eu-1/Deployment/shop/web",
    ]


def test_an_adopted_object_is_imported(engine: Engine) -> None:
    engine.run(registering(an_object(), import_id="shop/web"))
    assert engine["web/eu-1/Deployment/shop/web"].request.importId == "shop/web"


@pytest.mark.parametrize(
    ("kind", "spec", "ignored"),
    [
        pytest.param("Service", {}, ["spec.clusterIP", "spec.clusterIPs"], id="nothing is said"),
        pytest.param("Service", {"clusterIP": "None"}, ["spec.clusterIPs"], id="headless"),
        pytest.param("Job", {"selector": {}}, [], id="all of it is said"),
        pytest.param("Deployment", {}, [], id="the server fills in nothing"),
    ],
)
def test_what_the_server_fills_in_is_left_to_it(
    engine: Engine, kind: str, spec: dict[str, object], ignored: list[str]
) -> None:
    engine.run(registering(an_object(kind=kind, spec=spec)))
    assert list(engine[f"web/eu-1/{kind}/shop/web"].request.ignoreChanges) == ignored


@pytest.mark.parametrize(
    ("token", "name", "inputs"),
    [
        pytest.param(
            "kubernetes:apps/v1:Deployment",
            "web/eu-1/Deployment/shop/web",
            {
                "apiVersion": "apps/v1",
                "kind": "Deployment",
                "metadata": {"name": "web", "namespace": "shop"},
            },
            id="a group",
        ),
        pytest.param(
            "kubernetes:core/v1:Secret",
            "web/eu-1/Secret/shop/key",
            {
                "apiVersion": "v1",
                "kind": "Secret",
                "metadata": {"name": "key", "namespace": "shop"},
            },
            id="the core group",
        ),
        pytest.param(
            "kubernetes:rbac.authorization.k8s.io/v1:ClusterRole",
            "web/eu-1/ClusterRole//system:web",
            {
                "apiVersion": "rbac.authorization.k8s.io/v1",
                "kind": "ClusterRole",
                "metadata": {"name": "system:web"},
            },
            id="outside namespaces",
        ),
    ],
)
def test_a_kept_object_says_only_what_it_is(
    engine: Engine, token: str, name: str, inputs: dict[str, object]
) -> None:
    engine.run(keeping(PriorObject(name, token, {"spec": {"replicas": 7}})))
    found = engine[name]
    assert (found.token, found.inputs, found.kept) == (token, inputs, True)
    assert (found.provider, found.parent) == ("eu-1", "web")


def test_a_kept_secret_stays_secret(engine: Engine) -> None:
    name = "web/eu-1/Secret/shop/key"
    engine.run(keeping(PriorObject(name, "kubernetes:core/v1:Secret")))
    assert list(engine[name].request.additionalSecretOutputs) == ["data", "stringData"]


def test_what_is_kept_takes_the_workload_s_present_name(engine: Engine) -> None:
    name = "old/eu-1/Deployment/shop/web"
    engine.run(keeping(PriorObject(name, "kubernetes:apps/v1:Deployment"), "older", "old"))
    found = engine["web/eu-1/Deployment/shop/web"]
    assert found.kept
    assert found.aliases == ["older/eu-1/Deployment/shop/web", name]


def test_an_object_that_the_cluster_refuses_is_not_accepted() -> None:
    engine = Engine(failing={"web/eu-1/Deployment/shop/web"})
    assert engine.run(registering(an_object())) is False


def test_in_a_preview_everything_is_accepted() -> None:
    engine = Engine(preview=True)
    assert engine.run(registering(an_object())) is True


def test_a_renamed_workload_s_component_has_aliases(engine: Engine) -> None:
    async def program() -> pulumi.Resource:
        return WorkloadComponent(a_workload(renamed_from=("older", "old")), {})

    engine.run(program)
    assert engine["web"].aliases == ["older", "old"]
