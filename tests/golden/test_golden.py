"""Files in, decisions and words out: each folder here is one fleet.

A case has `inventory/`, `workloads/`, `policies/`, and may have `prior.json` and `set.txt` (one
`--set` a line). `pytest tests/golden --update-golden` writes plan.json and explain.txt anew; they
are reviewed like code.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fleet.cli.inputs import run
from fleet.cli.options import Inputs
from fleet.explain.document import to_json
from fleet.explain.table import summary_table
from fleet.explain.workload import explain_workload
from fleet.model.plan import Outcome

HERE = Path(__file__).parent
CASES = sorted(path.name for path in HERE.iterdir() if (path / "inventory").is_dir())
REPOSITORY = HERE.parent.parent


def inputs_of(case: Path) -> Inputs:
    """The command line of a case, to be run in its folder."""
    said = case / "set.txt"
    lines = said.read_text(encoding="utf-8").split() if said.exists() else []
    prior = "prior.json" if (case / "prior.json").exists() else None
    return Inputs(["inventory"], ["workloads"], ["policies"], prior=prior, assignments=lines)


def explained(outcome: Outcome) -> str:
    """The table of the run, then every workload in full."""
    names = [each.workload for each in outcome.plan.workloads]
    parts = [summary_table(outcome), *(explain_workload(outcome, name) for name in names)]
    return f"\n{'-' * 100}\n".join(parts)


@pytest.mark.parametrize("name", CASES)
def test_golden(name: str, monkeypatch: pytest.MonkeyPatch, *, update_golden: bool) -> None:
    case = HERE / name
    monkeypatch.chdir(case)
    outcome = run(inputs_of(case))
    for file, text in {"plan.json": to_json(outcome), "explain.txt": explained(outcome)}.items():
        if update_golden:
            (case / file).write_text(text, encoding="utf-8")
        assert text == (case / file).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", CASES)
def test_explanations_fit_a_hundred_columns(name: str) -> None:
    lines = (HERE / name / "explain.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > 100] == []


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 8


SURROUNDINGS = [
    pytest.param({"PYTHONHASHSEED": "1", "TZ": "Asia/Kathmandu", "LC_ALL": "C"}, id="seed 1"),
    pytest.param({"PYTHONHASHSEED": "77", "TZ": "America/Lima", "LC_ALL": "tr_TR.UTF-8"}, id="77"),
]


@pytest.mark.parametrize("surroundings", SURROUNDINGS)
def test_the_plan_is_the_same_bytes_elsewhere(tmp_path: Path, surroundings: dict[str, str]) -> None:
    """Another process, hash seed, time zone, locale, and order in which files were made."""
    case = HERE / "down"
    for file in sorted((each for each in case.rglob("*") if each.is_file()), reverse=True):
        there = tmp_path / file.relative_to(case)
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, there)
    paths = [f"--{key}={key}" for key in ("inventory", "workloads", "policies")]
    done = subprocess.run(
        [sys.executable, "-m", "fleet", "plan", *paths, "--prior=prior.json", "--output=json"],
        cwd=tmp_path,
        env={**os.environ, **surroundings, "PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        check=True,
        timeout=60,
    )
    assert done.stdout == (case / "plan.json").read_bytes()
    assert done.stderr == b""
