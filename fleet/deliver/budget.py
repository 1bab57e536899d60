"""How much an update moves and takes away beyond what the operator named.

Named is: a cluster that is draining, down or decommissioned, and the active region of a traffic
policy. Neither counts, whatever it moves.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fleet.deliver.history import History
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.decision import Finding, Schedule
from fleet.model.endpoint import EndpointDelivery
from fleet.model.inventory import State
from fleet.model.plan import WorkloadDelivery
from fleet.model.record_names import split_record_name
from fleet.model.settings import MovementBudget
from fleet.model.snapshot import Snapshot

PERCENT = 100


@dataclass(frozen=True, slots=True)
class Movement:
    """What one update moves, unasked. **Units**: replicas. **Shape**: tuples sorted by name."""

    before: int
    moved: int
    movers: tuple[str, ...]
    emptied: tuple[str, ...]
    removed: tuple[str, ...]
    records: tuple[str, ...]

    @property
    def percent(self) -> int:
        """Replicas that move, of all of the prior, rounded up."""
        return -(-self.moved * PERCENT // self.before) if self.before else 0


@dataclass(frozen=True, slots=True)
class Mover:
    """Counts movement.

    **Shape**: `states` and `regions` by cluster; `named` are the active regions that somebody
    asked for, by workload; `workloads` by name; `records` are names of records that go.
    """

    states: Mapping[str, State]
    regions: Mapping[str, str]
    named: Mapping[str, set[str]]
    history: History
    workloads: Mapping[str, WorkloadDelivery]
    records: tuple[str, ...]

    def movement(self) -> Movement:
        """What this run moves beyond what was named."""
        stays = [name for name in self.history.pasts if self._is_here(name)]
        judged = [name for name in stays if not self.is_switched(name)]
        moved = {name: self._moved(name) for name in judged}
        return Movement(
            before=sum(sum(past.replicas.values()) for past in self.history.pasts.values()),
            moved=sum(moved.values()),
            movers=tuple(sorted(name for name, count in moved.items() if count)),
            emptied=tuple(sorted(self._emptied(judged))),
            removed=tuple(sorted(name for name in self.history.pasts if not self._is_here(name))),
            records=tuple(
                each for each in self.records if self._is_active(split_record_name(each).cluster)
            ),
        )

    def _is_here(self, workload: str) -> bool:
        return workload in self.workloads and self.workloads[workload].decision is not None

    def _is_active(self, cluster: str) -> bool:
        return self.states.get(cluster) is State.ACTIVE

    def is_switched(self, workload: str) -> bool:
        """Whether the workload's traffic has another active region than before, by someone's word.

        A region that nobody named (a fallback) is no consent.
        """
        was = {self.regions.get(name) for name in self.history.of(workload).leaders}
        return any({region} != was for region in self.named.get(workload, ()))

    def _moved(self, workload: str) -> int:
        """Replicas that leave an active cluster.

        What a cluster loses while it keeps some is no movement as far as the file itself asks
        for fewer; a cluster that is left altogether counts whole.
        """
        before, now = self.history.of(workload).replicas, self._now(workload)
        decision = self.workloads[workload].decision
        wanted = sum(now.values()) + (decision.shortfall if decision else 0)
        asked = max(0, sum(before.values()) - wanted)
        left = shrunk = 0
        for cluster, count in before.items():
            if not self._is_active(cluster):
                continue
            if now.get(cluster, 0) == 0:
                left += count
            else:
                shrunk += max(0, count - now[cluster])
        return left + max(0, shrunk - asked)

    def _now(self, workload: str) -> dict[str, int]:
        return {each.cluster: each.replicas for each in self.workloads[workload].deliveries}

    def _emptied(self, judged: list[str]) -> set[str]:
        """Active clusters that ran replicas and run none any more."""
        had = {
            cluster
            for name in judged
            for cluster, count in self.history.of(name).replicas.items()
            if count and self._is_active(cluster)
        }
        runs = {
            each.cluster
            for workload in self.workloads.values()
            for each in workload.deliveries
            if each.replicas
        }
        return had - runs


def named_regions(snapshot: Snapshot, schedule: Schedule) -> dict[str, set[str]]:
    """The active regions of each workload's policies, where the config or a file asked for them."""
    found: dict[str, set[str]] = {}
    for linked in snapshot.linked:
        for policy in linked.traffic:
            active = schedule.active.get(policy.name)
            wanted = {each.region for each in snapshot.wanted.get(policy.name, ())}
            if active is not None and active.region in wanted:
                found.setdefault(linked.workload.name, set()).add(active.region)
    return found


def records_that_go(endpoints: tuple[EndpointDelivery, ...]) -> tuple[str, ...]:
    """The records of living policies that go, by name.

    Not those of clusters that are still under the name, by other records.
    """
    found = []
    for one in endpoints:
        staying = {each.cluster for each in one.records}
        names = (each.name for each in one.leaving)
        found += [each for each in names if split_record_name(each).cluster not in {"", *staying}]
    return tuple(sorted(found))


def breaches(movement: Movement, budget: MovementBudget) -> Iterator[Finding]:
    """A finding for each limit that is exceeded."""
    for limit, counted, allowed, what in (
        ("replicasPercent", movement.percent, budget.replicas_percent, movement.movers),
        ("clustersEmptied", len(movement.emptied), budget.clusters_emptied, movement.emptied),
        ("workloadsRemoved", len(movement.removed), budget.workloads_removed, movement.removed),
        ("recordsRemoved", len(movement.records), budget.records_removed, movement.records),
    ):
        if counted > allowed:
            values: FrozenMap[str | int] = FrozenMap(
                {"limit": limit, "counted": counted, "allowed": allowed, "what": ", ".join(what)}
            )
            yield Finding(codes.MOVEMENT_BUDGET, values, blocks=True)
