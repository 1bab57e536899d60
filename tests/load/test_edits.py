"""Edits of a question: made to what was read, as if the files said so."""

from collections.abc import Callable
from pathlib import Path

import pytest

from fleet.errors import InvalidError
from fleet.load import load_snapshot
from fleet.load.settings import parse_settings
from fleet.model.base import Resources
from fleet.model.edits import CapacityEdit, Edits, LabelEdit, ReplicasEdit, TaintEdit
from fleet.model.inventory import Cluster
from fleet.model.snapshot import Snapshot
from fleet.model.workload import Workload

TAINTED = """\
apiVersion: fleet/v1
kind: Cluster
metadata: {name: eu-1, labels: {env: prod}}
spec:
  region: eu-west-1
  taints: [{key: gpu, value: a, effect: NoSchedule}, {key: gpu, value: b, effect: NoExecute}]
  capacity: {allocatable: {cpu: 4, memory: 8Gi}}
"""
COMPANION = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: worker}
spec:
  replicas: 2
  selector: {matchLabels: {app: worker}}
  template:
    metadata: {labels: {app: worker}}
    spec: {containers: [{name: worker, image: web:1, resources: {requests: {cpu: 300m}}}]}
"""
JOB = """\
apiVersion: batch/v1
kind: Job
metadata: {name: web}
spec:
  parallelism: 2
  completions: 3
  template:
    spec: {restartPolicy: Never, containers: [{name: web, image: web:1}]}
"""
SCALER = """\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 2
  maxReplicas: 5
"""
AGENT = """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: web:1}]}
"""
CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n"

Edited = Callable[..., Snapshot]


@pytest.fixture
def edited(load: Callable[..., Snapshot], tmp_path: Path) -> Edited:
    """Loads the good fleet with some files changed, and with edits."""

    def loaded(edits: Edits, files: dict[str, str | None] | None = None) -> Snapshot:
        load(files)
        return load_snapshot(parse_settings({}), tmp_path, edits=edits)

    return loaded


def cluster(snapshot: Snapshot, name: str = "eu-1") -> Cluster:
    return next(each for each in snapshot.clusters if each.name == name)


def the_workload(snapshot: Snapshot) -> Workload:
    return snapshot.linked[0].workload


TAINTS = [
    pytest.param(
        TaintEdit("eu-1", "x", "y", "NoSchedule"),
        {"gpu=a:NoSchedule", "gpu=b:NoExecute", "x=y:NoSchedule"},
        id="one more",
    ),
    pytest.param(
        TaintEdit("eu-1", "gpu", "c", "NoExecute"),
        {"gpu=a:NoSchedule", "gpu=c:NoExecute"},
        id="another value",
    ),
    pytest.param(
        TaintEdit("eu-1", "gpu", effect="NoExecute", gone=True), {"gpu=a:NoSchedule"}, id="less"
    ),
    pytest.param(TaintEdit("eu-1", "gpu", gone=True), set(), id="of every effect"),
]


@pytest.mark.parametrize(("asked", "expected"), TAINTS)
def test_taints_come_and_go_as_with_kubectl(
    edited: Edited, asked: TaintEdit, expected: set[str]
) -> None:
    found = cluster(edited(Edits(taints=(asked,)), {"inventory/dev.yaml": TAINTED}))
    assert {f"{it.key}={it.value}:{it.effect}" for it in found.spec.taints} == expected


def test_labels_come_and_go(edited: Edited) -> None:
    edits = Edits(labels=(LabelEdit("eu-1", "tier", "gold"), LabelEdit("us-1", "env", None)))
    snapshot = edited(edits)
    assert cluster(snapshot).labels == {"env": "prod", "tier": "gold"}
    assert cluster(snapshot, "us-1").labels == {}


def test_capacity_changes_where_it_is_named(edited: Edited) -> None:
    edits = Edits(capacities=(CapacityEdit("eu-1", Resources({"cpu": 500, "pods": 9})),))
    free = cluster(edited(edits, {"inventory/dev.yaml": TAINTED})).free
    assert free == {"cpu": 500, "memory": 8 * 1024**3, "pods": 9}


@pytest.mark.parametrize("resource", ["cpuu", "nvidia.com/gpu"])
def test_capacity_of_what_nobody_has_or_asks_for_is_refused(edited: Edited, resource: str) -> None:
    edits = Edits(capacities=(CapacityEdit("eu-1", Resources({resource: 5})),))
    with pytest.raises(InvalidError) as refused:
        edited(edits, {"inventory/dev.yaml": TAINTED})
    sentence = f"--capacity: no cluster has '{resource}', and no workload asks for it"
    assert str(refused.value).startswith(sentence)


def test_a_removed_cluster_is_in_no_inventory(edited: Edited) -> None:
    snapshot = edited(Edits(removed=("us-1",)))
    assert [each.name for each in snapshot.clusters] == ["eu-1"]
    assert list(snapshot.states) == ["eu-1"]


def test_replicas_are_as_if_the_file_said_so(edited: Edited, load: Callable[..., Snapshot]) -> None:
    asked = the_workload(edited(Edits(replicas=(ReplicasEdit("web", 7),))))
    assert (asked.replicas, asked.manifests[0].body["spec"]["replicas"]) == (7, 7)
    written = the_workload(load())
    assert (written.replicas, written.manifests[0].body["spec"]["replicas"]) == (2, 2)


def test_companions_are_charged_in_the_new_proportion(edited: Edited) -> None:
    files = {"workloads/web/worker.yaml": COMPANION}
    few = the_workload(edited(Edits(replicas=(ReplicasEdit("web", 3),)), files))
    many = the_workload(edited(Edits(replicas=(ReplicasEdit("web", 6),)), files))
    assert (few.main, few.request["cpu"]) == ("Deployment//web", 100 + 300 * 2 // 3)
    assert (many.main, many.request["cpu"]) == ("Deployment//web", 100 + 300 * 2 // 6)


def test_an_autoscaler_s_minimum_is_the_number(edited: Edited) -> None:
    files = {"workloads/web/scaler.yaml": SCALER}
    some = the_workload(edited(Edits(replicas=(ReplicasEdit("web", 3),)), files)).autoscaled
    more = the_workload(edited(Edits(replicas=(ReplicasEdit("web", 9),)), files)).autoscaled
    assert some is not None
    assert more is not None
    assert (some.minimum, some.maximum) == (3, 5)
    assert (more.minimum, more.maximum) == (9, 9)


def test_a_job_runs_as_many_at_once(edited: Edited) -> None:
    files = {"workloads/web/all.yaml": JOB}
    workload = the_workload(edited(Edits(replicas=(ReplicasEdit("web", 3),)), files))
    assert (workload.replicas, workload.manifests[0].body["spec"]["parallelism"]) == (3, 3)


FAULTS = [
    pytest.param(
        Edits(taints=(TaintEdit("eu1", "a", effect="NoSchedule"),)),
        {},
        "--taint: there is no cluster 'eu1' - did you mean 'eu-1'?",
        id="a taint nowhere",
    ),
    pytest.param(
        Edits(taints=(TaintEdit("eu-1", "gqu", gone=True),)),
        {"inventory/dev.yaml": TAINTED},
        "--taint: cluster 'eu-1' has no taint 'gqu' - did you mean 'gpu'?",
        id="no such taint",
    ),
    pytest.param(
        Edits(taints=(TaintEdit("eu-1", "gpu", effect="PreferNoSchedule", gone=True),)),
        {"inventory/dev.yaml": TAINTED},
        "--taint: cluster 'eu-1' has no taint 'gpu:PreferNoSchedule' - did you mean 'gpu'?",
        id="no such effect",
    ),
    pytest.param(
        Edits(labels=(LabelEdit("eu-1", "evn", None),)),
        {},
        "--label: cluster 'eu-1' has no label 'evn' - did you mean 'env'?",
        id="no such label",
    ),
    pytest.param(
        Edits(labels=(LabelEdit("ap-1", "a", "b"),)),
        {},
        "--label: there is no cluster 'ap-1' - known are 'eu-1', 'us-1'",
        id="a label nowhere",
    ),
    pytest.param(
        Edits(capacities=(CapacityEdit("eu-11", Resources({"cpu": 1})),)),
        {},
        "--capacity: there is no cluster 'eu-11' - did you mean 'eu-1'?",
        id="capacity of nothing",
    ),
    pytest.param(
        Edits(removed=("us1",)),
        {},
        "--remove: there is no cluster 'us1' - did you mean 'us-1'?",
        id="nothing to remove",
    ),
    pytest.param(
        Edits(replicas=(ReplicasEdit("wbe", 1),)),
        {},
        "--replicas: there is no workload 'wbe' - did you mean 'web'?",
        id="replicas of nothing",
    ),
    pytest.param(
        Edits(replicas=(ReplicasEdit("web", 3),)),
        {"workloads/web/all.yaml": AGENT},
        "--replicas: workload 'web' has no number of replicas to change",
        id="one per node",
    ),
    pytest.param(
        Edits(replicas=(ReplicasEdit("web", 3),)),
        {"workloads/web/all.yaml": CONFIG_MAP},
        "--replicas: workload 'web' has no number of replicas to change",
        id="no replicas at all",
    ),
    pytest.param(
        Edits(replicas=(ReplicasEdit("web", 9),)),
        {"workloads/web/all.yaml": JOB},
        "--replicas: workload 'web' would run 3 of Job//web all the same",
        id="a job that completes before",
    ),
    pytest.param(
        Edits(replicas=(ReplicasEdit("web", 1),)),
        {"workloads/web/worker.yaml": COMPANION},
        "--replicas: workload 'web' would run 2 of Deployment//worker all the same",
        id="a companion that is larger then",
    ),
]


@pytest.mark.parametrize(("edits", "files", "sentence"), FAULTS)
def test_a_fault_names_its_option(
    edited: Edited, edits: Edits, files: dict[str, str], sentence: str
) -> None:
    with pytest.raises(InvalidError) as caught:
        edited(edits, files)
    assert str(caught.value) == sentence


def test_a_policy_that_names_a_removed_cluster_is_told_at_its_line(edited: Edited) -> None:
    policy = (
        "apiVersion: fleet/v1\nkind: PlacementPolicy\nmetadata: {name: web}\nspec:\n"
        "  workloads: [web]\n  affinity: {required: [{clusters: [us-1]}]}\n"
    )
    with pytest.raises(InvalidError) as caught:
        edited(Edits(removed=("us-1",)), {"policies/web.yaml": policy})
    assert "policies/web.yaml:6:" in str(caught.value)
    assert "there is no cluster 'us-1'" in str(caught.value)


def test_a_provider_that_nobody_says_cannot_be_lost(faults: Callable[..., list[str]]) -> None:
    policy = (
        "apiVersion: fleet/v1\nkind: PlacementPolicy\nmetadata: {name: web}\nspec:\n"
        "  workloads: [web]\n  survive: provider\n"
    )
    assert faults({"policies/web.yaml": policy}) == [
        "policies/web.yaml:6:3: spec.survive: no cluster says its provider"
    ]
