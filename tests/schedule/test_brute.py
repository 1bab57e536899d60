"""The scheduler against a model that tries everything; see tests/schedule/brute.py."""

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from fleet.model.inventory import Cluster
from fleet.model.snapshot import Linked
from fleet.model.webster import webster
from tests.builders import a_cluster, a_policy, a_workload, linked
from tests.model.brute_webster import seat_by_seat, unmoved
from tests.schedule.asking import decide
from tests.schedule.brute import (
    BOUNDLESS,
    Demand,
    Place,
    Rule,
    candidates,
    covered,
    expected,
    least_shortfall,
    limits_of,
    selections,
)

SIZES = (None, 0, 1, 2, 3, 3, 4, 5, 6, 6, 8, 12)


@st.composite
def inventories(draw: st.DrawFn) -> list[Place]:
    made = []
    for number in range(draw(st.sampled_from([1, 2, 3, 4, 4, 5, 5, 6]))):
        size = draw(st.sampled_from(SIZES))
        place = Place(
            f"c{number}",
            size,
            size,
            region=draw(st.sampled_from(["eu", "us", "ap"])),
            zones=tuple(draw(st.lists(st.sampled_from("abc"), unique=True, max_size=2))),
            wish=draw(st.sampled_from([0, 0, 20, 70])),
            weight=draw(st.integers(0, 5)),
        )
        made.append(place)
    return made


@st.composite
def demands(draw: st.DrawFn, *, kinds: tuple[str, ...], prior: bool, floors: bool) -> Demand:
    rules = []
    for by in draw(st.lists(st.sampled_from(kinds), unique=True, max_size=2)):
        least = draw(st.sampled_from([1, 1, 2, 2, 3]))
        rules.append(Rule(by, least, draw(st.none() | st.integers(least, 4))))
    floor = draw(st.integers(0, 3)) if floors else 0
    ceiling = draw(st.sampled_from([BOUNDLESS, BOUNDLESS, 3, 5]))
    names = st.sampled_from([f"c{number}" for number in range(6)])
    return Demand(
        draw(st.sampled_from([0, *range(1, 9), *range(2, 9)])),
        draw(st.sampled_from(["duplicated", "weighted", "static", "aggregated"])),
        tuple(rules),
        floor,
        ceiling,
        cores=draw(st.sampled_from([1, 1, 2])),
        before=draw(st.dictionaries(names, st.integers(1, 6), max_size=3)) if prior else {},
    )


def as_clusters(places: list[Place]) -> list[Cluster]:
    return [a_cluster(each.name, each.region, cpu=each.size, zones=each.zones) for each in places]


def as_item(name: str, demand: Demand, places: list[Place]) -> Linked:
    preferred = [
        {"weight": each.wish, "term": {"clusters": [each.name]}} for each in places if each.wish
    ]
    static = [{"replica_weight": each.weight, "term": {"clusters": [each.name]}} for each in places]
    division: dict[str, Any] = {
        "mode": "weighted" if demand.mode == "static" else demand.mode,
        "weights": static if demand.mode == "static" else [],
        "min_replicas": demand.floor,
        "max_replicas": None if demand.ceiling == BOUNDLESS else demand.ceiling,
    }
    spread = [
        {"by": rule.by, "min_domains": rule.least, "max_domains": rule.most}
        for rule in demand.rules
    ]
    policy = a_policy(name, affinity={"preferred": preferred}, division=division, spread=spread)
    return linked(a_workload(name, demand.replicas, request={"cpu": demand.cores}), policy)


def decided(
    places: list[Place], *asked: Demand, capacity: str = "deducted"
) -> list[tuple[dict[str, int], int]]:
    """Replicas by cluster, and the shortfall, of w0, w1, ... in turn."""
    items = [as_item(f"w{number}", demand, places) for number, demand in enumerate(asked)]
    prior = {f"w{number}": demand.before for number, demand in enumerate(asked) if demand.before}
    made = decide(as_clusters(places), *items, prior=prior or None, capacity=capacity)
    return [(dict(each.replicas), each.shortfall) for each in made.decisions]


def running(demand: Demand, places: list[Place]) -> Demand:
    """The demand, running only on clusters that there are."""
    known = {place.name for place in places}
    kept = {name: count for name, count in demand.before.items() if name in known}
    return replace(demand, before=kept)


EXACT = ("cluster", "region")
NESTED = ("cluster", "region", "zone")


@given(inventories(), demands(kinds=EXACT, prior=False, floors=True))
def test_a_new_workload_goes_where_the_rules_say(places: list[Place], demand: Demand) -> None:
    answer = expected(demand, places)
    if answer is not None:
        ((found, _),) = decided(places, demand)
        assert found == answer


@given(inventories(), demands(kinds=EXACT, prior=True, floors=False))
def test_a_running_workload_goes_where_the_rules_say(places: list[Place], demand: Demand) -> None:
    demand = running(demand, places)
    answer = expected(demand, places)
    if answer is not None:
        ((found, _),) = decided(places, demand)
        assert found == answer


@given(
    inventories(),
    demands(kinds=EXACT, prior=False, floors=False),
    demands(kinds=EXACT, prior=False, floors=False),
    st.sampled_from(["deducted", "independent"]),
)
def test_the_second_workload_finds_what_the_first_left(
    places: list[Place], first: Demand, second: Demand, capacity: str
) -> None:
    (taken, _), (found, short) = decided(places, first, second, capacity=capacity)
    before = expected(first, places)
    assert before is None or taken == before
    after = places
    if capacity == "deducted":
        after = [
            place
            if place.left is None
            else replace(place, left=place.left - taken.get(place.name, 0) * first.cores)
            for place in places
        ]
    answer = expected(second, after)
    assert answer is None or found == answer
    if second.mode != "duplicated":
        assert short == least_shortfall(second, after)


@given(inventories(), demands(kinds=NESTED, prior=True, floors=False))
def test_no_selection_within_the_limits_would_have_placed_more(
    places: list[Place], demand: Demand
) -> None:
    demand = running(demand, places)
    ((found, short),) = decided(places, demand)
    limits, order = limits_of(demand, places), candidates(demand, places)
    if demand.mode != "duplicated":
        assert short == least_shortfall(demand, places)
        assert sum(found.values()) == demand.replicas - short
    elif any(selections(limits, order)):
        assert found
    else:
        assert (found, short) == ({}, demand.replicas)


@given(inventories(), demands(kinds=NESTED, prior=True, floors=False))
def test_every_limit_holds(places: list[Place], demand: Demand) -> None:
    """The least as far as there are replicas for it: each brings one domain at least."""
    demand = running(demand, places)
    ((found, _),) = decided(places, demand)
    if not found:
        return
    used = [place for place in places if place.name in found]
    limits = limits_of(demand, places)
    enough = sum(rule.least for rule in limits.rules)
    for rule in limits.rules:
        count = len(covered(rule.by, used))
        assert rule.most is None or count <= rule.most
        if demand.mode == "duplicated" or not demand.replicas or demand.replicas >= enough:
            assert count >= rule.least


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 4)), max_size=4), st.integers(0, 8))
def test_webster_is_where_no_seat_has_a_better_claim_elsewhere(
    parties: list[tuple[int, int]], seats: int
) -> None:
    heavy, caps = [weight for weight, _ in parties], [cap for _, cap in parties]
    seats = min(seats, sum(cap for weight, cap in parties if weight))
    assert unmoved(heavy, seats, caps) == [webster(heavy, seats, caps)]
    assert seat_by_seat(heavy, seats, caps) == webster(heavy, seats, caps)
