"""Values as a person would write them into a file: only what is not the default, in camelCase.

The way back of fleet.load.validate: what is spelled reads as the same value.
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any

import yaml
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from yaml.nodes import ScalarNode

from fleet.load.scalars import fleet_scalar, kubernetes_scalar
from fleet.load.shapes import HIDDEN
from fleet.model.affinity import PropertyExpression
from fleet.model.inventory import Capacity, ClusterSpec, NodeGroup
from fleet.model.quantity import spell_millionths, spell_quantity

_ROOT = ("api_version", "kind")
_RESOURCES: frozenset[tuple[type[BaseModel], str]] = frozenset(
    {(Capacity, "allocatable"), (Capacity, "reserved"), (NodeGroup, "free")}
)
_PARTS = 1_000_000
_WIDTH = 100


def spelled(value: BaseModel) -> dict[str, Any]:
    """A value that is read from a file, as the data of a file.

    >>> from fleet.model.policy import SpreadConstraint
    >>> spelled(SpreadConstraint(by="region", max_domains=2))
    {'by': 'region', 'maxDomains': 2}
    """
    written: dict[str, Any] = {}
    fields = type(value).model_fields
    kept = _ROOT if HIDDEN in fields else ()
    for name, info in fields.items():
        one = getattr(value, name)
        if name == HIDDEN or (name not in kept and _is_default(info, one)):
            continue
        written[info.alias or name] = _field(value, name, one)
    return written


def spell_amount(millionths: int) -> str:
    """An amount that is kept in millionths.

    >>> spell_amount(23_000), spell_amount(4 * 2**30 * 10**6), spell_amount(-1_500_000)
    ('0.023', '4Gi', '-1.5')
    """
    if millionths > 0 and millionths % _PARTS == 0:
        return spell_quantity("memory", millionths // _PARTS)
    return spell_millionths(millionths)


def to_yaml(documents: Iterable[Mapping[str, Any]]) -> str:
    """Documents as the text of a file. Words that YAML reads as something else get quotes."""
    return yaml.dump_all(
        documents,
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        width=_WIDTH,
        default_flow_style=False,
    )


def _is_default(info: FieldInfo, value: object) -> bool:
    return not info.is_required() and value == info.get_default(call_default_factory=True)


def _field(owner: BaseModel, name: str, value: object) -> object:
    if (type(owner), name) in _RESOURCES and isinstance(value, Mapping):
        return {key: spell_quantity(key, amount) for key, amount in value.items()}
    if isinstance(owner, ClusterSpec) and name == "properties" and isinstance(value, Mapping):
        return {key: spell_amount(amount) for key, amount in value.items()}
    if isinstance(owner, PropertyExpression) and name == "value" and isinstance(value, int):
        return spell_amount(value)
    return _plain(value)


def _plain(value: object) -> object:
    """Nested values as data."""
    if isinstance(value, BaseModel):
        return spelled(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, tuple | list | frozenset):
        return [_plain(each) for each in value]
    return value


class _Dumper(yaml.SafeDumper):
    """Writes lists below their keys, and no anchors."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ANN401, ARG002 - PyYAML's own signature
        """Whether a value that stands twice is written twice: always."""
        return True

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002 - PyYAML's own signature
        """Items stand deeper than the key of their list."""
        super().increase_indent(flow, indentless=False)


def _text(dumper: _Dumper, text: str) -> ScalarNode:
    """A text, in quotes where one of the dialects would read something else."""
    style = "|" if "\n" in text else ('"' if _means_more(text) else None)
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _means_more(text: str) -> bool:
    try:
        return not (text and fleet_scalar(text) == text and kubernetes_scalar(text) == text)
    except ValueError:
        return True


_Dumper.add_representer(str, _text)
