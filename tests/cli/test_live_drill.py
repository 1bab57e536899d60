"""`fleet drill --live`: which command it hands to the devkit, and what it refuses before."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_commands import Fleet

TRAFFIC = """\
apiVersion: fleet/v1
kind: TrafficPolicy
metadata: {{name: {name}}}
spec:
  workload: web
  name: {name}.example.org
  zone: {{name: example.org}}
  mode: weighted
"""


@pytest.fixture
def fleet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Fleet:
    """Two clusters with entries, and one name that leads to both."""
    made = Fleet(tmp_path, monkeypatch, capsys)
    made.write("policies/name.yaml", TRAFFIC.format(name="web"))
    return made


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that were run, by nobody."""
    commands: list[list[str]] = []

    def note(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        commands.append(command)
        return subprocess.CompletedProcess(command, 1)

    monkeypatch.setattr(subprocess, "run", note)
    return commands


def test_the_devkit_is_told_which_cluster_and_which_name(
    fleet: Fleet, ran: list[list[str]], tmp_path: Path
) -> None:
    words = ("--live", "--scenario", "cluster:eu-1", "--late", "20", "--report", "drill.md")
    assert fleet("drill", *words).code == 1  # the devkit's own exit
    assert ran == [
        [
            *(sys.executable, "-m", "devkit", "drill", "web.example.org", "eu-1"),
            *("--stack", "dev", "--project", str(tmp_path), "--late", "20"),
            *("--report", "drill.md"),
        ]
    ]


WRONG = {
    "every scenario": ((), "a live drill kills one cluster - --scenario cluster:NAME"),
    "a name without a record": (
        ("--scenario", "cluster:eu-1", "--name", "wep.example.org"),
        "'wep.example.org' has no record of 'eu-1' - did you mean 'web.example.org'?",
    ),
}


@pytest.mark.parametrize(("words", "sentence"), WRONG.values(), ids=WRONG.keys())
def test_what_is_not_clear_is_refused(
    fleet: Fleet, ran: list[list[str]], words: tuple[str, ...], sentence: str
) -> None:
    done = fleet("drill", "--live", *words)
    assert done.code == 2
    assert sentence in done.err
    assert ran == []


def test_of_several_names_one_has_to_be_said(fleet: Fleet, ran: list[list[str]]) -> None:
    fleet.write("policies/other.yaml", TRAFFIC.format(name="other"))
    done = fleet("drill", "--live", "--scenario", "cluster:eu-1")
    assert done.code == 2
    assert "2 names have a record of 'eu-1' - say --name with one of other.example.org" in done.err
    assert ran == []
