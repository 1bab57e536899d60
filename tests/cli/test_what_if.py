"""`fleet what-if` from outside: what differs, what is refused, and that nothing is written."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_commands import CLUSTER, POLICY, Fleet

TRAFFIC = """\
---
apiVersion: fleet/v1
kind: TrafficPolicy
metadata: {name: web}
spec:
  workload: web
  name: web.fleet.test
  zone: {name: fleet.test}
  mode: weighted
"""


@pytest.fixture
def fleet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Fleet:
    """Two clusters in two regions; web runs two replicas of half a core on each."""
    made = Fleet(tmp_path, monkeypatch, capsys)
    made.write("policies/web.yaml", POLICY + TRAFFIC)
    made.write("new.yaml", CLUSTER.format(name="ap-1", region="ap-south-1"))
    return made


def asked(fleet: Fleet, *words: str) -> dict[str, Any]:
    """The JSON document."""
    said = fleet("what-if", "-o", "json", *words)
    assert (said.code, said.err) == (0, "")
    document: dict[str, Any] = json.loads(said.out)
    return document


TEXT = """\
what if   --down eu-1

web   4 of 4 replicas   moves 2 eu-1 -> us-1   policies/web.yaml:1:1
  eu-1  2 -> -  active -> -  is down, says config fleet:down
  us-1  2 -> 4  active       already there 600 + balance 100 + untainted 100 = 800

web.fleet.test   policies/web.yaml:8:1
  eu-1  weight 2 -> 0  share 50% -> 0%
  us-1  weight 2 -> 4  share 50% -> 100%

survivability
  web  cluster us-1, region us-east-1  is not survived any more, short 4: no cluster is feasible

1 finding appears
  keeps 1 object of web on dead cluster 'eu-1' until it returns or is declared decommissioned (down
  says config fleet:down)

1 workload and 1 name differ   nothing was written
"""


def test_what_differs_is_shown(fleet: Fleet) -> None:
    said = fleet("what-if", "--down", "eu-1")
    assert (said.code, said.err) == (0, "")
    assert said.out == TEXT


def test_what_differs_as_json(fleet: Fleet) -> None:
    document = asked(fleet, "--down", "eu-1")
    assert document["asked"] == ["--down eu-1"]
    assert document["workloads"]["web"]["moves"] == [{"from": "eu-1", "to": "us-1", "replicas": 2}]
    assert document["workloads"]["web"]["before"] == {"eu-1": 2, "us-1": 2}
    assert document["workloads"]["web"]["after"] == {"us-1": 4}
    assert document["workloads"]["web"]["why"]["eu-1"] == "is down, says config fleet:down"
    assert document["names"]["web.fleet.test"]["shares"] == {
        "before": {"eu-1": 50, "us-1": 50},
        "after": {"eu-1": 0, "us-1": 100},
    }
    assert [each["code"] for each in document["findings"]["appear"]] == ["debt"]
    assert {(each["domain"], each["survived"]["after"]) for each in document["survivability"]} == {
        ("us-1", False),
        ("us-east-1", False),
    }


def test_what_differs_as_markdown(fleet: Fleet) -> None:
    said = fleet("what-if", "--down", "eu-1", "-o", "markdown")
    assert said.out.startswith("**what if** --down eu-1\n\n**web** 4 of 4 replicas · moves 2 eu-1")
    assert "| eu-1 | weight 2 -\\> 0 |" in said.out or "| eu-1 | weight 2 -> 0 |" in said.out


QUESTIONS = [
    pytest.param(["--drain", "us-1"], {"eu-1": 4}, id="drain"),
    pytest.param(["--decommission", "us-1"], {"eu-1": 4}, id="decommission"),
    pytest.param(["--remove", "us-1"], {"eu-1": 4}, id="remove"),
    pytest.param(["--taint", "us-1=gone=now:NoExecute"], {"eu-1": 4}, id="taint"),
    pytest.param(["--capacity", "us-1:cpu=500m"], {"eu-1": 3, "us-1": 1}, id="capacity"),
    pytest.param(["--replicas", "web=6"], {"eu-1": 3, "us-1": 3}, id="replicas"),
    pytest.param(["--set", "drain[0]=us-1"], {"eu-1": 4}, id="set"),
    pytest.param(
        ["--replicas", "web=6", "--add", "new.yaml"],
        {"ap-1": 2, "eu-1": 2, "us-1": 2},
        id="two together",
    ),
    pytest.param(
        ["--down", "us-1", "--taint", "eu-1=gone=now:NoExecute", "--add", "new.yaml"],
        {"ap-1": 4},
        id="three together",
    ),
]


@pytest.mark.parametrize(("words", "after"), QUESTIONS)
def test_every_option_is_planned_for(fleet: Fleet, words: list[str], after: dict[str, int]) -> None:
    assert asked(fleet, "--quick", *words)["workloads"]["web"]["after"] == after


NOTHING = [
    pytest.param(["--taint", "us-1=late=true:NoSchedule"], id="what runs stays"),
    pytest.param(["--label", "us-1=tier=gold"], id="nobody asks for the label"),
    pytest.param(["--replicas", "web=4"], id="as it is"),
]


@pytest.mark.parametrize("words", NOTHING)
def test_what_changes_nothing_exits_0(fleet: Fleet, words: list[str]) -> None:
    said = fleet("what-if", "--quick", "--exit-code", *words)
    assert said.code == 0
    assert said.out.endswith("\nnothing differs   nothing was written\n")


def test_placements_are_steady(fleet: Fleet) -> None:
    by_room = POLICY.replace(", weights: [{replicaWeight: 1, term: {}}]", "")
    fleet.write("policies/web.yaml", by_room)
    assert asked(fleet, "--add", "new.yaml", "--quick")["workloads"] == {}


def test_exit_code_is_1_where_anything_differs(fleet: Fleet) -> None:
    assert fleet("what-if", "--exit-code", "--drain", "us-1").code == 1
    assert fleet("what-if", "--drain", "us-1").code == 0


def test_a_label_is_matched(fleet: Fleet) -> None:
    gold = "  affinity: {required: [{matchExpressions: [{key: tier, operator: DoesNotExist}]}]}\n"
    fleet.write("policies/web.yaml", POLICY + gold)
    document = asked(fleet, "--label", "us-1=tier=gold")
    assert document["workloads"]["web"]["after"] == {"eu-1": 4}


def test_a_demand_appears_as_a_finding_that_blocks(fleet: Fleet) -> None:
    fleet.write("policies/web.yaml", f"{POLICY}  survive: region\n")
    said = fleet("what-if", "--drain", "us-1")
    assert said.code == 0
    sentence = (
        "the loss of region 'eu-west-1' would leave 4 of 4 replicas of 'web' without a place"
        " ('pulumi preview' refuses it) policies/web.yaml:7:3"
    )
    assert sentence in " ".join(said.out.split())


def test_quick_leaves_survivability_out(fleet: Fleet) -> None:
    assert "survivability" not in fleet("what-if", "--quick", "--down", "eu-1").out
    assert asked(fleet, "--quick", "--down", "eu-1")["survivability"] == []


def test_the_prior_counts_for_both_plans(fleet: Fleet) -> None:
    fleet.write("prior.json", '{"web": {"eu-1": 3, "us-1": 1}}')
    fleet.write(
        "policies/web.yaml", POLICY.replace(", weights: [{replicaWeight: 1, term: {}}]", "")
    )
    document = asked(fleet, "--prior", "prior.json", "--replicas", "web=5")
    assert document["workloads"]["web"]["before"] == {"eu-1": 3, "us-1": 1}


def test_removing_what_is_in_use_is_noted(fleet: Fleet) -> None:
    fleet.write("prior.json", fleet("plan", "-o", "json").out)
    for words in ([], ["--prior", "prior.json"]):
        notes = asked(fleet, "--remove", "us-1", *words)["notes"]
        assert len(notes) == 1
        assert notes[0].startswith("an update refuses that 'us-1' leaves the inventory while it")
        assert "holds web: drain it first" in notes[0]


def test_an_option_is_the_last_word_on_a_state(fleet: Fleet) -> None:
    fleet.write("Pulumi.dev.yaml", "config:\n  fleet:decommission: [us-1]\n")
    document = asked(fleet, "--drain", "us-1", "--quick")
    codes = {each["code"] for each in document["findings"]["appear"]}
    assert document["workloads"] == {}
    assert "delete" not in codes
    fleet.write("Pulumi.dev.yaml", "config:\n  fleet:down: [us-1]\n")
    assert asked(fleet, "--remove", "us-1", "--quick")["workloads"] == {}


def test_set_is_the_question_and_the_stack_file_is_what_is_written(fleet: Fleet) -> None:
    fleet.write("Pulumi.dev.yaml", "config:\n  fleet:drain: [us-1]\n")
    document = asked(fleet, "--set", "drain[0]=eu-1", "--quick")
    assert document["workloads"]["web"]["before"] == {"eu-1": 4}
    assert document["workloads"]["web"]["after"] == {"us-1": 4}


def test_files_of_another_folder(fleet: Fleet) -> None:
    (fleet.root / "below").mkdir()
    fleet.write("below/more.yaml", CLUSTER.format(name="sa-1", region="sa-east-1"))
    fleet.monkeypatch.chdir(fleet.root / "below")
    after = asked(fleet, "--add", "more.yaml", "--replicas", "web=7")["workloads"]["web"]["after"]
    assert after["sa-1"] == 2


def test_nothing_is_written(fleet: Fleet) -> None:
    before = {path: path.read_bytes() for path in fleet.root.rglob("*") if path.is_file()}
    fleet("what-if", "--down", "eu-1", "--add", "new.yaml", "--replicas", "web=9")
    after = {path: path.read_bytes() for path in fleet.root.rglob("*") if path.is_file()}
    assert after == before


MISTAKES = [
    pytest.param([], "what-if: says nothing that would be different", id="no question"),
    pytest.param(
        ["--down", "eu1"], "--down: there is no cluster or region 'eu1' - did you", id="down"
    ),
    pytest.param(["--drain", "eu1"], "--drain: there is no cluster or region 'eu1'", id="drain"),
    pytest.param(["--decommission", "x"], "--decommission: there is no cluster 'x'", id="lost"),
    pytest.param(
        ["--down", "eu-1", "--drain", "eu-1"],
        "--drain: 'eu-1' is named by --down, too - keep one",
        id="two states",
    ),
    pytest.param(["--remove", "us1"], "--remove: there is no cluster 'us1'", id="remove"),
    pytest.param(["--add", "x.yaml"], "--add: 'x.yaml' does not exist", id="no file"),
    pytest.param(["--add", ""], "--add: '' does not exist", id="no name of a file"),
    pytest.param(["--add", "policies"], "--add: 'policies' is a folder", id="a folder"),
    pytest.param(
        ["--add", "inventory/eu-1.yaml"], "holds no cluster that is not there already", id="again"
    ),
    pytest.param(["--add", "broken.yaml"], "broken.yaml:4:1: spec.region: is req", id="broken"),
    pytest.param(["--taint", "eu-1"], "--taint: 'eu-1' is no NAME=KEY=VALUE:EFFECT", id="taint"),
    pytest.param(["--taint", "eu-1=a=b"], "--taint: 'eu-1=a=b' is no NAME=KEY", id="no effect"),
    pytest.param(
        ["--taint", "eu-1=a:NoExec"],
        "--taint: 'NoExec' is no effect of a taint - did you mean 'NoExecute'?",
        id="another effect",
    ),
    pytest.param(["--taint", "eu-1=a-"], "--taint: cluster 'eu-1' has no taint 'a'", id="gone"),
    pytest.param(["--label", "eu-1"], "--label: 'eu-1' is no NAME=KEY=VALUE", id="label"),
    pytest.param(["--label", "eu-1=-"], "--label: 'eu-1=-' is no NAME=KEY=VALUE", id="no key"),
    pytest.param(["--label", "eu-1=a-"], "--label: cluster 'eu-1' has no label 'a'", id="none"),
    pytest.param(["--capacity", "eu-1"], "--capacity: 'eu-1' is no NAME:RESOURCE", id="capacity"),
    pytest.param(
        ["--capacity", "eu-1:cpu=lots"], "--capacity: 'lots' is no Kubernetes quantity", id="lots"
    ),
    pytest.param(["--replicas", "web"], "--replicas: 'web' is no WORKLOAD=N", id="replicas"),
    pytest.param(["--replicas", "web=-1"], "--replicas: 'web=-1' is no WORKLOAD=N", id="negative"),
    pytest.param(["--replicas", "web=9999999999"], "9999999999 is too large", id="too many"),
    pytest.param(["--replicas", "wbe=1"], "--replicas: there is no workload 'wbe'", id="who"),
    pytest.param(["--set", "donw=a"], "unknown config key 'fleet:donw'", id="set"),
    pytest.param(["--set", "down"], "--set: 'down' is no KEY=VALUE", id="set nothing"),
    pytest.param(
        ["--set", "down=eu1", "--down", "us-1"], "config fleet:down[0]: there is no", id="set down"
    ),
    pytest.param(["--down", "eu-1", "--prior", "x"], "--prior: 'x' does not exist", id="prior"),
]


@pytest.mark.parametrize(("words", "sentence"), MISTAKES)
def test_a_mistake_names_its_option_and_exits_2(
    fleet: Fleet, words: list[str], sentence: str
) -> None:
    broken = CLUSTER.format(name="sa-1", region="x").replace("  region: x\n", "")
    fleet.write("broken.yaml", broken)
    said = fleet("what-if", *words)
    assert (said.code, said.out) == (2, "")
    assert sentence in said.err
    assert "Traceback" not in said.err
    assert len(said.err.splitlines()) == 1


def test_all_mistakes_come_together(fleet: Fleet) -> None:
    said = fleet("what-if", "--taint", "x", "--replicas", "y", "--add", "z", "--set", "q=1")
    assert said.code == 2
    starts = {line.split(":")[0] for line in said.err.splitlines()}
    assert starts == {"--add", "--replicas", "--taint", "unknown config key 'fleet"}


def test_wrong_files_are_said_first(fleet: Fleet) -> None:
    fleet.write("policies/web.yaml", POLICY.replace("weighted", "wieghted"))
    said = fleet("what-if", "--down", "eu-1")
    assert said.code == 2
    assert said.err.startswith("policies/web.yaml:6:")


def test_a_fault_of_the_stack_file_is_at_its_line(fleet: Fleet) -> None:
    fleet.write("Pulumi.dev.yaml", "config:\n  fleet:drain: [eu1]\n")
    assert fleet("what-if", "--down", "us-1").err.startswith("Pulumi.dev.yaml:2:3: config fleet:")


def test_an_encrypted_key_is_named_once(fleet: Fleet) -> None:
    fleet.write("Pulumi.dev.yaml", "config:\n  fleet:drain: {secure: v1:abc}\n")
    said = fleet("what-if", "--down", "eu-1")
    assert said.err.count("is encrypted and was left out") == 1
