"""The main job before the reader's eyes: a placement on three clusters, and a region switch.

First what needs no engine, then the engine is found or compiled, then everything for real; at the
end, also after a failure, everything that was started is ended.
"""

import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from devkit.dataplane.watch import watching
from devkit.demo_views import objects_table, records_table, watch_table
from devkit.home import PROJECT, Home, environment, locate

CLUSTERS = ("eu-1", "us-1", "ap-1")
STACK = "demo"
NAME = "api.fleet.test"


@dataclass(slots=True)
class Demo:
    """One run of the demo; every command is printed before it runs."""

    home: Home
    started: float = field(default_factory=time.monotonic)

    def headline(self, text: str) -> None:
        """What comes next, with the seconds since the start."""
        print(f"\n== {text}  [{time.monotonic() - self.started:.0f} s]", flush=True)

    def run(self, *command: str) -> None:
        """Runs a command before the reader's eyes; a failure ends the demo."""
        shown = " ".join(("fleet", *command[3:]) if command[1:3] == ("-m", "fleet") else command)
        print(f"\n$ {shown}", flush=True)
        begun = time.monotonic()
        done = subprocess.run(command, cwd=PROJECT, env=environment(self.home.root), check=False)
        print(f"  ({time.monotonic() - begun:.1f} s)", flush=True)
        if done.returncode:
            message = f"the demo stopped: '{shown}' exited {done.returncode}"
            raise SystemExit(message)

    def fleet(self, *arguments: str) -> None:
        """The command line, as a user calls it."""
        self.run(sys.executable, "-m", "fleet", *arguments)

    def devkit(self, *arguments: str) -> None:
        """The devkit, as a user calls it."""
        self.run(sys.executable, "-m", "devkit", *arguments)

    def pulumi(self, *arguments: str) -> None:
        """The engine, as a user calls it."""
        quiet = ("--suppress-outputs", "--suppress-progress") if arguments[0] != "config" else ()
        self.run("pulumi", *arguments, "--stack", STACK, "--non-interactive", *quiet)

    def show(self, title: str, view: Callable[[Home], str]) -> None:
        """Prints what is there now."""
        print(f"\n{title}\n{view(self.home)}", flush=True)


def main() -> None:
    """The whole demo."""
    demo = Demo(locate(None))
    demo.headline("What needs no engine: the files are valid, the plan, the reasons")
    demo.fleet("validate")
    demo.fleet("plan")
    demo.fleet("explain", "api")
    demo.headline("The engine (compiled once, about 25 minutes on two cores, then cached)")
    demo.devkit("engine")
    with _devkit(demo), _stack(demo):
        _place(demo)
        _switch(demo)
    demo.headline("Done; everything that was started is ended")


@contextmanager
def _devkit(demo: Demo) -> Iterator[None]:
    demo.headline("Three real API servers in three regions, a Route53 endpoint and a DNS answerer")
    try:
        demo.devkit("up", "--clusters", ",".join(CLUSTERS))
        yield
    finally:
        demo.devkit("down")


@contextmanager
def _stack(demo: Demo) -> Iterator[None]:
    """A stack of its own, so that the demo changes no file of yours."""
    config = PROJECT / f"Pulumi.{STACK}.yaml"
    shutil.copy(PROJECT / "Pulumi.dev.yaml", config)
    try:
        demo.run("pulumi", "stack", "init", STACK)
        yield
    finally:
        config.unlink(missing_ok=True)


def _place(demo: Demo) -> None:
    demo.headline("pulumi preview, then pulumi up: the placement as a reviewed diff")
    demo.pulumi("preview")
    demo.pulumi("up", "--yes", "--skip-preview")
    demo.show("The live objects of three clusters:", objects_table)
    demo.show("The records:", records_table)


def _switch(demo: Demo) -> None:
    demo.headline("The region switch: one config line, one update")
    demo.pulumi("config", "set", "activeRegion", "us-east-1")
    samples = demo.home.root / "switch.jsonl"
    with watching(NAME, demo.home.root, samples):
        demo.pulumi("up", "--yes", "--skip-preview")
    print(f"\nWho answered '{NAME}' meanwhile, asked every 100 ms through DNS:")
    print(watch_table(samples))
    samples.unlink()
    demo.show("The records after the switch:", records_table)
    demo.headline("A second preview reports no change")
    demo.pulumi("preview", "--expect-no-changes")


if __name__ == "__main__":
    main()
