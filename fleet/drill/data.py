"""What an emergency does to a workload's data: the one place that knows what files declare of it.

What a workload declares (`spec.data` of its fleet.yaml) counts. One that declares nothing and has
volumes keeps them where they are; any other has nothing that could be lost or had to be promoted.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from fleet.model.data import Data, DataKind
from fleet.model.workload import Manifest, Workload


@dataclass(frozen=True, slots=True)
class DataState:
    """A workload's data. **Units**: seconds.

    `lost_seconds` are the writes that another copy lacks, None where nothing bounds them, because
    no copy is elsewhere. `held_by` names what holds the data, as `<kind>/<name>`, where nobody has
    declared it.
    """

    kind: DataKind = DataKind.NONE
    lost_seconds: int | None = 0
    held_by: tuple[str, ...] = ()

    @property
    def has_copy(self) -> bool:
        """Whether there is another copy to measure, however little it lacks."""
        copied = self.kind in {DataKind.REPLICATED, DataKind.OBJECT_STORAGE}
        return copied and self.lost_seconds is not None


def data_of(workload: Workload) -> DataState:
    """What is known of a workload's data."""
    said = workload.settings.data
    if said.kind is not DataKind.NONE:
        return DataState(said.kind, said.lost_seconds)
    held = sorted(f"{each.kind}/{each.name}" for each in workload.manifests if _holds_data(each))
    return DataState(lost_seconds=None if held else 0, held_by=tuple(held))


def copy_lives(data: Data, gone: Collection[str], regions: Mapping[str, str]) -> bool:
    """Whether a cluster lives that holds a copy. **Shape**: `regions` by cluster."""
    said = data.replication.to if data.replication else ()
    return any(
        not {name, region}.isdisjoint(said) for name, region in regions.items() if name not in gone
    )


def _holds_data(manifest: Manifest) -> bool:
    """Whether an object claims volumes that outlive its pods."""
    if manifest.kind == "PersistentVolumeClaim":
        return True
    if manifest.kind != "StatefulSet":
        return False
    spec = manifest.body.get("spec")
    return isinstance(spec, dict) and bool(spec.get("volumeClaimTemplates"))
