"""Which losses leave a workload's data without a primary until a person has fenced the old one.

A database whose primary dies is promoted elsewhere only after somebody said in the config that the
dead side cannot write any more (`fenced`). Replicas have a place before that; writes have none.
"""

from collections.abc import Collection, Mapping
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
    fenced = frozenset(outcome.settings.fenced)
    found = {
        name: replace(loss, fence=_unfenced(held[name], outcome.snapshot, fenced))
        if name in held and _is_orphaned(held[name], runs[name], gone)
        else loss
        for name, loss in losses.items()
    }
    return FrozenMap(found)


def _is_orphaned(held: Collection[str], runs: Mapping[str, int], gone: Collection[str]) -> bool:
    return set(held) <= set(gone) and any(runs.values())


def _unfenced(held: Collection[str], snapshot: Snapshot, fenced: frozenset[str]) -> tuple[str, ...]:
    regions = {each.name: each.spec.region for each in snapshot.clusters}
    return tuple(name for name in held if fenced.isdisjoint({name, regions[name]}))
