"""What an object is called in the stack, which type it has there, and what tells it apart.

The resource name is `<workload>/<cluster>/<kind>/<namespace>/<name>`. It has no API group: two
objects of one workload that differ in nothing else are refused (deliver/duplicates).
"""

from collections.abc import Iterable

from fleet.deliver.bodies import Body, count_at, hash_of, look, text_at, with_value
from fleet.deliver.place import Place
from fleet.deliver.scopes import Scopes, namespace_of
from fleet.model.plan import PlannedObject, ReadyTarget
from fleet.model.workload import REPLICA_FIELDS

OWNER = "fleet/owner"
SKIP_AWAIT = "pulumi.com/skipAwait"
PATCH_FORCE = "pulumi.com/patchForce"
PROPAGATION = "pulumi.com/deletionPropagationPolicy"
DEFINITION = "CustomResourceDefinition"
STAGE_DEFINITIONS = 1
STAGE_SUPPORT = 2
STAGE_REST = 3
# What others refer to by name: a pod that comes before its service account is refused.
SUPPORT = frozenset(
    {
        "ClusterRole",
        "ClusterRoleBinding",
        "ConfigMap",
        "LimitRange",
        "NetworkPolicy",
        "PersistentVolume",
        "PersistentVolumeClaim",
        "PriorityClass",
        "ResourceQuota",
        "Role",
        "RoleBinding",
        "RuntimeClass",
        "Secret",
        "ServiceAccount",
        "StorageClass",
    }
)
DIGEST_LENGTH = 16


def token_of(body: Body) -> str:
    """The Pulumi type of an object; the core group is called `core` there.

    Source: the constructors of pulumi_kubernetes, and its apiextensions.CustomResource.

    >>> token_of({"apiVersion": "v1", "kind": "ConfigMap"})
    'kubernetes:core/v1:ConfigMap'
    >>> token_of({"apiVersion": "cert-manager.io/v1", "kind": "Issuer"})
    'kubernetes:cert-manager.io/v1:Issuer'
    """
    version = text_at(body, "apiVersion")
    return f"kubernetes:{version if '/' in version else f'core/{version}'}:{body['kind']}"


def stamped(body: Body, owner: str) -> Body:
    """A copy that says whose it is; the plugin is told not to wait, fleet does that itself.

    What fleet placed, fleet's files decide: a field that somebody changed by hand is set back
    instead of failing the update (server-side apply is forced). Only the object's own metadata: a
    pod template that changed would restart its pods.

    Deleted in the background: nobody waits for a delete either, and an object that is deleted in
    the foreground lives on while its pods end - its replacement would meet it and be refused.
    """
    body = with_value(body, owner, "metadata", "annotations", OWNER)
    body = with_value(body, "true", "metadata", "annotations", PATCH_FORCE)
    body = with_value(body, "background", "metadata", "annotations", PROPAGATION)
    return with_value(body, "true", "metadata", "annotations", SKIP_AWAIT)


def planned_object(place: Place, body: Body, scopes: Scopes) -> PlannedObject:
    """An object as it is registered on one cluster."""
    namespace = namespace_of(body, scopes)
    key = f"{body['kind']}/{namespace}/{text_at(body, 'metadata', 'name')}"
    final = stamped(body, place.workload.name)
    return PlannedObject(
        name=f"{place.workload.name}/{place.cluster.name}/{key}",
        key=key,
        token=token_of(body),
        cluster=place.cluster.name,
        body=final,
        digest=hash_of(final)[:DIGEST_LENGTH],
        secret=token_of(body) == "kubernetes:core/v1:Secret",
        stage=_stage_of(str(body["kind"])),
    )


def _stage_of(kind: str) -> int:
    if kind == DEFINITION:
        return STAGE_DEFINITIONS
    return STAGE_SUPPORT if kind in SUPPORT else STAGE_REST


def fingerprint_of(objects: Iterable[PlannedObject]) -> str:
    """The hash of a cluster's set of objects, whatever its order."""
    return hash_of({each.name: each.digest for each in objects})[:DIGEST_LENGTH]


def ready_target(planned: PlannedObject, floor: int | None) -> ReadyTarget | None:
    """What must become ready of an object, or None where nothing has to.

    `floor` is an autoscaler's minimum where one owns the replicas. A DaemonSet counts 1: rolled
    out on its nodes. Nothing is waited for where nothing is to run.
    """
    body, kind = planned.body, str(planned.body["kind"])
    if kind in REPLICA_FIELDS and kind != "ReplicationController":
        written = count_at(body, "spec", REPLICA_FIELDS[kind], default=1)
        replicas = written if floor is None else floor
        if replicas == 0 or look(body, "spec", "suspend") is True:
            return None
    elif kind in {"DaemonSet", DEFINITION}:
        replicas = 1 if kind == "DaemonSet" else 0
    else:
        return None
    _, namespace, name = planned.key.split("/")
    return ReadyTarget(text_at(body, "apiVersion"), kind, namespace, name, replicas)
