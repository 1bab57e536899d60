"""All faults of a document at once, whatever else is wrong in it."""

from collections.abc import Callable

import pytest

Faults = Callable[..., list[str]]


def native(kind: str, spec: str) -> str:
    return f"apiVersion: fleet/v1\nkind: {kind}\nmetadata: {{name: web}}\nspec:\n{spec}"


def karmada(spec: str) -> str:
    return (
        "apiVersion: policy.karmada.io/v1alpha1\nkind: ClusterPropagationPolicy\n"
        f"metadata: {{name: web}}\nspec:\n{spec}"
    )


CASES = [
    pytest.param(
        native(
            "PlacementPolicy",
            "  workloads: [wbe]\n"
            "  speed: 1\n"
            "  pick: 1\n"
            "  tolerations: [{key: a, effect: NoExecut}]\n"
            "  spread: [{by: cluster}, {by: labels.rakc, minDomains: x}]\n"
            "  affinity: {required: [{clusters: [eu-2], matchExpressions: [{key: a}]}]}\n"
            "  division: {weights: [{term: {regions: [eu-west-2]}}]}\n",
        ),
        [
            "5:15: spec.workloads[0]: there is no workload 'wbe'",
            "6:3: spec.speed: is no field",
            "4:1: spec: 'pick' and a spread by 'cluster'",
            "8:26: spec.tolerations[0].effect: 'NoExecut'",
            "9:28: spec.spread[1].by: no cluster has a label 'rakc'",
            "9:45: spec.spread[1].minDomains: wants a whole number",
            "10:37: spec.affinity.required[0].clusters[0]: there is no cluster 'eu-2'",
            "spec.affinity.required[0].matchExpressions[0].operator: is required",
            "spec.division.weights[0].replicaWeight: is required",
            "spec.division.weights[0].term.regions[0]: no cluster is in a region 'eu-west-2'",
            "spec.division: 'weights' go with mode 'weighted'",
        ],
        id="a placement policy",
    ),
    pytest.param(
        native(
            "OverridePolicy",
            "  workloads: [wbe]\n  rules: [{where: {clusters: [eu-2], roles: [actve]}}]\n",
        ),
        ["no workload 'wbe'", "no cluster 'eu-2'", "'actve' is not allowed", "say either 'image'"],
        id="an override policy",
    ),
    pytest.param(
        native("ClusterSet", "  clusters: [{clusters: [eu-2]}]\n  exclusive: 1\n  teams: [shop]\n"),
        ["no cluster 'eu-2'", "spec.exclusive: wants true", "no workload has the team 'shop'"],
        id="a cluster set",
    ),
    pytest.param(
        native("Quota", "  teams: [shop]\n  limits: {cpu: x}\n  most: 1\n"),
        ["no workload has the team 'shop'", "spec.limits.cpu: ", "spec.most: is no field"],
        id="a quota",
    ),
    pytest.param(
        native("ExternalScores", "  scores: {eu-1: 1000, eu-2: 5}\n"),
        ["spec.scores.eu-1: 1000 is too large", "spec.scores.eu-2: there is no cluster 'eu-2'"],
        id="external scores",
    ),
    pytest.param(
        native(
            "TrafficPolicy",
            "  workload: wbe\n  name: api.example.org\n  zone: {name: example.org}\n"
            "  mode: weighted\n  dnsWeights: {eu-west-2: 1, eu-west-1: x}\n",
        ),
        ["no workload 'wbe'", "no cluster is in a region 'eu-west-2'", "eu-west-1: wants a whole"],
        id="a traffic policy",
    ),
    pytest.param(
        karmada(
            "  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment}]\n"
            "  speed: 1\n"
            "  placement:\n"
            "    clusterAffinity: {clusterNames: [eu-2], exclude: us-1}\n"
            "    clusterTolerations: [{operator: Exists, value: x, effect: NoExecut}]\n"
            "    spreadConstraints: [{spreadByField: region, minGroups: x}]\n"
            "    replicaScheduling: {replicaSchedulingType: Divided,"
            " replicaDivisionPreference: Agregated}\n",
        ),
        [
            "spec.speed: is no field",
            "spec.placement.clusterAffinity.exclude: wants a list",
            "there is no cluster 'eu-2'",
            "operator 'Exists' takes no value",
            "clusterTolerations[0].effect: 'NoExecut'",
            "spreadConstraints[0].minGroups: wants a whole number",
            "a spread by a field needs one by 'cluster' besides",
            "'Agregated' is not allowed",
            "has no default for maxGroups",
        ],
        id="a policy of Karmada's",
    ),
    pytest.param(
        karmada("  resourceSelectors: []\n  speed: 1\n")
        + "---\n"
        + native("PlacementPolicy", "  workloads: [wbe]\n  residency: {regions: [eu-west-9]}\n"),
        ["is an empty list", "spec.speed: ", "no workload 'wbe'", "a region 'eu-west-9'"],
        id="a document of Karmada's does not hide names in others",
    ),
    pytest.param(
        karmada("  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment}]\n  speed: 1\n")
        + "---\n"
        + native("OverridePolicy", "  workloads: [default/web]\n  rules: [{image: {tag: a}}]\n"),
        ["spec.speed: "],
        id="a workload that a document with faults would make is not unknown",
    ),
    pytest.param(
        "apiVersion: cluster.karmada.io/v1alpha1\nkind: Cluster\nmetadata: {name: eu-7}\n"
        "spec: {region: 7}\n---\n"
        + native(
            "OverridePolicy",
            "  workloads: [web]\n"
            "  rules: [{where: {clusters: [eu-7, eu-8], regions: [a]}, image: {tag: a}}]\n",
        ),
        ["spec.region: wants text", "no cluster 'eu-8'"],
        id="a cluster with faults is known by its name",
    ),
    pytest.param(
        native(
            "Cluster", "  region: eu-west-1\n  state: activ\n  capacity: {allocatable: {cpu: x}}\n"
        )
        + "---\n"
        + native("PlacementPolicy", "  workloads: [web]\n  residency: {regions: [eu-west-9]}\n"),
        ["spec.state: 'activ'", "capacity.allocatable.cpu: ", "a region 'eu-west-9'"],
        id="a cluster does not hide the names of regions",
    ),
]


def test_every_fault_of_a_workloads_settings_is_told_at_once(faults: Faults) -> None:
    spec = "  adopt: 1\n  namespaces: {create: [A]}\n  replicas: [{apiVersion: a/v1, kind: B}]\n"
    said = faults({"workloads/web/fleet.yaml": native("Workload", spec)})
    expected = ["spec.adopt: wants", "'A' is no name of a namespace", "no object of 'a/v1/B'"]
    assert all(any(each in line for line in said) for each in expected), said


def test_every_fault_of_karmadas_cluster_is_told_at_once(faults: Faults) -> None:
    document = (
        "apiVersion: cluster.karmada.io/v1alpha1\nkind: Cluster\nmetadata: {name: eu-7}\n"
        "spec: {taints: [{key: a}]}\n"
        "status: {resourceSummary: {allocatable: {cpu: x}}}\n"
    )
    said = faults({"inventory/k.yaml": document})
    expected = ["taints[0].effect: is required", "no Kubernetes quantity"]
    assert all(any(each in line for line in said) for each in expected), said


@pytest.mark.parametrize(("document", "expected"), CASES)
def test_every_fault_of_a_document_is_told_at_once(
    faults: Faults, document: str, expected: list[str]
) -> None:
    said = faults({"policies/more.yaml": document})
    about = [each for each in said if each.startswith("policies/more.yaml")]
    missing = [each for each in expected if not any(each in line for line in about)]
    assert not missing, "\n".join(said)
    assert len(about) == len(expected), "\n".join(about)
