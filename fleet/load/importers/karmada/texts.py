"""JSON or YAML that stands as text in a field, patched. Source: Karmada's fieldOverrider."""

import json
from dataclasses import dataclass
from typing import Any

import yaml

from fleet.load.importers.karmada.override_forms import FieldOverrider, SubPatch
from fleet.load.importers.karmada.pointers import patched


@dataclass(frozen=True, slots=True)
class _Step:
    path: str
    operator: str
    value: Any


def patched_text(text: str, field: FieldOverrider) -> str | None:
    """The text after all operations; None where it is not what it is said to be."""
    try:
        if field.json_:
            return json.dumps(_all(json.loads(text), field.json_), sort_keys=True)
        data = _all(yaml.load(text, yaml.CSafeLoader), field.yaml)
    except (ValueError, yaml.YAMLError):
        return None
    return yaml.dump(data, Dumper=yaml.CSafeDumper)


def _all(data: Any, steps: tuple[SubPatch, ...]) -> Any:  # noqa: ANN401 - any JSON
    for each in steps:
        data = patched(data, _Step(each.sub_path, each.operator, each.value))
    return data
