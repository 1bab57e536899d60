"""What the real SDK says about a resource's inputs: names, types, what is required.

Nothing is written down twice: the argument classes of `pulumi_aws` are read at run time, so that
the stand-in accepts exactly what the installed SDK can send.
"""

import enum
import importlib
import inspect
import types
import typing
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache

from devkit.aws.data import Data, Table
from devkit.aws.values import is_unknown

ARGUMENTS = {
    "aws:route53/zone:Zone": ("pulumi_aws.route53.zone", "ZoneArgs"),
    "aws:route53/record:Record": ("pulumi_aws.route53.record", "RecordArgs"),
    "aws:route53/healthCheck:HealthCheck": ("pulumi_aws.route53.health_check", "HealthCheckArgs"),
    "pulumi:providers:aws": ("pulumi_aws.provider", "ProviderArgs"),
}
SCALARS: dict[object, str] = {
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
}


@dataclass(frozen=True, slots=True)
class Failure:
    """One input that is refused: its path and the reason."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Kind:
    """The type of an input.

    Attributes:
        word: how a sentence names it.
        member: the type of a list's or a map's members.
        fields: a block's own inputs by name.
        required: those of them that must be given.
    """

    word: str
    member: "Kind | None" = None
    fields: Mapping[str, "Kind"] = field(default_factory=dict)
    required: frozenset[str] = frozenset()


@cache
def inputs_of(token: str) -> Kind:
    """Return what a resource type takes, as a block."""
    module, name = ARGUMENTS[token]
    return _block(getattr(importlib.import_module(module), name))


def _block(arguments: type) -> Kind:
    fields: dict[str, Kind] = {}
    required = set()
    for name, parameter in inspect.signature(arguments).parameters.items():
        choices = _choices(parameter.annotation)
        fields[camel(name)] = _kind(choices[0], arguments.__module__) if choices else Kind("a text")
        if types.NoneType not in _flat(parameter.annotation):
            required.add(camel(name))
    return Kind("a block", fields=fields, required=frozenset(required))


def camel(name: str) -> str:
    """Return the engine's spelling of a Python argument.

    >>> camel("weighted_routing_policies")
    'weightedRoutingPolicies'
    """
    head, *rest = name.split("_")
    return head + "".join(word[:1].upper() + word[1:] for word in rest)


def _flat(annotation: object) -> tuple[object, ...]:
    """Return the members of a union, or the type alone."""
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        return typing.get_args(annotation)
    return (annotation,)


def _choices(annotation: object) -> list[object]:
    """Return the plain types of an input: without None, awaitables and outputs."""
    return [
        choice
        for choice in _flat(annotation)
        if choice is not types.NoneType
        and typing.get_origin(choice) is not Awaitable
        and not _forward(choice).startswith("Output[")
    ]


def _forward(annotation: object) -> str:
    if isinstance(annotation, typing.ForwardRef):
        return annotation.__forward_arg__
    return annotation if isinstance(annotation, str) else ""


def _kind(annotation: object, module: str) -> Kind:
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if annotation in SCALARS:
        return Kind(SCALARS[annotation])
    if origin is Sequence:
        return Kind("a list", member=_kind(_choices(arguments[0])[0], module))
    if origin is Mapping:
        return Kind("a map", member=_kind(_choices(arguments[1])[0], module))
    name = _forward(annotation)
    found = getattr(importlib.import_module(module), name) if name else annotation
    if not isinstance(found, type) or issubclass(found, enum.Enum):
        return Kind("a text")
    return _block(found)


def failures_of(token: str, inputs: Table) -> list[Failure]:
    """Return what the SDK's own types refuse in a resource's inputs."""
    return list(_in_block(inputs_of(token), inputs, ""))


def _in_block(kind: Kind, table: Table, path: str) -> list[Failure]:
    found = [
        Failure(_join(path, name), f"required property '{name}' is missing")
        for name in sorted(kind.required - set(table))
    ]
    for name, value in table.items():
        if name in kind.fields:
            found += _in_value(kind.fields[name], value, _join(path, name))
        else:
            nearest = get_close_matches(name, kind.fields, n=1, cutoff=0.5)
            hint = f", did you mean '{nearest[0]}'?" if nearest else ""
            found.append(Failure(_join(path, name), f"unknown property '{name}'{hint}"))
    return found


def _in_value(kind: Kind, value: Data, path: str) -> list[Failure]:
    if is_unknown(value) or value is None:
        return []
    if not _fits(kind.word, value):
        return [Failure(path, f"must be {kind.word}, not {_shown(value)}")]
    if kind.word == "a block" and isinstance(value, dict):
        return _in_block(kind, value, path)
    found: list[Failure] = []
    if kind.member is not None and isinstance(value, list):
        for number, item in enumerate(value):
            found += _in_value(kind.member, item, f"{path}[{number}]")
    elif kind.member is not None and isinstance(value, dict):
        for name, item in value.items():
            found += _in_value(kind.member, item, _join(path, name))
    return found


def _fits(word: str, value: Data) -> bool:
    if isinstance(value, bool):
        return word == "true or false"
    allowed: dict[str, type | tuple[type, ...]] = {
        "a text": str,
        "a whole number": int,
        "a number": (int, float),
        "a list": list,
        "a map": dict,
        "a block": dict,
    }
    return word in allowed and isinstance(value, allowed[word])


def _shown(value: Data) -> str:
    if isinstance(value, dict):
        return "a block"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"'{value}'"


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
