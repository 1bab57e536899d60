"""A devkit of the tests' own, taken down at the end."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from devkit.home import HOME_VARIABLE, PROJECT

Run = Callable[..., subprocess.CompletedProcess[str]]


def devkit_command(*arguments: str) -> list[str]:
    """Return the command line of a devkit command."""
    return [sys.executable, "-m", "devkit", *arguments]


@pytest.fixture(scope="module")
def devkit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Run]]:
    """Give a home whose engine is ready, and a function that runs devkit commands in it."""
    home = tmp_path_factory.mktemp("devkit") / "home"
    environment = {**os.environ, HOME_VARIABLE: str(home)}

    def run(*arguments: str, cwd: Path = PROJECT) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            devkit_command(*arguments),
            cwd=cwd,
            env={**environment, "PYTHONPATH": str(PROJECT)},
            capture_output=True,
            text=True,
            check=False,
            timeout=1800,
        )

    ready = run("engine")
    assert ready.returncode == 0, ready.stdout + ready.stderr
    yield home, run
    run("down")
