"""What every golden fleet would survive, and the answer to a question about some of them.

survive.txt and what-if.txt stand beside plan.json in the folder of the case, and are renewed by the
same flag; `question.txt` is the question, one option a line.
"""

import sys
from pathlib import Path

import pytest

from fleet.cli import main

HERE = Path(__file__).parent
CASES = sorted(path.name for path in HERE.iterdir() if (path / "inventory").is_dir())
ASKED = [name for name in CASES if (HERE / name / "question.txt").exists()]
PATHS = [f"--{key}={key}" for key in ("inventory", "workloads", "policies")]


class Golden:
    """A case's folder, and the command line in it."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, update: bool
    ) -> None:
        self.monkeypatch = monkeypatch
        self.capsys = capsys
        self.update = update

    def check(self, case: Path, file: str, words: list[str]) -> None:
        """Compares what a command prints with a file, or writes the file."""
        prior = ["--prior=prior.json"] if (case / "prior.json").exists() else []
        self.monkeypatch.chdir(case)
        self.monkeypatch.setattr(sys, "argv", ["fleet", *words, *PATHS, *prior])
        with pytest.raises(SystemExit) as ended:
            main()
        said = self.capsys.readouterr()
        assert (ended.value.code, said.err) == (0, "")
        if self.update:
            (case / file).write_text(said.out, encoding="utf-8")
        assert said.out == (case / file).read_text(encoding="utf-8")
        assert [line for line in said.out.splitlines() if len(line) > 100] == []


@pytest.fixture
def golden(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, update_golden: bool
) -> Golden:
    """The command line, to be run in the folder of a case."""
    return Golden(monkeypatch, capsys, update=update_golden)


@pytest.mark.parametrize("name", CASES)
def test_survive(name: str, golden: Golden) -> None:
    case = HERE / name
    said = case / "set.txt"
    lines = said.read_text(encoding="utf-8").split() if said.exists() else []
    golden.check(case, "survive.txt", ["survive", *(f"--set={line}" for line in lines)])


@pytest.mark.parametrize("name", ASKED)
def test_what_if(name: str, golden: Golden) -> None:
    case = HERE / name
    question = (case / "question.txt").read_text(encoding="utf-8").splitlines()
    golden.check(case, "what-if.txt", ["what-if", *question])


def test_there_are_enough_questions() -> None:
    assert len(ASKED) >= 5
