"""What recovery has to ask the clusters and Route53, and the answers as values.

Both are plain JSON documents: the questions go to the program (it alone can read the stack's
secrets and log in), the answers come back.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fleet.recover.stored import CHECK, CREATING, RECORD, ZONE, Resource, Stored

VARIABLE = "FLEET_LOOK"
"""The environment variable with the path of the questions; answers go to `<path>.answers`."""
TAG = "fleet"
CHECK_ARN = ":healthcheck/"
_MANAGER = "pulumi-kubernetes"


@dataclass(frozen=True, slots=True)
class LiveObject:
    """An object that exists: who signed it, and under which name the plugin wrote it."""

    owner: str | None
    manager: str | None = None


@dataclass(frozen=True, slots=True)
class LiveCheck:
    """A health check of Route53 that carries the stack's tag."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class LooseCheck:
    """A health check of nobody that asks what the stack's own `twin` asks.

    `reference` is the caller's: what made it, and often when.
    """

    id: str
    twin: str
    reference: str


@dataclass(frozen=True, slots=True)
class Seen:
    """The answers.

    **Shape**: `objects` by URN, None where it does not exist; `records` by zone id; `zones` by
    name, None where there is none; `unread` by what could not be read (a URN, a zone id, a zone's
    name, or the tag): why. `loose` are health checks without a tag; `unlisted` is why nobody could
    look for them.
    """

    objects: Mapping[str, LiveObject | None] = field(default_factory=dict)
    records: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    zones: Mapping[str, Mapping[str, Any] | None] = field(default_factory=dict)
    checks: tuple[LiveCheck, ...] = ()
    unread: Mapping[str, str] = field(default_factory=dict)
    loose: tuple[LooseCheck, ...] = ()
    unlisted: str = ""


def cluster_of(resource: Resource) -> str:
    """The cluster of an object, which is its provider's name.

    >>> urn = "urn:pulumi:dev::fleet::pulumi:providers:kubernetes::eu-1::id"
    >>> cluster_of(Resource("urn:pulumi:dev::fleet::t::web", {"provider": urn}))
    'eu-1'
    """
    return str(resource.raw.get("provider") or "").split("::", 3)[-1].rpartition("::")[0]


def object_question(resource: Resource) -> dict[str, str]:
    """What to ask a cluster for an object."""
    metadata = resource.inputs.get("metadata") or {}
    return {
        "cluster": cluster_of(resource),
        "apiVersion": str(resource.inputs.get("apiVersion", "")),
        "kind": str(resource.inputs.get("kind", "")),
        "namespace": str(metadata.get("namespace", "")),
        "name": str(metadata.get("name", "")),
    }


def questions(stored: Stored, owner: str) -> dict[str, Any]:
    """Everything to ask. `owner` is `project/stack`."""
    creating = [each.resource for each in stored.pending if each.operation == CREATING]
    touched = [each.resource for each in stored.pending if each.operation != CREATING]
    records = [*stored.of(RECORD), *(each for each in creating if each.token == RECORD)]
    aws = bool(records or stored.of(CHECK) or any(each.token == CHECK for each in creating))
    return {
        "objects": {
            each.urn: object_question(each) for each in (*creating, *touched) if each.is_object
        },
        "records": sorted({str(each.inputs["zoneId"]) for each in records}),
        "zones": sorted({str(each.inputs["name"]) for each in creating if each.token == ZONE}),
        "tag": owner if aws else "",
    }


def is_any(asked: Mapping[str, Any]) -> bool:
    """Whether there is anything to ask at all."""
    return any(asked.values())


def read_seen(answers: Mapping[str, Any]) -> Seen:
    """The program's answers as a value."""
    return Seen(
        objects={urn: _object(each) for urn, each in answers["objects"].items()},
        records=answers["records"],
        zones=answers["zones"],
        checks=tuple(
            LiveCheck(each["resourceArn"].rpartition("/")[2], each.get("tags", {}).get("Name", ""))
            for each in answers["checks"]
            if CHECK_ARN in each["resourceArn"]
        ),
        unread=answers["unread"],
    )


def _object(answer: Mapping[str, Any] | None) -> LiveObject | None:
    if answer is None:
        return None
    return LiveObject(answer.get("owner"), answer.get("manager"))


def manager_of(live: Mapping[str, Any]) -> str | None:
    """The field manager under which the Kubernetes plugin wrote an object.

    It is made up at each create and kept in the state: without it the next update would conflict
    with the plugin's own former self.
    """
    fields = (live.get("metadata") or {}).get("managedFields") or []
    names = [str(each.get("manager", "")) for each in fields if not each.get("subresource")]
    return next((each for each in names if each.startswith(_MANAGER)), None)
