"""What consent is bound to, and what it is not."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet.deliver import deliver
from fleet.model.base import FrozenMap
from fleet.model.decision import Assignment, Decision, Role, Schedule
from fleet.model.inventory import State
from fleet.model.plan import DeliveryPlan
from fleet.model.prior import Prior, PriorWorkload
from fleet.model.settings import Settings
from fleet.model.snapshot import Snapshot
from fleet.model.workload import NamespaceChoice, WorkloadSettings
from tests.builders import a_cluster, a_prior, a_snapshot, a_traffic, linked
from tests.deliver.kit import (
    a_deployment,
    a_schedule,
    an_entry,
    an_object,
    planned,
    two_clusters,
    web,
)

PRIOR = a_prior({"web": {"eu-1": 4, "us-1": 2}, "old": {"eu-1": 1}})


def run(
    schedule: Schedule, prior: Prior = PRIOR, snapshot: Snapshot | None = None, **words: object
) -> str:
    where = snapshot or a_snapshot(two_clusters(), [linked(web(a_deployment(), an_object()))])
    return deliver(where, schedule, prior, Settings.model_validate(words)).digest


BASE = a_schedule({"web": {"eu-1": 4, "us-1": 2}})


def test_a_digest_is_short_hexadecimal() -> None:
    assert len(run(BASE)) == 12
    assert int(run(BASE), 16) >= 0


def test_time_consent_and_reasons_do_not_count() -> None:
    told = replace(BASE, decisions=tuple(replace(each, shortfall=3) for each in BASE.decisions))
    assert run(BASE) == run(BASE, now="2030-01-01T00:00:00Z") == run(BASE, approve="x") == run(told)


DIFFERENT: list[tuple[str, Callable[[], str]]] = [
    ("replicas", lambda: run(a_schedule({"web": {"eu-1": 3, "us-1": 3}}))),
    ("a cluster", lambda: run(a_schedule({"web": {"eu-1": 6}}))),
    ("a role", lambda: run(a_schedule({"web": {"eu-1": 4, "us-1": 2}}, standby=["us-1"]))),
    ("a removal", lambda: run(BASE, a_prior({"web": {"eu-1": 4, "us-1": 2}}))),
    ("an object", lambda: run(BASE, snapshot=a_snapshot(two_clusters(), [linked(web())]))),
]


@pytest.mark.parametrize("name", [name for name, _ in DIFFERENT])
def test_what_happens_counts(name: str) -> None:
    assert dict(DIFFERENT)[name]() != run(BASE)


def test_weights_and_namespaces_count() -> None:
    def plan(active: str, *create: str) -> str:
        settings = WorkloadSettings(namespaces=NamespaceChoice(create=create))
        item = linked(web(settings=settings), traffic=[a_traffic(active_region="eu-west-1")])
        schedule = a_schedule({"web": {"eu-1": 3, "us-1": 3}}, active={"web": active})
        return run(schedule, snapshot=a_snapshot(two_clusters(), [item]))

    assert len({plan("eu-west-1"), plan("us-east-1"), plan("eu-west-1", "shop")}) == 3


def test_a_debt_is_no_removal() -> None:
    def plan(state: State) -> str:
        snapshot = a_snapshot(two_clusters(), [linked(web())], states={"us-1": state})
        return run(a_schedule({"web": {"eu-1": 6}}), snapshot=snapshot)

    assert plan(State.DOWN) != plan(State.DRAINING)


def led(address: str = "192.0.2.1", **fields: Any) -> str:
    """The digest of a plan where a name leads to eu-1 and us-1."""
    spec: dict[str, Any] = {"activeRegion": "eu-west-1", **fields}
    traffic = a_traffic(**spec)
    clusters = [a_cluster("eu-1", "eu-west-1", entry=an_entry(address)), two_clusters()[1]]
    schedule = a_schedule({"web": {"eu-1": 3, "us-1": 3}}, active={"web": "eu-west-1"})
    return run(schedule, snapshot=a_snapshot(clusters, [linked(web(), traffic=[traffic])]))


NAMED: list[tuple[str, Callable[[], str]]] = [
    ("the zone", lambda: led(zone={"name": "fleet.test", "create": True})),
    ("the ttl", lambda: led(ttlSeconds=30)),
    ("an address", lambda: led(address="192.0.2.9")),
    ("what a check asks", lambda: led(healthCheck={"type": "HTTP", "path": "/other"})),
    ("a lever", lambda: led(lever={"out": "https://l.example.org/{policy}/{region}/out"})),
    ("another mode", lambda: led(mode="latency", activeRegion=None)),
]


@pytest.mark.parametrize("name", [name for name, _ in NAMED])
def test_how_a_name_stands_counts(name: str) -> None:
    assert dict(NAMED)[name]() != led()


def test_what_becomes_of_data_counts() -> None:
    def plan(data: dict[str, object], **words: object) -> str:
        settings = WorkloadSettings.model_validate({"data": data})
        item = linked(web(settings=settings), traffic=[a_traffic(active_region="eu-west-1")])
        states = {"eu-1": State.DOWN}
        schedule = a_schedule({"web": {"us-1": 6}}, active={"web": "us-east-1"})
        ran = PriorWorkload(FrozenMap({"eu-1": 6}), FrozenMap({"eu-1": Role.ACTIVE}))
        prior = Prior(known=True, workloads=FrozenMap({"web": ran}))
        return run(schedule, prior, a_snapshot(two_clusters(), [item], states=states), **words)

    copied: dict[str, object] = {
        "kind": "replicated",
        "replication": {"how": "sync", "to": ["us-1"]},
    }
    refused, promoted = plan(copied), plan(copied, fenced=["eu-1"])
    assert len({plan({"kind": "none"}), refused, promoted}) == 3
    item = linked(web(settings=WorkloadSettings.model_validate({"data": copied})))
    stays, first = (
        run(a_schedule({"web": {"eu-1": 6}}), prior, a_snapshot(two_clusters(), [item]))
        for prior in (a_prior({"web": {"eu-1": 6}}), Prior())
    )
    assert stays == first


def test_a_cluster_that_is_given_up_counts() -> None:
    def plan(state: State, replicas: int = 4) -> str:
        snapshot = a_snapshot(two_clusters(), [linked(web())], states={"us-1": state})
        prior = a_prior({"web": {"eu-1": 4, "us-1": replicas}})
        return run(a_schedule({"web": {"eu-1": 6}}), prior, snapshot)

    states = {plan(State.DOWN), plan(State.DOWN, 3), plan(State.DECOMMISSIONED), run(BASE)}
    assert len(states) == 4


@given(st.permutations(["eu-1", "us-1"]), st.permutations(["a", "b", "c"]), st.booleans())
def test_the_order_of_nothing_counts(
    clusters: list[str],
    names: list[str],
    backwards: bool,  # noqa: FBT001 - drawn
) -> None:
    def plan(order: list[str], places: list[str], *, turn: bool) -> DeliveryPlan:
        objects = [a_deployment(), an_object("Service"), an_object("ConfigMap")]
        if turn:
            objects[1:] = reversed(objects[1:])
        made = {
            name: web(
                *(
                    replace(
                        each,
                        name=f"{name}-{each.name}",
                        body={**each.body, "metadata": {"name": f"{name}-{each.name}"}},
                    )
                    for each in objects
                ),
                name=name,
            )
            for name in order
        }
        decisions = tuple(
            Decision(
                name,
                tuple(Assignment(each, 2 if each == "eu-1" else 1, Role.ACTIVE) for each in places),
            )
            for name in order
        )
        snapshot = a_snapshot(two_clusters(), [linked(each) for each in made.values()])
        prior = Prior(
            known=True,
            workloads=FrozenMap(a_prior({name: {"us-1": 9} for name in order}).workloads),
        )
        return deliver(snapshot, Schedule(decisions), prior, Settings())

    straight = plan(["a", "b", "c"], ["eu-1", "us-1"], turn=False)
    turned = plan(names, clusters, turn=backwards)
    assert turned.digest == straight.digest
    assert [each.workload for each in turned.workloads] == ["a", "b", "c"]


def test_a_first_run_of_the_same_is_the_same() -> None:
    assert planned().digest == planned().digest
