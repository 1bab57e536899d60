"""Which standby follows, and that a database is answered in one region alone."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from fleet.deliver import deliver
from fleet.drill.losses import names_at_once
from fleet.explain.sentences import finding_sentence
from fleet.model import finding_codes as codes
from fleet.model.answer import AnswerRecord, shares
from fleet.model.base import FrozenMap
from fleet.model.check_state import unhealthy_checks
from fleet.model.data import Data
from fleet.model.decision import Active, Schedule
from fleet.model.inventory import State
from fleet.model.plan import DeliveryPlan
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.model.snapshot import Snapshot
from fleet.model.workload import WorkloadSettings
from tests.builders import a_cluster, a_snapshot, a_traffic, linked
from tests.deliver.kit import a_schedule, an_entry, findings, the_prior, two_clusters, web

DATABASE = {
    "kind": "replicated",
    "replication": {"how": "sync", "to": ["eu-west-1", "us-east-1", "ap-south-1"]},
}
REGIONS = {"eu-1": "eu-west-1", "us-1": "us-east-1", "ap-1": "ap-south-1"}
RELEASE = {"release": "https://levers.example/{region}/release"}
ARN = "arn:aws:route53-recovery-control::123456789012:controlpanel/abc/routingcontrol/"
US_FIRST = ("us-east-1", "ap-south-1")


def a_fleet(
    data: Mapping[str, Any] | None = DATABASE, dead: Collection[str] = (), **words: Any
) -> Snapshot:
    settings = WorkloadSettings(data=Data.model_validate(data or {}))
    policy = a_traffic(**{"active_region": "eu-west-1", "failover": "manual", **words})
    ap = a_cluster("ap-1", "ap-south-1", entry=an_entry("192.0.2.3"))
    return a_snapshot(
        [*two_clusters(), ap],
        [linked(web(settings=settings), traffic=[policy])],
        states=dict.fromkeys(dead, State.DOWN),
    )


def decided(
    active: str = "eu-1",
    then: tuple[str, ...] = US_FIRST,
    equal: int = 0,
    gone: Collection[str] = (),
) -> Schedule:
    placed = {each: 2 for each in REGIONS if each not in gone}
    made = a_schedule({"web": placed}, standby=[each for each in placed if each != active])
    said = Active(REGIONS[active], "test", then=then, equal=equal)
    return replace(made, active=FrozenMap({"web": said}))


def carried(
    snapshot: Snapshot, schedule: Schedule | None = None, prior: Prior | None = None, **words: Any
) -> DeliveryPlan:
    said = Settings.model_validate(words)
    return deliver(snapshot, schedule or decided(), prior or Prior(), said)


def answered(plan: DeliveryPlan, *dead: str) -> dict[str, Fraction]:
    """Who is answered while the entries of those clusters are dead."""
    failing = {each.name for each in plan.checks if each.check and each.cluster in dead}
    records = [
        AnswerRecord(each.cluster, each.dns_weight, each.check)
        for each in plan.endpoints[0].records
    ]
    found = shares(records, unhealthy_checks(plan.checks, failing))
    return {name: share for name, share in found.items() if share}


def after(plan: DeliveryPlan) -> Prior:
    prior = the_prior(plan)
    said = {
        each.workload: replace(prior.workloads[each.workload], data=each.data)
        for each in plan.workloads
    }
    return replace(prior, workloads=FrozenMap(said))


def held(plan: DeliveryPlan) -> list[str]:
    return [each.cluster for each in plan.endpoints[0].records if each.held]


def data(plan: DeliveryPlan) -> dict[str, str]:
    return dict(plan.workloads[0].data)


def test_of_two_standbys_of_a_database_one_alone_is_answered() -> None:
    plan = carried(a_fleet())
    assert answered(plan) == {"eu-1": 1}
    assert answered(plan, "eu-1") == {"us-1": 1}
    assert held(plan) == ["ap-1"]
    assert data(plan) == {"primary": "eu-1", "next": "us-east-1"}
    (told,) = findings(plan, codes.ONE_STANDBY_ANSWERS)
    assert not told.blocks
    assert finding_sentence(told) == (
        "one side writes the data of 'web': after a loss Route53 answers 'web.fleet.test' with"
        " us-east-1 alone; held out until an update leads there: ap-south-1"
    )
    assert names_at_once(plan.endpoints, decided(), {"eu-1", "us-1"}) == (("web.fleet.test",), ())


def test_a_standby_that_is_held_out_has_a_check_that_is_never_healthy() -> None:
    plan = carried(a_fleet())
    by_cluster = {each.cluster: each for each in plan.endpoints[0].records}
    checks = {each.name: each for each in plan.checks}
    out = checks[by_cluster["ap-1"].check]
    assert out.name.startswith("check/ap-1/never-")
    assert (len(out.children), out.threshold) == (1, 2)
    assert out.name in unhealthy_checks(plan.checks, ())
    assert by_cluster["ap-1"].check_for(100) == out.children[0]
    assert by_cluster["us-1"].check_other is None


def test_other_data_is_answered_wherever_it_stands_by() -> None:
    plan = carried(a_fleet({"kind": "cache"}))
    assert answered(plan, "eu-1") == {"us-1": Fraction(1, 2), "ap-1": Fraction(1, 2)}
    assert findings(plan, codes.ONE_STANDBY_ANSWERS) == []
    assert "next" not in data(plan)


LEVERS = [
    pytest.param(RELEASE, ["us-1", "ap-1"], 0, id="a lever holds every one"),
    pytest.param(
        {"routingControls": {"us-east-1": f"{ARN}us"}}, ["us-1"], 0, id="one is left that answers"
    ),
    pytest.param({"out": "https://levers.example/{region}"}, ["ap-1"], 1, id="it holds nobody"),
]


@pytest.mark.parametrize(("lever", "out", "told"), LEVERS)
def test_what_a_lever_holds_is_the_levers(lever: dict[str, Any], out: list[str], told: int) -> None:
    plan = carried(a_fleet(lever=lever))
    assert sorted(held(plan)) == sorted(out)
    assert len(findings(plan, codes.ONE_STANDBY_ANSWERS)) == told


def test_after_the_loss_the_next_is_active_and_another_follows() -> None:
    first = carried(a_fleet())
    dead, schedule = a_fleet(dead=["eu-1"]), decided("us-1", ("ap-south-1",), gone=["eu-1"])
    refused = carried(dead, schedule, after(first))
    assert answered(refused, "eu-1") == {"us-1": 1}
    assert held(refused) == ["ap-1"]
    assert data(refused) == {"primary": "eu-1", "next": "us-east-1"}
    plan = carried(dead, schedule, after(refused), fenced=["eu-1"])
    assert held(plan) == []
    assert answered(plan, "eu-1", "us-1") == {"ap-1": 1}
    assert data(plan) == {"primary": "us-1"}


BY_NAME = ("ap-south-1", "us-east-1")


@pytest.mark.parametrize(
    ("schedule", "told"),
    [
        pytest.param(decided(then=BY_NAME, equal=2), 1, id="nothing tells them apart"),
        pytest.param(decided(then=BY_NAME, equal=1), 0, id="one is better"),
        pytest.param(decided(then=BY_NAME), 0, id="somebody named one"),
        pytest.param(decided(then=BY_NAME, equal=2, gone=["us-1"]), 0, id="one stands by"),
    ],
)
def test_preview_says_where_nothing_but_a_name_decides(schedule: Schedule, told: int) -> None:
    plan = carried(a_fleet({}, failover="automatic"), schedule)
    found = findings(plan, codes.NEXT_BY_NAME)
    assert len(found) == told
    sentence = (
        "after a loss of eu-west-1 the next update leads 'web.fleet.test' to ap-south-1: of"
        " ap-south-1, us-east-1, which nothing else tells apart, it is the first by name - to"
        " choose, prefer one in the placement policy (affinity.preferred)"
    )
    assert [finding_sentence(each) for each in found] == [sentence] * told


def test_nobody_follows_whom_the_schedule_does_not_know() -> None:
    assert held(carried(a_fleet(), decided(then=()))) == []
    weighted = carried(
        a_fleet({}, mode="weighted", active_region=None, failover="automatic"),
        replace(decided(), active=FrozenMap[Active]()),
    )
    assert findings(weighted, codes.NEXT_BY_NAME) == []
