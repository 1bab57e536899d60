"""The API groups without a dot in their name: a closed set, so a typo in them can be told.

A custom resource's group always has a dot; nothing is assumed of those.
Source: the API reference of Kubernetes, with the older versions that its clients still know.
"""

from fleet.load.faults import Faults
from fleet.load.words import Words

_CORE = (
    "ConfigMap Endpoints Event LimitRange List Namespace Node PersistentVolume "
    "PersistentVolumeClaim Pod PodTemplate ReplicationController ResourceQuota Secret Service "
    "ServiceAccount"
)
_KINDS = {
    "v1": _CORE,
    "apps/v1": "ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet",
    "apps/v1beta1": "ControllerRevision Deployment StatefulSet",
    "apps/v1beta2": "ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet",
    "autoscaling/v1": "HorizontalPodAutoscaler",
    "autoscaling/v2": "HorizontalPodAutoscaler",
    "autoscaling/v2beta1": "HorizontalPodAutoscaler",
    "autoscaling/v2beta2": "HorizontalPodAutoscaler",
    "batch/v1": "CronJob Job",
    "batch/v1beta1": "CronJob",
    "extensions/v1beta1": "DaemonSet Deployment Ingress NetworkPolicy ReplicaSet",
    "policy/v1": "PodDisruptionBudget",
    "policy/v1beta1": "PodDisruptionBudget PodSecurityPolicy",
}
_WORDS = {version: Words(kinds.split()) for version, kinds in _KINDS.items()}
_VERSIONS = Words(_KINDS)
_HOME = {kind: version for version in reversed(_KINDS) for kind in _WORDS[version].known}


def check_kind(api_version: str, kind: str, faults: Faults) -> bool:
    """Whether a closed group has the kind; says the nearest one if not."""
    if "." in api_version.partition("/")[0]:
        return True
    kinds = _WORDS.get(api_version)
    if kinds is None:
        home = _HOME.get(kind)
        hint = f"'{kind}' is in '{home}'" if home else _VERSIONS.hint(api_version)
        faults.add(("apiVersion",), f"'{api_version}' is no API of Kubernetes", hint)
        return False
    if kind in kinds or kind.endswith("List"):
        return True
    home = _HOME.get(kind)
    hint = f"'{kind}' is in '{home}'" if home else kinds.hint(kind)
    faults.add(("kind",), f"'{api_version}' has no kind '{kind}'", hint)
    return False
