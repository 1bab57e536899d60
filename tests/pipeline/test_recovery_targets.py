"""Recovery targets the whole way: a preview fails where one cannot be met."""

import asyncio
from pathlib import Path
from types import SimpleNamespace

import pulumi
import pytest

from fleet import program
from fleet.emit.promotion import Promotion
from fleet.errors import InvalidError
from fleet.explain.document import run_document
from fleet.explain.findings import all_findings
from fleet.explain.placements import placements_document
from fleet.explain.sentences import finding_sentence
from fleet.load.prior import prior_from_document
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.pipeline import build
from tests.cli.test_commands import CLUSTER, POLICY, WEB

DATA = """\
apiVersion: fleet/v1
kind: Workload
metadata: {name: web}
spec:
  data:
    kind: replicated
    replication: {how: async, to: [us-east-1], lagSeconds: 5}
    promoteSeconds: 30
"""
TRAFFIC = """\
apiVersion: fleet/v1
kind: TrafficPolicy
metadata: {name: web}
spec:
  workload: web
  name: web.fleet.test
  zone: {name: fleet.test}
  activeRegion: eu-west-1
  ttlSeconds: 20
  recovery: {rtoSeconds: %s, rpoSeconds: %s}
"""


def project(root: Path, rto: int, rpo: int) -> None:
    for file, text in {
        "inventory/eu-1.yaml": CLUSTER.format(name="eu-1", region="eu-west-1"),
        "inventory/us-1.yaml": CLUSTER.format(name="us-1", region="us-east-1"),
        "workloads/web/web.yaml": WEB,
        "workloads/web/fleet.yaml": DATA,
        "policies/web.yaml": POLICY,
        "policies/traffic.yaml": TRAFFIC % (rto, rpo),
    }.items():
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text(text, encoding="utf-8")


def test_both_targets_are_told_where_they_are_met(tmp_path: Path) -> None:
    project(tmp_path, 200, 5)
    outcome = build(Settings(), Prior(), tmp_path)
    assert (
        "'web.fleet.test': a loss takes 200 s of 200 s (detection 90 s + data 30 s + dns 80 s) and"
        " costs 5 s of writes of 5 s; a switch takes 110 s"
    ) in [finding_sentence(each) for each in all_findings(outcome)]


def test_a_target_that_cannot_be_met_fails_the_preview(tmp_path: Path) -> None:
    project(tmp_path, 199, 4)
    with pytest.raises(InvalidError) as caught:
        build(Settings(), Prior(), tmp_path)
    rto, rpo = (str(each) for each in caught.value.errors)
    assert rto == (
        "policies/traffic.yaml:10:14: spec.recovery.rtoSeconds: an unplanned loss under policy"
        " 'web' takes 200 s (detection 90 s + data 30 s + dns 80 s), more than its target of 199 s"
        " - shorten healthCheck, ttlSeconds or the data's promoteSeconds, or allow more"
    )
    assert rpo == (
        "policies/traffic.yaml:10:31: spec.recovery.rpoSeconds: a loss may cost 5 s of what 'web'"
        " wrote, more than the 4 s that policy 'web' allows - say in the workload's fleet.yaml how"
        " its data follows, or allow more"
    )


def test_what_an_outcome_says_of_data_is_read_back(tmp_path: Path) -> None:
    project(tmp_path, 200, 5)
    first = build(Settings(), Prior(), tmp_path)
    prior = prior_from_document(placements_document(first))
    assert dict(prior.workloads["web"].data) == {"primary": "eu-1"}
    assert prior_from_document(run_document(first)).workloads["web"].data == (
        prior.workloads["web"].data
    )
    down = build(Settings(down=("eu-west-1",)), prior, tmp_path)
    later = prior_from_document(placements_document(down)).workloads["web"]
    assert dict(later.passed_over) == {"web": "eu-west-1"}
    assert dict(later.data) == {"primary": "eu-1"}
    fenced = Settings(down=("eu-1",), fenced=("eu-1",))
    promoted = build(fenced, prior_from_document(placements_document(down)), tmp_path)
    (workload,) = promoted.plan.workloads
    assert workload.step is not None
    assert dict(workload.data) == {"primary": "us-1"}


def test_a_preview_fails_for_a_promotion_that_nobody_registered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project(tmp_path, 200, 5)
    file = tmp_path / "workloads/web/fleet.yaml"
    file.write_text(f"{file.read_text(encoding='utf-8')}    promotion: orders-db\n")

    async def nothing_yet() -> SimpleNamespace:
        await asyncio.sleep(0)
        return SimpleNamespace(prior=Prior())

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(program, "_config", dict)
    monkeypatch.setattr(program, "read_own_state", nothing_yet)
    place = "^workloads/web/fleet.yaml:9:5: spec.data.promotion: no promotion 'orders-db' is"
    with pytest.raises(pulumi.RunError, match=place):
        asyncio.run(program.main(promotions={"orders": Promotion(run=print)}))
