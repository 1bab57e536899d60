"""What a workload finds by itself is confirmed by deciding the whole fleet again."""

import importlib
from collections.abc import Sequence
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings

from fleet.model.change import Edit
from fleet.model.inventory import Cluster
from fleet.model.prior import Prior
from fleet.model.snapshot import Linked, Snapshot
from fleet.schedule import schedule
from fleet.schedule.amend import amended
from tests.builders import (
    a_cluster,
    a_policy,
    a_prior,
    a_quota,
    a_snapshot,
    a_workload,
    linked,
    settings,
)
from tests.schedule import structures
from tests.schedule.flipping import check
from tests.schedule.obstacles import strained

CHANGES = importlib.import_module("fleet.schedule.changes")
REHEARSAL = importlib.import_module("fleet.schedule.rehearsal")
Situation = tuple[Snapshot, Prior]


def tried(items: list[Linked], prior: Prior, **more: Any) -> int:
    """How often the whole run is decided again for the verdict of web on b, in a large fleet."""
    clusters: list[Cluster] = more.pop("clusters", [a_cluster(name) for name in "ab"])
    whole: list[Snapshot] = []

    def noted(snapshot: Snapshot, edits: Sequence[Edit]) -> Snapshot:
        if len(snapshot.linked) > 1:
            whole.append(snapshot)
        return amended(snapshot, edits)

    snapshot = a_snapshot(clusters, items, **more)
    with patch.object(CHANGES, "WHOLE", 0), patch.object(REHEARSAL, "amended", noted):
        assert schedule(snapshot, prior, settings()).changes["web"]["b"]
    return len(whole)


def two(**spec: Any) -> list[Linked]:
    """A workload that is on a only, and another one."""
    only_a = {"required": [{"clusters": ["a"]}]}
    return [
        linked(a_workload("web"), a_policy("web", affinity=only_a, **spec)),
        linked(a_workload("x")),
    ]


SITUATIONS = [
    pytest.param(two(), a_prior(), {}, id="nobody looks at it"),
    pytest.param(two(), a_prior({"web": {"a": 1}}), {}, id="it ran before"),
    pytest.param(two(apart=["x"]), a_prior(), {}, id="it has a neighbour"),
    pytest.param(two(rules="karmada"), a_prior(), {}, id="the rules of Karmada"),
    pytest.param(
        two(), a_prior(), {"quotas": [a_quota(namespaces=["*"], limits={"cpu": 99})]}, id="a quota"
    ),
    pytest.param(
        two(),
        a_prior(),
        {"clusters": [a_cluster(name, nodes=[{"count": 9, "free": {"cpu": 9}}]) for name in "ab"]},
        id="nodes",
    ),
]


@pytest.mark.parametrize(("items", "prior", "more"), SITUATIONS)
def test_what_is_found_alone_is_confirmed(
    items: list[Linked], prior: Prior, more: dict[str, Any]
) -> None:
    assert tried(items, prior, **more) > 0


def test_a_policy_of_two_workloads_is_confirmed() -> None:
    (web, other) = two()
    shared = linked(other.workload, web.placement)
    assert tried([web, shared], a_prior()) > 0


def test_a_change_of_the_inventory_is_confirmed() -> None:
    clusters = [a_cluster("a"), a_cluster("b", cpu=0)]
    items = [linked(a_workload("web")), linked(a_workload("x"))]
    assert tried(items, a_prior(), clusters=clusters) > 0


@hypothesis_settings(max_examples=25)
@given(structures.situations() | strained())
def test_what_is_taken_flips_the_verdict(situation: Situation) -> None:
    snapshot, _ = situation
    with patch.object(CHANGES, "WHOLE", 0):
        made = schedule(snapshot, a_prior(), settings())
        for decision in made.decisions:
            check(snapshot, a_prior(), made, decision.workload, always=False)
