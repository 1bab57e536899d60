"""Live objects that a change would delete and create anew.

The list is what the Kubernetes plugin replaces and what the API server refuses to change in
place. The state's body comes from a live API server, which fills defaults in: what is planned is
compared with the same part of what lives, and numbers and quantities by their value.
Source: pulumi-kubernetes, force-new properties; Kubernetes API conventions, immutable fields.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from fleet.deliver.bodies import look
from fleet.model.plan import PlannedObject
from fleet.model.prior import PriorObject
from fleet.model.quantity import parse_quantity

Field = tuple[str, ...]
SELECTOR: Field = ("spec", "selector")
DATA: tuple[Field, ...] = (("data",), ("binaryData",))

FIXED: Mapping[str, tuple[Field, ...]] = {
    "apps/Deployment": (SELECTOR,),
    "apps/ReplicaSet": (SELECTOR,),
    "apps/DaemonSet": (SELECTOR,),
    "apps/StatefulSet": (
        SELECTOR,
        ("spec", "serviceName"),
        ("spec", "podManagementPolicy"),
        ("spec", "volumeClaimTemplates"),
    ),
    "batch/Job": (
        SELECTOR,
        ("spec", "completions"),
        ("spec", "parallelism"),
        ("spec", "template"),
    ),
    "core/Pod": (("spec",),),
    "core/Service": (("spec", "clusterIP"),),
    "core/Secret": (("type",), ("immutable",)),
    "core/ConfigMap": (("immutable",),),
    "core/ResourceQuota": (("spec", "scopes"),),
    "core/PersistentVolume": (("spec", "csi"), ("spec", "hostPath"), ("spec", "nfs")),
    "core/PersistentVolumeClaim": (
        ("spec", "accessModes"),
        SELECTOR,
        ("spec", "storageClassName"),
        ("spec", "volumeName"),
        ("spec", "volumeMode"),
        ("spec", "resources"),
    ),
    "rbac.authorization.k8s.io/RoleBinding": (("roleRef",),),
    "rbac.authorization.k8s.io/ClusterRoleBinding": (("roleRef",),),
    "storage.k8s.io/StorageClass": (("provisioner",), ("parameters",)),
}
"""Fields that never change in place, by `<group>/<kind>`."""

DEFAULTS: Mapping[tuple[str, Field], object] = {
    ("core/Secret", ("type",)): "Opaque",
    ("apps/StatefulSet", ("spec", "serviceName")): "",
    ("apps/StatefulSet", ("spec", "podManagementPolicy")): "OrderedReady",
    ("apps/StatefulSet", ("spec", "volumeClaimTemplates")): [],
    ("batch/Job", ("spec", "parallelism")): 1,
    ("storage.k8s.io/StorageClass", ("parameters",)): {},
}
"""What a field is where the plan does not say; without an entry it is not compared then."""

EXACT = frozenset({SELECTOR, ("roleRef",), ("parameters",)})
"""Maps in which the API server fills in nothing but what it is told: less is a change too."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """A live object and the field that cannot change in place (`type`: its Pulumi type)."""

    planned: PlannedObject
    field: str


def replacement_of(planned: PlannedObject, prior: PriorObject) -> Replacement | None:
    """Why a planned object would replace the live one; None where it can change in place."""
    if prior.token and prior.token != planned.token:
        return Replacement(planned, "type")
    if not prior.body:
        return None
    kind = _kind(planned.token)
    for path in FIXED.get(kind, ()):
        if _differs(kind, path, planned, prior):
            return Replacement(planned, ".".join(path))
    if look(prior.body, "immutable") is True and kind in {"core/ConfigMap", "core/Secret"}:
        return _frozen_data(planned, prior)
    return None


def _kind(token: str) -> str:
    """`<group>/<kind>` of a Pulumi type: `apps/Deployment`."""
    _, module, kind = token.split(":")
    return f"{module.partition('/')[0]}/{kind}"


def _differs(kind: str, path: Field, planned: PlannedObject, prior: PriorObject) -> bool:
    wanted, live = look(planned.body, *path), look(prior.body, *path)
    if path == ("immutable",):
        return live is True and wanted is not True
    if wanted is None:
        wanted = DEFAULTS.get((kind, path))
        if wanted is None:
            return False
    if live is None:
        live = DEFAULTS.get((kind, path))
        if live is None:
            return False
    if path in EXACT and isinstance(wanted, Mapping) and isinstance(live, Mapping):
        return not _is_part(wanted, live) or not _is_part(live, wanted, loose=path == ("roleRef",))
    return not _is_part(wanted, live)


def _frozen_data(planned: PlannedObject, prior: PriorObject) -> Replacement | None:
    """An immutable object whose data changes; a secret's data is not in the prior."""
    for path in DATA:
        live = look(prior.body, *path)
        if live is not None and look(planned.body, *path) != live:
            return Replacement(planned, ".".join(path))
    return None


def _is_part(wanted: object, live: object, *, loose: bool = False) -> bool:
    """Whether the live value has everything that is wanted; `loose` lets it lack keys."""
    if isinstance(wanted, Mapping):
        if not isinstance(live, Mapping):
            return not wanted and live is None
        return all(
            (loose and key not in live) or _is_part(each, live.get(key), loose=loose)
            for key, each in wanted.items()
            if each is not None
        )
    if isinstance(wanted, list):
        if not isinstance(live, list) or len(wanted) != len(live):
            return not wanted and live is None
        return all(_is_part(each, other) for each, other in zip(wanted, live, strict=True))
    return _is_same(wanted, live)


def _is_same(wanted: object, live: object) -> bool:
    """Whether two plain values are the same, also as quantities (`1000m` is `1`).

    What is wanted to be empty, 0 or false is the same as nothing: the API server leaves it out.
    """
    if wanted == live or (not wanted and live is None):
        return True
    plain = (int, float, str)
    if isinstance(wanted, plain) and isinstance(live, plain):
        try:
            return parse_quantity(wanted) == parse_quantity(live)
        except ValueError:
            return False
    return False
