"""Fields that are often written and that Karmada's API does not have.

The API server drops them: nothing happens. They are told, and the rest of the document counts; any
other unknown field is a fault.
"""

from dataclasses import replace
from typing import Any

from fleet.load.importers.importer import Notes
from fleet.load.source import Document
from fleet.model.source import Path

_DROPPED: dict[Path, str] = {
    ("spec", "failover", "application", "decisionConditions", "maxUnavailable"): (
        "has no such field: an application counts as failed after 'tolerationSeconds', whatever"
        " part of it is unavailable"
    ),
}


def without_unknown(document: Document, notes: Notes) -> Document:
    """The document without the fields that Karmada's API drops; each is told."""
    data = document.data
    for path, why in _DROPPED.items():
        if _has(data, path):
            notes.ignored(path, why)
            data = _without(data, path)
    return document if data is document.data else replace(document, data=data)


def _has(data: object, path: Path) -> bool:
    for step in path:
        if not isinstance(data, dict) or step not in data:
            return False
        data = data[step]
    return True


def _without(data: dict[str, Any], path: Path) -> dict[str, Any]:
    """A copy of the maps on the way."""
    step, rest = str(path[0]), path[1:]
    if not rest:
        return {key: value for key, value in data.items() if key != step}
    return {**data, step: _without(data[step], rest)}
