"""Who gets the traffic by latency, place, failover, several values and aliases.

Source: the tables are the examples and rules of the Route53 Developer Guide, "Choosing a routing
policy" and "How Amazon Route 53 chooses records when health checking is configured".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet.model.answer import Answering
from fleet.model.geography import EVERYWHERE, SOMEBODY, Asker, Location, countries

NAME = "web.example.test"


@dataclass(frozen=True)
class Rec:
    """A record set that says nothing but what a test is about."""

    set_identifier: str
    name: str = NAME
    weight: int | None = None
    failover: str = ""
    region: str = ""
    location: Location | None = None
    multivalue: bool = False
    health_check: str = ""
    alias: str = ""
    evaluate_target_health: bool = False


def answering(records: Sequence[Rec], dead: Sequence[str] = ()) -> Answering[Rec]:
    return Answering(
        lambda name: [each for each in records if each.name == name],
        lambda check: check not in dead,
    )


def answered(records: Sequence[Rec], dead: Sequence[str], asker: Asker) -> dict[str, str]:
    found = answering(records, dead).shares(NAME, asker)
    return {each.set_identifier: str(part) for each, part in found}


def near(*regions: str) -> Asker:
    return Asker(nearest=regions)


BY_LATENCY = [Rec(one, region=one, health_check=one) for one in ("eu", "us", "ap")]
LATENCY = [
    pytest.param((), near("us", "eu", "ap"), "us", id="the lowest latency"),
    pytest.param(("us",), near("us", "eu", "ap"), "eu", id="the next one where it is unhealthy"),
    pytest.param(("us", "eu"), near("us", "eu", "ap"), "ap", id="and the one after"),
    pytest.param(("us", "eu", "ap"), near("us"), "us", id="none is healthy: as if all were"),
    pytest.param((), near("sa", "ap"), "ap", id="a region without a record"),
    pytest.param((), SOMEBODY, "ap", id="nothing is known of the asker: by name"),
]


@pytest.mark.parametrize(("dead", "asker", "expected"), LATENCY)
def test_latency(dead: tuple[str, ...], asker: Asker, expected: str) -> None:
    assert answered(BY_LATENCY, dead, asker) == {expected: "1"}


PARIS = Location(country="FR")
BY_PLACE = [
    Rec("world", location=EVERYWHERE, health_check="world"),
    Rec("EU", location=Location("EU"), health_check="EU"),
    Rec("FR", location=Location(country="FR"), health_check="FR"),
    Rec("US-CA", location=Location(country="US", subdivision="CA"), health_check="US-CA"),
]
CALIFORNIA = Location(country="US", subdivision="CA")
PLACES = [
    pytest.param((), PARIS, "FR", id="the smallest place"),
    pytest.param((), Location(country="DE"), "EU", id="the continent of a country"),
    pytest.param((), Location("EU"), "EU", id="only the continent is known"),
    pytest.param((), Location(country="BR"), "world", id="everywhere else"),
    pytest.param((), EVERYWHERE, "world", id="an address that is nowhere"),
    pytest.param((), CALIFORNIA, "US-CA", id="a state"),
    pytest.param((), Location(country="US"), "world", id="a country is not its states"),
    pytest.param(("FR",), PARIS, "EU", id="unhealthy: the next wider place"),
    pytest.param(("FR", "EU"), PARIS, "world", id="and the next wider one"),
    pytest.param(("US-CA",), CALIFORNIA, "world", id="a state's country has none"),
    pytest.param(("FR", "EU", "world"), PARIS, "FR", id="none is healthy: as if all were"),
]


@pytest.mark.parametrize(("dead", "place", "expected"), PLACES)
def test_geolocation(dead: tuple[str, ...], place: Location, expected: str) -> None:
    assert answered(BY_PLACE, dead, Asker(place)) == {expected: "1"}


def test_a_place_that_nothing_matches_gets_no_answer() -> None:
    assert answered(BY_PLACE[1:], (), Asker(Location(country="BR"))) == {}


FAILOVER = [Rec(each, failover=each, health_check=each) for each in ("SECONDARY", "PRIMARY")]


@pytest.mark.parametrize(
    ("dead", "expected"),
    [
        pytest.param((), "PRIMARY", id="both healthy"),
        pytest.param(("PRIMARY",), "SECONDARY", id="the primary is unhealthy"),
        pytest.param(("SECONDARY",), "PRIMARY", id="the secondary is unhealthy"),
        pytest.param(("PRIMARY", "SECONDARY"), "PRIMARY", id="both unhealthy"),
    ],
)
def test_failover(dead: tuple[str, ...], expected: str) -> None:
    assert answered(FAILOVER, dead, SOMEBODY) == {expected: "1"}


def test_several_values_and_a_simple_record() -> None:
    several = [Rec(each, multivalue=True, health_check=each) for each in "abc"]
    assert answered(several, ("b",), SOMEBODY) == {"a": "1/2", "c": "1/2"}
    assert answered(several, tuple("abc"), SOMEBODY) == dict.fromkeys("abc", "1/3")
    assert answered([Rec("", health_check="x")], ("x",), SOMEBODY) == {"": "1"}
    assert answered([], (), SOMEBODY) == {}


def a_tree(*, inherits: bool = True) -> list[Rec]:
    """The guide's example: latency aliases over weighted groups of two regions."""
    tops = [
        Rec(one, region=one, alias=f"{one}.example.test", evaluate_target_health=inherits)
        for one in ("eu", "us")
    ]
    leaves = [
        Rec(f"{one}-{n}", f"{one}.example.test", weight=n, health_check=f"{one}-{n}")
        for one in ("eu", "us")
        for n in (1, 3)
    ]
    return tops + leaves


def test_a_tree_backs_out_of_a_branch_where_all_are_unhealthy() -> None:
    tree, asker = a_tree(), near("us", "eu")
    assert answered(tree, (), asker) == {"us-1": "1/4", "us-3": "3/4"}
    assert answered(tree, ("us-3",), asker) == {"us-1": "1"}
    assert answered(tree, ("us-1", "us-3"), asker) == {"eu-1": "1/4", "eu-3": "3/4"}
    everything = ("us-1", "us-3", "eu-1", "eu-3")
    assert answered(tree, everything, asker) == {"us-1": "1/4", "us-3": "3/4"}


def test_an_alias_that_does_not_look_is_always_healthy() -> None:
    found = answered(a_tree(inherits=False), ("us-1", "us-3"), near("us", "eu"))
    assert found == {"us-1": "1/4", "us-3": "3/4"}


def test_an_alias_with_a_check_of_its_own() -> None:
    tree = [Rec("a", weight=1, alias="x", health_check="a"), Rec("b", weight=0), Rec("x", "x")]
    assert answered(tree, (), SOMEBODY) == {"x": "1"}
    assert answered(tree, ("a",), SOMEBODY) == {"b": "1"}


def test_a_circle_ends() -> None:
    assert answered([Rec("a", alias=NAME, evaluate_target_health=True)], (), SOMEBODY) == {}


NAMES = ("eu-1", "eu-3", "us-1", "us-3")


@given(st.sets(st.sampled_from(NAMES)), st.permutations(["eu", "us"]))
def test_laws_of_a_tree(dead: set[str], nearest: list[str]) -> None:
    found = answering(a_tree(), tuple(dead)).shares(NAME, near(*nearest))
    assert sum(part for _, part in found) == Fraction(1)
    answers = {each.set_identifier for each, _ in found}
    assert answers.isdisjoint(dead) or dead == set(NAMES)
    assert len({each.partition("-")[0] for each in answers}) == 1


@given(st.sampled_from(countries()), st.sets(st.sampled_from(["world", "EU", "FR", "US-CA"])))
def test_laws_of_places(country: str, dead: set[str]) -> None:
    asker = Asker(Location(country=country))
    ((record, part),) = answering(BY_PLACE, tuple(dead)).shares(NAME, asker)
    assert part == 1
    assert record.location in asker.locations
    candidates = {each.set_identifier for each in BY_PLACE if each.location in asker.locations}
    assert record.set_identifier not in dead or candidates <= dead
