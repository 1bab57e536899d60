"""Karmada manifests as articles print them, rewritten, with the mistakes that they have.

Two clusters, a Deployment with 7:3 static weights, and a policy that wants to spread by a label
and to fail over on a share of unavailable replicas.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from fleet.cli.inputs import run
from fleet.cli.options import Inputs
from fleet.errors import InvalidError
from fleet.explain.document import run_document
from fleet.explain.workload import explain_workload

CLUSTERS = """\
apiVersion: cluster.karmada.io/v1alpha1
kind: Cluster
metadata:
  name: cluster-north
spec: {region: cn-north, syncMode: Push}
status: {resourceSummary: {allocatable: {cpu: 64, memory: 256Gi, pods: "110"}}}
---
apiVersion: cluster.karmada.io/v1alpha1
kind: Cluster
metadata:
  name: cluster-east
spec: {region: cn-east, syncMode: Push}
status: {resourceSummary: {allocatable: {cpu: 64, memory: 256Gi, pods: "110"}}}
"""
DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
  labels: {app: shop}
spec:
  replicas: 10
  selector:
    matchLabels: {app: shop}
  template:
    metadata:
      labels: {app: shop}
    spec:
      containers:
      - name: app
        image: shop:v1
"""
WEIGHTED = """\
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata:
  name: shop-propagation
spec:
  resourceSelectors:
  - apiVersion: apps/v1
    kind: Deployment
    name: shop
  placement:
    clusterAffinity:
      clusterNames: [cluster-north, cluster-east]
    replicaScheduling:
      replicaSchedulingType: Divided
      replicaDivisionPreference: Weighted
      weightPreference:
        staticWeightList:
        - targetCluster: {clusterNames: [cluster-north]}
          weight: 7
        - targetCluster: {clusterNames: [cluster-east]}
          weight: 3
"""
FAILOVER = """\
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata:
  name: shop-failover
spec:
  resourceSelectors:
  - apiVersion: apps/v1
    kind: Deployment
    name: shop
  placement:
    clusterAffinity:
      clusterNames: [cluster-north, cluster-east]
    spreadConstraints:
    - spreadByLabel: failure-domain.beta.kubernetes.io/region
      maxGroups: 2
      minGroups: 1
  failover:
    application:
      decisionConditions:
        maxUnavailable: 50%
      gracePeriodSeconds: 300
      purgeMode: Graceful
"""


@pytest.fixture
def inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Inputs:
    """The weighted fleet in the working folder."""
    monkeypatch.chdir(tmp_path)
    files = {"clusters": CLUSTERS, "policies": WEIGHTED, "workloads": DEPLOYMENT}
    for name, text in files.items():
        Path(f"{name}.yaml").write_text(text, encoding="utf-8")
    return Inputs(["clusters.yaml"], ["workloads.yaml"], ["policies.yaml"])


def test_seven_to_three(inputs: Inputs) -> None:
    outcome = run(inputs)
    found = run_document(outcome)["workloads"]["default/shop"]
    assert found["assignments"] == {"cluster-north": 7, "cluster-east": 3}
    assert "default/shop   10 of 10 replicas" in explain_workload(outcome, "default/shop")


def test_a_prior_names_the_workload_with_its_namespace(inputs: Inputs) -> None:
    Path("prior.json").write_text('{"default/shop": {"cluster-east": 10}}', encoding="utf-8")
    outcome = run(replace(inputs, prior="prior.json"))
    assert outcome.prior.workloads["default/shop"].replicas == {"cluster-east": 10}
    names = [each.name for each in outcome.plan.workloads[0].deliveries[0].objects]
    assert names[0].startswith("default/shop/cluster-east/Deployment/")


def test_a_template_without_labels_is_refused_as_an_api_server_would(inputs: Inputs) -> None:
    text = DEPLOYMENT.replace("    metadata:\n      labels: {app: shop}\n", "", 1)
    Path("workloads.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidError) as error:
        run(inputs)
    line = str(error.value.errors[0])
    assert line.startswith("workloads.yaml:9:19: spec.selector.matchLabels.app")


def test_every_mistake_is_named_at_once(inputs: Inputs) -> None:
    Path("policies.yaml").write_text(FAILOVER, encoding="utf-8")
    with pytest.raises(InvalidError) as error:
        run(inputs)
    lines = [str(each) for each in error.value.errors]
    assert [line.partition(": Karmada")[0].partition(": 'Graceful'")[0] for line in lines] == [
        "policies.yaml:14:7: spec.placement.spreadConstraints[0].spreadByLabel",
        "policies.yaml:18:5: spec.failover.application",
        "policies.yaml:20:9: spec.failover.application.decisionConditions.maxUnavailable",
        "policies.yaml:22:7: spec.failover.application.purgeMode",
    ]
    assert lines[-1].endswith("did you mean 'Gracefully'?")


def test_what_the_api_takes_is_only_told(inputs: Inputs) -> None:
    text = FAILOVER.replace("purgeMode: Graceful\n", "purgeMode: Gracefully\n")
    Path("policies.yaml").write_text(text, encoding="utf-8")
    document = run_document(run(inputs))
    found = {each["source"]: each["values"].get("field") for each in document["findings"]}
    assert found.items() >= {
        ("policies.yaml:14:7", "spec.placement.spreadConstraints[0].spreadByLabel"),
        ("policies.yaml:18:5", "spec.failover.application"),
        (
            "policies.yaml:20:9",
            "spec.failover.application.decisionConditions.maxUnavailable",
        ),
    }
    assert document["workloads"]["default/shop"]["assignments"] == {
        "cluster-north": 10,
        "cluster-east": 10,
    }
