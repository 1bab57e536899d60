"""Where a name leads when its policy names a placed object: known, unknown, gone, observed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from fleet.deliver import deliver
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.document import Metadata
from fleet.model.inventory import Cluster, State
from fleet.model.observation import ClusterObservation, ObservationSpec
from fleet.model.plan import DeliveryPlan
from fleet.model.prior import Prior, PriorObject, PriorWorkload
from fleet.model.settings import Settings
from fleet.model.snapshot import Facts, Snapshot
from fleet.model.target import KnownTarget
from fleet.model.workload import Manifest
from tests.builders import a_cluster, a_snapshot, a_traffic, linked
from tests.deliver.kit import (
    a_deployment,
    a_schedule,
    an_entry,
    an_object,
    faults_of,
    findings,
    web,
)

KEY = "Service/shop/web"
EU, US = "192.0.2.1", "192.0.2.2"
REGIONS = {"eu-1": "eu-west-1", "us-1": "us-east-1"}
MOVED = {"eu-1": 2, "us-1": 4}


def a_service(kind: str = "Service", **spec: Any) -> Manifest:
    fields = spec or {"type": "LoadBalancer", "ports": [{"port": 8080}]}
    api = {"Service": "v1", "Ingress": "networking.k8s.io/v1"}.get(
        kind, "gateway.networking.k8s.io/v1"
    )
    return an_object(kind, api=api, namespace="shop", spec=fields)


def a_policy(**spec: Any) -> Any:
    target = {"kind": "Service", "name": "web"}
    return a_traffic(**{"active_region": "eu-west-1", "target": target, **spec})


def stored(cluster: str, *ips: str, version: str = "5", key: str = KEY) -> PriorObject:
    """The state's copy of a Service."""
    ingress = [{"ip": each} for each in ips]
    body = {
        "kind": key.partition("/")[0],
        "metadata": {"resourceVersion": version},
        "spec": {"ports": [{"port": 8080}]},
        "status": {"loadBalancer": {"ingress": ingress} if ips else {}},
    }
    return PriorObject(f"web/{cluster}/{key}", "kubernetes:core/v1:Service", body)


def told(value: str = "", last: str = "", version: int = 0) -> KnownTarget:
    """What an update saw."""
    return KnownTarget(tuple(value.split()), tuple((last or value).split()), version)


def a_prior(
    *objects: PriorObject,
    weights: Mapping[str, int] | None = None,
    targets: Mapping[str, KnownTarget] | None = None,
    records: Sequence[PriorObject] = (),
    replicas: Mapping[str, int] | None = None,
) -> Prior:
    placed = PriorWorkload(replicas=FrozenMap(replicas or {}))
    return Prior(
        known=True,
        workloads=FrozenMap({"web": placed} if replicas else {}),
        dns_weights=FrozenMap({"web": FrozenMap(weights)} if weights else {}),
        objects=FrozenMap({each.name: each for each in objects}),
        records=FrozenMap({each.name: each for each in records}),
        targets=FrozenMap({"web": FrozenMap(targets)} if targets else {}),
    )


BOTH = a_prior(stored("eu-1", EU), stored("us-1", US))


def the_snapshot(
    policy: Any = None,
    *manifests: Manifest,
    states: Mapping[str, State] | None = None,
    facts: Facts | None = None,
) -> Snapshot:
    clusters: list[Cluster] = [
        a_cluster(name, region, entry=an_entry("198.51.100.1", port=99))
        for name, region in REGIONS.items()
    ]
    workload = web(a_deployment(namespace="shop"), *(manifests or (a_service(),)))
    item = linked(workload, traffic=[policy or a_policy()])
    return a_snapshot(clusters, [item], states=states, facts=facts)


def directed(
    prior: Prior,
    snapshot: Snapshot | None = None,
    placed: Mapping[str, int] | None = None,
    active: str = "eu-west-1",
) -> DeliveryPlan:
    where = {"eu-1": 4, "us-1": 2} if placed is None else placed
    schedule = a_schedule({"web": where}, standby=["us-1"], active={"web": active})
    return deliver(snapshot or the_snapshot(), schedule, prior, Settings())


def records(plan: DeliveryPlan) -> dict[str, tuple[tuple[str, ...], int]]:
    (endpoint,) = plan.endpoints
    return {each.cluster: (each.targets, each.dns_weight) for each in endpoint.records}


def told_codes(plan: DeliveryPlan) -> set[str]:
    return {each.code for each in plan.findings if each.code.startswith("target-")}


def test_a_name_leads_to_the_load_balancers_and_not_to_the_entries() -> None:
    plan = directed(BOTH)
    assert records(plan) == {"eu-1": ((EU,), 100), "us-1": ((US,), 0)}
    assert plan.endpoints[0].target == KEY
    assert {(each.address, each.port) for each in plan.checks} == {(EU, 8080), (US, 8080)}
    assert told_codes(plan) == set()


def test_without_a_target_nothing_is_looked_for() -> None:
    plan = directed(BOTH, the_snapshot(a_policy(target=None)))
    assert records(plan)["eu-1"] == (("198.51.100.1",), 100)
    assert plan.endpoints[0].target == ""


def test_a_first_update_has_no_records_yet_and_says_so() -> None:
    plan = directed(Prior())
    assert records(plan) == {}
    (found,) = findings(plan, codes.TARGET_UNKNOWN)
    assert found.values == {
        "policy": "web",
        "name": "web.fleet.test",
        "target": KEY,
        "clusters": "eu-1, us-1",
    }
    assert findings(plan, codes.NO_RECORDS) == []
    assert plan.endpoints[0].waits == ()


def test_no_standby_is_answered_before_the_active_side_is_known() -> None:
    plan = directed(a_prior(stored("us-1", US)))
    assert records(plan) == {}
    assert told_codes(plan) == {codes.TARGET_UNKNOWN}


def test_a_new_cluster_has_its_record_one_update_later() -> None:
    first = directed(a_prior(stored("eu-1", EU), weights={"eu-1": 100}))
    assert records(first) == {"eu-1": ((EU,), 100)}
    assert told_codes(first) == {codes.TARGET_UNKNOWN}
    second = directed(
        a_prior(stored("eu-1", EU), weights={"eu-1": 100}, targets={"us-1": told(US)})
    )
    assert records(second) == {"eu-1": ((EU,), 100), "us-1": ((US,), 0)}
    assert told_codes(second) == set()


def test_a_switch_to_a_side_that_nobody_has_seen_keeps_everything_as_it_is() -> None:
    prior = a_prior(stored("eu-1", EU), weights={"eu-1": 100}, replicas={"eu-1": 4})
    plan = directed(prior, placed=MOVED, active="us-east-1")
    assert records(plan) == {"eu-1": ((EU,), 100)}
    assert plan.endpoints[0].waits == ("us-1",)
    assert told_codes(plan) == {codes.TARGET_UNKNOWN, codes.TARGET_WAITS}
    (found,) = findings(plan, codes.TARGET_WAITS)
    assert found.values["clusters"] == "us-1"


def test_the_side_that_is_left_stays_answered_until_the_new_one_is_seen() -> None:
    prior = a_prior(stored("eu-1", EU), weights={"eu-1": 100}, replicas={"eu-1": 4})
    snapshot = the_snapshot(states={"eu-1": State.DRAINING})
    plan = directed(prior, snapshot, placed={"us-1": 4}, active="us-east-1")
    assert records(plan) == {"eu-1": ((EU,), 100)}
    assert plan.endpoints[0].waits == ("us-1",)


def test_a_dead_side_keeps_its_record_and_holds_nothing_up() -> None:
    """Nothing of it is taken away, so that nothing has to wait."""
    prior = a_prior(
        stored("eu-1", EU), weights={"eu-1": 100, "us-1": 0}, replicas={"eu-1": 4, "us-1": 2}
    )
    snapshot = the_snapshot(states={"eu-1": State.DOWN})
    plan = directed(prior, snapshot, placed={"us-1": 4}, active="us-east-1")
    assert records(plan) == {"eu-1": ((EU,), 100)}
    assert plan.endpoints[0].waits == ()
    assert told_codes(plan) == {codes.TARGET_UNKNOWN}


def test_weights_of_others_move_while_a_new_cluster_waits() -> None:
    """Nothing shrinks, so that nothing has to be kept."""
    policy = a_policy(active_region=None, mode="weighted")
    prior = a_prior(stored("eu-1", EU), weights={"eu-1": 100}, replicas={"eu-1": 4})
    plan = directed(prior, the_snapshot(policy), placed={"eu-1": 4, "us-1": 2})
    assert records(plan) == {"eu-1": ((EU,), 4)}
    assert plan.endpoints[0].waits == ()


def test_a_load_balancer_that_is_gone_keeps_its_record_aloud() -> None:
    kept = {"eu-1": told(last=EU, version=9)}
    plan = directed(a_prior(stored("eu-1"), stored("us-1", US), targets=kept))
    assert records(plan)["eu-1"] == ((EU,), 100)
    (found,) = findings(plan, codes.TARGET_KEPT)
    assert (found.values["cluster"], found.values["values"]) == ("eu-1", EU)


def test_what_the_record_leads_to_is_known_too() -> None:
    record = PriorObject("web/eu-1", "aws:route53/record:Record", {"records": ["192.0.2.77"]})
    plan = directed(a_prior(stored("us-1", US), records=[record]))
    assert records(plan)["eu-1"] == (("192.0.2.77",), 100)
    assert told_codes(plan) == {codes.TARGET_KEPT}


NEWER = [
    pytest.param("5", told("192.0.2.9", version=4), EU, id="the state, after a refresh"),
    pytest.param("5", told("192.0.2.9", version=6), "192.0.2.9", id="what the update saw"),
    pytest.param("", told("192.0.2.9", version=6), "192.0.2.9", id="a state without a version"),
    pytest.param("5", told(), EU, id="the state alone"),
]


@pytest.mark.parametrize(("version", "seen", "expected"), NEWER)
def test_the_newer_one_counts(version: str, seen: KnownTarget, expected: str) -> None:
    objects = stored("eu-1", EU, version=version), stored("us-1", US)
    plan = directed(a_prior(*objects, targets={"eu-1": seen}))
    assert records(plan)["eu-1"][0] == (expected,)


def observed(*balancers: dict[str, Any]) -> Facts:
    spec = ObservationSpec.model_validate(
        {"observedAt": "2030-01-01T00:00:00Z", "loadBalancers": balancers}
    )
    seen = ClusterObservation(metadata=Metadata(name="eu-1"), spec=spec)
    return Facts(observations=FrozenMap({"eu-1": seen}))


def test_what_was_observed_counts_before_the_prior() -> None:
    about = {"kind": "Service", "namespace": "shop", "workload": "web"}
    facts = observed(
        {**about, "name": "other", "addresses": ["192.0.2.70"]},
        {**about, "name": "web", "addresses": ["192.0.2.71", "192.0.2.72"]},
    )
    plan = directed(BOTH, the_snapshot(facts=facts))
    assert records(plan)["eu-1"][0] == ("192.0.2.71", "192.0.2.72")
    assert records(plan)["us-1"][0] == (US,)
    assert records(directed(BOTH, the_snapshot(facts=observed())))["eu-1"][0] == (EU,)


def test_a_former_name_of_the_workload_is_looked_under_too() -> None:
    snapshot = the_snapshot()
    (item,) = snapshot.linked
    settings = item.workload.settings.model_copy(update={"renamed_from": ("old",)})
    renamed = replace(item, workload=replace(item.workload, settings=settings))
    objects = [
        replace(each, name=each.name.replace("web/", "old/", 1)) for each in BOTH.objects.values()
    ]
    plan = directed(a_prior(*objects), replace(snapshot, linked=(renamed,)))
    assert records(plan)["eu-1"][0] == (EU,)


def test_a_decommissioned_cluster_is_not_remembered_by_its_record() -> None:
    record = PriorObject("web/us-1", "aws:route53/record:Record", {"records": [US]})
    prior = a_prior(stored("eu-1", EU), weights={"eu-1": 100, "us-1": 0}, records=[record])
    snapshot = the_snapshot(states={"us-1": State.DECOMMISSIONED})
    assert records(directed(prior, snapshot, placed={"eu-1": 4})) == {"eu-1": ((EU,), 100)}


def test_a_parked_record_stays_where_it_leads() -> None:
    record = PriorObject("web/us-1", "aws:route53/record:Record", {"records": [US]})
    prior = a_prior(stored("eu-1", EU), weights={"eu-1": 100, "us-1": 0}, records=[record])
    plan = directed(prior, placed={"eu-1": 4})
    assert records(plan) == {"eu-1": ((EU,), 100), "us-1": ((US,), 0)}
    assert told_codes(plan) == set()


def test_a_workload_that_runs_nowhere_keeps_the_records_of_dead_clusters() -> None:
    record = PriorObject("web/eu-1", "aws:route53/record:Record", {"records": [EU]})
    prior = a_prior(weights={"eu-1": 100}, records=[record])
    plan = directed(prior, the_snapshot(states={"eu-1": State.DOWN}), placed={})
    assert records(plan) == {"eu-1": ((EU,), 100)}


DOORS = [
    pytest.param("Ingress", {"rules": []}, {}, 80, id="an ingress"),
    pytest.param("Ingress", {"tls": [{"hosts": ["a"]}]}, {}, 443, id="an ingress with TLS"),
    pytest.param("Gateway", {"listeners": [{"port": 8443}]}, {}, 8443, id="a gateway"),
    pytest.param("Gateway", {"listeners": [{}]}, {}, 80, id="a listener without a port"),
    pytest.param("Service", {"ports": [{"port": 1}]}, {"port": 7}, 7, id="as the policy says"),
]


@pytest.mark.parametrize(("kind", "spec", "check", "port"), DOORS)
def test_a_target_s_port_is_asked(
    kind: str, spec: dict[str, Any], check: dict[str, Any], port: int
) -> None:
    policy = a_policy(target={"kind": kind, "name": "web"}, health_check=check)
    prior = a_prior(targets={"eu-1": told("lb.example.", version=1), "us-1": told("lb2.example")})
    plan = directed(prior, the_snapshot(policy, a_service(kind, **spec)))
    assert {(each.hostname, each.port) for each in plan.checks} == {
        ("lb.example", port),
        ("lb2.example", port),
    }


BAD = [
    pytest.param({"kind": "Service", "name": "api"}, "it has Service/shop/web", id="a name"),
    pytest.param({"kind": "Gateway", "name": "web"}, "it has no Gateway", id="a kind"),
    pytest.param(
        {"kind": "Service", "name": "web", "namespace": "other"}, "it has Service", id="a namespace"
    ),
]


@pytest.mark.parametrize(("target", "expected"), BAD)
def test_a_target_that_the_workload_lacks_is_refused(target: dict[str, Any], expected: str) -> None:
    schedule = a_schedule({"web": {"eu-1": 4}}, active={"web": "eu-west-1"})
    (fault,) = faults_of(the_snapshot(a_policy(target=target)), schedule)
    assert f"'web' has no {target['kind']} '{target['name']}'" in fault
    assert expected in fault
    assert "spec.target" in fault


def test_a_target_that_is_several_is_refused() -> None:
    other = an_object("Service", namespace="other", spec={})
    schedule = a_schedule({"web": {"eu-1": 4}}, active={"web": "eu-west-1"})
    (fault,) = faults_of(the_snapshot(a_policy(), a_service(), other), schedule)
    assert "'web' has several: Service/other/web, Service/shop/web - say 'namespace'" in fault
