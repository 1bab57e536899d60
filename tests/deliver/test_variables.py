"""`${cluster.region}` in texts."""

from typing import Any

import pytest

from fleet.deliver.place import Place
from fleet.deliver.variables import substituted, variables_of
from fleet.model.decision import Assignment, Role
from fleet.model.workload import WorkloadSettings
from tests.builders import a_cluster, a_snapshot, linked
from tests.deliver.kit import (
    a_deployment,
    a_schedule,
    an_object,
    faults_of,
    objects_on,
    planned,
    two_clusters,
    web,
)

CLUSTER = a_cluster("eu-1", "eu-west-1", provider="aws", labels={"tier": "gold"})
KNOWN = variables_of(Place(web(), CLUSTER, Assignment("eu-1", 1, Role.STANDBY)))

TEXTS: list[tuple[Any, Any]] = [
    ("${cluster.name}", "eu-1"),
    ("a-${cluster.region}-${cluster.provider}", "a-eu-west-1-aws"),
    ("${cluster.labels.tier}", "gold"),
    ("${role} of ${workload}", "standby of web"),
    ("$${cluster.name}", "${cluster.name}"),
    ("$cluster.name $(VAR) {} ${", "$cluster.name $(VAR) {} ${"),
    ({"a": ["${role}", 1, True, None]}, {"a": ["standby", 1, True, None]}),
    ({"${role}": 1}, {"${role}": 1}),
]


@pytest.mark.parametrize(("value", "expected"), TEXTS)
def test_variables_are_replaced(value: object, expected: object) -> None:
    assert substituted(value, KNOWN, lambda *_: pytest.fail("unknown")) == expected


UNKNOWN = [
    ("${cluster.regoin}", "did you mean '${cluster.region}'?"),
    ("${cluster.labels.teir}", "has no label 'teir'; did you mean '${cluster.labels.tier}'?"),
    ("${HOME}", "'$${' is a plain '${'"),
    ("${cluster.region", "close it; '$${' is a plain '${'"),
]


@pytest.mark.parametrize(("text", "hint"), UNKNOWN)
def test_an_unknown_variable_stays_and_is_told(text: str, hint: str) -> None:
    told: list[tuple[object, str, str]] = []
    assert substituted([text], KNOWN, lambda *it: told.append(it)) == [text]
    ((path, sentence, said),) = told
    assert path == (0,)
    assert text in sentence
    assert hint in said


def test_manifests_keep_their_texts_unless_asked() -> None:
    config = an_object("ConfigMap", data={"region": "${cluster.region}"})
    body = objects_on(planned(web(a_deployment(), config)), "us-1")["ConfigMap/default/web"]
    assert body["data"] == {"region": "${cluster.region}"}


def test_manifests_are_substituted_where_asked() -> None:
    config = an_object("ConfigMap", data={"region": "${cluster.region}"})
    workload = web(a_deployment(), config, settings=WorkloadSettings(substitute=True))
    body = objects_on(planned(workload), "us-1")["ConfigMap/default/web"]
    assert body["data"] == {"region": "us-east-1"}
    assert config.body["data"] == {"region": "${cluster.region}"}


def test_an_unknown_variable_in_a_manifest_is_refused_at_its_place() -> None:
    config = an_object("ConfigMap", data={"a": "${zone}"})
    workload = web(a_deployment(), config, settings=WorkloadSettings(substitute=True))
    snapshot = a_snapshot(two_clusters(), [linked(workload)])
    (fault,) = faults_of(snapshot, a_schedule({"web": {"eu-1": 4, "us-1": 2}}))
    assert fault.startswith(
        "workloads/web/ConfigMap.yaml:1:1: data.a: no variable '${zone}' on clusters 'eu-1', 'us-1'"
    )
