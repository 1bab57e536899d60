"""The break-glass files: every region switch as commands that need neither fleet nor Pulumi.

For each region that answers: change batches of Route53 that take it out of every name, and back to
now, and kubectl lines that raise capacity first. They hold names, addresses and identifiers; never
a body of an object, a kubeconfig or a login.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from fleet.model.endpoint import EndpointDelivery, RecordDelivery
from fleet.model.plan import Outcome
from fleet.recover.capacity import WAIT, raising
from fleet.recover.staying import change_lines, promoted, promoted_script, regions, staying
from fleet.recover.turns import turns

NOW = "now"
_MOST_CHANGES = 300
"""Records in one batch: an UPSERT counts twice, and Route53 takes 1000. Source: its quotas."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What AWS calls a record's zone, and the health check that it has now."""

    zone_id: str
    check_id: str


@dataclass(frozen=True, slots=True)
class Glass:
    """What the files are made of.

    **Shape**: `switches` by name (`leave-eu-west-1`): the plan that such a switch would be;
    `identities` by record name, without those that nobody knows yet; `reached` by traffic policy:
    whether Route53 holds the plan's weights already (one that is not named holds them);
    `check_ids` by the name of a health check, as far as they are known.
    """

    stack: str
    outcome: Outcome
    switches: Mapping[str, Outcome]
    identities: Mapping[str, Identity]
    reached: Mapping[str, bool]
    check_ids: Mapping[str, str] = field(default_factory=dict)


def break_glass_files(glass: Glass) -> dict[str, str]:
    """The text of each file by its name; empty where no name is answered by weight.

    Weights are absolute, so that a batch is right whatever was done before it.
    """
    if not any(_named(glass)):
        return {}
    files = {"README.md": _readme(glass)}
    for name, plan in {NOW: None, **glass.switches}.items():
        waiting = promoted(plan)
        batches = _batches(glass, plan, without=waiting)
        files |= _written(name, batches)
        files[f"{name}.sh"] = _script(glass, name, plan, batches)
        if waiting and plan is not None:
            rest = {each.policy for each in plan.plan.endpoints} - waiting.keys()
            batches = _batches(glass, plan, without=rest)
            files |= _written(f"{name}.data", batches)
            files[f"{name}.data.sh"] = promoted_script(glass.stack, name, waiting, batches)
    return dict(sorted(files.items()))


def _written(name: str, batches: Mapping[str, Any]) -> dict[str, str]:
    return {
        f"{name}.{zone}.json": json.dumps(batch, indent=2) + "\n" for zone, batch in batches.items()
    }


def _named(glass: Glass) -> Iterator[tuple[EndpointDelivery, RecordDelivery, Identity]]:
    """Every record of which all is known."""
    for endpoint in glass.outcome.plan.endpoints:
        for record in endpoint.records:
            identity = glass.identities.get(record.name)
            if identity is not None:
                yield endpoint, record, identity


def _batches(
    glass: Glass, plan: Outcome | None, *, without: Collection[str]
) -> dict[str, dict[str, Any]]:
    """Change batches by zone id, and a number where one is not enough; `without` are policies."""
    weights = {} if plan is None else _weights(plan)
    changes: dict[str, list[dict[str, Any]]] = {}
    for endpoint, record, identity in _named(glass):
        if endpoint.policy in without:
            continue
        weight = weights.get(record.name, _now(glass, endpoint, record))
        # A standby that a lever holds is let go together with its weight.
        check_id = glass.check_ids.get(record.check_for(weight), identity.check_id)
        change = _upsert(endpoint, record, check_id, weight)
        changes.setdefault(identity.zone_id, []).append(change)
    for endpoint in glass.outcome.plan.endpoints:
        zone_id = next((one.zone_id for each, _, one in _named(glass) if each is endpoint), None)
        if endpoint.policy in without or zone_id is None:
            continue
        if glass.reached.get(endpoint.policy, True):
            changes[zone_id] += turns(endpoint, _then(plan, endpoint), zone_id)
    found = {}
    for zone, all_of_it in sorted(changes.items()):
        for start in range(0, len(all_of_it), _MOST_CHANGES):
            part = zone if start == 0 else f"{zone}.{start // _MOST_CHANGES + 1}"
            found[part] = {
                "Comment": f"break-glass of {glass.stack}",
                "Changes": all_of_it[start : start + _MOST_CHANGES],
            }
    return found


def _then(plan: Outcome | None, endpoint: EndpointDelivery) -> EndpointDelivery:
    """A name as a switch has it."""
    endpoints = () if plan is None else plan.plan.endpoints
    return next((each for each in endpoints if each.policy == endpoint.policy), endpoint)


def _weights(plan: Outcome) -> dict[str, int]:
    """Weights by record; of a name that would lead nowhere nothing is changed."""
    return {
        record.name: record.dns_weight
        for endpoint in plan.plan.endpoints
        if any(each.dns_weight for each in endpoint.records)
        for record in endpoint.records
    }


def _now(glass: Glass, endpoint: EndpointDelivery, record: RecordDelivery) -> int:
    if glass.reached.get(endpoint.policy, True) or record.previous is None:
        return record.dns_weight
    return record.previous


def _upsert(
    endpoint: EndpointDelivery, record: RecordDelivery, check: str, weight: int
) -> dict[str, Any]:
    """Source: Route53 ChangeResourceRecordSets; an UPSERT names the whole record set."""
    record_set: dict[str, Any] = {
        "Name": record.dns_name or endpoint.dns_name,
        "Type": record.type,
        "SetIdentifier": record.cluster,
        "Weight": weight,
        "TTL": endpoint.ttl_seconds,
        "ResourceRecords": [{"Value": each} for each in record.targets],
    }
    if check:
        record_set["HealthCheckId"] = check
    return {"Action": "UPSERT", "ResourceRecordSet": record_set}


def _script(glass: Glass, name: str, plan: Outcome | None, batches: Iterable[str]) -> str:
    what = "back to what was when this was written" if plan is None else name.replace("-", " ", 1)
    scaled = list(raising(glass.outcome, plan or glass.outcome, back=plan is None))
    waits = any(line.startswith("ready ") for line in scaled)
    lines = [
        "#!/bin/sh",
        f"# {glass.stack}: {what}. Needs aws and kubectl, neither fleet nor Pulumi.",
        "# Run it in the project's folder, or set FLEET_ROOT: kubeconfig paths start there.",
        "set -eu",
        'here=$(cd "$(dirname "$0")" && pwd)',
        'cd "${FLEET_ROOT:-.}"',
        *(WAIT if waits else ()),
        "",
        "# 1. Capacity. A cluster that does not answer ends this: then run the second part alone.",
        *(scaled or ["# nothing is to be raised"]),
        "",
        "# 2. Traffic.",
        *(line for batch in batches for line in change_lines(name, batch)),
        *(f"# {each}" for each in staying(name, plan)),
        "",
        "# 3. Later: put the switch into the config (README.md says how), then 'fleet recover'",
        "# reads the weights back.",
    ]
    return "".join(f"{line}\n" for line in lines)


def _readme(glass: Glass) -> str:
    known = {record.name for _, record, _ in _named(glass)}
    names: dict[str, str] = {}
    for endpoint, record, _ in _named(glass):
        weight = f"{record.cluster} {_now(glass, endpoint, record)}"
        names[endpoint.dns_name] = ", ".join(filter(None, (names.get(endpoint.dns_name), weight)))
    missing = sorted(
        record.name
        for endpoint in glass.outcome.plan.endpoints
        for record in endpoint.records
        if record.name not in known
    )
    lines = [
        f"# Break-glass: {glass.stack}",
        "",
        "When neither fleet nor Pulumi can run. Needs `aws` (with the right to change record sets)",
        "and `kubectl`; the part about Route53 needs its control plane, which is in us-east-1.",
        "",
        "| Run | |",
        "|---|---|",
        *(f"| `sh {each}.sh` | {each.replace('-', ' ', 1)} |" for each in sorted(glass.switches)),
        f"| `sh {NOW}.sh` | back to what was when this was written |",
        "",
        "Weights when this was written:",
        "",
        *(f"- `{name}`: {weights}" for name, weights in sorted(names.items())),
        *(f"- `{each}` is not in it: it did not exist yet" for each in missing),
        "",
        *_told(glass),
        "Afterwards: `fleet recover` (or `pulumi refresh`) reads the weights back into the state;",
        "commit the config that says the same, and the next `pulumi up` changes no record:",
        "`drain` where a name is weighted, and of the others",
        "",
        *(
            f"- `{each}`: {', '.join(f'`{line}`' for line in regions(plan)) or 'nothing'}"
            for each, plan in sorted(glass.switches.items())
        ),
    ]
    return "".join(f"{line}\n" for line in lines)


def _told(glass: Glass) -> list[str]:
    """What the switches leave as it is."""
    kept = [
        f"- `{name}`: {each}"
        for name, plan in sorted(glass.switches.items())
        for each in staying(name, plan)
    ]
    return ["Not moved:", "", *kept, ""] if kept else []
