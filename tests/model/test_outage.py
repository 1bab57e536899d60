"""A public name while clusters are dead: who is answered, and what the end of it takes."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from fleet.model.data import Data
from fleet.model.decision import Assignment, Decision, Role
from fleet.model.drill_targets import DrillTargets
from fleet.model.outage import (
    NO_ANSWER,
    Led,
    answered,
    loses_primary,
    outage_of,
    outage_timeline,
    planned_switch,
    worst_loss,
)
from fleet.model.workload import WorkloadSettings
from tests.builders import a_traffic, a_workload
from tests.explain.outcomes import an_endpoint

HALF = Fraction(1, 2)
CASES = [
    pytest.param({"a": 100, "b": 0}, "ab", "", False, {"a": 1}, 0, id="all lives"),
    pytest.param({"a": 100, "b": 0}, "ab", "a", False, {"b": 1}, 0, id="the standby answers"),
    pytest.param({"a": 100, "b": 0}, "a", "a", False, {"a": 1}, 1, id="all red is all green"),
    pytest.param({"a": 100, "b": 0}, "a", "a", True, {"b": 1}, 1, id="a blind check is green"),
    pytest.param({"a": 1, "b": 1}, "ab", "a", False, {"b": 1}, 0, id="the other half"),
    pytest.param({"a": 1, "b": 1}, "a", "", False, {"a": 1}, 0, id="nothing runs on b"),
    pytest.param({"a": 1, "b": 1}, "a", "", True, {"a": HALF, "b": HALF}, HALF, id="unseen"),
    pytest.param({"a": 0, "b": 0}, "ab", "", False, {"a": HALF, "b": HALF}, 0, id="all zero"),
]


@pytest.mark.parametrize(("weights", "running", "gone", "blind", "shares", "nowhere"), CASES)
def test_answered(  # noqa: PLR0913, PLR0917 - one argument per part of a case
    weights: dict[str, int],
    running: str,
    gone: str,
    blind: bool,  # noqa: FBT001 - a column of the table
    shares: dict[str, Fraction],
    nowhere: Fraction,
) -> None:
    endpoint = an_endpoint({name: (None, weight) for name, weight in weights.items()})
    found = answered(endpoint, running, gone, blind=blind)
    assert (dict(found.shares), found.nowhere) == (shares, nowhere)
    assert sum(found.shares.values()) == 1


def test_a_name_without_records_answers_nobody() -> None:
    assert answered(an_endpoint({}), ["a"]) == NO_ANSWER
    assert NO_ANSWER.nowhere == 1


WORDS = DrillTargets()
REGIONS = {"eu-1": "eu", "eu-2": "eu", "us-1": "us", "us-2": "us", "ap-1": "ap"}
STANDBY = {"eu-1": 50, "eu-2": 50, "us-1": 0}
REPLICATED = Data.model_validate(
    {"kind": "replicated", "replication": {"how": "sync", "to": ["us"]}, "promote_seconds": 40}
)
NO_DATA = Data()


def a_led(
    weights: dict[str, int],
    counts: dict[str, int],
    data: Data = NO_DATA,
    held: str = "",
    **words: Any,
) -> Led:
    """`web` on clusters, its name with weights; a lever holds what is `held`."""
    endpoint = an_endpoint({name: (None, weight) for name, weight in weights.items()})
    records = tuple(replace(each, held=each.cluster in held.split()) for each in endpoint.records)
    placed = tuple(
        Assignment(name, count, Role.ACTIVE if weights.get(name) else Role.STANDBY)
        for name, count in sorted(counts.items())
    )
    lever = {"release": "https://levers.example/{region}"}
    said = {"failover": "manual", "lever": lever} if held else {}
    policy = a_traffic(**{"ttl_seconds": 20, **said, **words}).spec
    settings = WorkloadSettings(wait_seconds=100, data=data)
    workload = a_workload(settings=settings)
    return Led(
        replace(endpoint, records=records), policy, workload, Decision("web", placed), REGIONS
    )


FULL = {"eu-1": 2, "eu-2": 2, "us-1": 4}
HALF_STANDBY = {"eu-1": 2, "eu-2": 2, "us-1": 2}
BY_ITSELF = "detection 90 s + spread 10 s + ttl 20 s"
DECIDED = "detection 90 s + spread 10 s + decision 60 s"
OUTAGES = [
    pytest.param(a_led(STANDBY, HALF_STANDBY), "eu-1 eu-2", BY_ITSELF, id="the standby answers"),
    pytest.param(a_led(STANDBY, HALF_STANDBY), "eu-1", BY_ITSELF, id="half of it is left"),
    pytest.param(a_led(STANDBY, HALF_STANDBY), "us-1", "", id="nobody was led there"),
    pytest.param(
        a_led(STANDBY, {"eu-1": 2, "eu-2": 2}),
        "eu-1 eu-2",
        f"{DECIDED} + capacity 100 s + record 60 s + ttl 20 s",
        id="a record with nothing behind it waits for replicas",
    ),
    pytest.param(
        a_led(STANDBY, HALF_STANDBY, held="us-1"),
        "eu-1 eu-2",
        f"{DECIDED} + release 30 s + ttl 20 s",
        id="a person releases the standby",
    ),
    pytest.param(
        a_led(STANDBY, HALF_STANDBY, held="us-1"),
        "eu-1 eu-2 us-1",
        f"{DECIDED} + capacity 100 s + record 60 s + ttl 20 s",
        id="a dead standby is not released",
    ),
    pytest.param(
        a_led(STANDBY, FULL, REPLICATED),
        "eu-1 eu-2",
        f"{DECIDED} + data 40 s + ttl 20 s",
        id="the primary is lost",
    ),
    pytest.param(
        a_led(STANDBY, FULL, REPLICATED), "eu-1", BY_ITSELF, id="a part of the primary's side lives"
    ),
    pytest.param(
        a_led(STANDBY, HALF_STANDBY, REPLICATED),
        "eu-1 eu-2",
        f"{DECIDED} + capacity 100 s + data 40 s + ttl 20 s",
        id="the data step waits for the replicas that the standby lacks",
    ),
    pytest.param(
        a_led(STANDBY, FULL, REPLICATED, held="us-1"),
        "eu-1 eu-2",
        f"{DECIDED} + data 40 s + record 60 s + ttl 20 s",
        id="a held standby with a copy waits for the update, and starts nothing",
    ),
]


@pytest.mark.parametrize(("led", "gone", "spelled"), OUTAGES)
def test_an_outage_takes(led: Led, gone: str, spelled: str) -> None:
    dead = gone.split()
    assert outage_timeline(led, outage_of(led, dead), dead, WORDS).spelled == spelled


def test_of_two_standbys_one_takes_over() -> None:
    led = a_led({"eu-1": 100, "us-1": 0, "ap-1": 0}, {"eu-1": 4, "us-1": 2, "ap-1": 2}, REPLICATED)
    found = outage_timeline(led, outage_of(led, ["eu-1"]), ["eu-1"], WORDS)
    assert outage_of(led, ["eu-1"]).landing == 4
    assert "capacity 100 s" in found.spelled


@pytest.mark.parametrize(
    ("held", "starts"), [("ap-1", False), ("us-1", True)], ids=["the small one", "the large one"]
)
def test_a_standby_that_is_held_out_takes_nothing_over_beside_one_that_is_not(
    held: str, *, starts: bool
) -> None:
    counts = {"eu-1": 4, "us-1": 4, "ap-1": 2}
    led = a_led({"eu-1": 100, "us-1": 0, "ap-1": 0}, counts, REPLICATED, held)
    found = outage_timeline(led, outage_of(led, ["eu-1"]), ["eu-1"], WORDS)
    assert ("capacity 100 s" in found.spelled) is starts


WEIGHTED: dict[str, Any] = {"mode": "weighted", "ttl_seconds": 20}
WORST = [
    pytest.param(a_led(STANDBY, FULL), "eu", ("eu-1", "eu-2"), id="the active region"),
    pytest.param(
        a_led({"eu-1": 2, "us-1": 2}, {"eu-1": 2, "us-1": 2}, **WEIGHTED),
        "eu",
        ("eu-1", "eu-2"),
        id="the first of several that are alike",
    ),
    pytest.param(
        a_led({"eu-1": 2, "eu-2": 2}, {"eu-1": 2, "eu-2": 2}, **WEIGHTED),
        "eu-1",
        ("eu-1",),
        id="a cluster where all are in one region",
    ),
    pytest.param(
        a_led({"eu-1": 1, "eu-2": 0}, {"eu-1": 2, "eu-2": 2}),
        "eu",
        ("eu-1", "eu-2"),
        id="a region that has no standby",
    ),
]


@pytest.mark.parametrize(("led", "domain", "clusters"), WORST)
def test_the_worst_loss_is(led: Led, domain: str, clusters: tuple[str, ...]) -> None:
    found = worst_loss(led, WORDS)
    assert found is not None
    assert (found.domain, found.clusters) == (domain, clusters)


def test_a_name_without_records_has_no_worst_loss() -> None:
    assert worst_loss(a_led({}, {"eu-1": 2}), WORDS) is None


def test_a_change_of_weights_starts_nothing() -> None:
    led = a_led({"eu-1": 2, "us-1": 2}, {"eu-1": 2, "us-1": 2}, **WEIGHTED)
    assert planned_switch(led, WORDS).spelled == "record 60 s + ttl 20 s"


def test_a_switch_starts_what_the_other_side_lacks() -> None:
    full, half = a_led(STANDBY, FULL), a_led(STANDBY, HALF_STANDBY, REPLICATED)
    assert planned_switch(full, WORDS).spelled == "record 60 s + ttl 20 s"
    assert planned_switch(half, WORDS).spelled == (
        "capacity 100 s + data 40 s + record 60 s + ttl 20 s"
    )


@pytest.mark.parametrize(
    ("data", "gone", "lost"),
    [
        pytest.param(REPLICATED, "eu-1 eu-2", True, id="every active cluster"),
        pytest.param(REPLICATED, "eu-1 us-1", False, id="a part of them"),
        pytest.param(REPLICATED, "us-1", False, id="a copy"),
        pytest.param(NO_DATA, "eu-1 eu-2", False, id="nothing is replicated"),
    ],
)
def test_the_primary_is_lost_with(data: Data, gone: str, *, lost: bool) -> None:
    led = a_led(STANDBY, FULL, data)
    assert loses_primary(led.workload, led.decision, gone.split()) is lost


def test_shares_say_what_they_hang_on() -> None:
    endpoint = an_endpoint({"eu-1": (None, 1)})
    assert answered(endpoint, ["eu-1"]).by == ""
    assert answered(replace(endpoint, form="latency"), ["eu-1"]).by == "latency"
