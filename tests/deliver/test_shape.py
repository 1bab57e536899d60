"""Names as trees: by latency, by place, by region and then by cluster; and from one to another."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet.deliver import deliver
from fleet.explain.sentences import finding_sentence
from fleet.model import finding_codes as codes
from fleet.model.answering import answering_of, cluster_shares, expected_shares
from fleet.model.base import FrozenMap
from fleet.model.check_state import unhealthy_checks
from fleet.model.endpoint import AliasDelivery, EndpointDelivery
from fleet.model.geography import EVERYWHERE, SOMEBODY, Asker, Location
from fleet.model.inventory import Cluster, State
from fleet.model.plan import DeliveryPlan
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.model.traffic import TrafficPolicy
from tests.builders import a_cluster, a_snapshot, a_traffic, linked
from tests.deliver.kit import a_schedule, an_entry, faults_of, findings, web

REGIONS = {"eu-1": "eu-west-1", "eu-2": "eu-west-1", "us-1": "us-east-1", "ap-1": "ap-south-1"}
ALL = {"eu-1": 2, "eu-2": 1, "us-1": 3, "ap-1": 1}
PLACES = {
    "eu-west-1": {"continents": ["EU", "AF"]},
    "us-east-1": {"continents": ["NA"], "subdivisions": ["US-CA"], "default": True},
    "ap-south-1": {"countries": ["FR"]},
}
LATENCY: dict[str, Any] = {"mode": "latency"}
GEO: dict[str, Any] = {"mode": "geolocation", "geolocation": PLACES}
NESTED: dict[str, Any] = {"mode": "weighted", "nested": True}
STANDBY: dict[str, Any] = {"active_region": "eu-west-1", "nested": True}
FLAT: dict[str, Any] = {"mode": "weighted"}
PARIS = Asker(Location(country="FR"), ("eu-west-1",))


def clusters(**spec: Any) -> list[Cluster]:
    return [
        a_cluster(name, region, entry=an_entry(f"192.0.2.{place}"), **spec)
        for place, (name, region) in enumerate(REGIONS.items())
    ]


def planned(
    policy: TrafficPolicy,
    placed: Mapping[str, int] | None = None,
    *,
    prior: Prior | None = None,
    states: Mapping[str, State] | None = None,
    inventory: Sequence[Cluster] = (),
) -> DeliveryPlan:
    counts = ALL if placed is None else placed
    item = linked(web(), traffic=[policy])
    snapshot = a_snapshot(inventory or clusters(), [item], states=states)
    schedule = a_schedule(
        {"web": counts},
        standby=[name for name in counts if REGIONS[name] != "eu-west-1"],
        active={policy.name: "eu-west-1"},
    )
    return deliver(snapshot, schedule, prior or Prior(), Settings())


def endpoint_of(
    words: dict[str, Any],
    placed: Mapping[str, int] | None = None,
    *,
    prior: Prior | None = None,
    states: Mapping[str, State] | None = None,
) -> EndpointDelivery:
    (endpoint,) = planned(a_traffic(**words), placed, prior=prior, states=states).endpoints
    return endpoint


def after(endpoint: EndpointDelivery) -> Prior:
    """The prior of the next run, as the stack's output has it."""
    return Prior(
        known=True,
        dns_weights=FrozenMap(
            {"web": FrozenMap({each.cluster: each.dns_weight for each in endpoint.records})}
        ),
        aliases=FrozenMap({"web": FrozenMap({each.name: each.text for each in endpoint.aliases})})
        if endpoint.aliases
        else FrozenMap(),
    )


def shares(
    endpoint: EndpointDelivery, *dead: str, asker: Asker = SOMEBODY, kind: str = ""
) -> dict[str, str]:
    """Shares above 0 while the checks of these clusters, and of those that are held, are red."""
    checks = {each.check for each in endpoint.records if each.held or each.cluster in dead}
    found = cluster_shares(endpoint, checks, asker, kind)
    return {name: str(share) for name, share in found.items() if share}


def texts(endpoint: EndpointDelivery) -> dict[str, str]:
    return {each.name.removeprefix("web/"): each.text for each in endpoint.aliases}


def test_latency_leads_to_the_nearest_region_and_then_by_replicas() -> None:
    endpoint = endpoint_of(LATENCY)
    near_eu, near_us = Asker(nearest=("eu-west-1",)), Asker(nearest=("us-east-1", "eu-west-1"))
    assert shares(endpoint, asker=near_eu) == {"eu-1": "2/3", "eu-2": "1/3"}
    assert shares(endpoint, asker=near_us) == {"us-1": "1"}
    assert shares(endpoint, "us-1", asker=near_us) == {"eu-1": "2/3", "eu-2": "1/3"}
    assert shares(endpoint, "eu-1", asker=near_eu) == {"eu-2": "1"}
    assert shares(endpoint, *REGIONS, asker=near_us) == {"us-1": "1"}


def test_the_records_of_latency() -> None:
    endpoint = endpoint_of(LATENCY)
    leaf = "_latency.web.fleet.test"
    assert texts(endpoint) == {
        "_leaf": f"{leaf} 100",
        "_latency/ap-south-1": f"ap-south-1.{leaf}",
        "_latency/eu-west-1": f"eu-west-1.{leaf}",
        "_latency/us-east-1": f"us-east-1.{leaf}",
    }
    record = endpoint.records[1]
    assert (record.name, record.dns_name) == ("web/eu-1/latency", f"eu-west-1.{leaf}")
    assert {each.region for each in endpoint.aliases} == {"", *REGIONS.values()}


def test_latency_of_regions_that_route53_does_not_know() -> None:
    inventory = [
        a_cluster("eu-1", "fra1", entry=an_entry("192.0.2.1")),
        a_cluster("us-1", "us-east-1", entry=an_entry("192.0.2.2")),
    ]
    policy = a_traffic(**LATENCY)
    snapshot = a_snapshot(inventory, [linked(web(), traffic=[policy])])
    (fault,) = faults_of(snapshot, a_schedule({"web": {"eu-1": 1, "us-1": 1}}))
    assert fault == (
        "inventory/eu-1.yaml:1:1: spec.region: Route53 measures no latency to 'fra1', the region of"
        " 'eu-1' - say 'latencyRegions: {fra1: eu-west-1}' in policy 'web', or the nearest"
    )
    mapped = a_traffic(**LATENCY, latency_regions={"fra1": "eu-central-1"})
    (endpoint,) = planned(mapped, {"eu-1": 1, "us-1": 1}, inventory=inventory).endpoints
    assert shares(endpoint, asker=Asker(nearest=("eu-central-1",))) == {"eu-1": "1"}


GEO_CASES = [
    pytest.param("", {"us-1": "1"}, id="nobody knows where: the default"),
    pytest.param("BR", {"us-1": "1"}, id="a place that nobody has: the default"),
    pytest.param("DE", {"eu-1": "2/3", "eu-2": "1/3"}, id="a country of a continent"),
    pytest.param("FR", {"ap-1": "1"}, id="a country goes before its continent"),
    pytest.param("US-CA", {"us-1": "1"}, id="a state"),
    pytest.param("continent-AF", {"eu-1": "2/3", "eu-2": "1/3"}, id="only the continent is known"),
]


def at(code: str) -> Asker:
    if code.startswith("continent-"):
        return Asker(Location(continent=code.removeprefix("continent-")))
    country, _, part = code.partition("-")
    return Asker(Location(country=country, subdivision=part))


@pytest.mark.parametrize(("code", "expected"), GEO_CASES)
def test_geolocation_leads_by_place(code: str, expected: dict[str, str]) -> None:
    assert shares(endpoint_of(GEO), asker=at(code)) == expected


def test_a_place_whose_region_is_dead_is_answered_by_the_next_wider_one() -> None:
    endpoint = endpoint_of(GEO)
    assert shares(endpoint, "ap-1", asker=PARIS) == {"eu-1": "2/3", "eu-2": "1/3"}
    assert shares(endpoint, "ap-1", "eu-1", "eu-2", asker=PARIS) == {"us-1": "1"}


def test_the_default_fails_over_by_itself() -> None:
    endpoint = endpoint_of(GEO)
    for code in ("", "US-CA", "BR"):
        found = shares(endpoint, "us-1", asker=at(code))
        assert found == {"eu-1": "1/3", "eu-2": "1/6", "ap-1": "1/2"}
    assert texts(endpoint)["_geolocation/default"] == "_spare._geolocation.web.fleet.test"
    assert texts(endpoint)["_spare/geolocation/us-east-1"].endswith(" 100")
    assert texts(endpoint)["_spare/geolocation/eu-west-1"].endswith(" 0")


def test_a_cluster_can_have_places_of_its_own() -> None:
    places = {"eu-2": {"countries": ["FR"]}, "eu-west-1": {"default": True}}
    endpoint = endpoint_of({"mode": "geolocation", "geolocation": places})
    assert shares(endpoint, asker=at("FR")) == {"eu-2": "1"}
    assert shares(endpoint, asker=at("DE")) == {"eu-1": "1"}
    assert shares(endpoint, "eu-2", asker=at("FR")) == {"eu-1": "1"}


def test_nested_weights_are_the_same_shares() -> None:
    flat, nested = endpoint_of(FLAT), endpoint_of(NESTED)
    assert shares(nested) == shares(flat)
    assert texts(nested)["_weighted/eu-west-1"] == "eu-west-1._weighted.web.fleet.test 3"


def test_a_nested_standby_waits_and_takes_over() -> None:
    endpoint = endpoint_of(STANDBY)
    assert shares(endpoint) == {"eu-1": "67/100", "eu-2": "33/100"}
    assert shares(endpoint, "eu-1") == {"eu-2": "1"}
    assert shares(endpoint, "eu-1", "eu-2") == {"us-1": "1/2", "ap-1": "1/2"}
    assert {each.cluster for each in endpoint.records if each.dns_weight} == {"eu-1", "eu-2"}


def test_sums_that_are_too_heavy_keep_their_proportion() -> None:
    weights = {"eu-1": 255, "eu-2": 255, "us-1": 255}
    endpoint = endpoint_of({**NESTED, "dns_weights": weights})
    found = texts(endpoint)
    assert found["_weighted/eu-west-1"].endswith(" 255")
    assert found["_weighted/us-east-1"].endswith(" 128")


def test_entries_with_both_kinds_of_addresses_get_both_types() -> None:
    both = [
        a_cluster(name, REGIONS[name], entry=an_entry(f"192.0.2.{place}", f"2001:db8::{place}"))
        for place, name in enumerate(("eu-1", "us-1"), 1)
    ]
    placed = {"eu-1": 1, "us-1": 1}
    (flat,) = planned(a_traffic(**FLAT), placed, inventory=both).endpoints
    assert [(each.name, each.type, each.targets) for each in flat.records] == [
        ("web/eu-1", "A", ("192.0.2.1",)),
        ("web/eu-1/AAAA", "AAAA", ("2001:db8::1",)),
        ("web/us-1", "A", ("192.0.2.2",)),
        ("web/us-1/AAAA", "AAAA", ("2001:db8::2",)),
    ]
    (tree,) = planned(a_traffic(**LATENCY), placed, inventory=both).endpoints
    near = Asker(nearest=("us-east-1",))
    assert shares(tree, asker=near, kind="AAAA") == {"us-1": "1"}
    assert len(tree.aliases) == 6
    assert {each.check for each in flat.records} == {each.check for each in tree.records}


def test_other_names_lead_to_the_first() -> None:
    endpoint = endpoint_of({**FLAT, "names": ["shop.fleet.test", "fleet.test"]})
    assert texts(endpoint) == {
        "_also/fleet.test": "web.fleet.test 100",
        "_also/shop.fleet.test": "web.fleet.test 100",
    }
    answering = answering_of(endpoint)
    found = {each.cluster: part for each, part in answering.shares("shop.fleet.test")}
    assert found == {name: Fraction(count, 7) for name, count in ALL.items()}
    assert max(each.stage for each in endpoint.records) < endpoint.aliases[0].stage


def test_an_entry_that_is_another_name_of_the_policy_is_a_circle() -> None:
    inventory = [a_cluster("eu-1", "eu-west-1", entry=an_entry(hostname="lb.fleet.test"))]
    policy = a_traffic(**FLAT, names=["lb.fleet.test"])
    snapshot = a_snapshot(inventory, [linked(web(), traffic=[policy])])
    (fault,) = faults_of(snapshot, a_schedule({"web": {"eu-1": 1}}))
    assert "the entry of 'eu-1' is the name 'lb.fleet.test' itself" in fault


def test_a_wildcard_can_be_nested() -> None:
    policy = a_traffic(**LATENCY, health_check={"host": "a.fleet.test"})
    spec = policy.spec.model_copy(update={"name": "*.fleet.test"})
    (endpoint,) = planned(policy.model_copy(update={"spec": spec})).endpoints
    assert endpoint.records[0].dns_name == "ap-south-1._latency._star.fleet.test"


def test_a_region_that_is_no_part_of_a_name_is_refused() -> None:
    inventory = [a_cluster("eu-1", "Europe West", entry=an_entry("192.0.2.1"))]
    policy = a_traffic(**NESTED)
    snapshot = a_snapshot(inventory, [linked(web(), traffic=[policy])])
    (fault,) = faults_of(snapshot, a_schedule({"web": {"eu-1": 1}}))
    assert fault.startswith(
        "inventory/eu-1.yaml:1:1: spec.region: the group of 'Europe West' would be called"
        " 'Europe West._weighted.web.fleet.test', which is no DNS name"
    )


def test_a_region_holds_a_hundred_clusters() -> None:
    inventory = [a_cluster(f"c-{n}", "r", entry=an_entry(f"192.0.2.{n}")) for n in range(101)]
    policy = a_traffic(**NESTED)
    snapshot = a_snapshot(inventory, [linked(web(), traffic=[policy])])
    placed = {each.name: 1 for each in inventory}
    (fault,) = faults_of(snapshot, a_schedule({"web": placed}))
    assert "101 clusters of 'r' under one name; Route53 takes 100" in fault


DRAINED = {name: count for name, count in ALL.items() if name != "ap-1"}


@pytest.mark.parametrize("state", [State.DRAINING, State.DOWN])
def test_who_is_near_to_a_region_that_is_left_goes_to_the_next_nearest(state: State) -> None:
    """Its check is never healthy, also when its entry lives: Route53 measures what is next."""
    policy = a_traffic(**LATENCY)
    before = after(endpoint_of(LATENCY))
    plan = planned(policy, DRAINED, prior=before, states={"ap-1": state})
    (endpoint,) = plan.endpoints
    left = next(each for each in endpoint.records if each.cluster == "ap-1")
    checks = {each.name: each for each in plan.checks}
    assert (left.dns_weight, left.held) == (0, True)
    assert checks[left.check].threshold == len(checks[left.check].children) + 1
    (told,) = findings(plan, codes.REGION_LEFT)
    assert "leads nobody to ap-1: a check that is never healthy" in finding_sentence(told)
    never = unhealthy_checks(plan.checks, ())
    for nearest, answered in (
        (("ap-south-1", "eu-west-1", "us-east-1"), {"eu-1": "2/3", "eu-2": "1/3"}),
        (("ap-south-1", "us-east-1", "eu-west-1"), {"us-1": "1"}),
    ):
        found = cluster_shares(endpoint, never, Asker(nearest=nearest))
        assert {name: str(share) for name, share in found.items() if share} == answered
    assert endpoint.leaving == ()
    assert endpoint.moves
    back = endpoint_of(LATENCY, prior=after(endpoint))
    assert shares(back, asker=Asker(nearest=("ap-south-1",))) == {"ap-1": "1"}
    assert not any(each.held for each in back.records)


def test_the_spare_group_of_a_name_by_latency_goes() -> None:
    """Stacks of earlier versions led the alias of a region that is left there."""
    first = after(endpoint_of(LATENCY))
    spare = "_spare._latency.web.fleet.test"
    told = {**first.aliases["web"], "web/_latency/ap-south-1": spare}
    told["web/_spare/latency/us-east-1"] = "us-east-1._latency.web.fleet.test 3"
    before = replace(first, aliases=FrozenMap({"web": FrozenMap(told)}))
    endpoint = endpoint_of(LATENCY, DRAINED, prior=before, states={"ap-1": State.DRAINING})
    (alias,) = (each for each in endpoint.aliases if each.region == "ap-south-1")
    assert (alias.previous, alias.target) == (spare, "ap-south-1._latency.web.fleet.test")
    assert [each.name for each in endpoint.leaving] == ["web/_spare/latency/us-east-1"]


def test_regions_that_share_a_measured_one_are_left_together() -> None:
    words = {**LATENCY, "latency_regions": {"us-east-1": "eu-west-1"}}
    before = after(endpoint_of(words))
    without = {name: count for name, count in ALL.items() if name != "us-1"}
    one = endpoint_of(words, without, prior=before, states={"us-1": State.DRAINING})
    assert [each.cluster for each in one.records if each.held] == []
    both = endpoint_of(words, {"ap-1": 7}, prior=before)
    assert [each.cluster for each in both.records if each.held] == ["eu-1", "eu-2", "us-1"]


def test_a_place_whose_region_is_left_is_led_to_the_next_wider_one() -> None:
    before = after(endpoint_of(GEO))
    endpoint = endpoint_of(GEO, DRAINED, prior=before, states={"ap-1": State.DRAINING})
    assert shares(endpoint, asker=PARIS) == {"eu-1": "2/3", "eu-2": "1/3"}
    assert endpoint.leaving == ()


def test_a_default_that_runs_nowhere_is_shared_by_the_others() -> None:
    placed = {name: count for name, count in ALL.items() if name != "us-1"}
    before = after(endpoint_of(GEO))
    for prior in (before, Prior()):
        endpoint = endpoint_of(GEO, placed, prior=prior)
        assert shares(endpoint, asker=at("BR")) == {"eu-1": "1/2", "eu-2": "1/4", "ap-1": "1/4"}
        assert shares(endpoint, asker=at("US-CA")) == shares(endpoint, asker=at("BR"))


def test_a_region_that_was_never_there_has_no_alias() -> None:
    assert "_geolocation/FR" not in texts(endpoint_of(GEO, DRAINED))
    assert "_latency/ap-south-1" not in texts(endpoint_of(LATENCY, DRAINED))


def test_a_nested_region_that_is_left_weighs_nothing() -> None:
    before = after(endpoint_of(NESTED))
    endpoint = endpoint_of(NESTED, DRAINED, prior=before, states={"ap-1": State.DRAINING})
    assert texts(endpoint)["_weighted/ap-south-1"].endswith(" 0")
    (alias,) = (each for each in endpoint.aliases if each.falls)
    assert alias.set_identifier == "ap-south-1"


MODES = [
    pytest.param(FLAT, LATENCY, id="weighted at the name to latency"),
    pytest.param(STANDBY, GEO, id="nested standby to places"),
    pytest.param(LATENCY, FLAT, id="latency back to the name"),
    pytest.param(GEO, LATENCY, id="places to latency"),
    pytest.param(FLAT, NESTED, id="flat to nested"),
]


@pytest.mark.parametrize(("was", "now"), MODES)
def test_a_change_of_mode_goes_over_new_records(was: dict[str, Any], now: dict[str, Any]) -> None:
    old = endpoint_of(was)
    plan = planned(a_traffic(**now), prior=after(old))
    (new,) = plan.endpoints
    names = {each.name for each in new.records}
    assert names.isdisjoint({each.name for each in old.records})
    gone = {each.name for each in new.leaving}
    assert {each.name for each in old.records} <= gone
    top = {each.name: each for each in new.aliases}.get("web/_leaf")
    if new.form and old.form:
        assert top is not None
        assert top.previous is not None
        assert "web/_leaf" not in gone
    (finding,) = findings(plan, codes.FORM_CHANGES)
    assert "the new records come first" in finding_sentence(finding)
    assert findings(plan, codes.MOVEMENT_BUDGET) == []
    assert findings(plan, codes.LAST_RECORD) == []
    assert findings(plan, codes.DELETE_RECORD) == []


def test_weighted_and_active_standby_are_one_form() -> None:
    plan = planned(a_traffic(**STANDBY), prior=after(endpoint_of(NESTED)))
    assert findings(plan, codes.FORM_CHANGES) == []
    assert plan.endpoints[0].leaving == ()


def test_the_digest_covers_aliases() -> None:
    prior = after(endpoint_of(GEO))
    places = {**PLACES, "eu-west-1": {"continents": ["AF"]}, "ap-south-1": {"continents": ["EU"]}}
    first = planned(a_traffic(**GEO), prior=prior)
    second = planned(a_traffic(mode="geolocation", geolocation=places), prior=prior)
    assert first.digest != second.digest


def test_private_addresses_cannot_be_checked() -> None:
    inventory = [a_cluster("eu-1", "eu-west-1", entry=an_entry("10.0.0.1"))]
    plan = planned(a_traffic(**FLAT), {"eu-1": 1}, inventory=inventory)
    (finding,) = findings(plan, codes.CHECK_CANNOT_REACH)
    assert finding.values["clusters"] == "eu-1"
    assert findings(planned(a_traffic(**FLAT)), codes.CHECK_CANNOT_REACH) == []


def test_hostnames_that_nobody_outside_reaches_never_turn_green() -> None:
    hidden = "internal-web-1.eu-west-1.elb.amazonaws.com"
    entries = {"eu-1": hidden, "us-1": "web.example.com", "ap-1": "web.corp.internal"}
    inventory = [
        a_cluster(name, REGIONS[name], entry=an_entry(hostname=host))
        for name, host in entries.items()
    ]
    plan = planned(a_traffic(**FLAT), dict.fromkeys(entries, 1), inventory=inventory)
    (finding,) = findings(plan, codes.CHECK_NEVER_GREEN)
    assert finding.values["clusters"] == "ap-1, eu-1"
    assert finding.values["hosts"] == f"web.corp.internal, {hidden}"
    assert f"nobody reaches web.corp.internal, {hidden}" in finding_sentence(finding)
    assert findings(plan, codes.CHECK_CANNOT_REACH) == []


EVERY_MODE = st.sampled_from([LATENCY, GEO, NESTED, STANDBY, FLAT])
ASKERS = st.builds(
    Asker,
    st.sampled_from([EVERYWHERE, *(at(code).location for code in ("FR", "US-CA", "DE", "BR"))]),
    st.permutations(sorted(set(REGIONS.values()))).map(tuple),
)
PLACED = st.dictionaries(st.sampled_from(sorted(ALL)), st.integers(1, 9), min_size=1)


@given(EVERY_MODE, PLACED, PLACED, st.sets(st.sampled_from(sorted(ALL))), ASKERS)
def test_laws_of_every_tree(
    words: dict[str, Any],
    placed: dict[str, int],
    later: dict[str, int],
    dead: set[str],
    asker: Asker,
) -> None:
    if words in (STANDBY, FLAT):
        placed, later = {"eu-1": 1} | placed, {"eu-1": 1} | later
    first = endpoint_of(words, placed)
    for endpoint, runs in ((first, placed), (endpoint_of(words, later, prior=after(first)), later)):
        out = dead | {each.cluster for each in endpoint.records if each.held}
        checks = {each.check for each in endpoint.records if each.cluster in out}
        found = cluster_shares(endpoint, checks, asker)
        assert sum(found.values()) == 1
        answered = {name for name, share in found.items() if share}
        if {each.cluster for each in endpoint.records} - out:
            assert answered.isdisjoint(out)
        if not dead:
            assert answered <= set(runs)
        targets = {each.dns_name or endpoint.dns_name for each in endpoint.records}
        targets |= {each.dns_name for each in endpoint.aliases}
        assert {each.target for each in endpoint.aliases} <= targets
        assert _leads_up(endpoint.aliases)


def _leads_up(aliases: Sequence[AliasDelivery]) -> bool:
    """Whether every alias comes after the aliases at the name that it leads to."""
    return all(
        below.stage < each.stage
        for each in aliases
        for below in aliases
        if below.dns_name == each.target
    )


def test_the_shares_of_everybody() -> None:
    for words in (FLAT, NESTED, STANDBY):
        endpoint = endpoint_of(words)
        assert expected_shares(endpoint) == cluster_shares(endpoint)
    latency = endpoint_of(LATENCY)
    assert expected_shares(latency) == cluster_shares(endpoint_of(FLAT))
    check = next(each.check for each in latency.records if each.cluster == "us-1")
    without = expected_shares(latency, {check})
    assert without["us-1"] == 0
    assert sum(without.values()) == 1
    places = expected_shares(endpoint_of(GEO))
    assert sum(places.values()) == 1
    assert all(places.values())


def test_a_second_plan_changes_nothing() -> None:
    for words in (LATENCY, GEO, NESTED, STANDBY, FLAT):
        first = endpoint_of(words)
        again = endpoint_of(words, prior=after(first))
        assert not again.moves
        assert again.aliases == tuple(replace(each, previous=each.text) for each in first.aliases)
