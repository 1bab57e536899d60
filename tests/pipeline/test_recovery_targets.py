"""Recovery targets the whole way: a preview fails where one cannot be met."""

from pathlib import Path

import pytest

from fleet.errors import InvalidError
from fleet.explain.findings import all_findings
from fleet.explain.sentences import finding_sentence
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
