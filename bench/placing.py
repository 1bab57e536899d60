"""How long placing takes: `python -m bench.placing [CLUSTERSxWORKLOADS ...]`.

For each size: processor seconds from the loaded snapshot to all decisions (best of several runs),
where they go, memory, and how far that is from reading each (workload, cluster) pair once. Then the
growth per doubling. Every size runs in a process of its own, so that memory is its own.
"""

import gc
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.fleets import Fleet, a_fleet
from fleet.model.decision import Schedule
from fleet.model.settings import Settings
from fleet.schedule import schedule
from fleet.schedule.assignments import Assignments
from fleet.schedule.profile import DEFAULT
from fleet.schedule.run import Run

SIZES = ("100x1000", "1000x10000", "5000x10000")
DOUBLINGS = ("250x2500", "500x2500", "1000x2500", "1000x5000", "1000x10000")
KARMADA = {"100x1000": "0.64 to 0.95", "1000x10000": "86 to 129", "5000x10000": "613"}
"""Karmada's scheduler core in Go, one worker, without its API server, on a machine like this."""
_MIB = 1024


@dataclass(frozen=True, slots=True)
class Figures:
    """What one size took; seconds of the processor."""

    best: float
    start: float
    straight: float
    reading: float
    mib: int
    assignments: int
    promised_too_much: int


def main(arguments: list[str]) -> None:
    """Measures the sizes that were asked for, or all."""
    if arguments and arguments[0] == "--one":
        _print_one(arguments[1])
        return
    sizes = arguments or list(SIZES)
    print("clusters x workloads |  seconds | us a workload | ns a pair | times one reading | MiB")
    for size in sizes:
        _in_a_process(size)
    if not arguments:
        print("\ngrowth (from one line to the next clusters or workloads double)")
        for size in DOUBLINGS:
            _in_a_process(size)


def _in_a_process(size: str) -> None:
    subprocess.run([sys.executable, "-m", "bench.placing", "--one", size], check=True)


def _print_one(size: str) -> None:
    clusters, workloads = (int(part) for part in size.split("x"))
    figures = _measured(a_fleet(clusters, workloads))
    pairs = clusters * workloads
    print(
        f"{size:>20} | {figures.best:8.3f} | {figures.best / workloads * 1e6:13.1f} |"
        f" {figures.best / pairs * 1e9:9.1f} | {figures.best / figures.reading:17.1f} |"
        f" {figures.mib:3d}"
    )
    print(
        f"{'':>20}   of which the inventory's columns and accounts {figures.start:.3f} s;"
        f" {figures.straight:.1%} decided the straight way;"
        f" {figures.assignments} assignments; clusters promised more than they have:"
        f" {figures.promised_too_much}"
    )
    if size in KARMADA:
        print(f"{'':>20}   Karmada's core on a machine like this: {KARMADA[size]} s")


def _measured(fleet: Fleet) -> Figures:
    """The best of several runs, with what there is to know of them."""
    said = Settings()
    runs = 3 if len(fleet.snapshot.linked) * len(fleet.snapshot.clusters) > 10**6 else 15
    with _quiet():
        best = min(
            _seconds(lambda: schedule(fleet.snapshot, fleet.prior, said)) for _ in range(runs)
        )
        start = min(_seconds(lambda: _started(fleet)) for _ in range(3))
    made = schedule(fleet.snapshot, fleet.prior, said)
    mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // _MIB
    return Figures(
        best=best,
        start=start,
        straight=_share_of([isinstance(each.assignments, Assignments) for each in made.decisions]),
        reading=_reading(fleet),
        mib=mib,
        assignments=sum(len(each.assignments) for each in made.decisions),
        promised_too_much=_promised_too_much(fleet, made),
    )


@contextmanager
def _quiet() -> Iterator[None]:
    """Without the garbage collector, as the command line runs."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def _seconds(work: Callable[[], Any]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def _started(fleet: Fleet) -> Run:
    return Run(fleet.snapshot, fleet.prior, Settings(), DEFAULT)


def _share_of(answers: list[bool]) -> float:
    return sum(answers) / len(answers)


def _reading(fleet: Fleet) -> float:
    """Seconds for reading one number per pair once, a row of the grid per workload."""
    row = np.arange(len(fleet.snapshot.clusters), dtype=np.int64)
    count = len(fleet.snapshot.linked)
    return min(_seconds(lambda: [row.sum() for _ in range(count)]) for _ in range(3))


def _promised_too_much(fleet: Fleet, made: Schedule) -> int:
    """How many clusters are promised more of some resource than is free."""
    taken: dict[tuple[str, str], int] = {}
    for decision, item in zip(made.decisions, fleet.snapshot.linked, strict=True):
        for each in decision.assignments:
            for resource_name, amount in item.workload.request.items():
                key = (each.cluster, resource_name)
                taken[key] = taken.get(key, 0) + amount * each.replicas
    free = {cluster.name: cluster.free for cluster in fleet.snapshot.clusters}
    return len(
        {name for (name, what), amount in taken.items() if amount > free[name].get(what, amount)}
    )


if __name__ == "__main__":
    main(sys.argv[1:])
