"""Which clusters a person means: terms over names, regions, labels, fields and amounts."""

import re
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from fleet.model.base import NOT_EMPTY, FileValue, Labels, Whole
from fleet.model.inventory import Amount

_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")


def whole_number(text: str) -> int | None:
    """The number that Gt and Lt compare; None where the text is none that a computer holds.

    >>> whole_number("-12"), whole_number("1.5"), whole_number("9" * 5000)
    (-12, None, None)
    """
    return int(text) if _WHOLE.fullmatch(text) else None


class Expression(FileValue):
    """One requirement on a label or a field. Source: core/v1 NodeSelectorRequirement.

    In and NotIn compare with `values`; Exists and DoesNotExist take none; Gt and Lt compare the
    label as a whole number with the one value. NotIn and DoesNotExist hold where the key is absent.
    """

    key: Annotated[str, Field(min_length=1)]
    operator: Literal["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"]
    values: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _values_fit(self) -> Self:
        wanted = {"In": "one or more", "NotIn": "one or more", "Gt": "one", "Lt": "one"}
        count = wanted.get(self.operator, "no")
        fits = {
            "no": not self.values,
            "one": len(self.values) == 1 and whole_number(self.values[0]) is not None,
            "one or more": bool(self.values),
        }
        if not fits[count]:
            whole = ", a whole number" if count == "one" else ""
            message = f"'{self.operator}' takes {count} value{whole}"
            raise ValueError(message)
        return self


class FieldExpression(Expression):
    """One requirement on a field of a cluster; a cluster has every zone of its list.

    In holds for a zone list that shares a value, NotIn for one that shares none.
    """

    key: Literal["name", "region", "zone", "provider"]


class PropertyExpression(FileValue):
    """One requirement on an amount: `property` compared with `value`, a quantity.

    `property` is `free.<resource>`, `allocatable.<resource>` (cpu in cores), `nodes`, or a key of
    the cluster's `properties`. A cluster without it matches nothing, not even Ne.
    Source: KubeFleet's property selector.
    """

    property: Annotated[str, Field(min_length=1)]
    operator: Literal["Gt", "Ge", "Eq", "Ne", "Le", "Lt"]
    value: Amount


class ClusterWords(FileValue):
    """What a term says of a cluster's words: name, region, labels, fields."""

    clusters: Annotated[tuple[str, ...], NOT_EMPTY] = ()
    exclude_clusters: tuple[str, ...] = ()
    regions: Annotated[tuple[str, ...], NOT_EMPTY] = ()
    match_labels: Labels = Labels()
    match_expressions: tuple[Expression, ...] = ()
    match_fields: tuple[FieldExpression, ...] = ()


class ClusterTerm(ClusterWords):
    """All of what is said must hold; a term that says nothing matches every cluster."""

    match_properties: tuple[PropertyExpression, ...] = ()


class PropertySort(FileValue):
    """A share of the weight by an amount, from 0 for the worst cluster to all for the best.

    `property` as in a PropertyExpression. Source: KubeFleet's property sorter.
    """

    property: Annotated[str, Field(min_length=1)]
    order: Literal["ascending", "descending"]


class PreferredTerm(FileValue):
    """A wish: clusters that match `term` score `weight` (-100 to 100, below 0 is a dislike).

    With `sort` they score a share of it: descending gives the largest amount all, ascending the
    smallest.
    """

    weight: Annotated[Whole, Field(ge=-100, le=100)]
    term: ClusterTerm = ClusterTerm()
    sort: PropertySort | None = None


class Affinity(FileValue):
    """`required` is a filter (one of the terms must hold), `preferred` a scorer."""

    required: Annotated[tuple[ClusterTerm, ...], NOT_EMPTY] = ()
    preferred: tuple[PreferredTerm, ...] = ()
