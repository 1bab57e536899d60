"""A cluster, as far as the devkit plays it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

DEFAULT_NODES = 3
DEFAULT_ENTRY_PORT = 443
DEFAULT_ALLOCATABLE = {"cpu": 24_000, "memory": 96 * 2**30, "pods": 330}


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

    Shape: allocatable maps a resource's name to an amount in base units (cpu in millicores), for
    the whole cluster.
    """

    name: str
    region: str
    zones: tuple[str, ...]
    labels: Mapping[str, str] = field(default_factory=dict)
    nodes: int = DEFAULT_NODES
    allocatable: Mapping[str, int] = field(default_factory=lambda: dict(DEFAULT_ALLOCATABLE))
    connection_file: Path | None = None
    context: str = ""
    entry: Entry = field(default_factory=Entry)
