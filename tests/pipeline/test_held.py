"""A primary that may still write holds its side back: every view says what is really done."""

import json
from pathlib import Path

import pytest

from fleet.explain.document import run_document, workload_document
from fleet.explain.placements import placements_document
from fleet.explain.table import summary_table, workload_line
from fleet.explain.workload import explain_workload
from fleet.load.prior import prior_from_document, prior_from_text
from fleet.model.plan import Outcome
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.pipeline import build
from tests.pipeline.test_recovery_targets import project


@pytest.fixture
def root(tmp_path: Path) -> Path:
    project(tmp_path, 500, 5)
    return tmp_path


def after_a_loss(root: Path, *fenced: str, prior: Prior | None = None) -> Outcome:
    first = prior or prior_from_document(placements_document(build(Settings(), Prior(), root)))
    words = {"down": ["eu-1"], "fenced": list(fenced)}
    return build(Settings.model_validate(words), first, root)


def test_what_waits_for_a_fence_stands_by_in_every_view(root: Path) -> None:
    outcome = after_a_loss(root)
    shown = " ".join(summary_table(outcome).split())
    assert "standby -> active" not in shown
    assert "standby, held active once eu-1 is fenced" in shown
    assert workload_line(outcome, "web").endswith("us-1 4 standby, held")
    explained = " ".join(explain_workload(outcome, "web", "us-1").split())
    assert "standby, held" in explained
    assert "held active once eu-1 is fenced" in explained
    for document in (run_document(outcome), workload_document(outcome, "web")):
        found = document["workloads"]["web"]
        assert found["roles"] == {"us-1": "standby"}
        assert found["held"] == {"us-1": "eu-1"}
    assert placements_document(outcome)["web"]["roles"] == {"us-1": "standby"}


def test_the_update_after_the_fence_shows_the_change_of_role(root: Path) -> None:
    held = after_a_loss(root)
    prior = prior_from_text("prior.json", json.dumps(placements_document(held)))
    again = " ".join(summary_table(after_a_loss(root, prior=prior)).split())
    assert "us-1 4 standby, held active once eu-1 is fenced" in again
    fenced = after_a_loss(root, "eu-1", prior=prior)
    shown = " ".join(summary_table(fenced).split())
    assert "standby -> active" in shown
    assert "held" not in shown
    assert "held" not in run_document(fenced)["workloads"]["web"]
    assert placements_document(fenced)["web"]["roles"] == {"us-1": "active"}


def test_a_plan_as_json_is_a_prior_also_while_something_is_held(root: Path) -> None:
    held = after_a_loss(root)
    read = prior_from_document(run_document(held)).workloads["web"]
    stored = prior_from_document(placements_document(held)).workloads["web"]
    assert (read.replicas, read.roles, read.data) == (stored.replicas, stored.roles, stored.data)
    again = after_a_loss(root, prior=prior_from_text("plan.json", json.dumps(run_document(held))))
    assert run_document(again)["workloads"]["web"]["held"] == {"us-1": "eu-1"}
