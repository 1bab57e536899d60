"""Demands in the order of the rooms, and drills through the pipeline."""

import asyncio
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pulumi
import pytest

from fleet import program
from fleet.errors import InvalidError
from fleet.model import finding_codes as codes
from fleet.model.edits import Edits, ReplicasEdit
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.model.survival import By
from fleet.pipeline import build, draft, survival
from tests.cli.test_commands import POLICY
from tests.pipeline.test_pipeline import project

DEMANDING = f"{POLICY}  survive: region\n"
MUCH = Edits(replicas=(ReplicasEdit("web", 60),))
"""60 replicas of half a core: more than one cluster of 16 cores holds."""


def test_a_draft_has_a_demand_that_does_not_hold_as_a_finding(tmp_path: Path) -> None:
    project(tmp_path, DEMANDING)
    unmet = draft(Settings(), Prior(), tmp_path, MUCH)
    found = [each for each in unmet.plan.findings if each.code == codes.NOT_SURVIVED]
    assert [(each.blocks, str(each.source)) for each in found] == [(True, "policies/web.yaml:7:3")]
    assert dict(found[0].values) == {
        "workload": "web",
        "by": "region",
        "domain": "eu-west-1",
        "short": 28,
        "wanted": 60,
        "others": 1,
    }


def test_a_build_refuses_it(tmp_path: Path) -> None:
    project(tmp_path, DEMANDING)
    web = tmp_path / "workloads/web/web.yaml"
    web.write_text(web.read_text(encoding="utf-8").replace("replicas: 4", "replicas: 60"))
    with pytest.raises(InvalidError) as caught:
        build(Settings(), Prior(), tmp_path)
    assert [str(each.source) for each in caught.value.errors] == ["policies/web.yaml:7:3"]


def test_a_demand_is_no_part_of_the_digest(tmp_path: Path) -> None:
    project(tmp_path, DEMANDING)
    demanding = draft(Settings(), Prior(), tmp_path, MUCH)
    project(tmp_path)
    assert draft(Settings(), Prior(), tmp_path, MUCH).plan.digest == demanding.plan.digest


def test_a_build_with_a_cluster_down_tells_it(tmp_path: Path) -> None:
    project(tmp_path, DEMANDING)
    outcome = build(Settings(down=("eu-1",)), Prior(), tmp_path)
    found = [each for each in outcome.plan.findings if each.code == codes.NOT_SURVIVED]
    assert [each.blocks for each in found] == [False]


def test_a_draft_without_edits_is_a_build(tmp_path: Path) -> None:
    project(tmp_path)
    assert draft(Settings(), Prior(), tmp_path) == build(Settings(), Prior(), tmp_path)


def test_survival_plays_the_kinds_that_are_wanted(tmp_path: Path) -> None:
    project(tmp_path)
    outcome = draft(Settings(), Prior(), tmp_path)
    everything, regions = survival(outcome), survival(outcome, [By.REGION])
    assert [each for each in everything.drills if each.scenario.by is By.REGION] == list(
        regions.drills
    )
    assert {each.scenario.by for each in everything.drills} == set(By)
    assert survival(replace(outcome), [By.REGION]) == regions


def test_a_preview_fails_with_the_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project(tmp_path, DEMANDING)
    web = tmp_path / "workloads/web/web.yaml"
    web.write_text(web.read_text(encoding="utf-8").replace("replicas: 4", "replicas: 60"))

    async def nothing_yet() -> SimpleNamespace:
        await asyncio.sleep(0)
        return SimpleNamespace(prior=Prior())

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(program, "_config", dict)
    monkeypatch.setattr(program, "read_own_state", nothing_yet)
    with pytest.raises(pulumi.RunError, match=r"^policies/web.yaml:7:3: spec.survive: the loss of"):
        asyncio.run(program.main())
