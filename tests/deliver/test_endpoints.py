"""The names of a schedule without its objects are those of the whole plan."""

from dataclasses import replace

import pytest

from fleet.deliver import deliver
from fleet.deliver.endpoints import endpoints_of
from fleet.errors import InvalidError
from fleet.model.inventory import Entry
from fleet.model.prior import Prior
from fleet.model.snapshot import Snapshot
from fleet.schedule import schedule
from tests.builders import a_cluster, a_policy, a_snapshot, a_traffic, a_workload, linked, settings


def a_fleet(**traffic: object) -> Snapshot:
    """`web` on two clusters in two regions, under one name."""
    clusters = [
        a_cluster(f"{region}-1", region, cpu=9, entry=Entry(addresses=(f"192.0.2.{number}",)))
        for number, region in enumerate(("eu", "us"), 1)
    ]
    division = {"mode": "weighted"}
    policy = a_traffic("web", **traffic)  # type: ignore[arg-type] # the words of a file
    item = linked(a_workload("web", 4), a_policy(division=division), traffic=[policy])
    return a_snapshot(clusters, [item])


@pytest.mark.parametrize(
    "words",
    [
        pytest.param({"active_region": "eu", "standby": 50}, id="active and standby"),
        pytest.param({"mode": "weighted"}, id="by replicas"),
        pytest.param({"mode": "weighted", "dns_weights": {"us": 7}}, id="by the file"),
        pytest.param(
            {"active_region": "eu", "standby": 0, "failover": "manual"}, id="an empty standby"
        ),
    ],
)
def test_the_names_are_those_of_the_whole_plan(words: dict[str, object]) -> None:
    snapshot = a_fleet(**words)
    decided = schedule(snapshot, Prior(), settings())
    found = endpoints_of(snapshot, decided, Prior())
    whole = deliver(snapshot, decided, Prior(), settings()).endpoints
    assert found == tuple(replace(each, standing="") for each in whole)
    assert [each.dns_name for each in found] == ["web.fleet.test"]


def test_a_name_that_leads_nowhere_is_a_fault() -> None:
    snapshot = a_fleet(mode="weighted", dns_weights={"ap": 1})
    decided = schedule(snapshot, Prior(), settings())
    with pytest.raises(InvalidError, match="'ap' is no cluster and no region"):
        endpoints_of(snapshot, decided, Prior())
