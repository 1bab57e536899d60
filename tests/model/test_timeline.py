"""The arithmetic of recovery, and what may be said of data."""

import pytest
from pydantic import ValidationError

from fleet.model.data import Data
from fleet.model.drill_targets import DrillTargets
from fleet.model.timeline import Need, StepKind, Way, loss_timeline, switch_timeline
from fleet.model.workload import Workload, WorkloadSettings
from tests.builders import a_traffic, a_workload

REPLICATED = {"kind": "replicated", "replication": {"how": "async", "to": ["us"], "lagSeconds": 5}}


def a_data(**words: object) -> Data:
    return Data.model_validate(words, by_alias=True, by_name=False)


LEVER = {"release": "https://levers.example/{region}", "intervalSeconds": 10}
BOTH = Need(Way.UPDATE, lacks=True, promotes=True)
NEEDS = [
    pytest.param(Need(), "detection 30 s + spread 10 s + ttl 20 s", id="Route53 alone"),
    pytest.param(
        Need(lacks=True),
        "detection 30 s + spread 10 s + ttl 20 s",
        id="what answers meanwhile is enough to answer",
    ),
    pytest.param(
        Need(promotes=True),
        "detection 30 s + spread 10 s + decision 60 s + data 40 s + ttl 20 s",
        id="nobody promotes by itself",
    ),
    pytest.param(
        Need(lacks=True, promotes=True),
        "detection 30 s + spread 10 s + decision 60 s + capacity 100 s + data 40 s + ttl 20 s",
        id="the data step comes after the capacity",
    ),
    pytest.param(
        Need(Way.LEVER, lacks=True),
        "detection 30 s + spread 10 s + decision 60 s + release 30 s + ttl 20 s",
        id="the lever needs no update",
    ),
    pytest.param(
        Need(Way.UPDATE),
        "detection 30 s + spread 10 s + decision 60 s + record 60 s + ttl 20 s",
        id="an update changes a record",
    ),
    pytest.param(
        BOTH,
        "detection 30 s + spread 10 s + decision 60 s + capacity 100 s + data 40 s + record 60 s"
        " + ttl 20 s",
        id="everything",
    ),
]
SPEC = a_traffic(
    ttl_seconds=20,
    failover="manual",
    lever=LEVER,
    health_check={"interval_seconds": 10, "failure_threshold": 3},
).spec


def a_database() -> Workload:
    data = a_data(**REPLICATED, promoteSeconds=40)
    return a_workload(settings=WorkloadSettings(wait_seconds=100, data=data))


@pytest.mark.parametrize(("need", "spelled"), NEEDS)
def test_a_loss_takes_the_steps_that_it_needs(need: Need, spelled: str) -> None:
    found = loss_timeline(need, SPEC, a_database(), DrillTargets())
    assert found.spelled == spelled
    assert found.total == sum(int(word) for word in spelled.split() if word.isdigit())
    assert (found.by_lever, found.by_update) == (
        need.way is Way.LEVER,
        need.way is not Way.LEVER and "decision" in spelled,
    )


def test_what_is_assumed_can_be_said() -> None:
    words = DrillTargets(decision_seconds=1, record_seconds=2, spread_seconds=3, start_seconds=4)
    found = loss_timeline(BOTH, SPEC, a_database(), words)
    assert [each.seconds for each in found.steps] == [30, 3, 1, 4, 40, 2, 20]
    assert found.dns == 30 + 3 + 2 + 20


def test_a_switch_is_decided_and_seen_before_it_begins() -> None:
    found = switch_timeline(BOTH, SPEC, a_database(), DrillTargets())
    assert found.spelled == "capacity 100 s + data 40 s + record 60 s + ttl 20 s"


def test_the_slowest_child_of_a_calculated_check_is_waited_for() -> None:
    children = [{"port": 1, "intervalSeconds": 10}, {"port": 2, "failureThreshold": 5}]
    spec = a_traffic(health_check={"calculated": {"children": children}}).spec
    found = loss_timeline(Need(), spec, a_workload(), DrillTargets())
    assert found.seconds(StepKind.DETECTION) == 150


@pytest.mark.parametrize(
    ("words", "seconds"),
    [
        pytest.param({}, 0, id="nothing is lost where nothing is"),
        pytest.param({"kind": "cache"}, 0, id="a cache may be lost"),
        pytest.param(REPLICATED, 5, id="as much as the copy is behind"),
        pytest.param(
            {"kind": "replicated", "replication": {"how": "sync", "to": ["us"]}}, 0, id="sync"
        ),
        pytest.param({"kind": "object-storage"}, None, id="a bucket that nobody copies"),
        pytest.param({"kind": "pinned"}, None, id="pinned data goes with its cluster"),
    ],
)
def test_what_a_loss_costs(words: dict[str, object], seconds: int | None) -> None:
    assert a_data(**words).lost_seconds == seconds


@pytest.mark.parametrize(
    ("words", "part"),
    [
        pytest.param({"kind": "replicated"}, "says how", id="replicated without replication"),
        pytest.param(
            {"kind": "cache", "replication": {"how": "sync", "to": ["us"]}},
            "goes with the kinds",
            id="a copied cache",
        ),
        pytest.param({"kind": "cache", "at": ["eu-1"]}, "goes with kind 'pinned'", id="at"),
        pytest.param({"kind": "pinned", "promotion": "x"}, "go with kind", id="promotion"),
        pytest.param(
            {"kind": "replicated", "replication": {"how": "async", "to": ["us"]}},
            "goes with 'how: async'",
            id="async without lag",
        ),
        pytest.param(
            {"kind": "replicated", "replication": {"how": "sync", "to": ["u"], "lagSeconds": 1}},
            "goes with 'how: async'",
            id="sync with lag",
        ),
    ],
)
def test_what_does_not_go_together_is_refused(words: dict[str, object], part: str) -> None:
    with pytest.raises(ValidationError, match=part):
        a_data(**words)
