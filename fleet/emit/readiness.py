"""When is an object ready: the rules of the Kubernetes documentation, per kind.

Source: `kubectl rollout status` (k8s.io/kubectl/pkg/polymorphichelpers/rollout_status.go) for
workload kinds; the Established condition for custom resource definitions.
"""

from collections.abc import Callable
from typing import Any

from fleet.model.plan import ReadyTarget


def missing(target: ReadyTarget, live: dict[str, Any] | None) -> str | None:
    """None when the live object is as ready as `target` asks; else what is missing."""
    if live is None:
        return "it does not exist yet"
    rule = _RULES.get(target.kind)
    if rule is None:
        return None
    status = live.get("status") or {}
    generation = (live.get("metadata") or {}).get("generation", 0)
    if target.kind in _OBSERVED and status.get("observedGeneration", 0) < generation:
        return "its controller has not seen the change yet"
    return rule(target, live.get("spec") or {}, status)


_Rule = Callable[[ReadyTarget, dict[str, Any], dict[str, Any]], str | None]
_OBSERVED = frozenset({"Deployment", "ReplicaSet", "StatefulSet", "DaemonSet"})
"""Kinds whose controllers write down which generation they have seen."""


def _deployment(target: ReadyTarget, _spec: dict[str, Any], status: dict[str, Any]) -> str | None:
    """Old replicas are waited for too: while they last, `available` counts them."""
    updated, available = status.get("updatedReplicas", 0), status.get("availableReplicas", 0)
    if updated < target.replicas:
        return f"{updated} of {target.replicas} replicas run the new version"
    old = status.get("replicas", 0) - updated
    if old > 0:
        return f"{old} replicas of the old version are still there"
    if available < target.replicas:
        return f"{available} of {target.replicas} replicas ready"
    return None


def _replica_set(target: ReadyTarget, _spec: dict[str, Any], status: dict[str, Any]) -> str | None:
    ready = status.get("readyReplicas", 0)
    return None if ready >= target.replicas else f"{ready} of {target.replicas} replicas ready"


def _stateful_set(target: ReadyTarget, spec: dict[str, Any], status: dict[str, Any]) -> str | None:
    strategy = spec.get("updateStrategy") or {}
    partition = (strategy.get("rollingUpdate") or {}).get("partition", 0)
    wanted = max(0, target.replicas - partition)
    updated = status.get("updatedReplicas", 0)
    if updated < wanted and strategy.get("type") != "OnDelete":
        return f"{updated} of {wanted} replicas run the new version"
    return _replica_set(target, spec, status)


def _daemon_set(_target: ReadyTarget, spec: dict[str, Any], status: dict[str, Any]) -> str | None:
    wanted = status.get("desiredNumberScheduled", 0)
    updated, available = status.get("updatedNumberScheduled", 0), status.get("numberAvailable", 0)
    on_delete = (spec.get("updateStrategy") or {}).get("type") == "OnDelete"
    if updated < wanted and not on_delete:
        return f"{updated} of {wanted} nodes run the new version"
    return None if available >= wanted else f"{available} of {wanted} nodes ready"


def _job(target: ReadyTarget, _spec: dict[str, Any], status: dict[str, Any]) -> str | None:
    for condition in status.get("conditions", []):
        if condition.get("type") == "Failed" and condition.get("status") == "True":
            return f"the job failed: {condition.get('reason', 'no reason given')}"
    if status.get("succeeded", 0) or status.get("completionTime"):
        return None
    ready = status.get("ready", 0)
    return None if ready >= target.replicas else f"{ready} of {target.replicas} pods running"


def _definition(_target: ReadyTarget, _spec: dict[str, Any], status: dict[str, Any]) -> str | None:
    for condition in status.get("conditions", []):
        if condition.get("type") == "Established" and condition.get("status") == "True":
            return None
    return "its API is not served yet"


_RULES: dict[str, _Rule] = {
    "Deployment": _deployment,
    "ReplicaSet": _replica_set,
    "StatefulSet": _stateful_set,
    "DaemonSet": _daemon_set,
    "Job": _job,
    "CustomResourceDefinition": _definition,
}
