"""Route53's health checkers: they ask at the interval, and flip at the threshold."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass

from devkit.aws.data import Data, Table, flag, number, text
from devkit.dataplane.places import Places
from devkit.dataplane.probe import probe
from devkit.dataplane.zone_view import children_of

PROBED = ("HTTP", "HTTPS", "HTTP_STR_MATCH", "HTTPS_STR_MATCH", "TCP")


@dataclass
class State:
    """What is known about one check's endpoint.

    Attributes:
        healthy: as measured; a new check is healthy until it has data.
        streak: how many results in a row speak against `healthy`.
        reason: why the last look found it unhealthy.
        looks: how many looks there were.
        changed: when `healthy` flipped last, in seconds since 1970; 0 for never.
    """

    healthy: bool = True
    streak: int = 0
    reason: str = ""
    looks: int = 0
    changed: float = 0.0

    def take(self, reason: str, threshold: int, now: float) -> None:
        """Take one result; as many in a row as the threshold says flip the state."""
        self.reason = reason
        self.looks += 1
        self.streak = 0 if (not reason) == self.healthy else self.streak + 1
        if self.streak >= threshold:
            self.healthy, self.streak, self.changed = not self.healthy, 0, now


class Checkers:
    """Runs one checker per health check and knows how each stands.

    `speed` makes all of them ask that many times as often as they are told to. `late_seconds` is
    a fault for drills: what turned red is reported that much later.
    """

    def __init__(self, places: Places, speed: float = 1.0) -> None:
        self._places = places
        self._speed = speed
        self.late_seconds = 0.0
        self._configs: Mapping[str, Table] = {}
        self._states: dict[str, State] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def follow(self, configs: Mapping[str, Table]) -> None:
        """Begin what is new, end what is gone, begin anew what was changed."""
        for name, old in self._configs.items():
            if configs.get(name) != old:
                self._tasks.pop(name).cancel()
            if name not in configs:
                del self._states[name]
        for name, config in configs.items():
            state = self._states.setdefault(name, State())
            if name not in self._tasks:
                self._tasks[name] = asyncio.create_task(self._check(config, state))
        self._configs = dict(configs)

    async def stop(self) -> None:
        """End every checker."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _check(self, config: Table, state: State) -> None:
        if text(config, "Type") not in PROBED or flag(config, "Disabled"):
            return
        pause = number(config, "RequestInterval", 30) / self._speed
        while True:
            began = time.monotonic()
            reason = await probe(config, self._places)
            state.take(reason, number(config, "FailureThreshold", 3), time.time())
            await asyncio.sleep(max(0.0, pause - (time.monotonic() - began)))

    def is_healthy(self, name: str) -> bool:
        """Say how Route53 takes a check: disabled is healthy, and inverted turns it round."""
        config = self._configs.get(name)
        if config is None:
            return True
        return self._measured(name, config) != flag(config, "Inverted")

    def _measured(self, name: str, config: Table) -> bool:
        if flag(config, "Disabled"):
            return True
        if text(config, "Type") == "CALCULATED":
            healthy = sum(self.is_healthy(child) for child in children_of(config))
            return healthy >= number(config, "HealthThreshold")
        state = self._states[name]
        return state.healthy or time.time() < state.changed + self.late_seconds

    def unhealthy(self) -> frozenset[str]:
        """Return every check that is unhealthy."""
        return frozenset(name for name in self._configs if not self.is_healthy(name))

    def status(self) -> dict[str, Data]:
        """Say how each check stands, in values that JSON knows."""
        return {name: self._described(name) for name in sorted(self._configs)}

    def _described(self, name: str) -> Data:
        config, state = self._configs[name], self._states[name]
        described: Table = {
            "healthy": self.is_healthy(name),
            "reason": state.reason,
            "looks": state.looks,
            "streak": state.streak,
            "changed": state.changed,
            "endpoint": _endpoint(config),
            "host": text(config, "FullyQualifiedDomainName"),
            "path": text(config, "ResourcePath"),
            "type": text(config, "Type"),
            "interval": number(config, "RequestInterval", 30),
            "threshold": number(config, "FailureThreshold", 3),
        }
        return described


def _endpoint(config: Table) -> str:
    """What is asked, or counted."""
    kind = text(config, "Type")
    if kind == "CALCULATED":
        return f"{kind} {number(config, 'HealthThreshold')} of {len(children_of(config))}"
    if kind not in PROBED:
        return f"{kind} {text(config, 'RoutingControlArn')}".rstrip()
    where = text(config, "IPAddress") or text(config, "FullyQualifiedDomainName")
    return f"{kind} {where}:{config.get('Port', '')}"
