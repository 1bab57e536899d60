"""The arithmetic of recovery, and what may be said of data."""

import pytest
from pydantic import ValidationError

from fleet.model.data import Data
from fleet.model.timeline import Timeline, planned_switch, unplanned_loss
from tests.builders import a_traffic

REPLICATED = {"kind": "replicated", "replication": {"how": "async", "to": ["us"], "lagSeconds": 5}}


def a_data(**words: object) -> Data:
    return Data.model_validate(words, by_alias=True, by_name=False)


def test_route53_alone_takes_detection_and_ttl() -> None:
    fast = {"interval_seconds": 10, "failure_threshold": 3}
    spec = a_traffic(ttl_seconds=20, health_check=fast).spec
    assert unplanned_loss(spec, capacity=300) == Timeline(detection=30, ttl=20)
    assert unplanned_loss(spec).total == 50


RELEASE = {"release": "https://levers.example/{region}/release"}
OUT = {"out": "https://levers.example/{region}/out"}
CONTROL = "arn:aws:route53-recovery-control::123456789012:controlpanel/a/routingcontrol/b"


def test_an_update_takes_capacity_data_and_record_changes_besides() -> None:
    spec = a_traffic(ttl_seconds=20, failover="manual", lever=RELEASE).spec
    data = a_data(**REPLICATED, promoteSeconds=40)
    loss = unplanned_loss(spec, data, capacity=100, hops=2)
    assert loss.steps == (("detection", 90), ("capacity", 100), ("data", 40), ("dns", 140))
    assert loss.total == 370
    switch = planned_switch(spec, data, capacity=100)
    assert switch.steps == (("detection", 0), ("capacity", 100), ("data", 40), ("dns", 80))


WAYS = [
    pytest.param({}, Timeline(90, ttl=60), id="automatic: by itself"),
    pytest.param({"failover": "manual"}, Timeline(90, ttl=60), id="manual without a lever"),
    pytest.param(
        {"failover": "manual", "lever": OUT}, Timeline(90, ttl=60), id="a lever that holds nobody"
    ),
    pytest.param(
        {"failover": "manual", "lever": RELEASE}, Timeline(120, ttl=60), id="the lever releases it"
    ),
    pytest.param(
        {
            "failover": "manual",
            "lever": {"routingControls": {"us-east-1": CONTROL}},
            "active_region": "eu-west-1",
        },
        Timeline(120, ttl=60),
        id="a routing control holds it",
    ),
    pytest.param(
        {
            "failover": "manual",
            "lever": {"routingControls": {"eu-west-1": CONTROL}},
            "active_region": "eu-west-1",
        },
        Timeline(90, ttl=60),
        id="a routing control of the active region holds nobody",
    ),
    pytest.param(
        {"failover": "manual", "standby": 0},
        Timeline(90, 100, record=60, ttl=60),
        id="nothing runs on the standby",
    ),
    pytest.param(
        {"failover": "manual", "mode": "weighted"},
        Timeline(90, ttl=60),
        id="weights leave the dead out by themselves",
    ),
]


@pytest.mark.parametrize(("words", "expected"), WAYS)
def test_a_loss_takes_what_the_data_plane_does(
    words: dict[str, object], expected: Timeline
) -> None:
    assert unplanned_loss(a_traffic(**words).spec, capacity=100) == expected


def test_an_empty_standby_without_replicas_of_its_own_answers_by_itself() -> None:
    spec = a_traffic(failover="manual", standby=0).spec
    assert unplanned_loss(spec, is_counted=False) == Timeline(90, ttl=60)


@pytest.mark.parametrize("failover", ["automatic", "manual"])
def test_data_that_is_promoted_waits_for_an_update_and_its_capacity(failover: str) -> None:
    """Route53 goes over by itself, but no primary is there until an update has promoted one."""
    spec, data = a_traffic(failover=failover).spec, a_data(**REPLICATED, promoteSeconds=40)
    assert unplanned_loss(spec, data, capacity=100) == Timeline(90, 100, 40, ttl=60)


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
