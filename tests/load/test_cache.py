"""A run with a cache knows exactly what a run without one knows; only sooner."""

import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from fleet.errors import InvalidError
from fleet.explain.document import to_json
from fleet.load import folders, load_snapshot, stored
from fleet.load.cache import cache_folder, open_cache, version
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.model.snapshot import Snapshot
from fleet.pipeline import build

ROOT = Path(__file__).parents[2]
CLUSTER = """\
# the only one
apiVersion: fleet/v1
kind: Cluster
metadata: {name: eu-1, labels: {env: prod}}
spec:
  region: eu-west-1
  capacity: {allocatable: {cpu: 1.5, memory: 4Gi}}
"""
POLICY = """\
apiVersion: fleet/v1
kind: PlacementPolicy
metadata: {name: all}
spec: {workloads: ["*"]}
"""
WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: web:1, resources: {requests: {cpu: 0.1}}}]}
"""
SETTINGS = """\
apiVersion: fleet/v1
kind: Workload
metadata: {name: web}
spec: {team: shop, waitSeconds: 12, queue: 3, namespaces: {create: [shop]}, renamedFrom: [old]}
"""
KEY = """\
apiVersion: v1
kind: Secret
metadata: {name: key}
stringData: {password: correct-horse, empty: }
"""
LIST = """\
apiVersion: v1
kind: ConfigMapList
items:
  - metadata: {name: one}
    data: {a: "1", none: ~}
  - {apiVersion: v1, kind: Secret, metadata: {name: two}, data: {b: YmF0dGVyeQ==}}
"""
ALIASES = """\
base: &base {a: repeated-text}
apiVersion: example.org/v1
kind: Thing
metadata: {name: thing}
spec: {<<: *base, b: [*base, *base]}
"""
HPA = """\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec: {minReplicas: 2, maxReplicas: 7, scaleTargetRef: {kind: Deployment, name: web}}
"""
DAEMON = """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: agents}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec: {containers: [{name: agent, image: agent:1, resources: {limits: {memory: 1Gi}}}]}
"""
WORDS = (
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: words}\ndata: {é: 'ü\u2028', n: '1.10'}\n"
)
DOCUMENTS = (WEB, SETTINGS, KEY, LIST, ALIASES, HPA, DAEMON, WORDS, "# nothing\n")
SMALL = {
    "inventory/eu.yaml": CLUSTER,
    "policies/all.yaml": POLICY,
    "workloads/web/web.yaml": WEB,
    "workloads/web/fleet.yaml": SETTINGS,
    "workloads/web/secret.yaml": KEY,
    "workloads/agent.yaml": DAEMON,
}


def write(root: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(text.encode())


def known(snapshot: Snapshot) -> list[Any]:
    """Everything that a snapshot can be asked, also what its equality leaves out."""
    origins = [each.origin for each in snapshot.clusters]
    for linked in snapshot.linked:
        origins.append(linked.placement.origin)
        origins.extend(each.origin for each in linked.overrides)
        origins.extend(each.origin for each in linked.traffic)
        origins.extend(each.origin for each in linked.workload.manifests)
    bodies = [
        yaml.safe_dump(each.body, sort_keys=False)
        for linked in snapshot.linked
        for each in linked.workload.manifests
    ]
    spelled = [each.marks.spelling(path) for each in origins for path in each.marks]  # type: ignore[attr-defined] # Marks of a text
    places = [(str(each.start), {path: each.at(*path) for path in each.marks}) for each in origins]
    return [snapshot, [each.workload for each in snapshot.linked], bodies, spelled, places]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The small fleet."""
    write(tmp_path / "fleet", SMALL)
    return tmp_path / "fleet"


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """A folder that is not there yet."""
    return tmp_path / "cache" / "load"


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files whose text was parsed."""
    files: list[str] = []

    def noting(read: Callable[..., Any]) -> Callable[..., Any]:
        def noted(file: str, *rest: object) -> object:
            files.append(file)
            return read(file, *rest)

        return noted

    for module, name in ((stored, "read_mixed"), (folders, "read_documents")):
        monkeypatch.setattr(module, name, noting(getattr(module, name)))
    return files


def the_pack(cache: Path) -> Path:
    (pack,) = cache.iterdir()
    return pack


def test_second_run_parses_nothing_and_knows_the_same(
    root: Path, cache: Path, parsed: list[str]
) -> None:
    without = known(load_snapshot(Settings(), root))
    assert known(load_snapshot(Settings(), root, cache)) == without
    parsed.clear()
    snapshot = load_snapshot(Settings(), root, cache)
    assert parsed == []
    assert known(snapshot) == without
    assert parsed == []


def test_example_fleet_is_the_same_with_a_cache(cache: Path, parsed: list[str]) -> None:
    without = build(Settings(), Prior(), ROOT)
    assert known(load_snapshot(Settings(), ROOT, cache)) == known(without.snapshot)
    parsed.clear()
    through = build(Settings(), Prior(), ROOT, cache)
    assert parsed == []
    assert to_json(through) == to_json(without)
    assert known(through.snapshot) == known(without.snapshot)


@given(st.lists(st.lists(st.sampled_from(DOCUMENTS), max_size=5), max_size=3))
def test_any_fleet_is_the_same_with_a_cache(files: list[list[str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root, cache = Path(folder) / "fleet", Path(folder) / "cache"
        write(root, {"inventory/eu.yaml": CLUSTER, "policies/all.yaml": POLICY})
        (root / "workloads/web").mkdir(parents=True)
        for number, documents in enumerate(files):
            write(root, {f"workloads/web/{number}.yaml": "---\n".join(documents)})
        said = []
        for place in (None, cache, cache, cache):
            try:
                said.append(known(load_snapshot(Settings(), root, place)))
            except InvalidError as invalid:
                said.append([str(error) for error in invalid.errors])
        assert said[1:] == said[:1] * 3


WORD = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "Zs"]), max_size=6)
DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(-1e6, 1e6) | WORD,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORD, inner, max_size=3),
    max_leaves=12,
)


@given(DATA)
def test_any_body_is_the_same_with_a_cache(data: object) -> None:
    thing = {"apiVersion": "e.org/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": data}
    with tempfile.TemporaryDirectory() as folder:
        root, cache = Path(folder) / "fleet", Path(folder) / "cache"
        text = yaml.safe_dump(thing, allow_unicode=True)
        files = {
            "inventory/eu.yaml": CLUSTER,
            "policies/all.yaml": POLICY,
            "workloads/a.yaml": text,
        }
        write(root, files)
        said = []
        for place in (None, cache, cache):
            try:
                (linked,) = load_snapshot(Settings(), root, place).linked
                said.append(repr(linked.workload.manifests[0].body))
            except InvalidError as invalid:
                said.append(str(invalid))
        assert said[1:] == said[:1] * 2


def test_content_counts_and_time_does_not(root: Path, cache: Path, parsed: list[str]) -> None:
    load_snapshot(Settings(), root, cache)
    file = root / "workloads/web/web.yaml"
    before = file.stat()
    write(root, {"workloads/web/web.yaml": WEB.replace("replicas: 3", "replicas: 5")})
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert file.stat().st_size == before.st_size
    snapshot = load_snapshot(Settings(), root, cache)
    assert [each.workload.replicas for each in snapshot.linked] == [1, 5]
    parsed.clear()
    os.utime(file, (1, 1))
    load_snapshot(Settings(), root, cache)
    assert parsed == []


def test_only_what_changed_is_parsed(root: Path, cache: Path, parsed: list[str]) -> None:
    load_snapshot(Settings(), root, cache)
    parsed.clear()
    write(root, {"workloads/agent.yaml": DAEMON + "# changed\n"})
    load_snapshot(Settings(), root, cache)
    assert parsed == ["workloads/agent.yaml"]


def test_same_bytes_under_another_name_are_another_workload(root: Path, cache: Path) -> None:
    load_snapshot(Settings(), root, cache)
    (root / "workloads/agent.yaml").rename(root / "workloads/other.yaml")
    names = [each.workload.name for each in load_snapshot(Settings(), root, cache).linked]
    assert names == ["other", "web"]


def test_faults_are_said_every_time_and_the_rest_is_kept(
    root: Path, cache: Path, parsed: list[str]
) -> None:
    bad = {"workloads/agent.yaml": "a: 1\na: 2\n", "policies/b.yaml": "kind: Nothing\n"}
    write(root, bad)
    said = []
    for _ in range(2):
        parsed.clear()
        with pytest.raises(InvalidError) as invalid:
            load_snapshot(Settings(), root, cache)
        said.append([str(error) for error in invalid.value.errors])
    assert said[0] == said[1]
    assert len(said[0]) == 3
    assert parsed == ["workloads/agent.yaml"]


def test_return_to_an_older_state_parses_nothing(
    root: Path, cache: Path, parsed: list[str]
) -> None:
    for text in (DAEMON, DAEMON + "# changed\n", DAEMON):
        parsed.clear()
        write(root, {"workloads/agent.yaml": text})
        load_snapshot(Settings(), root, cache)
    assert parsed == []


def test_secrets_and_repeated_values_are_not_in_the_cache(root: Path, cache: Path) -> None:
    write(root, {"workloads/web/list.yaml": LIST, "workloads/web/thing.yaml": ALIASES})
    without = known(load_snapshot(Settings(), root))
    load_snapshot(Settings(), root, cache)
    content = the_pack(cache).read_bytes()
    assert b"registry" not in content
    assert b"web:1" in content
    for text in (b"correct-horse", b"YmF0dGVyeQ", b"battery", b"repeated-text"):
        assert text not in content
    assert known(load_snapshot(Settings(), root, cache)) == without


def test_declared_text_that_speaks_of_secrets_is_not_in_the_cache(root: Path, cache: Path) -> None:
    write(root, {"policies/all.yaml": POLICY + "# of the Secret correct-horse\n"})
    load_snapshot(Settings(), root, cache)
    write(root, {"inventory/eu.yaml": CLUSTER + "# x\n"})
    load_snapshot(Settings(), root, cache)
    assert b'"PlacementPolicy"' not in the_pack(cache).read_bytes()
    assert b'"Cluster"' in the_pack(cache).read_bytes()


def test_another_version_reads_nothing_of_this_one(
    root: Path, cache: Path, parsed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    load_snapshot(Settings(), root, cache)
    parsed.clear()
    monkeypatch.setattr("fleet.load.cache.version", lambda: "another")
    load_snapshot(Settings(), root, cache)
    assert len(parsed) == len(SMALL)
    assert len(list(cache.iterdir())) == 2


def test_cache_that_cannot_be_written_changes_nothing(root: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        snapshot = load_snapshot(Settings(), root, folder)
        assert known(snapshot) == known(load_snapshot(Settings(), root))


def test_folder_that_leads_elsewhere_is_not_used(root: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "cache").symlink_to(tmp_path / "elsewhere")
    load_snapshot(Settings(), root, tmp_path / "cache")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_only_the_user_may_read_it(root: Path, cache: Path) -> None:
    cache.mkdir(parents=True, mode=0o777)
    load_snapshot(Settings(), root, cache)
    assert cache.stat().st_mode & 0o777 == 0o700
    assert the_pack(cache).stat().st_mode & 0o777 == 0o600


def test_runs_beside_each_other_do_not_disturb(root: Path, cache: Path, parsed: list[str]) -> None:
    paths = ((), (), ())
    first, second = open_cache(cache, root, paths), open_cache(cache, root, paths)
    first.keep("a", 1, b"one")
    second.keep("b", 2, b"two")
    first.save()
    second.save()
    assert [each.name[:4] for each in cache.iterdir()] != [".new"]
    found = open_cache(cache, root, paths).find("b")
    assert found is not None
    assert (found.facts, bytes(found.blob)) == (2, b"two")
    assert parsed == []


FOLDERS = [
    ({"HOME": "/h"}, "/h/.cache/fleet/load"),
    ({"HOME": "/h", "XDG_CACHE_HOME": "/c"}, "/c/fleet/load"),
    ({"HOME": "/h", "XDG_CACHE_HOME": "c"}, "/h/.cache/fleet/load"),
    ({"HOME": "/h", "XDG_CACHE_HOME": ""}, "/h/.cache/fleet/load"),
    ({"HOME": "/h", "FLEET_CACHE": "on"}, "/h/.cache/fleet/load"),
    ({"HOME": "/h", "FLEET_CACHE": " Off "}, None),
    ({"HOME": "/h", "FLEET_CACHE": "0"}, None),
    ({"HOME": ""}, None),
    ({}, None),
]


@pytest.mark.parametrize(("environment", "expected"), FOLDERS)
def test_folder_is_where_the_environment_says(
    environment: dict[str, str], expected: str | None
) -> None:
    folder = cache_folder(environment)
    assert (None if folder is None else str(folder)) == expected


def test_what_was_not_used_goes_first(
    root: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fleet.load.cache._SPARE", 10)
    for key in ("old", "middle", "new"):
        opened = open_cache(cache, root, ())
        opened.keep(key, None, b"12345678")
        opened.save()
    assert set(open_cache(cache, root, ()).old) == {"new", "middle"}


def test_fleet_without_its_sources_has_no_cache(
    root: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(_: Path) -> bytes:
        raise FileNotFoundError

    with monkeypatch.context() as patched:
        patched.setattr(Path, "read_bytes", gone)
        version.cache_clear()
        load_snapshot(Settings(), root, cache)
        version.cache_clear()
    assert not cache.exists()
