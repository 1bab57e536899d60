"""Namespaces that workloads share."""

import pytest

from fleet.deliver import deliver
from fleet.errors import InvalidError
from fleet.model.plan import SharedNamespace
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.model.workload import Manifest, NamespaceChoice, Workload, WorkloadSettings
from tests.builders import a_snapshot, linked
from tests.deliver.kit import (
    a_deployment,
    a_schedule,
    an_object,
    every_object,
    faults_of,
    planned,
    two_clusters,
    web,
)

CREATE = WorkloadSettings(namespaces=NamespaceChoice(create=("shop",)))


def shop(**labels: str) -> Workload:
    return web(a_deployment(), an_object("Namespace", "shop", metadata={"labels": labels}))


def api(*manifests: Manifest, settings: WorkloadSettings = CREATE) -> Workload:
    return web(a_deployment("api"), *manifests, name="api", settings=settings)


def shared(*workloads: Workload) -> tuple[SharedNamespace, ...]:
    snapshot = a_snapshot(two_clusters(), [linked(each) for each in workloads])
    schedule = a_schedule({each.name: {"eu-1": 4} for each in workloads})
    return deliver(snapshot, schedule, Prior(), Settings()).namespaces


def test_a_namespace_object_is_shared_and_no_object_of_the_workload() -> None:
    plan = planned(shop(team="a"), {"eu-1": 4, "us-1": 2})
    assert [each.name for each in plan.namespaces] == ["eu-1/Namespace/shop", "us-1/Namespace/shop"]
    assert {each.body["kind"] for each in every_object(plan)} == {"Deployment"}
    body = plan.namespaces[0].body
    assert body["metadata"]["labels"] == {"team": "a"}
    assert body["metadata"]["annotations"]["fleet/owner"] == "fleet"


def test_a_namespace_is_created_where_asked() -> None:
    (namespace,) = shared(api())
    assert (namespace.namespace, namespace.asked_by) == ("shop", ("api",))
    assert namespace.body["metadata"]["name"] == "shop"


def test_one_namespace_serves_all_who_ask_and_the_object_wins() -> None:
    (namespace,) = shared(shop(team="a"), api())
    assert namespace.asked_by == ("api", "web")
    assert namespace.body["metadata"]["labels"] == {"team": "a"}


def test_equal_objects_are_one_namespace() -> None:
    same = api(an_object("Namespace", "shop", metadata={"labels": {}}), settings=WorkloadSettings())
    assert len(shared(shop(), same)) == 1


def test_two_different_bodies_are_refused() -> None:
    other = api(an_object("Namespace", "shop", metadata={"labels": {"team": "b"}}))
    snapshot = a_snapshot(two_clusters(), [linked(shop(team="a")), linked(other)])
    schedule = a_schedule({"web": {"eu-1": 4}, "api": {"eu-1": 4}})
    (fault,) = faults_of(snapshot, schedule)
    assert "Namespace 'shop' is not the same as at" in fault
    with pytest.raises(InvalidError):
        shared(shop(team="a"), other)
