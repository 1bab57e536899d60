"""Emergencies played on small fleets, with every second and every replica counted."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from fleet.drill.emergencies import emergencies
from fleet.drill.exercises import exercise
from fleet.explain.drill_words import check_sentence
from fleet.model import drill_codes as codes
from fleet.model.exercise import ALL_KINDS, Check, Emergency, Exercise, Item, Kind, Result
from fleet.model.inventory import Cluster, Entry, State
from fleet.model.snapshot import Snapshot
from fleet.model.source import Origin
from fleet.model.timeline import StepKind
from fleet.model.traffic import TrafficPolicy
from fleet.model.workload import Manifest, WorkloadSettings
from tests.builders import (
    a_cluster,
    a_policy,
    a_snapshot,
    a_traffic,
    a_workload,
    linked,
    settings,
)
from tests.drill.exercising import (
    Replanning,
    check_of,
    dead,
    drilled,
    name_of,
    the_exercise,
    today,
)
from tests.drill.playing import present

EQUAL = {"mode": "weighted", "weights": [{"replica_weight": 1, "term": {}}]}
QUICK = {"interval_seconds": 10, "failure_threshold": 3}
STANDBY: dict[str, Any] = {"active_region": "eu", "standby": 50, "ttl_seconds": 20}


def a_site(name: str, region: str, cpu: int = 9) -> Cluster:
    """A cluster with an entry."""
    number = sum(map(ord, name)) % 250
    return a_cluster(name, region, cpu=cpu, entry=Entry(addresses=(f"192.0.2.{number}",)))


def a_fleet(
    *traffic: TrafficPolicy,
    cpu: int = 9,
    settings_: WorkloadSettings | None = None,
    manifests: tuple[Manifest, ...] = (),
    policy: Mapping[str, Any] | None = None,
) -> Snapshot:
    """`web` with four replicas on one cluster in eu and one in us."""
    workload = a_workload("web", 4, settings=settings_, manifests=manifests)
    item = linked(workload, a_policy(division=EQUAL, **(policy or {})), traffic=traffic)
    return a_snapshot([a_site("eu-1", "eu", cpu), a_site("us-1", "us", cpu)], [item])


def active(**spec: Any) -> TrafficPolicy:
    """An active-standby name in eu."""
    return a_traffic("web", **{**STANDBY, "health_check": QUICK, **spec})


def seconds(found: Exercise) -> dict[str, int]:
    """The steps of the name's timeline."""
    return {str(each.kind): each.seconds for each in name_of(found).timeline.steps}


def test_the_standby_answers_by_itself() -> None:
    found = the_exercise(a_fleet(active()), "eu-1")
    name = name_of(found)
    assert seconds(found) == {"detection": 30, "spread": 10, "ttl": 20}
    assert (name.hit, name.by_itself, name.timeline.total, name.timeline.ends) == (
        True,
        True,
        60,
        True,
    )
    assert (name.landing, name.wanted) == (2, 4)
    assert name.felt == 1
    assert name.today.shares == {"eu-1": 1}
    for there in (name.at_once, name.afterwards, name.revived):
        assert there.shares == {"us-1": 1}
    assert name.returned.shares == {"eu-1": 1}
    assert [(each.kind, each.seconds) for each in found.starts["web"].steps] == [
        (StepKind.DECISION, 60),
        (StepKind.CAPACITY, 300),
    ]
    assert check_of(found, Item.DNS, "web.fleet.test").result is Result.PASS


def test_the_loss_of_the_standby_is_not_felt() -> None:
    found = the_exercise(a_fleet(active()), "us-1")
    assert not name_of(found).hit
    assert name_of(found).timeline.total == 0
    assert {each.subject for each in found.checks} == {"web"}


def test_what_waits_for_an_update_takes_all_steps() -> None:
    item = linked(
        a_workload("web", 4, settings=WorkloadSettings(wait_seconds=90)),
        a_policy(division={"mode": "aggregated"}, spread=[{"by": "cluster", "max_domains": 1}]),
        traffic=[a_traffic("web", mode="weighted", ttl_seconds=20, health_check=QUICK)],
    )
    snapshot = a_snapshot([a_site("eu-1", "eu"), a_site("us-1", "us")], [item])
    here = next(iter(name_of(the_exercise(snapshot, "eu-1", "us-1")).today.shares))
    found = the_exercise(snapshot, here)
    assert seconds(found) == {
        "detection": 30,
        "spread": 10,
        "decision": 60,
        "capacity": 90,
        "record": 60,
        "ttl": 20,
    }
    name = name_of(found)
    assert (name.by_itself, name.timeline.total, name.timeline.dns) == (False, 270, 120)
    dns = check_of(found, Item.DNS, "web.fleet.test")
    assert (dns.result, dns.code, dns.values["record"]) == (Result.FAIL, codes.DNS_TIME, 60)
    assert check_of(found, Item.RTO, "web.fleet.test").result is Result.PASS


def test_where_nothing_is_left_it_never_ends() -> None:
    found = the_exercise(a_fleet(active()), "eu-1", "us-1")
    name = name_of(found)
    assert not name.timeline.ends
    assert name.at_once.nowhere == name.afterwards.nowhere == 1
    for item in (Item.DNS, Item.RTO):
        check = check_of(found, item, "web.fleet.test")
        assert (check.result, check.code) == (Result.FAIL, codes.NOWHERE)
    assert check_of(found, Item.APPLICATION).code == codes.NO_PLACE
    assert check_of(found, Item.FAILBACK).code == codes.BACK


CHECKS = [
    pytest.param(active(), {}, Item.DNS, "web.fleet.test", Result.PASS, id="60 s is at most 60"),
    pytest.param(
        active(ttl_seconds=21), {}, Item.DNS, "web.fleet.test", Result.FAIL, id="a TTL of 21 s"
    ),
    pytest.param(
        active(health_check={}), {}, Item.DNS, "web.fleet.test", Result.FAIL, id="30 s x 3"
    ),
    pytest.param(
        active(ttl_seconds=21),
        {"dns_seconds": 61},
        Item.DNS,
        "web.fleet.test",
        Result.PASS,
        id="a limit of 61 s",
    ),
    pytest.param(
        active(), {"rto_seconds": 60}, Item.RTO, "web.fleet.test", Result.FAIL, id="under the RTO"
    ),
    pytest.param(
        active(), {"rto_seconds": 61}, Item.RTO, "web.fleet.test", Result.PASS, id="61 s is over"
    ),
    pytest.param(
        active(recovery={"rto_seconds": 60}),
        {"rto_seconds": 1},
        Item.RTO,
        "web.fleet.test",
        Result.PASS,
        id="the policy's own target may be reached",
    ),
    pytest.param(
        active(recovery={"rto_seconds": 59}),
        {},
        Item.RTO,
        "web.fleet.test",
        Result.FAIL,
        id="and not be missed",
    ),
    pytest.param(active(), {}, Item.ALERTS, "web.fleet.test", Result.UNKNOWN, id="alerts"),
    pytest.param(active(), {}, Item.FAILBACK, "web.fleet.test", Result.PASS, id="the name returns"),
    pytest.param(active(), {}, Item.APPLICATION, "web", Result.FAIL, id="waits 300 s"),
    pytest.param(
        active(), {"application_seconds": 300}, Item.APPLICATION, "web", Result.PASS, id="may 300"
    ),
    pytest.param(
        active(), {"start_seconds": 20}, Item.APPLICATION, "web", Result.PASS, id="assumed 20 s"
    ),
    pytest.param(active(), {}, Item.DATABASE, "web", Result.PASS, id="no database"),
    pytest.param(active(), {}, Item.RPO, "web", Result.PASS, id="no data to lack"),
    pytest.param(active(), {}, Item.NO_DATA_LOSS, "web", Result.PASS, id="no data to lose"),
]


@pytest.mark.parametrize(("policy", "words", "item", "subject", "result"), CHECKS)
def test_the_checklist(
    policy: TrafficPolicy, words: dict[str, int], item: Item, subject: str, result: Result
) -> None:
    found = the_exercise(a_fleet(policy), "eu-1", words=settings(drill=words))
    assert check_of(found, item, subject).result is result


HASTY = {"interval_seconds": 10, "failure_threshold": 1}


@pytest.mark.parametrize(("limit", "best", "hasty"), [(60, 20, 40), (40, 0, 20), (20, 0, 0)])
def test_what_would_be_quick_enough_for_a_limit_is(limit: int, best: int, hasty: int) -> None:
    words = settings(drill={"dns_seconds": limit})

    def dns(policy: TrafficPolicy) -> Check:
        found = the_exercise(a_fleet(policy), "eu-1", words=words)
        return check_of(found, Item.DNS, "web.fleet.test")

    values = dns(active(ttl_seconds=600)).values
    assert (values["best"], values["hasty"]) == (best, hasty)
    for check, most in ((QUICK, best), (HASTY, hasty)):
        assert dns(active(ttl_seconds=most + 1, health_check=check)).result is Result.FAIL
        if most:
            assert dns(active(ttl_seconds=most, health_check=check)).result is Result.PASS


def test_what_stands_starts_nothing() -> None:
    item = linked(a_workload("web", 2), a_policy())
    snapshot = a_snapshot([a_site("eu-1", "eu"), a_site("us-1", "us")], [item])
    found = the_exercise(snapshot, "eu-1")
    assert check_of(found, Item.APPLICATION).code == codes.STANDS
    assert found.starts["web"].total == 0


CLAIM = {"kind": "PersistentVolumeClaim", "body": {}}
SET = {"kind": "StatefulSet", "body": {"spec": {"volumeClaimTemplates": [{}]}}}
CACHE = {"kind": "StatefulSet", "body": {"spec": {}}}
BROKEN = {"kind": "StatefulSet", "body": {"spec": None}}


def a_manifest(kind: str, body: dict[str, Any]) -> Manifest:
    """An object of `web`."""
    return Manifest("v1", kind, "default", "web", body, Origin("workloads/web.yaml"))


@pytest.mark.parametrize(
    ("words", "result"),
    [
        pytest.param(CLAIM, Result.FAIL, id="a claim"),
        pytest.param(SET, Result.FAIL, id="claims of a set"),
        pytest.param(CACHE, Result.PASS, id="a set without claims"),
        pytest.param(BROKEN, Result.PASS, id="a set without a spec"),
    ],
)
def test_volumes_are_lost_with_their_cluster(words: dict[str, Any], result: Result) -> None:
    found = the_exercise(a_fleet(active(), manifests=(a_manifest(**words),)), "eu-1")
    for item in (Item.DATABASE, Item.RPO, Item.NO_DATA_LOSS):
        check = check_of(found, item)
        assert check.result is result
        if result is Result.FAIL:
            held = f"{words['kind']}/web"
            assert check.values == {"volumes": held, "clusters": "eu-1", "kind": "none"}


def test_equal_losses_are_planned_once() -> None:
    snapshot = a_fleet(active())
    outcome, replan = today(snapshot), Replanning()
    found = exercise(outcome, replan, present(outcome), emergencies(snapshot, ALL_KINDS))
    assert [each.emergency.kind for each in found.played] == [
        Kind.CLUSTER,
        Kind.CLUSTER,
        Kind.REGION,
        Kind.REGION,
        Kind.PROVIDER,
        Kind.ROUTE53,
    ]
    assert replan.asked == 2 * 3


def test_where_nothing_runs_it_is_quiet() -> None:
    item = linked(a_workload("web", 2), a_policy(affinity={"required": [{"regions": ["eu"]}]}))
    snapshot = a_snapshot([a_site("eu-1", "eu"), a_site("us-1", "us")], [item])
    found = drilled(snapshot, Kind.CLUSTER)
    assert [each.emergency.domain for each in found.played] == ["eu-1"]
    assert found.quiet == (Emergency(Kind.CLUSTER, "us-1", ("us-1",)),)


def test_without_route53_s_api_names_are_answered_and_some_would_need_it() -> None:
    alone = a_traffic("lone", workload="lone", mode="weighted", health_check=QUICK)
    items = [
        linked(a_workload("web", 4), a_policy(division=EQUAL), traffic=[active()]),
        linked(
            a_workload("lone", 1),
            a_policy("lone", affinity={"required": [{"regions": ["us"]}]}),
            traffic=[alone],
        ),
    ]
    snapshot = a_snapshot([a_site("eu-1", "eu"), a_site("us-1", "us")], items)
    (found,) = drilled(snapshot, Kind.ROUTE53).played
    assert found.dies == len(found.losses) == len(found.starts) == 0
    assert {each.dns_name: dict(each.healed) for each in found.names} == {
        "lone.fleet.test": {"us": False},
        "web.fleet.test": {"eu": True},
    }
    assert all(each.today == each.at_once for each in found.names)
    results = {each.subject: (each.result, each.code) for each in found.checks}
    assert results == {
        "lone.fleet.test": (Result.FAIL, codes.API_NO_HELP),
        "web.fleet.test": (Result.PASS, codes.API_NOT_NEEDED),
    }
    assert {each.dns_name: each.hopeless for each in found.names} == {
        "lone.fleet.test": ("us",),
        "web.fleet.test": (),
    }


def test_a_name_that_nobody_answers_today_passes_nothing() -> None:
    item = linked(a_workload("web", 4), a_policy(division=EQUAL), traffic=[active()])
    dead = {"eu-1": State.DOWN, "us-1": State.DOWN}
    snapshot = a_snapshot([a_site("eu-1", "eu"), a_site("us-1", "us")], [item], states=dead)
    (found,) = drilled(snapshot, Kind.ROUTE53).played
    (check,) = found.checks
    assert (check.result, check.code) == (Result.FAIL, codes.API_NO_HELP)
    assert check_sentence(check) == "nobody answers today, and no record change would help"


def test_a_record_change_that_would_help_is_told_apart_from_one_that_would_not() -> None:
    move = a_traffic("move", mode="weighted", health_check=QUICK)
    placed = a_policy("move", division={"mode": "weighted"})
    item = linked(a_workload("move", 1), placed, traffic=[move])
    snapshot = a_snapshot([a_site("eu-1", "eu"), a_site("us-1", "us")], [item])
    (found,) = drilled(snapshot, Kind.ROUTE53).played
    (name,) = found.names
    assert (dict(name.healed), name.hopeless) == ({"eu": False}, ())
    (check,) = found.checks
    assert (check.result, check.code) == (Result.FAIL, codes.API_NEEDED)
    assert check.values == {"regions": "eu", "hopeless": ""}
    after = name_of(the_exercise(snapshot, "eu-1"), "move.fleet.test").afterwards
    assert dict(after.shares) == {"us-1": 1}


def test_an_update_with_faults_is_told() -> None:
    snapshot = a_fleet(active())
    outcome = today(snapshot)
    replan = Replanning()

    def refusing(*words: Any) -> Any:
        made = replan(*words)
        return type(made)(made.schedule, (), ("policies/web.yaml:1:1: leads nowhere",))

    (refused,) = exercise(outcome, refusing, present(outcome), [dead("eu-1")]).played
    assert refused.refused == ("policies/web.yaml:1:1: leads nowhere",)
    assert check_of(refused, Item.APPLICATION).code == codes.REFUSED
    assert check_of(refused, Item.FAILBACK).code == codes.BACK_REFUSED
    assert check_of(refused, Item.FAILBACK, "web.fleet.test").code == codes.BACK_REFUSED
    assert name_of(refused).by_itself
    assert name_of(refused).afterwards.nowhere == 1


def test_a_blind_check_leaves_answers_that_lead_nowhere() -> None:
    check = {"type": "TCP", **QUICK}
    policy = a_policy(division=EQUAL, affinity={"required": [{"regions": ["eu"]}]})
    spec = {**STANDBY, "standby": 0, "failover": "manual", "health_check": check}
    item = linked(a_workload("web", 2), policy, traffic=[a_traffic("web", **spec)])
    snapshot = a_snapshot([a_site("eu-1", "eu"), a_site("eu-2", "eu")], [item])
    found = name_of(the_exercise(snapshot, "eu-1"))
    assert found.today.shares == {"eu-1": Fraction(1, 2), "eu-2": Fraction(1, 2)}
    assert found.at_once.shares == {"eu-2": 1}
