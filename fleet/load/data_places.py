"""Where a workload's document says something of its data."""

from fleet.model.base import FrozenMap
from fleet.model.data import DataKind
from fleet.model.source import Source
from fleet.model.workload import WorkloadDocument

_FIELDS = {
    "at": ("at",),
    "replication": ("replication",),
    "replication.to": ("replication", "to"),
    "promotion": ("promotion",),
    "handover": ("handover",),
    "handover.object": ("handover", "object"),
}


def data_places(document: WorkloadDocument | None) -> FrozenMap[Source]:
    """The places of what a workload's document says of its data; nothing where it says nothing."""
    if document is None or document.spec.data.kind is DataKind.NONE:
        return FrozenMap()
    origin = document.origin
    places = {name: origin.at("spec", "data", *path) for name, path in _FIELDS.items()}
    return FrozenMap({"": origin.at("spec", "data"), **places})
