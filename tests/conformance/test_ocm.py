"""Open Cluster Management's cases, through its importer.

Source: ../shared/facts/schedulers.md, 2.15 (ocm:pkg/placement/controllers/scheduling and plugins).
A row with `theirs` deviates on purpose: it says what the product answers, and what gives that here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from fleet.errors import InvalidError
from fleet.model.finding_codes import IMPORT_DIFFERS, IMPORT_IGNORED
from tests.conformance.importing import (
    Document,
    Placed,
    Ran,
    deployment,
    native_run,
    run,
    same_decisions,
)

GROUP = "cluster.open-cluster-management.io"
LABEL = f"{GROUP}/placement"
THREE = ("c1", "c2", "c3")


def cluster(
    name: str, taint: str = "", allocatable: Mapping[str, str] | None = None, **labels: str
) -> Document:
    """A ManagedCluster in a region of its own; `taint` is a key of a NoSelect taint `=value1`."""
    taints = [{"key": taint, "value": "value1", "effect": "NoSelect"}] if taint else []
    return {
        "apiVersion": f"{GROUP}/v1",
        "kind": "ManagedCluster",
        "metadata": {"name": name, "labels": {"topology.kubernetes.io/region": name, **labels}},
        "spec": {"hubAcceptsClient": True, "taints": taints},
        "status": {"allocatable": dict(allocatable or {})},
    }


def binding(name: str = "default", namespace: str = "shop") -> Document:
    return {
        "apiVersion": f"{GROUP}/v1beta2",
        "kind": "ManagedClusterSetBinding",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"clusterSet": name},
    }


def placement(name: str = "web", **spec: Any) -> Document:
    return {
        "apiVersion": f"{GROUP}/v1beta1",
        "kind": "Placement",
        "metadata": {"name": name, "namespace": "shop"},
        "spec": spec,
    }


def scores(of: str, value: int | None, until: str = "") -> Document:
    """The AddOnPlacementScore `usage` of a cluster with one score, `load`."""
    said = [] if value is None else [{"name": "load", "value": value}]
    return {
        "apiVersion": f"{GROUP}/v1alpha1",
        "kind": "AddOnPlacementScore",
        "metadata": {"name": "usage", "namespace": of},
        "status": {"scores": said, **({"validUntil": until} if until else {})},
    }


def only(*prioritizers: tuple[str, int]) -> Document:
    """A prioritizerPolicy in the mode Exact."""
    configurations = [
        {"scoreCoordinate": {"type": "BuiltIn", "builtIn": name}, "weight": weight}
        for name, weight in prioritizers
    ]
    return {"mode": "Exact", "configurations": configurations}


def fleet(
    root: Path,
    documents: Sequence[Document],
    prior: Mapping[str, Placed] | None = None,
    cpu: str = "",
) -> Ran:
    """Every Placement of the documents with a Deployment that names it."""
    names = [each["metadata"]["name"] for each in documents if each["kind"] == "Placement"]
    objects = {name: [deployment(name, labels={LABEL: name}, cpu=cpu)] for name in names}
    made = run(root, [*documents, binding()], objects, prior, now="2026-06-01T00:00:00Z")
    same_decisions(made, native_run(root, prior, now="2026-06-01T00:00:00Z"))
    return made


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
        theirs="c1, and NotAllDecisionsScheduled with 2 unscheduled; a spread with minDomains: 3"
        " says the shortfall here, and places nothing new",
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


REFUSED = [
    pytest.param(
        {"tolerations": [{"operator": "Equal"}]},
        "spec.tolerations[0].key: an empty key goes with operator 'Exists' only"
        " - the product says Misconfigured",
        id="O15: an empty key with Equal",
    ),
    pytest.param(
        {"prioritizerPolicy": only(("Balanced", 1))},
        "spec.prioritizerPolicy.configurations[0].scoreCoordinate.builtIn: 'Balanced' is no"
        " prioritizer; there are Balance, ResourceAllocatableCPU, ResourceAllocatableMemory, Steady"
        " - the product says Misconfigured",
        id="1b: an unknown prioritizer",
    ),
    pytest.param(
        {"clusterSets": ["prod"]},
        "spec.clusterSets: none of these sets is bound to the namespace; bound are 'default'"
        " - the product says NoIntersection",
        id="1b: NoIntersection",
    ),
]


@pytest.mark.parametrize(("spec", "sentence"), REFUSED)
def test_what_the_product_refuses_is_refused(spec: Document, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidError) as refused:
        fleet(tmp_path, [cluster("c1"), placement(**spec)])
    assert sentence in str(refused.value)


def test_a_placement_without_a_bound_set_is_refused(tmp_path: Path) -> None:
    documents = [cluster("c1"), binding(namespace="other"), placement()]
    with pytest.raises(InvalidError, match="NoManagedClusterSetBindings"):
        run(tmp_path, documents, {"web": [deployment(labels={LABEL: "web"})]})


def test_what_the_product_ignores_is_told(tmp_path: Path) -> None:
    spec: Document = {
        "spreadPolicy": {"spreadConstraints": [{"topologyKey": "region"}]},
        "sortBy": {},
        "prioritizerPolicy": only(("Spread", 1)),
        "decisionStrategy": {"groupStrategy": {"clustersPerDecisionGroup": "25%"}},
    }
    made = fleet(tmp_path, [cluster("c1"), placement(**spec)])
    assert made.told(IMPORT_IGNORED) == [
        "spec.prioritizerPolicy.configurations[0].scoreCoordinate.builtIn",
        "spec.spreadPolicy",
        "spec.sortBy",
    ]
    assert made.told(IMPORT_DIFFERS) == ["spec.decisionStrategy.groupStrategy"]


def test_a_placement_that_nobody_asks_for_is_told(tmp_path: Path) -> None:
    documents = [cluster("c1"), binding(), placement()]
    made = run(tmp_path, documents, {})
    assert made.told(IMPORT_DIFFERS) == ["metadata.name"]
    assert made.made.decisions == ()


LABEL_OF = 'managedCluster.metadata.labels["env"]'
EXPRESSIONS = [
    pytest.param([f'{LABEL_OF} == "prod"'], ["c1"], id="equal"),
    pytest.param([f"{LABEL_OF} != 'prod'"], ["c2"], id="other, and there"),
    pytest.param([f'{LABEL_OF} in ["dev", "prod"]'], ["c1", "c2"], id="in a list"),
    pytest.param(['"env" in managedCluster.metadata.labels'], ["c1", "c2"], id="there"),
    pytest.param(['!("env" in managedCluster.metadata.labels)'], ["c3"], id="not there"),
    pytest.param(
        [f"{LABEL_OF} in ['dev', 'prod'] && {LABEL_OF} != 'dev'"], ["c1"], id="both of one text"
    ),
    pytest.param(
        [f"{LABEL_OF} in ['dev', 'prod']", f"{LABEL_OF} != 'prod'"], ["c2"], id="both expressions"
    ),
    pytest.param(
        ['managedCluster.status.clusterClaims.exists(c, c.name == "tier" && c.value == "1")'],
        ["c3"],
        id="a claim",
    ),
]


@pytest.mark.parametrize(("expressions", "expected"), EXPRESSIONS)
def test_cel(expressions: list[str], expected: list[str], tmp_path: Path) -> None:
    """1b: every expression holds; an error, such as a label that is not there, is false."""
    clusters = [cluster("c1", env="prod"), cluster("c2", env="dev"), cluster("c3")]
    clusters[2]["status"]["clusterClaims"] = [{"name": "tier", "value": "1"}]
    selector = {"celSelector": {"celExpressions": expressions}}
    spec: Document = {"predicates": [{"requiredClusterSelector": selector}]}
    made = fleet(tmp_path, [*clusters, placement(**spec)])
    assert sorted(made.placed("shop/web")) == expected


UNKNOWN = [
    f"{LABEL_OF}.startsWith('p')",
    f"{LABEL_OF} == 'a' || {LABEL_OF} == 'b'",
    "managedCluster.spec.hubAcceptsClient",
    f"({LABEL_OF} == 'a'",
    "",
]


@pytest.mark.parametrize("expression", UNKNOWN)
def test_other_cel_is_refused(expression: str, tmp_path: Path) -> None:
    selector = {"celSelector": {"celExpressions": [expression]}}
    spec: Document = {"predicates": [{"requiredClusterSelector": selector}]}
    with pytest.raises(InvalidError, match="fleet knows no CEL"):
        fleet(tmp_path, [cluster("c1"), placement(**spec)])
