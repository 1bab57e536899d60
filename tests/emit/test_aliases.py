"""Aliases: what Route53 is asked for, in which order, and what comes back from the state."""

from typing import Any

import pytest

from fleet.emit.aliases import prior_aliases
from fleet.emit.providers import aws_provider
from fleet.emit.records import find_foreign_records
from fleet.emit.route53 import Traffic, in_order
from fleet.emit.run import Run
from fleet.emit.state import StateResource, own_state
from fleet.errors import RefusedError
from fleet.model.endpoint import AliasDelivery, EndpointDelivery, RecordDelivery
from fleet.model.geography import EVERYWHERE, Location
from fleet.model.prior import PriorObject
from fleet.model.traffic import Mode, ZoneRef
from fleet.model.traffic_modes import Vpc
from tests.emit.engine import RECORD, Engine
from tests.emit.plans import a_plan, a_run, a_state, an_endpoint

LEAF = "_latency.web.fleet.test"
GROUP = f"eu-west-1.{LEAF}"


def member(previous: int | None = None, weight: int = 2) -> RecordDelivery:
    """The only cluster of a region's group."""
    return RecordDelivery(
        name="web/eu-1/latency",
        cluster="eu-1",
        type="CNAME",
        targets=("eu-1.example.test",),
        dns_weight=weight,
        previous=previous,
        check="check-eu-1",
        dns_name=GROUP,
    )


def region(**fields: Any) -> AliasDelivery:
    """A region's alias at the leaf."""
    words: dict[str, Any] = {"region": "eu-west-1", "stage": 2} | fields
    return AliasDelivery("web/_latency/eu-west-1", LEAF, "CNAME", "eu-west-1", GROUP, **words)


def top(**fields: Any) -> AliasDelivery:
    """The alias at the name."""
    words: dict[str, Any] = {"dns_weight": 100, "stage": 3} | fields
    return AliasDelivery("web/_leaf", "web.fleet.test", "CNAME", "_leaf", LEAF, **words)


def a_tree(*aliases: AliasDelivery, record: RecordDelivery | None = None) -> EndpointDelivery:
    return an_endpoint(
        record or member(),
        mode=Mode.LATENCY,
        form="latency",
        aliases=aliases or (region(), top()),
    )


def directed(
    engine: Engine,
    endpoint: EndpointDelivery,
    *,
    hold: bool = False,
    records: dict[str, PriorObject] | None = None,
) -> tuple[bool, Run]:
    async def program() -> tuple[bool, Run]:
        run = a_run(a_plan(endpoints=[endpoint]), a_state(records=records))
        traffic = Traffic(run, aws_provider())
        traffic.prepare()
        return await traffic.direct(endpoint, hold=hold), run

    return engine.run(program)


def names(engine: Engine) -> list[str]:
    return [each.name for each in engine.of(RECORD)]


def live(name: str, **body: Any) -> dict[str, PriorObject]:
    return {name: PriorObject(name, RECORD, {"zoneId": "Z1", "name": "x", "type": "CNAME"} | body)}


def test_what_is_led_to_comes_first(engine: Engine) -> None:
    directed(engine, a_tree(top(), region()))
    assert names(engine) == ["web/eu-1/latency", "web/_latency/eu-west-1", "web/_leaf"]


def test_an_alias_says_where_it_leads(engine: Engine) -> None:
    directed(engine, a_tree())
    found = engine["web/_latency/eu-west-1"]
    assert found.inputs == {
        "zoneId": "Z1",
        "name": LEAF,
        "type": "CNAME",
        "setIdentifier": "eu-west-1",
        "aliases": [{"name": GROUP, "zoneId": "Z1", "evaluateTargetHealth": True}],
        "latencyRoutingPolicies": [{"region": "eu-west-1"}],
    }
    needs = [each.rpartition("::")[2] for each in found.request.dependencies]
    assert needs == ["web/eu-1/latency"]
    assert engine["web/_leaf"].inputs["weightedRoutingPolicies"] == [{"weight": 100}]
    assert engine["web/eu-1/latency"].inputs["name"] == GROUP


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        (EVERYWHERE, {"country": "*"}),
        (Location("EU"), {"continent": "EU"}),
        (Location(country="FR"), {"country": "FR"}),
        (
            Location(country="US", subdivision="CA"),
            {"country": "US", "subdivision": "CA"},
        ),
    ],
)
def test_an_alias_of_a_place(engine: Engine, location: Location, expected: dict[str, str]) -> None:
    directed(engine, a_tree(region(region="", location=location)))
    assert engine["web/_latency/eu-west-1"].inputs["geolocationRoutingPolicies"] == [expected]


def test_what_falls_comes_last_and_from_the_top() -> None:
    endpoint = a_tree(
        top(dns_weight=0, previous=f"{LEAF} 100"), region(), record=member(previous=2, weight=1)
    )
    order = [[each.name for each in batch] for batch in in_order(endpoint)]
    assert order == [["web/_latency/eu-west-1"], ["web/_leaf"], ["web/eu-1/latency"]]


def test_nothing_leads_to_what_did_not_come() -> None:
    engine = Engine(failing={"web/eu-1/latency"})
    was = live("web/_leaf", aliases=[{"name": "_weighted.web.fleet.test"}])
    flipped = top(previous="_weighted.web.fleet.test 100")
    taken, run = directed(engine, a_tree(region(), flipped), records=was)
    assert not taken
    assert names(engine) == ["web/eu-1/latency", "web/_leaf"]
    assert engine["web/_leaf"].kept
    assert len(run.failures) == 1


def test_a_held_name_keeps_its_aliases_and_gets_none(engine: Engine) -> None:
    flipped = top(previous="_weighted.web.fleet.test 100")
    taken, _ = directed(engine, a_tree(region(), flipped), hold=True, records=live("web/_leaf"))
    assert taken
    assert names(engine) == ["web/_leaf"]
    assert engine["web/_leaf"].kept


def test_the_component_says_where_the_name_leads(engine: Engine) -> None:
    directed(engine, a_tree())
    inputs = engine.of("fleet:index:Endpoint")[0].inputs
    assert inputs["aliases"] == {"web/_latency/eu-west-1": GROUP, "web/_leaf": f"{LEAF} 100"}


def test_the_state_says_where_the_aliases_lead() -> None:
    weight = [{"weight": 100.0}]
    body = {"aliases": [{"name": f"{LEAF.upper()}."}], "weightedRoutingPolicies": weight}
    records = [
        *live("web/_leaf", **body).values(),
        *live("web/_latency/eu-west-1", aliases=[{"name": GROUP}]).values(),
        *live("web/eu-1/latency", records=["x"]).values(),
    ]
    assert prior_aliases(records) == {
        "web": {"web/_leaf": f"{LEAF} 100", "web/_latency/eu-west-1": GROUP}
    }
    resources = [StateResource(each.token, each.name, each.body) for each in records]
    resources[2].outputs["weightedRoutingPolicies"] = [{"weight": 3}]
    prior = own_state(resources).prior
    assert prior.aliases == prior_aliases(records)
    assert prior.dns_weights == {"web": {"eu-1": 3}}
    assert set(prior.records) == {each.name for each in records}


def test_foreign_records_are_looked_for_at_every_name(engine: Engine) -> None:
    token = "aws:route53/getRecords:getRecords"
    group = {"name": f"{GROUP}.", "type": "A", "setIdentifier": "eu-1"}
    engine.answers[token] = {"resourceRecordSets": [group]}

    async def program() -> None:
        run = a_run(a_plan(endpoints=[a_tree()]))
        await find_foreign_records(run, Traffic(run, aws_provider()))

    with pytest.raises(RefusedError, match=f"name '{GROUP}' has a A record"):
        engine.run(program)
    ((_, asked),) = engine.calls
    assert asked["nameRegex"].startswith(r"^(_latency\.web\.fleet\.test|eu\-west\-1\._latency")


def test_a_private_zone(engine: Engine) -> None:
    network = Vpc(id="vpc-0a1b", region="eu-west-1")
    created = ZoneRef(name="fleet.test", create=True, private=True, vpcs=(network,))
    found = ZoneRef(name="other.test", private=True)
    engine.answers["aws:route53/getZone:getZone"] = {"zoneId": "Z9", "name": "other.test"}

    async def program() -> None:
        endpoints = [
            an_endpoint(member(), policy="web", zone=created),
            an_endpoint(member(), policy="api", zone=found),
        ]
        Traffic(a_run(a_plan(endpoints=endpoints)), aws_provider()).prepare()

    engine.run(program)
    (zone,) = engine.of("aws:route53/zone:Zone")
    assert zone.name == "private/fleet.test"
    assert zone.inputs["vpcs"] == [{"vpcId": "vpc-0a1b", "vpcRegion": "eu-west-1"}]
    ((_, asked),) = engine.calls
    assert asked == {"name": "other.test", "privateZone": True}
