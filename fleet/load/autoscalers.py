"""Who owns the replicas of an object: a HorizontalPodAutoscaler or KEDA's ScaledObject.

Source: autoscaling/v1 and v2 (minReplicas default 1), keda.sh/v1alpha1 (minReplicaCount default 0,
maxReplicaCount default 100, scaleTargetRef default apps/v1 Deployment).
"""

from dataclasses import dataclass

from fleet.load.faults import Faults, entries, whole
from fleet.model.source import Path
from fleet.model.workload import Autoscaled, Manifest


@dataclass(frozen=True, slots=True)
class _Form:
    """Where a kind of autoscaler says its bounds; `highest` None is required."""

    minimum: str
    lowest: int
    maximum: str
    highest: int | None
    kind: str


_FORMS = {
    ("autoscaling", "HorizontalPodAutoscaler"): _Form("minReplicas", 1, "maxReplicas", None, ""),
    ("keda.sh", "ScaledObject"): _Form("minReplicaCount", 0, "maxReplicaCount", 100, "Deployment"),
}
_TARGET: Path = ("spec", "scaleTargetRef")


@dataclass(frozen=True, slots=True)
class Autoscaler:
    """An autoscaler and the object that it scales; an empty `group` is any."""

    manifest: Manifest
    bounds: Autoscaled
    group: str
    kind: str
    name: str

    def scales(self, manifest: Manifest) -> bool:
        """Whether it owns the replicas of an object."""
        group = manifest.api_version.partition("/")[0] if "/" in manifest.api_version else ""
        return (
            (self.kind, self.name) == (manifest.kind, manifest.name)
            and self.group in ("", group)
            and (self.manifest.namespace or "default") == (manifest.namespace or "default")
        )


def read_autoscaler(manifest: Manifest, faults: Faults) -> Autoscaler | None:
    """The autoscaler that an object is, None where it is something else or wrong."""
    group = manifest.api_version.partition("/")[0]
    form = _FORMS.get((group, manifest.kind))
    if form is None:
        return None
    before = faults.count
    spec = entries(manifest.body.get("spec"), ("spec",), faults)
    bounds = _bounds(manifest, spec, form, faults)
    target = entries(spec.get("scaleTargetRef"), _TARGET, faults)
    kind = _text(target.get("kind"), (*_TARGET, "kind"), form.kind, faults)
    name = _text(target.get("name"), (*_TARGET, "name"), "", faults)
    version = _text(target.get("apiVersion"), (*_TARGET, "apiVersion"), "/", faults)
    if faults.count > before:
        return None
    return Autoscaler(
        manifest, bounds, version.partition("/")[0] if "/" in version else "", kind, name
    )


def _bounds(manifest: Manifest, spec: dict[str, object], form: _Form, faults: Faults) -> Autoscaled:
    low: Path = ("spec", form.minimum)
    high: Path = ("spec", form.maximum)
    minimum = whole(spec.get(form.minimum), low, faults, form.lowest)
    if form.highest is None and spec.get(form.maximum) is None:
        faults.missing(high)
    maximum = whole(spec.get(form.maximum), high, faults, form.highest or minimum)
    if maximum < minimum:
        faults.add(high, f"{form.maximum} {maximum} is less than {form.minimum} {minimum}")
    return Autoscaled(manifest.key, minimum, maximum)


def _text(value: object, path: Path, default: str, faults: Faults) -> str:
    if isinstance(value, str):
        return value
    if value is None and default:
        return default
    if value is None:
        faults.missing(path)
    else:
        faults.wants_text(path, value)
    return ""
