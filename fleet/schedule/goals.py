"""What changes are to lead to: a verdict that flips, or a place for every replica.

A workload without replicas of its own is to be on any cluster at all.
"""

from dataclasses import dataclass
from typing import Protocol

from fleet.model.decision import Outcome, Rejection, Verdict
from fleet.model.nowhere import is_nowhere
from fleet.schedule.steps import Case

PLACED = frozenset({Outcome.ASSIGNED, Outcome.SELECTED})


class Goal(Protocol):
    """What is wanted of a case; `cluster` is empty where it is about the whole workload."""

    @property
    def cluster(self) -> str:
        """The cluster that it is about."""

    def holds(self, case: Case) -> bool:
        """Whether it is reached."""

    def reasons(self, case: Case) -> tuple[Rejection, ...]:
        """What is to be changed."""

    def obstacles(self, case: Case) -> tuple[Rejection, ...]:
        """All that stands in the way; where it is something else, that is a step forward."""


@dataclass(frozen=True, slots=True)
class Flipped:
    """An infeasible cluster is feasible or better; a feasible one is selected or assigned."""

    verdict: Verdict

    @property
    def cluster(self) -> str:
        """The cluster of the verdict."""
        return self.verdict.cluster

    def holds(self, case: Case) -> bool:
        """Whether the case has the better verdict."""
        after = case.verdict.outcome
        if self.verdict.outcome is Outcome.INFEASIBLE:
            return after is not Outcome.INFEASIBLE
        return after in PLACED

    def reasons(self, case: Case) -> tuple[Rejection, ...]:
        """Why not here."""
        return case.verdict.rejections

    def obstacles(self, case: Case) -> tuple[Rejection, ...]:
        """The same."""
        return self.reasons(case)


@dataclass(frozen=True, slots=True)
class AllPlaced:
    """No replica is left over, and the workload is somewhere."""

    cluster: str = ""

    def holds(self, case: Case) -> bool:
        """Whether nothing is short."""
        decision = case.decision
        return not (decision.shortfall or is_nowhere(decision, case.linked.workload))

    def reasons(self, case: Case) -> tuple[Rejection, ...]:
        """What is short."""
        return case.decision.shortfall_reasons

    def obstacles(self, case: Case) -> tuple[Rejection, ...]:
        """What is short, and why not on each of the clusters."""
        verdicts = case.decision.verdicts.values()
        return (*self.reasons(case), *(why for each in verdicts for why in each.rejections))
