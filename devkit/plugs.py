"""What the agent starts besides its proxies, and what it tells those parts.

The data plane is `devkit.dataplane.DataPlane(PlaneConfig)`; the agent knows it by this shape only.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from devkit.dev_cluster import DevCluster


@dataclass(frozen=True, slots=True)
class PlaneCluster:
    """One cluster of the data plane.

    The kubeconfig speaks to the API server itself, past the proxy: whether the cluster is dead
    is told by `kill` and `revive`, not found out.
    """

    cluster: DevCluster
    kubeconfig: Path


@dataclass(frozen=True, slots=True)
class PlaneConfig:
    """What the data plane needs to know; ports are on loopback."""

    home: Path
    clusters: tuple[PlaneCluster, ...]
    route53_url: str
    dns_port: int


class Plane(Protocol):
    """The data plane (entries, checkers, DNS answerer); it lives in the agent's event loop."""

    async def start(self) -> None:
        """Serve; return once requests are answered."""

    async def stop(self) -> None:
        """End, leaving no process and no socket."""

    async def kill(self, cluster: str, how: str) -> None:
        """Let the cluster's entry die as its API does: refuse, blackhole or hang."""

    async def revive(self, cluster: str) -> None:
        """Bring the cluster's entry back."""

    def be_late(self, seconds: float) -> None:
        """Let every health check report what turned red so many seconds later."""

    def status(self) -> dict[str, object]:
        """Say how it is, in values that JSON knows."""
