"""Which verdicts of a workload are shown with what would flip them.

Finding that out means deciding again, so that in a large fleet only the nearest misses are asked.
"""

from collections.abc import Mapping, Sequence

from fleet.model.change import Change
from fleet.model.decision import Outcome as Judged
from fleet.model.decision import Verdict
from fleet.model.plan import Outcome

CLUSTERS = 10_000
"""Clusters that are looked at in all: the clusters of the fleet times the verdicts asked about."""

AT_LEAST = 10
"""Verdicts that are asked about however large the fleet is."""


def flips(
    outcome: Outcome, workload: str, verdicts: Sequence[Verdict]
) -> Mapping[str, tuple[Change, ...] | None]:
    """The changes by cluster; None where nobody asked."""
    changes = outcome.schedule.changes.get(workload, {})
    most = max(AT_LEAST, CLUSTERS // max(1, len(outcome.snapshot.clusters)))
    missed = [each for each in verdicts if each.rejections]
    asked = {each.cluster for each in sorted(missed, key=nearness)[:most]}
    unasked = {each.cluster for each in missed if each.cluster not in asked}
    return {
        each.cluster: None if each.cluster in unasked else changes.get(each.cluster, ())
        for each in verdicts
    }


def nearness(verdict: Verdict) -> tuple[bool, int, int, str]:
    """The nearest miss first: feasible, many points, few reasons; then by name."""
    feasible = verdict.outcome is not Judged.INFEASIBLE
    return (not feasible, -verdict.total, len(verdict.rejections), verdict.cluster)
