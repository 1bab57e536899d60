"""Records and checks of traffic policies."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from fleet.deliver import deliver
from fleet.errors import InvalidError
from fleet.explain.sentences import finding_sentence
from fleet.model import finding_codes as codes
from fleet.model.answer import AnswerRecord, shares
from fleet.model.base import FrozenMap
from fleet.model.endpoint import EndpointDelivery, RecordDelivery
from fleet.model.inventory import Cluster, Entry, State
from fleet.model.plan import DeliveryPlan
from fleet.model.prior import Prior, PriorObject
from fleet.model.settings import Settings
from fleet.model.snapshot import Snapshot
from fleet.model.traffic import TrafficPolicy
from fleet.model.workload import Workload
from tests.builders import a_cluster, a_snapshot, a_traffic, linked
from tests.deliver.kit import a_schedule, an_entry, faults_of, findings, two_clusters, web

EU = {"active_region": "eu-west-1"}
BOTH = {"eu-1": 4, "us-1": 2}


def a_snapshot_of(
    *policies: TrafficPolicy,
    clusters: Sequence[Cluster] | None = None,
    workload: Workload | None = None,
    states: Mapping[str, State] | None = None,
) -> Snapshot:
    item = linked(workload or web(), traffic=policies or [a_traffic(**EU)])
    return a_snapshot(clusters or two_clusters(), [item], states=states)


def directed(
    snapshot: Snapshot,
    placed: Mapping[str, int] | None = None,
    *,
    active: str = "eu-west-1",
    prior: Prior | None = None,
) -> DeliveryPlan:
    policies = [each.name for item in snapshot.linked for each in item.traffic]
    schedule = a_schedule(
        {"web": BOTH if placed is None else placed},
        standby=["us-1"],
        active=dict.fromkeys(policies, active),
    )
    return deliver(snapshot, schedule, prior or Prior(), Settings())


def records(plan: DeliveryPlan) -> dict[str, int]:
    (endpoint,) = plan.endpoints
    return {each.cluster: each.dns_weight for each in endpoint.records}


def the_record(plan: DeliveryPlan) -> RecordDelivery:
    return plan.endpoints[0].records[0]


def before(weights: Mapping[str, int], policy: str = "web") -> Prior:
    return Prior(known=True, dns_weights=FrozenMap({policy: FrozenMap(weights)}))


def test_an_active_standby_name_has_a_record_per_cluster() -> None:
    plan = directed(a_snapshot_of())
    (endpoint,) = plan.endpoints
    assert records(plan) == {"eu-1": 100, "us-1": 0}
    assert endpoint.active_region == "eu-west-1"
    assert endpoint.dns_name == "web.fleet.test"
    first = the_record(plan)
    assert (first.name, first.type, first.targets, first.previous) == (
        "web/eu-1",
        "A",
        ("192.0.2.1",),
        None,
    )
    assert not endpoint.moves


def test_a_switch_is_weights_only() -> None:
    plan = directed(a_snapshot_of(), active="us-east-1", prior=before({"eu-1": 100, "us-1": 0}))
    (endpoint,) = plan.endpoints
    assert records(plan) == {"eu-1": 0, "us-1": 100}
    assert [each.previous for each in endpoint.records] == [100, 0]
    assert endpoint.leaving == ()
    assert endpoint.moves


def test_a_cluster_without_replicas_has_no_record() -> None:
    assert records(directed(a_snapshot_of(), {"eu-1": 4, "us-1": 0})) == {"eu-1": 100}


def test_a_standby_of_nothing_has_one() -> None:
    manual = a_traffic(**EU, standby=0, failover="manual")
    assert records(directed(a_snapshot_of(manual), {"eu-1": 4, "us-1": 0})) == {
        "eu-1": 100,
        "us-1": 0,
    }


def test_a_cluster_without_entry_has_no_record() -> None:
    clusters = [a_cluster("eu-1", entry=an_entry("192.0.2.1")), a_cluster("us-1", "us-east-1")]
    assert records(directed(a_snapshot_of(clusters=clusters))) == {"eu-1": 100}


def test_a_workload_without_replicas_of_its_own_counts_each_cluster() -> None:
    snapshot = a_snapshot_of(workload=web(main=None, replicas=0))
    plan = directed(snapshot, {"eu-1": 0, "us-1": 0})
    assert records(plan) == {"eu-1": 100, "us-1": 0}
    assert findings(plan, codes.FAILOVER_CAPACITY) == []


def weighted(**weights: int) -> TrafficPolicy:
    said = {key.replace("_", "-"): value for key, value in weights.items()}
    return a_traffic(mode="weighted", dns_weights=said)


def test_a_weighted_name_follows_the_file_or_the_replicas() -> None:
    assert records(directed(a_snapshot_of(weighted(eu_west_1=70, us_1=30)))) == {
        "eu-1": 70,
        "us-1": 30,
    }
    plan = directed(a_snapshot_of(weighted()))
    assert records(plan) == {"eu-1": 4, "us-1": 2}
    assert plan.endpoints[0].active_region is None
    assert findings(plan, codes.FAILOVER_CAPACITY) == []


def test_weights_follow_replicas_when_every_weighed_cluster_is_out() -> None:
    snapshot = a_snapshot_of(weighted(eu_1=100), states={"eu-1": State.DOWN})
    plan = directed(snapshot, {"us-1": 6})
    assert records(plan) == {"us-1": 6}
    (finding,) = findings(plan, codes.WEIGHTS_BY_REPLICAS)
    assert not finding.blocks
    assert findings(plan, codes.NOT_LED_TO) == []


def test_the_return_of_every_weighed_cluster_is_no_fault_while_others_serve() -> None:
    """Replicas stay where they went; until some go back, the name leads to where they are."""
    prior = before({"eu-1": 0, "us-1": 6})
    plan = directed(a_snapshot_of(weighted(eu_1=100)), {"us-1": 6}, prior=prior)
    assert records(plan) == {"eu-1": 0, "us-1": 6}
    (finding,) = findings(plan, codes.WEIGHTS_BY_REPLICAS)
    assert (
        "no cluster with a dnsWeight for 'web.fleet.test' can be led to: each is out of use or"
        " runs none of it, and the others are weighed by their replicas"
    ) in finding_sentence(finding)
    back = directed(a_snapshot_of(weighted(eu_1=100)), {"eu-1": 2, "us-1": 4}, prior=prior)
    assert records(back) == {"eu-1": 100, "us-1": 0}
    assert findings(back, codes.WEIGHTS_BY_REPLICAS) == []


def faulty(snapshot: Snapshot, placed: Mapping[str, int] | None = None, **fields: Any) -> list[str]:
    schedule = a_schedule({"web": placed or BOTH}, standby=["us-1"], **fields)
    return faults_of(snapshot, schedule)


def test_a_name_that_would_lead_nowhere_is_refused() -> None:
    (fault,) = faulty(a_snapshot_of(), {"us-1": 4}, active={"web": "eu-west-1"})
    assert (
        "'web.fleet.test' would lead nowhere: no cluster of the active region 'eu-west-1'" in fault
    )
    (fault,) = faulty(a_snapshot_of())
    assert "active region 'none'" in fault


def test_weights_of_unknown_names_are_refused() -> None:
    faults = faulty(a_snapshot_of(weighted(eu_2=3, us_1=1)))
    assert faults == [
        (
            "policies/web-traffic.yaml:1:1: spec.dnsWeights.eu-2: 'eu-2' is no cluster and no"
            " region of the inventory - did you mean 'eu-1'?"
        )
    ]


def test_all_weights_zero_are_refused_while_everybody_is_in_use() -> None:
    (fault,) = faulty(a_snapshot_of(weighted(eu_1=3)), {"us-1": 4})
    assert "spec.dnsWeights: 'web.fleet.test' would lead nowhere" in fault


def entries(*entries_: Entry, **fields: Any) -> list[Cluster]:
    regions = ("eu-west-1", "us-east-1")
    return [
        a_cluster(f"c-{number}", regions[number % 2], entry=entry, **fields)
        for number, entry in enumerate(entries_)
    ]


TYPES = [
    pytest.param(an_entry("192.0.2.1", "192.0.2.9"), "A", id="IPv4"),
    pytest.param(an_entry("2001:db8::1"), "AAAA", id="IPv6"),
    pytest.param(an_entry(hostname="lb.example"), "CNAME", id="a host name"),
]


@pytest.mark.parametrize(("entry", "kind"), TYPES)
def test_the_entry_makes_the_type(entry: Entry, kind: str) -> None:
    record = the_record(directed(a_snapshot_of(clusters=entries(entry)), {"c-0": 6}))
    assert record.type == kind
    assert record.targets == (entry.addresses or (entry.hostname,))


BAD_ENTRIES = [
    pytest.param(
        [an_entry("192.0.2.1", "2001:db8::1"), an_entry("192.0.2.2")],
        {},
        "records of one name are of one type, here 'c-1' A, 'c-0' A and AAAA",
        id="two families beside one",
    ),
    pytest.param(
        [an_entry("localhost")],
        {},
        "inventory/c-0.yaml:1:1: spec.entry.addresses: addresses are IPv4 or IPv6",
        id="no address",
    ),
    pytest.param(
        [an_entry("192.0.2.1"), an_entry(hostname="lb.example")],
        {},
        "records of one name are of one type, here 'c-0' A, 'c-1' CNAME",
        id="two types",
    ),
    pytest.param(
        [an_entry(hostname="lb.example")],
        {"name": "fleet.test"},
        "'fleet.test' is the top of its zone, where no CNAME can be",
        id="a CNAME at the top",
    ),
    pytest.param(
        [an_entry(hostname="web.fleet.test")],
        {},
        "spec.entry.hostname: the entry of 'c-0' is the name 'web.fleet.test' itself",
        id="a circle",
    ),
    pytest.param(
        [an_entry(hostname="lb.example")],
        {"host": "other.example"},
        "spec.healthCheck.host: 'c-0' is asked as 'lb.example', not 'other.example'",
        id="another host for a host name",
    ),
    pytest.param(
        [an_entry("192.0.2.1")],
        {"name": "*.fleet.test"},
        "nobody can be asked as '*.fleet.test'",
        id="a wildcard that is asked",
    ),
]


@pytest.mark.parametrize(("doors", "words", "expected"), BAD_ENTRIES)
def test_what_route53_refuses_is_refused(
    doors: list[Entry], words: dict[str, Any], expected: str
) -> None:
    policy = a_traffic(**EU, health_check={"host": words.get("host")})
    spec = policy.spec.model_copy(update={"name": words.get("name", policy.spec.name)})
    snapshot = a_snapshot_of(policy.model_copy(update={"spec": spec}), clusters=entries(*doors))
    placed = {each.name: 3 for each in snapshot.clusters}
    (fault,) = faults_of(snapshot, a_schedule({"web": placed}, active={"web": "eu-west-1"}))
    assert expected in fault


def test_more_than_100_records_are_refused() -> None:
    clusters = [
        a_cluster(f"c-{number}", entry=an_entry(f"192.0.2.{number}")) for number in range(101)
    ]
    snapshot = a_snapshot_of(clusters=clusters)
    placed = {each.name: 1 for each in clusters}
    (fault,) = faults_of(snapshot, a_schedule({"web": placed}, active={"web": "eu-west-1"}))
    assert "101 clusters under one name; Route53 takes 100" in fault


def test_a_check_asks_the_entry_as_the_policy_says() -> None:
    plan = directed(a_snapshot_of())
    first, second = plan.checks
    assert (first.cluster, first.address, first.hostname) == ("eu-1", "192.0.2.1", None)
    assert (first.port, first.path, first.host) == (8080, "/", "web.fleet.test")
    assert first.name.startswith("check/eu-1/")
    assert the_record(plan).check == first.name
    assert second.cluster == "us-1"


CHECKS = [
    pytest.param({"path": "/ready", "port": 99}, (99, "/ready", "web.fleet.test"), id="its own"),
    pytest.param({"host": "h.example"}, (8080, "/", "h.example"), id="a host"),
    pytest.param({"type": "TCP"}, (8080, "", ""), id="TCP asks for nothing"),
]


@pytest.mark.parametrize(("words", "expected"), CHECKS)
def test_a_policy_says_what_is_asked(words: dict[str, Any], expected: tuple[int, str, str]) -> None:
    check = directed(a_snapshot_of(a_traffic(**EU, health_check=words))).checks[0]
    assert (check.port, check.path, check.host) == expected


def test_a_host_name_is_asked_under_its_own_name() -> None:
    snapshot = a_snapshot_of(clusters=entries(an_entry(hostname="lb.example")))
    (check,) = directed(snapshot, {"c-0": 6}).checks
    assert (check.address, check.hostname, check.host) == (None, "lb.example", "lb.example")


def test_equal_checks_are_one() -> None:
    same = {"health_check": {"host": "h.example"}}
    snapshot = a_snapshot_of(
        a_traffic("a", "web", **EU, **same), a_traffic("b", "web", **EU, **same)
    )
    plan = directed(snapshot)
    assert len(plan.checks) == 2
    assert [each.policy for each in plan.endpoints] == ["a", "b"]
    assert plan.endpoints[0].records[0].check == plan.endpoints[1].records[0].check


DIFFERENT = [
    {"path": "/b"},
    {"port": 9},
    {"host": "b.example"},
    {"interval_seconds": 10},
    {"failure_threshold": 2},
    {"type": "TCP"},
    {"type": "HTTPS"},
    {"type": "HTTP_STR_MATCH", "search_string": "ok"},
    {"type": "HTTP_STR_MATCH", "search_string": "fine"},
]


def test_every_part_of_the_identity_tells_checks_apart() -> None:
    names = {
        directed(a_snapshot_of(a_traffic(**EU, health_check=words))).checks[0].name
        for words in ({}, *DIFFERENT)
    }
    assert len(names) == len(DIFFERENT) + 1


PARKED = [
    pytest.param(State.ACTIVE, True, id="left"),
    pytest.param(State.DRAINING, True, id="draining"),
    pytest.param(State.DOWN, True, id="down"),
    pytest.param(State.DECOMMISSIONED, False, id="decommissioned"),
]


@pytest.mark.parametrize(("state", "stays"), PARKED)
def test_the_record_of_a_cluster_that_is_left_is_parked(
    state: State,
    stays: bool,  # noqa: FBT001 - a table's column
) -> None:
    prior = before({"eu-1": 60, "us-1": 40})
    plan = directed(a_snapshot_of(states={"us-1": state}), {"eu-1": 4}, prior=prior)
    (endpoint,) = plan.endpoints
    assert records(plan) == ({"eu-1": 100, "us-1": 0} if stays else {"eu-1": 100})
    assert [each.name for each in endpoint.leaving] == ([] if stays else ["web/us-1"])
    assert endpoint.moves
    assert findings(plan, codes.FAILBACK_AUTOMATIC) == []


def test_a_new_cluster_is_not_parked() -> None:
    assert records(directed(a_snapshot_of(), {"eu-1": 4}, prior=before({"eu-1": 100}))) == {
        "eu-1": 100
    }


def test_a_leaving_record_is_the_states() -> None:
    record = PriorObject("web/us-1", "aws:route53/record:Record", {"ttl": 20})
    other = PriorObject("web-2/us-1", "aws:route53/record:Record")
    prior = Prior(known=True, records=FrozenMap({record.name: record, other.name: other}))
    plan = directed(a_snapshot_of(), {"eu-1": 4}, prior=prior)
    assert plan.endpoints[0].leaving == (record,)


def stranded(weights: Mapping[str, int], **states: State) -> tuple[EndpointDelivery, DeliveryPlan]:
    said = {key.replace("_", "-"): value for key, value in states.items()}
    plan = directed(a_snapshot_of(states=said), {}, prior=before(weights))
    return plan.endpoints[0], plan


def test_records_stay_while_every_target_is_down_and_nothing_takes_over() -> None:
    endpoint, plan = stranded({"eu-1": 100, "us-1": 0}, eu_1=State.DOWN, us_1=State.DOWN)
    assert records(plan) == {"eu-1": 100, "us-1": 0}
    assert endpoint.leaving == ()
    (kept,) = findings(plan, codes.RECORD_KEPT)
    assert kept.values["clusters"] == "eu-1, us-1"


def test_kept_records_never_weigh_nothing() -> None:
    _, plan = stranded({"us-1": 0}, us_1=State.DOWN)
    assert records(plan) == {"us-1": 100}


def test_records_of_the_living_leave_and_need_consent() -> None:
    endpoint, plan = stranded({"eu-1": 100, "us-1": 0}, eu_1=State.DOWN, us_1=State.DRAINING)
    assert endpoint.records == ()
    (last,) = findings(plan, codes.LAST_RECORD)
    assert last.blocks
    assert (last.values["clusters"], last.values["name"]) == ("us-1", "web.fleet.test")
    assert len(findings(plan, codes.NO_RECORDS)) == 1


def test_a_name_of_a_dead_cluster_without_entry_is_not_kept() -> None:
    clusters = [a_cluster("eu-1", state=State.DOWN)]
    plan = directed(a_snapshot_of(clusters=clusters), {}, prior=before({"eu-1": 100}))
    assert plan.endpoints[0].records == ()
    assert findings(plan, codes.LAST_RECORD) == []


def test_what_a_failover_would_land_on_is_told() -> None:
    (finding,) = findings(directed(a_snapshot_of()), codes.FAILOVER_CAPACITY)
    assert (finding.values["landing"], finding.values["wanted"]) == (2, 4)
    assert not finding.blocks


@pytest.mark.parametrize(
    ("replicas", "landing"),
    [
        pytest.param({"eu-1": 6, "us-1": 2, "ap-1": 3}, [5], id="all together are too few"),
        pytest.param({"eu-1": 4, "us-1": 2, "ap-1": 2}, [], id="all together are enough"),
        pytest.param({"eu-1": 4}, [], id="there is no failover"),
        pytest.param({"eu-1": 4, "us-1": 0}, [], id="an update fills the standby first"),
    ],
)
def test_a_failover_lands_on_every_standby_that_nothing_holds(
    replicas: dict[str, int], landing: list[int]
) -> None:
    clusters = [*two_clusters(), a_cluster("ap-1", "ap-south-1", entry=an_entry("192.0.2.3"))]
    plan = directed(a_snapshot_of(clusters=clusters), replicas)
    found = findings(plan, codes.FAILOVER_CAPACITY)
    assert [each.values["landing"] for each in found] == landing
    group = [AnswerRecord(e.cluster, e.dns_weight, e.check) for e in plan.endpoints[0].records]
    dead = {each.health_check for each in group if each.set_identifier == "eu-1"}
    at_once = shares(group, {each for each in dead if each}) if len(group) > 1 else {}
    answering = sum(replicas[name] for name, share in at_once.items() if share)
    assert landing in ([], [answering])


@pytest.mark.parametrize(
    ("replicas", "landing"),
    [
        pytest.param({"eu-1": 4, "us-1": 2, "ap-1": 3}, [3], id="the largest"),
        pytest.param({"eu-1": 4, "us-1": 2, "ap-1": 4}, [], id="it is enough"),
    ],
)
def test_a_failover_that_a_lever_holds_goes_to_one_region(
    replicas: dict[str, int], landing: list[int]
) -> None:
    clusters = [*two_clusters(), a_cluster("ap-1", "ap-south-1", entry=an_entry("192.0.2.3"))]
    lever = {"release": "https://levers.example/{region}/release"}
    held = a_traffic(**EU, failover="manual", lever=lever)
    plan = directed(a_snapshot_of(held, clusters=clusters), replicas)
    found = findings(plan, codes.FAILOVER_CAPACITY)
    assert [each.values["landing"] for each in found] == landing


def test_automatic_failback_is_told_and_manual_is_not_promised() -> None:
    assert len(findings(directed(a_snapshot_of()), codes.FAILBACK_AUTOMATIC)) == 1
    manual = a_traffic(**EU, failover="manual")
    plan = directed(a_snapshot_of(manual))
    assert findings(plan, codes.FAILBACK_AUTOMATIC) == []
    assert len(findings(plan, codes.MANUAL_NOT_HELD)) == 1


def test_an_empty_standby_is_held_out_by_its_own_check() -> None:
    manual = a_traffic(**EU, failover="manual", standby=0)
    plan = directed(a_snapshot_of(manual), {"eu-1": 4, "us-1": 0})
    assert findings(plan, codes.MANUAL_NOT_HELD) == []


def test_without_a_standby_nothing_goes_back() -> None:
    plan = directed(a_snapshot_of(), {"eu-1": 4})
    assert findings(plan, codes.FAILBACK_AUTOMATIC) == []


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        pytest.param({"ttl": 60, "type": "A"}, None, id="the same"),
        pytest.param({}, None, id="not known"),
        pytest.param(
            {"ttl": 300, "type": "A"},
            "'web.fleet.test' has 2 live records whose TTL is 300; it cannot become 60 record by"
            " record",
            id="another ttl",
        ),
        pytest.param(
            {"ttl": 60, "type": "CNAME"},
            "'web.fleet.test' has 2 live records whose type is CNAME; it cannot become A record by"
            " record",
            id="another type",
        ),
    ],
)
def test_a_live_group_keeps_its_ttl_and_type(body: dict[str, Any], sentence: str | None) -> None:
    names = ("web/eu-1", "web/us-1")
    token = "aws:route53/record:Record"  # noqa: S105 - a Pulumi type
    prior = Prior(
        known=True,
        dns_weights=FrozenMap({"web": FrozenMap({"eu-1": 100, "us-1": 0})}),
        records=FrozenMap({name: PriorObject(name, token, body) for name in names}),
    )
    if sentence is None:
        assert directed(a_snapshot_of(), prior=prior).endpoints
        return
    with pytest.raises(InvalidError) as caught:
        directed(a_snapshot_of(), prior=prior)
    assert [each.sentence for each in caught.value.errors] == [sentence]


def test_a_single_live_record_may_change_its_ttl() -> None:
    name = "web/eu-1"
    prior = Prior(
        known=True,
        records=FrozenMap({name: PriorObject(name, "aws:route53/record:Record", {"ttl": 300})}),
    )
    assert directed(a_snapshot_of(), prior=prior).endpoints


@pytest.mark.parametrize(
    ("check", "found"),
    [
        pytest.param({}, ["eu-1"], id="plain HTTP at the entry's port"),
        pytest.param({"type": "HTTPS"}, [], id="TLS"),
        pytest.param({"type": "TCP"}, [], id="a connection only"),
        pytest.param({"port": 80}, [], id="another port"),
        pytest.param({"port": 443}, ["eu-1, us-1"], id="the check's own port"),
    ],
)
def test_a_check_without_tls_at_the_port_of_tls_is_told(
    check: dict[str, object], found: list[str]
) -> None:
    clusters = [
        a_cluster("eu-1", "eu-west-1", entry=an_entry("192.0.2.1", port=443)),
        a_cluster("us-1", "us-east-1", entry=an_entry("192.0.2.2")),
    ]
    policy = a_traffic(active_region="eu-west-1", healthCheck=check)
    plan = directed(a_snapshot_of(policy, clusters=clusters))
    assert [each.values["clusters"] for each in findings(plan, codes.PLAIN_ON_TLS)] == found
