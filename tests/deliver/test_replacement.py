"""Live objects that a change would delete and create anew."""

from copy import deepcopy
from typing import Any

import pytest

from fleet.deliver.identity import token_of
from fleet.deliver.replacement import replacement_of
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.plan import PlannedObject
from fleet.model.prior import Prior, PriorObject
from fleet.model.source import Source
from tests.deliver.kit import a_deployment, findings, planned, the_prior, web
from tests.deliver.test_removals import next_plan

Body = dict[str, Any]


def replaced(api: str, kind: str, wanted: Body, live: Body) -> str | None:
    """The field for which an object of a kind would be replaced."""
    body = {"apiVersion": api, "kind": kind, **wanted}
    token = token_of(body)
    name = f"web/eu-1/{kind}/default/web"
    it = PlannedObject(name, f"{kind}/default/web", token, "eu-1", body, "digest")
    found = replacement_of(it, PriorObject(name, token, {"apiVersion": api, **live}))
    return found.field if found else None


def spec(**fields: Any) -> Body:
    return {"spec": fields}


SELECT = {"matchLabels": {"app": "web"}}
CLAIM = {"metadata": {"name": "data"}, "spec": {"resources": {"requests": {"storage": "1Gi"}}}}
LIVE_CLAIM = {
    **CLAIM,
    "apiVersion": "v1",
    "kind": "PersistentVolumeClaim",
    "status": {"phase": "Pending"},
}
POD = {"spec": {"containers": [{"name": "a", "image": "a:1", "resources": {"limits": {"cpu": 1}}}]}}
LIVE_POD = {
    "metadata": {"labels": {"controller-uid": "x"}},
    "spec": {
        "containers": [
            {
                "name": "a",
                "image": "a:1",
                "imagePullPolicy": "IfNotPresent",
                "resources": {"limits": {"cpu": "1000m"}},
            }
        ],
        "dnsPolicy": "ClusterFirst",
    },
}
OTHER_POD = deepcopy(LIVE_POD)
OTHER_POD["spec"]["containers"][0]["image"] = "a:0"
ROLE = {"kind": "Role", "name": "a"}

KINDS = [
    ("apps/v1", "Deployment", spec(selector=SELECT), spec(selector=SELECT, replicas=3), None),
    (
        "apps/v1",
        "Deployment",
        spec(selector=SELECT),
        spec(selector={"matchLabels": {"app": "old"}}),
        "spec.selector",
    ),
    (
        "apps/v1",
        "Deployment",
        spec(selector=SELECT),
        spec(selector={"matchLabels": {"app": "web", "tier": "a"}}),
        "spec.selector",
    ),
    ("apps/v1", "DaemonSet", spec(selector=SELECT), spec(selector={}), "spec.selector"),
    ("apps/v1", "ReplicaSet", spec(), spec(selector=SELECT), None),
    ("apps/v1", "StatefulSet", spec(serviceName="a"), spec(serviceName="b"), "spec.serviceName"),
    (
        "apps/v1",
        "StatefulSet",
        spec(),
        spec(serviceName="", podManagementPolicy="OrderedReady"),
        None,
    ),
    (
        "apps/v1",
        "StatefulSet",
        spec(),
        spec(podManagementPolicy="Parallel"),
        "spec.podManagementPolicy",
    ),
    (
        "apps/v1",
        "StatefulSet",
        spec(podManagementPolicy="Parallel"),
        spec(),
        "spec.podManagementPolicy",
    ),
    (
        "apps/v1",
        "StatefulSet",
        spec(volumeClaimTemplates=[CLAIM]),
        spec(volumeClaimTemplates=[LIVE_CLAIM]),
        None,
    ),
    (
        "apps/v1",
        "StatefulSet",
        spec(),
        spec(volumeClaimTemplates=[LIVE_CLAIM]),
        "spec.volumeClaimTemplates",
    ),
    (
        "apps/v1",
        "StatefulSet",
        spec(volumeClaimTemplates=[CLAIM, CLAIM]),
        spec(volumeClaimTemplates=[LIVE_CLAIM]),
        "spec.volumeClaimTemplates",
    ),
    ("batch/v1", "Job", spec(template=POD), spec(template=LIVE_POD, selector=SELECT), None),
    ("batch/v1", "Job", spec(template=POD), spec(template=OTHER_POD), "spec.template"),
    ("batch/v1", "Job", spec(parallelism=2), spec(parallelism=3), "spec.parallelism"),
    ("batch/v1", "Job", spec(), spec(parallelism=1), None),
    ("batch/v1", "Job", spec(completions=2), spec(completions=4), "spec.completions"),
    ("v1", "Service", spec(clusterIP="None"), spec(clusterIP="10.0.0.1"), "spec.clusterIP"),
    ("v1", "Service", spec(ports=[]), spec(clusterIP="10.0.0.1"), None),
    ("v1", "Secret", {"type": "Opaque"}, {}, None),
    ("v1", "Secret", {}, {"type": "Opaque"}, None),
    ("v1", "Secret", {}, {"type": "kubernetes.io/tls"}, "type"),
    ("v1", "Secret", {"type": "kubernetes.io/tls"}, {"type": "Opaque"}, "type"),
    ("v1", "Secret", {"immutable": True, "data": {"a": "b"}}, {"immutable": True}, None),
    ("v1", "Secret", {}, {"immutable": True}, "immutable"),
    ("v1", "ConfigMap", {"data": {"a": "2"}}, {"data": {"a": "1"}}, None),
    (
        "v1",
        "ConfigMap",
        {"immutable": True, "data": {"a": "2"}},
        {"immutable": True, "data": {"a": "1"}},
        "data",
    ),
    (
        "v1",
        "ConfigMap",
        {"immutable": True, "data": {"a": "1"}},
        {"immutable": True, "data": {"a": "1"}},
        None,
    ),
    (
        "v1",
        "PersistentVolumeClaim",
        spec(accessModes=["ReadWriteOnce"], storageClassName="a"),
        spec(accessModes=["ReadWriteOnce"], storageClassName="b", volumeName="pv"),
        "spec.storageClassName",
    ),
    (
        "v1",
        "PersistentVolumeClaim",
        spec(resources={"requests": {"storage": "1024Mi"}}),
        spec(resources={"requests": {"storage": "1Gi"}}),
        None,
    ),
    ("v1", "PersistentVolumeClaim", spec(volumeName="a"), spec(), None),
    (
        "rbac.authorization.k8s.io/v1",
        "RoleBinding",
        {"roleRef": ROLE},
        {"roleRef": {**ROLE, "apiGroup": "rbac.authorization.k8s.io"}},
        None,
    ),
    (
        "rbac.authorization.k8s.io/v1",
        "ClusterRoleBinding",
        {"roleRef": ROLE},
        {"roleRef": {**ROLE, "name": "b"}},
        "roleRef",
    ),
    (
        "storage.k8s.io/v1",
        "StorageClass",
        {"provisioner": "p", "parameters": {"a": "b"}},
        {"provisioner": "p"},
        "parameters",
    ),
    (
        "storage.k8s.io/v1",
        "StorageClass",
        {"provisioner": "p"},
        {"provisioner": "p", "parameters": {"a": "b"}},
        "parameters",
    ),
    (
        "storage.k8s.io/v1",
        "StorageClass",
        {"provisioner": "p"},
        {"provisioner": "q"},
        "provisioner",
    ),
    ("v1", "Pod", POD, LIVE_POD, None),
    ("v1", "Pod", POD, OTHER_POD, "spec"),
    ("v1", "ResourceQuota", spec(scopes=["BestEffort"]), spec(scopes="x"), "spec.scopes"),
    ("v1", "PersistentVolume", spec(nfs={"path": "/a"}), spec(nfs=["/a"]), "spec.nfs"),
    ("x.example/v1", "Thing", spec(selector=SELECT), spec(selector={"a": "b"}), None),
]


@pytest.mark.parametrize(("api", "kind", "wanted", "live", "expected"), KINDS)
def test_fields_that_never_change_in_place(
    api: str, kind: str, wanted: Body, live: Body, expected: str | None
) -> None:
    assert replaced(api, kind, wanted, live) == expected


LOOSE = [
    pytest.param({"a": 0, "b": "", "c": False, "d": [], "e": {}}, {}, id="nothing is nothing"),
    pytest.param({"a": None}, {}, id="a null is not said"),
    pytest.param({"a": "1.0"}, {"a": 1}, id="a number and its text"),
]


@pytest.mark.parametrize(("wanted", "live"), LOOSE)
def test_what_the_api_server_leaves_out_is_no_change(wanted: Body, live: Body) -> None:
    nested = {"spec": {"csi": wanted}}, {"spec": {"csi": {**live, "filled": "in"}}}
    assert replaced("v1", "PersistentVolume", *nested) is None


STRICT = [
    pytest.param({"a": True}, {"a": "x"}, id="no quantity"),
    pytest.param({"a": "x"}, {"a": None}, id="nothing lives"),
    pytest.param({"a": [1]}, {}, id="a list of something"),
    pytest.param({"a": {"b": 1}}, {}, id="a map of something"),
]


@pytest.mark.parametrize(("wanted", "live"), STRICT)
def test_a_real_change_is_one(wanted: Body, live: Body) -> None:
    nested = {"spec": {"csi": wanted}}, {"spec": {"csi": live}}
    assert replaced("v1", "PersistentVolume", *nested) == "spec.csi"


def test_another_type_is_a_replacement() -> None:
    it = PlannedObject("n", "k", "kubernetes:apps/v1:Deployment", "eu-1", {"kind": "x"}, "d")
    found = replacement_of(it, PriorObject("n", "kubernetes:extensions/v1beta1:Deployment"))
    assert found is not None
    assert found.field == "type"
    assert replacement_of(it, PriorObject("n", "")) is None


def test_a_replacement_needs_consent() -> None:
    first = the_prior(planned())
    changed = a_deployment()
    changed.body["spec"]["selector"] = {"matchLabels": {"app": "other"}}
    found = findings(next_plan(first, web(changed)), codes.REPLACEMENT)
    assert [each.blocks for each in found] == [True, True]
    assert dict(found[0].values) == {
        "object": "Deployment/default/web",
        "workload": "web",
        "cluster": "eu-1",
        "field": "spec.selector",
    }
    assert found[0].source == Source("workloads/web/deployment.yaml", 1, 1)


def test_an_object_that_is_new_replaces_nothing() -> None:
    assert findings(next_plan(Prior(known=True, objects=FrozenMap())), codes.REPLACEMENT) == []
