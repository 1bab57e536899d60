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


@pytest.mark.parametrize(
    ("switch", "words", "packs"),
    [
        pytest.param(None, [], 1, id="by default"),
        pytest.param("on", ["--cache"], 1, id="asked for"),
        pytest.param("off", [], 0, id="turned off by the environment"),
        pytest.param(None, ["--no-cache"], 0, id="turned off on the command line"),
    ],
)
def test_cache_is_on_unless_somebody_turns_it_off(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    switch: str | None,
    words: list[str],
    packs: int,
) -> None:
    for name, text in FILES.items():
        (tmp_path / "fleet" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "fleet" / name).write_text(text)
    monkeypatch.chdir(tmp_path / "fleet")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "argv", ["fleet", "plan", *words])
    if switch is None:
        monkeypatch.delenv("FLEET_CACHE")
    else:
        monkeypatch.setenv("FLEET_CACHE", switch)
    said = []
    for _ in range(2):
        with pytest.raises(SystemExit):
            main()
        said.append(capsys.readouterr())
    assert said[0] == said[1]
    assert said[0].err == ""
    assert len(list(tmp_path.glob("cache/fleet/load/*.pack"))) == packs
