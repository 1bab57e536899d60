"""What recovery does about each thing that was left: a table of what was seen."""

from typing import Any

import pytest

from fleet.recover.decide import Act, Step, decide
from fleet.recover.look import LiveCheck, LiveObject, Seen
from fleet.recover.stored import read_stored
from tests.recover.states import (
    AWS,
    EU,
    GROUND,
    OWNER,
    a_check,
    a_record,
    a_zone,
    an_export,
    an_object,
    live_record,
    text_of,
)


def steps(export: dict[str, Any], seen: Seen | None = None) -> tuple[Step, ...]:
    return decide(read_stored(text_of(export)), seen or Seen(), OWNER)


OBJECT = an_object()["urn"]
OURS = LiveObject("fleet/dev/web", "pulumi-kubernetes-0a1b")

CREATED = [
    pytest.param(an_object(), Seen(objects={OBJECT: OURS}), Act.TAKE, "shop/web", id="ours"),
    pytest.param(an_object(), Seen(objects={OBJECT: None}), Act.CLEAR, "", id="nothing"),
    pytest.param(
        an_object(),
        Seen(objects={OBJECT: LiveObject("fleet/prod/web")}),
        Act.CLEAR,
        "",
        id="another stack's",
    ),
    pytest.param(
        an_object(), Seen(objects={OBJECT: LiveObject(None)}), Act.CLEAR, "", id="foreign"
    ),
    pytest.param(
        an_object(), Seen(unread={OBJECT: "no answer in time"}), Act.KEEP, "", id="a dead cluster"
    ),
    pytest.param(
        a_record(),
        Seen(records={"Z1": [live_record()]}),
        Act.TAKE,
        "Z1_web.shop.test_A_eu-1",
        id="a record",
    ),
    pytest.param(
        a_record(),
        Seen(records={"Z1": [live_record("us-1"), live_record(name="api.shop.test.")]}),
        Act.CLEAR,
        "",
        id="records of others",
    ),
    pytest.param(a_record(), Seen(unread={"Z1": "Route53: 503"}), Act.KEEP, "", id="no Route53"),
    pytest.param(
        a_check(), Seen(checks=(LiveCheck("c1", "check/eu-1"),)), Act.TAKE, "c1", id="a check"
    ),
    pytest.param(
        a_check(), Seen(checks=(LiveCheck("c1", "check/us-1"),)), Act.CLEAR, "", id="other checks"
    ),
    pytest.param(a_check(), Seen(unread={OWNER: "Route53: 503"}), Act.KEEP, "", id="no tags"),
    pytest.param(
        a_zone(),
        Seen(zones={"shop.test": {"zoneId": "Z9", "tags": {"fleet": OWNER}}}),
        Act.TAKE,
        "Z9",
        id="a zone",
    ),
    pytest.param(
        a_zone(), Seen(zones={"shop.test": {"zoneId": "Z9"}}), Act.CLEAR, "", id="a foreign zone"
    ),
    pytest.param(a_zone(), Seen(zones={"shop.test": None}), Act.CLEAR, "", id="no zone"),
    pytest.param(a_zone(), Seen(unread={"shop.test": "x"}), Act.KEEP, "", id="zones unread"),
    pytest.param(
        {"urn": f"{EU}-2", "type": "pulumi:providers:kubernetes"}, Seen(), Act.CLEAR, "", id="else"
    ),
]


@pytest.mark.parametrize(("resource", "seen", "act", "identifier"), CREATED)
def test_a_create_that_never_ended(
    resource: dict[str, Any], seen: Seen, act: Act, identifier: str
) -> None:
    first, *rest = steps(an_export(creating=[resource]), seen)
    assert (first.act, first.urn, first.id) == (act, resource["urn"], identifier)
    assert all(each.act is Act.TELL for each in rest)


def test_an_object_keeps_the_name_under_which_the_plugin_wrote_it() -> None:
    (step,) = steps(an_export(creating=[an_object()]), Seen(objects={OBJECT: OURS}))
    assert dict(step.outputs) == {
        "__initialApiVersion": "v1",
        "__fieldManager": "pulumi-kubernetes-0a1b",
    }
    assert step.sentence == ("Service shop/web on eu-1 exists and is ours: take it into the state")


@pytest.mark.parametrize(
    ("left", "word"), [(EU, "provider"), (AWS, None)], ids=["its provider is not", "others are not"]
)
def test_what_cannot_stand_in_the_state_is_cleared(left: str, word: str | None) -> None:
    ground = tuple(each for each in GROUND if each["urn"] != left)
    export = an_export(ground=ground, creating=[an_object()])
    (step,) = steps(export, Seen(objects={OBJECT: OURS}))
    assert step.act is (Act.TAKE if word is None else Act.CLEAR)
    assert word is None or f"its {word} is not in the state" in step.sentence


def test_a_record_without_its_endpoint_is_cleared() -> None:
    export = an_export(ground=GROUND[:2], creating=[a_record()])
    (step,) = steps(export, Seen(records={"Z1": [live_record()]}))
    assert step.act is Act.CLEAR
    assert "its parent is not in the state" in step.sentence


@pytest.mark.parametrize("what", ["updating", "deleting"])
def test_what_was_changed_is_read_back(what: str) -> None:
    held = an_object(id="shop/web")
    (step,) = steps(an_export(held, **{what: [held]}))
    assert (step.act, step.urn) == (Act.READ, OBJECT)
    (step,) = steps(an_export(held, **{what: [held]}), Seen(unread={OBJECT: "no answer"}))
    assert step.act is Act.KEEP
    (step,) = steps(an_export(**{what: [held]}))
    assert step.act is Act.CLEAR


def test_a_create_of_what_is_in_the_state_is_cleared() -> None:
    (step,) = steps(an_export(an_object(id="shop/web"), creating=[an_object()]))
    assert step.act is Act.CLEAR


def test_a_weight_that_the_state_does_not_know_is_read_back() -> None:
    export = an_export(a_record("eu-1", 100, id="a"), a_record("us-1", 0, id="b"))
    seen = Seen(records={"Z1": [live_record("eu-1", 100), live_record("us-1", 100)]})
    (step,) = steps(export, seen)
    assert (step.act, step.urn) == (Act.READ, a_record("us-1")["urn"])
    assert step.sentence == (
        "Record web/us-1 weighs 100 in Route53 and 0 in the state: read it back"
    )


def test_a_record_that_is_gone_is_read_back_once() -> None:
    held = a_record(id="a")
    (step,) = steps(an_export(held), Seen(records={"Z1": []}))
    assert "is gone from Route53" in step.sentence
    assert len(steps(an_export(held, updating=[held]), Seen(records={"Z1": []}))) == 1


def test_records_that_agree_or_cannot_be_seen_or_have_no_weight_are_left() -> None:
    assert steps(an_export(a_record(id="a")), Seen(records={"Z1": [live_record()]})) == ()
    assert steps(an_export(a_record(id="a")), Seen(unread={"Z1": "503"})) == ()
    other = an_export(a_record(weight=None, id="a"))
    assert steps(other, Seen(records={"Z1": [live_record(weight=7)]})) == ()


def test_a_leaked_health_check_is_told_with_the_command_that_deletes_it() -> None:
    export = an_export(a_check(id="c1"), creating=[a_check("check/us-1")])
    checks = (LiveCheck("c3", ""), LiveCheck("c1", "check/eu-1"), LiveCheck("c2", "check/us-1"))
    taken, leaked = steps(export, Seen(checks=checks))
    assert (taken.act, taken.id) == (Act.TAKE, "c2")
    assert leaked.act is Act.TELL
    assert leaked.sentence.startswith("health check c3 is this stack's by its tag")
    assert leaked.sentence.endswith("aws route53 delete-health-check --health-check-id c3")
