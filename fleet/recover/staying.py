"""What a break-glass switch does not move: databases that are not promoted, and what has no place.

A change of weights promotes nothing. Names of replicated data whose primary would be another one
stand in a script of their own, which asks first whether the old side is fenced and the new one
promoted.
"""

from collections.abc import Iterable, Iterator, Mapping

from fleet.model.endpoint import EndpointDelivery
from fleet.model.plan import Outcome

CONFIRMED = "--fenced-and-promoted"


def promoted(plan: Outcome | None) -> dict[str, str]:
    """By traffic policy, the public name whose data gets another primary in a plan."""
    if plan is None:
        return {}
    moving = {
        each.workload for each in plan.plan.workloads if each.step is not None or "to" in each.data
    }
    return {each.policy: each.dns_name for each in plan.plan.endpoints if each.workload in moving}


def staying(name: str, plan: Outcome | None) -> Iterator[str]:
    """A sentence for each name that a switch leaves where it is."""
    waiting = promoted(plan)
    for policy, dns_name in sorted(waiting.items()):
        yield (
            f"{dns_name} ({policy}) waits for its database: fence the old side and promote the new"
            f" one, then 'sh {name}.data.sh {CONFIRMED}'"
        )
    for endpoint in () if plan is None else plan.plan.endpoints:
        if endpoint.policy not in waiting and not _leads(endpoint):
            yield f"{endpoint.dns_name} ({endpoint.policy}) stays: nothing else runs it"


def promoted_script(
    stack: str, name: str, waiting: Mapping[str, str], batches: Iterable[str]
) -> str:
    """The script of the names that wait; it ends with 2 unless the operator confirms."""
    names = ", ".join(sorted(waiting.values()))
    lines = [
        "#!/bin/sh",
        f"# {stack}: {name.replace('-', ' ', 1)}, names whose database moves: {names}.",
        "# It moves traffic only. Before: cut the old side off from clients and storage (fence),",
        "# and promote the database on the new side by its own means. Two primaries lose writes.",
        "set -eu",
        'here=$(cd "$(dirname "$0")" && pwd)',
        f'if [ "${{1:-}}" != "{CONFIRMED}" ]; then',
        f'  echo "{names}: fence and promote first, then: sh $0 {CONFIRMED}" >&2',
        "  exit 2",
        "fi",
        *(line for batch in batches for line in change_lines(f"{name}.data", batch)),
    ]
    return "".join(f"{line}\n" for line in lines)


def change_lines(name: str, batch: str) -> tuple[str, ...]:
    """One change of Route53, and the wait until it is in sync."""
    zone = batch.partition(".")[0]
    return (
        f"change=$(aws route53 change-resource-record-sets --hosted-zone-id {zone} \\",
        f'  --change-batch "file://$here/{name}.{batch}.json" \\',
        "  --query ChangeInfo.Id --output text)",
        'aws route53 wait resource-record-sets-changed --id "$change"',
    )


def regions(plan: Outcome) -> Iterator[str]:
    """The config that says the same, by policy."""
    for endpoint in plan.plan.endpoints:
        if endpoint.active_region and _leads(endpoint):
            yield f"activeRegions.{endpoint.policy} = {endpoint.active_region}"


def _leads(endpoint: EndpointDelivery) -> bool:
    return any(each.dns_weight for each in endpoint.records)
