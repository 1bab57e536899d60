"""Health checks that nobody tagged: which of them ask exactly what one of the stack's asks."""

from typing import Any

import pytest

from fleet.recover.decide import Act, decide
from fleet.recover.look import LooseCheck, Seen
from fleet.recover.stored import CHECK, Stored, read_stored
from fleet.recover.untagged import alike, untagged
from tests.recover.states import AWS, OWNER, a_resource, an_export, text_of

HTTP: dict[str, Any] = {
    "type": "HTTP",
    "ipAddress": "192.0.2.1",
    "fqdn": "web.shop.test",
    "port": 80,
    "resourcePath": "/",
    "requestInterval": 10,
    "failureThreshold": 3,
    "tags": {"fleet": OWNER},
}
LIVE: dict[str, Any] = {
    "Type": "HTTP",
    "IPAddress": "192.0.2.1",
    "FullyQualifiedDomainName": "web.shop.test",
    "Port": 80,
    "ResourcePath": "/",
    "RequestInterval": 10,
    "FailureThreshold": 3,
    "MeasureLatency": False,
    "Inverted": False,
    "Disabled": False,
    "EnableSNI": False,
}


def a_check(inputs: dict[str, Any], name: str = "check/eu-1/1", **more: Any) -> dict[str, Any]:
    return a_resource(CHECK, name, inputs=inputs, provider=f"{AWS}::id", **more)


def listed(identifier: str = "c1", **changed: Any) -> dict[str, Any]:
    return {"Id": identifier, "CallerReference": "ref", "HealthCheckConfig": LIVE | changed}


def state(*resources: dict[str, Any], **pending: Any) -> Stored:
    return read_stored(text_of(an_export(*resources, **pending)))


ELSE: dict[str, Any] = {
    "Type": "HTTPS",
    "IPAddress": "192.0.2.2",
    "FullyQualifiedDomainName": "api.shop.test",
    "Port": 8080,
    "ResourcePath": "/healthz",
    "RequestInterval": 30,
    "FailureThreshold": 2,
    "MeasureLatency": True,
    "Inverted": True,
    "Disabled": True,
    "SearchString": "ok",
    "Regions": ["eu-west-1", "us-east-1", "us-west-1"],
}
FOUND = (LooseCheck("c1", "check/eu-1/1", "ref"),)
LIKE = [
    pytest.param(state(creating=[a_check(HTTP)]), listed(), FOUND, id="one that was being created"),
    pytest.param(state(a_check(HTTP, id="c0")), listed(), FOUND, id="a twin of one in the state"),
    pytest.param(state(a_check(HTTP, id="c1")), listed(), (), id="the one in the state"),
    pytest.param(
        state(a_check(HTTP, id="c1", delete=True), a_check(HTTP, id="c0")),
        listed(),
        (),
        id="one that the state still has to delete",
    ),
    pytest.param(state(updating=[a_check(HTTP)]), listed(), (), id="nothing was created"),
    pytest.param(state(a_check(HTTP, id="c0")), listed(""), (), id="without an identifier"),
    *(
        pytest.param(state(a_check(HTTP, id="c0")), listed(**{field: value}), (), id=field)
        for field, value in ELSE.items()
    ),
]


@pytest.mark.parametrize(("stored", "live", "found"), LIKE)
def test_a_check_is_alike_only_if_it_asks_exactly_the_same(
    stored: Stored, live: dict[str, Any], found: tuple[LooseCheck, ...]
) -> None:
    assert alike(stored, [live]) == found


def test_what_route53_fills_in_is_no_difference() -> None:
    short = {"type": "HTTPS", "fqdn": "web.shop.test", "port": 443.0, "enableSni": True}
    live = {
        "Type": "HTTPS",
        "FullyQualifiedDomainName": "web.shop.test",
        "Port": 443,
        "RequestInterval": 30,
        "FailureThreshold": 3,
        "EnableSNI": True,
    }
    stored = state(a_check(short, id="c0"))
    assert alike(stored, [{"Id": "c1", "HealthCheckConfig": live}])
    assert not alike(stored, [{"Id": "c1", "HealthCheckConfig": live | {"EnableSNI": False}}])


def test_children_are_a_set() -> None:
    ours = {"type": "CALCULATED", "childHealthchecks": ["a", "b"], "childHealthThreshold": 2}
    live = {"Type": "CALCULATED", "ChildHealthChecks": ["b", "a"], "HealthThreshold": 2}
    stored = state(a_check(ours, id="c0"))
    assert alike(stored, [{"Id": "c1", "HealthCheckConfig": live}])
    assert not alike(stored, [{"Id": "c1", "HealthCheckConfig": live | {"HealthThreshold": 1}}])


def test_only_what_is_known_to_have_no_tag_is_nobody_s() -> None:
    checks = tuple(LooseCheck(each, "check/eu-1/1", "") for each in ("c1", "c2", "c3"))
    tags: list[dict[str, Any]] = [
        {"ResourceId": "c1", "Tags": [{"Key": "team", "Value": "x"}]},
        {"ResourceId": "c2", "Tags": []},
    ]
    assert untagged(checks, tags) == (checks[1],)


def test_it_is_told_and_nothing_is_done() -> None:
    stored = state(creating=[a_check(HTTP)])
    loose = (LooseCheck("c1", "check/eu-1/1", "terraform-2026"),)
    clear, tell = decide(stored, Seen(loose=loose), OWNER)
    assert clear.act is Act.CLEAR
    assert tell.act is Act.TELL
    assert tell.sentence == (
        "health check c1 has no tag and asks exactly what 'check/eu-1/1' asks, made by"
        " 'terraform-2026': it may be yours, of an update that was cut before it could tag it - if"
        " nobody uses it: aws route53 delete-health-check --health-check-id c1"
    )


def test_where_nobody_could_look_it_says_so_of_what_was_being_created() -> None:
    _, tell = decide(state(creating=[a_check(HTTP)]), Seen(unlisted="no aws"), OWNER)
    assert tell.sentence == (
        "HealthCheck check/eu-1/1 may exist without its tag: nobody could look (no aws) - look for"
        " it with: aws route53 list-health-checks"
    )
    assert decide(state(a_check(HTTP, id="c1")), Seen(unlisted="no aws"), OWNER) == ()
