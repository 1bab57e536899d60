"""The exported state with what was decided: operations cleared, what exists taken in."""

from collections.abc import Iterable
from typing import Any

from fleet.recover.decide import Act, Step


def edited(export: dict[str, Any], steps: Iterable[Step]) -> dict[str, Any]:
    """The export as it is to be imported; what is kept stays pending.

    What is taken in comes last: the state wants parents and providers before their resources.
    """
    decided = {each.urn: each for each in steps if each.urn}
    deployment = dict(export["deployment"])
    resources, pending = list(deployment.get("resources") or ()), []
    for each in deployment.get("pending_operations") or ():
        resource = each["resource"]
        step = decided[resource["urn"]]
        if step.act is Act.KEEP:
            pending.append(each)
        elif step.act is Act.TAKE and all(one["urn"] != resource["urn"] for one in resources):
            resources.append({**resource, "id": step.id, "outputs": dict(step.outputs)})
    return {
        **export,
        "deployment": {**deployment, "resources": resources, "pending_operations": pending},
    }


def to_read(steps: Iterable[Step]) -> tuple[str, ...]:
    """The URNs that are read back once the state is edited, each once."""
    return tuple(
        dict.fromkeys(each.urn for each in steps if each.act in {Act.TAKE, Act.READ} and each.urn)
    )
