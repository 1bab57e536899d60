"""What goes wrong on the way of a switch leaves traffic and the old side as they are."""

import time

import pytest

from devkit.dataplane.watch import Sample
from tests.harness.documents import fleet_file, lay_switchable
from tests.harness.project import Project, measured

pytestmark = pytest.mark.live

WAIT_SECONDS = 10
SLACK_SECONDS = 90
NOWHERE = {
    "apiVersion": "fleet/v1",
    "kind": "OverridePolicy",
    "metadata": {"name": "nowhere"},
    "spec": {
        "workloads": ["web"],
        "rules": [
            {
                "where": {"clusters": ["us-1"]},
                "target": {"kind": "Deployment", "name": "web"},
                "patch": [
                    {
                        "op": "add",
                        "path": "/spec/template/spec/nodeSelector",
                        "value": {"there-is": "no-such-node"},
                    }
                ],
            }
        ],
    },
}


def test_pods_that_never_become_ready_hold_the_weights_and_the_old_side(project: Project) -> None:
    name = f"web.{project.zone}"
    lay_switchable(project)
    project.write("workloads/web/fleet.yaml", fleet_file(project, "web", waitSeconds=WAIT_SECONDS))
    project.up()
    begun = time.time()
    project.config(activeRegion="us-east-1")
    project.write("policies/nowhere.yaml", NOWHERE)
    samples: list[Sample] = []
    with project.world.watched(name, samples, project.root):
        done = project.up(code=None)
    measured(f"gives up after {done.seconds:.1f} s with waitSeconds {WAIT_SECONDS}")
    assert done.seconds < WAIT_SECONDS + SLACK_SECONDS
    assert "web on us-1: Deployment" in done.text
    assert project.world.weights(name) == {"eu-1": 100, "us-1": 0}
    assert {(each.cluster, each.status) for each in samples} == {("eu-1", 200)}
    assert min(each.ready for each in samples) == 4
    assert project.world.written("eu-1", project.name, begun) == []
    # The next run fails again, though the engine has nothing to change any more.
    again = project.up(code=None)
    assert "web on us-1: Deployment" in again.text

    project.remove("policies/nowhere.yaml")
    project.up()
    assert project.world.weights(name) == {"eu-1": 0, "us-1": 100}
    assert project.world.replicas(project.name) == {"web": {"eu-1": 2, "us-1": 4}}
    project.unchanged()


BROKEN = [
    pytest.param({"fail": "changes"}, id="changes fail"),
    pytest.param({"fail": "changes", "how": "hang"}, id="changes hang", marks=pytest.mark.soak),
    pytest.param({"fail": "all", "how": "hang"}, id="everything hangs"),
]


@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_route53_raises_capacity_and_shrinks_nothing(
    project: Project, broken: dict[str, str]
) -> None:
    name = f"web.{project.zone}"
    lay_switchable(project)
    project.up()
    project.config(activeRegion="us-east-1")
    with project.world.failing_route53(**broken):
        done = project.up(code=None)
    measured(f"Route53 {broken}: exit {done.code} after {done.seconds:.1f} s")
    assert done.seconds < 120
    assert project.world.replicas(project.name) == {"web": {"eu-1": 4, "us-1": 4}}
    assert project.world.weights(name) == {"eu-1": 100, "us-1": 0}

    project.up()
    assert project.world.weights(name) == {"eu-1": 0, "us-1": 100}
    assert project.world.replicas(project.name) == {"web": {"eu-1": 2, "us-1": 4}}
    project.unchanged()
