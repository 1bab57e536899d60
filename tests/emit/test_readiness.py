"""When an object is ready, and what is said of one that is not."""

from typing import Any

import pytest

from fleet.emit.readiness import missing
from fleet.model.plan import ReadyTarget

DEFINITION = "CustomResourceDefinition"


def a_target(kind: str, replicas: int = 3) -> ReadyTarget:
    return ReadyTarget("apps/v1", kind, "shop", "web", replicas)


def live(
    status: dict[str, Any] | None, spec: dict[str, Any] | None = None, generation: int = 2
) -> dict[str, Any]:
    return {"metadata": {"generation": generation}, "spec": spec, "status": status}


def seen(**status: Any) -> dict[str, Any]:
    """A status whose controller has seen the last change."""
    return live({"observedGeneration": 2, **status})


def condition(kind: str, status: str = "True", **more: str) -> dict[str, Any]:
    return {"conditions": [{"type": kind, "status": status, **more}]}


NOT_SEEN = "its controller has not seen the change yet"

CASES = [
    pytest.param(
        "Deployment",
        seen(replicas=3, updatedReplicas=3, availableReplicas=3),
        None,
        id="deployment: all new and available",
    ),
    pytest.param("Deployment", live({}), NOT_SEEN, id="deployment: new, no status yet"),
    pytest.param("Deployment", live(None), NOT_SEEN, id="deployment: status is null"),
    pytest.param(
        "Deployment",
        live({"observedGeneration": 1, "updatedReplicas": 3, "availableReplicas": 3}),
        NOT_SEEN,
        id="deployment: the status is of the generation before",
    ),
    pytest.param(
        "Deployment", seen(), "0 of 3 replicas run the new version", id="deployment: none created"
    ),
    pytest.param(
        "Deployment",
        seen(replicas=4, updatedReplicas=1, availableReplicas=3),
        "1 of 3 replicas run the new version",
        id="deployment: half-way",
    ),
    pytest.param(
        "Deployment",
        seen(replicas=6, updatedReplicas=3, availableReplicas=3),
        "3 replicas of the old version are still there",
        id="deployment: only the old replicas are available",
    ),
    pytest.param(
        "Deployment",
        seen(replicas=3, updatedReplicas=3, availableReplicas=2),
        "2 of 3 replicas ready",
        id="deployment: one is not available",
    ),
    pytest.param(
        "Deployment",
        seen(replicas=5, updatedReplicas=5, availableReplicas=4),
        None,
        id="deployment: an autoscaler has added more than the minimum",
    ),
    pytest.param("ReplicaSet", seen(readyReplicas=3), None, id="replica set: ready"),
    pytest.param(
        "ReplicaSet", seen(readyReplicas=1), "1 of 3 replicas ready", id="replica set: not ready"
    ),
    pytest.param("ReplicaSet", live({}), NOT_SEEN, id="replica set: no status yet"),
    pytest.param(
        "StatefulSet", seen(updatedReplicas=3, readyReplicas=3), None, id="stateful set: ready"
    ),
    pytest.param(
        "StatefulSet",
        seen(updatedReplicas=2, readyReplicas=3),
        "2 of 3 replicas run the new version",
        id="stateful set: half-way",
    ),
    pytest.param(
        "StatefulSet",
        seen(updatedReplicas=3, readyReplicas=2),
        "2 of 3 replicas ready",
        id="stateful set: one is not ready",
    ),
    pytest.param("StatefulSet", live({}), NOT_SEEN, id="stateful set: no status yet"),
    pytest.param(
        "StatefulSet",
        live(
            {"observedGeneration": 2, "updatedReplicas": 0, "readyReplicas": 3},
            {"updateStrategy": {"type": "OnDelete"}},
        ),
        None,
        id="stateful set: updated by hand, so nobody waits for it",
    ),
    pytest.param(
        "StatefulSet",
        live(
            {"observedGeneration": 2, "updatedReplicas": 1, "readyReplicas": 3},
            {"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 2}}},
        ),
        None,
        id="stateful set: a partition keeps the rest old",
    ),
    pytest.param(
        "StatefulSet",
        live(
            {"observedGeneration": 2, "updatedReplicas": 0, "readyReplicas": 3},
            {"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 2}}},
        ),
        "0 of 1 replicas run the new version",
        id="stateful set: its part above the partition is old",
    ),
    pytest.param(
        "DaemonSet",
        seen(desiredNumberScheduled=2, updatedNumberScheduled=2, numberAvailable=2),
        None,
        id="daemon set: on every node",
    ),
    pytest.param(
        "DaemonSet",
        seen(desiredNumberScheduled=2, updatedNumberScheduled=2, numberAvailable=1),
        "1 of 2 nodes ready",
        id="daemon set: one node is not ready",
    ),
    pytest.param(
        "DaemonSet",
        seen(desiredNumberScheduled=2, updatedNumberScheduled=0, numberAvailable=2),
        "0 of 2 nodes run the new version",
        id="daemon set: only the old pods are available",
    ),
    pytest.param(
        "DaemonSet",
        live(
            {"observedGeneration": 2, "desiredNumberScheduled": 2, "numberAvailable": 2},
            {"updateStrategy": {"type": "OnDelete"}},
        ),
        None,
        id="daemon set: updated by hand, so nobody waits for it",
    ),
    pytest.param(
        "DaemonSet", seen(desiredNumberScheduled=0), None, id="daemon set: no node wants it"
    ),
    pytest.param("DaemonSet", live({}), NOT_SEEN, id="daemon set: no status yet"),
    pytest.param("Job", live({"ready": 3}), None, id="job: its pods run"),
    pytest.param("Job", live({"ready": 1}), "1 of 3 pods running", id="job: too few pods"),
    pytest.param("Job", live({}), "0 of 3 pods running", id="job: no status yet"),
    pytest.param("Job", live({"succeeded": 1}), None, id="job: a pod has succeeded"),
    pytest.param(
        "Job", live({"completionTime": "2026-01-01T00:00:00Z"}), None, id="job: completed"
    ),
    pytest.param(
        "Job",
        live(condition("Failed", reason="BackoffLimitExceeded")),
        "the job failed: BackoffLimitExceeded",
        id="job: failed",
    ),
    pytest.param(
        "Job",
        live({"succeeded": 1, **condition("Failed")}),
        "the job failed: no reason given",
        id="job: failed after a pod had succeeded",
    ),
    pytest.param(
        "Job", live({"ready": 3, **condition("Failed", "False")}), None, id="job: not failed"
    ),
    pytest.param(DEFINITION, live(condition("Established")), None, id="definition: served"),
    pytest.param(
        DEFINITION,
        live(condition("Established", "False")),
        "its API is not served yet",
        id="definition: not served",
    ),
    pytest.param(DEFINITION, live({}), "its API is not served yet", id="definition: no status yet"),
    pytest.param("Service", live(None), None, id="a kind without a rule is ready once it exists"),
    pytest.param(
        "Gateway",
        live({"observedGeneration": 1}),
        None,
        id="a kind without a rule, whatever its status says",
    ),
]


@pytest.mark.parametrize(("kind", "found", "expected"), CASES)
def test_missing_says_what_an_object_lacks(
    kind: str, found: dict[str, Any], expected: str | None
) -> None:
    assert missing(a_target(kind), found) == expected


@pytest.mark.parametrize("kind", ["Deployment", "Job", DEFINITION, "Service"])
def test_an_object_that_is_not_there_is_not_ready(kind: str) -> None:
    assert missing(a_target(kind), None) == "it does not exist yet"


def test_an_object_without_metadata_counts_as_seen() -> None:
    assert missing(a_target("ReplicaSet"), {"status": {"readyReplicas": 3}}) is None
