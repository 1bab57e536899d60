"""What would flip a verdict, in the words of the user's own file, product by product."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from fleet.explain.change_words import change_sentence
from fleet.explain.sentences import rejection_sentence
from tests.conformance import ocm_documents, test_kubefed, test_kubefleet
from tests.conformance.importing import Document, Ran, deployment, run

KARMADA = [
    pytest.param(
        {"spreadConstraints": [{"spreadByField": "cluster", "minGroups": 1, "maxGroups": 1}]},
        ["raise spec.placement.spreadConstraints[0].maxGroups to 2"],
        id="maxGroups",
    ),
    pytest.param(
        {"spreadConstraints": [{"spreadByField": "cluster", "minGroups": 3, "maxGroups": 3}]},
        ["lower spec.placement.spreadConstraints[0].minGroups to 2"],
        id="minGroups",
    ),
    pytest.param(
        {"clusterAffinity": {"clusterNames": ["a"]}},
        ["let spec.placement.clusterAffinity select it"],
        id="clusterAffinity",
    ),
    pytest.param(
        {"clusterAffinities": [{"affinityName": "first", "clusterNames": ["a"]}]},
        ["let spec.placement.clusterAffinities[0] select it"],
        id="clusterAffinities",
    ),
    pytest.param(
        {
            "replicaScheduling": {
                "replicaSchedulingType": "Divided",
                "replicaDivisionPreference": "Weighted",
                "weightPreference": {
                    "staticWeightList": [
                        {"targetCluster": {"clusterNames": ["a"]}, "weight": 1},
                    ]
                },
            }
        },
        ["give it weight 1 in spec.placement.replicaScheduling.weightPreference.staticWeightList"],
        id="staticWeightList",
    ),
    pytest.param(
        {
            "replicaScheduling": {
                "replicaSchedulingType": "Divided",
                "replicaDivisionPreference": "Aggregated",
            }
        },
        ["ask for 8 replicas more: 10"],
        id="Aggregated",
    ),
]


def karmada_cluster(name: str) -> Document:
    amounts = {"cpu": "9", "memory": "90Gi", "pods": "90"}
    return {
        "apiVersion": "cluster.karmada.io/v1alpha1",
        "kind": "Cluster",
        "metadata": {"name": name},
        "spec": {"syncMode": "Push", "region": f"region-{name}"},
        "status": {
            "apiEnablements": [{"groupVersion": "apps/v1", "resources": [{"kind": "Deployment"}]}],
            "resourceSummary": {"allocatable": amounts},
        },
    }


def by_karmada(root: Path, placement: Document, clusters: Sequence[Document]) -> Ran:
    policy = {
        "apiVersion": "policy.karmada.io/v1alpha1",
        "kind": "PropagationPolicy",
        "metadata": {"name": "web", "namespace": "shop"},
        "spec": {
            "resourceSelectors": [{"apiVersion": "apps/v1", "kind": "Deployment"}],
            "placement": placement,
        },
    }
    return run(root, [*clusters, policy], {"web": [deployment(cpu="1")]})


def advice(made: Ran, workload: str, cluster: str) -> list[str]:
    return [change_sentence(each) for each in made.made.changes[workload][cluster]]


@pytest.mark.parametrize(("placement", "expected"), KARMADA)
def test_words_of_karmada(placement: Document, expected: list[str], tmp_path: Path) -> None:
    made = by_karmada(tmp_path, placement, [karmada_cluster(name) for name in "ab"])
    assert advice(made, "shop/web", "b") == expected


def test_words_of_karmada_for_an_api_that_is_not_served(tmp_path: Path) -> None:
    clusters = [karmada_cluster(name) for name in "ab"]
    clusters[1]["status"]["apiEnablements"][0]["resources"] = [{"kind": "StatefulSet"}]
    made = by_karmada(tmp_path, {}, clusters)
    assert advice(made, "shop/web", "b") == [
        "serve apps/v1/Deployment there, and list it in status.apiEnablements"
    ]


def test_words_of_ocm(tmp_path: Path) -> None:
    clusters = [ocm_documents.cluster(name) for name in ("c1", "c2")]
    one = ocm_documents.placement(numberOfClusters=1)
    made = ocm_documents.fleet(tmp_path, [*clusters, one])
    assert advice(made, "shop/web", "c2") == ["raise spec.numberOfClusters to 2"]


def test_words_of_ocm_for_predicates(tmp_path: Path) -> None:
    clusters = [ocm_documents.cluster(name) for name in ("c1", "c2")]
    clusters[0]["metadata"].setdefault("labels", {})["tier"] = "gold"
    clusters[1]["metadata"].setdefault("labels", {})["tier"] = "iron"
    selector = {"labelSelector": {"matchLabels": {"tier": "gold"}}}
    where = ocm_documents.placement(predicates=[{"requiredClusterSelector": selector}])
    made = ocm_documents.fleet(tmp_path, [*clusters, where])
    assert advice(made, "shop/web", "c2") == ["let spec.predicates select it"]


TAINTED = [
    pytest.param("NoSelect", True, id="NoSelect"),
    pytest.param("NoSelectIfNew", True, id="NoSelectIfNew"),
    pytest.param("PreferNoSelect", False, id="PreferNoSelect bars nobody"),
]


@pytest.mark.parametrize(("effect", "barred"), TAINTED)
def test_words_of_ocm_for_taints(effect: str, barred: bool, tmp_path: Path) -> None:  # noqa: FBT001 - a table's column
    clusters = [ocm_documents.cluster("c1"), ocm_documents.cluster("c2", taint="key1")]
    clusters[1]["spec"]["taints"][0]["effect"] = effect
    made = ocm_documents.fleet(tmp_path, [*clusters, ocm_documents.placement()])
    (decision,) = made.made.decisions
    rejections = decision.verdicts["c2"].rejections
    said = f"untolerated taint key1=value1:{effect}"
    assert [rejection_sentence(each) for each in rejections] == ([said] if barred else [])
    tolerated = [f"tolerate key1=value1:{effect}"] if barred else []
    assert advice(made, "shop/web", "c2") == tolerated


def test_words_of_ocm_for_a_toleration_that_ran_out(tmp_path: Path) -> None:
    clusters = [ocm_documents.cluster("c1"), ocm_documents.cluster("c2", taint="key1")]
    clusters[1]["spec"]["taints"][0]["timeAdded"] = "2026-01-01T00:00:00Z"
    toleration = {"key": "key1", "operator": "Exists", "tolerationSeconds": 3}
    where = ocm_documents.placement(tolerations=[toleration])
    made = ocm_documents.fleet(tmp_path, [*clusters, where])
    (decision,) = made.made.decisions
    (rejection,) = decision.verdicts["c2"].rejections
    assert "taint key1=value1:NoSelect was tolerated for 3 s" in rejection_sentence(rejection)
    assert advice(made, "shop/web", "c2") == [
        "tolerate key1=value1:NoSelect without tolerationSeconds"
    ]


TERMS = (
    "spec.policy.affinity.clusterAffinity"
    ".requiredDuringSchedulingIgnoredDuringExecution.clusterSelectorTerms"
)
KUBEFLEET = [
    pytest.param(
        test_kubefleet.pick(1), ["raise spec.policy.numberOfClusters to 2"], id="numberOfClusters"
    ),
    pytest.param(
        {"placementType": "PickFixed", "clusterNames": ["m1"]},
        ["let spec.policy.clusterNames select it"],
        id="clusterNames",
    ),
    pytest.param(
        {
            "placementType": "PickAll",
            "affinity": test_kubefleet.required(test_kubefleet.labelled(tier="m1")),
        },
        [f"let {TERMS} select it"],
        id="clusterSelectorTerms",
    ),
]


@pytest.mark.parametrize(("policy", "expected"), KUBEFLEET)
def test_words_of_kubefleet(policy: Document, expected: list[str], tmp_path: Path) -> None:
    clusters = [test_kubefleet.cluster(name, tier=name) for name in ("m1", "m2")]
    made = test_kubefleet.fleet(tmp_path, [*clusters, test_kubefleet.placement(policy)])
    assert advice(made, "crp/web", "m2") == expected


def test_words_of_kubefleet_for_even_numbers(tmp_path: Path) -> None:
    names = ("m1", "m2", "m3", "m4")
    clusters = [test_kubefleet.cluster(name, rack=str(name == "m1")) for name in names]
    even = {"topologyKey": "rack", "maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule"}
    policy = test_kubefleet.pick(4, topologySpreadConstraints=[even])
    made = test_kubefleet.fleet(tmp_path, [*clusters, test_kubefleet.placement(policy)])
    assert advice(made, "crp/web", "m4") == [
        "raise spec.policy.topologySpreadConstraints[0].maxSkew to 2"
    ]


def by_kubefed(root: Path, clusters: Document) -> Ran:
    documents = [
        *(test_kubefed.cluster(name) for name in "ab"),
        test_kubefed.namespace("a", "b"),
        test_kubefed.federated({"clusterSelector": {}}),
        test_kubefed.preference(4, clusters),
    ]
    return test_kubefed.fleet(root, documents)


def test_words_of_kubefed(tmp_path: Path) -> None:
    made = by_kubefed(tmp_path, {"a": {"weight": 1}, "b": {"weight": 0}})
    assert advice(made, "shop/web", "b") == ["let spec.clusters select it"]


KUBEFED = [
    pytest.param(
        {name: {"weight": 1, "maxReplicas": 1} for name in "ab"},
        [f"raise spec.clusters.{name}.maxReplicas to 2" for name in "ab"],
        id="limits of clusters",
    ),
    pytest.param(
        {"*": {"weight": 1, "maxReplicas": 1}},
        ["raise spec.clusters.*.maxReplicas to 2"],
        id="a limit of all",
    ),
    pytest.param(
        {"a": {"weight": 0, "minReplicas": 1}, "b": {"weight": 1, "maxReplicas": 2}},
        ["raise spec.clusters.b.maxReplicas to 3"],
        id="a cluster with its least only",
    ),
]


@pytest.mark.parametrize(("clusters", "expected"), KUBEFED)
def test_words_of_kubefed_for_limits(
    clusters: Document, expected: list[str], tmp_path: Path
) -> None:
    made = by_kubefed(tmp_path, clusters)
    assert [change_sentence(each) for each in made.made.cures["shop/web"]] == expected
