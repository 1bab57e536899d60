"""What would flip a verdict: changes to the files, as values that a machine can carry out."""

from dataclasses import dataclass

from fleet.model.base import FrozenMap
from fleet.model.source import Path, Source

APPEND = "-"
"""The last step of a path that adds to a list, as in RFC 6902."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One field of one document, and its new value.

    `kind` is Cluster, ClusterObservation, ClusterSet, PlacementPolicy, Quota, Workload (`spec` of
    its settings, or `replicas` and `autoscaled`, wherever its files say it) or Config (`value`
    leaves the list that `path` names). `path` speaks the words of the file; its last step is APPEND
    where `value` is added to a list. `value` is what the file's text is read as (amounts in base
    units); None takes the field away.
    """

    kind: str
    name: str
    path: Path
    value: object


@dataclass(frozen=True, slots=True)
class Change:
    """One change to make.

    `code` is one of the constants of fleet.schedule.remedies; the sentence is made by
    fleet.explain. `source` is where to write it.
    """

    code: str
    values: FrozenMap[str | int]
    edits: tuple[Edit, ...]
    source: Source | None = None
