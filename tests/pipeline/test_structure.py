"""Tiers, neighbours and quotas the whole way: from files to sentences, and to the next run."""

from pathlib import Path

import pytest

from fleet.explain.document import run_document
from fleet.explain.placements import placements_document
from fleet.explain.workload import explain_workload
from fleet.load.prior import prior_from_document
from fleet.model.plan import Outcome
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.pipeline import build
from tests.cli.test_commands import CLUSTER, WEB

TIERED = """\
apiVersion: fleet/v1
kind: PlacementPolicy
metadata: {name: web}
spec:
  workloads: [web]
  division: {mode: weighted}
  tiers:
    - name: primary
      terms: [{clusters: [eu-1]}]
    - name: secondary
      terms: [{clusters: [us-1]}]
"""
BESIDE = """\
apiVersion: fleet/v1
kind: PlacementPolicy
metadata: {name: api}
spec:
  workloads: [api]
  apart: [web]
  division: {mode: weighted}
---
apiVersion: fleet/v1
kind: Quota
metadata: {name: shop}
spec:
  namespaces: [shop]
  limits:
    cpu: 3
"""


def built(root: Path, prior: Prior | None = None, **settings: object) -> Outcome:
    return build(Settings.model_validate(settings), prior or Prior(), root)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for file, text in {
        "inventory/eu-1.yaml": CLUSTER.format(name="eu-1", region="eu-west-1"),
        "inventory/us-1.yaml": CLUSTER.format(name="us-1", region="us-east-1"),
        "workloads/web/web.yaml": WEB,
        "workloads/api/api.yaml": WEB.replace("name: web", "name: api"),
        "policies/web.yaml": TIERED,
        "policies/api.yaml": BESIDE,
    }.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text, encoding="utf-8")
    (tmp_path / "policies/web.yaml").write_text(TIERED.replace("spec:\n", "spec:\n  priority: 1\n"))
    return tmp_path


def test_the_tier_is_told_and_is_the_next_runs_prior(root: Path) -> None:
    first = built(root, down=["eu-1"])
    document = placements_document(first)
    assert document["web"]["assignments"] == {"us-1": 4}
    assert document["web"]["tier"] == "secondary"
    assert run_document(first)["workloads"]["web"]["tier"] == "secondary"
    shown = explain_workload(first, "web", "eu-1")
    assert "4 of 4 replicas" in shown
    assert "tier secondary" in shown
    assert "tier 'primary' is 4 replicas short; 'secondary' is used" in shown
    assert "policies/web.yaml:9:7" in shown
    second = built(root, prior_from_document(document))
    assert placements_document(second)["web"]["assignments"] == {"us-1": 4}
    told = explain_workload(second, "web", "eu-1")
    assert "tier 'primary' was left for 'secondary' earlier" in told


def test_a_neighbour_and_a_quota_are_told(root: Path) -> None:
    made = built(root)
    assert placements_document(made)["web"]["assignments"] == {"eu-1": 4}
    assert placements_document(made)["api"]["assignments"] == {"us-1": 2}
    shown = explain_workload(made, "api", width=300)
    assert "2 short: quota 'shop' has cpu 1 of 3 left, enough for 2 replicas" in shown
    assert "'web' is here, and kept apart" in shown
    assert "policies/api.yaml:6:3" in shown
    assert "policies/api.yaml:15:5" in shown
