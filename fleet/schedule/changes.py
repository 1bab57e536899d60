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
from fleet.schedule.goals import AllPlaced, Flipped, Goal
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
        if self._small or self._reduced.decision.verdicts[cluster] != verdict:
            return self._found(self._whole, Flipped(verdict))
        return self._confirmed(Flipped(verdict))

    def all_placed(self) -> Changes:
        """What gives every replica of the workload a place; nothing where all have one.

        Likewise for a workload without replicas of its own that is on no cluster.
        """
        goal, short = AllPlaced(), self._decision.shortfall
        if goal.holds(self._whole.start(goal.cluster)):
            return ()
        if self._small or not self._alike(goal, short):
            return self._found(self._whole, goal)
        return self._confirmed(goal)

    def _alike(self, goal: Goal, short: int) -> bool:
        """Whether the workload alone lacks the same as among the others."""
        alone_too = not goal.holds(self._reduced.start(goal.cluster))
        return alone_too and self._reduced.decision.shortfall == short

    @property
    def _pairs(self) -> int:
        return len(self._snapshot.linked) * len(self._snapshot.clusters)

    @property
    def _small(self) -> bool:
        return self._pairs <= WHOLE

    def _confirmed(self, goal: Goal) -> Changes:
        """What is found for the workload alone, if it holds among the others too."""
        found = self._found(self._reduced, goal)
        if self._pairs > CONFIRMED or self._whole.reaches(goal, found):
            return found
        return self._found(self._whole, goal)

    def _found(self, rehearsal: Rehearsal, goal: Goal) -> Changes:
        return Search(rehearsal, goal).nearest(rehearsal.start(goal.cluster))

    @cached_property
    def _reduced(self) -> Rehearsal:
        """The workload alone."""
        snapshot = alone(self._snapshot, self._decision)
        (decision,) = self._again(snapshot).decisions
        return Rehearsal(snapshot, decision, self._again)


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


class AllCures(Mapping[str, Changes]):
    """By workload: what gives every replica a place."""

    def __init__(self, changes: AllChanges) -> None:
        self._changes = changes

    def __iter__(self) -> Iterator[str]:
        return iter(self._changes)

    def __len__(self) -> int:
        return len(self._changes)

    def __getitem__(self, workload: str) -> Changes:
        return self._changes[workload].all_placed()
