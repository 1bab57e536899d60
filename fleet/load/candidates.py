"""Whether a policy's terms could ever choose a cluster: its words only, no taints, no capacity."""

from collections.abc import Iterable

from fleet.model.amounts import amount_of, holds, unit_of
from fleet.model.inventory import Cluster
from fleet.model.pattern import matches
from fleet.model.policy import (
    ClusterTerm,
    Expression,
    PlacementSpec,
    PropertyExpression,
    whole_number,
)


def could_run(spec: PlacementSpec, cluster: Cluster) -> bool:
    """Whether residency and required affinity allow a cluster."""
    if spec.residency is not None and not _in_regions(spec.residency.regions, cluster):
        return False
    required = spec.affinity.required
    return not required or any(term_holds(term, cluster) for term in required)


def term_holds(term: ClusterTerm, cluster: Cluster) -> bool:
    """Whether all of what a term says holds for a cluster."""
    if term.clusters and cluster.name not in term.clusters:
        return False
    if cluster.name in term.exclude_clusters:
        return False
    if term.regions and not _in_regions(term.regions, cluster):
        return False
    labels = cluster.labels
    if any(labels.get(key) != value for key, value in term.match_labels.items()):
        return False
    if not all(_compares(each, cluster) for each in term.match_properties):
        return False
    return _expressions_hold(term, cluster)


def _expressions_hold(term: ClusterTerm, cluster: Cluster) -> bool:
    if not all(_holds(each, _label(cluster, each.key)) for each in term.match_expressions):
        return False
    return all(_holds(each, _field(cluster, each.key)) for each in term.match_fields)


def _compares(expression: PropertyExpression, cluster: Cluster) -> bool:
    amount = amount_of(cluster, expression.property)
    if amount is None:
        return False
    exact = amount * unit_of(expression.property)
    return holds(exact, expression.operator, expression.value)


def _in_regions(patterns: Iterable[str], cluster: Cluster) -> bool:
    return any(matches(pattern, cluster.spec.region) for pattern in patterns)


def _label(cluster: Cluster, key: str) -> tuple[str, ...]:
    return (cluster.labels[key],) if key in cluster.labels else ()


def _field(cluster: Cluster, key: str) -> tuple[str, ...]:
    spec = cluster.spec
    values = {
        "name": (cluster.name,),
        "region": (spec.region,),
        "provider": (spec.provider,) if spec.provider else (),
        "zone": spec.zones,
    }
    return values[key]


def _holds(expression: Expression, has: tuple[str, ...]) -> bool:
    shared = bool(set(has) & set(expression.values))
    match expression.operator:
        case "In":
            return shared
        case "NotIn":
            return not shared
        case "Exists":
            return bool(has)
        case "DoesNotExist":
            return not has
        case "Gt":
            return any(_above(text, expression.values[0]) for text in has)
        case "Lt":
            return any(_above(expression.values[0], text) for text in has)


def _above(text: str, other: str) -> bool:
    """Whether both are whole numbers, and the first is more."""
    one, two = whole_number(text), whole_number(other)
    return one is not None and two is not None and one > two
