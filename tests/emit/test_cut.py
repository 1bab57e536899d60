"""What an update that was cut has left is told before the next one plans over it."""

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest

from fleet.deliver.identity import OWNER
from fleet.emit.cut import compare_weights, pending_operations, pending_sentence
from fleet.emit.look import look
from fleet.emit.providers import aws_provider
from fleet.emit.route53 import Traffic
from fleet.errors import RefusedError
from fleet.model.prior import PriorObject
from tests.emit.engine import RECORD, Engine, RefusedCall
from tests.emit.plans import PretendCluster, a_plan, a_run, a_state, accesses

GET_RECORDS = "aws:route53/getRecords:getRecords"
GET_ZONE = "aws:route53/getZone:getZone"
GET_RESOURCES = "aws:resourcegroupstaggingapi/getResources:getResources"


def live(cluster: str, weight: int) -> dict[str, Any]:
    return {
        "name": "web.fleet.test.",
        "type": "A",
        "setIdentifier": cluster,
        "weight": float(weight),
    }


def held(cluster: str, weight: int) -> PriorObject:
    body = {
        "zoneId": "Z1",
        "name": "web.fleet.test",
        "type": "A",
        "setIdentifier": cluster,
        "weightedRoutingPolicies": [{"weight": weight}],
    }
    return PriorObject(f"web/{cluster}", RECORD, body)


def compared(engine: Engine, *found: dict[str, Any], preview: bool = False) -> None:
    engine.answers.setdefault(GET_RECORDS, {"resourceRecordSets": list(found)})
    records = {each.name: each for each in (held("eu-1", 100), held("us-1", 0))}

    async def program() -> None:
        run = a_run(a_plan(), a_state(records=records))
        run.preview = preview
        await compare_weights(run, Traffic(run, aws_provider()))

    engine.run(program)


def test_weights_that_agree_are_fine_and_a_zone_is_asked_once(engine: Engine) -> None:
    compared(engine, live("eu-1", 100), live("us-1", 0))
    pattern = r"^(web\.fleet\.test)\.?$"
    assert engine.calls == [(GET_RECORDS, {"zoneId": "Z1", "nameRegex": pattern})]


def test_weights_that_differ_are_refused_and_a_preview_goes_on(engine: Engine) -> None:
    with pytest.raises(RefusedError) as caught:
        compared(engine, live("eu-1", 100), live("us-1", 100))
    assert str(caught.value) == (
        "record web/us-1 weighs 100 in Route53, 0 in the state: run 'fleet recover' first"
    )


def test_a_preview_only_warns(engine: Engine) -> None:
    compared(engine, live("eu-1", 100), preview=True)


def test_a_record_that_is_gone_is_refused(engine: Engine) -> None:
    with pytest.raises(RefusedError, match="record web/us-1 is in the state, but not in Route53"):
        compared(engine, live("eu-1", 100))


def test_a_route53_that_does_not_answer_holds_up_nobody(engine: Engine) -> None:
    engine.answers[GET_RECORDS] = RefusedCall("503")
    compared(engine)


def an_engine(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """A program 'pulumi' that prints a text."""
    program = folder / "pulumi"
    program.write_text(f"#!/bin/sh\ncat <<'END'\n{text}\nEND\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)


def test_operations_that_never_ended_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    operation = {"resource": {"urn": "urn:pulumi:dev::fleet::t::web/us-1"}, "type": "updating"}
    export = {"deployment": {"pending_operations": [operation, operation]}}
    an_engine(tmp_path, monkeypatch, json.dumps(export))
    assert asyncio.run(pending_operations()) == ("web/us-1",)
    an_engine(tmp_path, monkeypatch, json.dumps({"deployment": None}))
    assert asyncio.run(pending_operations()) == ()


def test_an_engine_that_says_nothing_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    an_engine(tmp_path, monkeypatch, "no JSON")
    assert asyncio.run(pending_operations()) == ()
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    assert asyncio.run(pending_operations()) == ()


def test_many_operations_are_one_sentence() -> None:
    assert "on a, b, c and 2 more: run 'fleet recover'" in pending_sentence(tuple("abcde"))


QUESTION = {"apiVersion": "v1", "kind": "Service", "namespace": "shop", "name": "web"}
NO_QUESTIONS: dict[str, Any] = {"objects": {}, "records": [], "zones": [], "tag": ""}


def answers(
    engine: Engine, folder: Path, *clusters: PretendCluster, **asked: Any
) -> dict[str, Any]:
    path = folder / "questions.json"
    path.write_text(json.dumps(NO_QUESTIONS | asked))

    async def program() -> None:
        await look(path, accesses(*clusters))

    engine.run(program)
    found: dict[str, Any] = json.loads((folder / "questions.json.answers").read_text())
    return found


def test_route53_s_answers_are_written_down(engine: Engine, tmp_path: Path) -> None:
    engine.answers[GET_RECORDS] = {"resourceRecordSets": [live("eu-1", 100)]}
    engine.answers[GET_ZONE] = RefusedCall("no matching Route 53 Hosted Zone found")
    engine.answers[GET_RESOURCES] = {"resourceTagMappingLists": [{"resourceArn": "a"}]}
    asked = {"records": ["Z1"], "zones": ["shop.test"], "tag": "fleet/dev"}
    found = answers(engine, tmp_path, **asked)
    assert found["records"] == {"Z1": [live("eu-1", 100)]}
    assert found["zones"] == {"shop.test": None}
    assert found["checks"] == [{"resourceArn": "a"}]
    assert found["unread"] == {}
    tags = dict(engine.calls)[GET_RESOURCES]
    assert tags["tagFilters"] == [{"key": "fleet", "values": ["fleet/dev"]}]


def test_what_route53_does_not_say_has_a_reason(engine: Engine, tmp_path: Path) -> None:
    engine.answers |= {each: RefusedCall("503") for each in (GET_ZONE, GET_RESOURCES)}
    engine.answers[GET_RECORDS] = RefusedCall("NoSuchHostedZone: Z1")
    asked = {"records": ["Z1"], "zones": ["shop.test"], "tag": "fleet/dev"}
    found = answers(engine, tmp_path, **asked)
    assert set(found["unread"]) == {"shop.test", "fleet/dev"}
    assert found["records"] == {"Z1": []}


def test_a_cluster_s_answers_are_written_down(engine: Engine, tmp_path: Path) -> None:
    metadata = {
        "annotations": {OWNER: "fleet/dev/web"},
        "managedFields": [{"manager": "pulumi-kubernetes-1"}],
    }
    cluster = PretendCluster("eu-1", {("v1", "Service", "shop", "web"): {"metadata": metadata}})
    objects = {
        "a": QUESTION | {"cluster": "eu-1"},
        "b": QUESTION | {"cluster": "us-1"},
    }
    found = answers(engine, tmp_path, cluster, objects=objects)
    assert found["objects"] == {"a": {"owner": "fleet/dev/web", "manager": "pulumi-kubernetes-1"}}
    assert found["unread"] == {"b": "cluster 'us-1' is not in the inventory, or is down"}
