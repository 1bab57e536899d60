"""A switch that is cut in the middle, and the switch back."""

import time

import pytest

from tests.harness.documents import lay_switchable
from tests.harness.project import Project, measured

pytestmark = pytest.mark.live

SLACK_SECONDS = 90


def weights_have_risen(project: Project) -> bool:
    """The middle of a switch: the new side has weight, the old side still runs everything."""
    return project.world.weights(f"web.{project.zone}") == {"eu-1": 100, "us-1": 100}


def test_ctrl_c_in_a_switch_then_the_switch_back(project: Project) -> None:
    lay_switchable(project)
    project.up()
    project.config(activeRegion="us-east-1")
    with project.running("up", "--yes", "--skip-preview") as up:
        project.eventually(lambda: weights_have_risen(project), "both sides have weight")
        up.interrupt()
        begun = time.monotonic()
        done = up.wait()
    measured(f"ends {time.monotonic() - begun:.1f} s after Ctrl-C, exit {done.code}")
    assert done.code != 0, done.text
    assert time.monotonic() - begun < SLACK_SECONDS
    assert project.world.replicas(project.name) == {"web": {"eu-1": 4, "us-1": 4}}
    project.reimport()

    project.config(activeRegion="eu-west-1")
    project.up()
    assert project.world.replicas(project.name) == {"web": {"eu-1": 4, "us-1": 2}}
    assert project.world.weights(f"web.{project.zone}") == {"eu-1": 100, "us-1": 0}
    project.unchanged()
    project.reimport()


def test_a_killed_engine_in_a_switch_then_the_switch_back(project: Project) -> None:
    lay_switchable(project)
    project.up()
    project.config(activeRegion="us-east-1")
    with project.running("up", "--yes", "--skip-preview") as up:
        project.eventually(lambda: weights_have_risen(project), "both sides have weight")
        up.kill()
    assert project.world.replicas(project.name) == {"web": {"eu-1": 4, "us-1": 4}}
    project.config(activeRegion="eu-west-1")
    refused = project.up(code=None)
    assert "pulumi cancel" in refused.text
    project.pulumi("cancel", "--yes")
    # Whatever the engine did and could not write down any more is read back first.
    project.pulumi("refresh", "--yes", "--skip-preview")
    project.up()
    assert project.world.replicas(project.name) == {"web": {"eu-1": 4, "us-1": 2}}
    assert project.world.weights(f"web.{project.zone}") == {"eu-1": 100, "us-1": 0}
    project.unchanged()
    project.reimport()
