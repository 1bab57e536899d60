"""The nearest change that flips a verdict: what the reasons propose, tried until it does.

A verdict flips when an infeasible cluster becomes feasible or better, and when a feasible one is
selected or assigned. Trying is deciding the whole run again with the change; so what is proposed
holds also where other workloads would take the room first. In a large fleet the workload is
decided alone, with the room that it found, as if all others stayed as they are. Nothing of this is
done before somebody asks for one verdict's changes.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from fleet.model.decision import Decision
from fleet.model.snapshot import Snapshot
from fleet.schedule.alone import alone
from fleet.schedule.nearest import Search
from fleet.schedule.rehearsal import Again, Changes, Rehearsal

WHOLE = 2_000
"""Up to so many pairs of workload and cluster the whole run is decided again for every try."""

CONFIRMED = 20_000
"""Up to so many pairs what flips the verdict of the workload alone is confirmed by a whole run."""


class WorkloadChanges(Mapping[str, Changes]):
    """The changes that flip one workload's verdicts, by cluster; each is found when asked for."""

    def __init__(self, snapshot: Snapshot, decision: Decision, again: Again) -> None:
        self._snapshot = snapshot
        self._decision = decision
        self._again = again
        self._whole = Rehearsal(snapshot, decision, again)

    def __iter__(self) -> Iterator[str]:
        return iter(self._decision.verdicts)

    def __len__(self) -> int:
        return len(self._decision.verdicts)

    def __getitem__(self, cluster: str) -> Changes:
        verdict = self._decision.verdicts[cluster]
        whole = Search(self._whole, verdict)
        pairs = len(self._snapshot.linked) * len(self._snapshot.clusters)
        if pairs <= WHOLE or self._reduced[1].verdicts[cluster] != verdict:
            return whole.nearest()
        found = Search(self._reduced[0], verdict).nearest()
        if pairs > CONFIRMED or self._whole.flips(cluster, found):
            return found
        return whole.nearest()

    @cached_property
    def _reduced(self) -> tuple[Rehearsal, Decision]:
        """The workload alone, and what is decided of it then."""
        snapshot = alone(self._snapshot, self._decision)
        (decision,) = self._again(snapshot).decisions
        return Rehearsal(snapshot, decision, self._again), decision


class AllChanges(Mapping[str, WorkloadChanges]):
    """By workload, then by cluster."""

    def __init__(self, snapshot: Snapshot, decisions: Sequence[Decision], again: Again) -> None:
        self._snapshot = snapshot
        self._decisions = decisions
        self._again = again

    @cached_property
    def _by_name(self) -> Mapping[str, Decision]:
        return {each.workload: each for each in self._decisions}

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    def __getitem__(self, workload: str) -> WorkloadChanges:
        return WorkloadChanges(self._snapshot, self._by_name[workload], self._again)
