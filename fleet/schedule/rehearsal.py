"""Decides a workload again after changes; what was tried already is remembered."""

from collections.abc import Callable

from fleet.errors import InvalidError
from fleet.model.change import Change, Edit
from fleet.model.decision import Decision, Schedule
from fleet.model.snapshot import Snapshot
from fleet.schedule.amend import amended
from fleet.schedule.goals import Goal
from fleet.schedule.steps import Case

REMEMBERED = 20_000
"""Clusters in all tries that are kept: the verdicts of one workload often ask for the same ones."""

Changes = tuple[Change, ...]
Again = Callable[[Snapshot], Schedule]
"""Decides another snapshot under the same prior, settings and profile."""


class Rehearsal:
    """One workload in one snapshot, with and without changes."""

    def __init__(self, snapshot: Snapshot, decision: Decision, again: Again) -> None:
        self._snapshot = snapshot
        self.decision = decision
        self._again = again
        self._tried: dict[tuple[Edit, ...], tuple[Snapshot, Decision] | None] = {}

    def start(self, cluster: str) -> Case:
        """A cluster's case before any change."""
        return Case(self._snapshot, self.decision, cluster)

    def case(self, cluster: str, changes: Changes) -> Case | None:
        """A cluster's case after changes; None where the run refuses what they lead to."""
        if not changes:
            return self.start(cluster)
        edits = tuple(edit for each in changes for edit in each.edits)
        if edits not in self._tried:
            if len(self._tried) * len(self._snapshot.clusters) >= REMEMBERED:
                self._tried.clear()
            self._tried[edits] = self._decided(edits)
        found = self._tried[edits]
        return None if found is None else Case(*found, cluster)

    def reaches(self, goal: Goal, changes: Changes) -> bool:
        """Whether the changes lead to the goal."""
        case = self.case(goal.cluster, changes)
        return case is not None and goal.holds(case)

    def _decided(self, edits: tuple[Edit, ...]) -> tuple[Snapshot, Decision] | None:
        changed = amended(self._snapshot, edits)
        try:
            made = self._again(changed)
        except InvalidError:
            return None
        name = self.decision.workload
        return changed, next(each for each in made.decisions if each.workload == name)
