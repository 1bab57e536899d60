"""That a finding about the next update names the region to which a plan of the loss leads."""

from dataclasses import replace

import pytest

from fleet.deliver import deliver
from fleet.drill.nexts import with_true_nexts
from fleet.errors import InvalidError
from fleet.model import finding_codes as codes
from fleet.model.decision import Schedule
from fleet.model.inventory import State
from fleet.model.plan import Outcome
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.model.snapshot import Snapshot
from fleet.schedule import schedule
from tests.builders import a_cluster, a_policy, a_snapshot, a_traffic, linked
from tests.deliver.kit import an_entry, web
from tests.drill.playing import Counting, planned, present

REGIONS = ("ap", "eu", "us")
WEIGHTED = {"mode": "weighted"}


def a_fleet(other: int) -> Snapshot:
    """Three regions of two clusters; `aaa`, decided before `web`, has `other` replicas."""
    clusters = [
        a_cluster(f"{region}{each}", region, cpu=40, entry=an_entry(f"192.0.2.{each}{place}"))
        for place, region in enumerate(REGIONS)
        for each in (1, 2)
    ]
    traffic = [a_traffic(active_region="eu", standby=0, failover="manual")]
    items = [linked(web(replicas=6), a_policy(division=WEIGHTED), traffic=traffic)]
    if other:
        first = web(name="aaa", replicas=other)
        items.append(linked(first, a_policy("aaa", division=WEIGHTED)))
    return a_snapshot(clusters, items)


def delivered(snapshot: Snapshot) -> Outcome:
    outcome = planned(snapshot)
    made = deliver(snapshot, outcome.schedule, outcome.prior, outcome.settings)
    return replace(outcome, plan=made)


def nexts(outcome: Outcome) -> list[object]:
    return [
        each.values["next"] for each in outcome.plan.findings if each.code == codes.NEXT_BY_NAME
    ]


def led_after_the_loss(outcome: Outcome) -> str:
    """Where a plan of its own leads the name, with the clusters of `eu` down in the config."""
    dead = dict.fromkeys(("eu1", "eu2"), State.DOWN)
    down = a_snapshot(outcome.snapshot.clusters, outcome.snapshot.linked, states=dead)
    return schedule(down, present(outcome), outcome.settings).active["web"].region


@pytest.mark.parametrize(
    ("other", "led", "told"),
    [
        pytest.param(0, "ap", ["ap"], id="nothing else moves"),
        pytest.param(12, "ap", ["ap"], id="what moves keeps the balance"),
        pytest.param(6, "us", [], id="what moves tips the balance"),
        pytest.param(30, "us", [], id="what moves tips it with more"),
    ],
)
def test_the_next_region_is_told_where_the_plan_of_the_loss_leads_there(
    other: int, led: str, told: list[str]
) -> None:
    outcome = delivered(a_fleet(other))
    assert nexts(outcome) == ["ap"]
    assert led_after_the_loss(outcome) == led
    found = with_true_nexts(outcome, schedule, present)
    assert nexts(found) == told
    others = [each for each in outcome.plan.findings if each.code != codes.NEXT_BY_NAME]
    assert [each for each in found.plan.findings if each.code != codes.NEXT_BY_NAME] == others


def test_nothing_is_planned_where_nothing_is_told() -> None:
    counting, quiet = Counting(), delivered(a_fleet(2))
    assert with_true_nexts(quiet, counting, present) is quiet
    assert counting.asked == 0
    with_true_nexts(delivered(a_fleet(0)), counting, present)
    assert counting.asked == 1


def test_a_loss_that_no_plan_follows_leads_nowhere() -> None:
    def refuse(*_: Snapshot | Prior | Settings) -> Schedule:
        raise InvalidError([])

    assert nexts(with_true_nexts(delivered(a_fleet(0)), refuse, present)) == []
