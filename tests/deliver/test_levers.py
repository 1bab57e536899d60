"""Levers: which checks they add, which record is held, and what Route53 answers then."""

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any

import pytest

from fleet.drill.losses import names_at_once
from fleet.model import finding_codes as codes
from fleet.model.answering import cluster_shares
from fleet.model.check_state import unhealthy_checks
from fleet.model.endpoint import CheckDelivery, LeverKind
from fleet.model.inventory import Entry
from fleet.model.plan import DeliveryPlan
from fleet.model.prior import Prior
from tests.builders import a_cluster, a_traffic
from tests.deliver.kit import a_schedule, an_entry, faults_of, findings
from tests.deliver.test_dns import BOTH, EU, a_snapshot_of, before, directed

ARN = "arn:aws:route53-recovery-control::123456789012:controlpanel/abc/routingcontrol/"
OUT = "https://levers.example/{policy}/{region}/out"
RELEASE = "https://levers.example/{policy}/{region}/release"
MANUAL = {**EU, "failover": "manual"}


def planned(
    lever: Mapping[str, Any] | None, prior: Prior | None = None, **words: Any
) -> DeliveryPlan:
    words = {**(EU if words.get("mode") == "weighted" else MANUAL), **words}
    active = words["active_region"] if words.get("mode") != "weighted" else "eu-west-1"
    return directed(a_snapshot_of(a_traffic(lever=lever, **words)), prior=prior, active=active)


def the_check(plan: DeliveryPlan, cluster: str) -> CheckDelivery:
    (record,) = (each for each in plan.endpoints[0].records if each.cluster == cluster)
    return next(each for each in plan.checks if each.name == record.check)


def levers(plan: DeliveryPlan, cluster: str) -> list[CheckDelivery]:
    """The checks of levers that a record hangs on."""
    children = the_check(plan, cluster).children
    known = {each.name: each for each in plan.checks}
    return [known[each] for each in children if each.startswith("lever/")]


def answered(
    plan: DeliveryPlan, dead: Collection[str] = (), objects: Collection[str] = ()
) -> dict[str, Fraction]:
    """Who is answered while those entries are dead and those objects can be read."""
    failing = {
        each.name
        for each in plan.checks
        if (each.is_lever and each.path not in objects)
        or (not each.is_lever and each.cluster in dead)
    }
    return cluster_shares(plan.endpoints[0], unhealthy_checks(plan.checks, failing))


def only(cluster: str) -> dict[str, int]:
    return {"eu-1": 0, "us-1": 0, cluster: 1}


def test_a_lever_takes_its_region_out_while_its_object_can_be_read() -> None:
    plan = planned({"out": OUT})
    (lever,) = levers(plan, "eu-1")
    assert (lever.name[:16], lever.hostname, lever.address) == (
        "lever/eu-west-1/",
        "levers.example",
        None,
    )
    assert (lever.port, lever.path, lever.host) == (443, "/web/eu-west-1/out", "levers.example")
    assert lever.check is not None
    assert (lever.check.type, lever.check.inverted, lever.check.seconds) == ("HTTPS", True, 30)
    assert the_check(plan, "eu-1").threshold == 2
    assert answered(plan) == only("eu-1")
    assert answered(plan, objects=["/web/eu-west-1/out"]) == only("us-1")
    assert answered(plan, objects=["/web/us-east-1/out"]) == only("eu-1")


def test_a_dead_lever_takes_nothing_out_and_releases_nothing() -> None:
    """Both objects cannot be read when their host is dead."""
    plan = planned({"out": OUT, "release": RELEASE})
    assert answered(plan, objects=[]) == only("eu-1")
    assert answered(plan, dead=["us-1"], objects=[]) == only("eu-1")


def test_a_held_standby_is_not_answered_when_the_active_side_dies() -> None:
    """Nothing is healthy then: Route53 takes all for healthy, and the weights name the active."""
    plan = planned({"release": RELEASE})
    assert [each.held for each in plan.endpoints[0].records] == [False, True]
    assert answered(plan, dead=["eu-1"]) == only("eu-1")
    assert answered(plan, dead=["eu-1"], objects=["/web/us-east-1/release"]) == only("us-1")
    assert answered(plan, objects=["/web/us-east-1/release"]) == only("eu-1")


def test_without_a_lever_the_standby_is_answered_and_preview_says_so() -> None:
    plan = planned(None)
    assert answered(plan, dead=["eu-1"]) == only("us-1")
    assert [each.code for each in findings(plan, codes.MANUAL_NOT_HELD)] == [codes.MANUAL_NOT_HELD]


HOLDING = [
    pytest.param({"release": RELEASE}, 0, id="an object"),
    pytest.param({"out": OUT}, 1, id="one that only takes out"),
    pytest.param({"routingControls": {"us-east-1": f"{ARN}us"}}, 0, id="a routing control"),
    pytest.param({"routingControls": {"eu-west-1": f"{ARN}eu"}}, 1, id="a control elsewhere"),
]


@pytest.mark.parametrize(("lever", "expected"), HOLDING)
def test_manual_is_held_by_what_holds(lever: dict[str, Any], expected: int) -> None:
    assert len(findings(planned(lever), codes.MANUAL_NOT_HELD)) == expected


def test_a_routing_control_that_is_off_holds_its_region() -> None:
    controls = {"eu-west-1": f"{ARN}eu", "us-east-1": f"{ARN}us"}
    plan = planned({"routingControls": controls})
    (control,) = levers(plan, "us-1")
    assert (control.routing_control, control.check) == (f"{ARN}us", None)
    assert answered(plan, dead=["eu-1"]) == only("eu-1")
    assert [each.kind for each in plan.endpoints[0].levers] == [LeverKind.CONTROL] * 2


def test_preview_knows_every_lever_and_whom_it_is_for() -> None:
    plan = planned({"out": OUT, "release": RELEASE})
    assert [
        (str(each.kind), each.where, each.clusters, each.seconds)
        for each in plan.endpoints[0].levers
    ] == [
        ("out", "https://levers.example/web/eu-west-1/out", ("eu-1",), 30),
        ("out", "https://levers.example/web/us-east-1/out", ("us-1",), 30),
        ("release", "https://levers.example/web/us-east-1/release", ("us-1",), 30),
    ]


def test_the_check_of_the_other_role_is_there_before_it_is_needed() -> None:
    """A switch, an update that is held and a break-glass file move weights, and make no check."""
    plan = planned({"release": RELEASE})
    eu, us = plan.endpoints[0].records
    known = {each.name: each for each in plan.checks}
    assert (eu.check_other, us.check_other) != (None, None)
    for record, weight, children in ((eu, 100, 0), (eu, 0, 2), (us, 0, 2), (us, 100, 0)):
        assert len(known[record.check_for(weight)].children) == children
    assert eu.check_for(10) == eu.check
    switched = planned(
        {"release": RELEASE}, before({"eu-1": 100, "us-1": 0}), active_region="us-east-1"
    )
    assert [each.held for each in switched.endpoints[0].records] == [True, False]
    assert {each.name for each in switched.checks} == set(known)


def test_without_a_hold_there_is_one_check_for_both_roles() -> None:
    for lever in (None, {"out": OUT}, {"routingControls": {"us-east-1": f"{ARN}us"}}):
        (record, *_) = planned(lever).endpoints[0].records
        assert record.check_other is None
        assert record.check_for(0) == record.check_for(100) == record.check


def test_a_lever_in_mode_weighted_takes_out_and_holds_nobody() -> None:
    url = "http://127.0.0.1:8099/{cluster}?p={policy}"
    plan = planned({"out": url}, mode="weighted", active_region=None)
    assert [each.held for each in plan.endpoints[0].records] == [False, False]
    (lever,) = levers(plan, "us-1")
    assert (lever.address, lever.hostname, lever.port) == ("127.0.0.1", None, 8099)
    assert lever.path == "/us-1?p=web"


def test_a_lever_may_look_for_what_its_object_holds() -> None:
    lever = {"out": "http://levers.example/{region}", "searchString": "out", "intervalSeconds": 30}
    (check,) = levers(planned(lever), "eu-1")
    assert check.check is not None
    assert (check.check.type, check.check.search_string) == ("HTTP_STR_MATCH", "out")
    assert (check.port, check.check.seconds) == (80, 90)


def test_records_of_a_region_share_its_lever() -> None:
    clusters = [
        a_cluster("eu-1", entry=an_entry("192.0.2.1")),
        a_cluster("eu-2", entry=an_entry("192.0.2.2")),
    ]
    snapshot = a_snapshot_of(a_traffic(**EU, lever={"out": OUT}), clusters=clusters)
    plan = directed(snapshot, {"eu-1": 2, "eu-2": 2})
    assert levers(plan, "eu-1") == levers(plan, "eu-2")
    assert plan.endpoints[0].levers[0].clusters == ("eu-1", "eu-2")
    assert len(plan.checks) == 5


def test_a_drill_knows_that_a_held_standby_does_not_answer() -> None:
    schedule = a_schedule({"web": BOTH}, standby=["us-1"])
    held = planned({"release": RELEASE}).endpoints
    assert names_at_once(held, schedule, ["eu-1"]) == (("web.fleet.test",), ())
    free = planned(None).endpoints
    assert names_at_once(free, schedule, ["eu-1"]) == ((), ("web.fleet.test",))


BAD = [
    pytest.param({"out": "https://web.fleet.test/{region}"}, "is what the lever", id="the name"),
    pytest.param({"out": "https://lb.example/{region}"}, "is what the lever", id="an entry"),
    pytest.param({"out": "https://LB.example/{region}"}, "is what the lever", id="in capitals"),
    pytest.param(
        {"out": "https://also.fleet.test/{region}"}, "is what the lever", id="another name"
    ),
    pytest.param({"out": f"https://a.example/{'x' * 255}/{{region}}"}, "Route53 takes 255", id="a"),
    pytest.param(
        {"routingControls": {"eu-west-2": f"{ARN}eu"}},
        "'eu-west-2' is no region of the inventory - did you mean 'eu-west-1'?",
        id="a region",
    ),
]


@pytest.mark.parametrize(("lever", "expected"), BAD)
def test_a_lever_that_cannot_be_pulled_is_refused(lever: dict[str, Any], expected: str) -> None:
    clusters = [a_cluster("eu-1", entry=Entry(hostname="lb.example"))]
    policy = a_traffic(**EU, lever=lever, names=["also.fleet.test"])
    snapshot = a_snapshot_of(policy, clusters=clusters)
    schedule = a_schedule({"web": {"eu-1": 6}}, active={"web": "eu-west-1"})
    (fault,) = faults_of(snapshot, schedule)
    assert expected in fault
    assert "spec.lever." in fault


@pytest.mark.parametrize("host", ["192.0.2.1", "192.0.2.2", "192.0.2.3"])
def test_a_lever_on_the_address_of_an_entry_is_refused(host: str) -> None:
    """Also on another region's: it would be dead when that region is to be taken out."""
    clusters = [
        a_cluster("eu-1", entry=an_entry("192.0.2.1", "192.0.2.2")),
        a_cluster("us-1", "us-east-1", entry=an_entry("192.0.2.3")),
    ]
    policy = a_traffic(**EU, lever={"out": f"https://{host}/{{region}}"})
    snapshot = a_snapshot_of(policy, clusters=clusters)
    schedule = a_schedule({"web": BOTH}, standby=["us-1"], active={"web": "eu-west-1"})
    (fault,) = faults_of(snapshot, schedule)
    assert "it could not be pulled when it is dead" in fault


def test_a_lever_on_an_address_that_is_no_entry_is_taken() -> None:
    plan = planned({"out": "https://203.0.113.7/{region}"})
    assert levers(plan, "eu-1")[0].address == "203.0.113.7"
