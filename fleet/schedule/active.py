"""Which region each name of a workload leads to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fleet.model.base import FrozenMap
from fleet.model.decision import Active, Finding, Role
from fleet.model.prior import PriorWorkload
from fleet.model.traffic import Mode, TrafficPolicy
from fleet.schedule import reasons
from fleet.schedule.table import Table

WAS_ACTIVE = "fallback: was active before"
WAS_NEXT = "fallback: the standby that is answered first"
BEST_LEFT = "fallback: the best region that is left"
NOBODY_SAYS = "nobody names an active region: the best one"


@dataclass(frozen=True, slots=True)
class Before:
    """What the last update left: the active region, and the one that was to follow it."""

    active: str | None = None
    next: str = ""


NO_BEFORE = Before()


@dataclass(frozen=True, slots=True)
class Resolved:
    """The active region by traffic policy, and what there is to tell about it."""

    active: Mapping[str, Active]
    findings: tuple[Finding, ...] = ()


def standby_policies(traffic: Sequence[TrafficPolicy]) -> list[TrafficPolicy]:
    """The policies with an active region, by name."""
    found = [policy for policy in traffic if policy.spec.mode is Mode.ACTIVE_STANDBY]
    return sorted(found, key=lambda policy: policy.name)


def resolve(
    policies: Sequence[TrafficPolicy],
    wanted: Mapping[str, tuple[Active, ...]],
    candidates: Sequence[str],
    before: Before,
) -> Resolved:
    """The active region of each policy of one workload.

    The first wanted region that is a candidate wins; else the one that was active `before`; else
    the one that was to follow it; else the best. `candidates` are the regions with a feasible
    cluster, best first.
    """
    active: dict[str, Active] = {}
    findings: list[Finding] = []
    for policy in policies:
        words = wanted.get(policy.name, ())
        if not candidates:
            findings.append(_nowhere(policy))
            if words:
                active[policy.name] = words[0]
            continue
        chosen = next((word for word in words if word.region in candidates), None)
        if chosen is None:
            chosen = _fallback(words, candidates, before)
        elif chosen.leaving and chosen.leaving not in candidates:
            chosen = Active(chosen.region, chosen.said_by)
        active[policy.name] = chosen
        if words and chosen.region != words[0].region:
            code = reasons.ACTIVE_REGION_KEPT
            if chosen not in words:
                code = reasons.ACTIVE_REGION_FALLBACK
            findings.append(_other_than_wanted(code, policy, chosen, words[0]))
    return Resolved(active, tuple(findings))


def active_before(table: Table, prior: PriorWorkload) -> Before:
    """The region where the last update ran most replicas in the active role, and the next one."""
    held: dict[str, int] = {}
    for name, role in prior.roles.items():
        if role is Role.ACTIVE and name in table.index:
            region = table.regions[table.index[name]]
            held[region] = held.get(region, 0) + prior.replicas.get(name, 0)
    active = min(held, key=lambda region: (-held[region], region), default=None)
    return Before(active, prior.data.get("next", ""))


def _fallback(words: tuple[Active, ...], candidates: Sequence[str], before: Before) -> Active:
    if before.active is not None and before.active in candidates:
        return Active(before.active, WAS_ACTIVE)
    if before.next in candidates:
        return Active(before.next, WAS_NEXT)
    return Active(candidates[0], BEST_LEFT if words else NOBODY_SAYS)


def _nowhere(policy: TrafficPolicy) -> Finding:
    values = {"policy": policy.name, "workload": policy.spec.workload}
    return Finding(reasons.ACTIVE_REGION_NONE, FrozenMap(values), policy.origin.start)


def _other_than_wanted(code: str, policy: TrafficPolicy, chosen: Active, wanted: Active) -> Finding:
    values = {"policy": policy.name, "region": chosen.region, "wanted": wanted.region}
    return Finding(code, FrozenMap(values), policy.origin.at("spec", "activeRegion"))
