"""The engine runs Python programs through the devkit's language host."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from devkit import processes
from devkit.home import Home, environment

pytestmark = pytest.mark.engine

SECONDS = 90
Run = Callable[..., subprocess.CompletedProcess[str]]
ASYNC_PROGRAM = """\
import asyncio, os, sys
from dataclasses import dataclass
import pulumi
import beside

@dataclass
class Later:
    text: "str"

async def main():
    config = pulumi.Config()
    mode = config.get("mode") or ""
    await asyncio.sleep(0)
    if mode == "run-error":
        raise pulumi.RunError("inventory/eu.yaml:3:5: zone: unknown")
    if mode == "raise":
        raise ValueError("not foreseen")
    if mode == "exit":
        sys.exit(3)
    if mode == "killed":
        os.kill(os.getpid(), 9)
    if mode == "wait":
        print("waiting now", flush=True)
        await asyncio.sleep(600)
    return {
        "secret": config.get_secret("word"),
        "folder": os.getcwd(),
        "project": pulumi.get_project(),
        "stack": pulumi.get_stack(),
        "organization": pulumi.get_organization(),
        "beside": beside.VALUE,
        "main": sys.modules["__main__"].Later.__name__,
    }

pulumi.run(main)
"""
CLASSIC_PROGRAM = """\
import pulumi
pulumi.export("dry", pulumi.runtime.is_dry_run())
pulumi.export("later", pulumi.Output.from_input(20).apply(lambda number: number + 1))
"""


class Project:
    """A Pulumi project in a folder, with one stack."""

    def __init__(self, folder: Path, home: Path, program: str) -> None:
        self.folder = folder
        self.environment = environment(Home(home))
        folder.mkdir()
        (folder / "Pulumi.yaml").write_text(f"name: {folder.name}\nruntime: python\n")
        (folder / "__main__.py").write_text(program)
        (folder / "beside.py").write_text("VALUE = 'a module beside the program'\n")
        self.pulumi("stack", "init", "dev")

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start the engine."""
        return subprocess.Popen(
            ["pulumi", *arguments, "--non-interactive"],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def pulumi(self, *arguments: str) -> tuple[int, str]:
        """Run the engine and return its exit code and everything that it printed."""
        with self.start(*arguments) as engine:
            output, _ = engine.communicate(timeout=SECONDS)
        return engine.returncode, output

    def outputs(self) -> dict[str, object]:
        """Return the stack's outputs, secrets shown."""
        _, text = self.pulumi("stack", "output", "--json", "--show-secrets")
        found: dict[str, object] = json.loads(text)
        return found


@pytest.fixture(scope="module")
def project(devkit: tuple[Path, Run], tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Give a project with an asynchronous program."""
    return Project(tmp_path_factory.mktemp("projects") / "later", devkit[0], ASYNC_PROGRAM)


def test_an_async_program_sees_config_project_and_folder(project: Project) -> None:
    project.pulumi("config", "set", "--secret", "word", "hush")
    code, text = project.pulumi("up", "--yes", "--skip-preview")
    assert code == 0, text
    assert "hush" not in text
    assert "warning" not in text
    assert project.outputs() == {
        "secret": "hush",
        "folder": str(project.folder),
        "project": "later",
        "stack": "dev",
        "organization": "organization",
        "beside": "a module beside the program",
        "main": "Later",
    }


def test_a_classic_program_runs(devkit: tuple[Path, Run], tmp_path: Path) -> None:
    project = Project(tmp_path / "classic", devkit[0], CLASSIC_PROGRAM)
    code, text = project.pulumi("up", "--yes", "--skip-preview")
    assert code == 0, text
    assert project.outputs() == {"dry": False, "later": 21}


def test_preview_json_is_json_alone(project: Project) -> None:
    with subprocess.Popen(
        ["pulumi", "preview", "--json", "--non-interactive"],
        cwd=project.folder,
        env=project.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as engine:
        text, _ = engine.communicate(timeout=SECONDS)
    assert engine.returncode == 0
    assert json.loads(text)["steps"][0]["urn"].endswith("::later-dev")


def test_a_run_error_is_shown_as_its_text_alone(project: Project) -> None:
    code, text = project.pulumi("preview", "-c", "mode=run-error")
    project.pulumi("config", "rm", "mode")
    assert code != 0
    assert "error: inventory/eu.yaml:3:5: zone: unknown" in text
    assert "Traceback" not in text
    assert "unhandled" not in text


def test_another_exception_is_shown_with_its_traceback(project: Project) -> None:
    code, text = project.pulumi("preview", "-c", "mode=raise")
    project.pulumi("config", "rm", "mode")
    assert code != 0
    assert "ValueError: not foreseen" in text
    assert "language_program.py" not in text


@pytest.mark.parametrize(
    ("mode", "sentence"),
    [
        pytest.param("exit", "the program ended with exit code 3", id="exit code"),
        pytest.param("killed", "the program was ended by signal 9", id="signal"),
    ],
)
def test_an_ended_program_fails_the_run(project: Project, mode: str, sentence: str) -> None:
    code, text = project.pulumi("preview", "-c", f"mode={mode}")
    project.pulumi("config", "rm", "mode")
    assert code != 0
    assert sentence in text


def hosts(folder: Path) -> list[int]:
    """Return the processes that run a program of that folder."""
    return processes.running(lambda arguments: str(folder) in " ".join(arguments))


def wait_for_program(engine: subprocess.Popen[str]) -> None:
    """Read until the program has said that it waits."""
    deadline = time.monotonic() + SECONDS
    assert engine.stdout
    while time.monotonic() < deadline:
        if "waiting now" in engine.stdout.readline():
            return
    pytest.fail("the program did not come to wait")


def wait_until_gone(folder: Path) -> None:
    deadline = time.monotonic() + 10
    while hosts(folder):
        assert time.monotonic() < deadline, "a program is left behind"
        time.sleep(0.1)


def test_an_interrupt_ends_quietly_and_leaves_no_process(project: Project) -> None:
    with project.start("up", "--yes", "--skip-preview", "-c", "mode=wait") as engine:
        wait_for_program(engine)
        started = time.monotonic()
        engine.send_signal(signal.SIGINT)
        text, _ = engine.communicate(timeout=SECONDS)
    project.pulumi("config", "rm", "mode")
    assert engine.returncode != 0
    assert time.monotonic() - started < 15
    assert "update canceled" in text
    assert "Traceback" not in text
    wait_until_gone(project.folder)


def test_a_killed_engine_leaves_no_program(project: Project) -> None:
    with project.start("preview", "-c", "mode=wait") as engine:
        wait_for_program(engine)
        assert hosts(project.folder)
        os.kill(engine.pid, signal.SIGKILL)
        engine.wait(SECONDS)
        wait_until_gone(project.folder)
    project.pulumi("config", "rm", "mode")
