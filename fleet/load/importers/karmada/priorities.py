"""A policy's schedulePriority: the number of the PriorityClass that it names."""

from collections.abc import Sequence

from fleet.load.importers.importer import Notes
from fleet.load.importers.karmada.forms import Propagation
from fleet.model.source import Path
from fleet.model.workload import Manifest

_PATH: Path = ("spec", "schedulePriority")
_SYSTEM = {"system-cluster-critical": 2_000_000_000, "system-node-critical": 2_000_001_000}


def priority_of(form: Propagation, objects: Sequence[Manifest], notes: Notes) -> int:
    """The priority; 0 where none is said, or the class is not in the files."""
    said = form.spec.schedule_priority
    if said is None:
        return 0
    if said.priority_class_source != "KubePriorityClass":
        source = said.priority_class_source
        notes.ignored((*_PATH, "priorityClassSource"), f"does not implement '{source}' yet")
        return 0
    name = said.priority_class_name
    for each in objects:
        if each.kind == "PriorityClass" and each.name == name:
            value = each.body.get("value")
            return value if isinstance(value, int) else 0
    if name in _SYSTEM:
        return _SYSTEM[name]
    why = f"asks its API server for the PriorityClass '{name}'"
    knob = "put it among the workloads' files; until then the priority is 0"
    notes.differs((*_PATH, "priorityClassName"), why, knob)
    return 0
