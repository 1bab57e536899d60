"""HorizontalPodAutoscaler and ScaledObject: who owns the replicas of which object."""

from collections.abc import Mapping

from fleet.deliver.bodies import Body, text_at, with_value
from fleet.model.api_version import group_of
from fleet.model.decision import Assignment
from fleet.model.workload import Manifest, Workload

BOUNDS = {
    ("autoscaling", "HorizontalPodAutoscaler"): ("minReplicas", "maxReplicas"),
    ("keda.sh", "ScaledObject"): ("minReplicaCount", "maxReplicaCount"),
}
"""The fields of an autoscaler's bounds, by API group and kind."""


def is_scaler(manifest: Manifest) -> bool:
    """Whether the object owns another object's replicas."""
    return (group_of(manifest.api_version), manifest.kind) in BOUNDS


def scaled_by(workload: Workload) -> Mapping[str, Manifest]:
    """The autoscaler of each object that has one, by the key of that object."""
    objects = {_place(each): each.key for each in workload.manifests}
    found: dict[str, Manifest] = {}
    for each in workload.manifests:
        if is_scaler(each):
            kind = text_at(each.body, "spec", "scaleTargetRef", "kind") or "Deployment"
            name = text_at(each.body, "spec", "scaleTargetRef", "name")
            target = objects.get((kind, each.namespace or "default", name))
            if target is not None:
                found[target] = each
    return found


def _place(manifest: Manifest) -> tuple[str, str, str]:
    return manifest.kind, manifest.namespace or "default", manifest.name


def bounded(manifest: Manifest, assignment: Assignment) -> Body:
    """An autoscaler with a cluster's part of the bounds, of a HorizontalPodAutoscaler at least 1.

    Where the scheduler divided nothing, the bounds stay as the file has them.
    """
    if assignment.minimum is None or assignment.maximum is None:
        return manifest.body
    least = 1 if manifest.kind == "HorizontalPodAutoscaler" else 0
    low, high = BOUNDS[group_of(manifest.api_version), manifest.kind]
    body = with_value(manifest.body, max(least, assignment.minimum), "spec", low)
    return with_value(body, max(1, assignment.maximum, assignment.minimum), "spec", high)
