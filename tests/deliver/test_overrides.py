"""Override rules: where they hold, what they change, and which of them are refused."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet.model.decision import Assignment
from fleet.model.inventory import Cluster, State
from fleet.model.override import OverridePolicy
from fleet.model.source import Origin
from fleet.model.workload import Manifest, Workload
from tests.builders import a_cluster, a_snapshot, a_traffic, an_override, linked
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
from tests.deliver.test_manifests import hpa

DEPLOYMENT = {"kind": "Deployment"}
LABEL = {"op": "add", "path": "/metadata/labels", "value": {"site": "${cluster.region}"}}


def rule(*steps: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A rule about Deployments; `image` or patch steps."""
    fields.setdefault("target", DEPLOYMENT)
    return {**fields, "patch": list(steps)} if steps else fields


def policy(*rules: dict[str, Any], name: str = "site") -> OverridePolicy:
    marks = {("spec", "rules", index): (10 + index, 3) for index in range(len(rules))}
    made = an_override(name, rules=list(rules))
    return made.model_copy(update={"origin": Origin(f"policies/{name}.yaml", marks=marks)})


def overridden(*policies: OverridePolicy, cluster: str = "eu-1", **fields: Any) -> dict[str, Any]:
    """The Deployment of `web` on one cluster."""
    return objects_on(planned(overrides=policies, **fields), cluster)["Deployment/default/web"]


def refused(
    *policies: OverridePolicy,
    workload: Workload | None = None,
    placed: dict[str, int | Assignment] | None = None,
    clusters: Sequence[Cluster] | None = None,
) -> list[str]:
    it = workload or web()
    snapshot = a_snapshot(clusters or two_clusters(), [linked(it, overrides=policies)])
    return faults_of(snapshot, a_schedule({it.name: placed or {"eu-1": 4, "us-1": 2}}))


HOLDS = [
    pytest.param({}, {"eu-1", "us-1"}, id="everywhere"),
    pytest.param({"clusters": ["eu-1"]}, {"eu-1"}, id="a cluster"),
    pytest.param({"clusters": ["*-1"]}, {"eu-1", "us-1"}, id="a pattern of clusters"),
    pytest.param({"regions": ["eu-*"]}, {"eu-1"}, id="a pattern of regions"),
    pytest.param({"regions": ["eu-west-1", "us-*"]}, {"eu-1", "us-1"}, id="one of several"),
    pytest.param({"match_labels": {"env": "prod"}}, {"eu-1"}, id="a label"),
    pytest.param({"roles": ["standby"]}, {"us-1"}, id="a role"),
    pytest.param({"regions": ["us-*"], "clusters": ["us-1"]}, {"us-1"}, id="all of what is said"),
]


@pytest.mark.parametrize(("where", "expected"), HOLDS)
def test_rules_hold_where_they_say(where: dict[str, Any], expected: set[str]) -> None:
    clusters = [
        a_cluster("eu-1", "eu-west-1", labels={"env": "prod"}),
        a_cluster("us-1", "us-east-1"),
    ]
    plan = planned(
        overrides=[policy(rule(LABEL, where=where))], clusters=clusters, standby=["us-1"]
    )
    labelled = {
        name
        for name in ("eu-1", "us-1")
        if "labels" in objects_on(plan, name)["Deployment/default/web"]["metadata"]
    }
    assert labelled == expected


TARGETS = [
    pytest.param({"kind": "Service"}, {"Service"}, id="a kind"),
    pytest.param({"name": "web"}, {"Service", "Deployment"}, id="a name"),
    pytest.param({"api_version": "apps/v1"}, {"Deployment"}, id="a version"),
    pytest.param({"namespace": "shop"}, {"ConfigMap"}, id="a namespace"),
    pytest.param({"namespace": "default"}, {"Service", "Deployment"}, id="the default namespace"),
    pytest.param({}, {"Service", "Deployment", "ConfigMap"}, id="everything"),
]


@pytest.mark.parametrize(("target", "expected"), TARGETS)
def test_rules_change_what_they_target(target: dict[str, str], expected: set[str]) -> None:
    objects = (a_deployment(), an_object("Service"), an_object(name="x", namespace="shop"))
    plan = planned(web(*objects), {"eu-1": 4}, overrides=[policy(rule(LABEL, target=target))])
    bodies = objects_on(plan, "eu-1").values()
    assert {each["kind"] for each in bodies if "labels" in each["metadata"]} == expected


PATCHES = [
    pytest.param([LABEL], {"site": "eu-west-1"}, id="add, with a variable"),
    pytest.param(
        [LABEL, {"op": "replace", "path": "/metadata/labels/site", "value": "x"}],
        {"site": "x"},
        id="replace",
    ),
    pytest.param(
        [LABEL, {"op": "copy", "path": "/metadata/labels/b", "from": "/metadata/labels/site"}],
        {"site": "eu-west-1", "b": "eu-west-1"},
        id="copy",
    ),
    pytest.param(
        [LABEL, {"op": "move", "path": "/metadata/labels/b", "from": "/metadata/labels/site"}],
        {"b": "eu-west-1"},
        id="move",
    ),
    pytest.param([LABEL, {"op": "remove", "path": "/metadata/labels/site"}], {}, id="remove"),
    pytest.param(
        [{"op": "test", "path": "/kind", "value": "Deployment"}, LABEL],
        {"site": "eu-west-1"},
        id="a test that holds",
    ),
    pytest.param(
        [LABEL, {"op": "add", "path": "/metadata/labels/a~1b", "value": "c"}],
        {"site": "eu-west-1", "a/b": "c"},
        id="a key with a slash",
    ),
]


@pytest.mark.parametrize(("steps", "expected"), PATCHES)
def test_patches_follow_the_rfc(steps: list[dict[str, Any]], expected: dict[str, str]) -> None:
    assert overridden(policy(rule(*steps)))["metadata"]["labels"] == expected


def test_policies_run_as_the_snapshot_has_them_and_rules_in_their_order() -> None:
    def put(value: str) -> dict[str, Any]:
        return rule({"op": "add", "path": "/metadata/labels", "value": {"last": value}})

    b, a = policy(put("b1"), put("b2"), name="b"), policy(put("a1"), name="a")
    assert overridden(a, b)["metadata"]["labels"] == {"last": "b2"}
    assert overridden(b, a)["metadata"]["labels"] == {"last": "a1"}


def image(**change: str) -> dict[str, Any]:
    return rule(image=change)


def test_an_image_changes_by_parts_and_variables() -> None:
    body = overridden(policy(image(registry="registry.${cluster.region}.example", tag="2")))
    (container,) = body["spec"]["template"]["spec"]["containers"]
    assert container["image"] == "registry.eu-west-1.example/shop/web:2"


def test_an_image_changes_in_the_named_container_only() -> None:
    deployment = a_deployment()
    pod = deployment.body["spec"]["template"]["spec"]
    pod["initContainers"] = [{"name": "setup", "image": "setup:1"}, {"name": "bare"}]
    plan = planned(
        web(deployment), {"eu-1": 4}, overrides=[policy(image(container="setup", tag="2"))]
    )
    changed = objects_on(plan, "eu-1")["Deployment/default/web"]["spec"]["template"]["spec"]
    assert [each.get("image") for each in changed["initContainers"]] == ["setup:2", None]
    assert changed["containers"][0]["image"] == "shop/web:1.0"


def test_a_companions_replicas_may_be_overridden_but_nothing_runs_without_replicas() -> None:
    worker = a_deployment("worker", 3)
    more = rule({"op": "replace", "path": "/spec/replicas", "value": 9}, target={"name": "worker"})
    plan = planned(web(a_deployment(), worker), {"eu-1": 4, "us-1": 0}, overrides=[policy(more)])
    replicas = [
        objects_on(plan, name)["Deployment/default/worker"]["spec"]["replicas"]
        for name in ("eu-1", "us-1")
    ]
    assert replicas == [9, 0]


REFUSED = [
    pytest.param(
        rule({"op": "replace", "path": "/spec/replica", "value": 1}),
        "spec.rules[0].patch[0].path: 'replace' finds no '/spec/replica' in Deployment 'web' on"
        " clusters 'eu-1', 'us-1' - at '/spec': did you mean 'replicas'?",
        id="a path that is missing",
    ),
    pytest.param(
        rule({"op": "replace", "path": "/spec/template/spec/containers/3/image", "value": "x"}),
        "at '/spec/template/spec/containers': known are '0'",
        id="an index that is missing",
    ),
    pytest.param(
        rule({"op": "add", "path": "/kind/x", "value": 1}),
        "'/kind' holds nothing below it",
        id="a path through text",
    ),
    pytest.param(
        rule({"op": "remove", "path": "/nothing"}),
        "at the top: known are 'apiVersion', 'kind', 'metadata', 'spec'",
        id="a path that is missing at the top",
    ),
    pytest.param(
        rule({"op": "move", "path": "/metadata/a", "from": "/metadata/b"}),
        "spec.rules[0].patch[0].from: 'move' finds no '/metadata/b'",
        id="a source that is missing",
    ),
    pytest.param(
        rule({"op": "copy", "path": "/a/b", "from": "/metadata"}),
        "spec.rules[0].patch[0].path: 'copy' finds no '/a/b'",
        id="a copy to nowhere",
    ),
    pytest.param(
        rule({"op": "remove", "path": ""}),
        "'remove' cannot be done at ''",
        id="the whole object removed",
    ),
    pytest.param(
        rule({"op": "replace", "path": "", "value": 1}),
        "an object is a mapping",
        id="something else in an object's place",
    ),
    pytest.param(
        rule({"op": "test", "path": "/kind", "value": "Pod"}),
        "patch[0].value: the test of '/kind' does not hold in Deployment 'web'",
        id="a test that fails",
    ),
    pytest.param(rule({"op": "add", "path": "/a"}), "'add' needs a 'value'", id="no value"),
    pytest.param(rule({"op": "move", "path": "/a"}), "'move' needs a 'from'", id="no source"),
    pytest.param(
        rule({"op": "add", "path": "/metadata/labels", "value": {"a": ["${zone}"]}}),
        "spec.rules[0].patch[0].value.a[0]: no variable '${zone}'",
        id="an unknown variable in a value",
    ),
    pytest.param(
        image(tag="${tag}"), "spec.rules[0].image.tag: no variable '${tag}'", id="in an image"
    ),
    pytest.param(
        rule({"op": "replace", "path": "/metadata/name", "value": "x"}),
        "'metadata.name' of Deployment 'web' is not the rule's to change",
        id="another name",
    ),
    pytest.param(
        rule({"op": "replace", "path": "/apiVersion", "value": "apps/v2"}),
        "'apiVersion' of Deployment 'web' is not the rule's to change",
        id="another version",
    ),
    pytest.param(
        rule({"op": "add", "path": "/metadata/namespace", "value": "x"}),
        "'metadata.namespace' of Deployment 'web' is not the rule's to change",
        id="another namespace",
    ),
    pytest.param(
        rule({"op": "replace", "path": "/spec/replicas", "value": 9}),
        "'spec.replicas' of Deployment 'web' is the scheduler's",
        id="the main object's replicas",
    ),
    pytest.param(
        rule({"op": "add", "path": "/metadata/annotations", "value": "x"}),
        "'metadata.annotations' of Deployment 'web' is no mapping any more",
        id="annotations that are none",
    ),
    pytest.param(
        rule(LABEL, where={"clusters": ["eu-2"]}),
        "spec.rules[0].where: the rule holds on no cluster of the inventory - 'eu-2' is unknown;"
        " did you mean 'eu-1'?",
        id="an unknown cluster",
    ),
    pytest.param(
        rule(LABEL, where={"regions": ["eu-west-2"], "clusters": ["eu-1"]}),
        "'eu-west-2' is unknown; did you mean 'eu-west-1'?",
        id="an unknown region",
    ),
    pytest.param(
        rule(LABEL, where={"match_labels": {"a": "b"}}),
        "the rule holds on no cluster of the inventory",
        id="a label that nobody has",
    ),
    pytest.param(
        rule(LABEL, where={"roles": ["standby"]}),
        "spec.rules[0].where.roles: no workload of the policy has a cluster with role 'standby'",
        id="a role that nobody has",
    ),
    pytest.param(
        rule(LABEL, target={"kind": "Deploymnet"}),
        "spec.rules[0].target: no object of 'web' is targeted - 'Deploymnet' is in none; did you"
        " mean 'Deployment'?",
        id="an unknown kind",
    ),
    pytest.param(
        rule(LABEL, target={"kind": "Deployment", "name": "api", "namespace": "shop"}),
        "'api' is in none; known are 'web'",
        id="an unknown name",
    ),
    pytest.param(
        image(container="wbe", tag="2"),
        "spec.rules[0].image.container: no container 'wbe' in the objects that the rule targets"
        " - did you mean 'web'?",
        id="an unknown container",
    ),
    pytest.param(
        image(tag="1.0"),
        "spec.rules[0].image: the rule changes nothing on any cluster where it holds",
        id="an image that is there already",
    ),
    pytest.param(
        rule({"op": "replace", "path": "/kind", "value": "Deployment"}),
        "spec.rules[0].patch: the rule changes nothing on any cluster where it holds",
        id="a value that is there already",
    ),
]


@pytest.mark.parametrize(("bad", "expected"), REFUSED)
def test_bad_rules_are_refused_at_their_place(bad: dict[str, Any], expected: str) -> None:
    (fault,) = refused(policy(bad))
    assert fault.startswith("policies/site.yaml:10:3: spec.rules[0]")
    assert expected in fault


def test_every_fault_is_told_at_once() -> None:
    faults = refused(policy(*(each.values[0] for each in REFUSED)))  # type: ignore[misc] # a table
    assert len(faults) >= len(REFUSED) - 1


def test_an_image_rule_needs_containers() -> None:
    bad = rule(image={"tag": "2"}, target={"kind": "Service"})
    (fault,) = refused(policy(bad), workload=web(a_deployment(), an_object("Service")))
    assert "the objects that the rule targets have no containers" in fault


@pytest.mark.parametrize("field", ["minReplicas", "maxReplicas"])
def test_the_main_objects_autoscaler_is_the_schedulers(field: str) -> None:
    bad = rule({"op": "replace", "path": f"/spec/{field}", "value": 7}, target={"kind": hpa().kind})
    (fault,) = refused(policy(bad), workload=web(a_deployment(), hpa()))
    assert f"'spec.{field}' of HorizontalPodAutoscaler 'web' is the scheduler's" in fault


def test_without_a_main_object_nothing_is_the_schedulers() -> None:
    more = rule({"op": "replace", "path": "/spec/replicas", "value": 9})
    plan = planned(web(main=None), {"eu-1": 0}, overrides=[policy(more)])
    assert objects_on(plan, "eu-1")["Deployment/default/web"]["spec"]["replicas"] == 9


def test_a_secrets_values_are_never_told() -> None:
    secret = an_object("Secret", "key", data={"password": "aHVzaA=="})
    bad = rule({"op": "test", "path": "/data/password", "value": "x"}, target={"kind": "Secret"})
    (fault,) = refused(policy(bad), workload=web(a_deployment(), secret))
    assert "aHVzaA" not in fault


def test_a_rule_is_judged_over_all_workloads_of_its_policy() -> None:
    shared = policy(rule(LABEL, target={"name": "api"}))
    items = [
        linked(each, overrides=[shared]) for each in (web(), web(a_deployment("api"), name="api"))
    ]
    schedule = a_schedule({"web": {"eu-1": 6}, "api": {"eu-1": 6}})
    assert faults_of(a_snapshot(two_clusters(), items), schedule) == []


def test_a_rule_for_a_cluster_that_is_not_used_today_is_no_error() -> None:
    assert refused(policy(rule(LABEL, where={"clusters": ["us-1"]})), placed={"eu-1": 6}) == []


def test_a_lost_region_does_not_make_a_rule_an_error() -> None:
    """The rule says of us-1 what the file says already, and eu-1 is down in this hour."""
    workload = web(a_deployment(metadata={"labels": {"site": "us-east-1"}}))
    plan = refused(
        policy(rule(LABEL)),
        workload=workload,
        placed={"us-1": 6},
        clusters=two_clusters(),
    )
    assert plan == []


def test_a_rule_that_would_fail_elsewhere_is_not_called_idle() -> None:
    workload = web(a_deployment(metadata={"labels": {"tier": "gold"}}))
    clusters = [a_cluster("eu-1", labels={"tier": "gold"}), a_cluster("us-1", "us-east-1")]
    steps = {"op": "add", "path": "/metadata/labels/tier", "value": "${cluster.labels.tier}"}
    assert (
        refused(policy(rule(steps)), workload=workload, placed={"eu-1": 6}, clusters=clusters) == []
    )


def test_a_rule_for_standbys_is_no_error_while_there_is_none() -> None:
    where = {"roles": ["standby"]}
    item = linked(
        web(), overrides=[policy(rule(LABEL, where=where))], traffic=[a_traffic(active_region="eu")]
    )
    clusters = [a_cluster("eu-1", "eu"), a_cluster("us-1", "us", state=State.DOWN)]
    schedule = a_schedule({"web": {"eu-1": 6}})
    assert faults_of(a_snapshot(clusters, [item]), schedule) == []


patches = st.lists(
    st.fixed_dictionaries(
        {
            "op": st.sampled_from(["add", "replace"]),
            "path": st.sampled_from(
                ["/metadata/labels", "/spec/template/metadata/labels/app", "/spec/paused"]
            ),
            "value": st.sampled_from(["x", {"a": "${role}"}, [1], None]),
        }
    ),
    min_size=1,
    max_size=4,
)


@given(patches)
def test_the_files_objects_are_never_changed(steps: list[dict[str, Any]]) -> None:
    deployment: Manifest = a_deployment()
    before = deepcopy(deployment.body)
    refused(policy(rule(*steps)), workload=web(deployment))
    assert deployment.body == before


def test_an_optional_rule_may_change_nothing() -> None:
    idle = rule({"op": "remove", "path": "/metadata/labels"}, where={"clusters": ["nowhere"]})
    assert refused(policy(idle))
    assert not refused(policy({**idle, "optional": True}))
