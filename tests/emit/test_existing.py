"""What is there already and is not fleet's: refused, referenced or taken over."""

from typing import Any

import pytest

from fleet.emit.access import ForbiddenError, UnreachableError
from fleet.emit.existing import Survey, survey
from fleet.emit.state import OwnState
from fleet.model.plan import DeliveryPlan
from tests.emit.engine import Engine
from tests.emit.plans import (
    PretendCluster,
    Question,
    a_delivery,
    a_namespace,
    a_plan,
    a_state,
    a_workload,
    accesses,
    an_object,
)

WEB: Question = ("apps/v1", "Deployment", "shop", "web")
SHOP: Question = ("v1", "Namespace", "", "shop")


def owned(owner: str | None) -> dict[str, Any]:
    """A live object with an owner's annotation, or with none at all."""
    return {"metadata": {"annotations": {"fleet/owner": owner}} if owner else {}}


def a_cluster(name: str = "eu-1", **live: dict[str, Any]) -> PretendCluster:
    """A cluster with the namespace `shop`; `web` is the Deployment, `shop` the namespace."""
    questions = {"web": WEB, "shop": SHOP}
    objects = {SHOP: owned(None), **{questions[key]: each for key, each in live.items()}}
    return PretendCluster(name, objects)


def surveyed(
    plan: DeliveryPlan, *clusters: PretendCluster, state: OwnState | None = None
) -> Survey:
    return Engine().run(lambda: survey(plan, state or a_state(), accesses(*clusters)))


def test_what_is_new_and_not_there_is_simply_created() -> None:
    assert surveyed(a_plan(a_workload(a_delivery())), a_cluster()) == Survey()


@pytest.mark.parametrize(
    ("live", "whose"),
    [
        pytest.param(owned(None), "it is not fleet's", id="no annotations"),
        pytest.param({}, "it is not fleet's", id="no metadata"),
        pytest.param({"metadata": None}, "it is not fleet's", id="null metadata"),
        pytest.param(
            owned("fleet/dev/api"),
            "it belongs to workload 'fleet/dev/api'",
            id="another workload's",
        ),
        pytest.param(
            owned("fleet/prod/web"),
            "it belongs to workload 'fleet/prod/web'",
            id="the same workload's of another stack",
        ),
        pytest.param(owned("web"), "it belongs to workload 'web'", id="a name alone is nobody"),
    ],
)
def test_what_is_somebody_elses_is_refused(live: dict[str, Any], whose: str) -> None:
    found = surveyed(a_plan(a_workload(a_delivery())), a_cluster(web=live))
    sentence = (
        f"workloads/web/fleet.yaml:1:1: Deployment 'shop/web' exists on cluster 'eu-1' already"
        f" and {whose} - say 'adopt: true' in the workload's fleet.yaml to take it over,"
        " or give it another name"
    )
    assert found == Survey(refusals=[sentence])


@pytest.mark.parametrize(
    ("owner", "fields"),
    [
        pytest.param("fleet/dev/web", {}, id="its own annotation, from an update that was cut"),
        pytest.param("fleet/dev/old", {"renamed_from": ("old",)}, id="of its former name"),
        pytest.param(None, {"adopt": True}, id="adopted"),
        pytest.param("fleet/dev/api", {"adopt": True}, id="adopted from another workload"),
    ],
)
def test_what_is_ours_or_adopted_is_taken_over(owner: str | None, fields: dict[str, Any]) -> None:
    plan = a_plan(a_workload(a_delivery(), **fields))
    found = surveyed(plan, a_cluster(web=owned(owner)))
    assert found == Survey(imports={"web/eu-1/Deployment/shop/web": "shop/web"})


def test_the_import_id_outside_namespaces_is_the_name() -> None:
    role = an_object(kind="ClusterRole", name="system:web", namespace="")
    question = ("rbac.authorization.k8s.io/v1", "ClusterRole", "", "system:web")
    cluster = PretendCluster("eu-1", {question: owned("fleet/dev/web")})
    found = surveyed(a_plan(a_workload(a_delivery(objects=[role]))), cluster)
    assert found.imports == {"web/eu-1/ClusterRole//system:web": "system:web"}


def test_what_the_state_holds_is_not_asked_for() -> None:
    plan = a_plan(a_workload(a_delivery()))
    cluster = a_cluster(web=owned(None))
    assert surveyed(plan, cluster, state=a_state(an_object())) == Survey()
    assert cluster.asked == []


def test_what_the_state_holds_under_a_former_name_is_not_asked_for() -> None:
    plan = a_plan(a_workload(a_delivery(), renamed_from=("older", "old")))
    cluster = a_cluster(web=owned(None))
    assert surveyed(plan, cluster, state=a_state(an_object(workload="old"))) == Survey()
    assert cluster.asked == []


def test_a_missing_namespace_is_refused_once() -> None:
    objects = [an_object(), an_object(kind="Service")]
    found = surveyed(a_plan(a_workload(a_delivery(objects=objects))), PretendCluster("eu-1"))
    sentence = (
        "workloads/web/fleet.yaml:1:1: namespace 'shop' does not exist on cluster 'eu-1' - ask"
        " for it with 'namespaces: {create: [shop]}' in the workload's fleet.yaml, or create it"
    )
    assert found == Survey(refusals=[sentence])


def test_a_namespace_that_fleet_creates_is_not_missing() -> None:
    plan = a_plan(a_workload(a_delivery()), namespaces=[a_namespace()])
    assert surveyed(plan, PretendCluster("eu-1")) == Survey()


def test_a_namespace_is_created_on_its_own_cluster_only() -> None:
    plan = a_plan(a_workload(a_delivery("us-1")), namespaces=[a_namespace("eu-1")])
    found = surveyed(plan, PretendCluster("eu-1"), PretendCluster("us-1"))
    assert ["does not exist on cluster 'us-1'" in each for each in found.refusals] == [True]


def test_a_namespace_that_exists_is_used_by_reference() -> None:
    plan = a_plan(a_workload(a_delivery()), namespaces=[a_namespace()])
    assert surveyed(plan, a_cluster()) == Survey(referenced={"eu-1/Namespace/shop"})


def test_a_namespace_that_fleet_left_is_taken_over() -> None:
    plan = a_plan(a_workload(a_delivery()), namespaces=[a_namespace()])
    found = surveyed(plan, a_cluster(shop=owned("fleet/dev/fleet")))
    assert found == Survey(imports={"eu-1/Namespace/shop": "shop"})


@pytest.mark.parametrize("owner", ["fleet/prod/fleet", "fleet/develop/fleet", "fleet", "someone"])
def test_a_namespace_of_another_stack_is_used_by_reference(owner: str) -> None:
    plan = a_plan(a_workload(a_delivery()), namespaces=[a_namespace()])
    found = surveyed(plan, a_cluster(shop=owned(owner)))
    assert found == Survey(referenced={"eu-1/Namespace/shop"})


def test_a_namespace_of_the_state_is_not_asked_for() -> None:
    plan = a_plan(namespaces=[a_namespace()])
    cluster = a_cluster()
    assert (
        surveyed(plan, cluster, state=a_state(namespaces={"eu-1/Namespace/shop": False}))
        == Survey()
    )
    assert cluster.asked == []


def test_an_unreachable_cluster_is_noted_once_and_asked_nothing() -> None:
    objects = [an_object(), an_object(kind="Service")]
    plan = a_plan(a_workload(a_delivery(objects=objects)), namespaces=[a_namespace()])
    dead = PretendCluster("eu-1", fault="connection refused")
    assert surveyed(plan, dead) == Survey(unreachable={"eu-1": "connection refused"})
    assert dead.asked == []


def test_a_cluster_that_dies_between_two_questions_is_unreachable() -> None:
    def die(_: Question) -> None:
        raise UnreachableError("no answer in time")

    plan = a_plan(a_workload(a_delivery()), namespaces=[a_namespace()])
    found = surveyed(plan, PretendCluster("eu-1", answer=die))
    assert found == Survey(unreachable={"eu-1": "no answer in time"})


def test_a_dead_cluster_does_not_hide_what_is_wrong_elsewhere() -> None:
    plan = a_plan(a_workload(a_delivery("eu-1"), a_delivery("us-1")))
    found = surveyed(
        plan, PretendCluster("eu-1", fault="refused"), a_cluster("us-1", web=owned(None))
    )
    assert found.unreachable == {"eu-1": "refused"}
    assert ["on cluster 'us-1'" in each for each in found.refusals] == [True]


def test_a_cluster_that_is_declared_down_is_not_asked() -> None:
    plan = a_plan(a_workload(a_delivery("eu-1")), down=["eu-1"])
    assert surveyed(plan) == Survey()


def test_refusals_are_sorted() -> None:
    workloads = [
        a_workload(a_delivery(objects=[an_object(name=name, workload=name)]), name=name)
        for name in ("zoo", "api")
    ]
    live = {("apps/v1", "Deployment", "shop", name): owned(None) for name in ("zoo", "api")}
    found = surveyed(a_plan(*workloads), PretendCluster("eu-1", {SHOP: {}, **live}))
    assert [each.split("/")[1] for each in found.refusals] == ["api", "zoo"]


def test_a_cluster_that_dies_before_its_namespace_is_seen_lacks_none() -> None:
    def die(_: Question) -> None:
        raise UnreachableError("no answer in time")

    found = surveyed(a_plan(a_workload(a_delivery())), PretendCluster("eu-1", answer=die))
    assert found == Survey(unreachable={"eu-1": "no answer in time"})


def test_what_a_login_may_not_read_is_refused_and_no_dead_cluster() -> None:
    def forbidden(question: Question) -> dict[str, Any] | None:
        raise ForbiddenError(f"403 for {question[1]}")

    cluster = a_cluster()
    cluster.answer = forbidden
    seen = surveyed(a_plan(a_workload(a_delivery())), cluster)
    assert not seen.unreachable
    assert any(
        "nobody can tell whether Deployment 'shop/web' exists" in each for each in seen.refusals
    )
