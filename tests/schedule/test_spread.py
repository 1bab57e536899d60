"""Static weights as a column."""

import numpy as np
import pytest

from fleet.model.affinity import ClusterTerm
from fleet.model.policy import WeightRule
from fleet.schedule.table import Table
from fleet.schedule.weights import Weights
from tests.builders import a_cluster, a_snapshot

TERMS = {
    "a list of names": (ClusterTerm(clusters=("b", "nobody")), [0, 5]),
    "an empty list of names means every cluster": (ClusterTerm(clusters=()), [5, 5]),
    "a term that says nothing means every cluster": (ClusterTerm(), [5, 5]),
    "names, and what is left out of them": (
        ClusterTerm(clusters=("a", "b"), exclude_clusters=("a",)),
        [0, 5],
    ),
}


@pytest.mark.parametrize(("term", "expected"), TERMS.values(), ids=TERMS.keys())
def test_a_rule_weighs_the_clusters_that_its_term_means(
    term: ClusterTerm, expected: list[int]
) -> None:
    table = Table(a_snapshot([a_cluster("a"), a_cluster("b")], []))
    weights = Weights(table, [WeightRule(term=term, replica_weight=5)]).column
    assert np.array_equal(weights, expected)
