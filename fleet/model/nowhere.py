"""Workloads that are on no cluster, although no replica is short."""

from fleet.model.decision import Decision
from fleet.model.workload import Workload


def is_nowhere(decision: Decision, workload: Workload) -> bool:
    """Whether it is on no cluster, and has no replicas that would be told as short."""
    counts = workload.main is not None and not workload.per_cluster
    return not (counts or decision.assignments or decision.shortfall)
