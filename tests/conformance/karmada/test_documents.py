"""What Karmada's documents become: which policy places what, matching, overrides, refusals.

Source: karmada-io/karmada at f8fdd02; the file stands with each table.
"""

from collections.abc import Mapping
from typing import Any

import pytest

from fleet.deliver import deliver
from fleet.errors import InvalidError
from fleet.explain.sentences import finding_sentence
from fleet.load.settings import parse_settings
from fleet.model.inventory import State
from fleet.model.prior import Prior
from fleet.model.snapshot import Snapshot
from fleet.schedule import schedule
from tests.conformance.karmada.tables import (
    DUPLICATED,
    a_deployment,
    a_karmada_cluster,
    a_propagation,
    decided,
    loaded,
)

DIGEST = "sha256:" + "50d858e0985ecc7f60418aaf0cc5ab587f42c2570a884095a9e8ccacd0f6545c"


def fleet_of(
    *policies: Mapping[str, Any], cluster: Mapping[str, Any] | None = None, **deployment: Any
) -> Snapshot:
    """One Deployment on one cluster under policies."""
    return loaded(
        {
            "clusters": [cluster or a_karmada_cluster("m1", region="r1")],
            "workloads": [a_deployment(1, **deployment)],
            "policies": list(policies),
        }
    )


def refused(*policies: Mapping[str, Any], cluster: Mapping[str, Any] | None = None) -> list[str]:
    """The error lines of a fleet that is refused."""
    with pytest.raises(InvalidError) as error:
        fleet_of(*policies, cluster=cluster)
    return [str(each) for each in error.value.errors]


def told(*policies: Mapping[str, Any], cluster: Mapping[str, Any] | None = None) -> list[str]:
    """The findings of the import, with their places."""
    return [
        f"{each.source}: {finding_sentence(each)}"
        for each in fleet_of(*policies, cluster=cluster).findings
    ]


# pkg/util/selector_test.go: cluster1 {foo: bar}, zones z1 to z3, region r1, provider p1.
CLUSTER1 = a_karmada_cluster("m1", region="r1", provider="p1", zones=["z1", "z2", "z3"])


def fields(key: str, operator: str, *values: str) -> dict[str, Any]:
    expression = {"key": key, "operator": operator, "values": list(values)}
    return {"fieldSelector": {"matchExpressions": [expression]}}


MATCHES = [
    pytest.param({"clusterNames": ["m1"], "exclude": ["m1"]}, False, id="X4 excluded and named"),
    pytest.param({}, True, id="X4 empty"),
    pytest.param(fields("zone", "In", "z2"), True, id="X4 one of its zones"),
    pytest.param(fields("zone", "NotIn", "z1", "z2", "z3"), False, id="X4 none of its zones"),
    pytest.param(fields("region", "In", "r2"), False, id="X4 another region"),
    pytest.param({"labelSelector": {"matchLabels": {"foo": "bar"}}}, True, id="a label"),
    pytest.param(
        {"labelSelector": {"matchExpressions": [{"key": "x", "operator": "Exists"}]}},
        False,
        id="a label that is not there",
    ),
]


@pytest.mark.parametrize(("affinity", "matches"), MATCHES)
def test_matching(affinity: dict[str, Any], matches: bool) -> None:  # noqa: FBT001 - a table's column
    snapshot = fleet_of(a_propagation({"clusterAffinity": affinity}), cluster=CLUSTER1)
    assert bool(decided(snapshot).replicas) is matches


def test_a_key_that_karmada_does_not_know_is_refused() -> None:
    """X4: with the key metadata.name no cluster matches; the webhook refuses it before."""
    lines = refused(a_propagation({"clusterAffinity": fields("metadata.name", "In", "m1")}))
    assert len(lines) == 1
    assert "'metadata.name' is not allowed; allowed are 'provider', 'region', 'zone'" in lines[0]
    assert lines[0].startswith("policies.yaml:11:11: spec.placement.clusterAffinity.fieldSelector")


# pkg/detector/compare_test.go
def policy(name: str, *, kind: str = "PropagationPolicy", **spec: Any) -> dict[str, Any]:
    made = a_propagation({"replicaScheduling": DUPLICATED}, **spec)
    made["kind"] = kind
    made["metadata"] = {"name": name}
    if kind == "PropagationPolicy":
        made["metadata"]["namespace"] = "shop"
    return made


def by_kind(name: str, **spec: Any) -> dict[str, Any]:
    selector = {"apiVersion": "apps/v1", "kind": "Deployment"}
    return policy(name, resourceSelectors=[selector], **spec)


WIDE = "ClusterPropagationPolicy"
CHOSEN = [
    pytest.param([by_kind("a"), policy("b")], "shop/b", id="by name before by kind"),
    pytest.param([by_kind("b"), by_kind("a")], "shop/a", id="then by the policy's name"),
    pytest.param([by_kind("b", priority=1), policy("a")], "shop/b", id="by priority first"),
    pytest.param(
        [policy("a", kind=WIDE, priority=9), by_kind("z")], "shop/z", id="a namespace's own first"
    ),
    pytest.param([policy("a", kind=WIDE)], "*/a", id="one of all namespaces"),
    pytest.param(
        [
            policy(
                "l",
                resourceSelectors=[
                    {
                        "apiVersion": "apps/v1",
                        "kind": "Deployment",
                        "labelSelector": {"matchLabels": {"gone": "x"}},
                    }
                ],
            ),
            by_kind("k"),
        ],
        "shop/k",
        id="labels that it has not",
    ),
]


@pytest.mark.parametrize(("policies", "name"), CHOSEN)
def test_which_policy_places_it(policies: list[dict[str, Any]], name: str) -> None:
    (linked,) = fleet_of(*policies).linked
    assert linked.placement.name == name
    assert linked.workload.name == "shop/web"


def test_a_policy_never_leaves_its_namespace() -> None:
    other = policy("web")
    other["metadata"]["namespace"] = "elsewhere"
    lines = refused(other)
    sentence = "workloads.yaml:1:1: no placement policy names the workload 'workloads'"
    assert [line.partition(" - ")[0] for line in lines] == [sentence]


def test_a_service_of_the_same_name_is_a_workload_of_its_own() -> None:
    service = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "web", "namespace": "shop"},
        "spec": {"ports": [{"port": 80}]},
    }
    both = [
        {"apiVersion": "v1", "kind": "Service"},
        {"apiVersion": "apps/v1", "kind": "Deployment"},
    ]
    snapshot = loaded(
        {
            "clusters": [a_karmada_cluster("m1")],
            "workloads": [service, a_deployment(1)],
            "policies": [a_propagation({}, resourceSelectors=both)],
        }
    )
    found = [(each.workload.name, each.workload.settings.queue) for each in snapshot.linked]
    assert found == [("shop/web", 1), ("shop/web-service", 0)]


def test_what_a_cluster_becomes() -> None:
    status = {
        "kubernetesVersion": "v1.33.0",
        "nodeSummary": {"totalNum": 7, "readyNum": 6},
        "apiEnablements": [
            {"groupVersion": "apps/v1", "resources": [{"name": "x", "kind": "Deployment"}]}
        ],
        "resourceSummary": {
            "allocatable": {"cpu": "1500m", "pods": "9"},
            "allocated": {"cpu": "0.25"},
            "allocating": {"cpu": "2"},
        },
    }
    taint = {"key": "x", "effect": "NoExecute", "timeAdded": "2026-01-01T00:00:00Z"}
    made = a_karmada_cluster("m1", status=status, zone="z", provider="p", taints=[taint])
    made["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    (cluster,) = fleet_of(a_propagation({}), cluster=made).clusters
    assert (cluster.spec.region, cluster.spec.zones, cluster.spec.provider) == ("", ("z",), "p")
    assert (cluster.spec.nodes, cluster.spec.kubernetes_version) == (7, "v1.33.0")
    assert cluster.spec.apis == ("apps/v1/Deployment",)
    assert cluster.spec.state is State.DRAINING
    assert dict(cluster.free) == {"cpu": 0, "pods": 9}
    assert cluster.spec.taints[0].time_added == "2026-01-01T00:00:00Z"
    assert str(cluster.origin.at("spec", "capacity", "allocatable", "cpu")) == "clusters.yaml:27:7"
    assert str(cluster.origin.at("spec", "taints", 0)) == "clusters.yaml:11:5"


def test_pods_and_namespaces() -> None:
    """A Pod is one replica that is divided; the namespace is made where it is missing."""
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "web", "namespace": "shop"},
        "spec": {"containers": [{"name": "web", "image": "web:1"}]},
    }
    selector = {"apiVersion": "v1", "kind": "Pod", "name": "web"}
    spec = {"resourceSelectors": [selector], "conflictResolution": "Overwrite"}
    snapshot = loaded(
        {
            "clusters": [a_karmada_cluster("m1"), a_karmada_cluster("m2")],
            "workloads": [pod],
            "policies": [a_propagation({"replicaScheduling": {}}, **spec)],
        }
    )
    settings = snapshot.linked[0].workload.settings
    assert (settings.namespaces.create, settings.adopt) == (("shop",), True)
    assert decided(snapshot).replicas == {"m1": 1}


def test_a_priority_class_says_who_is_first() -> None:
    spec: dict[str, Any] = {
        "schedulePriority": {
            "priorityClassSource": "KubePriorityClass",
            "priorityClassName": "high",
        }
    }
    klass = {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": "high"},
        "value": 70,
    }
    selectors = [
        {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
        {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass"},
    ]
    documents = {
        "clusters": [a_karmada_cluster("m1")],
        "workloads": [a_deployment(1), klass],
        "policies": [policy("p", kind=WIDE, **(spec | {"resourceSelectors": selectors}))],
    }
    found = {each.workload.name: each.placement.spec.priority for each in loaded(documents).linked}
    assert found == {"shop/web": 70, "cluster-scoped/high": 70}
    assert "asks its API server for the PriorityClass 'high'" in told(policy("p", **spec))[0]


# Overrides. pkg/util/overridemanager/*_test.go
IMAGE = "fictional.registry.example/imagename:v1.0.0"


def override(
    *overriders: Mapping[str, Any], kind: str = "OverridePolicy", name: str = "o", **rule: Any
) -> dict[str, Any]:
    """An override policy, one rule for each of the overriders."""
    metadata = {"name": name} | ({"namespace": "shop"} if kind == "OverridePolicy" else {})
    return {
        "apiVersion": "policy.karmada.io/v1alpha1",
        "kind": kind,
        "metadata": metadata,
        "spec": {
            "resourceSelectors": [{"apiVersion": "apps/v1", "kind": "Deployment"}],
            "overrideRules": [{**rule, "overriders": dict(each)} for each in overriders],
        },
    }


def body_of(*overrides: Mapping[str, Any], **container: Any) -> dict[str, Any]:
    """The Deployment as it goes to m1."""
    snapshot = fleet_of(a_propagation({}), *overrides, **container)
    settings = parse_settings({})
    plan = deliver(snapshot, schedule(snapshot, Prior(), settings), Prior(), settings)
    (workload,) = plan.workloads
    return dict(workload.deliveries[0].objects[0].body)


def container_of(*overrides: Mapping[str, Any], **container: Any) -> dict[str, Any]:
    body = body_of(*overrides, **container)
    first: dict[str, Any] = body["spec"]["template"]["spec"]["containers"][0]
    return first


def image(component: str, operator: str, value: str = "", **more: Any) -> dict[str, Any]:
    change = {"component": component, "operator": operator, "value": value, **more}
    return {"imageOverrider": [change]}


PREDICATE = {"predicate": {"path": "/spec/template/spec/containers/0/image"}}
IMAGES = [
    pytest.param(
        IMAGE,
        image("Registry", "add", ".test"),
        "fictional.registry.example.test/imagename:v1.0.0",
        id="X5 the registry grows",
    ),
    pytest.param(IMAGE, image("Registry", "remove"), "imagename:v1.0.0", id="X5 no registry"),
    pytest.param(
        IMAGE,
        image("Repository", "add", "/nginx"),
        "fictional.registry.example/imagename/nginx:v1.0.0",
        id="X5 the repository grows",
    ),
    pytest.param(
        IMAGE,
        image("Tag", "replace", DIGEST),
        f"fictional.registry.example/imagename@{DIGEST}",
        id="X5 a digest for the tag",
    ),
    pytest.param(IMAGE, image("Tag", "add", DIGEST), IMAGE, id="X5 no digest is added to a tag"),
    pytest.param(
        IMAGE, image("Tag", "remove"), "fictional.registry.example/imagename", id="X5 no tag"
    ),
    pytest.param(
        "perl:5.34.0",
        image("Registry", "add", "registry.k8s.io"),
        "registry.k8s.io/perl:5.34.0",
        id="X6 a registry where there was none",
    ),
    pytest.param(
        "perl:5.34.0",
        image("Repository", "replace", "ruby", **PREDICATE),
        "ruby:5.34.0",
        id="X6 the one at the predicate's path",
    ),
    pytest.param("a:1", image("Tag", "add", "-x"), "a:1-x", id="the tag grows"),
    pytest.param(f"a@{DIGEST}", image("Tag", "add", "x"), f"a@{DIGEST}", id="not a digest"),
    pytest.param("a:1", image("Repository", "remove"), ":1", id="no repository, as Karmada does"),
]


@pytest.mark.parametrize(("before", "overriders", "after"), IMAGES)
def test_images(before: str, overriders: dict[str, Any], after: str) -> None:
    assert container_of(override(overriders), image=before)["image"] == after


def words(field: str, operator: str, *value: str, container: str = "web") -> dict[str, Any]:
    change = {"containerName": container, "operator": operator, "value": list(value)}
    return {f"{field}Overrider": [change]}


COMMANDS = [
    pytest.param(["nginx", "-v", "-t"], ("add", "X"), ["nginx", "-v", "-t", "X"], id="X7 add"),
    pytest.param(["nginx", "-v", "-t"], ("remove", "-t"), ["nginx", "-v"], id="X7 remove"),
    pytest.param(["nginx", "-v"], ("remove",), ["nginx", "-v"], id="X7 remove nothing"),
    pytest.param(None, ("add", "X"), ["X"], id="X7 add where there was none"),
    pytest.param(None, ("remove", "X"), None, id="remove where there was none"),
    pytest.param(["a"], ("add", "${X}"), ["a", "${X}"], id="a variable of Kubernetes stays"),
]


@pytest.mark.parametrize("field", ["command", "args"])
@pytest.mark.parametrize(("before", "change", "after"), COMMANDS)
def test_commands(
    field: str, before: list[str] | None, change: tuple[str, ...], after: list[str] | None
) -> None:
    container = {} if before is None else {field: before}
    found = container_of(override(words(field, *change)), **container)
    assert found.get(field) == after


def test_labels_annotations_and_patches() -> None:
    rules: list[dict[str, Any]] = [
        {"labelsOverrider": [{"operator": "add", "value": {"a/b": "c"}}]},
        {"labelsOverrider": [{"operator": "replace", "value": {"a/b": "d", "gone": "x"}}]},
        {"annotationsOverrider": [{"operator": "add", "value": {"k": "v", "l": "w"}}]},
        {"annotationsOverrider": [{"operator": "remove", "value": {"l": ""}}]},
        {"plaintext": [{"path": "/spec/paused", "operator": "add", "value": True}]},
        {"plaintext": [{"path": "/spec/replicas", "operator": "replace", "value": 7}]},
    ]
    body = body_of(override(*rules))
    assert body["metadata"]["labels"] == {"a/b": "d"}
    assert body["metadata"]["annotations"]["k"] == "v"
    assert "l" not in body["metadata"]["annotations"]
    assert (body["spec"]["paused"], body["spec"]["replicas"]) == (True, 1)


def test_text_inside_a_field() -> None:
    annotations = {"conf": '{"a": {"b": 1}}', "more": "a:\n  b: 1\n"}
    first = {"annotationsOverrider": [{"operator": "add", "value": annotations}]}
    steps = [{"subPath": "/a/b", "operator": "replace", "value": 2}]
    rules: list[dict[str, Any]] = [
        first,
        {"fieldOverrider": [{"fieldPath": "/metadata/annotations/conf", "json": steps}]},
        {"fieldOverrider": [{"fieldPath": "/metadata/annotations/more", "yaml": steps}]},
    ]
    found = body_of(override(*rules))["metadata"]["annotations"]
    assert (found["conf"], found["more"]) == ('{"a": {"b": 2}}', "a:\n  b: 2\n")


def test_the_closest_override_wins_and_the_namespace_goes_last() -> None:
    def tagged(tag: str, kind: str, name: str, *, closely: bool) -> dict[str, Any]:
        made = override(image("Tag", "replace", tag), kind=kind, name=name)
        if closely:
            made["spec"]["resourceSelectors"][0]["name"] = "web"
        return made

    wide = tagged("wide", "ClusterOverridePolicy", "z", closely=True)
    own = tagged("own", "OverridePolicy", "b", closely=False)
    named = tagged("named", "OverridePolicy", "a", closely=True)
    assert container_of(wide)["image"] == "web:wide"
    assert container_of(own, wide)["image"] == "web:own"
    assert container_of(named, own, wide)["image"] == "web:named"


def test_an_override_without_selectors_is_for_every_object() -> None:
    made = override(image("Tag", "replace", "all"))
    del made["spec"]["resourceSelectors"]
    assert container_of(made)["image"] == "web:all"


def test_an_override_holds_where_its_affinity_matches() -> None:
    change = image("Tag", "replace", "x")
    here = override(change, targetCluster=fields("region", "In", "r1"))
    there = override(change, targetCluster={"exclude": ["m1"]})
    assert container_of(here)["image"] == "web:x"
    assert container_of(there)["image"] == "web:1"


def test_the_old_form_of_an_override() -> None:
    made = override(image("Tag", "replace", "old"))
    rule = made["spec"].pop("overrideRules")[0]
    made["spec"] |= rule
    assert container_of(made)["image"] == "web:old"
    made["spec"]["overrideRules"] = [rule]
    assert "'overrideRules' excludes 'overriders'" in refused(a_propagation({}), made)[0]


# What is told, and what is refused.
def constraint(**said: Any) -> dict[str, Any]:
    return {"spreadConstraints": [said, {"spreadByField": "cluster", "maxGroups": 2}]}


TOLD = [
    pytest.param(
        a_propagation(constraint(spreadByLabel="tier", maxGroups=1)),
        "spec.placement.spreadConstraints[0].spreadByLabel: Karmada does not implement it",
        id="spread by label",
    ),
    pytest.param(
        a_propagation(constraint(spreadByField="zone", maxGroups=1)),
        "spec.placement.spreadConstraints[0].spreadByField: Karmada spreads over no zones",
        id="spread by zone",
    ),
    pytest.param(
        a_propagation({"spreadConstraints": [{"minGroups": 1}]}),
        "spec.placement.spreadConstraints[0]: Karmada has no default for maxGroups",
        id="no maxGroups",
    ),
    pytest.param(
        a_propagation(
            {
                "replicaScheduling": {"replicaDivisionPreference": "Weighted"},
                "spreadConstraints": [{"maxGroups": 1}],
            }
        ),
        "spec.placement.spreadConstraints: Karmada ignores them with static weights",
        id="static weights and a spread",
    ),
    pytest.param(
        a_propagation(
            {
                "replicaScheduling": {
                    "replicaSchedulingType": "Duplicated",
                    "weightPreference": {"dynamicWeight": "AvailableReplicas"},
                }
            }
        ),
        "spec.placement.replicaScheduling.weightPreference: Karmada ignores it with Duplicated",
        id="duplicated and weights",
    ),
    pytest.param(
        a_propagation(
            {
                "replicaScheduling": {
                    "replicaDivisionPreference": "Aggregated",
                    "weightPreference": {"dynamicWeight": "AvailableReplicas"},
                }
            }
        ),
        "weightPreference: Karmada ignores it with Aggregated",
        id="aggregated and weights",
    ),
    pytest.param(
        a_propagation(
            {
                "replicaScheduling": {
                    "weightPreference": {
                        "dynamicWeight": "AvailableReplicas",
                        "staticWeightList": [{"targetCluster": {}, "weight": 0}],
                    }
                }
            }
        ),
        "staticWeightList: Karmada ignores it where dynamicWeight is set",
        id="dynamic and static weights",
    ),
    pytest.param(
        a_propagation(
            {
                "replicaScheduling": {
                    "weightPreference": {"staticWeightList": [{"targetCluster": {}, "weight": 0}]}
                }
            }
        ),
        "staticWeightList[0].weight: Karmada wants at least 1 here",
        id="a weight of 0",
    ),
    pytest.param(
        a_propagation(
            {
                "clusterTolerations": [
                    {"operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 5}
                ]
            }
        ),
        "tolerationSeconds: Karmada counts them only where",
        id="X1 X2 toleration seconds are for eviction, which is off by default",
    ),
    pytest.param(
        a_propagation({"clusterAffinity": {"clusterNames": ["m1", "n1"]}}),
        "takes no notice that there is no cluster 'n1' - known are 'm1'",
        id="a cluster that is not there",
    ),
    pytest.param(
        a_propagation({"workloadAffinity": {"affinity": {"groupByLabelKey": "x"}}}),
        "spec.placement.workloadAffinity: Karmada follows it only with the feature gate",
        id="workload affinity",
    ),
    pytest.param(
        a_propagation({}, failover={"cluster": {"purgeMode": "Directly"}}),
        "spec.failover.cluster: Karmada moves what ran on a failed cluster",
        id="failover of clusters",
    ),
    pytest.param(
        a_propagation({}, schedulerName="mine"), "the scheduler 'mine'", id="another scheduler"
    ),
    pytest.param(a_propagation({}, preemption="Always"), "PropagationPolicyPreemption", id="gate"),
    pytest.param(
        a_propagation({}, activationPreference="Lazy"), "waits for the next change", id="lazy"
    ),
    pytest.param(
        a_propagation({}, preserveResourcesOnDeletion=True), "leaves the copies", id="preserve"
    ),
    pytest.param(
        a_propagation({}, propagateDeps=True), "sends what the object refers to", id="dependencies"
    ),
    pytest.param(
        a_propagation(
            {},
            schedulePriority={"priorityClassSource": "PodPriorityClass", "priorityClassName": "x"},
        ),
        "does not implement 'PodPriorityClass' yet",
        id="a source of priorities that is not there yet",
    ),
]


@pytest.mark.parametrize(("document", "part"), TOLD)
def test_what_is_told(document: dict[str, Any], part: str) -> None:
    lines = told(document)
    assert len([line for line in lines if part in line]) == 1
    assert all(line.startswith("policies.yaml:") for line in lines)


REFUSED = [
    pytest.param(
        a_propagation({"clusterAffinity": {}, "clusterAffinities": [{"affinityName": "x"}]}),
        "exclude each other",
        id="both affinities",
    ),
    pytest.param(
        a_propagation({"clusterAffinities": [{"affinityName": "x"}, {"affinityName": "x"}]}),
        "the group 'x' is there twice",
        id="a group twice",
    ),
    pytest.param(
        a_propagation({"clusterAffinities": [{"affinityName": "x", "overflowAffinities": [{}]}]}),
        "overflow goes with Aggregated or dynamicWeight only",
        id="overflow without room",
    ),
    pytest.param(
        a_propagation({"clusterTolerations": [{"effect": "NoSchedule"}]}),
        "an empty key needs operator 'Exists'",
        id="a toleration of nothing",
    ),
    pytest.param(
        a_propagation({"clusterTolerations": [{"key": "a", "operator": "Exists", "value": "b"}]}),
        "operator 'Exists' takes no value",
        id="a value too much",
    ),
    pytest.param(
        a_propagation({"clusterTolerations": [{"key": "a", "tolerationSeconds": 3}]}),
        "goes with effect 'NoExecute' only",
        id="seconds of another effect",
    ),
    pytest.param(
        a_propagation({"clusterTolerations": [{"key": "a", "operator": "Lt", "value": "3"}]}),
        "'Lt' is not allowed",
        id="an operator of nodes",
    ),
    pytest.param(
        a_propagation({"spreadConstraints": [{"spreadByField": "region", "maxGroups": 2}]}),
        "needs one by 'cluster' besides",
        id="a region alone",
    ),
    pytest.param(
        a_propagation({"spreadConstraints": [{"maxGroups": 2}, {"maxGroups": 3}]}),
        "spread by 'cluster' is said twice",
        id="clusters twice",
    ),
    pytest.param(
        a_propagation({"spreadConstraints": [{"maxGroups": 2, "minGroups": 3}]}),
        "maxGroups 2 is less than minGroups 3",
        id="more at least than at most",
    ),
    pytest.param(
        a_propagation(constraint(spreadByField="region", spreadByLabel="x", maxGroups=1)),
        "exclude each other",
        id="a field and a label",
    ),
    pytest.param(
        a_propagation(
            {
                "clusterAffinity": {
                    "labelSelector": {"matchExpressions": [{"key": "a", "operator": "In"}]}
                }
            }
        ),
        "'In' takes one or more values",
        id="no values",
    ),
    pytest.param(
        a_propagation({}, suspension={"dispatching": True}), "fleet cannot", id="suspended"
    ),
    pytest.param(
        a_propagation(
            {},
            failover={
                "application": {
                    "decisionConditions": {},
                    "purgeMode": "Never",
                    "gracePeriodSeconds": 9,
                }
            },
        ),
        "goes with purgeMode 'Gracefully' only",
        id="a grace period of another mode",
    ),
    pytest.param(
        a_propagation({"replicaScheduling": {"replicaSchedulingType": "Even"}}),
        "'Even' is not allowed; allowed are 'Duplicated', 'Divided'",
        id="T12 an unknown strategy",
    ),
    pytest.param(
        a_propagation({"clusterAfinity": {}}), "did you mean 'clusterAffinity'?", id="typo"
    ),
    pytest.param(
        {"apiVersion": "policy.karmada.io/v1alpha1", "kind": "Propagation", "metadata": {}},
        "'Propagation' is no document of Karmada's that is known here",
        id="an unknown kind",
    ),
]


@pytest.mark.parametrize(("document", "part"), REFUSED)
def test_what_is_refused(document: dict[str, Any], part: str) -> None:
    lines = refused(document)
    assert len([line for line in lines if part in line]) == 1
    assert all(line.startswith("policies.yaml:") for line in lines)


CLUSTERS = [
    pytest.param(
        {"resourceSummary": {"allocatable": {"cpu": "many"}}},
        "clusters.yaml:12:7: status.resourceSummary.allocatable.cpu",
        id="no quantity",
    ),
    pytest.param(
        {"resourceSummary": {"allocatableModelings": [{"grade": 12, "count": 1}]}},
        "there is no grade 12 in spec.resourceModels",
        id="an unknown grade",
    ),
]


@pytest.mark.parametrize(("status", "part"), CLUSTERS)
def test_clusters_that_are_refused(status: dict[str, Any], part: str) -> None:
    cluster = a_karmada_cluster("m1", status=status, region="r")
    (line,) = refused(a_propagation({}), cluster=cluster)
    assert part in line


def test_a_status_that_is_not_known_yet_is_told() -> None:
    cluster = a_karmada_cluster("m1", status={"weather": {"sun": True}}, region="r")
    (line,) = told(a_propagation({}), cluster=cluster)
    assert line.startswith("clusters.yaml:10:3: status.weather: Karmada reports it")


def test_models_that_are_refused() -> None:
    ranges = [{"name": "cpu", "min": "x"}]
    models = [{"grade": 0, "ranges": ranges}]
    summary = {"allocatableModelings": [{"grade": 0, "count": 1}]}
    cluster = a_karmada_cluster("m1", resourceModels=models, status={"resourceSummary": summary})
    (line,) = refused(a_propagation({}), cluster=cluster)
    assert "spec.resourceModels[0].ranges[0].min" in line


OVERRIDES_TOLD = [
    pytest.param(words("command", "add", "x", container="x"), "finds no container 'x'", id="name"),
    pytest.param(
        image("Tag", "add", "x", predicate={"path": "/spec/gone"}),
        "finds no image at '/spec/gone'",
        id="no image",
    ),
    pytest.param(
        {"labelsOverrider": [{"operator": "remove", "value": {"gone": ""}}]},
        "finds no such key among the labels",
        id="no label",
    ),
    pytest.param(
        {"plaintext": [{"path": "/spec/replicas", "operator": "replace", "value": 7}]},
        "sets the replicas after it has divided them",
        id="replicas",
    ),
]


@pytest.mark.parametrize(("overriders", "part"), OVERRIDES_TOLD)
def test_what_is_told_of_overrides(overriders: dict[str, Any], part: str) -> None:
    assert (
        len([line for line in told(a_propagation({}), override(overriders)) if part in line]) == 1
    )


def test_overrides_that_build_on_others_are_told() -> None:
    first = override(image("Registry", "add", ".a"), targetCluster={"clusterNames": ["m1"]})
    second = override(image("Registry", "add", ".b"), name="p")
    lines = told(a_propagation({}), first, second)
    assert [line for line in lines if "works on what an earlier rule left" in line]


def test_an_override_that_meets_nothing_is_told() -> None:
    made = override(image("Tag", "replace", "x"))
    made["spec"]["resourceSelectors"] = [{"apiVersion": "v1", "kind": "Secret"}]
    assert "no object that a policy places is selected" in told(a_propagation({}), made)[0]


WAITS = "Karmada places nothing before there is the"


def test_a_policy_waits_for_the_overrides_that_it_names() -> None:
    waits = a_propagation({}, dependentOverrides=["o", "p"])
    mine, wide = (
        override(image("Tag", "replace", "x")),
        override(image("Tag", "replace", "x"), kind="ClusterOverridePolicy", name="p"),
    )
    (line,) = [each for each in refused(waits, mine, wide) if WAITS in each]
    assert "spec.dependentOverrides[1]" in line
    assert "the OverridePolicy 'p', and no file has it" in line
    theirs = override(image("Tag", "replace", "x"), name="p")
    theirs["metadata"]["namespace"] = "other"
    assert len([each for each in refused(waits, mine, theirs) if WAITS in each]) == 1
    assert not [
        each for each in told(a_propagation({}, dependentOverrides=["o"]), mine) if "wait" in each
    ]


def test_a_policy_of_all_namespaces_waits_for_overrides_of_all() -> None:
    waits = a_propagation({}, dependentOverrides=["o"])
    waits |= {"kind": "ClusterPropagationPolicy", "metadata": {"name": "web"}}
    mine = override(image("Tag", "replace", "x"))
    (line,) = [each for each in refused(waits, mine) if WAITS in each]
    assert "the ClusterOverridePolicy 'o'" in line
    wide = override(image("Tag", "replace", "x"), kind="ClusterOverridePolicy")
    assert not [each for each in told(waits, wide) if "wait" in each]


def test_who_waits_for_a_refused_override_is_not_told_that_it_is_missing() -> None:
    waits = a_propagation({}, dependentOverrides=["o"])
    assert not [each for each in refused(waits, override(NO_TEXT)) if WAITS in each]
    wrong = override(image("Tag", "replace", "x"))
    wrong["spec"]["speed"] = 1
    assert not [each for each in refused(waits, wrong) if WAITS in each]


def test_texts_that_cannot_be_patched_are_refused() -> None:
    text = {"fieldPath": "/spec/replicas", "json": []}
    assert "is no text" in refused(a_propagation({}), override({"fieldOverrider": [text]}))[0]
    steps = [{"subPath": "/a", "operator": "add", "value": 1}]
    image_path = "/spec/template/spec/containers/0/image"
    broken = {"fieldOverrider": [{"fieldPath": image_path, "json": steps}]}
    assert "cannot be patched so" in refused(a_propagation({}), override(broken))[0]


NO_TEXT = {"fieldOverrider": [{"fieldPath": "/spec/replicas", "json": []}]}
NO_IMAGE = {"imageOverrider": [{"component": "Tag", "operator": "replace", "value": "x"}]}
NO_IMAGE["imageOverrider"][0]["predicate"] = {"path": "/spec/none"}  # type: ignore[assignment]
NO_PATCH = {"plaintext": [{"path": "", "operator": "move", "value": 1}]}


@pytest.mark.parametrize("kind", ["OverridePolicy", "ClusterOverridePolicy"])
def test_rules_of_an_override_that_is_refused_are_tried_all_the_same(kind: str) -> None:
    wrong = override(NO_TEXT, NO_IMAGE, NO_PATCH, kind=kind)
    wrong["spec"]["speed"] = 1
    lines = refused(a_propagation({}), wrong)
    for part in ("spec.speed", "plaintext[0].operator", "is no text", "finds no image"):
        assert len([line for line in lines if part in line]) == 1, (part, lines)


def test_rules_are_tried_on_what_a_refused_policy_would_place() -> None:
    lines = refused({**a_propagation({}), "speed": 1}, override(NO_TEXT))
    assert len([line for line in lines if "is no text" in line]) == 1
    assert len([line for line in lines if "speed" in line]) == 1


def test_rules_are_not_tried_on_what_no_policy_places() -> None:
    elsewhere = a_propagation({})
    elsewhere["spec"]["resourceSelectors"] = [{"apiVersion": "v1", "kind": "Secret"}]
    wrong = override(NO_TEXT)
    wrong["spec"]["speed"] = 1
    assert not [line for line in refused(elsewhere, wrong) if "is no text" in line]
    lines = refused({**elsewhere, "speed": 1}, override(NO_TEXT))
    assert not [line for line in lines if "is no text" in line]


def test_quotas_and_taint_policies_are_told() -> None:
    quota = {
        "apiVersion": "policy.karmada.io/v1alpha1",
        "kind": "FederatedResourceQuota",
        "metadata": {"name": "q", "namespace": "shop"},
        "spec": {"overall": {"cpu": "9"}},
    }
    (line,) = told(a_propagation({}), quota)
    assert "Karmada follows a FederatedResourceQuota, fleet does not" in line


def test_a_list_as_kubectl_writes_it() -> None:
    """Other documents of the same file keep fleet's own dialect: the region `no` is Norway."""
    listed = {
        "apiVersion": "v1",
        "kind": "List",
        "items": [a_propagation({"clusterAffinity": {"clusterNames": ["m1"]}})],
    }
    native = {
        "apiVersion": "fleet/v1",
        "kind": "Cluster",
        "metadata": {"name": "n1"},
        "spec": {"region": "eu"},
    }
    snapshot = loaded(
        {
            "clusters": [a_karmada_cluster("m1"), native],
            "workloads": [a_deployment(2)],
            "policies": [listed],
        }
    )
    assert decided(snapshot).replicas == {"m1": 2}
    where = snapshot.linked[0].placement.origin.at("spec", "affinity")
    assert str(where) == "policies.yaml:10:7"
