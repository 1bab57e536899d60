"""Which clusters a term of a policy means, as a mask over the table."""

from collections.abc import Callable
from functools import reduce

import numpy as np

from fleet.model.affinity import ClusterTerm, whole_number
from fleet.model.pattern import matches
from fleet.model.policy import PlacementSpec
from fleet.schedule.columns import Mask
from fleet.schedule.table import LABEL, Table

NAMES_ONLY = {"clusters"}
"""What a term says that only lists clusters."""
_FIELDS = {"name": "cluster"}


def matching(table: Table, term: ClusterTerm) -> Mask:
    """The clusters for which everything that the term says holds."""
    masks: list[Mask] = []
    if term.clusters:
        masks.append(_named(table, term.clusters))
    if term.exclude_clusters:
        masks.append(~_named(table, term.exclude_clusters))
    if term.regions:
        masks.append(in_regions(table, term.regions))
    masks += [
        _holds(table, LABEL + key, "In", (value,)) for key, value in term.match_labels.items()
    ]
    masks += [
        _holds(table, LABEL + each.key, each.operator, each.values)
        for each in term.match_expressions
    ]
    masks += [
        _holds(table, _FIELDS.get(each.key, each.key), each.operator, each.values)
        for each in term.match_fields
    ]
    masks += [
        table.amounts(each.property).compared(each.operator, each.value)
        for each in term.match_properties
    ]
    return reduce(np.logical_and, masks) if masks else np.ones(table.size, dtype=bool)


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


def _holds(table: Table, field: str, operator: str, values: tuple[str, ...]) -> Mask:
    """One requirement, kept for the next policy; absence satisfies NotIn and DoesNotExist."""
    key = (field, operator, values)
    if key not in table.masks:
        if operator in {"In", "NotIn"}:
            among = _among(table, field, values)
            table.masks[key] = among if operator == "In" else ~among
        else:
            table.masks[key] = table.column(field).where(_test(operator, values))
    return table.masks[key]


def _among(table: Table, field: str, values: tuple[str, ...]) -> Mask:
    """The clusters that have one of the values; looked up, because a label may have thousands."""
    column, known = table.column(field), table.texts(field)
    accepted = np.zeros(len(column.values), dtype=bool)
    accepted[[code for value in values for code in known.get(value, ())]] = True
    return accepted[column.codes]


def _test(operator: str, values: tuple[str, ...]) -> Callable[[tuple[str, ...]], bool]:
    """The requirement as a question to the texts of one cluster."""
    number = values[0] if values else ""
    tests: dict[str, Callable[[tuple[str, ...]], bool]] = {
        "Exists": bool,
        "DoesNotExist": lambda texts: not texts,
        "Gt": lambda texts: any(_above(text, number) for text in texts),
        "Lt": lambda texts: any(_above(number, text) for text in texts),
    }
    return tests[operator]


def _above(text: str, other: str) -> bool:
    """Whether both are whole numbers, and the first is more."""
    one, two = whole_number(text), whole_number(other)
    return one is not None and two is not None and one > two
