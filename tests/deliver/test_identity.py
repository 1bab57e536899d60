"""What objects are called, which type they have, and what is waited for."""

import importlib
import re
from pathlib import Path
from typing import Any

import pulumi_kubernetes
import pytest

from fleet.deliver.identity import OWNER, PATCH_FORCE, PROPAGATION, SKIP_AWAIT, token_of
from fleet.deliver.scopes import namespace_of, scopes_of
from fleet.model.decision import Assignment
from fleet.model.workload import Manifest
from tests.deliver.kit import a_deployment, an_object, every_object, objects_on, planned, web
from tests.deliver.test_manifests import hpa, job

SDK = Path(next(iter(pulumi_kubernetes.__path__)))

KINDS = [
    ("core.v1.ConfigMap", "v1"),
    ("core.v1.Service", "v1"),
    ("core.v1.Namespace", "v1"),
    ("apps.v1.Deployment", "apps/v1"),
    ("apps.v1.StatefulSet", "apps/v1"),
    ("batch.v1.Job", "batch/v1"),
    ("networking.v1.Ingress", "networking.k8s.io/v1"),
    ("autoscaling.v2.HorizontalPodAutoscaler", "autoscaling/v2"),
    ("policy.v1.PodDisruptionBudget", "policy/v1"),
    ("rbac.v1.Role", "rbac.authorization.k8s.io/v1"),
    ("rbac.v1.ClusterRoleBinding", "rbac.authorization.k8s.io/v1"),
    ("apiextensions.v1.CustomResourceDefinition", "apiextensions.k8s.io/v1"),
    ("apiregistration.v1.APIService", "apiregistration.k8s.io/v1"),
    ("storage.v1.StorageClass", "storage.k8s.io/v1"),
    ("flowcontrol.v1.FlowSchema", "flowcontrol.apiserver.k8s.io/v1"),
]


@pytest.mark.parametrize(("place", "api"), KINDS)
def test_tokens_are_those_of_the_sdk(place: str, api: str) -> None:
    kind = place.rpartition(".")[2]
    module = importlib.import_module(f"pulumi_kubernetes.{place}")
    source = Path(str(module.__file__)).read_text()
    tokens = re.findall(r"__self__\)\.__init__\(\s*'(kubernetes:[^']+)'", source)
    assert set(tokens) == {token_of({"apiVersion": api, "kind": kind})}


def test_a_custom_resources_token_is_the_sdks() -> None:
    source = (SDK / "apiextensions" / "CustomResource.py").read_text()
    assert 'f"kubernetes:{api_version}:{kind}"' in source
    body = {"apiVersion": "cert-manager.io/v1", "kind": "Issuer"}
    assert token_of(body) == "kubernetes:cert-manager.io/v1:Issuer"


def definition(scope: str) -> dict[str, Any]:
    spec = {"group": "x.example", "names": {"kind": "Thing"}, "scope": scope}
    return {"kind": "CustomResourceDefinition", "spec": spec}


def a_body(api: str, kind: str, namespace: str | None = None) -> dict[str, Any]:
    metadata = {"name": "a"} | ({"namespace": namespace} if namespace else {})
    return {"apiVersion": api, "kind": kind, "metadata": metadata}


SCOPES = [
    pytest.param(a_body("v1", "Service"), None, "default", id="a namespaced kind without one"),
    pytest.param(a_body("v1", "Service", "shop"), None, "shop", id="a namespaced kind with one"),
    pytest.param(a_body("apps/v1", "Deployment"), None, "default", id="a group without others"),
    pytest.param(
        a_body("rbac.authorization.k8s.io/v1", "ClusterRole"), None, "", id="a cluster-scoped kind"
    ),
    pytest.param(a_body("v1", "Node", "shop"), None, "", id="a cluster-scoped kind with one"),
    pytest.param(a_body("x.example/v1", "Thing"), "Cluster", "", id="a definition says cluster"),
    pytest.param(a_body("x.example/v1", "Thing"), "Namespaced", "default", id="it says namespaced"),
    pytest.param(a_body("x.example/v1", "Thing"), None, "", id="nobody knows, none written"),
    pytest.param(a_body("x.example/v1", "Thing", "shop"), None, "shop", id="nobody knows, one is"),
]


@pytest.mark.parametrize(("body", "scope", "expected"), SCOPES)
def test_the_namespace_of_a_name(body: dict[str, Any], scope: str | None, expected: str) -> None:
    scopes = scopes_of([definition(scope)] if scope else [])
    assert namespace_of(body, scopes) == expected


def test_names_and_keys_of_objects() -> None:
    plan = planned(
        web(a_deployment(), an_object("ClusterRole", api="rbac.authorization.k8s.io/v1"))
    )
    names = [each.name for each in every_object(plan) if each.cluster == "us-1"]
    assert names == ["web/us-1/ClusterRole//web", "web/us-1/Deployment/default/web"]


def test_objects_are_stamped_but_never_their_pods() -> None:
    body = objects_on(planned(), "eu-1")["Deployment/default/web"]
    assert body["metadata"]["annotations"] == {
        OWNER: "web",
        SKIP_AWAIT: "true",
        PROPAGATION: "background",
        PATCH_FORCE: "true",
    }
    assert "annotations" not in body["spec"]["template"]["metadata"]


def test_annotations_of_the_file_stay() -> None:
    kept = an_object("Service", metadata={"annotations": {"a": "b"}})
    body = objects_on(planned(web(a_deployment(), kept)), "eu-1")["Service/default/web"]
    assert body["metadata"]["annotations"]["a"] == "b"


def test_only_secrets_are_secret_and_definitions_come_first() -> None:
    crd = an_object("CustomResourceDefinition", "things.x.example", api="apiextensions.k8s.io/v1")
    objects = every_object(planned(web(a_deployment(), an_object("Secret"), crd), {"eu-1": 4}))
    stages = {each.body["kind"]: (each.stage, each.secret) for each in objects}
    assert stages == {
        "CustomResourceDefinition": (1, False),
        "Deployment": (3, False),
        "Secret": (2, True),
    }


def test_a_digest_changes_with_the_body_and_with_nothing_else() -> None:
    one, two = every_object(planned(placed={"eu-1": 4, "us-1": 4}))
    assert len(one.digest) == 16
    assert one.digest == two.digest
    (other,) = every_object(planned(placed={"eu-1": 3}))
    assert other.digest != one.digest


def test_a_fingerprint_tells_sets_apart() -> None:
    (one,) = planned(web(a_deployment()), {"eu-1": 4}).workloads
    (two,) = planned(web(a_deployment(), an_object("Secret")), {"eu-1": 4}).workloads
    assert one.deliveries[0].fingerprint != two.deliveries[0].fingerprint


CRD = an_object("CustomResourceDefinition", "things.x.example", api="apiextensions.k8s.io/v1")
READY = [
    pytest.param((a_deployment(),), {"Deployment": 4}, id="a Deployment"),
    pytest.param((a_deployment(), an_object("Service")), {"Deployment": 4}, id="no Service"),
    pytest.param((a_deployment(), CRD), {"Deployment": 4, CRD.kind: 0}, id="a definition"),
    pytest.param((job(parallelism=6),), {"Job": 4}, id="a Job"),
    pytest.param((job(parallelism=6, suspend=True),), {}, id="a suspended Job"),
    pytest.param(
        (a_deployment(), an_object("DaemonSet", "agent", api="apps/v1")),
        {"Deployment": 4, "DaemonSet": 1},
        id="a DaemonSet on its nodes",
    ),
    pytest.param(
        (an_object("ReplicationController", "old", spec={"replicas": 6}),), {}, id="nothing old"
    ),
    pytest.param((a_deployment(), hpa()), {"Deployment": 6}, id="an autoscaler's minimum"),
    pytest.param((a_deployment(), a_deployment("a", 3)), {"Deployment": 4}, id="a companion"),
]


@pytest.mark.parametrize(("objects", "expected"), READY)
def test_what_must_become_ready(objects: tuple[Manifest, ...], expected: dict[str, int]) -> None:
    (workload,) = planned(web(*objects), {"eu-1": 4}).workloads
    ready = {each.kind: each.replicas for each in workload.deliveries[0].ready}
    assert ready == expected


def test_nothing_is_waited_for_without_replicas() -> None:
    (workload,) = planned(placed={"eu-1": 4, "us-1": 0}).workloads
    assert workload.deliveries[1].ready == ()


def test_an_autoscalers_part_is_waited_for() -> None:
    assignment = Assignment("eu-1", 4, minimum=2, maximum=9)
    (workload,) = planned(web(a_deployment(), hpa()), {"eu-1": assignment}).workloads
    (target,) = workload.deliveries[0].ready
    assert (target.namespace, target.name, target.replicas) == ("default", "web", 2)


def test_nothing_is_waited_for_without_replicas_and_autoscaler() -> None:
    (workload,) = planned(web(a_deployment(), hpa()), {"eu-1": 6, "us-1": 0}).workloads
    assert [len(each.ready) for each in workload.deliveries] == [1, 0]
