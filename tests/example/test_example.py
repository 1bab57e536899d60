"""The example fleet: what it promises a reader who copies it."""

from pathlib import Path

import pytest

from fleet.load import load_snapshot
from fleet.model.policy import DivisionMode
from fleet.model.settings import Settings
from fleet.model.snapshot import Linked, Snapshot
from fleet.model.traffic import Mode, TrafficPolicy

ROOT = Path(__file__).parents[2]
LIVE = {"eu-1", "us-1", "ap-1"}
NAMESPACES_OF_KUBERNETES = {"", "default", "kube-system"}
NOT_READY = "fleet.example/not-ready"


@pytest.fixture(scope="module")
def snapshot() -> Snapshot:
    return load_snapshot(Settings(), ROOT)


@pytest.fixture(scope="module")
def linked(snapshot: Snapshot) -> dict[str, Linked]:
    return {each.workload.name: each for each in snapshot.linked}


@pytest.fixture(scope="module")
def traffic(snapshot: Snapshot) -> list[TrafficPolicy]:
    return [policy for each in snapshot.linked for policy in each.traffic]


def test_fleet_is_as_large_as_promised(snapshot: Snapshot) -> None:
    assert len(snapshot.clusters) >= 5
    assert len({cluster.spec.region for cluster in snapshot.clusters}) == 3
    assert len(snapshot.linked) >= 6


def test_fleet_has_nothing_to_remark(snapshot: Snapshot) -> None:
    assert snapshot.findings == ()


def test_one_live_cluster_in_each_region_has_its_own_entry(snapshot: Snapshot) -> None:
    live = [cluster for cluster in snapshot.clusters if cluster.spec.connection]
    entries = [cluster.spec.entry.addresses for cluster in live if cluster.spec.entry]
    assert {cluster.name for cluster in live} == LIVE
    assert len({cluster.spec.region for cluster in live}) == 3
    assert len(set(entries)) == 3


def test_clusters_without_a_connection_are_tainted(snapshot: Snapshot) -> None:
    tainted = {
        cluster.name
        for cluster in snapshot.clusters
        if any(taint.key == NOT_READY for taint in cluster.spec.taints)
    }
    assert tainted == {each.name for each in snapshot.clusters if each.spec.connection is None}


def test_no_policy_tolerates_a_cluster_that_is_not_ready(snapshot: Snapshot) -> None:
    assert [
        each.placement.name for each in snapshot.linked if each.placement.spec.tolerations
    ] == []


def test_every_object_has_a_namespace_that_will_exist(snapshot: Snapshot) -> None:
    missing = [
        (each.workload.name, manifest.key)
        for each in snapshot.linked
        for manifest in each.workload.manifests
        if manifest.namespace not in NAMESPACES_OF_KUBERNETES
        and manifest.namespace not in each.workload.settings.namespaces.create
    ]
    assert missing == []


@pytest.mark.parametrize(
    ("name", "main", "replicas"),
    [
        ("api", "Deployment/api/api", 4),
        ("descheduler", "Deployment/kube-system/descheduler", 1),
        ("embeddings", "Job/embeddings/embeddings", 4),
        ("sessions", "StatefulSet/sessions/sessions", 3),
        ("web", "Deployment/web/web", 3),
    ],
)
def test_workload_asks_for_replicas(
    linked: dict[str, Linked], name: str, main: str, replicas: int
) -> None:
    workload = linked[name].workload
    assert (workload.main, workload.replicas) == (main, replicas)


def test_gpu_job_asks_for_a_gpu_and_what_its_larger_containers_need(
    linked: dict[str, Linked],
) -> None:
    assert linked["embeddings"].workload.request == {
        "cpu": 2000,
        "memory": 8 * 1024**3,
        "nvidia.com/gpu": 1,
        "pods": 1,
    }
    assert linked["embeddings"].placement.spec.division.mode is DivisionMode.AGGREGATED


def test_agent_runs_once_per_cluster(linked: dict[str, Linked]) -> None:
    assert linked["log-agent"].workload.per_cluster
    assert linked["log-agent"].workload.settings.substitute
    assert linked["log-agent"].placement.spec.division.mode is DivisionMode.DUPLICATED


def test_mailer_leaves_its_replicas_to_the_autoscaler(linked: dict[str, Linked]) -> None:
    workload = linked["mailer"].workload
    main = next(each for each in workload.manifests if each.kind == "Deployment")
    assert workload.autoscaled is not None
    assert (workload.autoscaled.minimum, workload.autoscaled.maximum) == (6, 24)
    assert "replicas" not in main.body["spec"]


def test_sessions_stay_in_the_eu(linked: dict[str, Linked]) -> None:
    residency = linked["sessions"].placement.spec.residency
    assert residency is not None
    assert residency.regions == ("eu-*",)


def test_names_share_one_zone_that_is_created(traffic: list[TrafficPolicy]) -> None:
    assert {policy.spec.name: policy.spec.mode for policy in traffic} == {
        "www.fleet.test": Mode.WEIGHTED,
        "api.fleet.test": Mode.ACTIVE_STANDBY,
    }
    assert {(policy.spec.zone.name, policy.spec.zone.create) for policy in traffic} == {
        ("fleet.test", True)
    }


def test_every_name_is_served_by_an_ingress_of_its_workload(
    linked: dict[str, Linked], traffic: list[TrafficPolicy]
) -> None:
    for policy in traffic:
        hosts = [
            rule["host"]
            for manifest in linked[policy.spec.workload].workload.manifests
            if manifest.kind == "Ingress"
            for rule in manifest.body["spec"]["rules"]
        ]
        assert hosts == [policy.spec.name]


def test_recovery_targets_hold(linked: dict[str, Linked], traffic: list[TrafficPolicy]) -> None:
    record_changes = 2 * 60
    for policy in traffic:
        spec, check = policy.spec, policy.spec.health_check
        rto = spec.recovery.rto_seconds
        assert rto is not None
        unplanned = check.interval_seconds * check.failure_threshold + spec.ttl_seconds
        ready = linked[spec.workload].workload.settings.wait_seconds
        assert unplanned <= rto
        assert ready + record_changes + spec.ttl_seconds <= rto
