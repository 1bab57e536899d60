"""Which losses leave a workload's data without a primary until a person has fenced the old one.

A database whose primary dies is promoted elsewhere only after somebody said in the config that the
dead side cannot write any more (`fenced`). Replicas have a place before that; writes have none.
"""

from collections.abc import Collection
from dataclasses import replace

from fleet.model.base import FrozenMap
from fleet.model.decision import Schedule
from fleet.model.plan import Outcome
from fleet.model.snapshot import Snapshot
from fleet.model.survival import Loss


def primaries(outcome: Outcome) -> dict[str, tuple[str, ...]]:
    """The clusters that hold the primary once the outcome is carried out, by workload."""
    found = {each.workload: each.data.get("primary", "") for each in outcome.plan.workloads}
    return {name: tuple(said.split(",")) for name, said in found.items() if said}


def with_fences(
    losses: FrozenMap[Loss], outcome: Outcome, after: Schedule, gone: Collection[str]
) -> FrozenMap[Loss]:
    """The losses, with the dead clusters that somebody has to fence before the data goes on.

    None where a primary is left, or where nothing is left that could become one.
    """
    held = primaries(outcome)
    runs = {each.workload: each.replicas for each in after.decisions}
    linked = {each.workload.name: each for each in outcome.snapshot.linked}
    fenced, found = frozenset(outcome.settings.fenced), dict(losses)
    for name in losses.keys() & held.keys():
        left = frozenset(held[name]).difference(gone)
        if any(runs[name].values()) and not linked[name].keeps_primary(held[name], left):
            dead = [each for each in held[name] if each in gone]
            fence = _unfenced(dead, outcome.snapshot, fenced)
            found[name] = replace(losses[name], fence=fence)
    return FrozenMap(found)


def _unfenced(held: Collection[str], snapshot: Snapshot, fenced: frozenset[str]) -> tuple[str, ...]:
    regions = {each.name: each.spec.region for each in snapshot.clusters}
    return tuple(name for name in held if fenced.isdisjoint({name, regions[name]}))
