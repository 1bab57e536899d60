"""Updates that are killed anywhere in a switch: `fleet recover`, then `pulumi up` converges."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from devkit.dataplane.watch import Sample
from devkit.home import PROJECT, environment
from tests.harness.documents import lay_switchable
from tests.harness.project import Done, Project, Running, measured

pytestmark = pytest.mark.live
LIMIT_SECONDS = 200


def fleet(project: Project, *words: str, code: int = 0) -> Done:
    """Runs fleet's command line in the project's folder."""
    done = subprocess.run(
        [sys.executable, "-m", "fleet", *words],
        cwd=project.root,
        env={**environment(project.world.home), "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT_SECONDS,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return Done(done.returncode, done.stdout, done.stderr, 0)


def weights_have_risen(project: Project) -> bool:
    """The middle of a switch: the new side has weight, the old side still runs everything."""
    return project.world.weights(f"web.{project.zone}") == {"eu-1": 100, "us-1": 100}


def test_a_killed_engine_in_a_switch_is_recovered(project: Project) -> None:
    lay_switchable(project)
    project.up()
    assert "nothing to recover" in fleet(project, "recover", "--stack", project.name).out
    project.config(activeRegion="us-east-1")
    with project.running("up", "--yes", "--skip-preview") as up:
        project.eventually(lambda: weights_have_risen(project), "both sides have weight")
        up.kill()
    done = fleet(project, "recover", "--stack", project.name, code=1)
    print(done.text)
    done = fleet(project, "recover", "--yes", "--stack", project.name)
    print(done.text)
    assert "nothing to recover" in fleet(project, "recover", "--stack", project.name).out
    project.up()
    assert project.world.replicas(project.name) == {"web": {"eu-1": 2, "us-1": 4}}
    assert project.world.weights(f"web.{project.zone}") == {"eu-1": 0, "us-1": 100}
    project.unchanged()
