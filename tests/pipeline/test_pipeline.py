"""The rooms in their order, from files to the plan."""

from pathlib import Path

import pytest

from fleet.errors import InvalidError
from fleet.explain.placements import placements_document
from fleet.load.prior import prior_from_document
from fleet.model.plan import Outcome
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.pipeline import build
from tests.cli.test_commands import CLUSTER, POLICY, WEB


def project(root: Path, policy: str = POLICY) -> None:
    """Two clusters, one workload, one policy."""
    for file, text in {
        "inventory/eu-1.yaml": CLUSTER.format(name="eu-1", region="eu-west-1"),
        "inventory/us-1.yaml": CLUSTER.format(name="us-1", region="us-east-1"),
        "workloads/web/web.yaml": WEB,
        "policies/web.yaml": policy,
    }.items():
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text(text, encoding="utf-8")


def built(root: Path, prior: Prior | None = None) -> Outcome:
    """A run with the settings that nobody has touched."""
    return build(Settings(), prior or Prior(), root)


def test_an_outcome_has_what_every_room_made(tmp_path: Path) -> None:
    project(tmp_path)
    outcome = built(tmp_path)
    assert [each.name for each in outcome.snapshot.clusters] == ["eu-1", "us-1"]
    assert [each.workload for each in outcome.schedule.decisions] == ["web"]
    assert [each.workload for each in outcome.plan.workloads] == ["web"]
    assert set(outcome.schedule.decisions[0].verdicts) == {"eu-1", "us-1"}
    assert outcome.plan.digest


def test_the_same_run_has_the_same_digest_and_its_own_output_as_prior_changes_nothing(
    tmp_path: Path,
) -> None:
    project(tmp_path)
    first = built(tmp_path)
    assert built(tmp_path).plan.digest == first.plan.digest
    prior = prior_from_document(placements_document(first))
    second = built(tmp_path, prior)
    assert placements_document(second) == placements_document(first)
    assert [each.replicas for each in second.schedule.decisions] == [
        each.replicas for each in first.schedule.decisions
    ]


def test_errors_of_a_room_reach_the_caller_together(tmp_path: Path) -> None:
    project(tmp_path, POLICY.replace("weighted", "wieghted") + "  colour: red\n")
    with pytest.raises(InvalidError) as caught:
        built(tmp_path)
    assert len(caught.value.errors) == 2
