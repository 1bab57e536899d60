"""Where a name leads today, and whether a region can be led to."""

from collections.abc import Mapping

from fleet.model.base import FrozenMap
from fleet.model.decision import Role
from fleet.model.inventory import State
from fleet.model.prior import Prior
from fleet.model.snapshot import Linked, Snapshot
from fleet.model.traffic import TrafficPolicy


def leading_region(
    snapshot: Snapshot, linked: Linked, policy: TrafficPolicy, prior: Prior, but: str = ""
) -> str:
    """The region, other than `but`, that most of a name's traffic goes to; empty: none gets any.

    A prior that knows no weights is read by its roles.
    """
    counted: Mapping[str, int] = prior.dns_weights.get(policy.name, FrozenMap())
    if not counted and linked.workload.name in prior.workloads:
        past = prior.workloads[linked.workload.name]
        counted = {name: 1 for name, role in past.roles.items() if role is Role.ACTIVE}
    held: dict[str, int] = {}
    for each in snapshot.clusters:
        if counted.get(each.name, 0) and each.spec.region != but:
            held[each.spec.region] = held.get(each.spec.region, 0) + counted[each.name]
    return min(held, key=lambda region: (-held[region], region), default="")


def is_usable(snapshot: Snapshot, region: str) -> bool:
    """Whether any cluster of a region is in use."""
    return any(
        each.spec.region == region and snapshot.states[each.name].state is State.ACTIVE
        for each in snapshot.clusters
    )
