"""A switch over several updates: a share of the traffic at a time, by the config's `shift`.

Until all of it has moved both regions are active and run all replicas, so that neither is ever
asked for more than it can serve, and going back is one weight change.
"""

from collections.abc import Iterator
from dataclasses import replace

from fleet.deliver.leading import leading_region
from fleet.deliver.weights import WHOLE, Target, active_standby
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.decision import Active, Finding, Schedule
from fleet.model.prior import Prior
from fleet.model.settings import EVERY_POLICY, Settings
from fleet.model.snapshot import Snapshot
from fleet.model.webster import webster_by_name


def percent_of(settings: Settings, policy: str) -> int:
    """How much of a policy's traffic a switch moves; all of it where nobody says less."""
    return settings.shift.get(policy, settings.shift.get(EVERY_POLICY, WHOLE))


def with_shifts(snapshot: Snapshot, prior: Prior, settings: Settings) -> Snapshot:
    """The snapshot with the region that every shifted policy leaves bit by bit."""
    wanted = dict(snapshot.wanted)
    for linked in snapshot.linked:
        for policy in linked.traffic:
            words, percent = wanted.get(policy.name, ()), percent_of(settings, policy.name)
            if not words or percent == WHOLE:
                continue
            old = leading_region(snapshot, linked, policy, prior, words[0].region)
            if old:
                first = replace(words[0], leaving=old, percent=percent)
                wanted[policy.name] = (first, *words[1:])
    return replace(snapshot, wanted=FrozenMap(wanted)) if settings.shift else snapshot


def shifted(targets: tuple[Target, ...], active: Active | None) -> dict[str, int]:
    """100 for the active region; during a shift its percent, and the rest for the one it leaves.

    >>> targets = (Target("a", "eu", 2), Target("b", "us", 1), Target("c", "ap", 1))
    >>> shifted(targets, Active("us", "config", leaving="eu", percent=10))
    {'a': 90, 'b': 10, 'c': 0}
    """
    weights = active_standby(targets, active.region if active else None)
    if active is None or not active.leaving:
        return weights
    leaves = {each.cluster: each.replicas for each in targets if each.region == active.leaving}
    comes = {each.cluster: each.replicas for each in targets if each.region == active.region}
    if not leaves or not comes:
        return weights
    weights |= webster_by_name(leaves, WHOLE - active.percent)
    return weights | (
        webster_by_name(comes, active.percent) if active.percent else dict.fromkeys(comes, 0)
    )


def shift_findings(snapshot: Snapshot, schedule: Schedule, settings: Settings) -> Iterator[Finding]:
    """What is shifted, and what the config says though nothing is."""
    for linked in snapshot.linked:
        for policy in linked.traffic:
            active = schedule.active.get(policy.name)
            if active is not None and active.leaving:
                values: dict[str, str | int] = {
                    "name": policy.spec.name,
                    "region": active.region,
                    "percent": active.percent,
                    "leaving": active.leaving,
                    "rest": WHOLE - active.percent,
                }
                yield Finding(codes.SHIFT, FrozenMap(values), policy.origin.start)
            elif active is not None and policy.name in settings.shift:
                idle: dict[str, str | int] = {"policy": policy.name, "region": active.region}
                idle["percent"] = settings.shift[policy.name]
                if settings.shift[policy.name] < WHOLE:
                    yield Finding(codes.SHIFT_IDLE, FrozenMap(idle))
