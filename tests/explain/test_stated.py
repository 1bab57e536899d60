"""What a machine learns of the files behind one workload's verdicts."""

from dataclasses import replace

import pytest

from fleet.explain.document import workload_document
from fleet.explain.stated import stated_clusters, stated_workload
from fleet.model.base import FrozenMap, Resources
from fleet.model.decision import Rejection
from fleet.model.inventory import Capacity
from fleet.model.source import Origin, Source
from tests.builders import a_cluster, a_snapshot, a_workload, linked
from tests.explain.outcomes import an_outcome, the_decision


def test_why_replicas_fit_nowhere_and_what_they_ask_for() -> None:
    short = Rejection(
        "capacity-short", FrozenMap({"wanted": 9, "placed": 8}), Source("p.yaml", 9, 5)
    )
    decision = replace(the_decision(), shortfall=1, shortfall_reasons=(short,))
    snapshot = a_snapshot([a_cluster()], [linked(a_workload("web", 9))])
    said = stated_workload(snapshot, decision)
    assert said["source"] == "policies/web.yaml:1:1"
    assert said["shortfallReasons"] == [
        {
            "code": "capacity-short",
            "values": {"wanted": 9, "placed": 8},
            "source": "p.yaml:9:5",
            "sentence": "room for 8 of 9 replicas",
        }
    ]
    place = "workloads/web/deployment.yaml:1:1"
    assert said["facts"]["replicas"] == {"value": "9", "source": place}
    assert said["facts"]["request.cpu"] == {"value": "1", "source": place}


def test_a_cluster_is_told_with_its_lines() -> None:
    origin = Origin("inv.yaml", 4, 1, {("spec", "region"): (8, 3)})
    snapshot = a_snapshot([a_cluster("a", origin=origin), a_cluster("b")], [linked()])
    said = stated_clusters(snapshot, ["a"])
    assert set(said) == {"a"}
    assert said["a"]["source"] == "inv.yaml:4:1"
    assert said["a"]["facts"]["region"]["source"] == "inv.yaml:8:3"
    assert said["a"]["facts"]["state"]["value"] == "active"


FREE = [
    pytest.param({"cpu": 4000}, {}, {"cpu": "4"}, id="all of it"),
    pytest.param({"cpu": 4000, "pods": 9}, {"cpu": 500}, {"cpu": "3500m", "pods": "9"}, id="less"),
    pytest.param({}, {}, {}, id="no limit"),
]


@pytest.mark.parametrize(("allocatable", "reserved", "free"), FREE)
def test_the_room_before_any_workload_is_told(
    allocatable: dict[str, int], reserved: dict[str, int], free: dict[str, str]
) -> None:
    capacity = Capacity(allocatable=Resources(allocatable), reserved=Resources(reserved))
    cluster = a_cluster("a")
    spec = cluster.spec.model_copy(update={"capacity": capacity})
    snapshot = a_snapshot([cluster.model_copy(update={"spec": spec})], [linked()])
    assert stated_clusters(snapshot, ["a"])["a"]["free"] == free


def test_they_are_in_the_document_of_a_workload_alone() -> None:
    whole, one = (workload_document(an_outcome(), "web", name) for name in (None, "eu-1"))
    assert set(one["clusters"]) == {"eu-1"}
    assert {"eu-1", "us-1", "ap-1"} <= set(whole["clusters"])
    assert {"source", "shortfallReasons", "facts"} <= set(whole["workloads"]["web"])
