"""Whether a policy's terms could ever choose a cluster: its words only, no taints, no capacity."""

from collections.abc import Iterable

from fleet.model.affinity import ClusterTerm, PropertyExpression
from fleet.model.amounts import amount_of, holds, unit_of
from fleet.model.cluster_words import words_hold
from fleet.model.inventory import Cluster
from fleet.model.pattern import matches
from fleet.model.policy import PlacementSpec


def could_run(spec: PlacementSpec, cluster: Cluster) -> bool:
    """Whether residency and required affinity allow a cluster."""
    if spec.residency is not None and not _in_regions(spec.residency.regions, cluster):
        return False
    required = spec.affinity.required
    return not required or any(term_holds(term, cluster) for term in required)


def term_holds(term: ClusterTerm, cluster: Cluster) -> bool:
    """Whether all of what a term says holds for a cluster."""
    amounts = all(_compares(each, cluster) for each in term.match_properties)
    return amounts and words_hold(term, cluster)


def _compares(expression: PropertyExpression, cluster: Cluster) -> bool:
    amount = amount_of(cluster, expression.property)
    if amount is None:
        return False
    exact = amount * unit_of(expression.property)
    return holds(exact, expression.operator, expression.value)


def _in_regions(patterns: Iterable[str], cluster: Cluster) -> bool:
    return any(matches(pattern, cluster.spec.region) for pattern in patterns)
