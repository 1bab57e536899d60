"""Custom resources whose replicas stand where the workload's settings say."""

from collections.abc import Callable

import pytest

from fleet.model.snapshot import Snapshot

Load = Callable[..., Snapshot]
Faults = Callable[..., list[str]]
CACHE = """\
apiVersion: cache.example.org/v1
kind: Cache
metadata: {name: c}
spec:
  %s
"""
SETTINGS = """\
apiVersion: fleet/v1
kind: Workload
metadata: {name: web}
spec: {replicas: [%s]}
"""
SAID = "{apiVersion: cache.example.org/v1, kind: Cache, path: spec.shards.count%s}"


def files(spec: str, said: str) -> dict[str, str]:
    return {"workloads/web/all.yaml": CACHE % spec, "workloads/web/fleet.yaml": SETTINGS % said}


READ = [
    pytest.param("shards: {count: 4}", "", 4, {"pods": 1}, id="a pod where nothing is said"),
    pytest.param(
        "shards: {count: 4, resources: {requests: {cpu: 250m, memory: 1Gi}}}",
        ", requestPath: spec.shards.resources",
        4,
        {"cpu": 250, "memory": 2**30, "pods": 1},
        id="plain requests",
    ),
    pytest.param(
        "shards: {count: 2, resources: {limits: {cpu: 1}}}",
        ", requestPath: spec.shards.resources",
        2,
        {"cpu": 1000, "pods": 1},
        id="a limit is a request",
    ),
    pytest.param(
        "shards: {count: 2, pod: {containers: [{resources: {requests: {cpu: 1}}},"
        " {resources: {requests: {cpu: 500m}}}], overhead: {cpu: 100m}}}",
        ", requestPath: spec.shards.pod",
        2,
        {"cpu": 1600, "pods": 1},
        id="a pod spec with its overhead",
    ),
    pytest.param("shards: {count: 0}", "", 0, {"pods": 1}, id="none"),
]


@pytest.mark.parametrize(("spec", "more", "replicas", "request_"), READ)
def test_a_declared_path_is_read(
    load: Load, spec: str, more: str, replicas: int, request_: dict[str, int]
) -> None:
    workload = load(files(spec, SAID % more)).linked[0].workload
    assert workload.main == "Cache//c"
    assert workload.replicas == replicas
    assert dict(workload.request) == request_


WRONG = [
    (
        "shards: {number: 4}",
        SAID % "",
        (
            "workloads/web/all.yaml:5:3: spec.shards.count: is required, but not there"
            " - spec.replicas of the Workload says that the replicas stand here"
        ),
    ),
    (
        "shards: {count: many}",
        SAID % "",
        "workloads/web/all.yaml:5:12: spec.shards.count: wants a whole number, not 'many'",
    ),
    (
        "shards: {count: 1}",
        "{apiVersion: cache.example.org/v1, kind: Cash, path: spec.shards.count}",
        (
            "workloads/web/fleet.yaml:4:19: spec.replicas[0]: the workload has no object of"
            " 'cache.example.org/v1/Cash' - did you mean 'cache.example.org/v1/Cache'?"
        ),
    ),
    (
        "shards: {count: 1}",
        "{apiVersion: cache.example.org/v1, kind: Cache, path: '.spec'}",
        (
            "workloads/web/fleet.yaml:4:67: spec.replicas[0].path: '.spec' is not field names"
            " joined by dots, such as spec.replicas"
        ),
    ),
    (
        "shards: {count: 1, resources: {requests: {cpu: 2}, limits: {cpu: 1}}}",
        SAID % ", requestPath: spec.shards.resources",
        (
            "workloads/web/all.yaml:5:45: spec.shards.resources.requests.cpu: is more than the"
            " limit - raise the limit or ask for less"
        ),
    ),
]


@pytest.mark.parametrize(("spec", "said", "fault"), WRONG)
def test_a_wrong_path_is_refused(faults: Faults, spec: str, said: str, fault: str) -> None:
    assert faults(files(spec, said)) == [fault]


def test_pod_level_resources_and_overhead_are_read(load: Load) -> None:
    deployment = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      overhead: {cpu: 50m, memory: 16Mi}
      resources: {requests: {cpu: "2"}}
      containers: [{name: web, image: web:1, resources: {requests: {cpu: 100m, memory: 1Gi}}}]
"""
    workload = load({"workloads/web/all.yaml": deployment}).linked[0].workload
    asked = {"cpu": 2050, "memory": 2**30 + 16 * 2**20, "pods": 1}
    assert dict(workload.request) == asked
