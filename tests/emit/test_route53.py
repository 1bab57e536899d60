"""Health checks and records: what Route53 is asked for, and in which order weights move."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from fleet.emit.providers import aws_provider
from fleet.emit.route53 import Traffic
from fleet.emit.run import Run
from fleet.model.endpoint import CheckDelivery, EndpointDelivery
from fleet.model.health import HealthCheck
from fleet.model.plan import DeliveryPlan
from fleet.model.prior import PriorObject
from fleet.model.traffic import Mode, ZoneRef
from fleet.recover.break_glass import Identity
from tests.emit.engine import RECORD, Engine
from tests.emit.plans import a_check, a_plan, a_record, a_run, an_endpoint

CHECK = "aws:route53/healthCheck:HealthCheck"
ZONE = "aws:route53/zone:Zone"
GET_ZONE = "aws:route53/getZone:getZone"


def directed(
    engine: Engine,
    endpoint: EndpointDelivery,
    *,
    hold: bool = False,
    imports: dict[str, str] | None = None,
) -> tuple[bool, Run]:
    """Whether Route53 took everything, and the run."""

    async def program() -> tuple[bool, Run]:
        run = a_run(a_plan(endpoints=[endpoint]))
        traffic = Traffic(run, aws_provider(), imports or {})
        traffic.prepare()
        return await traffic.direct(endpoint, hold=hold), run

    return engine.run(program)


def prepared(engine: Engine, plan: DeliveryPlan) -> None:
    async def program() -> None:
        Traffic(a_run(plan), aws_provider()).prepare()

    engine.run(program)


def records(engine: Engine) -> list[str]:
    """The records that were registered, in order."""
    return [each.name for each in engine.of(RECORD)]


def a_switch() -> EndpointDelivery:
    """From eu-1 to us-1, with ap-1 as it was."""
    return an_endpoint(a_record("ap-1", 0, 0), a_record("eu-1", 0, 100), a_record("us-1", 100, 0))


def leaving(name: str = "web/sa-1") -> PriorObject:
    return PriorObject(
        name, RECORD, {"zoneId": "Z1", "name": "web.fleet.test", "type": "CNAME", "ttl": 60}
    )


def test_a_record_says_who_is_answered(engine: Engine) -> None:
    endpoint = an_endpoint(a_record("eu-1", 100), mode=Mode.WEIGHTED, ttl_seconds=30)
    assert directed(engine, endpoint)[0]
    found = engine.of(RECORD)[0]
    assert found.name == "web/eu-1"
    assert found.inputs == {
        "zoneId": "Z1",
        "name": "web.fleet.test",
        "type": "CNAME",
        "ttl": 30,
        "records": ["eu-1.example.test"],
        "setIdentifier": "eu-1",
        "weightedRoutingPolicies": [{"weight": 100}],
        "healthCheckId": "check-eu-1-id",
    }
    assert found.provider == "route53"
    assert found.request.parent.endswith("fleet:index:Endpoint::web")


def test_a_record_depends_on_nothing_but_its_check(engine: Engine) -> None:
    directed(engine, an_endpoint(a_record("eu-1", 100)))
    needs = [each.rpartition("::")[2] for each in engine.of(RECORD)[0].request.dependencies]
    assert needs == ["check-eu-1"]


def test_the_component_s_inputs_are_the_decision(engine: Engine) -> None:
    directed(
        engine, an_endpoint(a_record("eu-1", 100), a_record("us-1", 0), active_region="eu-west-1")
    )
    assert engine.of("fleet:index:Endpoint")[0].inputs == {
        "name": "web.fleet.test",
        "mode": "active-standby",
        "dnsWeights": {"eu-1": 100, "us-1": 0},
        "activeRegion": "eu-west-1",
    }


def test_weights_rise_before_others_fall(engine: Engine) -> None:
    taken, run = directed(engine, a_switch())
    assert taken
    assert records(engine)[-1] == "web/eu-1"
    assert engine.weights() == {"web/ap-1": 0, "web/eu-1": 0, "web/us-1": 100}
    assert run.failures == []


def test_a_held_name_keeps_its_weights(engine: Engine) -> None:
    taken, run = directed(engine, a_switch(), hold=True)
    assert taken
    assert engine.weights() == {"web/ap-1": 0, "web/eu-1": 100, "web/us-1": 0}
    assert run.failures == []


def test_a_held_name_gets_no_new_records(engine: Engine) -> None:
    directed(engine, an_endpoint(a_record("eu-1", 0, 100), a_record("us-1", 100)), hold=True)
    assert engine.weights() == {"web/eu-1": 100}


def test_a_new_record_that_fails_leaves_the_old_weights() -> None:
    engine = Engine(failing={"web/us-1"})
    taken, run = directed(engine, a_switch())
    assert not taken
    assert engine.weights()["web/eu-1"] == 100
    sentence = (
        "web: Route53 did not take every record of 'web.fleet.test' - the old side stays as it"
        " was; the next update goes on"
    )
    assert run.failures == [sentence]


def test_a_falling_record_that_fails_is_told() -> None:
    engine = Engine(failing={"web/eu-1"})
    taken, run = directed(engine, a_switch())
    assert not taken
    assert len(run.failures) == 1


def test_a_record_that_goes_is_not_registered(engine: Engine) -> None:
    directed(engine, an_endpoint(a_record("eu-1", 100, 100), leaving=(leaving(),)))
    assert records(engine) == ["web/eu-1"]


@pytest.mark.parametrize(
    ("failing", "hold"),
    [
        pytest.param(set(), True, id="while the name is held"),
        pytest.param({"web/eu-1"}, False, id="when Route53 fails"),
    ],
)
def test_a_record_that_would_go_is_kept(failing: set[str], *, hold: bool) -> None:
    engine = Engine(failing=failing)
    endpoint = an_endpoint(a_record("eu-1", 100, 0), leaving=(leaving(),))
    directed(engine, endpoint, hold=hold)
    kept = engine["web/sa-1"]
    assert kept.kept
    assert kept.inputs == {"zoneId": "Z1", "name": "web.fleet.test", "type": "CNAME"}
    assert kept.request.parent.endswith("fleet:index:Endpoint::web")


def test_an_adopted_record_is_imported(engine: Engine) -> None:
    directed(engine, an_endpoint(a_record("eu-1")), imports={"web/eu-1": "Z1_web_CNAME_eu-1"})
    assert engine["web/eu-1"].request.importId == "Z1_web_CNAME_eu-1"


def test_a_preview_takes_everything() -> None:
    engine = Engine(preview=True, failing={"web/us-1"})
    taken, run = directed(engine, a_switch())
    assert taken
    assert engine.weights() == {"web/ap-1": 0, "web/eu-1": 0, "web/us-1": 100}
    assert run.failures == []


def checked(engine: Engine, **fields: Any) -> dict[str, Any]:
    """The inputs of the one health check of a plan."""
    plan = a_plan(endpoints=[an_endpoint(a_record("eu-1"))])
    prepared(engine, _with_checks(plan, [a_check("eu-1", **fields)]))
    found = engine.of(CHECK)
    assert [each.provider for each in found] == ["route53"]
    return found[0].inputs


def _with_checks(plan: DeliveryPlan, checks: Sequence[CheckDelivery]) -> DeliveryPlan:
    return DeliveryPlan(
        plan.providers,
        plan.namespaces,
        plan.workloads,
        tuple(checks),
        plan.endpoints,
        plan.findings,
        plan.digest,
    )


def test_a_check_asks_a_host_by_name(engine: Engine) -> None:
    check = HealthCheck(interval_seconds=10, failure_threshold=2)
    inputs = checked(engine, check=check, port=8443, path="/live")
    assert inputs == {
        "type": "HTTP",
        "fqdn": "eu-1.example.test",
        "port": 8443,
        "resourcePath": "/live",
        "requestInterval": 10,
        "failureThreshold": 2,
        "tags": {"Name": "check-eu-1", "fleet": "fleet/dev"},
    }


def test_a_check_asks_an_address_with_the_name_as_host(engine: Engine) -> None:
    inputs = checked(engine, hostname=None, address="192.0.2.1")
    assert (inputs["ipAddress"], inputs["fqdn"]) == ("192.0.2.1", "web.fleet.test")


def test_a_tcp_check_has_no_path(engine: Engine) -> None:
    inputs = checked(engine, check=HealthCheck(type="TCP"))
    assert "resourcePath" not in inputs
    assert inputs["fqdn"] == "eu-1.example.test"


def test_a_tcp_check_of_an_address_has_no_host(engine: Engine) -> None:
    inputs = checked(engine, check=HealthCheck(type="TCP"), hostname=None, address="192.0.2.1")
    assert "fqdn" not in inputs


def test_a_check_can_look_for_a_text(engine: Engine) -> None:
    check = HealthCheck(type="HTTP_STR_MATCH", search_string="ready")
    assert checked(engine, check=check)["searchString"] == "ready"


def test_a_check_over_tls_says_whether_it_names_the_host(engine: Engine) -> None:
    check = HealthCheck(type="HTTPS", enable_sni=False, inverted=True)
    inputs = checked(engine, check=check)
    assert (inputs["enableSni"], inputs["invertHealthcheck"]) == (False, True)


def test_a_calculated_check_counts_others_and_comes_after_them(engine: Engine) -> None:
    children = [a_check("eu-1"), a_check("us-1")]
    names = tuple(each.name for each in children)
    parent = CheckDelivery("all", "eu-1", None, children=names, threshold=2)
    prepared(engine, _with_checks(a_plan(), [parent, *children]))
    found = engine.of(CHECK)
    assert [each.name for each in found] == [*names, "all"]
    assert found[-1].inputs == {
        "type": "CALCULATED",
        "childHealthchecks": ["check-eu-1-id", "check-us-1-id"],
        "childHealthThreshold": 2,
        "tags": {"Name": "all", "fleet": "fleet/dev"},
    }


def test_a_routing_control_is_followed(engine: Engine) -> None:
    arn = "arn:aws:route53-recovery-control::123456789012:controlpanel/a/routingcontrol/b"
    check = CheckDelivery("control", "eu-west-1", None, routing_control=arn)
    prepared(engine, _with_checks(a_plan(), [check]))
    (found,) = engine.of(CHECK)
    assert found.inputs == {
        "type": "RECOVERY_CONTROL",
        "routingControlArn": arn,
        "tags": {"Name": "control", "fleet": "fleet/dev"},
    }


@pytest.mark.parametrize(("hold", "expected"), [(True, "check-eu-1-id"), (False, "check-us-1-id")])
def test_a_held_record_keeps_the_check_that_goes_with_its_weight(
    engine: Engine, *, hold: bool, expected: str
) -> None:
    """A side that stays active must not become a held standby, nor the other way round."""
    other = a_record("us-1", 0, 0)
    record = replace(a_record("eu-1", 0, 100), check=other.check, check_other="check-eu-1")
    directed(engine, an_endpoint(record, other), hold=hold)
    found = {each.name: each.inputs["healthCheckId"] for each in engine.of(RECORD)}
    assert found["web/eu-1"] == expected


def zones_of(engine: Engine, *zones: ZoneRef) -> list[Any]:
    """The zone ids of one record per zone, each under a policy of its own."""
    endpoints = [
        an_endpoint(a_record("eu-1", policy=f"p{n}"), policy=f"p{n}", zone=zone)
        for n, zone in enumerate(zones)
    ]

    async def program() -> None:
        traffic = Traffic(a_run(a_plan(endpoints=endpoints)), aws_provider())
        traffic.prepare()
        for each in endpoints:
            await traffic.direct(each, hold=False)

    engine.run(program)
    return [each.inputs["zoneId"] for each in engine.of(RECORD)]


def test_a_zone_is_known_by_its_id(engine: Engine) -> None:
    assert zones_of(engine, ZoneRef(name="fleet.test", id="Z1")) == ["Z1"]
    assert engine.of(ZONE) == []
    assert engine.calls == []


def test_a_zone_that_exists_is_found_by_name(engine: Engine) -> None:
    engine.answers[GET_ZONE] = {"zoneId": "Z9", "name": "fleet.test"}
    zone = ZoneRef(name="fleet.test")
    assert zones_of(engine, zone, zone) == ["Z9", "Z9"]
    assert engine.of(ZONE) == []
    assert [token for token, _ in engine.calls] == [GET_ZONE]


def test_a_zone_is_created_once_where_asked(engine: Engine) -> None:
    zone = ZoneRef(name="fleet.test", create=True)
    assert zones_of(engine, zone, zone) == ["Z-new", "Z-new"]
    created = engine.of(ZONE)
    assert [(each.name, each.inputs["name"]) for each in created] == [("fleet.test", "fleet.test")]


def test_a_name_that_nobody_could_ask_for_stays_as_it_is(engine: Engine) -> None:
    endpoint = a_switch()

    async def program() -> tuple[bool, Run]:
        run = a_run(a_plan(endpoints=[endpoint]))
        traffic = Traffic(run, aws_provider(), unasked={endpoint.policy: "Route53: 503"})
        traffic.zone_ids[endpoint.zone.key] = "Z1"
        traffic.prepare()
        return await traffic.direct(endpoint, hold=False), run

    taken, run = engine.run(program)
    assert not taken
    assert run.failures == [
        f"{endpoint.policy}: Route53: 503 - the old side stays as it was; the next update goes on"
    ]
    weights = {each.name: each.inputs["weightedRoutingPolicies"] for each in engine.of(RECORD)}
    assert weights["web/eu-1"] == [{"weight": 100}]
    assert weights["web/us-1"] == [{"weight": 0}]


def test_what_aws_calls_a_record_s_zone_and_check_is_known_afterwards(engine: Engine) -> None:
    endpoint = an_endpoint(a_record("eu-1", 100))

    async def program() -> dict[str, Identity]:
        traffic = Traffic(a_run(a_plan(endpoints=[endpoint])), aws_provider())
        traffic.prepare()
        await traffic.direct(endpoint, hold=False)
        assert traffic.reached == {endpoint.policy: True}
        assert await traffic.check_ids() == {"check-eu-1": "check-eu-1-id"}
        return await traffic.identities()

    assert engine.run(program) == {"web/eu-1": Identity("Z1", "check-eu-1-id")}
