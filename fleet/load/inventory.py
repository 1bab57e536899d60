"""The inventory alone, for those who ask the clusters: a fault in a policy must not blind them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fleet.errors import ErrorList
from fleet.load.files import Files
from fleet.load.importers import CLUSTER_KINDS, convert_all
from fleet.load.importers.importer import Context
from fleet.load.names import check_distinct
from fleet.load.parse import INVENTORY, OBSERVED, Declared, read_declared
from fleet.load.spell import spelled, to_yaml
from fleet.load.states import states_of
from fleet.load.words import Words, quoted
from fleet.model.base import FrozenMap
from fleet.model.inventory import Cluster
from fleet.model.observation import ClusterObservation
from fleet.model.settings import Settings
from fleet.model.snapshot import ClusterState

_HEAD = "# Written by 'fleet probe'; holdSeconds and staleAfterSeconds may be changed by hand.\n"


@dataclass(frozen=True, slots=True)
class Inventory:
    """The clusters and what was seen of them.

    **Shape**: `clusters` sorted by name, `states` and `observations` by cluster; `file` is where
    the observations stand.
    """

    clusters: tuple[Cluster, ...]
    states: FrozenMap[ClusterState]
    observations: FrozenMap[ClusterObservation]
    file: Path


def read_inventory(settings: Settings, root: Path, file: Path | None = None) -> Inventory:
    """The inventory, and the observed file: `observed.yaml` in the inventory's first folder.

    An observed file that lies elsewhere is read, too.

    **Errors**: InvalidError with every fault.
    """
    errors = ErrorList()
    target = file or _default_file(settings.inventory, root, errors)
    errors.raise_if_any()
    files = Files(root, errors)
    paths = [*settings.inventory]
    if target.exists() and not _is_below(target, paths, root):
        paths.append(str(target))
    declared = read_declared(paths, (), files)
    foreign = [each for each in declared.foreign if each.data.get("kind") in CLUSTER_KINDS]
    if foreign:
        imported = convert_all(foreign, Context((), errors, declared.names))
        declared.take(imported, errors, whole=True)
    _check(declared, settings, target, root, errors)
    errors.raise_if_any()
    return Inventory(
        clusters=tuple(sorted(declared.clusters, key=lambda each: each.name)),
        states=states_of(declared.clusters, settings, declared.observations),
        observations=FrozenMap({each.name: each for each in declared.observations}),
        file=target,
    )


def observed_text(observations: Sequence[ClusterObservation]) -> str:
    """The text of the observed file: a document for each cluster, sorted by name."""
    ordered = sorted(observations, key=lambda each: each.name)
    return _HEAD + to_yaml(spelled(each) for each in ordered)


def _default_file(inventory: Sequence[str], root: Path, errors: ErrorList) -> Path:
    for path in inventory:
        if (root / path).is_dir():
            return root / path / OBSERVED
    sentence = f"the inventory has no folder, but {quoted(inventory)}"
    errors.add(None, "--file", sentence, "say where the observed file is: --file PATH")
    return root


def _is_below(file: Path, paths: Sequence[str], root: Path) -> bool:
    places = [(root / path).resolve() for path in paths]
    return any(place in (file.resolve(), *file.resolve().parents) for place in places)


def _check(
    declared: Declared, settings: Settings, target: Path, root: Path, errors: ErrorList
) -> None:
    for noun, documents in (
        ("cluster", declared.clusters),
        ("observation of cluster", declared.observations),
    ):
        check_distinct([(each.name, each.origin) for each in documents], noun, errors)
    if not declared.clusters and not errors.errors and INVENTORY not in declared.unread:
        sentence = f"there is no Cluster document in {quoted(settings.inventory)}"
        errors.add(None, "config fleet:inventory", sentence, "a fleet has at least one cluster")
    known = Words(each.name for each in declared.clusters)
    for key in ("down", "drain", "decommission"):
        for name in getattr(settings, key):
            if name not in known and not declared.broken:
                errors.add(None, f"config fleet:{key}", f"there is no cluster '{name}'")
    for each in declared.observations:
        place = each.origin.start
        if (root / place.file).resolve() != target.resolve():
            sentence = f"the observation of cluster '{each.name}' is not in the observed file"
            errors.add(place, "", sentence, f"move it to {target.name}, which the probe writes")
