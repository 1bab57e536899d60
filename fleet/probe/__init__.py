"""Asks every cluster of the inventory at the same time, each within its own limits.

An effect, as emission is: what it finds reaches the core as a file only, so that a plan depends on
nothing but files.
"""

import time
from collections.abc import Iterable
from functools import partial

from fleet.emit.access import ClusterAccess
from fleet.probe.look import look
from fleet.probe.reader import Reader
from fleet.probe.together import together
from fleet.probe.values import Answer, Reach

_LATE = "it did not answer everything in time"


def probe(accesses: Iterable[ClusterAccess], seconds: float) -> dict[str, Answer]:
    """What every cluster said, by its name. **Units**: `seconds` is the limit of each cluster."""
    readers = {each.cluster: Reader(each) for each in accesses}
    tasks = {name: partial(_look, each, seconds) for name, each in readers.items()}
    return {
        name: answer or _late(readers[name]) for name, answer in together(tasks, seconds).items()
    }


def _look(reader: Reader, seconds: float) -> Answer:
    reader.deadline = time.monotonic() + seconds
    return look(reader)


def _late(reader: Reader) -> Answer:
    return Answer(Reach.ANSWERS if reader.answered else Reach.SILENT, error=_LATE)
