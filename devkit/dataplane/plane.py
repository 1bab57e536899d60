"""The data plane as one thing: the agent starts it, kills clusters in it, and asks how it is."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

from devkit.aws.data import Data
from devkit.dataplane.answers import Answers
from devkit.dataplane.checkers import Checkers
from devkit.dataplane.cluster_view import ClusterView
from devkit.dataplane.dns import HOME, Answerer, new_dice
from devkit.dataplane.entry import Entry
from devkit.dataplane.ingress import Answer, answer
from devkit.dataplane.places import Place, Places, lay_out
from devkit.dataplane.tls import server_context
from devkit.dataplane.zone_view import ZoneView
from devkit.errors import DevkitError
from devkit.plugs import PlaneConfig
from devkit.proxy import How

FOLLOW_SECONDS = 0.1
KNOWN_SECONDS = 10
SPEED_VARIABLE = "FLEET_DEVKIT_CHECK_SPEED"
SEED_VARIABLE = "FLEET_DEVKIT_DNS_SEED"


class DataPlane:
    """Entries, checkers and the DNS answerer of one devkit."""

    def __init__(self, config: PlaneConfig) -> None:
        self._config = config
        self.places = Places(lay_out([one.cluster for one in config.clusters], str(config.home)))
        self._zones = ZoneView(config.route53_url)
        self._checkers = Checkers(self.places, float(os.environ.get(SPEED_VARIABLE, "1")))
        seed = os.environ.get(SEED_VARIABLE)
        self._dice = new_dice(int(seed) if seed else None)
        self._dns = Answerer(self._answers, self.places)
        self._views = {
            one.cluster.name: ClusterView(one.kubeconfig)
            for one in config.clusters
            if any(place.cluster == one.cluster.name for place in self.places.all)
        }
        kubeconfigs = {one.cluster.name: one.kubeconfig for one in config.clusters}
        self._entries = [
            self._entry(place, kubeconfigs[place.cluster]) for place in self.places.all
        ]
        self._following: asyncio.Task[None] | None = None

    def _entry(self, place: Place, kubeconfig: Path) -> Entry:
        return Entry(
            place.cluster,
            place.address,
            place.served_port,
            self._asker(place.cluster),
            server_context(kubeconfig),
        )

    def _asker(self, cluster: str) -> Callable[[str, str], Answer]:
        view = self._views[cluster]
        return lambda host, path: answer(view.objects, host, path)

    def _answers(self) -> Answers:
        return Answers(self._zones.dump, self._checkers.is_healthy, self._dice)

    async def start(self) -> None:
        """Serve. **Errors**: DevkitError where a port cannot be had."""
        await self._zones.start()
        await asyncio.gather(*(view.start(KNOWN_SECONDS) for view in self._views.values()))
        for entry in self._entries:
            try:
                await entry.start()
            except OSError as error:
                raise DevkitError(
                    f"the entry of '{entry.cluster}' cannot listen on "
                    f"{entry.address}:{entry.port}: {error.strerror}"
                ) from error
        try:
            await self._dns.start(self._config.dns_port)
        except OSError as error:
            raise DevkitError(
                f"DNS cannot listen on {HOME}:{self._config.dns_port}: {error.strerror}"
            ) from error
        self._following = asyncio.create_task(self._follow())

    async def _follow(self) -> None:
        """Tell the checkers for ever what there is to check."""
        while True:
            self._checkers.follow(self._zones.dump.checks)
            await asyncio.sleep(FOLLOW_SECONDS)

    async def stop(self) -> None:
        """End everything."""
        if self._following is not None:
            self._following.cancel()
            await asyncio.gather(self._following, return_exceptions=True)
        await self._dns.stop()
        await self._checkers.stop()
        for entry in self._entries:
            await entry.stop()
        for view in self._views.values():
            await view.stop()
        await self._zones.stop()

    async def kill(self, cluster: str, how: str) -> None:
        """Let a cluster's entry die: refuse, blackhole or hang."""
        await self._become(cluster, How(how))

    async def revive(self, cluster: str) -> None:
        """Bring a cluster's entry back."""
        await self._become(cluster, How.ALIVE)

    def be_late(self, seconds: float) -> None:
        """Let every check report what turned red so many seconds later."""
        self._checkers.late_seconds = seconds

    async def _become(self, cluster: str, how: How) -> None:
        for entry in self._entries:
            if entry.cluster == cluster:
                await entry.become(how)

    def status(self) -> dict[str, object]:
        """Say how entries, checks and names are, in values that JSON knows."""
        entries: dict[str, Data] = {
            f"{place.cluster} {place.target}:{place.port}": {
                "at": f"http://{entry.address}:{entry.port}",
                "how": str(entry.how),
                "trouble": self._views[place.cluster].trouble,
            }
            for place, entry in zip(self.places.all, self._entries, strict=True)
        }
        return {
            "dns": f"{HOME}:{self._dns.port}",
            "entries": entries,
            "checks": self._checkers.status(),
            "shares": self._answers().all_shares(),
            "names": self._names(),
        }

    def _names(self) -> dict[str, Data]:
        """How every weighted record stands, by name, then by cluster."""
        found: dict[str, dict[str, Data]] = {}
        for records in self._zones.dump.zones.values():
            for record in records:
                view = self._views.get(record.set_identifier)
                if record.weight is not None and view is not None:
                    healthy = not record.health_check or self._checkers.is_healthy(
                        record.health_check
                    )
                    found.setdefault(record.name, {})[record.set_identifier] = {
                        "weight": record.weight,
                        "healthy": healthy,
                        "ready": answer(view.objects, record.name, "/").ready,
                        "check": record.health_check,
                        "ttl": record.ttl,
                    }
        return {name: dict(each) for name, each in sorted(found.items())}
