"""What is told about the run as a whole."""

from typing import Any

import pytest

from fleet.model.base import FrozenMap
from fleet.model.observation import ClusterObservation
from fleet.model.snapshot import Facts
from fleet.model.source import Origin, Path
from tests.builders import a_cluster, a_policy, a_workload, linked
from tests.schedule.asking import decide, only

LIMITS = [
    pytest.param({"nodes_": 5000, "pods": 150_000}, [], id="as published"),
    pytest.param({"nodes_": 5001}, [("too-many-nodes", "nodes", 5001, 5000)], id="nodes"),
    pytest.param({"pods": 150_001}, [("too-many-pods", "pods", 150_001, 150_000)], id="pods"),
    pytest.param({"groups": 2501}, [("too-many-nodes", "nodes", 5002, 5000)], id="listed nodes"),
]


@pytest.mark.parametrize(("size", "expected"), LIMITS)
def test_clusters_beyond_what_kubernetes_is_tested_with(
    size: dict[str, int], expected: list[tuple[str, str, int, int]]
) -> None:
    group = {"count": size.get("groups", 0), "free": {"cpu": 1}}
    cluster = a_cluster(
        allocatable={"pods": size.get("pods", 1)}, nodes=[group, group], origin=Origin("inv.yaml")
    )
    spec = cluster.spec.model_copy(update={"nodes": size.get("nodes_")})
    made = decide([cluster.model_copy(update={"spec": spec})], linked(a_workload()))
    told = [
        (each.code, key, each.values[key], each.values["limit"])
        for each in made.findings
        for key in ("nodes", "pods")
        if key in each.values
    ]
    assert told == expected
    assert all(each.values["cluster"] == "eu-1" for each in made.findings)


@pytest.mark.parametrize(
    ("count", "main", "told"), [(2, "CronJob", 2), (1, "CronJob", None), (2, "Job", None)]
)
def test_a_cron_job_on_several_clusters_is_told(count: int, main: str, told: int | None) -> None:
    clusters = [a_cluster(f"c{place}") for place in range(count)]
    item = linked(a_workload(main=f"{main}/x/web", per_cluster=True))
    found = [each for each in decide(clusters, item).findings if each.code == "repeated-jobs"]
    assert [each.values["clusters"] for each in found] == ([] if told is None else [told])


def test_capacity_that_was_seen_is_the_line_that_is_named() -> None:
    spec: dict[str, Any] = {
        "observed_at": "2030-01-01T00:00:00Z",
        "capacity": {"allocatable": {"cpu": 1}},
    }
    marks: dict[Path, tuple[int, int]] = {("spec", "capacity", "allocatable", "cpu"): (9, 5)}
    seen = ClusterObservation.model_validate(
        {"metadata": {"name": "eu-1"}, "spec": spec, "origin": Origin("seen.yaml", marks=marks)}
    )
    cluster = a_cluster(cpu=1, allocatable={"memory": 1}, origin=Origin("inv.yaml", marks={}))
    item = linked(a_workload(request={"cpu": 2, "memory": 2}))
    made = decide([cluster], item, facts=Facts(observations=FrozenMap({"eu-1": seen})))
    why = only(made).verdicts["eu-1"].rejections
    assert [str(each.source) for each in why] == ["seen.yaml:9:5", "inv.yaml:1:1"]


def test_a_property_is_read_once_for_all_policies() -> None:
    rule = [{"property": "free.cpu", "operator": "Ge", "value": 4}]
    items = [
        linked(
            a_workload(name, request={}),
            a_policy(name, affinity={"required": [{"match_properties": rule, "clusters": [name]}]}),
        )
        for name in ("a", "b")
    ]
    made = decide([a_cluster("a", cpu=4), a_cluster("b", cpu=3)], *items)
    assert [dict(each.replicas) for each in made.decisions] == [{"a": 1}, {}]
