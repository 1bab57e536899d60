"""A switch over several updates, and a region that returns, on real clusters."""

import pytest

from devkit.dataplane.watch import Sample
from tests.harness.documents import lay_switchable
from tests.harness.project import Project

pytestmark = pytest.mark.live

REPLICAS = 4
STANDBY = 2


def test_a_shift_is_seen_by_nobody_and_a_lost_region_comes_back_when_it_is_asked(
    project: Project,
) -> None:
    lay_switchable(project)
    project.up()
    world, name = project.world, f"web.{project.zone}"
    samples: list[Sample] = []
    with world.watched(name, samples, project.root):
        project.config(activeRegion="us-east-1", shift={"web": 10})
        project.up()
        assert world.weights(name) == {"eu-1": 90, "us-1": 10}
        assert world.replicas(project.name) == {"web": {"eu-1": REPLICAS, "us-1": REPLICAS}}
        project.unchanged()
        project.config(shift=None)
        project.up()
    assert world.weights(name) == {"eu-1": 0, "us-1": 100}
    assert world.replicas(project.name) == {"web": {"eu-1": STANDBY, "us-1": REPLICAS}}
    assert [each for each in samples if each.status != 200 or each.ready < REPLICAS] == []

    # The region is lost: its name goes to the other one, and stays there when it is back.
    project.config(down=["us-east-1"])
    project.up()
    assert world.weights(name) == {"eu-1": 100, "us-1": 0}
    project.config(down=None)
    shown = project.pulumi("preview")
    assert "stays in eu-west-1, where it went when us-east-1 was lost" in shown.text
    project.up()
    assert world.weights(name) == {"eu-1": 100, "us-1": 0}
    project.unchanged()
    project.config(failback=["web"])
    project.up()
    assert world.weights(name) == {"eu-1": 0, "us-1": 100}
