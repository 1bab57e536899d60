"""Health checks that an update may have made and was cut before it could tag them.

CreateHealthCheck takes no tags: they are written by a second call. What was made in between can
only be known by what it asks.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from fleet.recover.look import LooseCheck
from fleet.recover.stored import CHECK, CREATING, Resource, Stored

_WIRE = {
    "type": "Type",
    "ipAddress": "IPAddress",
    "port": "Port",
    "fqdn": "FullyQualifiedDomainName",
    "resourcePath": "ResourcePath",
    "searchString": "SearchString",
    "requestInterval": "RequestInterval",
    "failureThreshold": "FailureThreshold",
    "invertHealthcheck": "Inverted",
    "enableSni": "EnableSNI",
    "childHealthchecks": "ChildHealthChecks",
    "childHealthThreshold": "HealthThreshold",
    "routingControlArn": "RoutingControlArn",
}
"""What Route53 calls the inputs that fleet gives. Source: its HealthCheckConfig."""
_ASKS_NOBODY = frozenset({"CALCULATED", "RECOVERY_CONTROL", "CLOUDWATCH_METRIC"})
_INTERVAL, _THRESHOLD = 30, 3


def checks_of(stored: Stored) -> tuple[Resource, ...]:
    """The stack's health checks: those of the state, and those whose creation never ended."""
    begun = (each.resource for each in stored.pending if each.operation == CREATING)
    return (*stored.of(CHECK), *(each for each in begun if each.token == CHECK))


def alike(stored: Stored, listed: Iterable[Mapping[str, Any]]) -> tuple[LooseCheck, ...]:
    """The listed health checks that ask exactly what one of the stack's asks, and are not in it.

    `listed` is as ListHealthChecks has it; who is tagged is not known yet.
    """
    held = {each.id for each in stored.resources}
    ours = {_settings(_wire(each.inputs)): each.name for each in checks_of(stored)}
    found = []
    for each in listed:
        identifier = str(each.get("Id") or "")
        twin = ours.get(_settings(each.get("HealthCheckConfig") or {}))
        if twin is not None and identifier and identifier not in held:
            found.append(LooseCheck(identifier, twin, str(each.get("CallerReference") or "")))
    return tuple(sorted(found, key=lambda each: each.id))


def untagged(
    checks: Iterable[LooseCheck], tags: Iterable[Mapping[str, Any]]
) -> tuple[LooseCheck, ...]:
    """Those of which is known that they have no tag: what has one is somebody's.

    `tags` is as ListTagsForResources has it.
    """
    bare = {str(each.get("ResourceId")) for each in tags if not each.get("Tags")}
    return tuple(each for each in checks if each.id in bare)


def _wire(inputs: Mapping[str, Any]) -> dict[str, Any]:
    return {name: inputs.get(key) for key, name in _WIRE.items()}


def _settings(config: Mapping[str, Any]) -> frozenset[tuple[str, str]]:
    """Settings that compare: with what Route53 fills in, without what says nothing.

    >>> sorted(_settings({"Type": "CALCULATED", "ChildHealthChecks": ["b", "a"]}))
    [('ChildHealthChecks', 'a,b'), ('Type', 'CALCULATED')]
    """
    kind = str(config.get("Type"))
    filled = dict(config)
    if kind not in _ASKS_NOBODY:
        secure = kind.startswith("HTTPS")
        filled["RequestInterval"] = config.get("RequestInterval") or _INTERVAL
        filled["FailureThreshold"] = config.get("FailureThreshold") or _THRESHOLD
        filled["Port"] = config.get("Port") or (443 if secure else 80)
        filled["EnableSNI"] = secure and config.get("EnableSNI") is False and "off"
    return frozenset(
        (name, _text(value)) for name, value in filled.items() if value not in (None, "", False, [])
    )


def _text(value: object) -> str:
    """A value whatever its order and its kind of number."""
    if isinstance(value, list):
        return ",".join(sorted(str(each) for each in value))
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).lower() if isinstance(value, bool) else str(value)
