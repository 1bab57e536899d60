"""The stack's exported state, as recovery reads it: resources, and operations that never ended."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fleet.errors import FleetError, InvalidError, json_fault

RECORD = "aws:route53/record:Record"
CHECK = "aws:route53/healthCheck:HealthCheck"
ZONE = "aws:route53/zone:Zone"
CREATING, UPDATING, DELETING = "creating", "updating", "deleting"
EXPORT = "pulumi stack export"
_VERSION = 3
_URN = re.compile(r"urn:pulumi:[^:]+::[^:]+::.+?::.*", re.DOTALL)


class UnreadableError(FleetError):
    """An export that recovery does not understand."""


@dataclass(frozen=True, slots=True)
class Resource:
    """One resource of the state; `raw` is its entry."""

    urn: str
    raw: Mapping[str, Any] = field(repr=False, hash=False)

    @property
    def token(self) -> str:
        """Its Pulumi type.

        >>> Resource("urn:pulumi:dev::fleet::a:b:C$aws:route53/zone:Zone::main", {}).token
        'aws:route53/zone:Zone'
        """
        return self.urn.split("::")[2].rpartition("$")[2]

    @property
    def name(self) -> str:
        """Its name."""
        return self.urn.split("::", 3)[3]

    @property
    def id(self) -> str:
        """What it is called where it lives; empty where it has not been created."""
        return str(self.raw.get("id") or "")

    @property
    def inputs(self) -> Mapping[str, Any]:
        """What the program said of it."""
        return dict(self.raw.get("inputs") or {})

    @property
    def is_object(self) -> bool:
        """Whether it is a Kubernetes object."""
        return self.token.startswith("kubernetes:")


@dataclass(frozen=True, slots=True)
class Pending:
    """An operation that began and never ended; `operation` is `creating` and the like."""

    operation: str
    resource: Resource


@dataclass(frozen=True, slots=True)
class Stored:
    """The state. **Shape**: `resources` in the order of the state, `pending` as they began."""

    resources: tuple[Resource, ...]
    pending: tuple[Pending, ...]

    def of(self, token: str) -> tuple[Resource, ...]:
        """The resources of a type that are there for good."""
        return tuple(
            each for each in self.resources if each.token == token and not each.raw.get("delete")
        )

    def holds(self, urn: str) -> bool:
        """Whether the state has this resource."""
        return any(each.urn == urn for each in self.resources)


def read_stored(text: str, file: str = "") -> Stored:
    """What `pulumi stack export` printed; `file` is where that stands, if it stands in one.

    **Errors**: UnreadableError, InvalidError where it is not what the engine of today writes.
    """
    document = _document(text, file)
    deployment = document.get("deployment") or {}
    if "deployment" not in document or not isinstance(deployment, dict):
        raise _unreadable(file, f"it is not what '{EXPORT}' prints")
    version = document.get("version")
    if version != _VERSION:
        what = f"it is in version '{version}' of the format, fleet reads {_VERSION}"
        raise _unreadable(file, what)
    resources = tuple(
        _resource(each, f"resource {number}", file)
        for number, each in enumerate(_listed(deployment, "resources", file), 1)
    )
    pending = []
    for number, each in enumerate(_listed(deployment, "pending_operations", file), 1):
        what = f"pending operation {number}"
        operation = each if isinstance(each, dict) else {}
        resource = _resource(operation.get("resource"), what, file)
        pending.append(Pending(str(operation.get("type")), resource))
    return Stored(resources, tuple(pending))


def _document(text: str, file: str) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        if file:
            raise InvalidError([json_fault(file, error, EXPORT)]) from None
        raise _unreadable(file, f"it is no JSON: {error}") from None
    except (ValueError, RecursionError):  # numbers and depths that Python's reader refuses
        raise _unreadable(file, f"it is not what '{EXPORT}' prints") from None
    if not isinstance(document, dict):
        raise _unreadable(file, f"it is not what '{EXPORT}' prints")
    return document


def _listed(deployment: Mapping[str, Any], part: str, file: str) -> list[Any]:
    found = deployment.get(part) or []
    if not isinstance(found, list):
        raise _unreadable(file, f"its '{part}' are no list")
    return found


def _resource(entry: object, what: str, file: str) -> Resource:
    urn = entry.get("urn") if isinstance(entry, dict) else None
    if not isinstance(entry, dict) or not isinstance(urn, str) or not _URN.fullmatch(urn):
        raise _unreadable(file, f"its {what} has no URN")
    return Resource(urn, entry)


def _unreadable(file: str, what: str) -> UnreadableError:
    return UnreadableError(f"the state{f' {file!r}' if file else ''} cannot be read: {what}")
