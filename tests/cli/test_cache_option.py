"""The cache from outside: on by default, off when somebody says so, the same answer."""

import sys
from pathlib import Path

import pytest

from fleet.cli import main

FILES = {
    "Pulumi.yaml": "name: fleet\nruntime: python\n",
    "inventory/eu.yaml": "apiVersion: fleet/v1\nkind: Cluster\nmetadata: {name: eu-1}\n"
    "spec: {region: eu}\n",
    "policies/all.yaml": "apiVersion: fleet/v1\nkind: PlacementPolicy\nmetadata: {name: all}\n"
    "spec: {workloads: ['*']}\n",
    "workloads/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: v}\n",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a small project, and of the user's cache."""
    for name, text in FILES.items():
        (tmp_path / "fleet" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "fleet" / name).write_text(text)
    monkeypatch.chdir(tmp_path / "fleet")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("FLEET_CACHE")
    return tmp_path


@pytest.mark.parametrize(
    ("switch", "words", "packs"),
    [
        pytest.param({}, [], 1, id="by default"),
        pytest.param({"FLEET_CACHE": "on"}, ["--cache"], 1, id="asked for"),
        pytest.param({"FLEET_CACHE": "off"}, [], 0, id="turned off by the environment"),
        pytest.param({}, ["--no-cache"], 0, id="turned off on the command line"),
    ],
)
@pytest.mark.usefixtures("project")
def test_cache_is_on_unless_somebody_turns_it_off(
    monkeypatch: pytest.MonkeyPatch, switch: dict[str, str], words: list[str], packs: int
) -> None:
    for name, value in switch.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "argv", ["fleet", "plan", *words])
    for _ in range(2):
        with pytest.raises(SystemExit) as ended:
            main()
        assert not ended.value.code
    assert len(list(Path().glob("../cache/fleet/load/*.pack"))) == packs


def test_plan_says_the_same_with_a_cache(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = []
    for words in (["--no-cache"], [], []):
        monkeypatch.setattr(sys, "argv", ["fleet", "plan", "--output", "json", *words])
        with pytest.raises(SystemExit):
            main()
        said.append(capsys.readouterr())
    assert said[0].out.startswith("{")
    assert said[1:] == said[:1] * 2
    assert (project / "cache").is_dir()
