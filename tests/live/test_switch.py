"""The region switch on three real clusters, as a user of the name sees it."""

from datetime import datetime

import pytest

from devkit.dataplane.watch import Sample
from tests.harness.documents import TTL, lay_switchable
from tests.harness.project import Project, measured

pytestmark = pytest.mark.live

REPLICAS = 4
STANDBY = 2


def answered(samples: list[Sample]) -> list[str]:
    """Who answered, in order, without repetitions."""
    found: list[str] = []
    for sample in samples:
        if not found or found[-1] != sample.cluster:
            found.append(sample.cluster)
    return found


def assert_always_served(samples: list[Sample]) -> None:
    """Every look was answered, by a side that ran everything the workload asks for."""
    unanswered = [each for each in samples if each.status != 200]
    assert unanswered == [], unanswered[:5]
    short = [each for each in samples if each.ready < REPLICAS]
    assert short == [], short[:5]


def became_ready(project: Project, cluster: str) -> list[float]:
    """When each pod of a cluster became ready, in whole seconds since 1970."""
    return [
        datetime.fromisoformat(each["lastTransitionTime"]).timestamp()
        for pod in project.world.get(cluster, project.name, "pods").values()
        for each in pod["status"]["conditions"]
        if each["type"] == "Ready" and each["status"] == "True"
    ]


def test_a_switch_is_seen_by_nobody_and_goes_up_before_it_goes_down(project: Project) -> None:
    lay_switchable(project)
    project.up()
    name = f"web.{project.zone}"
    assert project.world.replicas(project.name) == {"web": {"eu-1": REPLICAS, "us-1": STANDBY}}
    assert project.world.weights(name) == {"eu-1": 100, "us-1": 0}
    samples: list[Sample] = []
    project.pulumi("config", "set", "activeRegion", "us-east-1")
    with project.world.watched(name, samples, project.root):
        done = project.up()
    measured(f"switch: {done.seconds:.1f} s")
    assert_always_served(samples)
    assert samples[0].cluster == "eu-1"
    assert samples[-1].cluster == "us-1"
    assert project.world.replicas(project.name) == {"web": {"eu-1": STANDBY, "us-1": REPLICAS}}
    assert project.world.weights(name) == {"eu-1": 0, "us-1": 100}

    raised = project.world.written("us-1", project.name)
    shrunk = project.world.written("eu-1", project.name)
    weighed = [
        (call["time"], call["set_identifier"], call["weight"]) for call in project.world.calls(name)
    ]
    (up_at, *up), (down_at, *down) = weighed[-2:]
    assert (up, down) == (["us-1", 100], ["eu-1", 0])
    assert raised[-1].time < up_at < down_at
    assert max(became_ready(project, "us-1")) <= up_at
    assert shrunk[-1].time > down_at + TTL
    project.unchanged()
    project.reimport()
