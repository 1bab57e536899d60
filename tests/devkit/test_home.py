"""The devkit's environment."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from devkit.home import HOME_VARIABLE, PROJECT, Home, environment, locate, merge, variables


def test_the_bin_folder_is_first_on_path(tmp_path: Path) -> None:
    first = environment(tmp_path)["PATH"].split(os.pathsep)[0]
    assert first == str(tmp_path / "bin")


def test_an_environment_within_an_environment_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = environment(tmp_path)
    monkeypatch.setenv("PATH", once["PATH"])
    assert environment(tmp_path)["PATH"] == once["PATH"]


def test_engine_and_plugins_write_into_the_home_only(tmp_path: Path) -> None:
    found = variables(Home(tmp_path))
    for name in ("PULUMI_HOME", "TMPDIR", "KUBECONFIG"):
        assert Path(found[name]).parent == tmp_path
    assert found["PULUMI_BACKEND_URL"] == f"file://{tmp_path}/state"


def test_variables_of_a_real_account_do_not_pass() -> None:
    inherited = {"AWS_PROFILE": "work", "PULUMI_ACCESS_TOKEN": "secret", "LANG": "C"}
    assert merge(inherited, {"AWS_ACCESS_KEY_ID": "devkit"}) == {
        "LANG": "C",
        "AWS_ACCESS_KEY_ID": "devkit",
    }


def test_credentials_are_the_demos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "a-real-one")
    found = environment(tmp_path)
    assert found["AWS_ACCESS_KEY_ID"] == "devkit"
    assert found["AWS_SHARED_CREDENTIALS_FILE"] == os.devnull


def test_the_home_is_private(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.make()
    assert home.root.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("given", [True, False], ids=["by option", "by variable"])
def test_locate_finds_the_home(
    given: bool,  # noqa: FBT001
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "variable"))
    wanted = tmp_path / ("option" if given else "variable")
    assert locate(tmp_path / "option" if given else None) == Home(wanted)


def test_locate_falls_back_to_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(HOME_VARIABLE, raising=False)
    assert locate() == Home(PROJECT / ".devkit")


def test_env_prints_lines_that_a_shell_takes(tmp_path: Path) -> None:
    home = tmp_path / "a folder with 'quotes'"
    printed = subprocess.run(
        [sys.executable, "-m", "devkit", "env", "--home", str(home)],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    script = f'{printed}\nprintf %s "$KUBECONFIG"'
    answer = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
    assert answer.stdout == str(home / "kubeconfig")
    assert all(shlex.split(line)[0] == "export" for line in printed.splitlines())


def test_run_gives_a_command_the_environment_and_its_exit_code(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "devkit", "run", "--home", str(tmp_path), "--"]
    answer = subprocess.run(
        [*command, "sh", "-c", 'printf %s "$PULUMI_HOME"; exit 7'],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (answer.returncode, answer.stdout) == (7, str(tmp_path / "pulumi"))
