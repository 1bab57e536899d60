"""`fleet drill` from outside."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tests.cli.test_commands import CLUSTER, POLICY, Fleet

TRAFFIC = """\
---
apiVersion: fleet/v1
kind: TrafficPolicy
metadata: {name: web, annotations: {owner: "the shop team"}}
spec:
  workload: web
  name: www.fleet.test
  zone: {name: fleet.test}
  mode: weighted
  ttlSeconds: 20
  healthCheck: {type: HTTP, path: /, intervalSeconds: 10, failureThreshold: 3}
  recovery: {rtoSeconds: 90}
"""


@pytest.fixture
def fleet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Fleet:
    """Two clusters in two regions; web runs two replicas on each, under one name."""
    made = Fleet(tmp_path, monkeypatch, capsys)
    for number, (name, region) in enumerate((("eu-1", "eu-west-1"), ("us-1", "us-east-1")), 1):
        text = CLUSTER.format(name=name, region=region).replace("192.0.2.1", f"192.0.2.{number}")
        made.write(f"inventory/{name}.yaml", text)
    made.write("policies/web.yaml", f"{POLICY.rstrip()}\n{TRAFFIC}")
    return made


TEXT = """\
without region eu-west-1   2 replicas die   7 PASS, 1 FAIL, 1 not checked
  web  dies 2  moves 2  survives  us-1 2 -> 4

timeline without region eu-west-1
  www.fleet.test  60 s of 90 s  by itself        detection 30 + spread 10 + ttl 20
  web             360 s         after the alarm  decision 60 + capacity 300

answers without region eu-west-1
  www.fleet.test  today             eu-1 50%, us-1 50%; 50% of the answers die
                  at once           us-1 100%; 2 of 4 replicas
                  after going back  eu-1 50%, us-1 50%

checklist without region eu-west-1
  web             FAIL         application: 2 replicas to start within 300 s (waitSeconds), limit
                               180 s; a lower waitSeconds would bound it
                  PASS         database, rpo, no data loss, failback
  www.fleet.test  PASS         dns, rto, failback
                  not checked  alerts

checklist of the drill   1 scenario
  dns           PASS         1 of 1
  application   FAIL         0 of 1  without region eu-west-1 (web)
  database      PASS         1 of 1
  rto           PASS         1 of 1
  rpo           PASS         1 of 1
  no data loss  PASS         1 of 1
  failback      PASS         2 of 2
  alerts        not checked          fleet knows of no alarm; let yours ring in a live drill

assumed
  decision 60 s: from the alarm to the update that declares it
  spread 10 s: until Route53's checkers agree
  record 60 s: until a changed record is in sync
  capacity at most waitSeconds: until replicas are ready
  detection is interval x threshold, resolvers keep to the TTL
"""


def test_a_drill_in_words(fleet: Fleet) -> None:
    said = fleet("drill", "--scenario", "region:eu-west-1")
    assert (said.code, said.err) == (0, "")
    assert said.out == TEXT


def test_the_exit_code_is_asked_for(fleet: Fleet) -> None:
    assert fleet("drill").code == 0
    assert fleet("drill", "--exit-code").code == 1
    good = ("--set", "drill.startSeconds=30", "--by", "region,route53")
    assert fleet("drill", "--exit-code", *good).code == 0


def keys(fleet: Fleet, *words: str) -> list[str]:
    """The scenarios of the JSON document."""
    document = json.loads(fleet("drill", "-o", "json", *words).out)
    return [each["scenario"] for each in document["scenarios"]]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param(
            [],
            [
                "cluster:eu-1",
                "cluster:us-1",
                "region:eu-west-1",
                "region:us-east-1",
                "provider:",
                "route53",
            ],
            id="everything",
        ),
        pytest.param(
            ["--by", "region,route53"],
            ["region:eu-west-1", "region:us-east-1", "route53"],
            id="some kinds",
        ),
        pytest.param(
            ["--by", "route53", "--by", "provider"], ["provider:", "route53"], id="repeated kinds"
        ),
        pytest.param(
            ["--scenario", "route53", "--scenario", "cluster:us-1", "--scenario", "route53"],
            ["route53", "cluster:us-1"],
            id="named ones, as asked, once",
        ),
    ],
)
def test_what_is_played(fleet: Fleet, words: list[str], expected: list[str]) -> None:
    assert keys(fleet, *words) == expected


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        pytest.param(
            ["--by", "zone"], "--by: 'zone' is nothing that can go wrong", id="another kind"
        ),
        pytest.param(
            ["--scenario", "region:eu-west"],
            "--scenario: 'region:eu-west' is no scenario of this fleet - did you mean"
            " 'region:eu-west-1'?",
            id="a region that is not there",
        ),
        pytest.param(
            ["--set", "drill.dnsSecond=1"],
            "config fleet:drill.dnsSecond: is no key that is known here",
            id="a limit that is not there",
        ),
        pytest.param(
            ["--set", "drill.dnsSeconds=0"], "config fleet:drill.dnsSeconds: ", id="a limit of 0"
        ),
    ],
)
def test_faults_are_sentences(fleet: Fleet, words: list[str], sentence: str) -> None:
    said = fleet("drill", *words)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(sentence)


def test_the_document_has_every_figure(fleet: Fleet) -> None:
    words = ("--set", "drill.spreadSeconds=5", "--scenario", "cluster:eu-1")
    document = json.loads(fleet("drill", "-o", "json", *words).out)
    (scenario,) = document["scenarios"]
    (name,) = scenario["names"]
    assert name["timeline"] == {
        "steps": [["detection", 30], ["spread", 5], ["ttl", 20]],
        "total": 55,
    }
    assert name["answers"]["today"] == {"shares": {"eu-1": "1/2", "us-1": "1/2"}, "nowhere": "0"}
    assert name["answers"]["atOnce"] == {"shares": {"us-1": "1"}, "nowhere": "0"}
    assert scenario["starts"]["web"]["total"] == 360
    assert name["sharesAssumed"] is False
    assert "decision 60 s: from the alarm to the update that declares it" in document["assumed"]
    assert document["targets"]["spreadSeconds"] == 5
    assert document["failed"] == 1
    failed = [each for each in scenario["checks"] if each["result"] == "FAIL"]
    assert [(each["item"], each["subject"]) for each in failed] == [("application", "web")]


SUITES = {"name", "tests", "failures", "errors"}
SUITE = {"name", "tests", "failures", "errors", "skipped"}
CASE = {"name", "classname"}
INSIDE = {"failure": {"message", "type"}, "skipped": {"message"}, "system-out": set()}


def test_junit_keeps_to_the_schema(fleet: Fleet) -> None:
    """Elements, attributes and counts as Jenkins' junit-10.xsd has them."""
    text = fleet("drill", "-o", "junit").out
    assert text.startswith('<?xml version="1.0" encoding="utf-8"?>\n')
    root = ET.fromstring(text.encode())  # noqa: S314 - made here
    assert (root.tag, set(root.attrib)) == ("testsuites", SUITES)
    assert all(each.tag == "testsuite" for each in root)
    for suite in root:
        assert set(suite.attrib) == SUITE
        for case in suite:
            assert (case.tag, set(case.attrib)) == ("testcase", CASE)
            assert [set(each.attrib) for each in case] == [INSIDE[each.tag] for each in case]
            assert len(case) == 1
        for key, tag in (("tests", "testcase"), ("failures", "failure"), ("skipped", "skipped")):
            assert int(suite.attrib[key]) == len(list(suite.iter(tag)))
    assert int(root.attrib["tests"]) == sum(int(each.attrib["tests"]) for each in root)
    assert [each.attrib["name"] for each in root] == keys(fleet)


def junit_cases(fleet: Fleet, *words: str) -> dict[str, Any]:
    """What stands in each case, by `classname/name`."""
    root = ET.fromstring(fleet("drill", "-o", "junit", *words).out.encode())  # noqa: S314 - ours
    return {
        f"{each.attrib['classname']}/{each.attrib['name']}": each for each in root.iter("testcase")
    }


def test_junit_tells_failures_with_their_sentence(fleet: Fleet) -> None:
    cases = junit_cases(fleet, "--scenario", "region:eu-west-1", "--set", "drill.dnsSeconds=50")
    dns = cases["region:eu-west-1 www.fleet.test/dns"].find("failure")
    sentence = (
        "60 s of 50 s: detection 30 + spread 10 + ttl 20; a check of 10 s x 3 and ttlSeconds of at"
        " most 10 would pass"
    )
    assert dns.attrib == {"message": sentence, "type": "dns-time"}
    assert dns.text == f"policies/web.yaml:16:3: {sentence}"
    assert cases["region:eu-west-1 www.fleet.test/alerts"].find("skipped") is not None
    assert cases["region:eu-west-1 www.fleet.test/rto"].find("system-out") is not None


def test_what_is_quiet_is_told_as_quiet(fleet: Fleet) -> None:
    fleet.write("inventory/ap-1.yaml", CLUSTER.format(name="ap-1", region="ap-south-1"))
    fleet.write(
        "policies/web.yaml",
        POLICY.rstrip()
        + "\n  affinity: {required: [{regions: [eu-west-1, us-east-1]}]}\n"
        + TRAFFIC,
    )
    text = fleet("drill").out
    assert "nothing runs on cluster ap-1" in text
    assert "nothing runs on region ap-south-1" in text
    assert "cluster:ap-1/quiet" in junit_cases(fleet)
    document = json.loads(fleet("drill", "-o", "json").out)
    assert [each["scenario"] for each in document["quiet"]] == ["cluster:ap-1", "region:ap-south-1"]


def test_markdown_has_the_tables(fleet: Fleet) -> None:
    text = fleet("drill", "-o", "markdown", "--scenario", "region:eu-west-1").out
    assert text.startswith("**without region eu-west-1** 2 replicas die")
    assert "| what | total | how | steps in seconds |" in text
    assert "| web | FAIL | application: 2 replicas to start" in text
