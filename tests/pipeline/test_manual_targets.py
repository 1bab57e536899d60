"""`failover: manual` without a lever: Route53 goes over by itself, and a target counts that."""

from pathlib import Path

import pytest

from fleet.errors import InvalidError
from fleet.explain.findings import all_findings
from fleet.explain.table import summary_table
from fleet.model import finding_codes as codes
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.pipeline import build
from tests.pipeline.test_recovery_targets import project

LEVER = "  failover: manual\n  lever: {release: 'https://levers.example/{region}/release'}\n"


def lay(root: Path, words: str) -> None:
    project(root, 130, 60)
    (root / "workloads/web/fleet.yaml").unlink()
    traffic = root / "policies/traffic.yaml"
    traffic.write_text(traffic.read_text(encoding="utf-8") + words, encoding="utf-8")


@pytest.mark.parametrize(
    "words",
    [
        pytest.param("  failover: manual\n", id="no lever"),
        pytest.param(
            "  failover: manual\n  lever: {out: 'https://levers.example/{region}/out'}\n",
            id="a lever that holds nobody",
        ),
    ],
)
def test_a_target_that_the_data_plane_meets_is_not_refused(tmp_path: Path, words: str) -> None:
    lay(tmp_path, words)
    outcome = build(Settings(), Prior(), tmp_path)
    found = {each.code for each in all_findings(outcome)}
    assert codes.MANUAL_NOT_HELD in found
    assert codes.RTO_MISSED not in found
    assert "an update takes" not in summary_table(outcome)


def test_where_a_lever_holds_the_standby_its_time_counts(tmp_path: Path) -> None:
    lay(tmp_path, LEVER)
    with pytest.raises(InvalidError) as caught:
        build(Settings(), Prior(), tmp_path)
    (error,) = caught.value.errors
    assert error.path == "spec.recovery.rtoSeconds"
