"""The plan against the prior: shortfall, records, and the movement budget."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from fleet.deliver import deliver
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.decision import Finding, Role, Schedule
from fleet.model.inventory import State
from fleet.model.plan import DeliveryPlan
from fleet.model.prior import Prior, PriorObject
from fleet.model.settings import Settings
from fleet.model.traffic import TrafficPolicy
from tests.builders import a_cluster, a_prior, a_snapshot, a_traffic, linked
from tests.deliver.kit import a_deployment, a_schedule, an_entry, findings, web

REGIONS = {"eu-1": "eu", "eu-2": "eu", "us-1": "us", "ap-1": "ap"}
CLUSTERS = [
    a_cluster(name, region, entry=an_entry(f"192.0.2.{number}"))
    for number, (name, region) in enumerate(REGIONS.items())
]
Placed = Mapping[str, Mapping[str, int]]


def run(  # noqa: PLR0913 - one keyword per circumstance
    now: Placed,
    prior: Prior | Placed,
    *,
    states: Mapping[str, State] | None = None,
    traffic: Sequence[TrafficPolicy] = (),
    standby: Sequence[str] = (),
    active: Mapping[str, str] | None = None,
    shortfall: Mapping[str, int] | None = None,
    doorless: Sequence[str] = (),
    **words: Any,
) -> DeliveryPlan:
    items = [
        linked(
            web(a_deployment(name), name=name),
            traffic=[t for t in traffic if t.spec.workload == name],
        )
        for name in now
    ]
    clusters = [each for each in CLUSTERS if each.name not in doorless]
    clusters += [a_cluster(name, REGIONS[name]) for name in doorless]
    snapshot = a_snapshot(clusters, items, states=states)
    schedule = a_schedule(now, standby=standby, active=active, shortfall=shortfall)
    before = prior if isinstance(prior, Prior) else a_prior(prior)
    return deliver(snapshot, schedule, before, Settings.model_validate(words))


def breaches(plan: DeliveryPlan) -> dict[str, tuple[int, int, str]]:
    return {
        str(each.values["limit"]): (
            int(each.values["counted"]),
            int(each.values["allowed"]),
            str(each.values["what"]),
        )
        for each in findings(plan, codes.MOVEMENT_BUDGET)
        if each.blocks
    }


def percent(now: Mapping[str, int], before: Mapping[str, int], **fields: Any) -> int | None:
    """The percent that a run of one workload moves, where it is more than nothing."""
    budget = {"replicas_percent": 0, "clusters_emptied": 9}
    plan = run({"web": now}, {"web": before}, movement_budget=budget, **fields)
    found = breaches(plan).get("replicasPercent")
    return found[0] if found else None


MOVES = [
    pytest.param({"eu-1": 4}, {"eu-1": 4}, None, id="nothing moves"),
    pytest.param({"eu-1": 9}, {"eu-1": 4}, None, id="more is no movement"),
    pytest.param({"eu-1": 3, "us-1": 1}, {"eu-1": 4}, 25, id="one of four moves"),
    pytest.param({"us-1": 4}, {"eu-1": 4}, 100, id="all move"),
    pytest.param(
        {"eu-1": 2, "us-1": 2}, {"eu-1": 3, "us-1": 3}, None, id="the file asks for fewer"
    ),
    pytest.param({"eu-1": 1}, {"eu-1": 3, "us-1": 3}, 50, id="a cluster that is left counts whole"),
    pytest.param({"eu-1": 1, "us-1": 4}, {"eu-1": 3, "us-1": 3}, 17, id="fewer, and some move"),
    pytest.param({"eu-1": 1}, {"eu-1": 1, "us-1": 2}, 67, id="rounded up"),
    pytest.param({"eu-1": 4, "us-1": 0}, {"eu-1": 2, "us-1": 2}, 50, id="selected, without any"),
]


@pytest.mark.parametrize(("now", "before", "expected"), MOVES)
def test_replicas_that_move_are_counted(
    now: Mapping[str, int], before: Mapping[str, int], expected: int | None
) -> None:
    assert percent(now, before) == expected


@pytest.mark.parametrize("state", [State.DRAINING, State.DOWN, State.DECOMMISSIONED])
def test_a_cluster_that_was_named_does_not_count(state: State) -> None:
    assert percent({"us-1": 4}, {"eu-1": 4}, states={"eu-1": state}) is None


def test_what_leaves_a_named_cluster_does_not_hide_what_leaves_another() -> None:
    before = {"eu-1": 4, "us-1": 4}
    assert percent({"ap-1": 8}, before, states={"eu-1": State.DOWN}) == 50


def test_what_was_not_placed_is_movement_and_no_wish() -> None:
    assert percent({"eu-1": 2}, {"eu-1": 4}, shortfall={"web": 2}) == 50


def switched(active: str, *, wanted: str | None = "us") -> int | None:
    """`web` runs in eu with a standby in us; both sides change places."""
    roles = {"web": {"eu-1": Role.ACTIVE, "us-1": Role.STANDBY}}
    policy = a_traffic("name", "web", active_region=wanted)
    plan = run(
        {"web": {"us-1": 4, "eu-1": 2}},
        a_prior({"web": {"eu-1": 4, "us-1": 2}}, roles),
        traffic=[policy],
        standby=["eu-1" if active == "us" else "us-1"],
        active={"name": active},
        movement_budget={"replicas_percent": 0},
    )
    found = breaches(plan).get("replicasPercent")
    return found[0] if found else None


def test_a_changed_active_region_does_not_count() -> None:
    assert switched("us") is None


def test_the_same_active_region_counts() -> None:
    assert switched("eu", wanted="eu") == 34


def test_a_fallback_that_nobody_named_counts() -> None:
    assert switched("us", wanted="eu") == 34
    assert switched("us", wanted=None) == 34


def test_an_emptied_cluster_is_counted() -> None:
    now = {"web": {"eu-1": 4}, "api": {"eu-1": 1, "ap-1": 1}}
    before = {"web": {"eu-1": 2, "us-1": 1, "ap-1": 1}, "api": {"eu-1": 1, "ap-1": 1, "eu-2": 0}}
    budget = {"clusters_emptied": 0, "replicas_percent": 100}
    assert breaches(run(now, before, movement_budget=budget)) == {"clustersEmptied": (1, 0, "us-1")}


def test_a_named_cluster_may_be_emptied() -> None:
    budget = {"clusters_emptied": 0, "replicas_percent": 100}
    plan = run(
        {"web": {"eu-1": 4}},
        {"web": {"us-1": 4}},
        states={"us-1": State.DRAINING},
        movement_budget=budget,
    )
    assert breaches(plan) == {}


def test_removed_workloads_are_counted_once() -> None:
    before = {"web": {"eu-1": 4}, "a": {"us-1": 9}, "b": {"us-1": 9}}
    assert breaches(run({"web": {"eu-1": 4}}, before)) == {"workloadsRemoved": (2, 1, "a, b")}


def test_one_workload_may_be_removed() -> None:
    assert breaches(run({"web": {"eu-1": 4}}, {"web": {"eu-1": 4}, "a": {"us-1": 9}})) == {}


def records_before(*names: str, policy: str = "name") -> Prior:
    return Prior(known=True, dns_weights=FrozenMap({policy: FrozenMap(dict.fromkeys(names, 1))}))


def test_removed_records_are_counted_but_not_of_named_clusters() -> None:
    policy = a_traffic("name", "web", mode="weighted")
    prior = records_before("eu-1", "eu-2", "us-1", "ap-1")
    plan = run(
        {"web": {"eu-1": 4}},
        prior,
        traffic=[policy],
        states={"ap-1": State.DOWN},
        doorless=["eu-2", "us-1", "ap-1"],
    )
    assert breaches(plan) == {"recordsRemoved": (2, 1, "name/eu-2, name/us-1")}
    told = [each.values["cluster"] for each in findings(plan, codes.DELETE_RECORD)]
    assert told == ["ap-1", "eu-2", "us-1"]


def test_a_policy_that_is_gone_takes_its_last_records_only_with_consent() -> None:
    record = PriorObject("name/eu-1", "aws:route53/record:Record")
    prior = Prior(known=True, records=FrozenMap({record.name: record}))
    plan = run({"web": {"eu-1": 4}}, prior)
    (last,) = findings(plan, codes.LAST_RECORD)
    assert last == Finding(
        codes.LAST_RECORD, FrozenMap({"policy": "name", "clusters": "eu-1"}), None, blocks=True
    )
    assert len(findings(plan, codes.DELETE_RECORD)) == 1
    other = run({"web": {"eu-1": 4}}, Prior(known=True))
    assert other.digest != plan.digest


@pytest.mark.parametrize("state", [State.DOWN, State.DECOMMISSIONED])
def test_the_record_of_a_dead_target_is_no_last_one(state: State) -> None:
    plan = run({"web": {"us-1": 4}}, records_before("eu-1"), states={"eu-1": state})
    assert findings(plan, codes.LAST_RECORD) == []


def test_without_a_prior_nothing_is_counted() -> None:
    plan = run({"web": {"eu-1": 4}}, Prior())
    assert plan.findings[1:] == ()


def shortage(
    before: Mapping[str, int] | None, *, states: Mapping[str, State] | None = None
) -> tuple[dict[str, str | int], bool]:
    prior = Prior() if before is None else a_prior({"web": before})
    plan = run({"web": {"us-1": 3}}, prior, states=states, shortfall={"web": 3})
    (found,) = findings(plan, codes.SHORTFALL)
    return dict(found.values), found.blocks


def test_a_shortfall_is_told() -> None:
    assert shortage(None) == ({"workload": "web", "placed": 3, "wanted": 6}, False)
    assert shortage({"us-1": 3}) == (
        {"workload": "web", "placed": 3, "wanted": 6, "before": 3},
        False,
    )


def test_a_shortfall_that_loses_replicas_needs_consent() -> None:
    assert shortage({"eu-1": 2, "us-1": 2})[1]


def test_a_shortfall_after_a_named_loss_needs_none() -> None:
    assert not shortage({"eu-1": 4, "us-1": 2}, states={"eu-1": State.DOWN})[1]


def test_a_shortfall_after_a_named_switch_needs_none() -> None:
    roles = {"web": {"eu-1": Role.ACTIVE, "us-1": Role.STANDBY}}
    plan = run(
        {"web": {"us-1": 3}},
        a_prior({"web": {"eu-1": 4, "us-1": 2}}, roles),
        traffic=[a_traffic("name", "web", active_region="us")],
        active={"name": "us"},
        shortfall={"web": 1},
    )
    (found,) = findings(plan, codes.SHORTFALL)
    assert not found.blocks


def test_a_parked_record_alone_holds_no_cluster_in_the_inventory() -> None:
    prior = Prior(known=True, dns_weights=FrozenMap({"web": FrozenMap({"gone-1": 0})}))
    plan = deliver(a_snapshot([a_cluster("eu-1")], []), Schedule(()), prior, Settings())
    assert not plan.endpoints
