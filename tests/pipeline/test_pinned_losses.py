"""Pinned data whose place nobody says: a loss is played as if it were where it is placed today."""

from pathlib import Path

import pytest

from fleet.model.data import DataKind
from fleet.model.exercise import Emergency, Kind
from fleet.model.plan import Outcome
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.pipeline import draft, drill, survival
from tests.pipeline.test_recovery_targets import project

ONE = "apiVersion: fleet/v1\nkind: PlacementPolicy\nmetadata: {name: web}\nspec:\n"


def laid(root: Path, kind: DataKind) -> Outcome:
    """`web` on one of two clusters, with data of a kind."""
    project(root, 900, 900)
    (root / "policies/traffic.yaml").unlink()
    (root / "policies/web.yaml").write_text(f"{ONE}  workloads: [web]\n  pick: 1\n")
    head = "apiVersion: fleet/v1\nkind: Workload\nmetadata: {name: web}\n"
    (root / "workloads/web/fleet.yaml").write_text(f"{head}spec: {{data: {{kind: {kind}}}}}\n")
    return draft(Settings(), Prior(), root)


@pytest.mark.parametrize(
    ("kind", "moves"),
    [
        pytest.param(DataKind.PINNED, False, id="pinned data starts nowhere else"),
        pytest.param(DataKind.CACHE, True, id="a cache starts elsewhere"),
    ],
)
def test_a_loss_is_played_with_the_data_where_it_is(
    tmp_path: Path, kind: DataKind, *, moves: bool
) -> None:
    outcome = laid(tmp_path, kind)
    ((here, count),) = outcome.schedule.decisions[0].replicas.items()
    (played,) = drill(outcome, [Emergency(Kind.CLUSTER, here, (here,))]).played
    lost = next(each for each in survival(outcome).drills if each.scenario.domain == here)
    for loss in (played.losses["web"], lost.losses["web"]):
        assert loss.moves == (count if moves else 0)
        assert loss.is_survived is moves
        assert here not in loss.after
