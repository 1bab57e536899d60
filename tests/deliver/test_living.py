"""Living targets that an update leaves under a name."""

from collections.abc import Mapping
from typing import Any

import pytest

from fleet.deliver import deliver
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.decision import Role
from fleet.model.inventory import State
from fleet.model.prior import Prior, PriorWorkload
from fleet.model.settings import Settings
from fleet.model.workload import Workload
from tests.builders import a_cluster, a_snapshot, a_traffic, linked
from tests.deliver.kit import a_schedule, an_entry, an_object, findings, web

NAMES = ("ap-1", "eu-1", "us-1")
OPEN = {"replicas_percent": 100, "clusters_emptied": 9, "records_removed": 9}


def left(  # noqa: PLR0913 - one keyword per circumstance
    now: Mapping[str, int],
    least: int,
    *,
    before: Mapping[str, int] | None = None,
    states: Mapping[str, State] | None = None,
    workload: Workload | None = None,
    switched: bool = False,
) -> list[tuple[str | int, ...]]:
    """What breaches `targetsLeft`: how many targets are left, and under which name."""
    clusters = [
        a_cluster(name, f"{name}-region", entry=an_entry(f"192.0.2.{number}"))
        for number, name in enumerate(NAMES, 1)
    ]
    mode = {"active_region": "eu-1-region"} if switched else {"mode": "weighted"}
    policy = a_traffic("name", "web", **mode)
    snapshot = a_snapshot(clusters, [linked(workload or web(), traffic=[policy])], states=states)
    ran = before or dict.fromkeys(NAMES, 2)
    past = PriorWorkload(replicas=FrozenMap(ran), roles=FrozenMap(dict.fromkeys(ran, Role.ACTIVE)))
    weights = FrozenMap({"name": FrozenMap(dict.fromkeys(ran, 1))})
    prior = Prior(known=True, workloads=FrozenMap({"web": past}), dns_weights=weights)
    budget: dict[str, Any] = {**OPEN, "targets_left": least}
    active = {"name": "eu-1-region"} if switched else {}
    schedule = a_schedule({"web": now}, active=active)
    plan = deliver(snapshot, schedule, prior, Settings.model_validate({"movement_budget": budget}))
    found = findings(plan, codes.MOVEMENT_BUDGET)
    assert all(each.blocks and each.values["limit"] == "targetsLeft" for each in found)
    return [(each.values["counted"], each.values["what"]) for each in found]


BREACH = [(1, "name.fleet.test")]


@pytest.mark.parametrize(("least", "found"), [(0, []), (1, []), (2, BREACH), (3, BREACH)])
def test_a_name_keeps_so_many_targets(least: int, found: list[tuple[str | int, ...]]) -> None:
    assert left({"eu-1": 6}, least) == found


def test_a_name_that_never_had_so_many_is_not_asked_for_more() -> None:
    assert left({"eu-1": 2, "us-1": 2}, 3, before={"eu-1": 2, "us-1": 2}) == []
    assert left({"us-1": 2}, 2, before={"eu-1": 2}) == []


def test_what_somebody_took_out_of_use_counts_on_neither_side() -> None:
    states = {"ap-1": State.DOWN, "us-1": State.DRAINING}
    assert left({"eu-1": 6}, 2, states=states) == []
    assert left({"eu-1": 6}, 2, states={"ap-1": State.DOWN}) == BREACH


def test_a_target_without_replicas_does_not_live() -> None:
    assert left({"eu-1": 6, "us-1": 0}, 2) == BREACH
    mapped = an_object(name="web")
    only_there = Workload("web", (mapped,), None, 0, FrozenMap())
    assert left({"eu-1": 0, "us-1": 0}, 2, workload=only_there) == []


def test_a_switch_that_somebody_asked_for_is_not_judged() -> None:
    assert left({"eu-1": 6}, 2, switched=True) == []
