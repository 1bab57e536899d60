"""Processes that the devkit started: found by what they run, ended by their own id."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

POLL_SECONDS = 0.05
PROC = Path("/proc")


def command_lines() -> dict[int, list[str]]:
    """Return the arguments of every process that this user can see, by process id."""
    if PROC.joinpath("self", "cmdline").exists():
        return _from_proc()
    listing = subprocess.run(
        ["ps", "-axo", "pid=,args="], capture_output=True, text=True, check=True
    )
    rows = (line.split() for line in listing.stdout.splitlines())
    return {int(row[0]): row[1:] for row in rows if row}


def _from_proc() -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for folder in PROC.iterdir():
        if folder.name.isdigit():
            # A process may end while it is looked at.
            with suppress(OSError):
                text = (folder / "cmdline").read_bytes().decode(errors="replace")
                found[int(folder.name)] = text.rstrip("\0").split("\0")
    return found


def running(is_ours: Callable[[list[str]], bool]) -> list[int]:
    """Return the ids of the processes whose arguments are ours, zombies left out."""
    me = os.getpid()
    return sorted(
        pid
        for pid, arguments in command_lines().items()
        if pid != me and any(arguments) and is_ours(arguments)
    )


def is_alive(pid: int) -> bool:
    """Tell whether the process still runs; one that waits to be reaped does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    with suppress(OSError, IndexError):
        return (PROC / str(pid) / "stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    return True


def end(pids: Iterable[int], patience_seconds: float) -> None:
    """Ask processes to end; those that still run after the patience are killed."""
    remaining = [pid for pid in pids if _signal(pid, signal.SIGTERM)]
    remaining = _wait(remaining, patience_seconds)
    for pid in remaining:
        _signal(pid, signal.SIGKILL)
    _wait(remaining, patience_seconds)


def _signal(pid: int, number: signal.Signals) -> bool:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return False
    return True


def _wait(pids: list[int], seconds: float) -> list[int]:
    deadline = time.monotonic() + seconds
    while True:
        pids = [pid for pid in pids if _still_runs(pid)]
        if not pids or time.monotonic() > deadline:
            return pids
        time.sleep(POLL_SECONDS)


def _still_runs(pid: int) -> bool:
    # A child of this very process stays a zombie until it is reaped.
    with suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
    return is_alive(pid)
