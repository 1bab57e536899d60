"""What the stack's own state becomes: the prior of the next run."""

from typing import Any

import pytest

from fleet.emit.state import StateResource, own_state, plain, read_own_state
from fleet.errors import InvalidError, RefusedError
from fleet.model.decision import Role
from fleet.model.prior import Prior
from tests.emit.engine import Engine

DEPLOYMENT = "kubernetes:apps/v1:Deployment"
SECRET = "kubernetes:core/v1:Secret"
NAMESPACE = "kubernetes:core/v1:Namespace"
RECORD = "aws:route53/record:Record"


def a_component(name: str, **placement: Any) -> StateResource:
    return StateResource("fleet:index:Workload", name, {"placement": placement})


def an_object(
    cluster: str, replicas: int = 2, *, workload: str = "web", kind: str = "Deployment"
) -> StateResource:
    field = "parallelism" if kind == "Job" else "replicas"
    return StateResource(
        f"kubernetes:apps/v1:{kind}",
        f"{workload}/{cluster}/{kind}/shop/{workload}",
        {"spec": {field: replicas}},
    )


def a_record(name: str, weight: int | None) -> StateResource:
    routing = [] if weight is None else [{"weight": weight}]
    return StateResource(RECORD, name, {"weightedRoutingPolicies": routing})


def prior_of(*resources: StateResource) -> Prior:
    return own_state(resources).prior


@pytest.mark.parametrize(
    ("came", "was"),
    [
        pytest.param({"replicas": 4.0}, {"replicas": 4}, id="a whole float"),
        pytest.param({"share": 0.5}, {"share": 0.5}, id="a fraction stays"),
        pytest.param({"a": {"b": [1.0, {"c": 2.0}]}}, {"a": {"b": [1, {"c": 2}]}}, id="deep"),
        pytest.param({"a": None, "b": {"c": None}}, {"b": {}}, id="nothing is left out"),
        pytest.param({"on": True, "text": "1.0"}, {"on": True, "text": "1.0"}, id="no number"),
    ],
)
def test_outputs_are_as_they_were_before_the_engine(
    came: dict[str, Any], was: dict[str, Any]
) -> None:
    assert plain(came) == was
    assert str(plain(came)) == str(was)


def test_a_first_run_knows_nothing() -> None:
    state = own_state([])
    assert state.prior == Prior()
    assert not state.prior.known
    assert not state.zone_ids
    assert not state.namespaces


@pytest.mark.parametrize(
    "resource",
    [
        pytest.param(an_object("eu-1"), id="an object"),
        pytest.param(StateResource("fleet:index:Workload", "web", {}), id="a component"),
    ],
)
def test_a_run_that_left_anything_is_known(resource: StateResource) -> None:
    assert prior_of(resource).known


@pytest.mark.parametrize("placements", [None, {}, "nothing that fleet wrote"])
def test_an_older_update_noted_no_clusters(placements: object) -> None:
    stack = StateResource("pulumi:pulumi:Stack", "fleet-dev", {"placements": placements})
    assert prior_of(stack, an_object("eu-1")).clusters == {}


def test_providers_and_records_alone_are_no_run() -> None:
    provider = StateResource("pulumi:providers:kubernetes", "eu-1", {})
    assert not prior_of(provider, a_record("web/eu-1", 100)).known


def test_what_was_assigned_is_read_from_the_component() -> None:
    component = a_component(
        "web",
        assignments={"eu-1": 4},
        roles={"eu-1": "standby"},
        hashes={"eu-1": {"Deployment/shop/web": "abc"}},
        proven={"eu-1": "def"},
    )
    web = prior_of(component, an_object("eu-1", 2)).workloads["web"]
    assert web.replicas == {"eu-1": 4}
    assert web.roles == {"eu-1": Role.STANDBY}
    assert web.hashes == {"eu-1": {"Deployment/shop/web": "abc"}}
    assert web.proven == {"eu-1": "def"}


def test_an_assignment_whose_objects_are_gone_is_dropped() -> None:
    component = a_component(
        "web",
        assignments={"eu-1": 4, "us-1": 2},
        roles={"eu-1": "active", "us-1": "standby"},
        hashes={"us-1": {"Deployment/shop/web": "abc"}},
        proven={"us-1": "def"},
    )
    web = prior_of(component, an_object("eu-1")).workloads["web"]
    assert web.replicas == {"eu-1": 4}
    assert web.roles == {"eu-1": Role.ACTIVE}
    assert not web.hashes
    assert not web.proven


def test_a_workload_without_any_object_is_dropped() -> None:
    assert not prior_of(a_component("web", assignments={"eu-1": 4})).workloads


def test_objects_that_no_assignment_speaks_of_are_a_debt_or_half_an_update() -> None:
    component = a_component("web", assignments={"eu-1": 4})
    prior = prior_of(component, an_object("eu-1"), an_object("us-1"))
    assert prior.workloads["web"].replicas == {"eu-1": 4}
    assert "web/us-1/Deployment/shop/web" in prior.objects


def test_a_workload_that_was_never_assigned_has_no_replicas() -> None:
    component = a_component("web", assignments={}, hashes={})
    assert prior_of(component, an_object("eu-1")).workloads["web"].replicas == {}


@pytest.mark.parametrize(
    ("kind", "written", "counted"),
    [
        pytest.param("Deployment", 3, 3, id="a deployment"),
        pytest.param("StatefulSet", 3, 3, id="a stateful set"),
        pytest.param("Job", 3, 3, id="a job's parallelism"),
        pytest.param("DaemonSet", 0, 1, id="a daemon set is one"),
        pytest.param("ConfigMap", 3, 0, id="something that has no replicas"),
    ],
)
def test_objects_of_a_first_update_that_was_cut_are_counted(
    kind: str, written: int, counted: int
) -> None:
    component = StateResource("fleet:index:Workload", "web", {})
    objects = [an_object("us-1", written, kind=kind)]
    assert prior_of(component, *objects).workloads["web"].replicas == {"us-1": counted}


def test_objects_without_their_component_are_counted() -> None:
    found = prior_of(an_object("eu-1", 2), an_object("eu-1", 5, kind="StatefulSet"))
    assert found.workloads["web"].replicas == {"eu-1": 5}


@pytest.mark.parametrize("spec", [{"replicas": {"primary": 1}}, {"replicas": "three"}, {}, None])
def test_a_custom_kind_may_have_any_spec(spec: object) -> None:
    custom = StateResource(
        "kubernetes:db.example/v1:Cluster", "web/eu-1/Cluster/shop/db", {"spec": spec}
    )
    assert prior_of(custom).workloads["web"].replicas == {"eu-1": 0}


def test_a_deployment_whose_replicas_an_autoscaler_owns_counts_nothing() -> None:
    owned = StateResource(DEPLOYMENT, "web/eu-1/Deployment/shop/web", {"spec": {}})
    assert prior_of(owned).workloads["web"].replicas == {"eu-1": 0}


def test_a_placement_that_cannot_be_read_is_an_error() -> None:
    with pytest.raises(InvalidError, match=r"assignments\.eu-1"):
        prior_of(a_component("web", assignments={"eu-1": "four"}), an_object("eu-1"))


def test_weights_are_the_records_own() -> None:
    component = a_component("web", assignments={"eu-1": 4}, dnsWeights={"web": {"eu-1": 7}})
    records = [a_record("web/eu-1", 100), a_record("web/us-1", 0), a_record("api/eu-1", 50)]
    prior = prior_of(component, an_object("eu-1"), *records)
    assert prior.dns_weights == {"web": {"eu-1": 100, "us-1": 0}, "api": {"eu-1": 50}}
    assert list(prior.records) == ["api/eu-1", "web/eu-1", "web/us-1"]


def test_a_record_without_a_weight_weighs_nothing() -> None:
    assert prior_of(a_record("web/eu-1", None)).dns_weights == {"web": {"eu-1": 0}}


def test_a_policy_that_changed_its_workload_in_a_cut_update_is_no_error() -> None:
    components = [
        a_component(name, assignments={"eu-1": 1}, dnsWeights={"front": {"eu-1": 100}})
        for name in ("web", "site")
    ]
    objects = [an_object("eu-1", workload="web"), an_object("eu-1", workload="site")]
    assert prior_of(*components, *objects, a_record("front/eu-1", 100)).dns_weights == {
        "front": {"eu-1": 100}
    }


def test_the_data_of_secrets_is_never_kept() -> None:
    outputs = {
        "kind": "Secret",
        "data": {"key": "hidden"},
        "stringData": {"key": "hidden"},
        "metadata": {
            "name": "key",
            "annotations": {
                "kubectl.kubernetes.io/last-applied-configuration": '{"data":{"key":"hidden"}}',
                "fleet/owner": "web",
            },
        },
        "__inputs": {"data": {"key": "hidden"}},
    }
    kept = prior_of(StateResource(SECRET, "web/eu-1/Secret/shop/key", outputs))
    body = kept.objects["web/eu-1/Secret/shop/key"].body
    assert body == {
        "kind": "Secret",
        "metadata": {"name": "key", "annotations": {"fleet/owner": "web"}},
    }
    assert "hidden" not in repr(kept)


def test_the_data_of_other_kinds_is_kept() -> None:
    name = "web/eu-1/ConfigMap/shop/settings"
    found = prior_of(StateResource("kubernetes:core/v1:ConfigMap", name, {"data": {"a": "b"}}))
    assert found.objects[name].body == {"data": {"a": "b"}}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("web/eu-1/ClusterRole//system:web", id="outside namespaces, with a colon"),
        pytest.param("web/eu-1.example/Service/shop/web", id="a cluster with a dot"),
        pytest.param("web.v2/eu-1/Service/shop/web", id="a workload with a dot"),
    ],
)
def test_an_object_is_known_by_its_five_parts(name: str) -> None:
    assert list(prior_of(StateResource("kubernetes:core/v1:X", name, {})).objects) == [name]


def test_a_workload_may_have_two_parts() -> None:
    name = "shop/web/eu-1/Deployment/shop/web"
    found = prior_of(StateResource(DEPLOYMENT, name, {"spec": {"replicas": 3}}))
    assert dict(found.workloads["shop/web"].replicas) == {"eu-1": 3}


@pytest.mark.parametrize("name", ["web", "eu-1/Namespace/shop", "a/b/c/d", "a/b/c/d/e/f/g"])
def test_other_names_are_no_objects(name: str) -> None:
    assert not prior_of(StateResource("kubernetes:core/v1:Service", name, {})).objects


def test_shared_namespaces_are_told_from_objects() -> None:
    state = own_state(
        [
            StateResource(NAMESPACE, "eu-1/Namespace/shop", {}),
            StateResource(NAMESPACE, "web/eu-1/Namespace//shop", {}),
            StateResource(DEPLOYMENT, "eu-1/Namespace/other", {}),
        ]
    )
    assert state.namespaces == {"eu-1/Namespace/shop": False}


def test_a_namespace_that_was_released_is_known() -> None:
    outputs = {"metadata": {"annotations": {"fleet/released": "true"}}}
    state = own_state([StateResource(NAMESPACE, "eu-1/Namespace/shop", outputs)])
    assert state.namespaces == {"eu-1/Namespace/shop": True}


def test_zones_are_known_by_their_id() -> None:
    zone = "aws:route53/zone:Zone"
    state = own_state(
        [
            StateResource(zone, "fleet.test", {"zoneId": "Z1"}),
            StateResource(zone, "half.test", {}),
        ]
    )
    assert state.zone_ids == {"fleet.test": "Z1"}


def test_the_state_is_read_by_urn(engine: Engine) -> None:
    urns = {
        "pulumi:pulumi:Stack::fleet-dev": {
            "digest": "x",
            "placements": {"$clusters": {"eu-1": {"capacity.allocatable.cpu": "40"}}},
        },
        "fleet:index:Workload::web": {
            "placement": {"assignments": {"eu-1": 4.0}, "inputs": {"replicas": "4"}}
        },
        "fleet:index:Workload$kubernetes:apps/v1:Deployment::web/eu-1/Deployment/shop/web": {
            "spec": {"replicas": 4.0}
        },
        "fleet:index:Workload$kubernetes:rbac.authorization.k8s.io/v1:ClusterRole"
        "::web/eu-1/ClusterRole//a::b": {},
        "fleet:index:Endpoint$aws:route53/record:Record::web/eu-1": {
            "weightedRoutingPolicies": [{"weight": 100.0}]
        },
    }
    engine.answers["pulumi:pulumi:readStackResourceOutputs"] = {
        "outputs": {
            f"urn:pulumi:dev::fleet::{urn}": {"type": "", "outputs": outputs}
            for urn, outputs in urns.items()
        }
    }
    state = engine.run(read_own_state)
    assert engine.calls == [
        ("pulumi:pulumi:readStackResourceOutputs", {"stackName": "organization/fleet/dev"})
    ]
    assert state.prior.workloads["web"].replicas == {"eu-1": 4}
    assert state.prior.workloads["web"].inputs == {"replicas": "4"}
    assert state.prior.clusters == {"eu-1": {"capacity.allocatable.cpu": "40"}}
    assert list(state.prior.objects) == [
        "web/eu-1/ClusterRole//a::b",
        "web/eu-1/Deployment/shop/web",
    ]
    assert state.prior.dns_weights == {"web": {"eu-1": 100}}


@pytest.mark.parametrize("answer", [{}, {"outputs": {}}])
def test_a_fresh_stack_is_a_first_run(engine: Engine, answer: dict[str, Any]) -> None:
    engine.answers["pulumi:pulumi:readStackResourceOutputs"] = answer
    assert not engine.run(read_own_state).prior.known


def test_a_state_that_is_being_written_is_read_again(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: list[Exception | dict[str, Any]] = [ValueError("EOF"), {"outputs": {}}]

    async def once(*_: object) -> dict[str, Any]:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr("fleet.emit.state.READ_PAUSE_SECONDS", 0)
    monkeypatch.setattr("pulumi.runtime.invoke_async", once)
    assert not engine.run(read_own_state).prior.known
    assert answers == []


def test_a_state_that_cannot_be_read_is_an_error_and_not_empty(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*_: object) -> None:
        raise ValueError("bad passphrase")

    monkeypatch.setattr("fleet.emit.state.READ_PAUSE_SECONDS", 0)
    monkeypatch.setattr("pulumi.runtime.invoke_async", never)
    with pytest.raises(RefusedError, match="own state cannot be read: bad passphrase"):
        engine.run(read_own_state)


def test_a_health_check_is_known_by_what_aws_calls_it() -> None:
    outputs = {"arn": "arn:aws:route53:::healthcheck/c1"}
    check = StateResource("aws:route53/healthCheck:HealthCheck", "check/eu-1", outputs)
    new = StateResource("aws:route53/healthCheck:HealthCheck", "check/us-1", {})
    assert own_state([check, new]).check_ids == {"c1"}
