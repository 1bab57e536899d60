"""What an emergency does to a workload's data: the one place that knows what files declare of it.

What a workload declares (`spec.data` of its fleet.yaml) counts. One that declares nothing and has
volumes keeps them where they are; any other has nothing that could be lost or had to be promoted.
"""

from dataclasses import dataclass

from fleet.model.data import Data, DataKind
from fleet.model.workload import Manifest, Workload


@dataclass(frozen=True, slots=True)
class DataState:
    """A workload's data. **Units**: seconds.

    `promotion_seconds` until another copy may be written to; `lost_seconds` are the writes that
    it lacks, None where nothing bounds them, because no copy is elsewhere. `held_by` names what
    holds the data, as `<kind>/<name>`. `has_copy`: there is one to measure, however quick it is.
    """

    promotion_seconds: int = 0
    lost_seconds: int | None = 0
    has_copy: bool = False
    held_by: tuple[str, ...] = ()


def data_of(workload: Workload) -> DataState:
    """What is known of a workload's data."""
    said = workload.settings.data
    if said.kind is not DataKind.NONE:
        return _declared(said)
    held = sorted(f"{each.kind}/{each.name}" for each in workload.manifests if _holds_data(each))
    return DataState(lost_seconds=None if held else 0, held_by=tuple(held))


def _declared(data: Data) -> DataState:
    lost = data.lost_seconds
    held = (f"its {data.kind} data",) if lost is None else ()
    has_copy = lost is not None and data.kind is not DataKind.CACHE
    return DataState(data.promote_seconds, lost, has_copy, held)


def _holds_data(manifest: Manifest) -> bool:
    """Whether an object claims volumes that outlive its pods."""
    if manifest.kind == "PersistentVolumeClaim":
        return True
    if manifest.kind != "StatefulSet":
        return False
    spec = manifest.body.get("spec")
    return isinstance(spec, dict) and bool(spec.get("volumeClaimTemplates"))
