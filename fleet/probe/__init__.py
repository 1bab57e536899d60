"""Asks every cluster of the inventory at the same time, each within its own limits.

An effect, as emission is: what it finds reaches the core as a file only, so that a plan depends on
nothing but files.
"""

import threading
import time
from collections.abc import Iterable
from queue import Empty, SimpleQueue

from fleet.emit.access import ClusterAccess
from fleet.probe.look import look
from fleet.probe.reader import Reader
from fleet.probe.values import Answer, Reach

AT_ONCE = 64
_LATE = "it did not answer everything in time"


def probe(accesses: Iterable[ClusterAccess], seconds: float) -> dict[str, Answer]:
    """What every cluster said, by its name. **Units**: `seconds` is the limit of each cluster.

    A cluster that answers byte by byte is given up all the same: its thread ends with the process.
    """
    waiting = sorted(accesses, key=lambda each: each.cluster, reverse=True)
    running: dict[str, Reader] = {}
    done: SimpleQueue[tuple[str, Answer]] = SimpleQueue()
    answers: dict[str, Answer] = {}
    while waiting or running:
        while waiting and len(running) < AT_ONCE:
            access = waiting.pop()
            running[access.cluster] = Reader(access, time.monotonic() + seconds)
            _start(running[access.cluster], done)
        soonest = min(each.deadline for each in running.values())
        try:
            cluster, answer = done.get(timeout=max(0.01, soonest - time.monotonic()))
        except Empty:
            answers.update(_given_up(running))
        else:
            if running.pop(cluster, None) is not None:
                answers[cluster] = answer
    return answers


def _start(reader: Reader, done: SimpleQueue[tuple[str, Answer]]) -> None:
    def ask() -> None:
        done.put((reader.access.cluster, look(reader)))

    threading.Thread(target=ask, name=f"probe {reader.access.cluster}", daemon=True).start()


def _given_up(running: dict[str, Reader]) -> dict[str, Answer]:
    """The clusters whose time is over."""
    late = [name for name, each in running.items() if each.deadline <= time.monotonic()]
    return {
        name: Answer(Reach.ANSWERS if running.pop(name).answered else Reach.SILENT, error=_LATE)
        for name in late
    }
