"""What an update that was cut has left: told before the next one plans over it.

The engine plans from its state alone. An operation that never ended, or a weight that Route53
holds and the state does not know, would be passed over in silence.
"""

import asyncio
import json
import os
import re
import subprocess
from collections.abc import Mapping
from typing import Any

import pulumi

from fleet.emit.ask import GET_RECORDS, UnansweredError, ask
from fleet.emit.route53 import Traffic
from fleet.emit.run import Run
from fleet.errors import RefusedError
from fleet.model.prior import PriorObject

CURE = "run 'fleet recover'"
EXPORT_SECONDS = 20


async def pending_operations() -> tuple[str, ...]:
    """The names of the resources whose operations never ended; empty where nobody can tell.

    The program cannot see them through the engine: they are in the exported state only. An engine
    that is not on PATH is no fault; it warns by itself.
    """
    try:
        text = await asyncio.to_thread(_export)
        pending = (json.loads(text).get("deployment") or {}).get("pending_operations") or ()
        return tuple(sorted({each["resource"]["urn"].split("::", 3)[3] for each in pending}))
    except (OSError, subprocess.SubprocessError, ValueError):
        return ()


def _export() -> str:
    stack = f"{pulumi.get_organization()}/{pulumi.get_project()}/{pulumi.get_stack()}"
    done = subprocess.run(  # noqa: S603 - the engine that runs us, on our own stack
        ["pulumi", "stack", "export", "--stack", stack, "--non-interactive"],  # noqa: S607 - from PATH
        capture_output=True,
        text=True,
        check=True,
        timeout=EXPORT_SECONDS,
        stdin=subprocess.DEVNULL,
        env=dict(os.environ),
    )
    return done.stdout


def pending_sentence(names: tuple[str, ...]) -> str:
    """One sentence for all of them.

    >>> pending_sentence(("web/us-1",))
    "an update was cut while it worked on web/us-1: run 'fleet recover' before the next one"
    """
    shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")  # noqa: PLR2004
    return f"an update was cut while it worked on {shown}: {CURE} before the next one"


async def compare_weights(run: Run, traffic: Traffic) -> None:
    """Compares the weights that Route53 answers by with the state's.

    Raises RefusedError in up where they differ, because the engine would take them for what they
    are not; a preview warns. Where Route53 does not answer, nothing is refused: capacity comes
    first.
    """
    zones: dict[str, list[PriorObject]] = {}
    for record in run.state.prior.records.values():
        if record.body.get("weightedRoutingPolicies") and record.body.get("zoneId"):
            zones.setdefault(str(record.body["zoneId"]), []).append(record)
    found = await asyncio.gather(*(_compare(traffic, *each) for each in sorted(zones.items())))
    sentences = [f"{each}: {CURE} first" for zone in found for each in zone]
    if sentences and not run.preview:
        raise RefusedError("\n".join(sentences))
    for each in sentences:
        pulumi.log.warn(each)


async def _compare(traffic: Traffic, zone: str, records: list[PriorObject]) -> list[str]:
    names = {str(each.body.get("name")).rstrip(".").lower() for each in records}
    pattern = "|".join(re.escape(each).replace(r"\*", r"(\*|\\052)") for each in sorted(names))
    asked = {"zoneId": zone, "nameRegex": rf"^({pattern})\.?$"}
    try:
        answer = await ask(GET_RECORDS, asked, traffic.provider)
    except UnansweredError as error:
        pulumi.log.warn(f"nobody can tell whether the state's weights are Route53's: {error}")
        return []
    live = {_key(each): each for each in answer.get("resourceRecordSets") or ()}
    return [each for each in (_difference(one, live) for one in records) if each]


def _difference(
    record: PriorObject, live: Mapping[tuple[str, ...], Mapping[str, Any]]
) -> str | None:
    said = int(record.body["weightedRoutingPolicies"][0].get("weight", 0))
    found = live.get(_key(record.body))
    if found is None:
        return f"record {record.name} is in the state, but not in Route53"
    weight = int(found.get("weight") or 0)
    if weight != said:
        return f"record {record.name} weighs {weight} in Route53, {said} in the state"
    return None


def _key(record: Mapping[str, Any]) -> tuple[str, ...]:
    name = str(record.get("name")).rstrip(".").lower().replace("\\052", "*")
    return (name, str(record.get("type")), str(record.get("setIdentifier")))
