"""A region switch by fleet beside a hand-written script of the same API calls, in one run.

Both wait until the new side is ready, for Route53 to be in sync, and for the same TTL. Each has a
stack of its own on the same clusters; they take turns, so that a busy machine slows both.
"""

import argparse
import statistics
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.harness.documents import TTL, lay_switchable
from tests.harness.project import Project
from tests.harness.world import World, new_world

ROUNDS = 5
REPLICAS, STANDBY = 4, 2
REGIONS = {"eu-1": "eu-west-1", "us-1": "us-east-1"}
SYNC_POLL_SECONDS = 0.2
SLACK_SECONDS = 10
"""What the issue allows an update to take more than the script."""


def by_fleet(project: Project, to: str) -> float:
    """Switches by config and update. **Units**: seconds."""
    project.config(activeRegion=REGIONS[to])
    return project.up().seconds


def by_hand(project: Project, to: str) -> float:
    """Switches by the API calls that an operator would script. **Units**: seconds."""
    world, begun = project.world, time.monotonic()
    left = next(name for name in REGIONS if name != to)
    _scale(project, to, REPLICAS)
    _await_ready(project, to)
    _weigh(world, f"web.{project.zone}", to, 100)
    _weigh(world, f"web.{project.zone}", left, 0)
    time.sleep(TTL)
    _scale(project, left, STANDBY)
    return time.monotonic() - begun


def _scale(project: Project, cluster: str, replicas: int) -> None:
    where = ("--namespace", project.name)
    project.world.kubectl(cluster, "scale", "deployment/web", f"--replicas={replicas}", *where)


def _await_ready(project: Project, cluster: str) -> None:
    where = ("--namespace", project.name)
    project.world.kubectl(cluster, "rollout", "status", "deployment/web", *where)


def _weigh(world: World, name: str, cluster: str, weight: int) -> None:
    """Sets one weight and waits until Route53 is in sync."""
    route53 = world.aws()
    for zone in route53.list_hosted_zones()["HostedZones"]:
        listed = route53.list_resource_record_sets(HostedZoneId=zone["Id"])["ResourceRecordSets"]
        for record in listed:
            if (record["Name"].rstrip("."), record.get("SetIdentifier")) == (name, cluster):
                change: dict[str, Any] = {"Action": "UPSERT"}
                change["ResourceRecordSet"] = {**record, "Weight": weight}
                made = route53.change_resource_record_sets(
                    HostedZoneId=zone["Id"], ChangeBatch={"Changes": [change]}
                )
                while made["ChangeInfo"]["Status"] != "INSYNC":
                    time.sleep(SYNC_POLL_SECONDS)
                    made = route53.get_change(Id=made["ChangeInfo"]["Id"])


def _project(folder: Path, world: World, name: str) -> Project:
    project = Project(folder / name, world, name)
    project.begin()
    lay_switchable(project)
    project.up()
    return project


def main() -> int:
    """Prints each round and the medians; 1 where fleet takes more than the allowed rest."""
    parser = argparse.ArgumentParser(prog="python -m bench.switching")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    rounds = parser.parse_args().rounds
    with TemporaryDirectory() as text:
        folder = Path(text)
        world = new_world(folder / "home")
        try:
            mine, theirs = _project(folder, world, "fleet"), _project(folder, world, "script")
            found = [
                (by_hand(theirs, to), by_fleet(mine, to))
                for to in (("us-1", "eu-1")[number % 2] for number in range(rounds))
            ]
        finally:
            world.down()
    for number, (script, fleet) in enumerate(found, 1):
        print(f"round {number}: script {script:5.1f} s, fleet {fleet:5.1f} s")
    script, fleet = (statistics.median(each) for each in zip(*found, strict=True))
    print(
        f"median: script {script:.1f} s, fleet {fleet:.1f} s:"
        f" {fleet - script:+.1f} s, {fleet / script:.2f} times (TTL {TTL} s; allowed: +10 s)"
    )
    return 0 if fleet - script <= SLACK_SECONDS else 1


if __name__ == "__main__":
    sys.exit(main())
