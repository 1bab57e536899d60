"""The bench of loading measures real fleets, the same ones each time."""

import subprocess
import sys
from pathlib import Path

import pytest

from bench.files import write_fleet
from fleet.load import load_snapshot
from fleet.model.settings import Settings

REPOSITORY = Path(__file__).parents[2]


def texts(root: Path) -> dict[str, str]:
    files = sorted(root.rglob("*.yaml"))
    return {str(each.relative_to(root)): each.read_text() for each in files}


@pytest.mark.parametrize("one_file", [False, True])
def test_fleet_is_sound_and_the_same_for_the_same_seed(tmp_path: Path, one_file: bool) -> None:  # noqa: FBT001 - parametrized
    written = write_fleet(tmp_path / "a", 100, one_file=one_file)
    assert write_fleet(tmp_path / "b", 100, one_file=one_file) == written
    assert texts(tmp_path / "a") == texts(tmp_path / "b")
    write_fleet(tmp_path / "c", 100, one_file=one_file, seed=2)
    assert texts(tmp_path / "a") != texts(tmp_path / "c")
    assert 5_500 < written.lines < 7_000
    snapshot = load_snapshot(Settings(), tmp_path / "a")
    assert len(snapshot.linked) == (1 if one_file else 100)
    assert {len(each.workload.manifests) for each in snapshot.linked} != {1}
    assert len(snapshot.clusters) == 100


def test_bench_prints_a_line_for_each_size() -> None:
    command = [sys.executable, "-m", "bench.loading", "5", "10"]
    said = subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True, text=True)
    sizes = [line.split()[0] for line in said.stdout.splitlines() if line.startswith("  ")]
    assert [size for size in sizes if size.isdecimal()] == ["5", "10", "5", "10"]
    assert "missed" not in said.stdout
