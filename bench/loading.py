"""How long files take to load: `python -m bench.loading [WORKLOADS ...]`.

Each figure is taken in a process of its own: cold (no cache), filling (the first run with a cache),
cached (the next one, nothing changed), and cached with every object's body read as well, as a plan
does. Seconds of processor; peak memory of the process in MB.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from math import log2
from pathlib import Path

from bench.files import Written, write_fleet
from fleet.load import load_snapshot
from fleet.model.settings import Settings

SIZES = (1_000, 2_000, 5_000, 10_000)
RUNS = ("cold", "filling", "cached", "bodies")
GOAL_SIZE = 10_000
GOALS = {"cold": 15.0, "cached": 2.0}
_ONE = "--one"
_WIDTH = 10


def main(words: list[str]) -> int:
    """Measures and prints; exit 1 where a goal was missed."""
    if words[:1] == [_ONE]:
        print(json.dumps(measure(words[1], Path(words[2]), Path(words[3]))))
        return 0
    sizes = [int(word) for word in words] or list(SIZES)
    missed = [miss for one_file in (False, True) for miss in _series(sizes, one_file=one_file)]
    for sentence in missed:
        print(f"missed: {sentence}")
    return 1 if missed else 0


def measure(run: str, root: Path, cache: Path) -> dict[str, float]:
    """One run in this process."""
    before, wall = time.process_time(), time.perf_counter()
    snapshot = load_snapshot(Settings(), root, None if run == "cold" else cache)
    if run == "bodies":
        for linked in snapshot.linked:
            for manifest in linked.workload.manifests:
                _ = manifest.body
    return {
        "seconds": time.process_time() - before,
        "wall": time.perf_counter() - wall,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def _series(sizes: list[int], *, one_file: bool) -> list[str]:
    """All sizes of one layout, a line each; what missed a goal."""
    print("all in one file" if one_file else "a folder and a policy file for each workload")
    heads = [f"{run} s" for run in RUNS] + ["cold MB", "cached MB", "x2 cold", "x2 cached"]
    print(f"{'workloads':>{_WIDTH}}{'lines':>{_WIDTH}}" + "".join(f"{h:>{_WIDTH}}" for h in heads))
    missed: list[str] = []
    before: tuple[int, dict[str, float]] | None = None
    for size in sizes:
        written, found = _measured(size, one_file=one_file)
        seconds = {run: each["seconds"] for run, each in found.items()}
        growth = [_doubling(before, (size, seconds), run) for run in ("cold", "cached")]
        cells = [
            str(size),
            str(written.lines + written.policy_lines),
            *(f"{seconds[run]:.2f}" for run in RUNS),
            *(f"{found[run]['megabytes']:.0f}" for run in ("cold", "cached")),
            *growth,
        ]
        print("".join(f"{cell:>{_WIDTH}}" for cell in cells), flush=True)
        missed += [
            f"{size} workloads {run}: {seconds[run]:.2f} s, goal {goal} s"
            for run, goal in GOALS.items()
            if size <= GOAL_SIZE and seconds[run] > goal
        ]
        before = size, seconds
    return missed


def _measured(size: int, *, one_file: bool) -> tuple[Written, dict[str, dict[str, float]]]:
    with tempfile.TemporaryDirectory() as folder:
        root, cache = Path(folder) / "fleet", Path(folder) / "cache"
        written = write_fleet(root, size, one_file=one_file)
        found = {}
        for run in RUNS:
            command = [sys.executable, "-m", "bench.loading", _ONE, run, str(root), str(cache)]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            found[run] = json.loads(done.stdout)
    return written, found


def _doubling(
    before: tuple[int, dict[str, float]] | None, now: tuple[int, dict[str, float]], run: str
) -> str:
    """By what twice as many workloads multiply the seconds; 2.0 is linear."""
    if before is None:
        return "-"
    doublings = log2(now[0] / before[0])
    return f"{(now[1][run] / before[1][run]) ** (1 / doublings):.2f}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
