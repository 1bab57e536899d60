"""A health check that was made and never tagged, found in a Route53 by what it asks."""

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from devkit.aws.data import Table
from devkit.aws.endpoint.server import Endpoint
from devkit.aws.health_check import to_wire
from fleet.cli.aws import AwsError, listed_checks, tags_of
from fleet.recover.stored import Stored, read_stored
from fleet.recover.untagged import alike, untagged
from tests.devkit_aws.kit import Api
from tests.recover.states import an_export, text_of
from tests.recover.test_untagged import HTTP, a_check

AWS = f"""\
#!{sys.executable}
import json, os, sys
import boto3

route53 = boto3.client("route53", endpoint_url=os.environ["ENDPOINT"], region_name="us-east-1",
    aws_access_key_id="devkit", aws_secret_access_key="devkit")
assert sys.argv[1] == "route53" and sys.argv[-2:] == ["--output", "json"]
words = sys.argv[2:-2]
if words == ["list-health-checks"]:
    answer = route53.get_paginator("list_health_checks").paginate().build_full_result()
elif words[:4] == ["list-tags-for-resources", "--resource-type", "healthcheck", "--resource-ids"]:
    ids = words[4:]
    answer = route53.list_tags_for_resources(ResourceType="healthcheck", ResourceIds=ids)
print(json.dumps(answer))
"""
"""The two words of `aws route53` that recovery uses."""

ASKED: dict[str, Table] = {
    "HTTP by address": HTTP,
    "HTTP by name": {"type": "HTTP", "fqdn": "a.example.test", "port": 80, "resourcePath": "/"},
    "HTTPS": {"type": "HTTPS", "ipAddress": "2001:db8::1", "port": 443, "enableSni": True},
    "HTTPS without SNI": {"type": "HTTPS", "fqdn": "b.example.test", "enableSni": False},
    "a text": {"type": "HTTP_STR_MATCH", "fqdn": "c.example.test", "searchString": "ok"},
    "TCP": {"type": "TCP", "ipAddress": "192.0.2.1", "port": 5432, "requestInterval": 10},
    "inverted": {"type": "HTTP", "fqdn": "d.example.test", "invertHealthcheck": True},
}


@pytest.fixture(autouse=True)
def aws(endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    program = tmp_path / "bin" / "aws"
    program.parent.mkdir()
    program.write_text(AWS)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    monkeypatch.setenv("ENDPOINT", endpoint.url)
    return program


def made(api: Api, inputs: Table, reference: str) -> str:
    """What the plugin has done before it is killed: the check is there, its tag is not."""
    config = to_wire({name: value for name, value in inputs.items() if name != "tags"})
    call = {"CallerReference": reference, "HealthCheckConfig": config}
    identifier: str = api("CreateHealthCheck", call)["HealthCheck"]["Id"]
    return identifier


def tagged(api: Api, identifier: str) -> None:
    words = {"ResourceType": "healthcheck", "ResourceId": identifier}
    api("ChangeTagsForResource", words | {"AddTags": [{"Key": "fleet", "Value": "else/dev"}]})


def state(*resources: dict[str, Any], **pending: Any) -> Stored:
    return read_stored(text_of(an_export(*resources, **pending)))


def found(stored: Stored) -> list[tuple[str, str]]:
    checks = alike(stored, listed_checks())
    return sorted(
        (each.twin, each.id) for each in untagged(checks, tags_of([c.id for c in checks]))
    )


def test_every_kind_of_check_is_found_by_what_it_asks(api: Api) -> None:
    ids = {name: made(api, inputs, name) for name, inputs in ASKED.items()}
    children: list[Any] = sorted(ids.values())[:2]
    both: Table = {"type": "CALCULATED", "childHealthThreshold": 2, "childHealthchecks": children}
    ids["calculated"] = made(api, both, "calculated")
    begun = [a_check(inputs, name) for name, inputs in {**ASKED, "calculated": both}.items()]
    assert found(state(creating=begun)) == sorted(ids.items())


def test_what_is_tagged_or_held_or_asks_else_is_not(api: Api) -> None:
    mine, leaked = made(api, HTTP, "first"), made(api, HTTP, "second")
    tagged(api, made(api, HTTP, "of another stack"))
    made(api, HTTP | {"port": 81}, "another")
    assert found(state(a_check(HTTP, "check/eu-1", id=mine))) == [("check/eu-1", leaked)]


FAILS = [
    pytest.param("#!/bin/sh\necho one >&2\necho no login >&2\nexit 255\n", "no login", id="fails"),
    pytest.param("#!/bin/sh\nexit 3\n", "exit 3", id="silent"),
    pytest.param("#!/bin/sh\necho '<html>'\n", "printed something else than JSON", id="a page"),
    pytest.param("#!/bin/sh\necho '{}'\n", "printed something else than JSON", id="nothing"),
]


@pytest.mark.parametrize(("program", "sentence"), FAILS)
def test_what_cannot_be_asked_is_one_sentence(aws: Path, program: str, sentence: str) -> None:
    aws.write_text(program)
    with pytest.raises(AwsError, match=sentence) as caught:
        listed_checks()
    assert "\n" not in str(caught.value)


def test_without_the_program_it_is_said(aws: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(aws.parent.parent))
    with pytest.raises(AwsError, match="'aws' is not on PATH"):
        listed_checks()
