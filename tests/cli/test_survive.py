"""`fleet survive`, and policies that demand to survive, from outside."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_commands import CLUSTER, POLICY, Fleet

DEMANDING = f"{POLICY}  survive: region\n"
PLACE = "policies/web.yaml:7:3"
SMALL = CLUSTER.replace('cpu: "16"', "cpu: 1500m")


@pytest.fixture
def fleet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Fleet:
    """Two clusters in two regions; web runs two replicas of half a core on each."""
    return Fleet(tmp_path, monkeypatch, capsys)


def make_small(fleet: Fleet) -> None:
    """Room for three replicas on each cluster."""
    fleet.write("inventory/eu-1.yaml", SMALL.format(name="eu-1", region="eu-west-1"))
    fleet.write("inventory/us-1.yaml", SMALL.format(name="us-1", region="us-east-1"))


def drills(fleet: Fleet, *words: str) -> dict[tuple[str, str], Any]:
    """The scenarios of the JSON document, by kind and domain."""
    document = json.loads(fleet("survive", "-o", "json", *words).out)
    return {(each["by"], each["domain"]): each for each in document["scenarios"]}


TEXT = """\
without cluster eu-1 or region eu-west-1   2 replicas die
  web  dies 2  moves 1  short 1  short  us-1 2 -> 3; room for 3 of 4 replicas
                                        workloads/web/web.yaml:1:1

without cluster us-1 or region us-east-1   2 replicas die
  web  dies 2  moves 1  short 1  short  eu-1 2 -> 3; room for 3 of 4 replicas
                                        workloads/web/web.yaml:1:1

without what says no provider   4 replicas die
  web  dies 4  short 4  lost  no cluster is feasible   policies/web.yaml:1:1

one loss at a time
  0 of 2 clusters survived  not eu-1 (web); us-1 (web)
  0 of 2 regions survived   not eu-west-1 (web); us-east-1 (web)
  0 of 1 provider survived  not what says no provider (web)
"""


def test_survive_shows_every_loss(fleet: Fleet) -> None:
    make_small(fleet)
    said = fleet("survive")
    assert (said.code, said.err) == (0, "")
    assert said.out == TEXT


def test_survive_in_other_forms(fleet: Fleet) -> None:
    make_small(fleet)
    loss = drills(fleet)["cluster", "eu-1"]["workloads"]["web"]
    assert loss == {
        "before": {"eu-1": 2, "us-1": 2},
        "after": {"us-1": 3},
        "dies": 2,
        "moves": 1,
        "shortfall": 1,
        "shortBefore": 0,
        "verdict": "short",
        "reasons": ["room for 3 of 4 replicas"],
    }
    assert set(drills(fleet, "--by", "region")) == {
        ("region", "eu-west-1"),
        ("region", "us-east-1"),
    }
    markdown = fleet("survive", "-o", "markdown").out
    assert markdown.startswith("**without cluster eu-1 or region eu-west-1** 2 replicas die")
    assert "| workload | dies | moves | does not fit | verdict | where |" in markdown


def test_survive_says_what_the_plan_with_the_cluster_down_decides(fleet: Fleet) -> None:
    make_small(fleet)
    fleet.write("prior.json", fleet("plan", "-o", "json").out)
    for (by, domain), drill in drills(fleet).items():
        words = [
            word
            for place, name in enumerate(drill["clusters"])
            for word in ("--set", f"down[{place}]={name}")
        ]
        plan = json.loads(fleet("plan", "-o", "json", "--prior", "prior.json", *words).out)
        web = plan["workloads"]["web"]
        loss = drill["workloads"]["web"]
        assert (loss["after"], loss["shortfall"]) == (web["assignments"], web["shortfall"]), by
        assert domain in {"", "eu-1", "us-1", "eu-west-1", "us-east-1"}


@pytest.mark.parametrize("command", [["plan"], ["validate"]])
def test_a_demand_that_does_not_hold_is_a_sentence_at_its_line(
    fleet: Fleet, command: list[str]
) -> None:
    make_small(fleet)
    fleet.write("policies/web.yaml", DEMANDING)
    said = fleet(*command)
    assert (said.code, said.out) == (2, "")
    assert said.err == (
        f"{PLACE}: spec.survive: the loss of region 'eu-west-1' (or of 1 other region) would leave"
        " 1 of 4 replicas of 'web' without a place - 'fleet survive' shows what is lost; add room,"
        " or take 'survive' out\n"
    )


def test_a_plan_that_a_demand_refuses_is_explained(fleet: Fleet) -> None:
    make_small(fleet)
    fleet.write("policies/web.yaml", DEMANDING)
    said = fleet("explain", "web")
    assert (said.code, said.err) == (0, "")
    assert "eu-1   assigned   2 replicas" in said.out


def test_a_demand_that_holds_is_silent(fleet: Fleet) -> None:
    fleet.write("policies/web.yaml", DEMANDING)
    said = fleet("plan")
    assert said.code == 0
    assert "survive" not in said.out


def test_while_a_cluster_is_down_the_plan_is_made_and_says_so(fleet: Fleet) -> None:
    fleet.write("policies/web.yaml", DEMANDING)
    said = fleet("plan", "--set", "down[0]=eu-1")
    assert said.code == 0
    assert "the loss of region 'us-east-1' would leave 4 of 4 replicas of 'web'" in said.out
    assert "refuses" not in said.out


def test_a_drain_that_breaks_a_demand_is_refused(fleet: Fleet) -> None:
    fleet.write("policies/web.yaml", DEMANDING)
    said = fleet("plan", "--set", "drain[0]=eu-1")
    assert said.code == 2
    assert said.err.startswith(f"{PLACE}: spec.survive: the loss of region 'us-east-1'")


def test_survive_shows_demands_that_do_not_hold_and_may_exit_1(fleet: Fleet) -> None:
    make_small(fleet)
    fleet.write("policies/web.yaml", DEMANDING)
    said = fleet("survive", "--exit-code")
    assert said.code == 1
    assert "demands of the policies\n  web  survive: region  the loss of region" in said.out
    assert fleet("survive").code == 0


def test_survive_shows_demands_that_hold(fleet: Fleet) -> None:
    fleet.write("policies/web.yaml", DEMANDING)
    said = fleet("survive", "--exit-code")
    assert said.code == 0
    assert f"  web  survive: region  holds   {PLACE}" in said.out
    document = json.loads(fleet("survive", "-o", "json").out)
    assert document["demands"] == {"web": {"survive": "region", "holds": True, "source": PLACE}}


def test_survive_refuses_another_kind(fleet: Fleet) -> None:
    said = fleet("survive", "--by", "zone")
    assert said.code == 2
    assert "'zone' is not one of 'cluster', 'region', 'provider'" in said.err
