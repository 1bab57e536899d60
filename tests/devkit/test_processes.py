"""Processes are found by what they run and ended by their own id."""

import signal
import subprocess
import sys
import time

from devkit import processes

STUBBORN = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("on", flush=True)
time.sleep(60)
"""


def a_process(code: str, mark: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", code, mark], stdout=subprocess.PIPE, text=True)


def test_running_finds_by_arguments() -> None:
    code = "import time; print('on', flush=True); time.sleep(60)"
    with a_process(code, "mark-of-this-test") as process:
        assert process.stdout
        process.stdout.readline()  # its arguments are readable once it runs
        found = processes.running(lambda arguments: arguments[-1] == "mark-of-this-test")
        process.kill()
    assert found == [process.pid]


def test_end_kills_what_does_not_end() -> None:
    with a_process(STUBBORN, "stubborn") as process:
        assert process.stdout
        process.stdout.readline()
        started = time.monotonic()
        processes.end([process.pid], 0.3)
        assert 0.3 <= time.monotonic() - started < 3
        assert not processes.is_alive(process.pid)


def test_end_does_not_wait_for_what_ends() -> None:
    with a_process("import time; time.sleep(60)", "meek") as process:
        started = time.monotonic()
        processes.end([process.pid], 10)
        assert time.monotonic() - started < 5


def test_a_zombie_is_not_alive() -> None:
    with a_process("pass", "zombie") as process:
        deadline = time.monotonic() + 10
        while processes.is_alive(process.pid) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert not processes.is_alive(process.pid)


def test_end_passes_over_what_is_gone() -> None:
    with a_process("pass", "gone") as process:
        process.wait()
    processes.end([process.pid], 0.1)
    assert process.returncode != -signal.SIGKILL
