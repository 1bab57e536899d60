"""Many questions at the same time, each with its own limit.

In threads that end with the process: whoever answers byte by byte holds up nobody, not even the
end of the program.
"""

import threading
import time
from collections.abc import Callable, Mapping
from queue import Empty, SimpleQueue
from typing import TypeVar

AT_ONCE = 64
T = TypeVar("T")


def together(tasks: Mapping[str, Callable[[], T]], seconds: float) -> dict[str, T | None]:
    """What every task returned, by its name; None where it took longer. A task does not raise.

    **Units**: `seconds` is the limit of each task.
    """
    waiting = sorted(tasks, reverse=True)
    deadlines: dict[str, float] = {}
    done: SimpleQueue[tuple[str, T]] = SimpleQueue()
    results: dict[str, T | None] = {}
    while waiting or deadlines:
        while waiting and len(deadlines) < AT_ONCE:
            name = waiting.pop()
            deadlines[name] = time.monotonic() + seconds
            _start(name, tasks[name], done)
        try:
            left = min(deadlines.values()) - time.monotonic()
            name, result = done.get(timeout=max(0.01, left))
        except Empty:
            for name in [name for name, each in deadlines.items() if each <= time.monotonic()]:
                del deadlines[name]
                results[name] = None
        else:
            if deadlines.pop(name, None) is not None:
                results[name] = result
    return results


def _start(name: str, task: Callable[[], T], done: "SimpleQueue[tuple[str, T]]") -> None:
    def run() -> None:
        done.put((name, task()))

    threading.Thread(target=run, name=name, daemon=True).start()
