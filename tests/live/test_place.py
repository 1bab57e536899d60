"""Placing on three real clusters: what the stack says is what the clusters run."""

import pytest

from tests.harness.documents import (
    configmap,
    deployment,
    fleet_file,
    lay_plain,
    placement,
)
from tests.harness.project import Project

pytestmark = pytest.mark.live


def test_a_workload_is_placed_scaled_and_changed_and_others_come_and_go(project: Project) -> None:
    world, namespace = project.world, project.name
    lay_plain(project, 6, placement("web"))
    project.up()
    assert world.replicas(namespace) == {"web": {"eu-1": 2, "us-1": 2, "ap-1": 2}}
    assert project.placement("web") == {"eu-1": 2, "us-1": 2, "ap-1": 2}

    # Scaled, and a second workload comes: one without replicas and one more Deployment.
    project.write("workloads/web/web.yaml", deployment(project, "web", 9))
    project.write(
        "workloads/job/job.yaml", configmap(project, "job"), deployment(project, "job", 1)
    )
    project.write("workloads/job/fleet.yaml", fleet_file(project, "job"))
    project.write("policies/job.yaml", placement("job", ["ap-1"]))
    project.up()
    assert world.replicas(namespace) == {
        "web": {"eu-1": 3, "us-1": 3, "ap-1": 3},
        "job": {"ap-1": 1},
    }
    assert set(world.get("ap-1", namespace, "configmaps")) >= {"job"}
    assert "job" not in world.get("eu-1", namespace, "configmaps")

    # Another image, and the second workload goes.
    image = "registry.example/web:2"
    project.write("workloads/web/web.yaml", deployment(project, "web", 9, image=image))
    project.remove("workloads/job")
    project.remove("policies/job.yaml")
    project.up()
    assert world.images(namespace) == {each: {image} for each in ("eu-1", "us-1", "ap-1")}
    assert list(world.replicas(namespace)) == ["web"]
    assert "job" not in world.get("ap-1", namespace, "configmaps")
    project.unchanged()
