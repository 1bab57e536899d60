"""Pinned data: a workload stays with it, moves only with consent, waits for a dead cluster."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from fleet.deliver import deliver
from fleet.deliver.pins import with_pins
from fleet.explain.sentences import finding_sentence
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.data import Data
from fleet.model.decision import Schedule
from fleet.model.inventory import State
from fleet.model.plan import DeliveryPlan
from fleet.model.prior import Prior
from fleet.model.settings import MovementBudget, Settings
from fleet.model.snapshot import Snapshot
from fleet.model.workload import WorkloadSettings
from fleet.schedule import schedule
from tests.builders import a_cluster, a_policy, a_snapshot, linked
from tests.deliver.kit import findings, the_prior, web

NAMES = ("eu-1", "us-1")


def a_fleet(
    states: Mapping[str, State] | None = None,
    at: Sequence[str] = (),
    kind: str = "pinned",
    **affinity: Any,
) -> Snapshot:
    data = Data.model_validate({"kind": kind, "at": list(at)})
    clusters = [a_cluster(name, f"{name}-region") for name in NAMES]
    policy = a_policy(pick=1, **affinity)
    it = linked(web(replicas=2, settings=WorkloadSettings(data=data)), policy)
    return a_snapshot(clusters, [it], states=states)


def run(snapshot: Snapshot, prior: Prior | None = None) -> tuple[Schedule, DeliveryPlan]:
    before = prior or Prior()
    budget = MovementBudget(replicas_percent=100, clusters_emptied=9)
    settings = Settings(movement_budget=budget)
    pinned = with_pins(snapshot, before)
    decided = schedule(pinned, before, settings)
    return decided, deliver(pinned, decided, before, settings)


def runs_on(plan: DeliveryPlan) -> list[str]:
    return [each.cluster for each in plan.workloads[0].deliveries if each.replicas]


def placed() -> Prior:
    _, plan = run(a_fleet())
    assert runs_on(plan) == ["eu-1"]
    return the_prior(plan)


def test_the_first_placement_is_free_and_the_next_one_is_bound_to_it() -> None:
    decided, plan = run(a_fleet(), placed())
    assert runs_on(plan) == ["eu-1"]
    verdict = decided.decisions[0].verdicts["us-1"]
    assert [dict(each.values) for each in verdict.rejections] == [{"clusters": "eu-1"}]
    assert findings(plan, codes.PINNED_MOVES) == findings(plan, codes.PINNED_WAITS) == []


def test_the_file_may_say_where_it_is() -> None:
    assert runs_on(run(a_fleet(at=["us-1"]))[1]) == ["us-1"]


MOVES = [
    pytest.param(a_fleet(at=["us-1"]), "us-1", id="the file says where it is now"),
    pytest.param(a_fleet({"eu-1": State.DRAINING}), "", id="its cluster is drained"),
    pytest.param(
        a_fleet(affinity={"required": [{"clusters": ["us-1"]}]}), "", id="the policy moves it"
    ),
    pytest.param(a_fleet({"eu-1": State.DECOMMISSIONED}), "us-1", id="its cluster is given up"),
]


@pytest.mark.parametrize(("snapshot", "to"), MOVES)
def test_a_move_needs_consent_also_inside_the_budget(snapshot: Snapshot, to: str) -> None:
    _, plan = run(snapshot, placed())
    (told,) = findings(plan, codes.PINNED_MOVES)
    assert told.blocks
    said = {"said": to} if snapshot.linked[0].workload.settings.data.at else {}
    assert dict(told.values) == {"workload": "web", "clusters": "eu-1", "to": to, **said}
    assert ("start empty" in finding_sentence(told)) == bool(to and not said)
    assert ("says that the data is on us-1 now" in finding_sentence(told)) == bool(said)
    assert runs_on(plan) == ([to] if to else [])
    assert findings(plan, codes.MOVEMENT_BUDGET) == []


def test_a_dead_cluster_is_waited_for_and_blocks_nothing() -> None:
    prior = placed()
    dead = a_fleet({"eu-1": State.DOWN})
    for _ in range(2):
        _, plan = run(dead, prior)
        assert runs_on(plan) == []
        (told,) = findings(plan, codes.PINNED_WAITS)
        assert dict(told.values) == {"workload": "web", "clusters": "eu-1"}
        assert not any(each.blocks for each in plan.findings)
        prior = replace(the_prior(plan), objects=prior.objects)
    _, plan = run(a_fleet(), prior)
    assert runs_on(plan) == ["eu-1"]


def test_other_data_moves_as_it_likes() -> None:
    _, plan = run(a_fleet({"eu-1": State.DRAINING}, kind="cache"), placed())
    assert runs_on(plan) == ["us-1"]
    assert findings(plan, codes.PINNED_MOVES) == []


def test_without_a_past_nothing_is_pinned() -> None:
    snapshot = a_fleet()
    assert with_pins(snapshot, Prior()) is snapshot
    gone = replace(placed(), objects=FrozenMap())
    assert with_pins(a_fleet({"eu-1": State.DECOMMISSIONED}), gone).linked == snapshot.linked
    alone = replace(snapshot, linked=snapshot.linked)
    assert deliver(alone, Schedule(()), Prior(), Settings()).findings == ()
