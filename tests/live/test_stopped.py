"""A region that comes back after its writers were stopped by hand, as a runbook says it."""

import pytest

from tests.harness.documents import lay_plain, placement
from tests.harness.project import Project

pytestmark = pytest.mark.live


def test_writers_that_were_stopped_by_hand_run_again_after_a_refresh(project: Project) -> None:
    """The state does not know of the hand; the refresh reads it, and the update sees 0 -> 2."""
    world, namespace = project.world, project.name
    lay_plain(project, 2, placement("web", division={"mode": "duplicated"}))
    project.up()
    project.config(down=["eu-1"])
    project.up()
    world.kubectl("eu-1", "-n", namespace, "scale", "deployment/web", "--replicas=0")
    assert world.replicas(namespace) == {"web": {"eu-1": 0, "us-1": 2, "ap-1": 2}}

    project.config(down=None)
    project.pulumi("refresh", "--yes")
    project.up()
    assert world.replicas(namespace) == {"web": {"eu-1": 2, "us-1": 2, "ap-1": 2}}
    project.unchanged()
