"""The plugin as a process: quick to start, quiet to end."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_quietly_on_a_signal(number: signal.Signals) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "devkit.aws", "127.0.0.1:1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=PROJECT,
    )
    assert process.stdout is not None
    assert int(process.stdout.readline()) > 0
    process.send_signal(number)
    out, err = process.communicate(timeout=10)
    assert (process.returncode, out, err) == (0, b"", b"")


def test_it_ends_when_its_parent_is_gone() -> None:
    code = (
        "import subprocess, sys; p = subprocess.Popen([sys.executable, '-m', 'devkit.aws', 'x'],"
        " stdout=subprocess.PIPE); p.stdout.readline(); print(p.pid, flush=True)"
    )
    parent = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        capture_output=True,
        cwd=PROJECT,
        check=True,
        text=True,
        timeout=60,
    )
    child = Path(f"/proc/{int(parent.stdout)}/stat")
    deadline = time.monotonic() + 15
    while child.exists() and child.read_text().split()[2] != "Z":
        assert time.monotonic() < deadline, "the plugin outlived the engine"
        time.sleep(0.1)
