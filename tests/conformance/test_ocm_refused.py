"""What Open Cluster Management refuses or ignores, and the CEL that is understood.

The ids are those of the collected facts (1b). Source: the tests of open-cluster-management-io/ocm,
pkg/placement/controllers/scheduling and pkg/placement/helpers.
"""

from pathlib import Path

import pytest

from fleet.errors import InvalidError
from fleet.model.finding_codes import IMPORT_DIFFERS, IMPORT_IGNORED
from tests.conformance.importing import Document, deployment, run
from tests.conformance.ocm_documents import LABEL, binding, cluster, fleet, only, placement

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
