"""What a program says of its version, and whether that will do."""

import os
from pathlib import Path

import pytest

from devkit.errors import DevkitError
from devkit.home import BIN_MARKER
from devkit.products import ETCD, KUBERNETES, Product, Program
from devkit.search_path import find, find_product, go_version
from devkit.versions import ask, is_new_enough, parse


def an_executable(folder: Path, name: str, answer: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / name
    program.write_text(f"#!/bin/sh\ncat <<'END'\n{answer}\nEND\n")
    program.chmod(0o755)
    return program


@pytest.mark.parametrize(
    ("answer", "version"),
    [
        pytest.param("v3.274.1", (3, 274, 1), id="the engine"),
        pytest.param("Kubernetes v1.36.3", (1, 36, 3), id="a control plane program"),
        pytest.param(
            "Client Version: v1.32.4\nKustomize Version: v5.5.0", (1, 32, 4), id="kubectl"
        ),
        pytest.param("etcd Version: 3.6.16\nGit SHA: 0", (3, 6, 16), id="etcd"),
        pytest.param("kwok version v0.8.0 go1.26.8 (linux/amd64)", (0, 8, 0), id="kwok"),
        pytest.param("go version go1.26 linux/amd64", (1, 26, 0), id="Go without a patch number"),
        pytest.param("no number here", None, id="nothing"),
    ],
)
def test_parse_reads_the_first_version(answer: str, version: tuple[int, int, int] | None) -> None:
    assert parse(answer) == version


@pytest.mark.parametrize(
    ("found", "fine"),
    [
        pytest.param((1, 34, 0), True, id="the minimum itself"),
        pytest.param((2, 0, 0), True, id="a later major version"),
        pytest.param((1, 33, 9), False, id="an older minor version"),
        pytest.param(None, False, id="an unknown version"),
    ],
)
def test_is_new_enough_compares_numbers(found: tuple[int, int, int] | None, fine: bool) -> None:  # noqa: FBT001
    assert is_new_enough(found, (1, 34, 0)) is fine


def test_ask_gives_none_for_a_program_that_does_not_start(tmp_path: Path) -> None:
    assert ask(tmp_path / "absent", ("--version",)) is None


def on_path(monkeypatch: pytest.MonkeyPatch, *folders: Path) -> None:
    monkeypatch.setenv(
        "PATH", os.pathsep.join(str(folder) for folder in folders) + ":/usr/bin:/bin"
    )


def a_product(*names: str) -> Product:
    return Product(
        name="made-up",
        version="2.0.0",
        minimum=(1, 5, 0),
        module="etcd",
        packages=(".",),
        version_symbols=(),
        programs=tuple(Program(name) for name in names),
        minutes=1,
        official="nobody",
    )


def test_a_product_on_path_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = an_executable(tmp_path, "made-up-one", "v1.5.0")
    on_path(monkeypatch, tmp_path)
    assert find_product(a_product("made-up-one")) == ({"made-up-one": program}, [])


def test_a_product_of_which_one_program_is_too_old_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    an_executable(tmp_path, "made-up-one", "v1.9.0")
    old = an_executable(tmp_path, "made-up-two", "v1.4.9")
    on_path(monkeypatch, tmp_path)
    found, remarks = find_product(a_product("made-up-one", "made-up-two"))
    assert found == {}
    assert remarks == [f"{old} is 1.4.9, at least 1.5.0 is needed"]


def test_a_product_of_which_one_program_is_missing_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    an_executable(tmp_path, "made-up-one", "v1.9.0")
    on_path(monkeypatch, tmp_path)
    assert find_product(a_product("made-up-one", "made-up-two"))[0] == {}


def test_a_devkits_own_links_are_not_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    an_executable(tmp_path / "ours", "made-up-one", "v1.9.0")
    (tmp_path / "ours" / BIN_MARKER).touch()
    behind = an_executable(tmp_path / "behind", "made-up-one", "v1.9.0")
    on_path(monkeypatch, tmp_path / "ours", tmp_path / "behind")
    assert find("made-up-one") == behind


def test_a_go_that_is_too_old_is_named(tmp_path: Path) -> None:
    go = an_executable(tmp_path, "go", "go version go1.20.1 linux/amd64")
    with pytest.raises(DevkitError, match=r"Go 1\.26\.6 or newer is needed, .* is 1\.20\.1"):
        go_version(go, (1, 26, 6))


def test_a_go_that_may_fetch_a_newer_toolchain_will_do(tmp_path: Path) -> None:
    go = tmp_path / "go"
    go.write_text('#!/bin/sh\n[ "$1" = version ] && echo go version go1.22.0 || echo auto\n')
    go.chmod(0o755)
    go_version(go, (1, 26, 6))


def test_every_minimum_is_met_by_what_is_compiled() -> None:
    for product in (KUBERNETES, ETCD):
        assert is_new_enough(parse(product.version), product.minimum)
