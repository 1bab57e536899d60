"""Who holds the primary of replicated data: steps, fencing, handovers in two updates."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from fleet.deliver import deliver
from fleet.deliver.handover import with_handovers
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.data import Data
from fleet.model.decision import Active, Role, Schedule
from fleet.model.inventory import GONE, State
from fleet.model.plan import DataStep, DeliveryPlan, WorkloadDelivery
from fleet.model.prior import Prior, PriorObject
from fleet.model.settings import Settings
from fleet.model.snapshot import Handing, Snapshot
from fleet.model.source import Source
from fleet.model.workload import WorkloadSettings
from tests.builders import a_cluster, a_snapshot, a_traffic, an_override, linked
from tests.deliver.kit import (
    a_deployment,
    a_schedule,
    an_entry,
    an_object,
    faults_of,
    findings,
    objects_on,
    the_prior,
    two_clusters,
    web,
)

DATA: dict[str, Any] = {
    "kind": "replicated",
    "replication": {"how": "async", "to": ["eu-west-1", "us-east-1"], "lag_seconds": 5},
}
PROMOTION = {**DATA, "promotion": "orders-db"}
TOKEN = {**DATA, "handover": {"object": "Cluster/orders", "status": "demotionToken"}}
RULES = [
    {
        "target": {"kind": "Cluster"},
        "patch": [
            {"op": "add", "path": "/spec/replica/primary", "value": "orders-${data.primary}"},
        ],
    },
    {
        "target": {"kind": "Cluster"},
        "where": {"roles": ["active"]},
        "optional": True,
        "patch": [
            {"op": "add", "path": "/spec/replica/promotionToken", "value": "${data.token}"},
        ],
    },
]
CR = an_object(
    "Cluster",
    "orders",
    api="postgresql.cnpg.io/v1",
    namespace="shop",
    spec={"instances": 3, "replica": {"source": "orders"}},
)
CR_NAME = "web/eu-1/Cluster/shop/orders"


def a_fleet(
    data: Mapping[str, Any] = PROMOTION,
    states: Mapping[str, State] | None = None,
    active: str = "eu-west-1",
    *,
    mode: str = "active-standby",
) -> Snapshot:
    settings = WorkloadSettings(data=Data.model_validate(data))
    standby = {"active_region": active, "failover": "manual"}
    region = standby if mode == "active-standby" else {}
    policy = a_traffic(mode=mode, **region)
    workload = web(a_deployment(), CR, settings=settings)
    override = an_override(rules=RULES)
    return a_snapshot(
        two_clusters(), [linked(workload, traffic=[policy], overrides=[override])], states=states
    )


def decided(active: str, *gone: str, replicas: int = 2) -> Schedule:
    regions = {"eu-west-1": "eu-1", "us-east-1": "us-1"}
    placed = {each: replicas for each in regions.values() if each not in gone}
    standby = [name for region, name in regions.items() if region != active]
    return a_schedule({"web": placed}, standby=standby, active={"web": active})


def carried(
    snapshot: Snapshot, active: str, prior: Prior | None = None, *gone: str, **words: Any
) -> DeliveryPlan:
    ready = with_handovers(snapshot, prior or Prior())
    region = ready.wanted["web"][0].region if "web" in ready.handovers else active
    return deliver(ready, decided(region, *gone), prior or Prior(), Settings.model_validate(words))


def after(plan: DeliveryPlan, status: Mapping[str, Any] | None = None) -> Prior:
    """What the state says after a plan, and what the operator of the database wrote there."""
    prior = the_prior(plan)
    said = {
        each.workload: replace(prior.workloads[each.workload], data=each.data)
        for each in plan.workloads
    }
    objects = dict(prior.objects)
    if status is not None:
        live = objects[CR_NAME]
        objects[CR_NAME] = PriorObject(live.name, live.token, {**live.body, "status": status})
    return replace(prior, workloads=FrozenMap(said), objects=FrozenMap(objects))


def the_workload(plan: DeliveryPlan) -> WorkloadDelivery:
    (workload,) = plan.workloads
    return workload


def replica_on(plan: DeliveryPlan, cluster: str) -> dict[str, Any]:
    found = objects_on(plan, cluster)["Cluster/shop/orders"]["spec"]["replica"]
    assert isinstance(found, dict)
    return {key: value for key, value in found.items() if key != "source"}


def weights(plan: DeliveryPlan) -> dict[str, int]:
    return {each.cluster: each.dns_weight for each in plan.endpoints[0].records}


def test_on_a_first_run_the_active_side_is_the_primary_and_nothing_steps() -> None:
    plan = carried(a_fleet(), "eu-west-1")
    assert the_workload(plan).step is None
    assert the_workload(plan).data == FrozenMap({"primary": "eu-1"})
    assert [replica_on(plan, each)["primary"] for each in ("eu-1", "us-1")] == ["orders-eu-1"] * 2
    assert findings(plan, codes.DATA_STEP) == []


def test_what_stays_where_it_is_steps_nowhere() -> None:
    first = carried(a_fleet(), "eu-west-1")
    again = carried(a_fleet(), "eu-west-1", after(first))
    assert the_workload(again).step is None
    assert again.digest == first.digest


def test_a_switch_has_a_step_with_its_command() -> None:
    first = carried(a_fleet(), "eu-west-1")
    plan = carried(a_fleet(active="us-east-1"), "us-east-1", after(first))
    step = the_workload(plan).step
    assert step is not None
    assert (step.region, step.clusters, step.previous) == ("us-east-1", ("us-1",), ("eu-1",))
    assert (step.promotion, step.lost, step.unfenced) == ("orders-db", (), ())
    assert weights(plan) == {"eu-1": 0, "us-1": 100}
    assert the_workload(plan).data == FrozenMap({"primary": "us-1"})
    (told,) = findings(plan, codes.DATA_STEP)
    assert dict(told.values) == {
        "workload": "web",
        "region": "us-east-1",
        "previous": "eu-1",
        "promotion": "orders-db",
    }


def test_a_prior_that_says_nothing_of_data_is_read_by_its_roles() -> None:
    prior = the_prior(carried(a_fleet(), "eu-west-1"))
    plan = carried(a_fleet(DATA, active="us-east-1"), "us-east-1", prior)
    assert the_workload(plan).step == DataStep(
        "web",
        "us-east-1",
        ("us-1",),
        ("eu-1",),
        source=Source("workloads/web/deployment.yaml", 1, 1),
    )
    assert "promotion" not in findings(plan, codes.DATA_STEP)[0].values


def test_a_dead_side_that_nobody_fenced_refuses_the_step_and_holds_the_names() -> None:
    first = carried(a_fleet(), "eu-west-1")
    dead = a_fleet(states={"eu-1": State.DOWN})
    plan = carried(dead, "us-east-1", after(first), "eu-1", fenced=["ap-1"])
    step = the_workload(plan).step
    assert step is not None
    assert (step.lost, step.unfenced) == (("eu-1",), ("eu-1",))
    assert the_workload(plan).data == FrozenMap({"primary": "eu-1"})
    assert replica_on(plan, "us-1") == {"primary": "orders-eu-1"}
    assert weights(plan) == {"eu-1": 100, "us-1": 0}
    workload = the_workload(plan)
    assert [each.role for each in workload.deliveries] == [Role.STANDBY]
    assert workload.decision is not None
    assert [each.role for each in workload.decision.assignments] == [Role.STANDBY]
    assert workload.held == FrozenMap({"us-1": "eu-1"})
    (told,) = findings(plan, codes.FENCE_FIRST)
    assert not told.blocks
    assert dict(told.values) == {
        "workload": "web",
        "region": "us-east-1",
        "previous": "eu-1",
        "clusters": "eu-1",
        "index": 1,
    }


@pytest.mark.parametrize(
    ("word", "state", "told"),
    [
        ("eu-1", State.ACTIVE, True),
        ("eu-west-1", State.DRAINING, True),
        ("eu-1", State.DOWN, False),
        ("eu-west-1", State.DECOMMISSIONED, False),
        ("nowhere", State.ACTIVE, False),
    ],
)
def test_a_fence_around_what_lives_is_told(word: str, state: State, *, told: bool) -> None:
    fleet, lost = a_fleet(states={"eu-1": state}), state in GONE
    plan = carried(fleet, *(("us-east-1", None, "eu-1") if lost else ("eu-west-1",)), fenced=[word])
    assert [each.values["word"] for each in findings(plan, codes.FENCED_IDLE)] == [word] * told


@pytest.mark.parametrize("word", ["eu-1", "eu-west-1"])
def test_a_fenced_side_lets_the_step_go_on_also_an_update_later(word: str) -> None:
    states = {"eu-1": State.DOWN}
    first = carried(a_fleet(), "eu-west-1")
    refused = carried(a_fleet(states=states), "us-east-1", after(first), "eu-1")
    plan = carried(a_fleet(states=states), "us-east-1", after(refused), "eu-1", fenced=[word])
    step = the_workload(plan).step
    assert step is not None
    assert (step.lost, step.unfenced) == (("eu-1",), ())
    assert replica_on(plan, "us-1") == {"primary": "orders-us-1", "promotionToken": ""}
    assert weights(plan) == {"eu-1": 0, "us-1": 100}
    assert findings(plan, codes.FENCE_FIRST) == []
    assert the_workload(plan).held == FrozenMap()
    assert [each.role for each in the_workload(plan).deliveries] == [Role.ACTIVE]


def test_a_side_that_is_gone_from_the_inventory_was_lost_too() -> None:
    first = carried(a_fleet(), "eu-west-1")
    prior = after(first)
    past = replace(prior.workloads["web"], data=FrozenMap({"primary": "ap-1"}))
    lost = replace(prior, workloads=FrozenMap({"web": past}))
    plan = carried(a_fleet(active="us-east-1"), "us-east-1", lost)
    (told,) = findings(plan, codes.FENCE_FIRST)
    assert told.values["clusters"] == "ap-1"


def test_a_primary_that_is_given_up_unfenced_is_refused_because_its_records_would_go() -> None:
    first = carried(a_fleet(), "eu-west-1")
    gone = a_fleet(states={"eu-1": State.DECOMMISSIONED})
    (fault,) = faults_of(gone, decided("us-east-1", "eu-1"), after(first), fenced=["ap-1"])
    assert "the primary of 'web' is on eu-1, given up by 'decommissioned'" in fault
    assert fault.endswith("pulumi config set --path 'fenced[1]' eu-1")
    plan = carried(gone, "us-east-1", after(first), "eu-1", fenced=["eu-1"])
    assert weights(plan) == {"us-1": 100}


def test_a_primary_without_names_that_is_given_up_stands_by() -> None:
    first = carried(a_fleet(), "eu-west-1")
    gone = a_fleet(states={"eu-1": State.DECOMMISSIONED})
    (item,) = gone.linked
    nameless = replace(gone, linked=(replace(item, traffic=()),))
    plan = carried(nameless, "us-east-1", after(first), "eu-1")
    assert the_workload(plan).held == FrozenMap({"us-1": "eu-1"})


def test_data_that_runs_nowhere_keeps_its_primary() -> None:
    first = carried(a_fleet(), "eu-west-1")
    down = {"eu-1": State.DOWN, "us-1": State.DOWN}
    plan = carried(a_fleet(states=down), "eu-west-1", after(first), "eu-1", "us-1")
    assert the_workload(plan).data == FrozenMap({"primary": "eu-1"})
    assert the_workload(plan).step is None
    nothing = carried(a_fleet(states=down), "eu-west-1", None, "eu-1", "us-1")
    assert [dict(each.data) for each in nothing.workloads] == [{}]


def two_sides(snapshot: Snapshot, standby: Sequence[str] = ()) -> list[str]:
    schedule = a_schedule({"web": {"eu-1": 2, "us-1": 2}}, standby=standby)
    return [each for each in faults_of(snapshot, schedule) if "active sides" in each]


def test_two_active_sides_are_an_invalid_plan() -> None:
    (fault,) = two_sides(a_fleet(mode="weighted"))
    assert fault.startswith(
        "workloads/web/deployment.yaml:1:1: spec.data: the replicated data of 'web' would have 2"
        " active sides: eu-west-1, us-east-1 - one side writes"
    )
    assert two_sides(a_fleet(mode="weighted"), ["us-1"]) == []
    assert two_sides(a_fleet({"kind": "cache"}, mode="weighted")) == []


def test_with_a_handover_each_cluster_is_a_side() -> None:
    (fault,) = two_sides(a_fleet(TOKEN, mode="weighted"))
    assert "2 active sides: eu-1, us-1" in fault


def test_a_handover_demotes_first_and_moves_nothing_else() -> None:
    first = carried(a_fleet(TOKEN), "eu-west-1")
    plan = carried(a_fleet(TOKEN, active="us-east-1"), "us-east-1", after(first))
    assert replica_on(plan, "eu-1") == {"primary": "orders-us-1"}
    assert replica_on(plan, "us-1") == {"primary": "orders-eu-1"}
    assert weights(plan) == {"eu-1": 100, "us-1": 0}
    assert the_workload(plan).step is None
    assert the_workload(plan).data == FrozenMap({"primary": "eu-1", "to": "us-east-1", "stale": ""})
    (told,) = findings(plan, codes.HANDOVER_FIRST)
    assert dict(told.values) == {
        "workload": "web",
        "clusters": "eu-1",
        "region": "us-east-1",
        "object": "Cluster/orders",
        "status": "demotionToken",
    }


def handed_over(status: Mapping[str, Any] | None, before: Mapping[str, Any] | None = None) -> Prior:
    first = carried(a_fleet(TOKEN), "eu-west-1")
    switch = a_fleet(TOKEN, active="us-east-1")
    return after(carried(switch, "us-east-1", after(first, before)), status)


def test_the_next_update_promotes_with_the_token_and_keeps_it() -> None:
    switch = a_fleet(TOKEN, active="us-east-1")
    plan = carried(switch, "us-east-1", handed_over({"demotionToken": "T1"}))
    promoted = {"primary": "orders-us-1", "promotionToken": "T1"}
    assert replica_on(plan, "us-1") == promoted
    assert replica_on(plan, "eu-1") == {"primary": "orders-us-1"}
    assert weights(plan) == {"eu-1": 0, "us-1": 100}
    assert the_workload(plan).data == FrozenMap({"primary": "us-1", "token": "T1"})
    assert the_workload(plan).step is not None
    again = carried(switch, "us-east-1", after(plan))
    assert the_workload(again).step is None
    assert again.digest != plan.digest, "a plan that promotes is another one"
    assert carried(switch, "us-east-1", after(again)).digest == again.digest
    assert replica_on(again, "us-1") == promoted


WAITS = [
    pytest.param(None, None, id="the state has no status"),
    pytest.param({"phase": "demoting"}, None, id="no token yet"),
    pytest.param({"demotionToken": 7}, None, id="something else stands there"),
    pytest.param({"demotionToken": "T0"}, {"demotionToken": "T0"}, id="a token of long ago"),
]


@pytest.mark.parametrize(("status", "before"), WAITS)
def test_without_a_new_token_nothing_is_promoted(
    status: dict[str, Any] | None, before: dict[str, Any] | None
) -> None:
    switch = a_fleet(TOKEN, active="us-east-1")
    plan = carried(switch, "us-east-1", handed_over(status, before))
    assert replica_on(plan, "us-1") == {"primary": "orders-eu-1"}
    assert weights(plan) == {"eu-1": 100, "us-1": 0}
    assert len(findings(plan, codes.HANDOVER_FIRST)) == 1


def test_a_token_of_an_object_that_is_gone_is_none() -> None:
    prior = handed_over({"demotionToken": "T1"})
    objects = {name: each for name, each in prior.objects.items() if name != CR_NAME}
    switch = a_fleet(TOKEN, active="us-east-1")
    ready = with_handovers(switch, replace(prior, objects=FrozenMap(objects)))
    assert ready.handovers == FrozenMap({"web": Handing("us-east-1")})


NO_HANDOVER = [
    pytest.param(a_fleet(TOKEN), None, id="a first run"),
    pytest.param(a_fleet(TOKEN), "eu-1", id="nobody switches"),
    pytest.param(a_fleet(DATA, active="us-east-1"), "eu-1", id="no token is needed"),
    pytest.param(
        a_fleet(TOKEN, {"eu-1": State.DOWN}, "us-east-1"), "eu-1", id="a dead primary says nothing"
    ),
    pytest.param(a_fleet(TOKEN, active="us-east-1"), "ap-1", id="a lost primary neither"),
    pytest.param(
        a_fleet(TOKEN, {"us-1": State.DOWN}, "us-east-1"), "eu-1", id="there is nowhere to go"
    ),
    pytest.param(a_fleet(TOKEN, mode="weighted"), "eu-1", id="nobody is active"),
]


@pytest.mark.parametrize(("snapshot", "primary"), NO_HANDOVER)
def test_no_handover(snapshot: Snapshot, primary: str | None) -> None:
    prior = Prior()
    if primary is not None:
        prior = after(carried(a_fleet(TOKEN), "eu-west-1"))
        past = replace(prior.workloads["web"], data=FrozenMap({"primary": primary}))
        prior = replace(prior, workloads=FrozenMap({"web": past}))
    assert with_handovers(snapshot, prior) is snapshot


def test_a_handover_to_a_region_where_nothing_runs_yet() -> None:
    prior = after(carried(a_fleet(TOKEN), "eu-west-1"))
    ready = with_handovers(a_fleet(TOKEN, active="us-east-1"), prior)
    assert ready.wanted["web"] == (Active("eu-west-1", "held until the primary is demoted"),)
    plan = deliver(ready, decided("eu-west-1", "us-1"), prior, Settings())
    assert replica_on(plan, "eu-1") == {"primary": "orders-us-1"}


def test_a_living_primary_does_not_leave_before_it_is_demoted() -> None:
    prior = after(carried(a_fleet(TOKEN), "eu-west-1"))
    drained = a_fleet(TOKEN, {"eu-1": State.DRAINING})
    (fault,) = faults_of(with_handovers(drained, prior), decided("us-east-1", "eu-1"), prior)
    assert fault == (
        "workloads/web/deployment.yaml:1:1: spec.data.handover: 'web' would leave its primary on"
        " eu-1 before it is demoted - switch activeRegion first, which takes two updates, and drain"
        " it then"
    )


def test_a_fenced_primary_is_promoted_without_a_token() -> None:
    prior = after(carried(a_fleet(TOKEN), "eu-west-1"))
    dead = a_fleet(TOKEN, {"eu-1": State.DOWN})
    plan = carried(dead, "us-east-1", prior, "eu-1", fenced=["eu-1"])
    assert replica_on(plan, "us-1") == {"primary": "orders-us-1", "promotionToken": ""}


def shared(states: Mapping[str, State] | None = None, *, named: bool = True) -> Snapshot:
    """Two clusters in the active region, which are one side; `named`: the files ask for one."""
    fleet = a_fleet()
    more = a_cluster("eu-0", "eu-west-1", entry=an_entry("192.0.2.3"))
    (item,) = fleet.linked
    item = item if named else replace(item, overrides=())
    return a_snapshot([more, *fleet.clusters], [item], states=states)


def sharing(snapshot: Snapshot, prior: Prior, *places: str, **said: Any) -> DeliveryPlan:
    """The plan with these clusters running it, us-1 as the standby."""
    placed = a_schedule(
        {"web": dict.fromkeys([*places, "us-1"], 2)}, standby=["us-1"], active={"web": "eu-west-1"}
    )
    return deliver(snapshot, placed, prior, Settings(**said))


def seen(plan: DeliveryPlan, *places: str) -> list[str]:
    return [replica_on(plan, each)["primary"] for each in places]


def test_a_cluster_more_in_the_region_leaves_the_primary_where_it_is() -> None:
    first = sharing(shared(), Prior(), "eu-1")
    plan = sharing(shared(), after(first), "eu-0", "eu-1")
    assert seen(plan, "eu-0", "eu-1", "us-1") == ["orders-eu-1"] * 3
    assert the_workload(plan).data == FrozenMap({"primary": "eu-1,eu-0"})
    assert the_workload(plan).step is None
    again = sharing(shared(), after(plan), "eu-0", "eu-1")
    assert again.digest == plan.digest


def test_who_comes_back_does_not_take_the_primary() -> None:
    prior = after(sharing(shared(), Prior(), "eu-1"))
    past = replace(prior.workloads["web"], data=FrozenMap({"primary": "eu-1"}))
    plan = sharing(shared(), replace(prior, workloads=FrozenMap({"web": past})), "eu-0", "eu-1")
    assert seen(plan, "eu-0", "us-1") == ["orders-eu-1"] * 2


def test_a_dead_primary_is_replaced_in_its_region_only_when_it_is_fenced() -> None:
    first = sharing(shared(), Prior(), "eu-0", "eu-1")
    assert the_workload(first).data == FrozenMap({"primary": "eu-0,eu-1"})
    dead = shared({"eu-0": State.DOWN})
    held = sharing(dead, after(first), "eu-1")
    step = the_workload(held).step
    assert step is not None
    assert (step.lost, step.unfenced) == (("eu-0",), ("eu-0",))
    assert seen(held, "eu-1", "us-1") == ["orders-eu-0"] * 2
    assert [dict(each.values)["clusters"] for each in findings(held, codes.FENCE_FIRST)] == ["eu-0"]
    assert {each.cluster: each.role for each in the_workload(held).deliveries}[
        "eu-1"
    ] is Role.ACTIVE
    plan = sharing(dead, after(held), "eu-1", fenced=["eu-0"])
    assert seen(plan, "eu-1", "us-1") == ["orders-eu-1"] * 2
    assert [dict(each.values)["previous"] for each in findings(plan, codes.DATA_STEP)] == [
        "eu-0, eu-1"
    ]


def test_a_primary_that_leaves_its_region_alive_is_a_step() -> None:
    first = sharing(shared(), Prior(), "eu-0", "eu-1")
    plan = sharing(shared({"eu-0": State.DRAINING}), after(first), "eu-1")
    assert seen(plan, "eu-1", "us-1") == ["orders-eu-1"] * 2
    assert len(findings(plan, codes.DATA_STEP)) == 1


def test_a_side_whose_files_name_no_cluster_is_the_region() -> None:
    first = sharing(shared(named=False), Prior(), "eu-0", "eu-1")
    plan = sharing(shared({"eu-0": State.DOWN}, named=False), after(first), "eu-1")
    assert the_workload(plan).step is None
    assert the_workload(plan).data == FrozenMap({"primary": "eu-1"})
