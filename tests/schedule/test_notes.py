"""What is told about the run as a whole."""

from dataclasses import replace
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


NOTHING = {"required": [{"clusters": ["nope"]}]}
NOWHERE = [
    pytest.param(
        {"main": None, "replicas": 0}, NOTHING, ["nowhere"], id="objects without replicas"
    ),
    pytest.param({"main": None, "replicas": 0}, {}, [], id="objects that are placed"),
    pytest.param({"per_cluster": True}, NOTHING, [], id="once per cluster is a shortfall"),
    pytest.param({"per_cluster": True}, {}, [], id="once per cluster, placed"),
    pytest.param({}, NOTHING, [], id="replicas are a shortfall"),
    pytest.param({"replicas": 0}, NOTHING, [], id="no replicas are wanted"),
]


@pytest.mark.parametrize(("fields", "affinity", "told"), NOWHERE)
def test_what_cannot_be_short_of_replicas_and_is_nowhere_is_told(
    fields: dict[str, Any], affinity: dict[str, Any], told: list[str]
) -> None:
    workload = replace(a_workload("cm", 1), **fields)
    policy = a_policy("cm", affinity=affinity, origin=Origin("p.yaml", 3, 1))
    made = decide([a_cluster("a")], linked(workload, policy))
    found = [each for each in made.findings if each.code == "nowhere"]
    assert [each.code for each in found] == told
    assert [(dict(each.values), str(each.source)) for each in found] == [
        ({"workload": "cm"}, "p.yaml:3:1") for _ in told
    ]


BY_CLUSTER = {"by": "cluster", "max_domains": 3}
NUMBER = {("spec", "pick"): ("spec", "number")}
FEW = [
    pytest.param(2, [BY_CLUSTER], NUMBER, [(2, 3)], id="two of three"),
    pytest.param(3, [BY_CLUSTER], NUMBER, [], id="three of three"),
    pytest.param(4, [BY_CLUSTER], NUMBER, [], id="more than are asked for"),
    pytest.param(0, [BY_CLUSTER], NUMBER, [], id="none is a shortfall"),
    pytest.param(2, [BY_CLUSTER], {}, [], id="fleet's own limit is a limit"),
    pytest.param(2, [{"by": "region"}], NUMBER, [], id="no limit by cluster"),
    pytest.param(2, [{"by": "cluster"}], NUMBER, [], id="no limit at all"),
]


@pytest.mark.parametrize(("count", "spread", "names", "told"), FEW)
def test_fewer_clusters_than_another_product_counts_are_told(
    count: int, spread: list[dict[str, Any]], names: dict[Path, Path], told: list[tuple[int, int]]
) -> None:
    origin = Origin("p.yaml", marks={("spec", "spread"): (7, 3)}, names=names)
    affinity = {"required": [{"clusters": [f"c{place}" for place in range(count)] or ["nope"]}]}
    item = linked(a_workload(), a_policy(spread=spread, affinity=affinity, origin=origin))
    made = decide([a_cluster(f"c{place}") for place in range(4)], item)
    found = [each for each in made.findings if each.code == "clusters-short"]
    assert [(each.values["found"], each.values["wanted"]) for each in found] == told
    assert {str(each.source) for each in found} <= {"p.yaml:7:3"}


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
