"""The break-glass files carry a switch out without Pulumi, and the next update changes nothing."""

import stat
import subprocess
import sys
from pathlib import Path

import pytest

from devkit.dataplane.watch import Sample
from tests.harness.documents import TTL, lay_switchable
from tests.harness.project import Project

pytestmark = pytest.mark.live

AWS = f"""\
#!{sys.executable}
import json, os, sys
import boto3

words = dict(zip(sys.argv[3::2], sys.argv[4::2]))
route53 = boto3.client("route53", endpoint_url=os.environ["AWS_ENDPOINT_URL_ROUTE_53"])
if sys.argv[1:3] == ["route53", "change-resource-record-sets"]:
    batch = json.load(open(words["--change-batch"].removeprefix("file://")))
    zone = words["--hosted-zone-id"]
    answer = route53.change_resource_record_sets(HostedZoneId=zone, ChangeBatch=batch)
    assert words["--query"] == "ChangeInfo.Id" and words["--output"] == "text"
    print(answer["ChangeInfo"]["Id"])
elif sys.argv[1:4] == ["route53", "wait", "resource-record-sets-changed"]:
    waiter = route53.get_waiter("resource_record_sets_changed")
    waiter.wait(Id=sys.argv[5], WaiterConfig={{"Delay": 1}})
else:
    sys.exit(f"unknown: {{sys.argv}}")
"""
"""The four words of `aws route53` that the scripts use, on the local Route53."""


def glass_folder(project: Project) -> Path:
    return project.root / ".fleet" / "break-glass" / project.name


def play(project: Project, script: str) -> None:
    """Runs a script as an operator does: in the project's folder, without the engine on PATH."""
    tools = project.root.parent / "tools"
    tools.mkdir(exist_ok=True)
    aws = tools / "aws"
    aws.write_text(AWS)
    aws.chmod(aws.stat().st_mode | stat.S_IXUSR)
    kubectl = tools / "kubectl"
    if not kubectl.exists():
        kubectl.symlink_to(project.world.home.bin / "kubectl")
    variables = project.environment | {"PATH": f"{tools}:/usr/bin:/bin"}
    done = subprocess.run(
        ["sh", str(glass_folder(project) / script)],
        cwd=project.root,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_switch_without_pulumi_and_back_into_the_config(project: Project) -> None:
    lay_switchable(project)
    project.up()
    name = f"web.{project.zone}"
    written = {each.name: each.read_text() for each in glass_folder(project).iterdir()}
    assert {"README.md", "leave-eu-west-1.sh", "now.sh"} <= set(written)
    # The same files, made offline from the state.
    exported = project.root / "state.json"
    exported.write_text(project.pulumi("stack", "export").out)
    stack = ("--stack", project.name, "--state", str(exported))
    project.fleet("break-glass", *stack, "--to", "offline")
    offline = {each.name: each.read_text() for each in (project.root / "offline").iterdir()}
    assert offline == written

    samples: list[Sample] = []
    with project.world.watched(name, samples, project.root):
        play(project, "leave-eu-west-1.sh")
        project.eventually(lambda: samples_end_in(project, "us-1"), "us-1 answers", 5 * TTL)
    assert [each for each in samples if each.status != 200] == []
    assert project.world.weights(name) == {"eu-1": 0, "us-1": 100}
    assert project.world.replicas(project.name) == {"web": {"eu-1": 4, "us-1": 4}}

    # The next update does not plan over it; recovery reads it back; the config says the same.
    project.config(activeRegion="us-east-1")
    assert (
        "weighs 100 in Route53, 0 in the state: run 'fleet recover' first"
        in project.pulumi("preview").text
    )
    assert "run 'fleet recover' first" in project.up(code=None).text
    assert project.world.weights(name) == {"eu-1": 0, "us-1": 100}
    project.fleet("recover", "--yes", "--stack", project.name)
    changes = len(project.world.calls(name))
    project.up()
    assert len(project.world.calls(name)) == changes
    assert project.world.replicas(project.name) == {"web": {"eu-1": 2, "us-1": 4}}
    project.unchanged()

    way_back(project, written)


def way_back(project: Project, written: dict[str, str]) -> None:
    """By the files from before the switch: the side that answered then is raised first."""
    for file, text in written.items():
        (glass_folder(project) / file).write_text(text)
    play(project, "now.sh")
    assert project.world.weights(f"web.{project.zone}") == {"eu-1": 100, "us-1": 0}
    assert project.world.replicas(project.name) == {"web": {"eu-1": 4, "us-1": 4}}


def samples_end_in(project: Project, cluster: str) -> bool:
    """Whether the last look of the watcher was answered by a cluster."""
    lines = (project.root / "samples.jsonl").read_text().splitlines()
    return bool(lines) and f'"cluster": "{cluster}"' in lines[-1]
