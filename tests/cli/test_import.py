"""`fleet import` from outside: what it writes and says, and when it writes nothing."""

from pathlib import Path

import pytest

from fleet.cli import main

CLUSTER = """\
apiVersion: core.kubefed.io/v1beta1
kind: KubeFedCluster
metadata: {name: a}
spec: {apiEndpoint: "https://a.example"}
status: {region: r1}
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder with one document of another product."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "theirs.yaml").write_text(CLUSTER)
    return tmp_path


def fleet(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    """Runs the command line; returns its exit code."""
    monkeypatch.setattr("sys.argv", ["fleet", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def test_it_says_what_it_writes_and_what_differs(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fleet(monkeypatch, "import", "theirs.yaml", "--to", "ours") == 0
    assert capsys.readouterr().out == (
        "ours/inventory/clusters.yaml\n"
        "theirs.yaml:4:8: spec.apiEndpoint: KubeFed reaches it by an endpoint and a token - fleet"
        " reaches a cluster by spec.connection of its own document, this one and all others\n"
        "1 file written, 1 finding\n"
    )
    text = (home / "ours" / "inventory" / "clusters.yaml").read_text()
    assert text == (
        "# from theirs.yaml:1:1\napiVersion: fleet/v1\nkind: Cluster\nmetadata:\n  name: a\n"
        "spec:\n  region: r1\n"
    )


def test_it_overwrites_only_when_told(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = home / "ours" / "inventory" / "clusters.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("mine\n")
    assert fleet(monkeypatch, "import", "theirs.yaml", "--to", "ours") == 2
    assert capsys.readouterr().err == (
        "--to: 'ours/inventory/clusters.yaml' exists - say --force to overwrite it\n"
    )
    assert file.read_text() == "mine\n"
    assert fleet(monkeypatch, "import", "theirs.yaml", "--to", "ours", "--force") == 0
    assert "region: r1" in file.read_text()


def test_a_fault_writes_nothing(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "wrong.yaml").write_text(CLUSTER.replace("region", "regoin").replace(" a", " b"))
    assert fleet(monkeypatch, "import", "theirs.yaml", "wrong.yaml", "--to", "ours") == 2
    assert "wrong.yaml:5:10: status.regoin: is no field" in capsys.readouterr().err
    assert not (home / "ours").exists()


def test_a_file_is_no_folder(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "ours").write_text("")
    assert fleet(monkeypatch, "import", "theirs.yaml", "--to", "ours", "--force") == 2
    assert "--to: 'ours' is no folder" in capsys.readouterr().err


def test_a_long_list_is_cut(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "---\n".join(
        f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c{number}}}\n" for number in range(25)
    )
    (home / "objects.yaml").write_text(text)
    assert fleet(monkeypatch, "import", "theirs.yaml", "objects.yaml", "--to", "ours") == 0
    assert "\nand 5 more that are not written\n1 file written, 26 findings\n" in (
        capsys.readouterr().out
    )


def test_it_refuses_a_patch_that_a_plan_would_refuse(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    federated = (
        "---\napiVersion: types.kubefed.io/v1beta1\nkind: FederatedConfigMap\n"
        "metadata: {name: settings, namespace: shop}\n"
        "spec:\n  template: {data: {version: a}}\n  placement: {clusters: [{name: a}]}\n"
        "  overrides: [{clusterName: a, clusterOverrides: [{path: /data/nope, value: b}]}]\n"
    )
    (home / "theirs.yaml").write_text(CLUSTER + federated)
    assert fleet(monkeypatch, "import", "theirs.yaml", "--to", "ours") == 2
    said = "theirs.yaml:13:52: spec.rules[0].patch[0].path: 'replace' finds no '/data/nope'"
    assert capsys.readouterr().err.startswith(said)
    assert not (home / "ours").exists()
