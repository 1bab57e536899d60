"""What lies in the cache's folder is believed only where it is whole and nobody else's."""

import json
import os
from hashlib import sha256
from pathlib import Path

import pytest

from fleet.load import load_snapshot, pack
from fleet.load.pack import Entry, read_pack, write_pack
from fleet.model.settings import Settings

FILES = {
    "inventory/eu.yaml": "apiVersion: fleet/v1\nkind: Cluster\nmetadata: {name: eu-1}\n"
    "spec: {region: eu}\n",
    "policies/all.yaml": "apiVersion: fleet/v1\nkind: PlacementPolicy\nmetadata: {name: all}\n"
    "spec: {workloads: ['*']}\n",
    "workloads/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: v}\n",
}


def an_entry(facts: object, blob: bytes = b"") -> Entry:
    return Entry(facts, memoryview(blob))


def sealed(body: bytes) -> bytes:
    """A pack with this body, whole by its digest."""
    return b"fleet load 1\n" + sha256(body).digest() + body


def indexed(index: bytes, blob: bytes = b"") -> bytes:
    return sealed(len(index).to_bytes(8, "big") + index + blob)


def content_of(path: Path) -> dict[str, tuple[object, bytes]]:
    return {key: (each.facts, bytes(each.blob)) for key, each in read_pack(path).items()}


def test_pack_gives_back_what_it_was_given(tmp_path: Path) -> None:
    path = tmp_path / "a.pack"
    write_pack(path, {"a": an_entry([1, "é", None], b"\0one"), "b": an_entry({}, b"two")})
    assert content_of(path) == {"a": ([1, "é", None], b"\0one"), "b": ({}, b"two")}
    write_pack(path, {})
    assert content_of(path) == {}


def test_damage_anywhere_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "a.pack"
    write_pack(path, {"a": an_entry([1], b"one")})
    whole = path.read_bytes()
    damaged = [whole[:end] for end in range(len(whole))] + [whole + b"x"]
    damaged += [whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :] for at in range(len(whole))]
    for content in damaged:
        path.write_bytes(content)
        assert content_of(path) == {}


FOREIGN = [
    pytest.param(b"", id="nothing"),
    pytest.param(b"\x80\x04N.", id="a pickle"),
    pytest.param(sealed(b""), id="no index"),
    pytest.param(sealed(b"\xff" * 8), id="a length without end"),
    pytest.param(indexed(b"[]"), id="a list"),
    pytest.param(indexed(b"{"), id="half an index"),
    pytest.param(indexed(b"\xff"), id="no text"),
    pytest.param(indexed(b'{"a": 1}'), id="an entry of one number"),
    pytest.param(indexed(b'{"a": [1, 2]}'), id="an entry of two numbers"),
    pytest.param(indexed(b'{"a": [1, "0", 0]}'), id="a start of text"),
    pytest.param(indexed(b'{"a": [1, 0, 1]}'), id="more bytes than there are"),
    pytest.param(indexed(b'{"a": [1, -1, 1]}', b"xy"), id="a start before the start"),
    pytest.param(indexed(b'{"a": [1, 1, -1]}', b"xy"), id="a negative length"),
    pytest.param(indexed(b"[" * 100_000), id="lists without end"),
]


@pytest.mark.parametrize("content", FOREIGN)
def test_foreign_file_is_no_pack(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.pack"
    path.write_bytes(content)
    path.chmod(0o600)
    assert content_of(path) == {}


def test_pack_of_others_is_not_believed(tmp_path: Path) -> None:
    path, link = tmp_path / "a.pack", tmp_path / "b.pack"
    write_pack(path, {"a": an_entry(1)})
    link.symlink_to(path)
    assert content_of(link) == {}
    assert content_of(path) == {"a": (1, b"")}
    path.chmod(0o620)
    assert content_of(path) == {}
    assert content_of(tmp_path) == {}


WRONG = [
    pytest.param(None, b"", id="nothing"),
    pytest.param([], b"{", id="a list"),
    pytest.param([{}, []], b"[[0, 1, 1, []]]", id="no objects"),
    pytest.param([{"replicas": "many"}, [["v1"]]], b"[[0, 1]]", id="half a row"),
    pytest.param(
        [{"main": None, "replicas": "many", "request": {}}, "rows"], b"[1]", id="text and numbers"
    ),
    pytest.param(
        [{"main": None, "replicas": "x"}, [["v1", "ConfigMap", "", "a", 0, 1, 1, 0, [], 0, 0]]],
        b'[["0", 1, 1, {}]]',
        id="a replica count that is none",
    ),
    pytest.param(
        [
            {"main": None, "replicas": 0, "request": {}},
            [["v1", "ConfigMap", "", "a", 7, 1, 1, 0, [], 0, 0]],
        ],
        b"[" * 100_000,
        id="a file that is not there",
    ),
    pytest.param(
        [
            {"main": None, "replicas": 0, "request": {}},
            [["v1", "ConfigMap", "", "a", 0, 1, 1, 0, [], 0, 4]],
        ],
        b"[[0, 1, 1, 5]]",
        id="a body that is none",
    ),
]


@pytest.mark.parametrize(("facts", "blob"), WRONG)
def test_whole_pack_with_wrong_entries_changes_nothing(
    tmp_path: Path, facts: object, blob: bytes
) -> None:
    root, cache = tmp_path / "fleet", tmp_path / "cache"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True)
        (root / name).write_text(text)
    without = load_snapshot(Settings(), root)
    load_snapshot(Settings(), root, cache)
    (path,) = cache.iterdir()
    good = content_of(path)
    assert len(good) == len(FILES)
    for key in good:
        entries = {each: an_entry(*kept) for each, kept in good.items()}
        write_pack(path, {**entries, key: an_entry(facts, blob)})
        assert load_snapshot(Settings(), root, cache) == without
        assert load_snapshot(Settings(), root, cache) == without


def test_damaged_pack_is_written_anew(tmp_path: Path) -> None:
    root, cache = tmp_path / "fleet", tmp_path / "cache"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True)
        (root / name).write_text(text)
    load_snapshot(Settings(), root, cache)
    (path,) = cache.iterdir()
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    load_snapshot(Settings(), root, cache)
    assert path.read_bytes() == whole


def test_what_was_used_longest_ago_is_thrown_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pack, "LARGEST", 3000)
    for name in ("a", "b", "c"):
        write_pack(tmp_path / f"{name}.pack", {name: an_entry(1, b"x" * 900)})
    (tmp_path / ".new-left").write_bytes(b"y" * 100)
    for age, name in enumerate((".new-left", "a.pack", "b.pack", "c.pack")):
        os.utime(tmp_path / name, (age, age))
    assert content_of(tmp_path / "a.pack") != {}  # a use
    write_pack(tmp_path / "d.pack", {"d": an_entry(1, b"x" * 900)})
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.pack", "c.pack", "d.pack"]
    write_pack(tmp_path / "e.pack", {"e": an_entry(1, b"x" * 3000)})
    assert not (tmp_path / "e.pack").exists()


def test_full_disk_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "a.pack"
    write_pack(path, {"a": an_entry(1)})
    monkeypatch.setattr(Path, "replace", full)
    write_pack(path, {"b": an_entry(2)})
    assert content_of(path) == {"a": (1, b"")}
    assert [each.name for each in tmp_path.iterdir()] == ["a.pack"]


def test_facts_of_a_pack_are_json(tmp_path: Path) -> None:
    path = tmp_path / "a.pack"
    write_pack(path, {"a": an_entry({"k": [1.5, True]}, b"z")})
    body = path.read_bytes()[13 + 32 :]
    length = int.from_bytes(body[:8], "big")
    assert json.loads(body[8 : 8 + length]) == {"a": [{"k": [1.5, True]}, 0, 1]}
