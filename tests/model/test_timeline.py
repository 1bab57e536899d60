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


def test_an_update_takes_capacity_data_and_record_changes_besides() -> None:
    spec = a_traffic(ttl_seconds=20, failover="manual").spec
    data = a_data(**REPLICATED, promoteSeconds=40)
    loss = unplanned_loss(spec, data, capacity=100, hops=2)
    assert loss.steps == (("detection", 90), ("capacity", 100), ("data", 40), ("dns", 140))
    assert loss.total == 370
    switch = planned_switch(spec, data, capacity=100)
    assert switch.steps == (("detection", 0), ("capacity", 100), ("data", 40), ("dns", 80))


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
