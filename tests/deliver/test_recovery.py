"""What a loss takes and costs, against what a policy allows."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from fleet.deliver import deliver
from fleet.explain.sentences import finding_sentence
from fleet.model import finding_codes as codes
from fleet.model.data import Data
from fleet.model.decision import Outcome, Verdict
from fleet.model.inventory import State
from fleet.model.plan import DeliveryPlan
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.model.workload import WorkloadSettings
from tests.builders import a_snapshot, a_traffic, linked
from tests.deliver.kit import a_schedule, findings, the_prior, two_clusters, web

ASYNC = {"kind": "replicated", "replication": {"how": "async", "to": ["us-1"], "lag_seconds": 5}}
SYNC = {"kind": "replicated", "replication": {"how": "sync", "to": ["us-east-1"]}}


def planned(
    data: Mapping[str, Any] | None = None,
    state: State = State.ACTIVE,
    recovery: Mapping[str, Any] | None = None,
    **words: Any,
) -> DeliveryPlan:
    settings = WorkloadSettings(data=Data.model_validate(data or {}))
    policy = a_traffic(active_region="eu-west-1", recovery=recovery or {}, **words)
    snapshot = a_snapshot(
        two_clusters(), [linked(web(settings=settings), traffic=[policy])], states={"eu-1": state}
    )
    schedule = a_schedule(
        {"web": {"eu-1": 4, "us-1": 2}}, standby=["us-1"], active={"web": "eu-west-1"}
    )
    return deliver(snapshot, schedule, Prior(), Settings())


def values(plan: DeliveryPlan, code: str) -> list[dict[str, str | int]]:
    return [dict(each.values) for each in findings(plan, code)]


def test_the_rto_is_checked_against_the_timeline() -> None:
    def missed(rto: int) -> list[dict[str, str | int]]:
        return values(planned(ttl_seconds=20, recovery={"rto_seconds": rto}), codes.RTO_MISSED)

    steps = "detection 90 s + spread 10 s + ttl 20 s"
    told = {"policy": "web", "domain": "eu-west-1", "steps": steps, "total": 120}
    assert missed(119) == [{**told, "rto": 119}]
    assert missed(120) == []


def test_a_target_that_an_outage_misses_is_no_new_fault() -> None:
    for state, blocks in ((State.ACTIVE, True), (State.DRAINING, False)):
        (found,) = findings(planned(state=state, recovery={"rto_seconds": 1}), codes.RTO_MISSED)
        assert found.blocks is blocks


def test_where_nobody_answers_any_more_no_loss_is_foretold() -> None:
    words: dict[str, Any] = {"recovery": {"rto_seconds": 300}}
    first = planned(**words)
    item = linked(web(), traffic=[a_traffic(active_region="eu-west-1", **words)])
    dead = {"eu-1": State.DOWN, "us-1": State.DOWN}
    snapshot = a_snapshot(two_clusters(), [item], states=dead)
    plan = deliver(snapshot, a_schedule({"web": {}}), the_prior(first), Settings())
    assert len(findings(first, codes.RECOVERY)) == 1
    assert findings(plan, codes.RECOVERY) == findings(plan, codes.RTO_MISSED) == []


def test_where_an_update_fails_over_capacity_data_and_records_take_their_time() -> None:
    data, lever = {**SYNC, "promote_seconds": 25}, {"release": "https://l.example/{region}"}
    plan = planned(data, standby=50, failover="manual", lever=lever, recovery={"rto_seconds": 500})
    (told,) = values(plan, codes.RTO_MISSED)
    assert told["steps"] == (
        "detection 90 s + spread 10 s + decision 60 s + capacity 300 s + data 25 s + record 60 s"
        " + ttl 60 s"
    )
    assert told["total"] == 605


RPO = [
    pytest.param({}, 0, None, id="no data"),
    pytest.param({"kind": "cache"}, 0, None, id="a cache may be lost"),
    pytest.param(SYNC, 0, None, id="a synchronous copy"),
    pytest.param(ASYNC, 5, None, id="a copy that is behind as far as is allowed"),
    pytest.param(ASYNC, 4, {"kind": "replicated", "lost": 5}, id="a copy that is further behind"),
    pytest.param({"kind": "pinned"}, 999, {"kind": "pinned"}, id="pinned"),
    pytest.param({"kind": "object-storage"}, 9, {"kind": "object-storage"}, id="not copied"),
]


@pytest.mark.parametrize(("data", "rpo", "missed"), RPO)
def test_the_rpo_is_checked_against_the_replication(
    data: dict[str, Any], rpo: int, missed: dict[str, Any] | None
) -> None:
    plan = planned(data, failover="manual", recovery={"rpo_seconds": rpo})
    found = findings(plan, codes.RPO_MISSED)
    wanted = [] if missed is None else [{"policy": "web", "workload": "web", "rpo": rpo, **missed}]
    assert [dict(each.values) for each in found] == wanted
    assert all(each.blocks for each in found)


@pytest.mark.parametrize(
    ("state", "recovery", "blocks"),
    [
        pytest.param(State.ACTIVE, {"rpo_seconds": 60}, True, id="a target is missed"),
        pytest.param(State.DRAINING, {"rpo_seconds": 60}, False, id="an outage is no fault"),
        pytest.param(State.ACTIVE, {}, False, id="nobody has a target"),
    ],
)
def test_a_standby_without_a_copy_is_told(
    state: State, recovery: dict[str, Any], *, blocks: bool
) -> None:
    data = {"kind": "replicated", "replication": {"how": "sync", "to": ["ap-south-1"]}}
    plan = planned(data, state, recovery, failover="manual")
    (found,) = findings(plan, codes.NOT_REPLICATED_THERE)
    assert found.blocks is blocks
    assert found.values["clusters"] == "us-1"
    assert found.values.get("rpo") == recovery.get("rpo_seconds")
    assert findings(planned(SYNC, failover="manual"), codes.NOT_REPLICATED_THERE) == []


def test_both_are_told_where_there_is_a_target_or_data() -> None:
    assert findings(planned(), codes.RECOVERY) == []
    (told,) = values(planned({"kind": "pinned"}, failover="manual"), codes.RECOVERY)
    assert told == {
        "name": "web.fleet.test",
        "domain": "eu-west-1",
        "total": 160,
        "steps": "detection 90 s + spread 10 s + ttl 60 s",
        "switch": 420,
    }
    plan = planned(ASYNC, failover="manual", recovery={"rto_seconds": 300, "rpo_seconds": 60})
    (told,) = values(plan, codes.RECOVERY)
    assert {key: told[key] for key in ("lost", "rto", "rpo")} == {"lost": 5, "rto": 300, "rpo": 60}


@pytest.mark.parametrize(
    ("outcome", "state", "rto", "found"),
    [
        pytest.param(Outcome.INFEASIBLE, State.ACTIVE, 500, [True], id="a target is never met"),
        pytest.param(Outcome.INFEASIBLE, State.DRAINING, 500, [False], id="an outage is no fault"),
        pytest.param(Outcome.INFEASIBLE, State.ACTIVE, None, [], id="nobody asks"),
        pytest.param(Outcome.FEASIBLE, State.ACTIVE, 500, [], id="it could run elsewhere"),
        pytest.param(None, State.ACTIVE, 500, [], id="nobody judged"),
    ],
)
def test_a_name_with_one_cluster_for_ever_never_recovers(
    outcome: Outcome | None, state: State, rto: int | None, found: list[bool]
) -> None:
    policy = a_traffic(activeRegion="eu-west-1", recovery={"rtoSeconds": rto} if rto else {})
    item = linked(web(), traffic=[policy])
    snapshot = a_snapshot(two_clusters(), [item], states={"us-1": state})
    verdicts = {} if outcome is None else {"us-1": Verdict("us-1", outcome)}
    base = a_schedule({"web": {"eu-1": 4}}, active={"web": "eu-west-1"})
    judged = tuple(replace(each, verdicts=verdicts) for each in base.decisions)
    plan = deliver(snapshot, replace(base, decisions=judged), Prior(), Settings())
    told = findings(plan, codes.NEVER_RECOVERS)
    assert [each.blocks for each in told] == found
    assert len(findings(plan, codes.RECOVERY)) == (rto is not None and not found)
    assert all("can run on no other cluster" in finding_sentence(each) for each in told)


def test_pinned_data_on_one_cluster_is_told_without_a_target() -> None:
    settings = WorkloadSettings(data=Data.model_validate({"kind": "pinned"}))
    item = linked(web(settings=settings), traffic=[a_traffic(activeRegion="eu-west-1")])
    base = a_schedule({"web": {"eu-1": 4}}, active={"web": "eu-west-1"})
    verdicts = {"us-1": Verdict("us-1", Outcome.INFEASIBLE)}
    judged = tuple(replace(each, verdicts=verdicts) for each in base.decisions)
    snapshot = a_snapshot(two_clusters(), [item])
    plan = deliver(snapshot, replace(base, decisions=judged), Prior(), Settings())
    (told,) = findings(plan, codes.NEVER_RECOVERS)
    assert not told.blocks
    assert "allows" not in finding_sentence(told)
