"""Paths and files: order, names as written, what is left out, what cannot be read."""

import os
from collections.abc import Callable
from pathlib import Path
from socket import AF_UNIX, socket

import pytest

from fleet.errors import ErrorList
from fleet.load.files import File, Files
from fleet.model.snapshot import Snapshot

Load = Callable[..., Snapshot]
Faults = Callable[..., list[str]]


def shown(root: Path, written: str) -> list[str]:
    errors = ErrorList()
    files = Files(root, errors)
    entry = files.entry(written, "policies")
    found = [] if entry is None else [file.shown for file in files.below(entry)]
    assert errors.errors == []
    return found


def a_tree(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("")


def test_files_come_in_the_order_of_names_whatever_the_disk_says(tmp_path: Path) -> None:
    a_tree(tmp_path, "p/z.yaml", "p/b/2.yml", "p/b/1.yaml", "p/a.yaml", "p/c.txt", "p/.x.yaml")
    a_tree(tmp_path, "p/.git/x.yaml", "p/d.yaml.bak", "p/E.YML")
    assert shown(tmp_path, "p") == ["p/E.YML", "p/a.yaml", "p/b/1.yaml", "p/b/2.yml", "p/z.yaml"]


def test_paths_are_shown_as_written(tmp_path: Path) -> None:
    a_tree(tmp_path, "p/a.yaml")
    assert shown(tmp_path, "p/") == ["p/a.yaml"]
    assert shown(tmp_path, "./p") == ["p/a.yaml"]
    assert shown(tmp_path, "p/a.yaml") == ["p/a.yaml"]
    assert shown(tmp_path / "p", ".") == ["a.yaml"]
    assert shown(tmp_path / "p", "../p") == ["../p/a.yaml"]
    assert shown(tmp_path, str(tmp_path / "p")) == [f"{tmp_path}/p/a.yaml"]


def test_file_that_is_named_counts_whatever_its_ending(tmp_path: Path) -> None:
    a_tree(tmp_path, "fleet.json")
    assert shown(tmp_path, "fleet.json") == ["fleet.json"]


def test_file_is_read_once_though_named_twice(load: Load) -> None:
    snapshot = load(policies=["policies", "policies/web.yaml", "./policies"])
    assert [each.placement.name for each in snapshot.linked] == ["web"]


def test_links_are_followed_but_not_in_circles(tmp_path: Path) -> None:
    a_tree(tmp_path, "elsewhere/x.yaml", "p/a.yaml")
    (tmp_path / "p/loop").symlink_to(tmp_path / "p")
    (tmp_path / "p/out").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere/back").symlink_to(tmp_path / "p")
    (tmp_path / "p/self.yaml.d").symlink_to("self.yaml.d")
    assert shown(tmp_path, "p") == ["p/a.yaml", "p/out/x.yaml"]


def test_dangling_link_and_odd_file_are_refused(tmp_path: Path, faults: Faults) -> None:
    (tmp_path / "policies").mkdir()
    (tmp_path / "policies/gone.yaml").symlink_to("nowhere")
    os.mkfifo(tmp_path / "policies/pipe.yaml")
    assert faults() == [
        "policies/gone.yaml:1:1: cannot be read: no such file or directory",
        "policies/pipe.yaml:1:1: is no regular file",
    ]


def test_socket_is_no_regular_file(
    tmp_path: Path, faults: Faults, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "policies").mkdir()
    monkeypatch.chdir(tmp_path / "policies")  # the name of a socket has at most 100 bytes
    with socket(AF_UNIX) as bound:
        bound.bind("door.yaml")
        assert faults() == ["policies/door.yaml:1:1: is no regular file"]


def test_file_whose_size_the_disk_does_not_know_is_read_to_its_end(tmp_path: Path) -> None:
    errors = ErrorList()
    text = Files(Path("/proc/self"), errors).text(File("status", Path("/proc/self/status")))
    assert errors.errors == []
    assert text is not None
    assert text.startswith("Name:")
    assert text.count("\n") > 10
    (tmp_path / "empty").touch()
    assert Files(tmp_path, errors).text(File("empty", tmp_path / "empty")) == ""


def test_name_that_is_no_text_is_a_fault_and_no_crash(tmp_path: Path, faults: Faults) -> None:
    (tmp_path / "workloads").mkdir()
    Path(os.fsdecode(os.fsencode(tmp_path / "workloads") + b"/\xff.yaml")).write_text("a: 1\n")
    assert any("is no name of a workload" in line for line in faults())


def test_byte_order_mark_and_foreign_line_ends_are_fine(load: Load) -> None:
    text = "apiVersion: fleet/v1\r\nkind: Cluster\r\nmetadata: {name: c}\r\nspec: {region: r}\r\n"
    snapshot = load({"inventory/c.yaml": b"\xef\xbb\xbf" + text.encode()})
    assert snapshot.clusters[0].name == "c"
    assert str(snapshot.clusters[0].origin.at("spec")) == "inventory/c.yaml:4:1"


def test_byte_that_is_no_text_is_told_where_it_stands(faults: Faults) -> None:
    for mark in (b"", b"\xef\xbb\xbf"):
        said = faults({"inventory/c.yaml": mark + b"a: 1\nb: \xff\n"})
        assert said[0].startswith("inventory/c.yaml:2:4: the byte 0xFF is no UTF-8")


@pytest.mark.parametrize("written", ["a\0b", "x" * 5000, "policies/web.yaml/deeper"])
def test_path_that_no_disk_has_is_refused(faults: Faults, written: str) -> None:
    assert any("does not exist" in line for line in faults(policies=written))
