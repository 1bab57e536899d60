"""A workload's objects for one cluster: whose replicas, and what runs where nothing does."""

from copy import deepcopy
from typing import Any

import pytest

from fleet.deliver.bodies import look
from fleet.deliver.manifests import drafts_of
from fleet.deliver.place import Place
from fleet.model.decision import Assignment
from fleet.model.workload import Manifest, Workload
from tests.builders import a_cluster
from tests.deliver.kit import a_deployment, an_object, web


def drafted(workload: Workload, replicas: int = 4, **bounds: int) -> dict[str, Any]:
    place = Place(workload, a_cluster(), Assignment("eu-1", replicas, **bounds))
    return {each.manifest.key: each.body for each in drafts_of(place)}


def hpa(target: str = "web", **spec: Any) -> Manifest:
    ref = {"apiVersion": "apps/v1", "kind": "Deployment", "name": target}
    return an_object(
        "HorizontalPodAutoscaler",
        target,
        api="autoscaling/v2",
        spec={"scaleTargetRef": ref, "minReplicas": 6, "maxReplicas": 12, **spec},
    )


def job(name: str = "job", **spec: Any) -> Manifest:
    return an_object("Job", name, api="batch/v1", spec=spec)


def of_kind(kind: str, **spec: Any) -> Manifest:
    return an_object(kind, "web", api="apps/v1", spec=spec)


MAIN = [
    pytest.param(a_deployment(replicas=6), ("spec", "replicas"), 4, id="a Deployment"),
    pytest.param(a_deployment(replicas=None), ("spec", "replicas"), 4, id="no replicas written"),
    pytest.param(of_kind("StatefulSet", replicas=6), ("spec", "replicas"), 4, id="a StatefulSet"),
    pytest.param(job(parallelism=6), ("spec", "parallelism"), 4, id="a Job"),
    pytest.param(job(parallelism=6), ("spec", "replicas"), None, id="a Job has no replicas"),
    pytest.param(
        job(parallelism=6, completions=7), ("spec", "completions"), 5, id="completions, rounded up"
    ),
    pytest.param(
        job(parallelism=6, completions=7, completionMode="Indexed"),
        ("spec", "completions"),
        7,
        id="indexed completions stay whole",
    ),
    pytest.param(of_kind("DaemonSet"), ("spec", "replicas"), None, id="a DaemonSet has none"),
    pytest.param(
        an_object("Rollout", "web", api="argoproj.io/v1alpha1", spec={"replicas": 6}),
        ("spec", "replicas"),
        4,
        id="an unknown kind that has replicas",
    ),
]


@pytest.mark.parametrize(("main", "path", "expected"), MAIN)
def test_the_main_object_runs_what_was_assigned(
    main: Manifest, path: tuple[str, ...], expected: int | None
) -> None:
    assert look(drafted(web(main))[main.key], *path) == expected


@pytest.mark.parametrize(
    ("written", "assigned", "expected"),
    [
        pytest.param(3, 4, 2, id="3 of 6, times 4"),
        pytest.param(1, 2, 1, id="rounded up"),
        pytest.param(None, 3, None, id="one by default stays unwritten"),
        pytest.param(12, 6, 12, id="all replicas on one cluster"),
        pytest.param(2, 12, 4, id="more than the file asks for"),
    ],
)
def test_other_replicas_keep_their_proportion(
    written: int | None, assigned: int, expected: int | None
) -> None:
    worker = a_deployment("worker", written)
    bodies = drafted(web(a_deployment(), worker), assigned)
    assert bodies[worker.key]["spec"].get("replicas") == expected


def test_nothing_is_divided_where_the_file_asks_for_none() -> None:
    worker = a_deployment("worker", 3)
    bodies = drafted(web(a_deployment(replicas=0), worker, replicas=0), 0)
    assert bodies[worker.key]["spec"]["replicas"] == 3
    assert bodies["Deployment//web"]["spec"]["replicas"] == 0


def test_nothing_is_divided_without_a_main_object() -> None:
    worker = a_deployment("worker", 3)
    workload = web(worker, replicas=0, main=None)
    assert drafted(workload, 0)[worker.key]["spec"]["replicas"] == 3


def test_an_autoscaler_owns_the_replicas_and_gets_its_part_of_the_bounds() -> None:
    bodies = drafted(web(a_deployment(), hpa()), 4, minimum=4, maximum=8)
    assert "replicas" not in bodies["Deployment//web"]["spec"]
    spec = bodies["HorizontalPodAutoscaler//web"]["spec"]
    assert (spec["minReplicas"], spec["maxReplicas"]) == (4, 8)


def test_bounds_that_nobody_divided_stay_as_written() -> None:
    spec = drafted(web(a_deployment(), hpa()))["HorizontalPodAutoscaler//web"]["spec"]
    assert (spec["minReplicas"], spec["maxReplicas"]) == (6, 12)


def test_an_autoscalers_minimum_is_at_least_one() -> None:
    bodies = drafted(web(a_deployment(), hpa()), 0, minimum=0, maximum=2)
    spec = bodies["HorizontalPodAutoscaler//web"]["spec"]
    assert (spec["minReplicas"], spec["maxReplicas"]) == (1, 2)


def test_a_scaled_object_may_go_to_zero() -> None:
    scaled = an_object(
        "ScaledObject", "web", api="keda.sh/v1alpha1", spec={"scaleTargetRef": {"name": "web"}}
    )
    spec = drafted(web(a_deployment(), scaled), 0, minimum=0, maximum=3)[scaled.key]["spec"]
    assert (spec["minReplicaCount"], spec["maxReplicaCount"]) == (0, 3)


def test_another_objects_autoscaler_keeps_its_bounds() -> None:
    bodies = drafted(web(a_deployment(), a_deployment("worker", 3), hpa("worker")))
    assert "replicas" not in bodies["Deployment//worker"]["spec"]
    assert bodies["HorizontalPodAutoscaler//worker"]["spec"]["minReplicas"] == 6


def test_an_autoscaler_of_nothing_is_left_alone() -> None:
    bodies = drafted(web(a_deployment(), hpa("elsewhere")), 4, minimum=1, maximum=2)
    assert bodies["HorizontalPodAutoscaler//elsewhere"]["spec"]["minReplicas"] == 6
    assert bodies["Deployment//web"]["spec"]["replicas"] == 4


def test_a_scaled_object_without_a_spec_survives() -> None:
    bare = an_object("Deployment", "web", api="apps/v1")
    bodies = drafted(web(bare, hpa()), 4, minimum=1, maximum=2)
    assert "spec" not in bodies[bare.key]


EVERYTHING = (
    a_deployment(),
    a_deployment("worker", 3),
    hpa(),
    job("migrate"),
    of_kind("DaemonSet"),
    an_object("CronJob", "nightly", api="batch/v1", spec={"schedule": "0 0 * * *"}),
    an_object("Pod", "one"),
    an_object("Service"),
    an_object("ConfigMap"),
    an_object("Secret"),
    an_object("Ingress", api="networking.k8s.io/v1"),
)


def test_nothing_runs_on_a_cluster_without_replicas() -> None:
    bodies = drafted(web(*EVERYTHING), 0)
    assert sorted(bodies) == [
        "ConfigMap//web",
        "CronJob//nightly",
        "Deployment//web",
        "Deployment//worker",
        "Ingress//web",
        "Secret//web",
        "Service//web",
    ]
    assert bodies["Deployment//web"]["spec"]["replicas"] == 0
    assert bodies["Deployment//worker"]["spec"]["replicas"] == 0
    assert bodies["CronJob//nightly"]["spec"]["suspend"] is True


def test_everything_is_there_on_a_cluster_with_replicas() -> None:
    assert len(drafted(web(*EVERYTHING))) == len(EVERYTHING)


def test_the_files_objects_are_never_changed() -> None:
    workload = web(*EVERYTHING)
    before = deepcopy([each.body for each in workload.manifests])
    drafted(workload, 2, minimum=1, maximum=2)
    drafted(workload, 0)
    assert [each.body for each in workload.manifests] == before
