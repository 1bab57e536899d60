"""`fleet probe` from outside: the observed file, the table, the exit code."""

import io
import json
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.test_commands import CLUSTER, Fleet, Said
from tests.emit.api_server import ApiServer
from tests.emit.certificates import Authority
from tests.probe.kit import a_cluster_api, a_kubeconfig

OBSERVED = "inventory/observed.yaml"
DEAD = "http://127.0.0.1:1"
TOKEN = "s3cr3t-t0ken"  # noqa: S105 - a pretended one, to be looked for


class Probed:
    """A fleet of two clusters: eu-1 lives on loopback, us-1 is where a test says."""

    def __init__(self, fleet: Fleet, api: ApiServer, authority: Authority) -> None:
        self.fleet, self.api = fleet, api
        living = yaml.safe_load(a_kubeconfig(api.url, authority))
        self.config = living | {"contexts": [], "clusters": [*living["clusters"]]}
        self.config["clusters"].append({"name": "dead", "cluster": {"server": DEAD}})
        self.lead("eu-1", "it")
        self.lead("us-1", "it")

    def lead(self, cluster: str, where: str) -> None:
        """A cluster's kubeconfig leads to a server."""
        others = [each for each in self.config["contexts"] if each["name"] != cluster]
        context = {"name": cluster, "context": {"cluster": where, "user": "me"}}
        self.config["contexts"] = [*others, context]
        self.fleet.write("kubeconfig", yaml.safe_dump(self.config))

    def __call__(self, *words: str) -> Said:
        """Runs `fleet probe`."""
        return self.fleet("probe", *words)

    @property
    def file(self) -> Path:
        """The observed file."""
        return self.fleet.root / OBSERVED

    @property
    def seen(self) -> dict[str, Any]:
        """The specs of the observed file by cluster."""
        documents = yaml.safe_load_all(self.file.read_text())
        return {each["metadata"]["name"]: each["spec"] for each in documents}


@pytest.fixture
def probed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Probed]:
    authority = Authority()
    with a_cluster_api(authority, tmp_path) as api:
        (tmp_path / "project").mkdir()
        fleet = Fleet(tmp_path / "project", monkeypatch, capsys)
        yield Probed(fleet, api, authority)


def test_every_cluster_is_read_and_written(probed: Probed) -> None:
    said = probed()
    assert (said.code, said.err) == (0, "")
    assert list(probed.seen) == ["eu-1", "us-1"]
    assert probed.seen["eu-1"]["kubernetesVersion"] == "v1.36.3"
    assert probed.seen["eu-1"]["capacity"]["allocatable"]["cpu"] == "8"
    row = said.out.splitlines()[1].split()
    assert row[:2] == ["eu-1", "in"]
    assert row[3:9] == ["ms", "v1.36.3", "2", "7750m", "of", "8"]
    assert "192.0.2.7, lb.example" in said.out


def test_nothing_secret_is_written_or_said(probed: Probed) -> None:
    said = probed()
    for text in (probed.file.read_text(), said.out, said.err):
        assert TOKEN not in text
        assert "certificate" not in text


def test_a_dead_cluster_keeps_what_was_seen(probed: Probed) -> None:
    probed()
    before = probed.seen["us-1"]
    probed.lead("us-1", "dead")
    said = probed()
    assert said.code == 1
    assert said.err == (
        "cluster 'us-1': connection refused; what was seen at"
        f" {before['observedAt']} still counts\n"
    )
    now = probed.seen["us-1"]
    assert {key: now[key] for key in before} == before
    assert (now["reachable"], now["error"]) == (False, "connection refused")
    assert probed.seen["eu-1"]["observedAt"] >= before["observedAt"]


def test_what_was_written_is_a_plan_s_input(probed: Probed) -> None:
    probed()
    probed.lead("us-1", "dead")
    probed()
    said = probed.fleet("plan", "--now", "2999-01-01T00:00:00Z")
    assert said.code == 0
    assert "the last probe of cluster 'us-1' failed: connection refused" in said.out
    assert "what was seen of cluster 'eu-1' is" in said.out


def age(probed: Probed, **spec: Any) -> None:
    """The observed file as it would be after a longer time."""
    documents = list(yaml.safe_load_all(probed.file.read_text()))
    documents[1]["spec"] |= spec
    probed.file.write_text(yaml.safe_dump_all(documents))


def test_a_cluster_that_dies_is_said_and_planned_as_down(probed: Probed) -> None:
    probed()
    probed.lead("us-1", "dead")
    probed()
    age(probed, unreachableSince="2020-01-01T00:00:00Z")
    said = probed()
    assert said.code == 1
    assert "silent since 2020-01-01T00:00:00Z: down" in " ".join(said.out.split())
    document = json.loads(probed.fleet("plan", "--now", "2999-01-01T00:00:00Z", "-o", "json").out)
    assert document["workloads"]["web"]["assignments"] == {"eu-1": 4}


def test_only_a_turn_is_written_where_only_turns_are_wanted(probed: Probed) -> None:
    probed()
    quiet = probed.file.read_bytes()
    assert probed("--when-turned").code == 0
    assert probed.file.read_bytes() == quiet
    age(probed, holdSeconds=1)
    quiet = probed.file.read_bytes()
    probed.lead("us-1", "dead")
    assert probed("--when-turned").code == 1
    assert probed.file.read_bytes() == quiet
    said = probed("--when-turned", "--confirm", "--every", "1")
    assert said.code == 1
    assert "cluster 'us-1' counts as down from now on" in said.out
    assert probed.seen["us-1"]["reachable"] is False
    probed.lead("us-1", "it")
    said = probed("--when-turned", "--confirm", "--every", "1", "-o", "json")
    assert said.code == 0
    assert json.loads(said.out)["returned"] == ["us-1"]
    assert "unreachableSince" not in probed.seen["us-1"]


def test_the_same_answers_give_the_same_file_but_for_times(probed: Probed) -> None:
    probed()
    first = probed.file.read_text()
    probed()
    changed = {
        line.split(":")[0].strip(" -")
        for line in set(probed.file.read_text().splitlines()) ^ set(first.splitlines())
    }
    assert changed <= {"observedAt", "at", "milliseconds"}


def test_a_cluster_that_left_the_inventory_leaves_the_file(probed: Probed) -> None:
    probed()
    (probed.fleet.root / "inventory" / "us-1.yaml").unlink()
    assert probed().code == 0
    assert list(probed.seen) == ["eu-1"]


def test_who_cannot_be_asked_is_listed_with_the_reason(probed: Probed) -> None:
    probed()
    cluster = CLUSTER.format(name="us-1", region="us-east-1")
    probed.fleet.write("inventory/us-1.yaml", cluster.replace("  connection:", "  # connection:"))
    probed.fleet.write("inventory/ap-1.yaml", CLUSTER.format(name="ap-1", region="ap-1"))
    said = probed("--set", "decommission[0]=ap-1")
    assert said.code == 0
    assert "the inventory does not say how to connect" in said.out
    assert "decommissioned, says config fleet:decommission" in said.out
    assert list(probed.seen) == ["eu-1", "us-1"]


def test_a_secret_kubeconfig_comes_from_a_file(probed: Probed, tmp_path: Path) -> None:
    cluster = CLUSTER.format(name="us-1", region="us-east-1")
    probed.fleet.write(
        "inventory/us-1.yaml",
        cluster.replace("file: kubeconfig, context: us-1", "secret: far"),
    )
    said = probed()
    assert said.code == 2
    place = "inventory/us-1.yaml:7:16: spec.connection.secret"
    assert said.err.startswith(f"{place}: there is no kubeconfig 'far'")
    text = (probed.fleet.root / "kubeconfig").read_text().replace("current-context: main", "")
    given = tmp_path / "given.json"
    given.write_text(json.dumps({"far": f"{text}\ncurrent-context: us-1\n"}))
    assert probed("--kubeconfigs", str(given)).code == 0


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (b"{", "FILE:1:2: --kubeconfigs: the JSON ends here, in the middle - ANEW"),
        (b"", "FILE:1:1: --kubeconfigs: the file is empty - ANEW"),
        (b"\xff", "--kubeconfigs: 'FILE' is no JSON"),
        (b'{"a": 1}', "--kubeconfigs: 'FILE' is no map of name to kubeconfig text"),
        (None, "--kubeconfigs: 'FILE' cannot be read: no such file or directory"),
    ],
)
def test_wrong_kubeconfigs_are_one_sentence(
    probed: Probed, tmp_path: Path, text: bytes | None, fault: str
) -> None:
    given = tmp_path / "given.json"
    if text is not None:
        given.write_bytes(text)
    said = probed("--kubeconfigs", str(given))
    anew = f"write the file anew: pulumi config get kubeconfigs > {given}"
    expected = fault.replace("FILE", str(given)).replace("ANEW", anew)
    assert (said.code, said.err) == (2, f"{expected}\n")


def test_kubeconfigs_that_the_command_before_did_not_print(
    probed: Probed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    said = probed("--kubeconfigs", "-")
    assert said.code == 2
    assert said.err == (
        "stdin:1:1: --kubeconfigs: the file is empty - did the command before it fail?\n"
    )


def test_a_wrong_inventory_is_refused_and_a_wrong_policy_is_not(probed: Probed) -> None:
    probed.fleet.write("policies/web.yaml", "nonsense: true\n")
    assert probed().code == 0
    written = probed.file.read_bytes()
    probed.fleet.write("inventory/us-1.yaml", CLUSTER.format(name="us-1", region="[]"))
    said = probed()
    assert said.code == 2
    assert said.err.startswith("inventory/us-1.yaml:5:3: spec.region:")
    assert probed.file.read_bytes() == written


def test_an_observation_elsewhere_is_refused(probed: Probed) -> None:
    probed()
    probed.file.rename(probed.fleet.root / "inventory" / "mine.yaml")
    said = probed()
    assert said.code == 2
    assert "the observation of cluster 'eu-1' is not in the observed file" in said.err
    assert probed("--file", "inventory/mine.yaml").code == 0


def test_a_file_outside_of_the_inventory_is_followed_too(probed: Probed, tmp_path: Path) -> None:
    target = tmp_path / "seen.yaml"
    assert probed("--file", str(target)).code == 0
    probed.lead("us-1", "dead")
    assert probed("--file", str(target)).code == 1
    assert "still counts" in probed("--file", str(target)).err


def test_a_file_that_cannot_be_written_is_said(probed: Probed) -> None:
    said = probed("--file", "nowhere/seen.yaml")
    assert said.code == 2
    assert said.err == "'nowhere/seen.yaml' cannot be written: no such file or directory\n"


def test_the_rights_of_the_file_stay(probed: Probed) -> None:
    probed()
    assert stat.S_IMODE(probed.file.stat().st_mode) == 0o644
    probed.file.chmod(0o600)
    probed()
    assert stat.S_IMODE(probed.file.stat().st_mode) == 0o600
    found = sorted(each.name for each in probed.file.parent.iterdir())
    assert found == ["eu-1.yaml", "observed.yaml", "us-1.yaml"]


@pytest.mark.parametrize("text", ["", " \n\n"], ids=["no byte", "blanks"])
def test_an_observed_file_that_was_emptied_is_no_empty_observation(
    probed: Probed, text: str
) -> None:
    assert probed().code == 0
    probed.file.write_text(text)
    for said in (probed(), probed.fleet("plan", "--now", "2026-12-01T00:00:00Z")):
        assert said.code == 2
        assert said.err == (
            "inventory/observed.yaml:1:1: the observed file is empty - delete it; 'fleet probe'"
            " writes it anew\n"
        )
    probed.file.unlink()
    assert probed().code == 0
