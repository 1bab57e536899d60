"""What is asked, and what the answers mean."""

from typing import Any

import pytest

from fleet.errors import FleetError
from fleet.recover.look import LiveCheck, LiveObject, is_any, manager_of, questions, read_seen
from fleet.recover.stored import Stored, UnreadableError, read_stored
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


HEAD = '{"version": 3, "deployment": {'
WRONG = [
    pytest.param("", "state.json:1:1: the file is empty", id="nothing"),
    pytest.param(
        '{"version": 3,\n "deployment": {"reso\n',
        "state.json:2:22: the JSON ends here, in the middle",
        id="half a word",
    ),
    pytest.param('{"version": 3', "state.json:1:14: the JSON ends here, in the middle", id="half"),
    pytest.param("<html>", "state.json:1:1: the JSON is broken: expecting value", id="a page"),
    pytest.param("[]", "it is not what 'pulumi stack export' prints", id="a list"),
    pytest.param('{"web": {"eu-1": 4}}', "it is not what 'pulumi stack export' prints", id="else"),
    pytest.param("[" * 100000, "it is not what 'pulumi stack export' prints", id="depths"),
    pytest.param(
        '{"version": 4, "deployment": {}}',
        "it is in version '4' of the format, fleet reads 3",
        id="a newer format",
    ),
    pytest.param(
        '{"version": 3, "deployment": {"resources": {}, "pending_operations": 1}}',
        "its 'pending_operations' are no list",
        id="no list",
    ),
    *(
        pytest.param(
            f'{HEAD}"resources": [{{"urn": "urn:pulumi:a::b::c::d"}}, {entry}]}}}}',
            "its resource 2 has no URN",
            id=f"a resource that is {entry}",
        )
        for entry in ("1", "{}", '{"urn": 1}', '{"urn": "web"}')
    ),
    *(
        pytest.param(
            f'{HEAD}"pending_operations": [{entry}]}}}}',
            "its pending operation 1 has no URN",
            id=f"an operation that is {entry}",
        )
        for entry in ("1", '{"type": "creating"}', '{"resource": 1}')
    ),
]


@pytest.mark.parametrize(("text", "sentence"), WRONG)
def test_a_state_that_is_none_is_refused_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(FleetError) as caught:
        read_stored(text, "state.json")
    said = str(caught.value)
    assert said.startswith(("state.json:", "the state 'state.json' cannot be read: it"))
    assert sentence in said
    assert "\n" not in said


def test_what_the_engine_itself_prints_has_no_file() -> None:
    with pytest.raises(UnreadableError) as caught:
        read_stored("warning: x\n{}")
    assert str(caught.value) == (
        "the state cannot be read: it is no JSON: Expecting value: line 1 column 1 (char 0)"
    )
    assert read_stored('{"version": 3, "deployment": null}') == Stored((), ())
