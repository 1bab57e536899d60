"""Kubernetes objects as plain resources of their own type.

Never through the provider's own components (ConfigGroup and the like): those load the API schema
in preview, and one dead cluster fails the whole stack.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pulumi

from fleet.deliver.identity import OWNER
from fleet.model.plan import PlannedObject
from fleet.model.prior import PriorObject
from fleet.model.resource_names import is_object_name, split_name

NAMESPACE_TYPE = "kubernetes:core/v1:Namespace"
SECRET_FIELDS = ("data", "stringData")
SERVER_FILLED = {
    "Service": ("clusterIP", "clusterIPs"),
    "PersistentVolumeClaim": ("volumeName", "storageClassName", "volumeMode"),
    "Job": ("selector",),
}


class KubernetesObject(pulumi.CustomResource):
    """One object; `metadata` is known once the cluster has accepted it."""

    metadata: pulumi.Output[Any]

    def __init__(
        self, token: str, name: str, body: Mapping[str, Any], opts: pulumi.ResourceOptions
    ) -> None:
        super().__init__(token, name, dict(body), opts)


@dataclass(frozen=True, slots=True)
class Placing:
    """Under which component and by which provider an object is registered.

    `renamed_from` are the workload's former names: each is an alias of the object.
    """

    parent: pulumi.Resource | None
    provider: pulumi.ProviderResource
    renamed_from: tuple[str, ...] = ()


def register(
    planned: PlannedObject, placing: Placing, import_id: str | None = None
) -> KubernetesObject:
    """Registers an object as the plan has it; `import_id` takes over one that exists."""
    body = signed(planned.body)
    if planned.secret:
        body |= {key: pulumi.Output.secret(body[key]) for key in SECRET_FIELDS if key in body}
    opts = pulumi.ResourceOptions(
        parent=placing.parent,
        provider=placing.provider,
        aliases=_aliases(planned.name, placing.renamed_from),
        import_=import_id,
        ignore_changes=_unsaid(planned),
        additional_secret_outputs=list(SECRET_FIELDS) if planned.secret else None,
    )
    return KubernetesObject(planned.token, planned.name, body, opts)


def _unsaid(planned: PlannedObject) -> list[str] | None:
    """Paths that the server fills in and never changes, where the file does not say them.

    An import reads them as inputs; dropping them in the next update would be a replacement.
    """
    kind = planned.key.split("/", 1)[0]
    spec = planned.body.get("spec") or {}
    return [f"spec.{name}" for name in SERVER_FILLED.get(kind, ()) if name not in spec] or None


def signed(body: Mapping[str, Any]) -> dict[str, Any]:
    """A body whose owner is named with project and stack: two stacks never take each other's."""
    metadata = dict(body["metadata"])
    annotations = dict(metadata.get("annotations") or {})
    if OWNER in annotations:
        annotations[OWNER] = owner_of(annotations[OWNER])
    return dict(body) | {"metadata": metadata | {"annotations": annotations}}


def owner_of(workload: str) -> str:
    """How this stack signs the objects of a workload."""
    return f"{pulumi.get_project()}/{pulumi.get_stack()}/{workload}"


def register_namespace(
    name: str, body: Mapping[str, Any], placing: Placing, import_id: str | None, *, retain: bool
) -> KubernetesObject:
    """Registers a namespace, which belongs to no workload; `retain`: never deleted for real."""
    opts = pulumi.ResourceOptions(
        parent=placing.parent,
        provider=placing.provider,
        import_=import_id,
        retain_on_delete=retain,
    )
    return KubernetesObject(NAMESPACE_TYPE, name, signed(body), opts)


def keep(prior: PriorObject, placing: Placing, workload: str) -> KubernetesObject:
    """Registers an object as the state has it: whatever it is, nothing about it changes.

    It is the workload's under its present name, also where the state has it under a former one.
    """
    return keep_as(prior.token, f"{workload}/{split_name(prior.name).rest}", placing)


def keep_as(
    token: str, name: str, placing: Placing, *, retain: bool | None = None
) -> KubernetesObject:
    """Registers what the state has under a name; the body says only what it is."""
    group_version = token.split(":")[1]
    kind, object_name = token.rpartition(":")[2], name.rpartition("/")[2]
    namespace = name.split("/")[-2] if is_object_name(name) else ""
    metadata = {"name": object_name} | ({"namespace": namespace} if namespace else {})
    body = {
        "apiVersion": group_version.removeprefix("core/"),
        "kind": kind,
        "metadata": metadata,
    }
    opts = pulumi.ResourceOptions(
        parent=placing.parent,
        provider=placing.provider,
        aliases=_aliases(name, placing.renamed_from),
        ignore_changes=["*"],
        retain_on_delete=retain,
        additional_secret_outputs=list(SECRET_FIELDS) if kind == "Secret" else None,
    )
    return KubernetesObject(token, name, body, opts)


def _aliases(
    name: str, renamed_from: tuple[str, ...]
) -> list[pulumi.Input[str | pulumi.Alias]] | None:
    if not renamed_from:
        return None
    parts = split_name(name)
    former = [old for old in renamed_from if old != parts.workload]
    return [pulumi.Alias(name=f"{old}/{parts.rest}") for old in former] or None


async def accepted(resource: KubernetesObject) -> bool:
    """Whether the engine carried the registration out; always True in preview."""
    if pulumi.runtime.is_dry_run():
        await resource.urn.future()
        return True
    return await resource.metadata.is_known()
