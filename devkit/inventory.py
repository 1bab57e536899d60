"""The clusters of an inventory, as far as the devkit plays them.

One function, `read`, so that fleet's own loader can take its place.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from devkit.errors import DevkitError
from devkit.home import PROJECT

DEFAULT_NODES = 3
DEFAULT_TIMEOUT_SECONDS = 5
DEFAULT_ENTRY_PORT = 80
DEFAULT_ALLOCATABLE = {"cpu": "24", "memory": "96Gi", "pods": "330"}


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a cluster's traffic comes in."""

    addresses: tuple[str, ...] = ()
    hostname: str = ""
    port: int = DEFAULT_ENTRY_PORT
    path: str = "/"


@dataclass(frozen=True, slots=True)
class DevCluster:
    """One cluster that the devkit can play.

    Shape: allocatable maps a resource's name to a Kubernetes quantity, for the whole cluster.
    """

    name: str
    region: str
    zones: tuple[str, ...]
    provider: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    nodes: int = DEFAULT_NODES
    allocatable: Mapping[str, str] = field(default_factory=lambda: dict(DEFAULT_ALLOCATABLE))
    connection_file: Path | None = None
    context: str = ""
    timeout_seconds: int = DEFAULT_TIMEOUT_SECONDS
    entry: Entry = field(default_factory=Entry)


def read(path: Path) -> list[DevCluster]:
    """Return the clusters of a file or a folder of files, sorted by name.

    Errors: DevkitError naming the file.
    """
    files = sorted([*path.rglob("*.yaml"), *path.rglob("*.yml")]) if path.is_dir() else [path]
    clusters = [_cluster(document, file) for file in files for document in _documents(file)]
    if not clusters:
        raise DevkitError(f"{path}: no document of kind Cluster")
    return sorted(clusters, key=lambda cluster: cluster.name)


def _documents(file: Path) -> Iterator[dict[str, Any]]:
    try:
        documents = list(yaml.safe_load_all(file.read_text()))
    except (OSError, yaml.YAMLError) as error:
        raise DevkitError(f"{file}: {error}") from None
    for document in documents:
        if isinstance(document, dict) and document.get("kind") == "Cluster":
            yield document


def _cluster(document: dict[str, Any], file: Path) -> DevCluster:
    metadata, spec = document.get("metadata") or {}, document.get("spec") or {}
    name = str(metadata.get("name") or "")
    if not name:
        raise DevkitError(f"{file}: a Cluster without metadata.name")
    region = str(spec.get("region") or name)
    connection = spec.get("connection") or {}
    capacity = (spec.get("capacity") or {}).get("allocatable") or {}
    return DevCluster(
        name=name,
        region=region,
        zones=tuple(str(zone) for zone in spec.get("zones") or [f"{region}a"]),
        provider=str(spec.get("provider") or ""),
        labels={str(key): str(value) for key, value in (metadata.get("labels") or {}).items()},
        nodes=int(spec.get("nodes") or DEFAULT_NODES),
        allocatable={**DEFAULT_ALLOCATABLE, **{str(k): str(v) for k, v in capacity.items()}},
        connection_file=_file(connection),
        context=str(connection.get("context") or name),
        timeout_seconds=int(connection.get("timeoutSeconds") or DEFAULT_TIMEOUT_SECONDS),
        entry=_entry(spec.get("entry") or {}),
    )


def _file(connection: dict[str, Any]) -> Path | None:
    text = connection.get("file")
    return (PROJECT / Path(str(text)).expanduser()).resolve() if text else None


def _entry(entry: dict[str, Any]) -> Entry:
    return Entry(
        addresses=tuple(str(address) for address in entry.get("addresses") or ()),
        hostname=str(entry.get("hostname") or ""),
        port=int(entry.get("port") or DEFAULT_ENTRY_PORT),
        path=str(entry.get("path") or "/"),
    )


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
