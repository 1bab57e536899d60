"""A loss that takes the primary waits for a person's word: survival says so, and counts it."""

from pathlib import Path

import pytest

from fleet.explain.layout import plain_text
from fleet.explain.sentences import finding_sentence
from fleet.explain.survival import demands_hold, survival_blocks, survival_document
from fleet.model import finding_codes as codes
from fleet.model.plan import Outcome
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.model.survival import By
from fleet.pipeline import build, survival
from tests.cli.test_commands import POLICY
from tests.pipeline.test_recovery_targets import project


@pytest.fixture
def root(tmp_path: Path) -> Path:
    project(tmp_path, 500, 5)
    policy = f"{POLICY}  survive: region\n"
    (tmp_path / "policies/web.yaml").write_text(policy, encoding="utf-8")
    return tmp_path


def run(root: Path, *fenced: str) -> Outcome:
    return build(Settings.model_validate({"fenced": list(fenced)}), Prior(), root)


def test_the_loss_of_a_primary_waits_for_a_fence(root: Path) -> None:
    outcome = run(root)
    found = survival(outcome, [By.REGION])
    losses = {each.scenario.domain: each.losses["web"] for each in found.drills}
    assert (losses["eu-west-1"].fence, losses["us-east-1"].fence) == (("eu-1",), ())
    assert losses["eu-west-1"].has_room
    assert not losses["eu-west-1"].is_survived
    shown = " ".join(plain_text(survival_blocks(outcome, found), 100).split())
    assert "waits its data has no primary until eu-1 is fenced" in shown
    assert "1 of 2 regions survived not eu-west-1 (web)" in shown
    document = survival_document(outcome, found)
    verdicts = {
        each["domain"]: (each["workloads"]["web"]["verdict"], each["workloads"]["web"].get("fence"))
        for each in document["scenarios"]
    }
    assert verdicts == {"eu-west-1": ("waits", ["eu-1"]), "us-east-1": ("survives", None)}
    assert document["demands"]["web"]["holds"] is False


def test_a_demand_that_only_a_fence_is_missing_from_is_told_and_blocks_nothing(root: Path) -> None:
    outcome = run(root)
    (told,) = (each for each in outcome.plan.findings if each.code == codes.NOT_SURVIVED)
    assert not told.blocks
    assert str(told.source) == "policies/web.yaml:7:3"
    assert finding_sentence(told) == (
        "the loss of region 'eu-west-1' would leave the data of 'web' without a primary until"
        " somebody says that eu-1 is fenced"
    )
    assert not demands_hold(outcome)


@pytest.mark.parametrize("word", ["eu-1", "eu-west-1"])
def test_what_is_fenced_already_waits_for_nobody(root: Path, word: str) -> None:
    outcome = run(root, word)
    assert demands_hold(outcome)
    found = survival(outcome, [By.CLUSTER])
    assert all(each.losses["web"].is_survived for each in found.drills)


def test_where_replicas_have_no_place_that_is_what_is_told(root: Path) -> None:
    """No data waits where nothing is left to hold it, and what is short is worse than a fence."""
    (root / "inventory/us-1.yaml").unlink()
    text = (root / "workloads/web/fleet.yaml").read_text(encoding="utf-8")
    (root / "workloads/web/fleet.yaml").write_text(text.replace("us-east-1", "eu-west-1"))
    (root / "policies/traffic.yaml").unlink()
    (root / "policies/web.yaml").write_text(POLICY, encoding="utf-8")
    (drill,) = survival(run(root), [By.REGION]).drills
    loss = drill.losses["web"]
    assert (loss.nothing_left, loss.fence) == (True, ())
