"""Health checks and levers as files say them, and what their states come to."""

from typing import Any

import pytest
from pydantic import ValidationError

from fleet.model.check_state import entry_probes, is_good, unhealthy_checks
from fleet.model.endpoint import CheckDelivery
from fleet.model.health import HealthCheck, Lever, Probe
from tests.builders import a_traffic

ARN = "arn:aws:route53-recovery-control::123456789012:controlpanel/abc/routingcontrol/def"
OUT = "https://levers.example/{policy}/{region}/out"
RELEASE = "https://levers.example/{policy}/{region}/release"

BAD_CHECKS = [
    pytest.param({"type": "TCP", "enableSni": False}, "'enableSni' goes with", id="SNI of TCP"),
    pytest.param({"searchString": "ok"}, "'searchString' goes with", id="a string of HTTP"),
    pytest.param({"calculated": {"children": []}}, "at least 1 item", id="no children"),
    pytest.param({"calculated": {"children": [{}, {}]}}, "listed twice", id="a child twice"),
    pytest.param(
        {"calculated": {"children": [{}, {"port": 9}], "threshold": 3}},
        "the threshold 3 is more than the 2 children",
        id="more than there are",
    ),
    pytest.param(
        {"calculated": {"children": [{}]}, "port": 9, "enableSni": True},
        "'calculated' stands alone, not beside enableSni, port",
        id="beside a probe",
    ),
    pytest.param(
        {"calculated": {"children": [{"calculated": {"children": [{}]}}]}},
        "Extra inputs",
        id="inside each other",
    ),
]


@pytest.mark.parametrize(("words", "expected"), BAD_CHECKS)
def test_a_check_that_route53_cannot_make_is_refused(words: dict[str, Any], expected: str) -> None:
    with pytest.raises(ValidationError) as caught:
        HealthCheck.model_validate(words)
    assert expected in str(caught.value)


def test_a_calculated_check_needs_all_its_children_unless_it_says_fewer() -> None:
    children = [{"port": 1}, {"port": 2, "intervalSeconds": 10, "failureThreshold": 10}]
    every = HealthCheck.model_validate({"calculated": {"children": children}})
    some = HealthCheck.model_validate({"calculated": {"children": children, "threshold": 1}})
    assert (every.needed, every.needs_all) == (2, True)
    assert (some.needed, some.needs_all) == (1, False)
    assert [each.port for each in some.probes] == [1, 2]
    assert (some.slowest.port, some.slowest.seconds) == (2, 100)


def test_a_plain_check_is_its_own_probe() -> None:
    check = HealthCheck(port=9)
    assert check.probes == (check,)
    assert check.needs_all


BAD_LEVERS = [
    pytest.param({}, "a lever has 'out'", id="nothing"),
    pytest.param({"out": "https://a.example/{zone}"}, "'{zone}' is not known", id="a word"),
    pytest.param({"out": "https://a.example/x"}, "everything at once", id="one for all"),
    pytest.param({"out": "ftp://a.example/{region}"}, "wants http://", id="no web"),
    pytest.param({"out": "https://a.example{region}"}, "wants http://", id="no path"),
    pytest.param({"out": "https://a.example:70000/{region}"}, "port 70000 is not", id="a port"),
    pytest.param(
        {"out": "https://a.example/{region}", "release": "https://a.example/{region}"},
        "the same object",
        id="one object for both",
    ),
    pytest.param(
        {"routingControls": {"eu-west-1": "arn:x"}}, "is no ARN of a routing control", id="an ARN"
    ),
]


@pytest.mark.parametrize(("words", "expected"), BAD_LEVERS)
def test_a_lever_that_nobody_can_pull_is_refused(words: dict[str, Any], expected: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Lever.model_validate(words)
    assert expected in str(caught.value)


def test_levers_that_can_be_pulled() -> None:
    words = {"out": OUT, "release": RELEASE, "routingControls": {"eu-west-1": ARN}}
    assert Lever.model_validate(words).seconds == 30
    plain = Lever.model_validate({"out": "http://127.0.0.1:8080/{cluster}?x={policy}"})
    assert plain.release is None


BAD_POLICIES = [
    pytest.param({"lever": {"release": RELEASE}}, "goes with mode", id="automatic"),
    pytest.param(
        {"mode": "weighted", "failover": "manual", "lever": {"release": RELEASE}},
        "goes with mode",
        id="no standby",
    ),
    pytest.param(
        {
            "lever": {"out": OUT},
            "health_check": {"calculated": {"children": [{}, {"port": 9}], "threshold": 1}},
        },
        "a lever goes with a check that needs all its children",
        id="one of two children",
    ),
]


@pytest.mark.parametrize(("words", "expected"), BAD_POLICIES)
def test_a_lever_that_does_not_fit_is_refused(words: dict[str, Any], expected: str) -> None:
    with pytest.raises(ValidationError) as caught:
        a_traffic(**words)
    assert expected in str(caught.value)


def probe(name: str, *, inverted: bool = False) -> CheckDelivery:
    return CheckDelivery(name, "eu-1", Probe(inverted=inverted))


def counted(name: str, threshold: int, *children: str) -> CheckDelivery:
    return CheckDelivery(name, "eu-1", None, children=children, threshold=threshold)


def test_what_is_asked_of_an_entry_is_no_lever() -> None:
    checks = [probe("a"), probe("b"), probe("lever/eu-west-1/x"), probe("other")]
    gate = counted("gate", 3, "a", "b", "lever/eu-west-1/x")
    found = [*checks, gate]
    assert [each.name for each in entry_probes(found, "gate")] == ["a", "b"]
    assert [each.name for each in entry_probes(found, "a")] == ["a"]
    assert entry_probes(found, "unknown") == ()


def test_an_inverted_probe_is_good_where_nothing_good_is_found() -> None:
    assert [is_good(probe("a"), fault) for fault in ("", "refused")] == [True, False]
    assert [is_good(probe("a", inverted=True), fault) for fault in ("", "x")] == [False, True]


STATES = [
    pytest.param(set(), {"b"}, id="all probes find something"),
    pytest.param({"b"}, set(), id="an inverted one finds nothing"),
    pytest.param({"a"}, {"a", "b", "any", "all"}, id="both unhealthy"),
    pytest.param({"a", "b"}, {"a", "all"}, id="one of two"),
    pytest.param({"control"}, {"b", "control"}, id="a routing control is off"),
]


@pytest.mark.parametrize(("failing", "expected"), STATES)
def test_states_of_checks(failing: set[str], expected: set[str]) -> None:
    checks = [
        counted("any", 1, "a", "b"),
        probe("a"),
        probe("b", inverted=True),
        CheckDelivery("control", "eu-west-1", None, routing_control=ARN),
    ]
    everything = expected | ({"all"} if {"a", "b"} & expected else set())
    both = counted("all", 2, "a", "b")
    assert unhealthy_checks([*checks, both], failing) == everything
