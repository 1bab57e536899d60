"""What is asked, and what the answers mean."""

from typing import Any

import pytest

from fleet.recover.look import LiveCheck, LiveObject, is_any, manager_of, questions, read_seen
from fleet.recover.stored import UnreadableError, read_stored
from tests.recover.states import (
    OWNER,
    a_check,
    a_record,
    a_zone,
    an_export,
    an_object,
    text_of,
)


def asked(export: dict[str, Any]) -> dict[str, Any]:
    return questions(read_stored(text_of(export)), OWNER)


def test_a_state_without_names_asks_nothing() -> None:
    assert not is_any(asked(an_export(an_object(id="shop/web"))))


def test_records_and_checks_are_always_asked_for() -> None:
    found = asked(an_export(a_record(id="a")))
    assert found == {"objects": {}, "records": ["Z1"], "zones": [], "tag": OWNER}
    assert asked(an_export(a_check(id="a")))["tag"] == OWNER
    assert asked(an_export(creating=[a_check()]))["tag"] == OWNER
    assert asked(an_export(a_record(id="a", delete=True)))["records"] == []


def test_operations_that_never_ended_are_asked_for() -> None:
    export = an_export(creating=[an_object(), a_zone(), a_record()], updating=[an_object("Secret")])
    found = asked(export)
    assert found["zones"] == ["shop.test"]
    assert found["records"] == ["Z1"]
    assert [each["kind"] for each in found["objects"].values()] == ["Service", "Secret"]
    assert found["objects"][an_object()["urn"]] == {
        "cluster": "eu-1",
        "apiVersion": "v1",
        "kind": "Service",
        "namespace": "shop",
        "name": "web",
    }


def test_answers_are_read() -> None:
    arn = "arn:aws:route53:::healthcheck/c1"
    seen = read_seen(
        {
            "objects": {"a": None, "b": {"owner": "fleet/dev/web", "manager": None}},
            "records": {"Z1": []},
            "zones": {},
            "checks": [{"resourceArn": arn, "tags": {"Name": "n"}}, {"resourceArn": "arn:other/x"}],
            "unread": {"c": "why"},
        }
    )
    assert seen.objects == {"a": None, "b": LiveObject("fleet/dev/web")}
    assert seen.checks == (LiveCheck("c1", "n"),)
    assert seen.unread == {"c": "why"}


def test_the_manager_is_the_plugin_s_own_not_the_status_writer() -> None:
    fields = [
        {"manager": "kubectl"},
        {"manager": "pulumi-kubernetes-1", "subresource": "status"},
        {"manager": "pulumi-kubernetes-2"},
    ]
    assert manager_of({"metadata": {"managedFields": fields}}) == "pulumi-kubernetes-2"
    assert manager_of({"metadata": {}}) is None


@pytest.mark.parametrize("text", ["", "[]", '{"version": 2}'])
def test_an_export_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(UnreadableError, match="the stack's export is"):
        read_stored(text)
