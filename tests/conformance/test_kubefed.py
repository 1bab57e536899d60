"""KubeFed's cases, through its importer.

The ids are those of the collected facts (F1 to F4; 1d is the prose). Source: the tests of
kubernetes-retired/kubefed, pkg/controller/util/planner. A row with
`theirs` deviates on purpose: it says what the product answers, and why.
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

TYPES = "types.kubefed.io/v1beta1"


def cluster(name: str, **labels: str) -> Document:
    return {
        "apiVersion": "core.kubefed.io/v1beta1",
        "kind": "KubeFedCluster",
        "metadata": {"name": name, "labels": labels},
        "spec": {"apiEndpoint": f"https://{name}.example", "secretRef": {"name": name}},
        "status": {"region": f"region-{name.lower()}"},
    }


def namespace(*clusters: str) -> Document:
    listed = [{"name": name} for name in clusters]
    return {
        "apiVersion": TYPES,
        "kind": "FederatedNamespace",
        "metadata": {"name": "shop", "namespace": "shop"},
        "spec": {"placement": {"clusters": listed}},
    }


def federated(
    placement: Document, *overrides: Document, replicas: int = 3, **spec: Any
) -> Document:
    """A FederatedDeployment `shop/web`."""
    made = deployment(replicas=replicas)
    template = {"metadata": {"labels": {"app": "web"}}, "spec": made["spec"]}
    return {
        "apiVersion": TYPES,
        "kind": "FederatedDeployment",
        "metadata": {"name": "web", "namespace": "shop"},
        "spec": {
            "template": template,
            "placement": placement,
            "overrides": list(overrides),
            **spec,
        },
    }


def preference(total: int, clusters: Document, **spec: Any) -> Document:
    return {
        "apiVersion": "scheduling.kubefed.io/v1alpha1",
        "kind": "ReplicaSchedulingPreference",
        "metadata": {"name": "web", "namespace": "shop"},
        "spec": {
            "targetKind": "FederatedDeployment",
            "totalReplicas": total,
            "clusters": clusters,
            **spec,
        },
    }


def fleet(
    root: Path, documents: Sequence[Document], prior: Mapping[str, Placed] | None = None
) -> Ran:
    """The documents; KubeFed's own bring all objects."""
    made = run(root, documents, {}, prior)
    same_decisions(made, native_run(root, prior))
    return made


EVERYWHERE: Document = {"clusterSelector": {}}


@dataclass(frozen=True)
class Case:
    """One case of the planner: replicas by cluster of `shop/web`."""

    id: str
    names: str
    total: int
    clusters: Document
    expected: Placed
    before: Placed = field(default_factory=dict)
    rebalance: bool = False
    theirs: str = ""


CASES = [
    Case("F1: two equal", "a b", 50, {"*": {"weight": 1}}, {"a": 25, "b": 25}),
    Case(
        "F1: three equal",
        "a b c",
        50,
        {"*": {"weight": 1}},
        {"a": 17, "b": 17, "c": 16},
        theirs="16, 17, 17 in the order of a hash; fleet's ties end in the name",
    ),
    Case(
        "F2: c runs 30",
        "a b c",
        50,
        {"*": {"weight": 1}},
        {"a": 10, "b": 10, "c": 30},
        before={"c": 30},
    ),
    Case(
        "F2: a runs 30",
        "a b",
        50,
        {"*": {"weight": 1}},
        {"a": 30, "b": 20},
        before={"a": 30},
    ),
    Case(
        "F2: b runs 8 of 15",
        "a b",
        15,
        {"*": {"weight": 1}},
        {"a": 7, "b": 8},
        before={"a": 0, "b": 8},
    ),
    Case(
        "F2: with rebalance both start over",
        "a b",
        50,
        {"*": {"weight": 1}},
        {"a": 25, "b": 25},
        before={"a": 30},
        rebalance=True,
    ),
    Case(
        "F4: a least without a weight",
        "a b c",
        50,
        {"*": {"minReplicas": 2}},
        {"a": 2, "b": 2, "c": 2},
    ),
    Case(
        "F4: between 10 and 12",
        "a b c",
        50,
        {"*": {"minReplicas": 10, "maxReplicas": 12, "weight": 1}},
        {"a": 12, "b": 12, "c": 12},
    ),
    Case(
        "F4: at most 2",
        "a b c",
        50,
        {"*": {"maxReplicas": 2, "weight": 1}},
        {"a": 2, "b": 2, "c": 2},
    ),
    Case(
        "1d: weights of single clusters, and of all others",
        "a b c",
        60,
        {"a": {"weight": 3}, "*": {"weight": 1}},
        {"a": 36, "b": 12, "c": 12},
    ),
    Case(
        "1d: without '*' only the named ones",
        "a b c",
        10,
        {"a": {"weight": 1}, "b": {"weight": 1}},
        {"a": 5, "b": 5},
    ),
    Case(
        "1d: a cluster of its own has a most",
        "a b",
        10,
        {"a": {"weight": 1, "maxReplicas": 2}, "*": {"weight": 1}},
        {"a": 2, "b": 8},
    ),
    Case(
        "1d: a least before the weights",
        "a b",
        10,
        {"a": {"weight": 9}, "b": {"weight": 1, "minReplicas": 4}},
        {"a": 6, "b": 4},
    ),
    Case("1d: no clusters is all, equally", "a b", 10, {}, {"a": 5, "b": 5}),
]


@pytest.mark.parametrize("case", CASES, ids=[each.id for each in CASES])
def test_planner(case: Case, tmp_path: Path) -> None:
    names = case.names.split()
    documents = [*(cluster(name) for name in names), namespace(*names), federated(EVERYWHERE)]
    documents.append(preference(case.total, case.clusters, rebalance=case.rebalance))
    prior = {"shop/web": case.before} if case.before else None
    assert fleet(tmp_path, documents, prior).placed("shop/web") == case.expected


PLACEMENTS = [
    pytest.param({"clusters": [{"name": "a"}, {"name": "c"}]}, ["a", "c"], id="names"),
    pytest.param({"clusterSelector": {"matchLabels": {"env": "prod"}}}, ["a"], id="a selector"),
    pytest.param(EVERYWHERE, ["a", "b", "c"], id="an empty selector is all"),
    pytest.param({"clusters": [{"name": "b"}], "clusterSelector": {}}, ["b"], id="names win"),
]


@pytest.mark.parametrize(("placement", "expected"), PLACEMENTS)
def test_placement(placement: Document, expected: list[str], tmp_path: Path) -> None:
    clusters = [cluster("a", env="prod"), cluster("b"), cluster("c")]
    documents = [*clusters, namespace("a", "b", "c"), federated(placement)]
    made = fleet(tmp_path, documents)
    assert made.placed("shop/web") == dict.fromkeys(expected, 3)


def test_a_namespace_bounds_what_is_in_it(tmp_path: Path) -> None:
    documents = [cluster("a"), cluster("b"), namespace("b"), federated(EVERYWHERE)]
    assert fleet(tmp_path, documents).placed("shop/web") == {"b": 3}


NOWHERE = [
    pytest.param({"clusters": []}, id="no names"),
    pytest.param({}, id="nothing"),
    pytest.param({"clusters": [], "clusterSelector": {}}, id="no names and a selector"),
]


@pytest.mark.parametrize("placement", NOWHERE)
def test_what_is_placed_nowhere_is_told(placement: Document, tmp_path: Path) -> None:
    made = fleet(tmp_path, [cluster("a"), namespace("a"), federated(placement)])
    assert [each.workload for each in made.made.decisions] == ["shop/shop.namespace"]
    assert "spec.placement" in made.told(IMPORT_IGNORED)


def change(name: str, **step: Any) -> Document:
    return {"clusterName": name, "clusterOverrides": [step]}


def test_overrides_of_replicas_divide(tmp_path: Path) -> None:
    overrides = [
        change("b", path="/spec/replicas", value=5),
        change("a", op="add", path="/metadata/labels/tier", value="gold"),
    ]
    clusters = [cluster("a"), cluster("b"), cluster("c")]
    made = fleet(tmp_path, [*clusters, namespace("a", "b", "c"), federated(EVERYWHERE, *overrides)])
    assert made.placed("shop/web") == {"a": 3, "b": 5, "c": 3}
    (web,) = [each for each in made.snapshot.linked if each.workload.name == "shop/web"]
    assert web.workload.replicas == 11
    (policy,) = web.overrides
    assert [each.where.clusters for each in policy.spec.rules] == [("a",)]


def test_a_preference_counts_without_a_placement(tmp_path: Path) -> None:
    documents = [cluster("a"), cluster("b"), namespace("a", "b"), federated({})]
    documents.append(preference(4, {"*": {"weight": 1}}))
    assert fleet(tmp_path, documents).placed("shop/web") == {"a": 2, "b": 2}


def test_what_differs_is_told(tmp_path: Path) -> None:
    documents = [cluster("a"), federated(EVERYWHERE, retainReplicas=True)]
    documents.append(preference(4, {"*": {"weight": 1}}))
    assert fleet(tmp_path, documents).told(IMPORT_DIFFERS) == [
        "spec.apiEndpoint",
        "spec.retainReplicas",
        "metadata.namespace",
    ]


def test_a_kind_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    unknown = {**federated(EVERYWHERE), "kind": "FederatedWidget"}
    with pytest.raises(InvalidError, match="nothing says which API a Widget is of"):
        fleet(tmp_path, [cluster("a"), namespace("a"), unknown])


def test_clusters_that_do_not_exist_are_told(tmp_path: Path) -> None:
    documents = [
        cluster("a"),
        namespace("a"),
        federated(EVERYWHERE, change("x", path="/a", value=1)),
    ]
    documents.append(preference(4, {"a": {"weight": 1}, "z": {"weight": 1}}, rebalance=True))
    made = fleet(tmp_path, documents)
    assert made.told(IMPORT_IGNORED) == ["spec.overrides[0].clusterName", "spec.clusters.z"]
    assert made.placed("shop/web") == {"a": 4}


def test_native_clusters_may_be_named(tmp_path: Path) -> None:
    native = {
        "apiVersion": "fleet/v1",
        "kind": "Cluster",
        "metadata": {"name": "n1"},
        "spec": {"region": "r"},
    }
    placement = {"clusters": [{"name": "n1"}]}
    overrides = [change("n1", path="/spec/replicas", value=7)]
    made = run(tmp_path, [native, federated(placement, *overrides)], {})
    assert made.placed("shop/web") == {"n1": 7}
    assert made.told(IMPORT_IGNORED) == []


def test_replicas_beside_a_preference_are_told(tmp_path: Path) -> None:
    overrides = [change("a", path="/spec/replicas", value=9)]
    documents = [cluster("a"), namespace("a"), federated(EVERYWHERE, *overrides)]
    documents.append(preference(4, {"*": {"weight": 1}}, rebalance=True))
    made = fleet(tmp_path, documents)
    assert made.told(IMPORT_IGNORED) == ["spec.overrides[0].clusterOverrides[0]"]
    assert made.placed("shop/web") == {"a": 4}


def test_replicas_that_are_no_number_are_refused(tmp_path: Path) -> None:
    overrides = [change("a", path="/spec/replicas", value="many")]
    with pytest.raises(InvalidError, match="wants a whole number of replicas"):
        fleet(tmp_path, [cluster("a"), namespace("a"), federated(EVERYWHERE, *overrides)])
