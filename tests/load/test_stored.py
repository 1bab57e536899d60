"""What is kept of a workload gives back an equal one, or it is not kept."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fleet.errors import ErrorList
from fleet.load.cache import Cache
from fleet.load.files import Files, Raw
from fleet.load.pack import Entry
from fleet.load.stored import find_workload, keep_workload, workload_key
from fleet.load.workloads import read_workloads
from fleet.model.source import Origin
from fleet.model.workload import Workload

MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: v}\n"
RAWS = (Raw("workloads/a.yaml", MAP.encode()),)
KEY = workload_key("a", RAWS)


@pytest.fixture
def workload(tmp_path: Path) -> Workload:
    """A workload of one ConfigMap."""
    (tmp_path / "workloads").mkdir()
    (tmp_path / "workloads/a.yaml").write_bytes(MAP.encode())
    errors = ErrorList()
    (found,) = read_workloads(Files(tmp_path, errors), ["workloads"]).found
    assert errors.errors == []
    return found


def a_cache(**used: Entry) -> Cache:
    return Cache(Path("nowhere.pack"), dict(used))


def test_workload_that_is_kept_is_found(workload: Workload) -> None:
    cache = a_cache()
    keep_workload(cache, KEY, workload, RAWS)
    assert find_workload(Cache(None, cache.used), KEY, "a", RAWS) == workload
    assert find_workload(Cache(None, cache.used), "other", "a", RAWS) is None


def test_cache_that_is_off_keeps_nothing(workload: Workload) -> None:
    cache = Cache()
    keep_workload(cache, KEY, workload, RAWS)
    assert cache.used == {}


ODD = [
    pytest.param({"autoscaled": object()}, id="a value that has no plain form"),
    pytest.param({"replicas": 1.5}, id="a value that is refused on the way back"),
    pytest.param({"main": 1}, id="a value of another type"),
    pytest.param({"replicas": "3"}, id="a value that comes back as another"),
]


@pytest.mark.parametrize("change", ODD)
def test_value_that_would_not_come_back_is_not_kept(
    workload: Workload, change: dict[str, Any]
) -> None:
    cache = a_cache()
    keep_workload(cache, KEY, replace(workload, **change), RAWS)
    assert cache.used == {}


def test_object_of_another_file_is_not_kept(workload: Workload) -> None:
    manifest = workload.manifests[0]
    elsewhere = Origin("b.yaml", 1, 1, manifest.origin.marks)
    for origin in (Origin("workloads/a.yaml"), elsewhere):
        other = replace(workload, manifests=(replace(manifest, origin=origin),))
        cache = a_cache()
        keep_workload(cache, KEY, other, RAWS)
        assert cache.used == {}


@pytest.mark.parametrize("body", [b"{", b"5     ", b"[" * 100_000])
def test_body_that_is_none_is_read_from_the_file(workload: Workload, body: bytes) -> None:
    cache = a_cache()
    keep_workload(cache, KEY, workload, RAWS)
    facts = json.loads(json.dumps(cache.used[KEY].facts))
    facts[1][0][-2:] = [0, len(body)]
    found = find_workload(a_cache(**{KEY: Entry(facts, memoryview(body))}), KEY, "a", RAWS)
    assert found == workload
    assert found.manifests[0].body["data"] == {"k": "v"}


def test_workload_is_not_found_where_its_file_is_no_text(workload: Workload) -> None:
    cache = a_cache()
    keep_workload(cache, KEY, workload, RAWS)
    raws = (Raw("workloads/a.yaml", b"\xff"),)
    assert find_workload(Cache(None, cache.used), KEY, "a", raws) is None


def test_key_hangs_on_every_name_and_byte() -> None:
    keys = {
        workload_key(name, [Raw(shown, content) for shown, content in files])
        for name, files in [
            ("a", []),
            ("b", []),
            ("a", [("x", b"1")]),
            ("a", [("x", b"2")]),
            ("a", [("y", b"1")]),
            ("a", [("x1", b"")]),
            ("a", [("x", b"1"), ("y", b"")]),
            ("a", [("x", b""), ("y", b"1")]),
            ("a", [("y", b""), ("x", b"1")]),
            ("a\udcff", []),
        ]
    }
    assert len(keys) == 10
