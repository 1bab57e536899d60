"""Which kinds live outside namespaces: there is no API discovery before a cluster is asked.

Source: `kubectl api-resources --namespaced=false` of Kubernetes 1.36, and the older groups that
clusters still serve.
"""

from collections.abc import Iterable

from fleet.deliver.bodies import Body, text_at
from fleet.model.api_version import group_of

CLUSTER_SCOPED = {
    "": {"ComponentStatus", "Namespace", "Node", "PersistentVolume"},
    "admissionregistration.k8s.io": {
        "MutatingAdmissionPolicy",
        "MutatingAdmissionPolicyBinding",
        "MutatingWebhookConfiguration",
        "ValidatingAdmissionPolicy",
        "ValidatingAdmissionPolicyBinding",
        "ValidatingWebhookConfiguration",
    },
    "apiextensions.k8s.io": {"CustomResourceDefinition"},
    "apiregistration.k8s.io": {"APIService"},
    "authentication.k8s.io": {"SelfSubjectReview", "TokenReview"},
    "authorization.k8s.io": {
        "SelfSubjectAccessReview",
        "SelfSubjectRulesReview",
        "SubjectAccessReview",
    },
    "certificates.k8s.io": {"CertificateSigningRequest", "ClusterTrustBundle"},
    "flowcontrol.apiserver.k8s.io": {"FlowSchema", "PriorityLevelConfiguration"},
    "internal.apiserver.k8s.io": {"StorageVersion"},
    "networking.k8s.io": {"IPAddress", "IngressClass", "ServiceCIDR"},
    "node.k8s.io": {"RuntimeClass"},
    "policy": {"PodSecurityPolicy"},
    "rbac.authorization.k8s.io": {"ClusterRole", "ClusterRoleBinding"},
    "resource.k8s.io": {"DeviceClass", "DeviceTaintRule", "ResourceSlice"},
    "scheduling.k8s.io": {"PriorityClass"},
    "storage.k8s.io": {"CSIDriver", "CSINode", "StorageClass", "VolumeAttachment"},
    "storagemigration.k8s.io": {"StorageVersionMigration"},
}
"""Kinds without a namespace, by API group."""

BUILT_IN_GROUPS = frozenset(CLUSTER_SCOPED) | {
    "apps",
    "autoscaling",
    "batch",
    "coordination.k8s.io",
    "discovery.k8s.io",
    "events.k8s.io",
    "extensions",
}

Scopes = dict[tuple[str, str], bool]


def scopes_of(bodies: Iterable[Body]) -> Scopes:
    """(group, kind) -> whether it is namespaced, as the definitions among the objects say."""
    found: Scopes = {}
    for body in bodies:
        if body.get("kind") == "CustomResourceDefinition":
            kind = text_at(body, "spec", "names", "kind")
            namespaced = text_at(body, "spec", "scope") != "Cluster"
            found[text_at(body, "spec", "group"), kind] = namespaced
    return found


def namespace_of(body: Body, scopes: Scopes) -> str:
    """The namespace that an object ends up in; empty for one outside namespaces.

    A namespaced kind that names none is in `default`. A custom kind that names none and whose
    definition is not at hand keeps what its file says: nothing. Most such files are of
    cluster-scoped kinds (ClusterIssuer, GatewayClass), and the name stays the same either way.

    >>> namespace_of({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "a"}}, {})
    'default'
    >>> namespace_of({"apiVersion": "v1", "kind": "Node", "metadata": {"namespace": "x"}}, {})
    ''
    """
    group, kind = group_of(text_at(body, "apiVersion")), text_at(body, "kind")
    said = text_at(body, "metadata", "namespace")
    if group in BUILT_IN_GROUPS:
        namespaced: bool | None = kind not in CLUSTER_SCOPED.get(group, set())
    else:
        namespaced = scopes.get((group, kind))
    if namespaced is None:
        return said
    return (said or "default") if namespaced else ""
