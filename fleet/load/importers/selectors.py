"""Label selectors of other products as terms of a policy."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from fleet.load.importers.reading import Part
from fleet.model.workload import Manifest

_COUNTED = {"In": True, "NotIn": True, "Exists": False, "DoesNotExist": False}
_OPERATORS = tuple(_COUNTED)


@dataclass(frozen=True, slots=True)
class Requirement:
    """One requirement on a label. Source: meta/v1 LabelSelectorRequirement."""

    key: str
    operator: str
    values: tuple[str, ...] = ()

    def holds(self, labels: Mapping[str, str]) -> bool:
        """Whether labels satisfy it; absence satisfies NotIn and DoesNotExist."""
        there = self.key in labels
        listed = there and labels[self.key] in self.values
        answers = {"In": listed, "NotIn": not listed, "Exists": there, "DoesNotExist": not there}
        return answers[self.operator]

    @property
    def native(self) -> dict[str, Any]:
        """The requirement in a file of fleet."""
        written: dict[str, Any] = {"key": self.key, "operator": self.operator}
        return written | ({"values": list(self.values)} if self.values else {})


@dataclass(frozen=True, slots=True)
class Selector:
    """All of what is said must hold; a selector that says nothing matches everything."""

    labels: tuple[tuple[str, str], ...] = ()
    requirements: tuple[Requirement, ...] = ()

    def holds(self, labels: Mapping[str, str]) -> bool:
        """Whether labels satisfy it."""
        equal = all(labels.get(key) == value for key, value in self.labels)
        return equal and all(each.holds(labels) for each in self.requirements)


ANY = Selector()


def selector(part: Part | None, prefix: str = "") -> Selector:
    """Reads a label selector; `prefix` goes before each key.

    An absent one matches everything, as an empty one does; who wants another meaning asks first.
    """
    if part is None:
        return ANY
    labels = tuple((prefix + key, value) for key, value in part.pairs("matchLabels").items())
    read = (_requirement(each, prefix) for each in part.parts("matchExpressions"))
    requirements = tuple(each for each in read if each is not None)
    part.close("a label selector")
    return Selector(labels, requirements)


def _requirement(part: Part, prefix: str) -> Requirement | None:
    key = part.required("key")
    operator = part.choice("operator", _OPERATORS, "In")
    values = part.texts("values")
    part.close("a label selector requirement")
    if str(part.raw("operator")) not in _COUNTED:
        return None
    if _COUNTED[operator] != bool(values):
        wanted = "one or more values" if _COUNTED[operator] else "no values"
        part.fault("values", f"'{operator}' takes {wanted}")
        return None
    return Requirement(prefix + key, operator, tuple(values))


def labels_of(manifest: Manifest) -> Mapping[str, str]:
    """The labels of an object."""
    metadata = manifest.body.get("metadata")
    labels = metadata.get("labels") if isinstance(metadata, dict) else None
    return labels if isinstance(labels, dict) else {}


def term(selectors: Iterable[Selector]) -> dict[str, Any]:
    """A term, as in a file of fleet, for which all the selectors hold.

    >>> term([Selector((("env", "prod"),)), Selector((("env", "dev"),))])["matchExpressions"]
    [{'key': 'env', 'operator': 'In', 'values': ['dev']}]
    """
    labels: dict[str, str] = {}
    expressions: list[dict[str, Any]] = []
    for each in selectors:
        for key, value in each.labels:
            if labels.setdefault(key, value) != value:
                expressions.append(Requirement(key, "In", (value,)).native)
        expressions += [one.native for one in each.requirements if one.native not in expressions]
    written: dict[str, Any] = {}
    if labels:
        written["matchLabels"] = labels
    if expressions:
        written["matchExpressions"] = expressions
    return written
