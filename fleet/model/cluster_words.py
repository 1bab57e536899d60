"""Whether a term means a cluster by its words: names, regions, labels and fields."""

from fleet.model.affinity import ClusterWords, Expression, whole_number
from fleet.model.inventory import Cluster
from fleet.model.pattern import matches


def words_hold(term: ClusterWords, cluster: Cluster) -> bool:
    """Whether all of what a term says holds for a cluster."""
    named = not term.clusters or cluster.name in term.clusters
    if not named or cluster.name in term.exclude_clusters:
        return False
    region = cluster.spec.region
    if term.regions and not any(matches(pattern, region) for pattern in term.regions):
        return False
    labels = cluster.labels
    return (
        all(labels.get(key) == value for key, value in term.match_labels.items())
        and all(_holds(each, _label(cluster, each.key)) for each in term.match_expressions)
        and all(_holds(each, _field(cluster, each.key)) for each in term.match_fields)
    )


def _label(cluster: Cluster, key: str) -> tuple[str, ...]:
    return (cluster.labels[key],) if key in cluster.labels else ()


def _field(cluster: Cluster, key: str) -> tuple[str, ...]:
    if key == "zone":
        return cluster.spec.zones
    spoken = {
        "name": cluster.name,
        "region": cluster.spec.region,
        "provider": cluster.spec.provider,
    }[key]
    return (spoken,) if spoken else ()


def _holds(each: Expression, has: tuple[str, ...]) -> bool:
    """One requirement; absence satisfies NotIn and DoesNotExist."""
    shared = bool(set(has) & set(each.values))
    number = each.values[0] if each.values else ""
    return {
        "In": shared,
        "NotIn": not shared,
        "Exists": bool(has),
        "DoesNotExist": not has,
        "Gt": any(_above(text, number) for text in has),
        "Lt": any(_above(number, text) for text in has),
    }[each.operator]


def _above(text: str, other: str) -> bool:
    """Whether both are whole numbers, and the first is more."""
    one, two = whole_number(text), whole_number(other)
    return one is not None and two is not None and one > two
