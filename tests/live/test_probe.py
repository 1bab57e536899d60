"""`fleet probe` and `fleet verify` on real clusters, a real engine and answered names."""

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml

from devkit.home import environment
from devkit.plan import read as read_plan
from tests.harness.documents import lay_switchable
from tests.harness.project import Project

pytestmark = pytest.mark.live

REPOSITORY = Path(__file__).parent.parent.parent


def fleet(project: Project, *words: str) -> tuple[int, str]:
    """Runs the command line in the project's folder."""
    done = subprocess.run(
        [sys.executable, "-m", "fleet", *words],
        cwd=project.root,
        env={**environment(project.world.home), "PYTHONPATH": str(REPOSITORY)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=180,
    )
    return done.returncode, done.stdout


def now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def test_real_clusters_are_probed_and_a_plan_is_verified(project: Project) -> None:
    lay_switchable(project)
    project.up()
    prior = project.root / "prior.json"
    prior.write_text(project.pulumi("stack", "output", "placements", "--json").out)
    plan = read_plan(project.world.home)
    assert plan is not None
    words = ("verify", "--prior", str(prior), "--server", f"127.0.0.1:{plan.dns_port}")
    code, said = fleet(project, *words, "--timeout", "60")
    assert code == 0, said
    code, said = fleet(project, "probe")
    assert code == 0, said
    file = project.root / "inventory" / "observed.yaml"
    seen = {each["metadata"]["name"]: each["spec"] for each in yaml.safe_load_all(file.read_text())}
    assert "apps/v1/Deployment" in seen["eu-1"]["apis"]
    assert float(seen["eu-1"]["capacity"]["allocatable"]["cpu"]) > 0
    assert "reserved" not in seen["eu-1"]["capacity"]  # only fleet's pods run there
    with project.world.dead("us-1", "refuse"):
        code, said = fleet(project, "probe")
        assert code == 1, said
        code, said = fleet(project, *words, "--timeout", "2", "--now", now())
        assert code == 1, said
        assert "connection refused" in said
    again = {
        each["metadata"]["name"]: each["spec"] for each in yaml.safe_load_all(file.read_text())
    }
    assert again["us-1"]["capacity"] == seen["us-1"]["capacity"]
    assert again["us-1"]["reachable"] is False
