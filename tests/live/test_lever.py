"""The lever: an object on a host of its own moves a name, without an update or Route53's API."""

import time

import pytest

from devkit import control
from tests.harness.documents import lay_switchable
from tests.harness.lever import LeverHost, lever_host
from tests.harness.project import Project, measured

pytestmark = pytest.mark.live

INTERVAL = 10
SLACK = 5
"""A look may just have been, and a look takes its time."""
OUT, RELEASE = "/web/eu-west-1/out", "/web/us-east-1/release"


def lay(project: Project, host: LeverHost) -> None:
    """`web` with a standby that waits for a person; every check flips at the first look."""
    pattern = f"{host.url}/{{policy}}/{{region}}"
    lay_switchable(
        project,
        failover="manual",
        healthCheck={"path": "/", "intervalSeconds": INTERVAL, "failureThreshold": 1},
        lever={"out": f"{pattern}/out", "release": f"{pattern}/release", "failureThreshold": 1},
    )


def shares(project: Project) -> dict[str, str]:
    """Who is answered, by the health checkers of the data plane."""
    plane = control.ask(project.world.home, command="status")["plane"]
    found: dict[str, str] = plane["shares"].get(f"web.{project.zone} A", {})
    return found


def unhealthy(project: Project, cluster: str) -> bool:
    """Whether the check of a cluster's entry has turned red."""
    plane = control.ask(project.world.home, command="status")["plane"]
    address = next(key.split()[1] for key in plane["entries"] if key.startswith(f"{cluster} "))
    return any(
        not each["healthy"] and address in each["endpoint"] for each in plane["checks"].values()
    )


def follows(project: Project, expected: str, what: str) -> None:
    """The name leads to a cluster within interval x threshold."""
    begun = time.monotonic()
    project.eventually(lambda: shares(project).get(expected) == "1", what, INTERVAL + SLACK)
    measured(f"{what}: {time.monotonic() - begun:.1f} s")


def test_an_object_moves_a_name_without_an_update(project: Project) -> None:
    with lever_host() as host:
        lay(project, host)
        project.up()
        project.unchanged()
        project.eventually(lambda: shares(project) == {"eu-1": "1", "us-1": "0"}, "eu-1 answers")
        changes = len(project.world.route53("log"))

        with project.world.dead("eu-1", "refuse"):
            project.eventually(lambda: unhealthy(project, "eu-1"), "eu-1 is seen dead", 15)
            time.sleep(1)
            assert shares(project) == {"eu-1": "1", "us-1": "0"}, "the standby is held"
            host.put(RELEASE)
            follows(project, "us-1", "the standby is let go")
            host.remove(RELEASE)
            follows(project, "eu-1", "the standby is held again")
        project.eventually(lambda: not unhealthy(project, "eu-1"), "eu-1 is back", 15)

        host.put(OUT)
        host.put(RELEASE)
        follows(project, "us-1", "a living region is taken out")
        host.remove(OUT)
        follows(project, "eu-1", "it comes back")
        assert len(project.world.route53("log")) == changes
        host.remove(RELEASE)

        project.pulumi("config", "set", "activeRegion", "us-east-1")
        project.up()
        project.eventually(lambda: shares(project) == {"eu-1": "0", "us-1": "1"}, "it has moved")
        with project.world.dead("us-1", "refuse"):
            project.eventually(lambda: unhealthy(project, "us-1"), "us-1 is seen dead", 15)
            time.sleep(1)
            assert shares(project) == {"eu-1": "0", "us-1": "1"}, "the old side is held now"
        project.unchanged()
