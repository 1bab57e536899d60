"""Decides a workload again after changes; what was tried already is remembered."""

from collections.abc import Callable

from fleet.errors import InvalidError
from fleet.model.change import Change, Edit
from fleet.model.decision import Decision, Outcome, Schedule
from fleet.model.snapshot import Snapshot
from fleet.schedule.amend import amended
from fleet.schedule.steps import Case

REMEMBERED = 100
"""Tries that are kept: the clusters of one workload often ask for the same ones."""

PLACED = frozenset({Outcome.ASSIGNED, Outcome.SELECTED})

Changes = tuple[Change, ...]
Again = Callable[[Snapshot], Schedule]
"""Decides another snapshot under the same prior, settings and profile."""


class Rehearsal:
    """One workload in one snapshot, with and without changes."""

    def __init__(self, snapshot: Snapshot, decision: Decision, again: Again) -> None:
        self._snapshot = snapshot
        self._decision = decision
        self._again = again
        self._tried: dict[tuple[Edit, ...], tuple[Snapshot, Decision] | None] = {}

    def case(self, cluster: str, changes: Changes = ()) -> Case | None:
        """A cluster's case after changes; None where the run refuses what they lead to."""
        edits = tuple(edit for each in changes for edit in each.edits)
        if not edits:
            return Case(self._snapshot, self._decision, cluster)
        if edits not in self._tried:
            if len(self._tried) >= REMEMBERED:
                self._tried.clear()
            self._tried[edits] = self._decided(edits)
        found = self._tried[edits]
        return None if found is None else Case(*found, cluster)

    def flips(self, cluster: str, changes: Changes) -> bool:
        """Whether a cluster's verdict is a better one after the changes."""
        case = self.case(cluster, changes)
        if case is None:
            return False
        after = case.verdict.outcome
        if self._decision.verdicts[cluster].outcome is Outcome.INFEASIBLE:
            return after is not Outcome.INFEASIBLE
        return after in PLACED

    def _decided(self, edits: tuple[Edit, ...]) -> tuple[Snapshot, Decision] | None:
        changed = amended(self._snapshot, edits)
        try:
            made = self._again(changed)
        except InvalidError:
            return None
        name = self._decision.workload
        return changed, next(each for each in made.decisions if each.workload == name)
