"""Records that exist under a name and are not fleet's."""

from dataclasses import replace
from typing import Any

import pytest

from fleet.emit.providers import aws_provider
from fleet.emit.records import find_foreign_records
from fleet.emit.route53 import Traffic
from fleet.emit.state import OwnState
from fleet.errors import RefusedError
from fleet.model.endpoint import EndpointDelivery
from fleet.model.prior import PriorObject
from fleet.model.traffic import ZoneRef
from tests.emit.engine import RECORD, Engine, RefusedCall
from tests.emit.plans import a_plan, a_record, a_run, a_state, an_endpoint

GET_RECORDS = "aws:route53/getRecords:getRecords"
GET_ZONE = "aws:route53/getZone:getZone"


def theirs(kind: str = "CNAME", identifier: str | None = None) -> dict[str, Any]:
    """A record of the zone as Route53 lists it."""
    return {"name": "web.fleet.test.", "type": kind, "setIdentifier": identifier}


def ours(cluster: str, name: str = "web.fleet.test") -> dict[str, PriorObject]:
    """A record of the state."""
    body = {"type": "CNAME", "setIdentifier": cluster, "name": name}
    return {f"web/{cluster}": PriorObject(f"web/{cluster}", RECORD, body)}


def looked(
    engine: Engine,
    *found: dict[str, Any],
    endpoint: EndpointDelivery | None = None,
    state: OwnState | None = None,
) -> Traffic:
    """What is noted where nothing is refused."""
    engine.answers[GET_RECORDS] = {"resourceRecordSets": list(found)}
    engine.answers.setdefault(GET_ZONE, {"zoneId": "Z9"})
    wanted = endpoint or an_endpoint(a_record("eu-1"))

    async def program() -> Traffic:
        run = a_run(a_plan(endpoints=[wanted]), state)
        traffic = Traffic(run, aws_provider())
        await find_foreign_records(run, traffic)
        return traffic

    return engine.run(program)


def test_a_free_name_is_fine(engine: Engine) -> None:
    assert looked(engine).imports == {}
    assert engine.calls == [(GET_RECORDS, {"zoneId": "Z1", "nameRegex": r"^web\.fleet\.test\.?$"})]


@pytest.mark.parametrize("kind", ["A", "AAAA", "CNAME"])
def test_a_name_that_somebody_else_answers_is_refused(engine: Engine, kind: str) -> None:
    with pytest.raises(RefusedError) as caught:
        looked(engine, theirs(kind))
    assert str(caught.value) == (
        f"policies/web.yaml:1:1: name 'web.fleet.test' has a {kind} record already that is not"
        " fleet's - remove it, or say 'adopt: true' where it has a cluster's name as set"
        " identifier; one name has one owner"
    )


@pytest.mark.parametrize("kind", ["NS", "SOA", "TXT", "MX", "CAA"])
def test_what_answers_nobody_is_not_in_the_way(engine: Engine, kind: str) -> None:
    assert looked(engine, theirs(kind)).imports == {}


def test_every_record_in_the_way_is_named(engine: Engine) -> None:
    with pytest.raises(RefusedError) as caught:
        looked(engine, theirs(identifier="blue"), theirs(identifier="green"))
    lines = str(caught.value).splitlines()
    assert [("'blue'" in each, "'green'" in each) for each in lines] == [
        (True, False),
        (False, True),
    ]


def test_the_records_of_the_state_are_ours(engine: Engine) -> None:
    endpoint = an_endpoint(a_record("eu-1"), a_record("us-1"))
    state = a_state(records=ours("eu-1", "WEB.fleet.test."))
    assert looked(engine, theirs(identifier="eu-1"), endpoint=endpoint, state=state).imports == {}


def test_a_record_of_another_name_is_not_ours(engine: Engine) -> None:
    endpoint = an_endpoint(a_record("eu-1"), a_record("us-1"))
    state = a_state(records=ours("eu-1", "api.fleet.test"))
    with pytest.raises(RefusedError):
        looked(engine, theirs(identifier="eu-1"), endpoint=endpoint, state=state)


def test_a_name_whose_records_are_all_in_the_state_is_not_looked_up(engine: Engine) -> None:
    """Also not its zone: a switch does not need Route53 to answer before capacity is raised."""
    endpoint = an_endpoint(a_record("eu-1"), zone=ZoneRef(name="fleet.test"))
    engine.answers[GET_ZONE] = RuntimeError("throttled")
    looked(engine, theirs("A"), endpoint=endpoint, state=a_state(records=ours("eu-1")))
    assert engine.calls == []


def test_a_record_is_adopted_where_the_file_says_so(engine: Engine) -> None:
    endpoint = an_endpoint(a_record("eu-1"), adopt=True)
    traffic = looked(engine, theirs(identifier="eu-1"), endpoint=endpoint)
    assert traffic.imports == {"web/eu-1": "Z1_web.fleet.test_CNAME_eu-1"}


@pytest.mark.parametrize(
    "found",
    [
        pytest.param(theirs(identifier="blue"), id="another set identifier"),
        pytest.param(theirs("A", "eu-1"), id="another type"),
        pytest.param(theirs(), id="no set identifier"),
    ],
)
def test_what_would_be_another_record_cannot_be_adopted(
    engine: Engine, found: dict[str, Any]
) -> None:
    with pytest.raises(RefusedError):
        looked(engine, found, endpoint=an_endpoint(a_record("eu-1"), adopt=True))


def test_a_zone_that_exists_is_found_by_name(engine: Engine) -> None:
    endpoint = an_endpoint(a_record("eu-1"), zone=ZoneRef(name="fleet.test"), adopt=True)
    traffic = looked(engine, theirs(identifier="eu-1"), endpoint=endpoint)
    assert engine.calls[0] == (GET_ZONE, {"name": "fleet.test"})
    assert traffic.imports == {"web/eu-1": "Z9_web.fleet.test_CNAME_eu-1"}


def test_a_zone_that_this_run_creates_is_empty(engine: Engine) -> None:
    endpoint = an_endpoint(a_record("eu-1"), zone=ZoneRef(name="fleet.test", create=True))
    looked(engine, endpoint=endpoint)
    assert engine.calls == []


def test_a_zone_that_fleet_created_is_looked_at(engine: Engine) -> None:
    endpoint = an_endpoint(a_record("eu-1"), zone=ZoneRef(name="fleet.test", create=True))
    with pytest.raises(RefusedError):
        looked(engine, theirs(), endpoint=endpoint, state=a_state(zone_ids={"fleet.test": "Z5"}))
    assert engine.calls[0][1]["zoneId"] == "Z5"


def test_a_name_that_nobody_can_ask_for_is_held(engine: Engine) -> None:
    """Route53 is down: what is new under the name waits, and nothing is refused."""
    engine.answers[GET_ZONE] = RefusedCall("throttled")
    endpoint = an_endpoint(a_record("eu-1"), zone=ZoneRef(name="fleet.test"))
    traffic = looked(engine, endpoint=endpoint)
    assert list(traffic.unasked) == [endpoint.policy]
    assert traffic.unasked[endpoint.policy].startswith("Route53: ")


def test_the_zone_of_a_known_record_is_the_state_s(engine: Engine) -> None:
    known = ours("eu-1")
    body = known["web/eu-1"].body | {"zoneId": "Z7"}
    state = a_state(records={"web/eu-1": PriorObject("web/eu-1", RECORD, body)})
    endpoint = an_endpoint(a_record("eu-1"), zone=ZoneRef(name="fleet.test"))
    assert looked(engine, endpoint=endpoint, state=state).zone_ids == {"fleet.test": "Z7"}
    assert engine.calls == []


def test_a_record_that_asks_a_check_of_ours_is_ours(engine: Engine) -> None:
    """A plugin that died in a create leaves a record that the state does not know."""
    found = theirs("CNAME", "eu-1") | {"healthCheckId": "c1"}
    state = replace(a_state(), check_ids=frozenset({"c1"}))
    assert looked(engine, found, state=state).imports == {
        "web/eu-1": "Z1_web.fleet.test_CNAME_eu-1"
    }
    with pytest.raises(RefusedError, match="that is not fleet's"):
        looked(engine, found | {"healthCheckId": "c2"}, state=state)
