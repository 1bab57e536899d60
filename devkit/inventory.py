"""The clusters of an inventory, read as fleet reads them."""

from pathlib import Path

from devkit.dev_cluster import DEFAULT_ALLOCATABLE, DEFAULT_NODES, DevCluster, Entry
from devkit.errors import DevkitError
from devkit.home import PROJECT
from fleet.errors import InvalidError
from fleet.load.inventory import read_inventory
from fleet.load.parse import OBSERVED
from fleet.model import inventory as model
from fleet.model.settings import Settings


def read(path: Path) -> list[DevCluster]:
    """Return the clusters of a file or a folder of files, sorted by name.

    Errors: DevkitError with everything that is wrong in it.
    """
    observed = path / OBSERVED if path.is_dir() else path
    try:
        inventory = read_inventory(Settings(inventory=(str(path),)), Path(), observed)
    except InvalidError as error:
        raise DevkitError(str(error)) from None
    return [_played(cluster) for cluster in inventory.clusters]


def _played(cluster: model.Cluster) -> DevCluster:
    spec = cluster.spec
    return DevCluster(
        name=cluster.name,
        region=spec.region,
        zones=spec.zones or (f"{spec.region}a",),
        labels=dict(cluster.labels),
        nodes=spec.nodes or DEFAULT_NODES,
        allocatable={**DEFAULT_ALLOCATABLE, **spec.capacity.allocatable},
        connection_file=_file(spec.connection),
        context=(spec.connection.context if spec.connection else None) or cluster.name,
        entry=_entry(spec.entry),
    )


def _file(connection: model.Connection | None) -> Path | None:
    if connection is None or connection.file is None:
        return None
    return (PROJECT / Path(connection.file).expanduser()).resolve()


def _entry(entry: model.Entry | None) -> Entry:
    if entry is None:
        return Entry()
    return Entry(entry.addresses, entry.hostname or "", entry.port, entry.path)


def choose(clusters: list[DevCluster], names: list[str], home: Path) -> list[DevCluster]:
    """Return the named clusters, else those whose connection file is in the home, else all.

    Errors: DevkitError for a name that the inventory does not have.
    """
    if not names:
        inside = [one for one in clusters if one.connection_file and _is_in(one, home)]
        return inside or clusters
    known = {cluster.name: cluster for cluster in clusters}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise DevkitError(
            f"the inventory has no cluster '{unknown[0]}' - it has {', '.join(known)}"
        )
    return [known[name] for name in names]


def _is_in(cluster: DevCluster, home: Path) -> bool:
    return cluster.connection_file is not None and home in cluster.connection_file.parents
