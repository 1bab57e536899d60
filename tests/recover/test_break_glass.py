"""The break-glass files of a small fleet: batches, lines, and what is never in them."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from fleet.model.plan import Outcome
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.pipeline import build, region_switches
from fleet.recover.break_glass import Glass, Identity, break_glass_files
from fleet.recover.files import write_files
from fleet.recover.provider_region import with_provider_region
from tests.cli.test_commands import CLUSTER, POLICY, WEB

TRAFFIC = """\
---
apiVersion: fleet/v1
kind: TrafficPolicy
metadata: {name: web}
spec:
  workload: web
  name: web.shop.test
  zone: {name: shop.test, id: Z1}
  activeRegion: eu-west-1
  standby: 50
  ttlSeconds: 30
"""
CONFIDENTIAL = """\
---
apiVersion: v1
kind: Secret
metadata: {name: web, namespace: shop}
stringData: {password: not-for-everybody}
"""
IDS = {"web/eu-1": Identity("Z1", "c1"), "web/us-1": Identity("Z1", "")}


def lay(root: Path, traffic: str = TRAFFIC) -> None:
    sides = {
        "eu-1": ("eu-west-1", "10.0.0.1", "file: ~/.kube/config, context: eu"),
        "us-1": ("us-east-1", "10.0.0.2", "secret: us-1"),
    }
    files = {"workloads/web/web.yaml": WEB + CONFIDENTIAL, "policies/web.yaml": POLICY + traffic}
    for name, (region, address, connection) in sides.items():
        text = CLUSTER.format(name=name, region=region).replace("192.0.2.1", address)
        text = text.replace(f"file: kubeconfig, context: {name}", connection)
        files[f"inventory/{name}.yaml"] = text
    for file, text in files.items():
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text(text)


def made(root: Path, **glass: Any) -> dict[str, str]:
    outcome = build(Settings(), Prior(), root)
    parts = {"identities": IDS, "reached": {}, "switches": region_switches(outcome), **glass}
    return break_glass_files(Glass(stack="fleet/dev", outcome=outcome, **parts))


def weights(files: dict[str, str], name: str) -> dict[str, int]:
    changes = json.loads(files[name])["Changes"]
    sets = [each["ResourceRecordSet"] for each in changes]
    return {each["SetIdentifier"]: each["Weight"] for each in sets}


def test_each_region_that_answers_can_be_left_and_taken_back(tmp_path: Path) -> None:
    lay(tmp_path)
    files = made(tmp_path)
    assert sorted(files) == [
        "README.md",
        "leave-eu-west-1.Z1.json",
        "leave-eu-west-1.sh",
        "now.Z1.json",
        "now.sh",
    ]
    assert weights(files, "leave-eu-west-1.Z1.json") == {"eu-1": 0, "us-1": 100}
    assert weights(files, "now.Z1.json") == {"eu-1": 100, "us-1": 0}


def test_a_change_names_the_whole_record_set(tmp_path: Path) -> None:
    lay(tmp_path)
    first, second = json.loads(made(tmp_path)["now.Z1.json"])["Changes"]
    assert first == {
        "Action": "UPSERT",
        "ResourceRecordSet": {
            "Name": "web.shop.test",
            "Type": "A",
            "SetIdentifier": "eu-1",
            "Weight": 100,
            "TTL": 30,
            "ResourceRecords": [{"Value": "10.0.0.1"}],
            "HealthCheckId": "c1",
        },
    }
    assert "HealthCheckId" not in second["ResourceRecordSet"]


def test_a_check_is_found_by_its_name_first(tmp_path: Path) -> None:
    lay(tmp_path)
    outcome = build(Settings(), Prior(), tmp_path)
    names = {each.cluster: each.name for each in outcome.plan.checks}
    first, second = json.loads(made(tmp_path, check_ids={names["us-1"]: "c2"})["now.Z1.json"])[
        "Changes"
    ]
    assert first["ResourceRecordSet"]["HealthCheckId"] == "c1"
    assert second["ResourceRecordSet"]["HealthCheckId"] == "c2"


def test_capacity_is_raised_first_and_never_lowered(tmp_path: Path) -> None:
    lay(tmp_path)
    files = made(tmp_path)
    login = '--kubeconfig "${KUBECONFIG_US_1:?path of the kubeconfig of us-1}"'
    leave, back = files["leave-eu-west-1.sh"], files["now.sh"]
    scale = "--request-timeout 20s --namespace shop scale deployment/web --replicas 4\n"
    assert f"kubectl {login} {scale}" in leave
    assert leave.index("\nready 4 kubectl") < leave.index("aws route53 change-resource-record-sets")
    assert leave.count(" scale ") == 1
    home = '--kubeconfig "$HOME/.kube/config" --context eu'
    assert f"kubectl {home} {scale}" in back
    assert back.count(" scale ") == 1


def test_nothing_secret_is_in_them(tmp_path: Path) -> None:
    lay(tmp_path)
    assert not [name for name, text in made(tmp_path).items() if "not-for-everybody" in text]


def test_what_route53_did_not_take_is_what_it_was(tmp_path: Path) -> None:
    lay(tmp_path)
    before = build(Settings(), Prior(), tmp_path)
    prior = _prior_of(before)
    after = build(Settings(active_region="us-east-1"), prior, tmp_path)
    glass = Glass("fleet/dev", after, {}, IDS, {"web": False})
    assert weights(break_glass_files(glass), "now.Z1.json") == {"eu-1": 100, "us-1": 0}
    glass = Glass("fleet/dev", after, {}, IDS, {"web": True})
    assert weights(break_glass_files(glass), "now.Z1.json") == {"eu-1": 0, "us-1": 100}


def _prior_of(outcome: Outcome) -> Prior:
    from fleet.pipeline import carried_out  # noqa: PLC0415 - one use

    return carried_out(outcome)


def test_a_record_that_nobody_knows_yet_is_named(tmp_path: Path) -> None:
    lay(tmp_path)
    files = made(tmp_path, identities={"web/eu-1": IDS["web/eu-1"]})
    assert "- `web/us-1` is not in it: it did not exist yet\n" in files["README.md"]
    assert weights(files, "now.Z1.json") == {"eu-1": 100}
    assert made(tmp_path, identities={}) == {}


def test_files_are_written_anew_and_stale_ones_go(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "dev"
    write_files(folder, {"README.md": "1", "leave-a.sh": "x", "leave-a.Z1.json": "x"})
    (folder / "mine.txt").write_text("kept")
    write_files(folder, {})
    assert (folder / "leave-a.sh").exists()
    write_files(folder, {"README.md": "2", "leave-b.sh": "y"})
    assert sorted(each.name for each in folder.iterdir()) == ["README.md", "leave-b.sh", "mine.txt"]
    assert (folder / "README.md").read_text() == "2"
    (folder / "README.md").write_bytes(b"\xff by hand")
    write_files(folder, {"README.md": "2", "leave-b.sh": "y"})
    assert (folder / "README.md").read_text() == "2"


def test_of_a_weighted_name_a_drain_says_the_same_as_the_switch(tmp_path: Path) -> None:
    weighted = TRAFFIC.replace("  activeRegion: eu-west-1\n  standby: 50\n", "  mode: weighted\n")
    lay(tmp_path, weighted)
    left = weights(made(tmp_path), "leave-eu-west-1.Z1.json")
    prior = _prior_of(build(Settings(), Prior(), tmp_path))
    drained = build(Settings(drain=("eu-west-1",)), prior, tmp_path)
    (endpoint,) = drained.plan.endpoints
    assert left == {each.cluster: each.dns_weight for each in endpoint.records}
    assert left["eu-1"] == 0
    assert left["us-1"] > 0


REGIONS = [
    pytest.param(None, "us-east-1", [], id="no region is said"),
    pytest.param("us-west-2", "us-east-1", [], id="a region where nothing runs"),
    pytest.param("us-east-1", "us-east-1", ["active"], id="the active region"),
    pytest.param("eu-west-1", "us-east-1", ["left"], id="the region being left"),
    pytest.param("us-east-1", "eu-west-1", [], id="the standby's region"),
]


@pytest.mark.parametrize(("provider", "active", "how"), REGIONS)
def test_the_provider_s_region_is_told(
    tmp_path: Path, provider: str | None, active: str, how: list[str]
) -> None:
    lay(tmp_path)
    prior = _prior_of(build(Settings(), Prior(), tmp_path))
    outcome = build(Settings(active_region=active), prior, tmp_path)
    told = with_provider_region(outcome, provider)
    found = [each for each in told.plan.findings if each.code == "provider-region"]
    assert [each.values["how"] for each in found] == how
    assert told.plan.digest == outcome.plan.digest


DATA = """\
apiVersion: fleet/v1
kind: Workload
metadata: {name: web}
spec:
  data:
    kind: replicated
    replication: {how: async, to: [eu-west-1, us-east-1], lagSeconds: 5}
    promoteSeconds: 30
"""


def test_a_database_s_name_moves_only_when_it_is_said_to_be_promoted(tmp_path: Path) -> None:
    lay(tmp_path)
    (tmp_path / "workloads/web/fleet.yaml").write_text(DATA)
    files = made(tmp_path)
    assert sorted(files) == [
        "README.md",
        "leave-eu-west-1.data.Z1.json",
        "leave-eu-west-1.data.sh",
        "leave-eu-west-1.sh",
        "now.Z1.json",
        "now.sh",
    ]
    assert weights(files, "leave-eu-west-1.data.Z1.json") == {"eu-1": 0, "us-1": 100}
    told = "waits for its database: fence the old side and promote the new one, then"
    for each in ("README.md", "leave-eu-west-1.sh"):
        assert f"web.shop.test (web) {told}" in files[each]
    assert "route53" not in files["leave-eu-west-1.sh"]


def test_a_database_that_is_handed_over_keeps_no_other_name_from_being_switched(
    tmp_path: Path,
) -> None:
    lay(tmp_path)
    handover = "    handover: {object: Deployment/web, status: token}\n"
    (tmp_path / "workloads/web/fleet.yaml").write_text(DATA + handover)
    files = made(tmp_path)
    assert weights(files, "leave-eu-west-1.data.Z1.json") == {"eu-1": 0, "us-1": 100}


@pytest.mark.parametrize(("words", "code"), [([], 2), (["--fenced-and-promoted"], 0)])
def test_the_script_of_a_database_asks_first(tmp_path: Path, words: list[str], code: int) -> None:
    lay(tmp_path)
    (tmp_path / "workloads/web/fleet.yaml").write_text(DATA)
    script = tmp_path / "leave.sh"
    script.write_text(made(tmp_path)["leave-eu-west-1.data.sh"])
    aws = tmp_path / "bin" / "aws"
    aws.parent.mkdir()
    aws.write_text(f'#!/bin/sh\necho called >> "{tmp_path}/called"\n')
    aws.chmod(0o755)
    path = f"{aws.parent}:/usr/bin:/bin"
    ran = subprocess.run(
        ["/bin/sh", script, *words], env={"PATH": path}, capture_output=True, text=True, check=False
    )
    assert ran.returncode == code
    assert (tmp_path / "called").exists() == (code == 0)
    assert ("fence and promote first" in ran.stderr) == (code == 2)


def test_the_config_of_a_switch_is_said_name_by_name(tmp_path: Path) -> None:
    lay(tmp_path)
    said = "- `leave-eu-west-1`: `activeRegions.web = us-east-1`\n"
    assert said in made(tmp_path)["README.md"]


def test_a_name_that_nothing_else_runs_stays_and_is_told(tmp_path: Path) -> None:
    lay(tmp_path)
    (tmp_path / "inventory/us-1.yaml").unlink()
    files = made(tmp_path, identities={"web/eu-1": IDS["web/eu-1"]})
    assert weights(files, "leave-eu-west-1.Z1.json") == {"eu-1": 100}
    assert "web.shop.test (web) stays: nothing else runs it" in files["README.md"]
