"""Karmada's tables of capacity. Source: pkg/estimator/client/general_test.go at f8fdd02."""

from collections.abc import Mapping
from typing import Any

import pytest

from fleet.load.settings import parse_settings
from fleet.model.prior import Prior
from fleet.schedule import schedule
from fleet.schedule.karmada_room import PODS_OF_A_NODE, filled, holds
from tests.conformance.karmada.tables import (
    DYNAMIC,
    Row,
    a_deployment,
    a_karmada_cluster,
    a_propagation,
    decided,
    loaded,
)

GIB = 2**30


def nodes(*cores: int) -> list[tuple[int, dict[str, int]]]:
    return [(1, {"cpu": each * 1000, "pods": PODS_OF_A_NODE}) for each in cores]


def test_grades_hold_what_their_least_holds() -> None:
    """E1: one node of 0, 1 and 2 cores; a replica of 1.5 fits once, one of 3 nowhere."""
    assert holds(nodes(0, 1, 2), {"cpu": 1500}) == 1
    assert holds(nodes(0, 1, 2), {"cpu": 3000}) == 0


def test_sets_on_nodes() -> None:
    """E3: 10 nodes of 2 cores and 5 of none, each set needs 1.5 cores."""
    assert holds([(10, {"cpu": 2000}), (5, {"cpu": 0})], {"cpu": 1500}) == 10


def test_what_is_promised_is_on_the_nodes() -> None:
    """E7: 3 nodes of a core hold 6 replicas of half a core, and 2 after 4 were promised."""
    half = {"cpu": 500}
    assert holds(nodes(1, 1, 1), half) == 6
    assert holds(filled(nodes(1, 1, 1), half, 4), half) == 2


def test_first_fit_fills_node_after_node() -> None:
    left = filled([(3, {"cpu": 1000})], {"cpu": 400}, 3)
    assert left == [(1, {"cpu": 200}), (1, {"cpu": 600}), (1, {"cpu": 1000})]
    assert filled([(1, {"cpu": 1})], {"cpu": 5}, 2) == [(1, {"cpu": 1})]


SUMMARY = {
    "allocatable": {"cpu": "4", "memory": "8Gi", "pods": "100"},
    "allocated": {"cpu": "1", "memory": "2Gi", "pods": "20"},
}
HALF = {"cpu": "500m", "memory": "1Gi"}

ROOMS = [
    pytest.param({"resourceSummary": SUMMARY}, HALF, 6, id="E4"),
    pytest.param(
        {"resourceSummary": {"allocatable": {"pods": "10"}, "allocated": {"pods": "10"}}},
        HALF,
        0,
        id="E6 no pods",
    ),
    pytest.param({"resourceSummary": {"allocatable": {"pods": "10"}}}, {}, 10, id="E6 no request"),
    pytest.param({}, HALF, 0, id="E6 no summary"),
    pytest.param(
        {"resourceSummary": {"allocatable": {"cpu": "4"}}}, HALF, 0, id="nobody counts the pods"
    ),
    pytest.param(
        {"resourceSummary": {"allocatable": {"cpu": "4", "pods": "10"}}},
        HALF,
        0,
        id="a resource that is not there",
    ),
    pytest.param(
        {"resourceSummary": SUMMARY | {"allocating": {"cpu": "2500m"}}}, HALF, 1, id="allocating"
    ),
    pytest.param(
        {"resourceSummary": SUMMARY | {"allocatableModelings": [{"grade": 2, "count": 3}]}},
        {"cpu": "1500m"},
        3,
        id="Karmada's own grades: 2 cores each",
    ),
    pytest.param(
        {"resourceSummary": SUMMARY | {"allocatableModelings": [{"grade": 2, "count": 99}]}},
        {"cpu": "1m"},
        80,
        id="the pods of the cluster bound the models",
    ),
    pytest.param(
        {"resourceSummary": SUMMARY | {"allocatableModelings": [{"grade": 1, "count": 3}]}},
        {},
        80,
        id="models count for no request",
    ),
    pytest.param(
        {
            "resourceSummary": {
                "allocatable": {"cpu": "4", "pods": "9", "gpu.example/x": "2"},
                "allocatableModelings": [{"grade": 3, "count": 3}],
            }
        },
        {"cpu": "1", "gpu.example/x": "1"},
        2,
        id="models that do not know a resource give way to the sums",
    ),
]


@pytest.mark.parametrize(("status", "requests", "room"), ROOMS)
def test_rooms(status: Mapping[str, Any], requests: Mapping[str, str], room: int) -> None:
    snapshot = loaded(
        {
            "clusters": [a_karmada_cluster("m1", status=status)],
            "workloads": [a_deployment(1, requests=requests)],
            "policies": [a_propagation({"replicaScheduling": DYNAMIC})],
        }
    )
    assert decided(snapshot).verdicts["m1"].room == room


def test_models_of_one_s_own() -> None:
    ranges = [{"name": "cpu", "min": "3", "max": "9"}, {"name": "memory", "min": "5Gi"}]
    summary = SUMMARY | {"allocatableModelings": [{"grade": 0, "count": 2}]}
    cluster = a_karmada_cluster(
        "m1", status={"resourceSummary": summary}, resourceModels=[{"grade": 0, "ranges": ranges}]
    )
    (node,) = (
        loaded(
            {"clusters": [cluster], "workloads": [a_deployment(1)], "policies": [a_propagation({})]}
        )
        .clusters[0]
        .spec.capacity.nodes
    )
    assert (node.count, dict(node.free)) == (2, {"cpu": 3000, "memory": 5 * GIB})


def test_promised_replicas_are_not_there_any_more() -> None:
    """E5: two replicas of the size of E4 were promised; six would have fit."""
    documents = Row(
        2, (0,), DYNAMIC, requests=HALF, status={"resourceSummary": SUMMARY}
    ).documents()
    second = a_deployment(1, requests=HALF)
    second["metadata"] = {"name": "web-2", "namespace": "shop"}
    policy = a_propagation({"replicaScheduling": DYNAMIC})
    policy["spec"]["resourceSelectors"][0]["name"] = ""
    snapshot = loaded(
        documents | {"workloads": [*documents["workloads"], second], "policies": [policy]}
    )
    first, later = schedule(snapshot, Prior(), parse_settings({})).decisions
    assert (first.verdicts["m1"].room, later.verdicts["m1"].room) == (6, 4)
