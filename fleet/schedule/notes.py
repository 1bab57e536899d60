"""What there is to tell, or to refuse, about the run as a whole."""

from collections.abc import Iterable, Iterator

import numpy as np

from fleet.errors import InvalidError, SourceError
from fleet.model.amounts import amount_of
from fleet.model.base import FrozenMap
from fleet.model.decision import Decision, Finding
from fleet.model.nowhere import is_nowhere
from fleet.model.policy import PICK
from fleet.model.settings import Settings
from fleet.schedule import reasons
from fleet.schedule.active import standby_policies
from fleet.schedule.matching import allowed
from fleet.schedule.run import Run
from fleet.schedule.table import PODS

MOST_NODES = 5_000
MOST_PODS = 150_000


def undeclared_capacity(run: Run) -> Iterator[Finding]:
    """Clusters whose room counts as unlimited, where anybody asks for room."""
    if not any(any(item.workload.request.values()) for item in run.linked):
        return
    for cluster, declared in zip(run.table.clusters, run.table.declared, strict=True):
        if not declared and not cluster.spec.capacity.nodes:
            values = FrozenMap[str | int]({"cluster": cluster.name})
            yield Finding(
                reasons.CAPACITY_UNDECLARED, values, cluster.origin.at("spec", "capacity")
            )


def repeated_jobs(decisions: Iterable[Decision], run: Run) -> Iterator[Finding]:
    """CronJobs that run on several clusters: each runs the whole job, at the same time."""
    for decision, item in zip(decisions, run.linked, strict=True):
        main = item.workload.main or ""
        count = len(decision.assignments) if main.startswith("CronJob/") else 0
        if count > 1:
            values: dict[str, str | int] = {"workload": item.workload.name, "clusters": count}
            source = item.placement.origin.start
            yield Finding(reasons.REPEATED_JOBS, FrozenMap(values), source)


def nowhere(decisions: Iterable[Decision], run: Run) -> Iterator[Finding]:
    """Workloads that land on no cluster, where no replica is short that would tell it."""
    for decision, item in zip(decisions, run.linked, strict=True):
        if is_nowhere(decision, item.workload):
            values = FrozenMap[str | int]({"workload": item.workload.name})
            yield Finding(reasons.NOWHERE, values, item.placement.origin.start)


def few_clusters(decisions: Iterable[Decision], run: Run) -> Iterator[Finding]:
    """Workloads on fewer clusters than another product's policy counts, which takes fewer too.

    Such a policy calls fleet's `pick` a number that is a limit only. On no cluster at all, a
    shortfall or `nowhere` tells it.
    """
    for decision, item in zip(decisions, run.linked, strict=True):
        policy = item.placement
        found = len(decision.assignments) if PICK in policy.origin.names else 0
        if not found:
            continue
        limits = (each.max_domains for each in policy.spec.spread if each.by == "cluster")
        wanted = next(limits, None) or 0
        if found < wanted:
            values: dict[str, str | int] = {
                "workload": item.workload.name,
                "found": found,
                "wanted": wanted,
            }
            source = policy.origin.at("spec", "spread")
            yield Finding(reasons.CLUSTERS_SHORT, FrozenMap(values), source)


def unknown_latency(run: Run) -> Iterator[Finding]:
    """Policies with a latency limit, and clusters of theirs to which nobody measured the way."""
    if "latency" not in run.table.written:
        return
    told = set()
    for item in run.linked:
        policy, limit = item.placement, item.placement.spec.latency
        if limit is None or policy.name in told:
            continue
        told.add(policy.name)
        measured = run.table.latencies.evidence(limit.origin, limit.hold_seconds).measured
        unmeasured = allowed(run.table, policy.spec) & ~measured
        unknown = [run.table.names[place] for place in np.flatnonzero(unmeasured)]
        if unknown:
            values = {"policy": policy.name, "origin": limit.origin, "clusters": ", ".join(unknown)}
            source = policy.origin.at("spec", "latency")
            yield Finding(reasons.LATENCY_UNKNOWN, FrozenMap[str | int](values), source)


def beyond_limits(run: Run) -> Iterator[Finding]:
    """Clusters with more nodes or pods than Kubernetes is tested with.

    Source: "Considerations for large clusters" of the Kubernetes documentation.
    """
    for cluster in run.table.clusters:
        nodes = amount_of(cluster, "nodes") or 0
        if nodes > MOST_NODES:
            values: dict[str, str | int] = {
                "cluster": cluster.name,
                "nodes": nodes,
                "limit": MOST_NODES,
            }
            source = cluster.origin.at("spec", "nodes")
            yield Finding(reasons.TOO_MANY_NODES, FrozenMap[str | int](values), source)
        pods = cluster.spec.capacity.allocatable.get(PODS, 0)
        if pods > MOST_PODS:
            values = {"cluster": cluster.name, "pods": pods, "limit": MOST_PODS}
            source = cluster.origin.at("spec", "capacity", "allocatable", PODS)
            yield Finding(reasons.TOO_MANY_PODS, FrozenMap[str | int](values), source)


def check_active_region(run: Run, settings: Settings) -> None:
    """Refuses a config's activeRegion where no policy could ever be active.

    States, taints and room do not count: the region may be dead today, and the word for it still
    stand in the config. Guarded by test_active_region_of_a_dead_region_is_no_error.
    """
    wanted = settings.active_region
    if wanted is None:
        return
    possible: set[str] = set()
    for turn, item in enumerate(run.linked):
        if standby_policies(item.traffic):
            request = run.request(turn, run.one_group(1))
            barred = run.evaluator.barred_for_good(request)
            possible.update(
                region for region, out in zip(run.table.regions, barred, strict=True) if not out
            )
    if wanted not in possible:
        allowed = ", ".join(sorted(possible))
        raise InvalidError(
            [
                SourceError(
                    None,
                    "config fleet:activeRegion",
                    f"no active-standby traffic policy has a candidate in region '{wanted}'",
                    f"regions with candidates: {allowed}" if allowed else "",
                )
            ]
        )
