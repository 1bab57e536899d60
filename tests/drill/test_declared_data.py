"""Data that files declare, in a drill."""

from dataclasses import replace
from typing import Any

import pytest

from fleet.drill.data import DataState, data_of
from fleet.model import drill_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.data import Data, DataKind
from fleet.model.endpoint import EndpointDelivery
from fleet.model.exercise import Item, Result
from fleet.model.inventory import Entry
from fleet.model.outage import answered
from fleet.model.snapshot import Snapshot
from fleet.model.workload import WorkloadSettings
from tests.builders import a_cluster, a_policy, a_snapshot, a_traffic, a_workload, linked
from tests.drill.exercising import check_of, name_of, the_exercise, today

ASYNC = {"how": "async", "to": ["us"], "lag_seconds": 5}
DATA = [
    pytest.param({}, DataState(), False, id="none"),
    pytest.param({"kind": "cache"}, DataState(DataKind.CACHE), False, id="a cache"),
    pytest.param({"kind": "pinned"}, DataState(DataKind.PINNED, None), False, id="pinned"),
    pytest.param(
        {"kind": "replicated", "replication": {"how": "sync", "to": ["us"]}},
        DataState(DataKind.REPLICATED),
        True,
        id="a copy that lacks nothing",
    ),
    pytest.param(
        {"kind": "replicated", "replication": ASYNC, "promote_seconds": 20},
        DataState(DataKind.REPLICATED, 5),
        True,
        id="a copy that lags",
    ),
    pytest.param(
        {"kind": "object-storage"}, DataState(DataKind.OBJECT_STORAGE, None), False, id="a bucket"
    ),
    pytest.param(
        {"kind": "object-storage", "replication": ASYNC},
        DataState(DataKind.OBJECT_STORAGE, 5),
        True,
        id="a bucket with a copy",
    ),
]


@pytest.mark.parametrize(("words", "state", "copied"), DATA)
def test_what_a_workload_declares(words: dict[str, Any], state: DataState, *, copied: bool) -> None:
    settings = WorkloadSettings(data=Data.model_validate(words))
    found = data_of(a_workload(settings=settings))
    assert found == state
    assert found.has_copy is copied


def a_fleet(**spec: Any) -> Snapshot:
    """A database whose primary is in eu, with a copy in us."""
    clusters = [
        a_cluster(f"{region}-1", region, cpu=9, entry=Entry(addresses=(f"192.0.2.{number}",)))
        for number, region in enumerate(("eu", "us"), 1)
    ]
    data = Data.model_validate({"kind": "replicated", "replication": ASYNC, "promote_seconds": 20})
    traffic = a_traffic("web", active_region="eu", standby=100, ttl_seconds=20, **spec)
    workload = a_workload("web", 2, settings=WorkloadSettings(data=data))
    item = linked(workload, a_policy(division={"mode": "weighted"}), traffic=[traffic])
    return a_snapshot(clusters, [item])


def test_a_promotion_is_in_the_timeline_and_its_lag_in_the_checklist() -> None:
    found = the_exercise(a_fleet(health_check={"interval_seconds": 10}), "eu-1")
    assert [str(each.kind) for each in name_of(found).timeline.steps] == [
        "detection",
        "spread",
        "decision",
        "data",
        "ttl",
    ]
    assert name_of(found).afterwards.shares == {"us-1": 1}
    results = {each.item: each.result for each in found.checks if each.subject == "web"}
    assert results[Item.RPO] is Result.PASS
    assert results[Item.DATABASE] is results[Item.NO_DATA_LOSS] is Result.FAIL
    assert check_of(found, Item.DATABASE).values["seconds"] == 30 + 10 + 60 + 20
    assert check_of(found, Item.RPO).values == FrozenMap({"seconds": 5, "limit": 60})


def test_the_loss_of_a_copy_loses_nothing_and_promotes_nothing() -> None:
    found = the_exercise(a_fleet(), "us-1")
    for item in (Item.DATABASE, Item.RPO, Item.NO_DATA_LOSS):
        check = check_of(found, item)
        assert (check.result, check.code) == (Result.PASS, codes.PRIMARY_LIVES)
        assert check.values == {"clusters": "us-1"}
    assert found.starts["web"].steps == ()


def test_a_record_that_is_held_out_is_not_answered() -> None:
    (endpoint,) = today(a_fleet()).plan.endpoints
    both = {"eu-1", "us-1"}
    assert answered(endpoint, both, {"eu-1"}).shares == {"us-1": 1}
    assert answered(held(endpoint), both, {"eu-1"}).nowhere == 1


def held(endpoint: EndpointDelivery) -> EndpointDelivery:
    """The same, with the standby held out."""
    records = tuple(replace(each, held=each.dns_weight == 0) for each in endpoint.records)
    return replace(endpoint, records=records)
