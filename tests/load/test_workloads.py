"""Folders of objects as workloads: the main object, its replicas, autoscalers, settings."""

from collections.abc import Callable

import pytest

from fleet.model.snapshot import Snapshot
from fleet.model.workload import Autoscaled, Workload

Load = Callable[..., Snapshot]
Faults = Callable[..., list[str]]


def an_object(kind: str, name: str, spec: str, api: str = "apps/v1") -> str:
    return f"""\
apiVersion: {api}
kind: {kind}
metadata: {{name: {name}}}
spec:
  {spec}
  selector: {{matchLabels: {{app: a}}}}
  template:
    metadata: {{labels: {{app: a}}}}
    spec: {{containers: [{{name: a, image: a:1, resources: {{requests: {{cpu: 100m}}}}}}]}}
"""


def an_hpa(spec: str, target: str = "{apiVersion: apps/v1, kind: Deployment, name: a}") -> str:
    return f"""\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: h}}
spec: {{scaleTargetRef: {target}, {spec}}}
"""


def a_scaled_object(spec: str) -> str:
    return f"""\
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {{name: s}}
spec: {{scaleTargetRef: {{name: a}}, triggers: []{spec}}}
"""


def loaded(load: Load, *documents: str) -> Workload:
    snapshot = load({"workloads/web/all.yaml": "---\n".join(documents)})
    return snapshot.linked[0].workload


POD = """\
apiVersion: v1
kind: Pod
metadata: {name: p}
spec: {containers: [{name: a, image: a:1, resources: {requests: {cpu: 100m}}}]}
"""
CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"
JOB = "batch/v1"
CONTAINERS = "{containers: [{name: a, image: a:1, resources: {requests: {cpu: 100m}}}]}"
MAINS = [
    pytest.param([CONFIG], (None, 0, {}, False), id="nothing has replicas"),
    pytest.param(
        [an_object("Deployment", "a", "replicas: 3")],
        ("Deployment//a", 3, {"cpu": 100, "pods": 1}, False),
        id="a deployment",
    ),
    pytest.param(
        [an_object("StatefulSet", "a", "serviceName: a")],
        ("StatefulSet//a", 1, {"cpu": 100, "pods": 1}, False),
        id="one replica where none is said",
    ),
    pytest.param(
        [an_object("ReplicaSet", "a", "replicas: 0")],
        ("ReplicaSet//a", 0, {"cpu": 100, "pods": 1}, False),
        id="zero replicas",
    ),
    pytest.param(
        [an_object("Job", "a", "parallelism: 5", JOB)],
        ("Job//a", 5, {"cpu": 100, "pods": 1}, False),
        id="a job's parallelism",
    ),
    pytest.param(
        [an_object("Job", "a", "parallelism: 5\n  completions: 2", JOB)],
        ("Job//a", 2, {"cpu": 100, "pods": 1}, False),
        id="a job runs no more pods than it completes",
    ),
    pytest.param(
        [an_object("Job", "a", "completions: 9", JOB)],
        ("Job//a", 1, {"cpu": 100, "pods": 1}, False),
        id="a job runs one pod at a time by default",
    ),
    pytest.param(
        [an_object("DaemonSet", "a", "minReadySeconds: 1")],
        ("DaemonSet//a", 1, {"cpu": 100, "pods": 1}, True),
        id="a daemon set is once per cluster",
    ),
    pytest.param([POD], ("Pod//p", 1, {"cpu": 100, "pods": 1}, True), id="a bare pod"),
    pytest.param(
        [an_object("Deployment", "a", "replicas: 2"), an_object("Deployment", "b", "replicas: 6")],
        ("Deployment//b", 6, {"cpu": 134, "pods": 2}, False),
        id="most replicas are the main object, the others are shared out",
    ),
    pytest.param(
        [an_object("Deployment", "b", "replicas: 2"), an_object("Deployment", "a", "replicas: 2")],
        ("Deployment//b", 2, {"cpu": 200, "pods": 2}, False),
        id="of equals the first in the file",
    ),
    pytest.param(
        [an_object("Job", "a", "parallelism: 1", JOB), an_object("Deployment", "a", "replicas: 1")],
        ("Deployment//a", 1, {"cpu": 200, "pods": 2}, False),
        id="a job gives way",
    ),
    pytest.param(
        [an_object("DaemonSet", "a", "minReadySeconds: 1"), an_object("Deployment", "a", "x: 1")],
        ("Deployment//a", 1, {"cpu": 200, "pods": 2}, False),
        id="a daemon set gives way",
    ),
    pytest.param(
        [
            an_object(
                "CronJob",
                "a",
                f"jobTemplate: {{spec: {{parallelism: 3, template: {{spec: {CONTAINERS}}}}}}}",
                JOB,
            )
        ],
        ("CronJob//a", 1, {"cpu": 300, "pods": 3}, True),
        id="a cron job is once per cluster, as large as its job runs in parallel",
    ),
    pytest.param(
        [
            an_object(
                "CronJob",
                "a",
                f"suspend: true\n  jobTemplate: {{spec: {{template: {{spec: {CONTAINERS}}}}}}}",
                JOB,
            )
        ],
        ("CronJob//a", 1, {}, True),
        id="a suspended cron job runs nothing",
    ),
    pytest.param(
        [
            an_object(
                "CronJob",
                "a",
                f"jobTemplate: {{spec: {{parallelism: 4, template: {{spec: {CONTAINERS}}}}}}}",
                JOB,
            ),
            an_object("Deployment", "b", "replicas: 2"),
        ],
        ("Deployment//b", 2, {"cpu": 300, "pods": 3}, False),
        id="a cron job that comes along is shared out",
    ),
]


@pytest.mark.parametrize(("documents", "expected"), MAINS)
def test_main_object_and_its_request(
    load: Load, documents: list[str], expected: tuple[str | None, int, dict[str, int], bool]
) -> None:
    workload = loaded(load, *documents)
    assert (
        workload.main,
        workload.replicas,
        dict(workload.request),
        workload.per_cluster,
    ) == expected


HPA = "HorizontalPodAutoscaler//h"
AUTOSCALED = [
    (an_hpa("minReplicas: 2, maxReplicas: 9"), Autoscaled(HPA, 2, 9)),
    (an_hpa("maxReplicas: 9"), Autoscaled(HPA, 1, 9)),
    (an_hpa("maxReplicas: 9", "{kind: Deployment, name: a}"), Autoscaled(HPA, 1, 9)),
    (a_scaled_object(""), Autoscaled("ScaledObject//s", 0, 100)),
    (
        a_scaled_object(", minReplicaCount: 2, maxReplicaCount: 3"),
        Autoscaled("ScaledObject//s", 2, 3),
    ),
]


@pytest.mark.parametrize(("scaler", "expected"), AUTOSCALED)
def test_autoscaler_owns_the_replicas(load: Load, scaler: str, expected: Autoscaled) -> None:
    workload = loaded(load, an_object("Deployment", "a", "replicas: 7"), scaler)
    assert workload.autoscaled == expected
    assert workload.replicas == expected.minimum


OTHERS = [
    an_hpa("maxReplicas: 9", "{apiVersion: apps/v1, kind: StatefulSet, name: a}"),
    an_hpa("maxReplicas: 9", "{apiVersion: apps/v1, kind: Deployment, name: b}"),
    an_hpa("maxReplicas: 9", "{apiVersion: argoproj.io/v1alpha1, kind: Deployment, name: a}"),
    an_hpa("maxReplicas: 9").replace("name: h}", "name: h, namespace: other}"),
]


@pytest.mark.parametrize("scaler", OTHERS)
def test_autoscaler_of_something_else_changes_nothing(load: Load, scaler: str) -> None:
    workload = loaded(load, an_object("Deployment", "a", "replicas: 7"), scaler)
    assert (workload.autoscaled, workload.replicas) == (None, 7)


def test_autoscaled_object_goes_before_one_with_more_replicas(load: Load) -> None:
    workload = loaded(
        load,
        an_object("Deployment", "b", "replicas: 9"),
        an_object("Deployment", "a", "replicas: 1"),
        an_hpa("minReplicas: 3, maxReplicas: 9"),
    )
    assert (workload.main, workload.replicas) == ("Deployment//a", 3)
    assert dict(workload.request) == {"cpu": 400, "pods": 4}


def test_lists_are_taken_apart_in_order(load: Load) -> None:
    text = """\
apiVersion: v1
kind: List
items:
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
  - apiVersion: v1
    kind: SecretList
    items: [{metadata: {name: b, namespace: x}}, {metadata: {name: c}}]
  - {apiVersion: v1, kind: List, items: }
"""
    workload = loaded(load, text)
    assert [each.key for each in workload.manifests] == ["ConfigMap//a", "Secret/x/b", "Secret//c"]
    assert [str(each.source) for each in workload.manifests] == [
        "workloads/web/all.yaml:4:5",
        "workloads/web/all.yaml:7:13",
        "workloads/web/all.yaml:7:50",
    ]
    assert workload.manifests[1].body["apiVersion"] == "v1"
    origin = workload.manifests[1].origin
    assert str(origin.at("metadata", "namespace")) == "workloads/web/all.yaml:7:34"


def test_single_file_and_sub_folders_are_workloads(load: Load) -> None:
    snapshot = load(
        {
            "workloads/web/all.yaml": None,
            "workloads/web/b/2.yml": CONFIG.replace("c}", "two}"),
            "workloads/web/a.yaml": CONFIG.replace("c}", "one}"),
            "workloads/web/.hidden.yaml": "broken: [",
            "workloads/web/notes.txt": "broken: [",
            "workloads/.git/x.yaml": "broken: [",
            "workloads/api.yaml": CONFIG.replace("c}", "three}"),
            "policies/api.yaml": "apiVersion: fleet/v1\nkind: PlacementPolicy\n"
            "metadata: {name: api}\nspec: {workloads: [api]}\n",
        }
    )
    names = {each.workload.name: each.workload for each in snapshot.linked}
    assert list(names) == ["api", "web"]
    assert [each.name for each in names["web"].manifests] == ["one", "two"]
    assert str(names["api"].source) == "workloads/api.yaml:1:1"


def test_settings_document_is_read_in_fleets_own_dialect(load: Load) -> None:
    text = """\
apiVersion: fleet/v1
kind: Workload
metadata: {name: web}
spec: {adopt: true, waitSeconds: 60, renamedFrom: [no], namespaces: {create: [shop]}}
"""
    for name in ("workloads/web/fleet.yaml", "workloads/web/zzz.yaml"):
        workload = load({name: text}).linked[0].workload
        assert workload.settings.adopt
        assert workload.settings.wait_seconds == 60
        assert workload.settings.renamed_from == ("no",)
        assert workload.settings.namespaces.create == ("shop",)
        load({name: None})


def test_kubernetes_words_keep_their_meaning_in_bodies(load: Load) -> None:
    text = CONFIG.replace("kind: ConfigMap", "kind: Thing").replace("v1\n", "a.b/v1\n", 1)
    workload = loaded(
        load, text + "spec: {a: on, b: 012, c: 0x10, d: 1e3, e: 2024-01-01, f: 1.0}\n"
    )
    assert workload.manifests[0].body["spec"] == {
        "a": True,
        "b": 10,
        "c": 16,
        "d": 1000,
        "e": "2024-01-01",
        "f": 1,
    }


def test_null_in_a_map_of_text_is_empty_text(load: Load) -> None:
    workload = loaded(load, CONFIG + "data: {a: , b: ~}\n")
    assert workload.manifests[0].body["data"] == {"a": "", "b": ""}


NAMESPACE = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop%s}\n"


def test_equal_namespace_is_shared_and_a_different_one_is_refused(
    load: Load, faults: Faults
) -> None:
    policy = (
        "apiVersion: fleet/v1\nkind: PlacementPolicy\nmetadata: {name: x}\n"
        "spec: {workloads: [a, b]}\n"
    )
    files = {
        "policies/x.yaml": policy,
        "workloads/a.yaml": NAMESPACE % "",
        "workloads/b.yaml": NAMESPACE % "",
    }
    assert len(load(files).linked) == 3
    files["workloads/b.yaml"] = NAMESPACE % ", labels: {a: b}"
    assert faults(files) == [
        (
            "workloads/b.yaml:1:1: the namespace 'shop' differs from the one of workload 'a' at "
            "workloads/a.yaml:1:1 - make the two equal, or keep one"
        )
    ]
