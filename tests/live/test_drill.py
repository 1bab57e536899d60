"""The live drill: it measures what was promised, fails if it is not kept, kills no stranger."""

import shutil
import sys

import pytest

from devkit.home import environment
from tests.harness.documents import lay_inventory, lay_switchable
from tests.harness.project import Done, Project, measured
from tests.harness.world import CLUSTERS, cluster_document
from tests.live.losses import await_green, quick_check

pytestmark = pytest.mark.live


def drill(project: Project, *options: str) -> Done:
    """The drill of `web`, whose active cluster is blackholed."""
    command = [sys.executable, "-m", "devkit", "drill", f"web.{project.zone}", "eu-1"]
    command += ["--stack", project.name, "--project", str(project.root), *options]
    return project.run(command, environment(project.world.home))


def test_a_drill_measures_what_was_promised_and_fails_when_it_is_late(project: Project) -> None:
    lay_switchable(project, healthCheck=quick_check())
    project.up()
    await_green(project)
    config = project.config_file.read_text()
    report = project.root / "drill.md"
    kept = drill(project, "--report", str(report))
    assert kept.code == 0, kept.text
    measured(kept.out)
    assert "- PASS" in report.read_text()
    assert "FAIL" not in report.read_text()
    assert project.config_file.read_text() == config
    assert project.world.weights(f"web.{project.zone}") == {"eu-1": 100, "us-1": 0}
    project.unchanged()

    await_green(project)
    late = drill(project, "--late", "20")
    assert late.code == 1, late.text
    failed = [line for line in late.out.splitlines() if "FAIL" in line]
    assert [line.split("|")[1].strip() for line in failed[1:]] == ["detection", "last dead answer"]
    project.unchanged()


def test_a_drill_touches_nothing_that_the_devkit_did_not_start(project: Project) -> None:
    lay_switchable(project)
    elsewhere = project.root / "somebody-elses-kubeconfig"
    shutil.copy(project.world.home.kubeconfig, elsewhere)
    documents = [cluster_document(project.world.home, each) for each in CLUSTERS]
    documents[1]["spec"]["connection"]["file"] = str(elsewhere)
    project.write("inventory/clusters.yaml", *documents)
    project.up()
    refused = drill(project)
    assert refused.code == 1
    assert "reaches cluster 'us-1', which this devkit did not start" in refused.error
    assert set(project.world.alive().values()) == {"alive"}
    lay_inventory(project)


def test_a_drill_of_a_name_that_nobody_else_could_answer_is_refused(project: Project) -> None:
    lay_switchable(project, ["eu-1"])
    project.up()
    project.eventually(
        lambda: project.world.names().get(f"web.{project.zone}"), "the name is known"
    )
    refused = drill(project)
    assert refused.code == 1
    assert "nobody else could answer" in refused.error
