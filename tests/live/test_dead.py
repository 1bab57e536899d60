"""A cluster that dies, in each of its ways: with and without a word of the operator."""

import time

import pytest

from devkit.dataplane.watch import Sample
from tests.harness.documents import (
    configmap,
    lay_plain,
    lay_switchable,
    placement,
)
from tests.harness.project import Project, measured

pytestmark = pytest.mark.live

WAYS = ("refuse", "blackhole", "hang")
ADDED_SECONDS = 15
SLACK_SECONDS = 30
COST_SECONDS = 90


def lay_pair(project: Project, image: str = "registry.example/web:1", replicas: int = 4) -> None:
    """`web` on us-1 and ap-1, no traffic."""
    lay_plain(project, replicas, placement("web", ["us-1", "ap-1"]), image=image)


def of_cluster(project: Project, cluster: str) -> dict[str, object]:
    """What the state has of a cluster: inputs and outputs by name."""
    return {
        name: (each["inputs"], each["outputs"])
        for name, each in project.resources().items()
        if f"/{cluster}/" in name or name.startswith(f"{cluster}/")
    }


def let_go_of_the_provider(project: Project, cluster: str) -> None:
    """An update that took the last object off a cluster still needed its provider."""
    assert [(each.op, each.name) for each in project.steps()] == [("delete", cluster)]
    project.up()
    project.unchanged()


@pytest.mark.parametrize("how", WAYS)
def test_a_dead_cluster_undeclared_then_declared(project: Project, how: str) -> None:
    world, image = project.world, "registry.example/web:2"
    lay_pair(project)
    project.up()
    alive = project.unchanged().seconds
    before = of_cluster(project, "us-1")
    assert before

    with world.dead("us-1", how):
        # Undeclared: everything else is done, and it is said aloud.
        lay_pair(project, image)
        done = project.up(code=None)
        assert "cluster 'us-1' does not answer" in done.text
        assert "pulumi config set --path 'down[0]' us-1" in done.text
        images = world.images(project.name)
        assert images["ap-1"] == {image}
        assert images["us-1"] == {"registry.example/web:1"}
        assert of_cluster(project, "us-1") == before

        # Declared: exit 0, its replicas move, what is left there is shown.
        project.pulumi("config", "set", "--path", "fleet:down[0]", "us-1")
        preview = project.pulumi("preview")
        assert "on dead cluster 'us-1'" in preview.text
        up = project.up()
        measured(
            f"{how}: alive preview {alive:.1f} s, undeclared up {done.seconds:.1f} s,"
            f" declared preview {preview.seconds:.1f} s, declared up {up.seconds:.1f} s"
        )
        assert preview.seconds < alive + ADDED_SECONDS + SLACK_SECONDS
        assert world.replicas(project.name)["web"]["ap-1"] == 4
        assert project.placement("web") == {"ap-1": 4}
        assert of_cluster(project, "us-1") == before
        project.unchanged()
        project.pulumi("refresh", "--yes", "--skip-preview")
        assert of_cluster(project, "us-1") == before
    project.reimport()


def test_a_dead_active_region_loses_its_traffic_and_its_debt_when_it_returns(
    project: Project,
) -> None:
    world, name = project.world, f"web.{project.zone}"
    lay_switchable(project, ["eu-1", "us-1", "ap-1"])
    project.up()
    with world.dead("eu-1", "blackhole"):
        project.config(down=["eu-1"], activeRegion="us-east-1")
        project.up()
        assert world.weights(name) == {"eu-1": 0, "us-1": 100, "ap-1": 0}
        assert world.replicas(project.name)["web"]["us-1"] == 4
        project.unchanged()

    # It returns, and is not wanted any more: its debt goes, and nobody notices.
    lay_switchable(project, ["us-1", "ap-1"])
    project.config(down=None)
    samples: list[Sample] = []
    with world.watched(name, samples, project.root):
        project.up()
    assert {(each.cluster, each.status) for each in samples} == {("us-1", 200)}
    assert "web" not in world.get("eu-1", project.name, "deployments")
    assert not [each for each in of_cluster(project, "eu-1") if each.startswith("web/eu-1/D")]
    let_go_of_the_provider(project, "eu-1")


@pytest.mark.parametrize(("how", "flag"), [("blackhole", ""), ("hang", "--continue-on-error")])
def test_a_cluster_that_dies_in_the_middle_of_an_update(
    project: Project, how: str, flag: str
) -> None:
    world = project.world
    lay_pair(project)
    project.up()
    # Enough objects for the update to be in the middle of them.
    image = "registry.example/web:2"
    lay_pair(project, image, 6)
    many = [configmap(project, f"map-{number:02}") for number in range(20)]
    project.write("workloads/web/maps.yaml", *many)
    since = time.time()
    flags = [flag] if flag else []
    with project.running("up", "--yes", "--skip-preview", *flags) as up:
        project.eventually(
            lambda: [each for each in world.writes("us-1", project.name) if each.time > since],
            "us-1 is written to",
        )
        world.kill("us-1", how)
        died = time.monotonic()
        done = up.wait()
        cost = time.monotonic() - died
    measured(f"{how} in the middle: the update ends {cost:.1f} s later, exit {done.code}")
    assert done.code != 0
    assert "us-1" in done.text
    assert cost < COST_SECONDS
    # Without the flag the engine begins nothing any more after a step that failed.
    if flag:
        assert world.images(project.name)["ap-1"] == {image}

    world.revive("us-1")
    project.up()
    assert world.images(project.name) == {"eu-1": set(), "us-1": {image}, "ap-1": {image}}
    assert world.replicas(project.name) == {"web": {"us-1": 3, "ap-1": 3}}
    project.unchanged()
    project.reimport()


def test_a_decommissioned_cluster_drops_out_of_the_state(project: Project) -> None:
    lay_pair(project)
    project.up()
    with project.world.dead("us-1", "refuse"):
        project.config(decommission=["us-1"])
        project.up()
        assert of_cluster(project, "us-1") == {}
        assert project.placement("web") == {"ap-1": 4}
        let_go_of_the_provider(project, "us-1")
    # Nobody touched it: what it ran, it still runs.
    assert project.world.replicas(project.name)["web"]["us-1"] == 2
