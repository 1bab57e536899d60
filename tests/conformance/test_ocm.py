"""Open Cluster Management's cases, through its importer.

The ids are those of the collected facts (O1 to O17; 1b is the prose). Source: the tests of
open-cluster-management-io/ocm, pkg/placement/controllers/scheduling and pkg/placement/plugins.

A row with `theirs` deviates on purpose: it says what the product answers, and what gives that here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from fleet.model.finding_codes import IMPORT_DIFFERS
from tests.conformance.importing import Document
from tests.conformance.ocm_documents import THREE, cluster, fleet, only, placement, scores


@dataclass(frozen=True)
class Case:
    """One case: which clusters are decided for the placement `web`."""

    id: str
    expected: list[str]
    clusters: list[Document]
    spec: Document
    before: list[str] = field(default_factory=list)
    others: dict[str, list[str]] = field(default_factory=dict)
    theirs: str = ""
    cpu: str = ""


CASES = [
    Case(
        "O9: Exact Balance 3 Memory 1",
        ["c1", "c2"],
        [
            cluster(name, "", {"memory": f"{size}Gi"})
            for name, size in zip(THREE, (3, 2, 1), strict=True)
        ],
        {
            "numberOfClusters": 2,
            "prioritizerPolicy": only(("Balance", 3), ("ResourceAllocatableMemory", 1)),
        },
    ),
    Case(
        "O10: three are wanted, there is one",
        ["c1"],
        [cluster("c1")],
        {"numberOfClusters": 3},
        theirs="c1, and NotAllDecisionsScheduled with 2 unscheduled; here a finding tells it",
    ),
    Case(
        "O11: decided clusters stay",
        ["c1", "c2"],
        [cluster(name) for name in THREE],
        {"numberOfClusters": 2},
        before=["c1", "c2"],
    ),
    Case(
        "O11: four are wanted, there are two",
        ["c1", "c2"],
        [cluster("c1"), cluster("c2")],
        {"numberOfClusters": 4},
        before=["c1"],
    ),
    Case(
        "O12: other placements are on c1 and c2",
        ["c3"],
        [cluster(name) for name in THREE],
        {"numberOfClusters": 1},
        others={"x1": ["c1"], "x2": ["c2"]},
    ),
    Case(
        "O14: one of two taints is tolerated",
        ["c1", "c3"],
        [cluster("c1", "key1"), cluster("c2", "key2"), cluster("c3")],
        {
            "numberOfClusters": 3,
            "tolerations": [{"key": "key1", "operator": "Equal", "value": "value1"}],
        },
    ),
    Case(
        "1b: ties end in the name, ascending",
        ["c1", "c2"],
        [cluster(name) for name in reversed(THREE)],
        {"numberOfClusters": 2},
    ),
    Case(
        "1b: no number is all of them",
        ["c1", "c2", "c3"],
        [cluster(name) for name in THREE],
        {},
    ),
    Case(
        "1b: predicates are alternatives",
        ["c1", "c3"],
        [cluster("c1", env="dev"), cluster("c2", env="test"), cluster("c3", gpu="true")],
        {
            "predicates": [
                {"requiredClusterSelector": {"labelSelector": {"matchLabels": {"env": "dev"}}}},
                {
                    "requiredClusterSelector": {
                        "labelSelector": {
                            "matchExpressions": [{"key": "gpu", "operator": "Exists"}]
                        }
                    }
                },
            ]
        },
    ),
    Case(
        "1b: a weight below 0 wants the last ones",
        ["c3"],
        [cluster(name, "", {"cpu": size}) for name, size in zip(THREE, "962", strict=True)],
        {
            "numberOfClusters": 1,
            "prioritizerPolicy": only(("ResourceAllocatableCPU", -1)),
        },
    ),
    Case(
        "1b: Steady is a score: a larger one moves",
        ["c2"],
        [cluster("c1", "", {"cpu": "1"}), cluster("c2", "", {"cpu": "9"})],
        {
            "numberOfClusters": 1,
            "prioritizerPolicy": only(("Steady", 1), ("ResourceAllocatableCPU", 2)),
        },
        before=["c1"],
    ),
    Case(
        "1b: equal scores, and more room on c2",
        ["c2"],
        [cluster("c1", "", {"cpu": "4"}), cluster("c2", "", {"cpu": "8"})],
        {"numberOfClusters": 1},
        cpu="1",
        theirs="c1, which is first by name; fleet takes the larger room before the name, and never"
        " more than there is",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[each.id for each in CASES])
def test_decisions(case: Case, tmp_path: Path) -> None:
    prior = {f"shop/{name}": dict.fromkeys(places, 2) for name, places in case.others.items()}
    if case.before:
        prior["shop/web"] = dict.fromkeys(case.before, 2)
    others = [placement(name, numberOfClusters=1) for name in case.others]
    documents = [*case.clusters, *others, placement(**case.spec)]
    made = fleet(tmp_path, documents, prior or None, case.cpu)
    assert sorted(made.placed("shop/web")) == case.expected


SHORT = [
    pytest.param(["c1"], 3, [(1, 3)], id="O10: two are unscheduled"),
    pytest.param(["c1", "c2"], 4, [(2, 4)], id="O11: two are short"),
    pytest.param(["c1", "c2"], 2, [], id="as many as are wanted"),
]


@pytest.mark.parametrize(("names", "number", "told"), SHORT)
def test_too_few_clusters_are_told(
    names: list[str], number: int, told: list[tuple[int, int]], tmp_path: Path
) -> None:
    documents = [*(cluster(name) for name in names), placement(numberOfClusters=number)]
    found = [
        each for each in fleet(tmp_path, documents).made.findings if each.code == "clusters-short"
    ]
    assert [(each.values["found"], each.values["wanted"]) for each in found] == told


def as_theirs(points: Mapping[str, int]) -> dict[str, int]:
    """Points of 0..100 as the product's score of -100..100."""
    return {cluster: 2 * value - 100 for cluster, value in points.items()}


BALANCE = [
    pytest.param({}, [100, 100, 100], id="O1: nobody has decided"),
    pytest.param({"x1": ["c1"]}, [-100, 100, 100], id="O2: one other on c1"),
]


@pytest.mark.parametrize(("others", "expected"), BALANCE)
def test_balance(others: dict[str, list[str]], expected: list[int], tmp_path: Path) -> None:
    prior = {"shop/web": {"c2": 2}}
    prior |= {f"shop/{name}": dict.fromkeys(places, 2) for name, places in others.items()}
    documents = [cluster(name) for name in THREE]
    documents += [placement(name, numberOfClusters=1) for name in ("web", *others)]
    made = fleet(tmp_path, documents, prior)
    points = as_theirs(made.points("shop/web", "fewest-workloads"))
    assert [points[name] for name in THREE] == expected


def test_steady(tmp_path: Path) -> None:
    """O4: 100 for a cluster that is decided already, there and here."""
    documents = [*(cluster(name) for name in THREE), placement()]
    made = fleet(tmp_path, documents, {"shop/web": {"c1": 2}})
    points = made.points("shop/web", "already-there")
    assert [points[name] for name in THREE] == [100, 0, 0]


RESOURCES = [
    pytest.param("ResourceAllocatableMemory", "memory", "20 60 100", [-100, 0, 100], id="O5"),
    pytest.param("ResourceAllocatableMemory", "memory", "5 5 5", [100, 100, 100], id="O5 equal"),
    pytest.param("ResourceAllocatableCPU", "cpu", "10 6 2", [100, 0, -100], id="O6"),
    pytest.param(
        "ResourceAllocatableMemory",
        "memory",
        "20 60 -",
        [-100, 100, -100],
        id="O5: no figure is no entry there (counts 0), and the least here: say the figure",
    ),
]


@pytest.mark.parametrize(("prioritizer", "resource", "sizes", "expected"), RESOURCES)
def test_resources(
    prioritizer: str, resource: str, sizes: str, expected: list[int], tmp_path: Path
) -> None:
    amounts: list[dict[str, str]] = [
        {} if size == "-" else {resource: size} for size in sizes.split()
    ]
    documents = [cluster(name, "", each) for name, each in zip(THREE, amounts, strict=True)]
    documents.append(placement(prioritizerPolicy=only((prioritizer, 1))))
    scorer = {"cpu": "allocatable-cpu", "memory": "allocatable-memory"}[resource]
    points = as_theirs(fleet(tmp_path, documents).points("shop/web", scorer))
    assert [points[name] for name in THREE] == expected


ADD_ONS = [
    pytest.param([scores("c1", 30)], [30, 0, 0], 1, id="O7: two have none"),
    pytest.param(
        [scores("c1", 30, "2026-05-01T00:00:00Z"), scores("c2", 40), scores("c3", 50)],
        [0, 40, 50],
        1,
        id="O7: one is past validUntil",
    ),
    pytest.param(
        [scores("c1", -100), scores("c2", 40)],
        [0, 70, 50],
        2,
        id="below 0: (score + 100) / 2, twice the weight",
    ),
]


@pytest.mark.parametrize(("documents", "points", "weight"), ADD_ONS)
def test_add_on_scores(
    documents: list[Document], points: list[int], weight: int, tmp_path: Path
) -> None:
    add_on = {"type": "AddOn", "addOn": {"resourceName": "usage", "scoreName": "load"}}
    policy = {"mode": "Exact", "configurations": [{"scoreCoordinate": add_on}]}
    all_documents = [*(cluster(name) for name in THREE), *documents]
    made = fleet(tmp_path, [*all_documents, placement(prioritizerPolicy=policy)])
    found = made.points("shop/web", "external/usage.load")
    assert [found[name] for name in THREE] == points
    (linked,) = made.snapshot.linked
    assert linked.placement.spec.scoring.weights["external/usage.load"] == weight


def test_any_toleration_that_holds_counts(tmp_path: Path) -> None:
    """The first that matches counts here: the one that lasts longest comes first."""
    said = [{"key": "a", "operator": "Exists", "effect": "NoSelect"} for _ in range(3)]
    seconds: list[int | None] = [300, None, 900]
    tolerations = [
        each | ({} if lasts is None else {"tolerationSeconds": lasts})
        for each, lasts in zip(said, seconds, strict=True)
    ]
    made = fleet(tmp_path, [cluster("c1", "a"), placement(tolerations=tolerations)])
    (linked,) = made.snapshot.linked
    found = linked.placement.spec.tolerations
    assert [each.toleration_seconds for each in found] == [None, 900, 300]
    places = [linked.placement.origin.at("spec", "tolerations", index) for index in range(3)]
    lines = [each.line for each in places]
    assert lines[2] < lines[0] < lines[1]


def test_seconds_for_a_taint_of_new_clusters_are_told(tmp_path: Path) -> None:
    each = {"key": "a", "operator": "Exists", "tolerationSeconds": 300}
    made = fleet(tmp_path, [cluster("c1", "a"), placement(tolerations=[each])])
    assert made.told(IMPORT_DIFFERS) == ["spec.tolerations[0].tolerationSeconds"]
