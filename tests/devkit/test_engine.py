"""Programs are put where the engine and PATH find them."""

import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from pulumi.runtime.proto import language_pb2

from devkit import engine, language_host
from devkit.errors import DevkitError
from devkit.home import Home


def a_home(folder: Path) -> Home:
    home = Home(folder / "home")
    home.make()
    return home


def a_program(folder: Path, name: str, text: str = "#!/bin/sh\necho ran\n") -> Path:
    program = folder / name
    program.write_text(text)
    program.chmod(0o755)
    return program


def test_a_link_follows_a_new_target(tmp_path: Path) -> None:
    first, second = a_program(tmp_path, "first"), a_program(tmp_path, "second")
    link = tmp_path / "link"
    engine.point(link, first)
    engine.point(link, second)
    assert link.readlink() == second
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first", "link", "second"]


def test_the_engine_itself_stands_beside_its_language_host(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    pulumi = a_program(tmp_path, "pulumi")
    place, host = engine.find_language_host(home, pulumi, lambda _text: None)
    assert place.parent == host.parent == home.bin
    assert not place.is_symlink()
    assert place.read_bytes() == pulumi.read_bytes()
    newer = a_program(tmp_path, "pulumi", "#!/bin/sh\necho newer than before\n")
    assert engine.place_beside(place, newer).read_bytes() == newer.read_bytes()


def test_an_official_language_host_beside_pulumi_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    official = tmp_path / "official"
    official.mkdir()
    names = ("pulumi", "pulumi-language-python", "pulumi-language-python-exec")
    programs = {name: a_program(official, name) for name in names}
    monkeypatch.setenv("PATH", f"{official}:/usr/bin:/bin")
    home = a_home(tmp_path)
    place, host = engine.find_language_host(home, programs["pulumi"], lambda _text: None)
    assert place.readlink() == programs["pulumi"]
    assert host.readlink() == programs["pulumi-language-python"]


def test_plugins_are_where_the_engine_looks_for_the_sdks_version(tmp_path: Path) -> None:
    path = engine.plugin_path(a_home(tmp_path), "aws")
    assert path.parent.name == f"resource-aws-v{metadata.version('pulumi-aws')}"
    assert path.parent.parent.name == "plugins"


def test_a_wrapper_runs_our_module_and_not_the_callers(tmp_path: Path) -> None:
    (tmp_path / "devkit").mkdir()
    (tmp_path / "devkit" / "__init__.py").write_text("raise RuntimeError('not this one')")
    wrapper = engine.wrap(tmp_path / "wrapper", "devkit.versions")
    answer = subprocess.run([wrapper], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (answer.returncode, answer.stderr) == (0, "")


def test_a_missing_program_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(DevkitError, match="run 'python -m devkit engine'"):
        engine.need(a_home(tmp_path), "kwokctl")


@pytest.mark.parametrize(
    ("code", "answer"),
    [
        pytest.param(0, language_pb2.RunResponse(), id="fine"),
        pytest.param(32, language_pb2.RunResponse(bail=True), id="told already"),
        pytest.param(
            1, language_pb2.RunResponse(error="the program ended with exit code 1"), id="code"
        ),
        pytest.param(
            -9, language_pb2.RunResponse(error="the program was ended by signal 9"), id="signal"
        ),
    ],
)
def test_an_exit_code_becomes_the_engines_answer(
    code: int, answer: language_pb2.RunResponse
) -> None:
    assert language_host.answer_of(code) == answer


def test_the_projects_virtualenv_is_used_where_it_names_one(tmp_path: Path) -> None:
    info = language_pb2.ProgramInfo(root_directory=str(tmp_path))
    assert language_host.python_of(info) == sys.executable
    info.options.update({"virtualenv": "venv"})
    assert language_host.python_of(info) == sys.executable
    (tmp_path / "venv" / "bin").mkdir(parents=True)
    python = a_program(tmp_path / "venv" / "bin", "python")
    assert language_host.python_of(info) == str(python)
