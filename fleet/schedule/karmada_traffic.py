"""Who answers for a workload that Karmada's rules placed: roles follow the replicas.

Karmada knows no traffic, so a traffic policy changes nothing about what runs where.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fleet.model.decision import Active, Finding, Role
from fleet.model.traffic import TrafficPolicy
from fleet.schedule.active import NO_BEFORE, Before, resolve, standby_policies
from fleet.schedule.successors import with_successors
from fleet.schedule.table import Table


@dataclass(frozen=True, slots=True)
class Traffic:
    """The traffic policies of a workload: the regions wanted for each, and the one before."""

    policies: Sequence[TrafficPolicy] = ()
    wanted: Mapping[str, tuple[Active, ...]] = field(default_factory=dict)
    before: Before = NO_BEFORE


@dataclass(frozen=True, slots=True)
class Roles:
    """The role by the cluster's position, and the active region of each policy."""

    roles: Mapping[int, Role] = field(default_factory=dict)
    active: Mapping[str, Active] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()


def roles_of(table: Table, given: Mapping[int, int], traffic: Traffic) -> Roles:
    """Active in the regions that names lead to, standby elsewhere.

    The regions with most replicas come first where nobody says which is to be active.
    """
    policies = standby_policies(traffic.policies)
    if not policies:
        return Roles()
    held: dict[str, int] = {}
    for place, count in given.items():
        held[table.regions[place]] = held.get(table.regions[place], 0) + count
    candidates = sorted(held, key=lambda region: (-held[region], region))
    resolved = resolve(policies, traffic.wanted, candidates, traffic.before)
    ranked = {region: held[region] for region in candidates}
    resolved = with_successors(resolved, traffic.wanted, ranked, traffic.before)
    regions = {region for each in resolved.active.values() for region in each.regions}
    roles = {
        place: Role.ACTIVE if table.regions[place] in regions else Role.STANDBY for place in given
    }
    return Roles(roles, resolved.active, resolved.findings)
