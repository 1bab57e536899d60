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
    status = live.get("status") or {}
    generation = (live.get("metadata") or {}).get("generation", 0)
    if target.kind != "Job" and status.get("observedGeneration", generation) < generation:
        return "its controller has not seen the change yet"
    rule = _RULES.get(target.kind)
    return rule(target, live.get("spec") or {}, status) if rule else None


def ready_replicas(live: dict[str, Any] | None) -> int:
    """How many replicas of a live object serve now."""
    status = (live or {}).get("status") or {}
    for field in ("availableReplicas", "readyReplicas", "numberAvailable", "ready", "active"):
        if status.get(field):
            return int(status[field])
    return 0


_Rule = Callable[[ReadyTarget, dict[str, Any], dict[str, Any]], str | None]


def _deployment(target: ReadyTarget, _spec: dict[str, Any], status: dict[str, Any]) -> str | None:
    updated, available = status.get("updatedReplicas", 0), status.get("availableReplicas", 0)
    if updated < target.replicas:
        return f"{updated} of {target.replicas} replicas run the new version"
    if available < target.replicas:
        return f"{available} of {target.replicas} replicas ready"
    return None


def _replica_set(target: ReadyTarget, _spec: dict[str, Any], status: dict[str, Any]) -> str | None:
    ready = status.get("readyReplicas", 0)
    return None if ready >= target.replicas else f"{ready} of {target.replicas} replicas ready"


def _stateful_set(target: ReadyTarget, spec: dict[str, Any], status: dict[str, Any]) -> str | None:
    updated = status.get("updatedReplicas", 0)
    on_delete = (spec.get("updateStrategy") or {}).get("type") == "OnDelete"
    if updated < target.replicas and not on_delete:
        return f"{updated} of {target.replicas} replicas run the new version"
    return _replica_set(target, spec, status)


def _daemon_set(_target: ReadyTarget, _spec: dict[str, Any], status: dict[str, Any]) -> str | None:
    wanted = status.get("desiredNumberScheduled", 0)
    available = status.get("numberAvailable", 0)
    if "desiredNumberScheduled" not in status:
        return "its controller has not seen it yet"
    return None if available >= wanted else f"{available} of {wanted} nodes ready"


def _job(target: ReadyTarget, _spec: dict[str, Any], status: dict[str, Any]) -> str | None:
    if status.get("succeeded", 0) or status.get("completionTime"):
        return None
    for condition in status.get("conditions", []):
        if condition.get("type") == "Failed" and condition.get("status") == "True":
            return f"the job failed: {condition.get('reason', 'no reason given')}"
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
