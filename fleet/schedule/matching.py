"""Which clusters a term of a policy means, as a mask over the table."""

from collections.abc import Callable
from functools import reduce

import numpy as np

from fleet.model.pattern import matches
from fleet.model.policy import ClusterTerm, Expression, PlacementSpec, whole_number
from fleet.schedule.columns import Mask
from fleet.schedule.table import LABEL, Table

_FIELDS = {"name": "cluster"}


def matching(table: Table, term: ClusterTerm) -> Mask:
    """The clusters for which everything that the term says holds."""
    masks = [np.ones(table.size, dtype=bool)]
    if term.clusters:
        masks.append(_named(table, term.clusters))
    if term.exclude_clusters:
        masks.append(~_named(table, term.exclude_clusters))
    if term.regions:
        masks.append(in_regions(table, term.regions))
    masks += [
        table.amounts(each.property).compared(each.operator, each.value)
        for each in term.match_properties
    ]
    masks += [_labelled(table, key, value) for key, value in term.match_labels.items()]
    masks += [_holds(table, LABEL + each.key, each) for each in term.match_expressions]
    masks += [_holds(table, _FIELDS.get(each.key, each.key), each) for each in term.match_fields]
    return reduce(np.logical_and, masks)


def allowed(table: Table, spec: PlacementSpec) -> Mask:
    """The clusters that a policy's own words allow: residency and required affinity."""
    terms = spec.affinity.required or (ClusterTerm(),)
    mask = reduce(np.logical_or, [matching(table, term) for term in terms])
    return mask if spec.residency is None else mask & in_regions(table, spec.residency.regions)


def in_regions(table: Table, patterns: tuple[str, ...]) -> Mask:
    """The clusters whose region is one of the names, or matches one of the patterns."""
    return table.column("region").where(
        lambda texts: any(matches(pattern, text) for pattern in patterns for text in texts)
    )


def _named(table: Table, names: tuple[str, ...]) -> Mask:
    mask = np.zeros(table.size, dtype=bool)
    mask[[table.index[name] for name in names if name in table.index]] = True
    return mask


def _labelled(table: Table, key: str, value: str) -> Mask:
    return table.column(LABEL + key).where(lambda texts: value in texts)


def _holds(table: Table, field: str, expression: Expression) -> Mask:
    """One requirement; absence satisfies NotIn and DoesNotExist."""
    return table.column(field).where(_test(expression))


def _test(expression: Expression) -> Callable[[tuple[str, ...]], bool]:
    """The requirement as a question to the texts of one cluster."""
    wanted = frozenset(expression.values)
    number = expression.values[0] if expression.values else ""
    tests: dict[str, Callable[[tuple[str, ...]], bool]] = {
        "In": lambda texts: not wanted.isdisjoint(texts),
        "NotIn": wanted.isdisjoint,
        "Exists": bool,
        "DoesNotExist": lambda texts: not texts,
        "Gt": lambda texts: any(_above(text, number) for text in texts),
        "Lt": lambda texts: any(_above(number, text) for text in texts),
    }
    return tests[expression.operator]


def _above(text: str, other: str) -> bool:
    """Whether both are whole numbers, and the first is more."""
    one, two = whole_number(text), whole_number(other)
    return one is not None and two is not None and one > two
