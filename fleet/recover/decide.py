"""What recovery does about each thing that an update which was cut has left, and in which words."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from fleet.recover.look import TAG, LiveObject, Seen, cluster_of, object_question
from fleet.recover.stored import (
    CHECK,
    CREATING,
    DELETING,
    RECORD,
    UPDATING,
    ZONE,
    Pending,
    Resource,
    Stored,
)


class Act(StrEnum):
    """What a step does to the state: nothing else is ever touched."""

    TAKE = "take"
    """Exists and is ours: into the state, then read back; its operation is cleared."""
    CLEAR = "clear"
    """Nothing of ours exists: only the operation is cleared."""
    READ = "read"
    """In the state, perhaps not as it is: read back; its operation, if any, is cleared."""
    KEEP = "keep"
    """Cannot be seen: the operation stays for the next time."""
    TELL = "tell"
    """Nothing is done: a person has to know."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do. `urn` is the resource that it is about; `id` and `outputs` of a TAKE."""

    act: Act
    urn: str
    sentence: str
    id: str = ""
    outputs: tuple[tuple[str, Any], ...] = ()


def decide(stored: Stored, seen: Seen, owner: str) -> tuple[Step, ...]:
    """Every step, in the order of the state's operations; then weights, then leaked checks.

    `owner` is `project/stack`, as it is signed with.
    """
    steps = [_pending(each, stored, seen, owner) for each in stored.pending]
    known = {each.urn for each in steps}
    steps += [each for each in _weights(stored, seen) if each.urn not in known]
    steps += [*_leaks(stored, steps, seen), *_loose(stored, steps, seen)]
    return tuple(steps)


def _pending(pending: Pending, stored: Stored, seen: Seen, owner: str) -> Step:
    resource = pending.resource
    if pending.operation == CREATING:
        return _created(resource, stored, seen, owner)
    if pending.operation in {UPDATING, DELETING} and stored.holds(resource.urn):
        cause = seen.unread.get(resource.urn)
        if cause is not None:
            return _kept(pending, cause)
        done = "changed" if pending.operation == UPDATING else "deleted"
        return Step(Act.READ, resource.urn, f"{_called(resource)} was being {done}: read it back")
    return _clear(resource, f"was interrupted while {pending.operation}")


def _created(resource: Resource, stored: Stored, seen: Seen, owner: str) -> Step:
    if stored.holds(resource.urn):
        return _clear(resource, "is in the state already")
    finder = _object if resource.is_object else _FINDERS.get(resource.token)
    if finder is None:
        return _clear(resource, "exists nowhere but in the state")
    step = finder(resource, seen, owner)
    missing = _missing(resource, stored)
    if step.act is Act.TAKE and missing:
        what = f"exists, but its {missing} is not in the state: the next update meets it again"
        return _clear(resource, what)
    return step


def _missing(resource: Resource, stored: Stored) -> str:
    """What a resource needs in the state before it can be there itself."""
    provider = str(resource.raw.get("provider") or "").rpartition("::")[0]
    for word, urn in (("parent", str(resource.raw.get("parent") or "")), ("provider", provider)):
        if urn and not stored.holds(urn):
            return word
    return ""


def _object(resource: Resource, seen: Seen, owner: str) -> Step:
    cause = seen.unread.get(resource.urn)
    if cause is not None:
        return _kept(Pending(CREATING, resource), cause)
    live = seen.objects.get(resource.urn)
    if live is None:
        return _clear(resource, "does not exist")
    if not str(live.owner or "").startswith(f"{owner}/"):
        whose = f"is signed by '{live.owner}'" if live.owner else "is not fleet's"
        return _clear(resource, f"exists and {whose}: left alone")
    asked = object_question(resource)
    where = f"{asked['namespace']}/" if asked["namespace"] else ""
    return _take(resource, where + asked["name"], _written(live, asked["apiVersion"]))


def _written(live: LiveObject, version: str) -> Mapping[str, Any]:
    """What the plugin notes beside an object; the rest of it is read back."""
    notes = {"__initialApiVersion": version}
    return notes | ({"__fieldManager": live.manager} if live.manager else {})


def _record(resource: Resource, seen: Seen, _owner: str) -> Step:
    zone = str(resource.inputs["zoneId"])
    cause = seen.unread.get(zone)
    if cause is not None:
        return _kept(Pending(CREATING, resource), cause)
    if _live_record(resource, seen) is None:
        return _clear(resource, "does not exist")
    parts = (zone, _plain(resource.inputs.get("name")), *_kind(resource.inputs))
    return _take(resource, "_".join(part for part in parts if part), resource.inputs)


def _check(resource: Resource, seen: Seen, owner: str) -> Step:
    cause = seen.unread.get(owner)
    if cause is not None:
        return _kept(Pending(CREATING, resource), cause)
    found = [each.id for each in seen.checks if each.name == resource.name]
    if not found:
        return _clear(resource, f"does not exist with the tag {TAG}={owner}")
    return _take(resource, min(found), resource.inputs)


def _zone(resource: Resource, seen: Seen, owner: str) -> Step:
    name = str(resource.inputs["name"])
    cause = seen.unread.get(name)
    if cause is not None:
        return _kept(Pending(CREATING, resource), cause)
    live = seen.zones.get(name)
    if live is None:
        return _clear(resource, "does not exist")
    if (live.get("tags") or {}).get(TAG) != owner:
        return _clear(resource, f"exists without the tag {TAG}={owner}: left alone")
    return _take(resource, str(live["zoneId"]), resource.inputs)


_FINDERS: Mapping[str, Callable[[Resource, Seen, str], Step]] = {
    RECORD: _record,
    CHECK: _check,
    ZONE: _zone,
}


def _weights(stored: Stored, seen: Seen) -> Iterator[Step]:
    """Records that Route53 answers otherwise than the state says: the killed engine's last deed."""
    for each in stored.of(RECORD):
        zone = str(each.inputs.get("zoneId"))
        if zone not in seen.records:
            continue
        live, ours = _live_record(each, seen), weight_of(each.inputs)
        theirs = None if live is None else int(live.get("weight") or 0)
        if live is None:
            yield Step(Act.READ, each.urn, f"{_called(each)} is gone from Route53: read it back")
        elif ours is not None and theirs != ours:
            what = f"weighs {theirs} in Route53 and {ours} in the state"
            yield Step(Act.READ, each.urn, f"{_called(each)} {what}: read it back")


def weight_of(record: Mapping[str, Any]) -> int | None:
    """The weight of a record's inputs or outputs; None where it is not answered by weight."""
    routing = record.get("weightedRoutingPolicies") or []
    return int(routing[0].get("weight", 0)) if routing else None


def _live_record(resource: Resource, seen: Seen) -> Mapping[str, Any] | None:
    """By name, type and set identifier, which is all that tells one record from another."""
    inputs = resource.inputs
    for each in seen.records.get(str(inputs.get("zoneId")), ()):
        if _plain(each.get("name")) == _plain(inputs.get("name")) and _kind(each) == _kind(inputs):
            return each
    return None


def _kind(record: Mapping[str, Any]) -> tuple[str, str]:
    return (str(record.get("type") or ""), str(record.get("setIdentifier") or ""))


def _plain(name: object) -> str:
    r"""A name as Route53 means it.

    >>> _plain("\\052.Shop.test.")
    '*.shop.test'
    """
    return str(name or "").lower().rstrip(".").replace("\\052", "*")


def _leaks(stored: Stored, steps: list[Step], seen: Seen) -> Iterator[Step]:
    """Health checks with the stack's tag that neither the state nor a step knows."""
    known = {each.id for each in stored.resources} | {each.id for each in steps}
    for each in sorted(seen.checks, key=lambda one: one.id):
        if each.id not in known:
            named = f" '{each.name}'" if each.name else ""
            yield Step(
                Act.TELL,
                "",
                f"health check {each.id}{named} is this stack's by its tag, but not in the state:"
                " it costs money and checks nothing - aws route53 delete-health-check"
                f" --health-check-id {each.id}",
            )


def _loose(stored: Stored, steps: list[Step], seen: Seen) -> Iterator[Step]:
    """Health checks without a tag that may be the stack's, and those that nobody could look for."""
    known = {each.id for each in steps}
    for each in seen.loose:
        if each.id not in known:
            made = f", made by '{each.reference}'" if each.reference else ""
            yield Step(
                Act.TELL,
                "",
                f"health check {each.id} has no tag and asks exactly what '{each.twin}' asks{made}:"
                " it may be yours, of an update that was cut before it could tag it - if nobody"
                f" uses it: aws route53 delete-health-check --health-check-id {each.id}",
            )
    cleared = {each.urn for each in steps if each.act is Act.CLEAR}
    for one in stored.pending:
        unseen = one.operation == CREATING and not stored.holds(one.resource.urn)
        if seen.unlisted and unseen and one.resource.token == CHECK and one.resource.urn in cleared:
            yield Step(
                Act.TELL,
                "",
                f"{_called(one.resource)} may exist without its tag: nobody could look"
                f" ({seen.unlisted}) - look for it with: aws route53 list-health-checks",
            )


def _called(resource: Resource) -> str:
    word = resource.token.rpartition(":")[2]
    if resource.is_object:
        asked = object_question(resource)
        where = f"{asked['namespace']}/" if asked["namespace"] else ""
        return f"{word} {where}{asked['name']} on {cluster_of(resource)}"
    return f"{word} {resource.name}"


def _take(resource: Resource, identifier: str, outputs: Mapping[str, Any]) -> Step:
    sentence = f"{_called(resource)} exists and is ours: take it into the state"
    return Step(Act.TAKE, resource.urn, sentence, identifier, tuple(outputs.items()))


def _clear(resource: Resource, why: str) -> Step:
    return Step(Act.CLEAR, resource.urn, f"{_called(resource)} {why}: clear the operation")


def _kept(pending: Pending, cause: str) -> Step:
    sentence = f"{_called(pending.resource)}, {pending.operation}: nobody can tell - {cause}"
    return Step(Act.KEEP, pending.resource.urn, sentence)
