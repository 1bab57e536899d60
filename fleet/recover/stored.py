"""The stack's exported state, as recovery reads it: resources, and operations that never ended."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fleet.errors import FleetError

RECORD = "aws:route53/record:Record"
CHECK = "aws:route53/healthCheck:HealthCheck"
ZONE = "aws:route53/zone:Zone"
CREATING, UPDATING, DELETING = "creating", "updating", "deleting"
_VERSION = 3


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


def read_stored(text: str) -> Stored:
    """What `pulumi stack export` prints.

    **Errors**: UnreadableError where it is not what the engine of today writes.
    """
    try:
        document = json.loads(text)
    except ValueError:
        raise UnreadableError("the stack's export is no JSON") from None
    if not isinstance(document, dict) or document.get("version") != _VERSION:
        raise UnreadableError(f"the stack's export is not of version {_VERSION}")
    deployment = document.get("deployment") or {}
    return Stored(
        tuple(Resource(each["urn"], each) for each in deployment.get("resources") or ()),
        tuple(
            Pending(each["type"], Resource(each["resource"]["urn"], each["resource"]))
            for each in deployment.get("pending_operations") or ()
        ),
    )
