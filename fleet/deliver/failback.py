"""Fail-back is a plan of its own: a region that returns gets nothing back until somebody asks.

A name that left its region because nothing could run there stays where it went. Asked is: the
config's `failback`, or another word for the active region. Otherwise the hour in which a cluster
returns, which nobody chose, would be the hour of the second switch.
"""

from collections.abc import Iterator
from dataclasses import replace

from fleet.deliver.leading import is_usable, leading_region
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.decision import Active, Finding, Schedule
from fleet.model.prior import Prior, PriorWorkload
from fleet.model.settings import Settings
from fleet.model.snapshot import Snapshot

STAYS = "stays: nobody asked to go back"


def with_failbacks(snapshot: Snapshot, prior: Prior, settings: Settings) -> Snapshot:
    """The snapshot in which every name that was driven away stays where it is."""
    wanted = dict(snapshot.wanted)
    for linked in snapshot.linked:
        past = prior.workloads.get(linked.workload.name, PriorWorkload())
        for policy in linked.traffic:
            words = wanted.get(policy.name, ())
            if not words or past.passed_over.get(policy.name) != words[0].region:
                continue
            region, now = words[0].region, leading_region(snapshot, linked, policy, prior)
            if now in {"", region} or policy.name in settings.failback:
                continue
            if is_usable(snapshot, region) and is_usable(snapshot, now):
                wanted[policy.name] = (Active(now, STAYS, instead_of=region), *words)
    held = FrozenMap(wanted)
    return snapshot if held == snapshot.wanted else replace(snapshot, wanted=held)


def passed_over(snapshot: Snapshot, schedule: Schedule) -> dict[str, FrozenMap[str]]:
    """The regions that somebody wants and that are not active.

    A handover that waits for its token is under way, not passed over.

    **Shape**: by workload, then by traffic policy; workloads that have any.
    """
    found: dict[str, FrozenMap[str]] = {}
    for linked in snapshot.linked:
        if linked.workload.name in snapshot.handovers:
            continue
        regions = {
            policy.name: words[0].asked
            for policy in linked.traffic
            if (words := snapshot.wanted.get(policy.name))
            and (active := schedule.active.get(policy.name)) is not None
            and active.region != words[0].asked
        }
        if regions:
            found[linked.workload.name] = FrozenMap(regions)
    return found


def failback_findings(
    snapshot: Snapshot, schedule: Schedule, prior: Prior, settings: Settings
) -> Iterator[Finding]:
    """Names that could go back, with the command, and words in `failback` that wait for nothing.

    A word that this very update follows is no mistake: idle is one whose name is where it belongs
    already, or has no region to go back to. Each command has an index of its own, so that all of
    them may be given.
    """
    waiting = 0
    for linked in snapshot.linked:
        for policy in linked.traffic:
            name, active = policy.name, schedule.active.get(policy.name)
            words = snapshot.wanted.get(name, ())
            if active is not None and active.instead_of:
                values: dict[str, str | int] = {
                    "name": policy.spec.name,
                    "policy": name,
                    "region": active.region,
                    "wanted": active.instead_of,
                    "index": len(settings.failback) + waiting,
                }
                waiting += 1
                yield Finding(codes.FAILBACK_WAITS, FrozenMap(values), policy.origin.start)
            elif name in settings.failback and not words:
                yield Finding(codes.FAILBACK_IDLE, FrozenMap({"policy": name}))
            elif active is not None and name in settings.failback:
                before = leading_region(snapshot, linked, policy, prior)
                if active.region == words[0].region and before in {"", active.region}:
                    idle: dict[str, str | int] = {"policy": name, "region": active.region}
                    yield Finding(codes.FAILBACK_IDLE, FrozenMap(idle))
