"""What a drill writes down of a name every 100 ms: weights, checks and ready replicas."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from devkit import control
from devkit.home import Home

PERIOD_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Look:
    """How a name's records stood at a moment; by cluster.

    **Units**: `time` in seconds since 1970.
    """

    time: float
    weights: Mapping[str, int]
    healthy: Mapping[str, bool]
    ready: Mapping[str, int]


def look(home: Home, name: str) -> Look:
    """How a name's records stand now. **Errors**: DevkitError where no devkit is up."""
    records: dict[str, dict[str, Any]] = named(home, name)
    return Look(
        time.time(),
        {cluster: each["weight"] for cluster, each in records.items()},
        {cluster: each["healthy"] for cluster, each in records.items()},
        {cluster: each["ready"] for cluster, each in records.items()},
    )


def named(home: Home, name: str) -> dict[str, dict[str, Any]]:
    """A name's records by cluster, as the agent has them; empty where it has none."""
    found: dict[str, dict[str, Any]] = control.ask(home, command="status")["plane"]["names"].get(
        name, {}
    )
    return found


@contextmanager
def recording(home: Home, name: str) -> Iterator[list[Look]]:
    """Looks every 100 ms while the block runs; the list grows meanwhile."""
    looks: list[Look] = []
    ended = threading.Event()

    def run() -> None:
        while not ended.is_set():
            looks.append(look(home, name))
            ended.wait(PERIOD_SECONDS)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield looks
    finally:
        ended.set()
        thread.join()


def first(looks: list[Look], since: float, holds: Callable[[Look], bool]) -> float | None:
    """When something held first after a moment, in seconds from it; None where it never did."""
    return next((each.time - since for each in looks if each.time >= since and holds(each)), None)
