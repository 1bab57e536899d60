"""Losses at random, as many as one likes, with a report: `python -m tests.soak --runs 100`."""

import argparse
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.harness.project import Project
from tests.harness.world import new_world
from tests.live.losses import Loss, Outcome, loss_of, play


def main() -> int:
    """Plays the runs and writes the report after each; 1 where one of them broke a promise."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--first", type=int, default=1, help="The first seed.")
    parser.add_argument("--out", type=Path, default=Path("docs/soak.md"))
    asked = parser.parse_args()
    outcomes: list[Outcome] = []
    broken: list[tuple[Loss, str]] = []
    begun = time.monotonic()
    with TemporaryDirectory() as text:
        world = new_world(Path(text) / "home")
        project = Project(Path(text) / "fleet", world, "soak")
        try:
            project.begin()
            for seed in range(asked.first, asked.first + asked.runs):
                loss = loss_of(seed)
                try:
                    outcomes.append(play(project, loss))
                except AssertionError as error:
                    broken.append((loss, str(error).strip().splitlines()[0]))
                _tell(loss, outcomes, broken)
                asked.out.write_text(report(outcomes, broken, time.monotonic() - begun))
        finally:
            world.down()
    return 1 if broken or any(each.faults for each in outcomes) else 0


def _tell(loss: Loss, outcomes: Sequence[Outcome], broken: Sequence[tuple[Loss, str]]) -> None:
    said = [*(each for lost, each in broken if lost == loss)]
    said += [each for one in outcomes if one.loss == loss for each in one.faults]
    sys.stdout.write(f"{loss}: {'; '.join(said) or 'as promised'}\n")
    sys.stdout.flush()


def report(outcomes: Sequence[Outcome], broken: Sequence[tuple[Loss, str]], seconds: float) -> str:
    """The runs as Markdown: a summary, then what broke a promise, then every run."""
    kept = [each for each in outcomes if not each.faults]
    felt = sorted(each.last_dead for each in outcomes if each.dead_answers)
    total = len(outcomes) + len(broken)
    lines = [
        "# Losses at random",
        "",
        f"{total} runs of `make soak` in {seconds / 60:.0f} min; {len(kept)} as promised.",
        "",
        "In each run a cluster of an active-standby pair dies at a random moment in a random way,",
        "an update repairs it, and the name is asked every 100 ms, with answers kept for the TTL.",
        "",
    ]
    if felt:
        most = max(each.promised.total for each in outcomes)
        median = statistics.median(felt)
        lines.append(
            f"Of {len(felt)} losses that were felt, the last dead answer came after {median:.1f} s"
            f" (median), {felt[-1]:.1f} s at most; promised are {most:.0f} s."
        )
        lines.append("")
    faults = [f"- {loss}: {said}" for loss, said in broken]
    faults += [f"- {one.loss}: {said}" for one in outcomes for said in one.faults]
    lines += ["## Broken promises", "", *(faults or ["none"]), "", "## Every run", ""]
    lines += ["| run | dead answers | last after | updates took |", "|---|---|---|---|"]
    lines += [
        f"| {one.loss} | {one.dead_answers} | {one.last_dead:.1f} s | {one.update_seconds:.1f} s |"
        for one in outcomes
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
