"""Division within bounds: the published tables, and what fleet adds to them."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet.schedule.divide import Party, aggregated, at_most, by_capacity, by_weight, duplicated

MANY = 10**6


def weighing(*weights: int, cap: int = MANY, floor: int = 0) -> list[Party]:
    return [Party(weight, cap, floor=floor) for weight in weights]


def rooms(*room: int, floor: int = 0, most: int = MANY) -> list[Party]:
    return [
        Party(each, min(each, most), floor=floor, rank=rank)
        for rank, each in enumerate(sorted(room, reverse=True))
    ]


def having(kept: list[int], free: list[int], floor: int = 0) -> list[Party]:
    """Clusters that run `kept` and have room for `free` more; preferred in the order of room."""
    by_room = sorted(range(len(free)), key=lambda each: (not kept[each], -free[each], each))
    return [
        Party(old + more, old + more, before=old, floor=floor, rank=by_room.index(place))
        for place, (old, more) in enumerate(zip(kept, free, strict=True))
    ]


STATIC = [
    pytest.param(weighing(3, 2, 1), 12, [6, 4, 2], id="S1 12 over 3:2:1"),
    pytest.param(weighing(1, 1, 1), 12, [4, 4, 4], id="S2 equal"),
    pytest.param(weighing(1, 1), 0, [0, 0], id="S4 nothing to divide"),
    pytest.param(weighing(2, 1), 3, [2, 1], id="S6 2:1"),
    pytest.param(weighing(1, 1), 3, [2, 1], id="S7 3 over 1:1"),
    pytest.param(weighing(1, 1, 1), 3, [1, 1, 1], id="S7 3 over 1:1:1"),
    pytest.param(weighing(1, 1, 1), 5, [2, 2, 1], id="S7 5 over 1:1:1"),
    pytest.param(weighing(1, 1, 1), 6, [2, 2, 2], id="S7 6 over 1:1:1"),
    pytest.param(weighing(1, 1, 1, 1), 5, [2, 1, 1, 1], id="S8 5 over four"),
    pytest.param(weighing(1, 1, 1, 1), 6, [2, 2, 1, 1], id="S8 6 over four"),
    pytest.param([Party(1, 1), Party(1, 9)], 6, [1, 5], id="fleet: room bounds static weights"),
    pytest.param(weighing(1, 1, cap=2), 6, [2, 2], id="fleet: no room is a shortfall"),
    pytest.param(
        weighing(100, 1, 1, 1, 1, 1, floor=1), 50, [45, 1, 1, 1, 1, 1], id="minimum cures starving"
    ),
    pytest.param(weighing(5, 3, floor=4), 7, [7, 0], id="too few for two minimums"),
    pytest.param(weighing(5, 3, floor=4), 8, [4, 4], id="just enough for two minimums"),
    pytest.param(weighing(5, 3, floor=4), 3, [0, 0], id="too few for any minimum"),
    pytest.param(
        [Party(5, 3, floor=3), Party(1, 9, floor=3)],
        5,
        [0, 5],
        id="room decides who reaches the minimum where weights place less",
    ),
    pytest.param(
        [Party(5, 2, floor=3), Party(1, 9, floor=3)], 5, [0, 5], id="no room for the minimum"
    ),
    pytest.param(
        [Party(9, MANY), Party(1, MANY, needed=True)],
        3,
        [2, 1],
        id="what the spread needs gets one",
    ),
    pytest.param(
        [Party(9, MANY, floor=2), Party(1, MANY, floor=2, needed=True)],
        3,
        [0, 3],
        id="what the spread needs comes first",
    ),
    pytest.param([Party(9, 9), Party(1, 0, needed=True)], 3, [3, 0], id="needed but full"),
    pytest.param(
        [Party(1, 3, floor=3), Party(5, 3, floor=3)],
        4,
        [0, 3],
        id="the heavier where room decides nothing",
    ),
    pytest.param(
        [Party(4, 4, floor=3, needed=True), Party(8, 8, floor=3)],
        5,
        [4, 0],
        id="what the spread needs, even if room elsewhere would hold more",
    ),
]
CAPACITY = [
    pytest.param(rooms(18, 12, 6), 12, [6, 4, 2], id="D1"),
    pytest.param(rooms(20, 12, 6), 12, [6, 4, 2], id="D2"),
    pytest.param(rooms(10, 8, 6), 12, [5, 4, 3], id="D4, sorted"),
    pytest.param(rooms(10, 8, 8), 12, [4, 4, 4], id="D5, sorted"),
    pytest.param(rooms(3, 3, 3), 12, [3, 3, 3], id="D6 Karmada fails, fleet places what fits"),
    pytest.param(having([2, 4, 6], [1, 1, 1]), 6, [1, 2, 3], id="T1 shrinks in proportion"),
    pytest.param(having([2, 4, 6], [10, 10, 10]), 24, [6, 8, 10], id="T2 adds the missing only"),
    pytest.param(having([2, 4, 6], [1, 1, 1]), 24, [3, 5, 7], id="T3 Karmada fails, fleet fills"),
    pytest.param(having([5, 0], [0, 90]), 5, [5, 0], id="the same number stays as it is"),
    pytest.param(having([5, 0], [50, 50]), 6, [6, 0], id="one more, tie: by name"),
    pytest.param(having([5, 0], [50, 50], floor=3), 8, [5, 3], id="a newcomer reaches its minimum"),
    pytest.param(
        having([5, 0], [50, 50], floor=3), 7, [7, 0], id="a newcomer that cannot reach it stays out"
    ),
    pytest.param(
        having([5, 0], [0, 50], floor=3), 7, [3, 4], id="divided anew where steady leaves some over"
    ),
    pytest.param(
        having([1, 1], [9, 9], floor=3), 3, [3, 0], id="a raised minimum moves what is below it"
    ),
    pytest.param(
        [Party(9, 9, before=9), Party(9, 9, needed=True)],
        9,
        [8, 1],
        id="the spread needs a newcomer",
    ),
    pytest.param(
        [Party(9, 9, before=2), Party(9, 9, needed=True)],
        5,
        [3, 2],
        id="grows, and needs a newcomer",
    ),
    pytest.param(rooms(20, 10, most=4), 9, [4, 4], id="a maximum bounds room"),
    pytest.param(rooms(100, 30, floor=1), 5, [4, 1], id="a minimum is part of the proportion"),
    pytest.param(
        [Party(100, 100, needed=True), Party(30, 30, needed=True)],
        5,
        [4, 1],
        id="what the spread needs is part of the proportion",
    ),
    pytest.param(
        [Party(2, 2, 2, 3), Party(9, 9, 0, 3)],
        5,
        [0, 5],
        id="what runs below a minimum that has no room leaves",
    ),
    pytest.param(
        [Party(1, 1, needed=True), Party(2, 2, needed=True), Party(9, 9, needed=True)],
        2,
        [0, 1, 1],
        id="the roomiest where the spread needs more than there are",
    ),
    pytest.param(
        [Party(9, 9, needed=True), Party(2, 2, before=1, needed=True)],
        1,
        [0, 1],
        id="where it runs, where the spread needs more than there are",
    ),
    pytest.param(
        [Party(9, 9, before=2), Party(9, 9, before=5), Party(9, 9)],
        5,
        [1, 4, 0],
        id="fewer: the old numbers are the weights",
    ),
    pytest.param(
        [Party(9, 2, before=7), Party(9, 9, before=7)],
        8,
        [2, 6],
        id="fewer: the old numbers, as far as there is room",
    ),
    pytest.param(
        [Party(5, 5, floor=2), Party(8, 8, floor=2)], 3, [0, 3], id="one minimum: the roomiest"
    ),
    pytest.param(
        [Party(7, 7, floor=3), Party(6, 6, floor=3)], 4, [4, 0], id="one minimum: roomy and first"
    ),
    pytest.param(
        [Party(9, 9, 5, 2), Party(9, 9, 5, 2), Party(9, 9, 0, 2)],
        8,
        [4, 4, 0],
        id="fewer: nobody joins, though there is enough for a minimum",
    ),
    pytest.param(
        [Party(9, 9, 3, 3), Party(4, 4, 4, 3)],
        4,
        [0, 4],
        id="fewer: the larger number keeps its minimum, not the larger room",
    ),
    pytest.param(
        [Party(0, 5, before=2), Party(9, 9)], 8, [2, 6], id="without weight nothing is added"
    ),
]
AGGREGATED = [
    pytest.param(
        [Party(6, 6, rank=1), Party(12, 12), Party(6, 6, rank=2)], 12, [0, 12, 0], id="A1"
    ),
    pytest.param([Party(6, 6), Party(6, 6, rank=1), Party(6, 6, rank=2)], 12, [6, 6, 0], id="A2"),
    pytest.param(
        [Party(12, 12), Party(8, 8, rank=2), Party(10, 10, rank=1)], 12, [12, 0, 0], id="A4"
    ),
    pytest.param(rooms(3, 3, 3), 12, [3, 3, 3], id="D6 Karmada fails, fleet places what fits"),
    pytest.param(having([4, 8], [1, 1]), 6, [0, 6], id="T4 shrinks onto the largest"),
    pytest.param(
        having([4, 8, 0], [4, 6, 8]), 24, [7, 12, 5], id="T6 grows over the shortest list"
    ),
    pytest.param(having([4, 8], [1, 1]), 24, [5, 9], id="T8 Karmada fails, fleet fills"),
    pytest.param(having([4, 0, 0], [9, 99, 99]), 9, [9, 0, 0], id="grows where it is"),
    pytest.param(having([4, 8], [20, 3]), 22, [14, 8], id="grows where most is free, others stay"),
    pytest.param(having([4, 8], [7, 8]), 22, [9, 13], id="grows in proportion where one is short"),
    pytest.param(
        having([1, 8], [9, 9], floor=2), 10, [2, 8], id="what is below a raised minimum is lifted"
    ),
    pytest.param(
        [Party(9, 9, before=8), Party(20, 20, before=4, rank=1)],
        13,
        [8, 5],
        id="most free room comes before the order of preference",
    ),
    pytest.param(
        [Party(6, 6, before=4, rank=1), Party(9, 9, before=8), Party(20, 20, rank=2)],
        15,
        [6, 9, 0],
        id="free room is what is left, not what there is",
    ),
    pytest.param(
        [Party(5, 8, before=5, floor=1), Party(1, 9, before=5, floor=1, rank=1, needed=True)],
        11,
        [5, 6],
        id="what need not grow stays, though it weighs more",
    ),
    pytest.param(rooms(9, 5, 3), 9, [9, 0, 0], id="one cluster holds all"),
    pytest.param(rooms(9, 5, 3), 10, [6, 4, 0], id="in proportion, not one after the other"),
    pytest.param(
        [Party(9, 9), Party(5, 5, rank=1, needed=True)], 4, [0, 4], id="what the spread needs first"
    ),
    pytest.param(
        [Party(9, 9), Party(1, 1, rank=1, needed=True), Party(8, 8, rank=2, needed=True)],
        12,
        [6, 1, 5],
        id="what the spread needs, then the best",
    ),
    pytest.param(rooms(5, 4, floor=3), 7, [4, 3], id="a minimum in the list"),
    pytest.param(
        [Party(4, 4, floor=3), Party(4, 4, floor=3, rank=1), Party(6, 6, floor=3, rank=2)],
        5,
        [0, 0, 5],
        id="beyond the list where the list cannot keep the minimum",
    ),
]
EVERYWHERE = [
    pytest.param(weighing(1, 1), 2, [2, 2], id="T11 the same everywhere"),
    pytest.param(weighing(1, 1), 0, [0, 0], id="T11 none everywhere"),
    pytest.param([], 3, [], id="no cluster"),
    pytest.param([Party(1, 2), Party(1, 9)], 3, [2, 3], id="bounded by room"),
    pytest.param(weighing(1, floor=4), 3, [0], id="below the minimum"),
    pytest.param(weighing(1, floor=3), 3, [3], id="just the minimum"),
]


@pytest.mark.parametrize(("parties", "replicas", "expected"), STATIC)
def test_by_weight(parties: list[Party], replicas: int, expected: list[int]) -> None:
    assert by_weight(parties, replicas) == expected


@pytest.mark.parametrize(("parties", "replicas", "expected"), CAPACITY)
def test_by_capacity(parties: list[Party], replicas: int, expected: list[int]) -> None:
    assert by_capacity(parties, replicas) == expected


@pytest.mark.parametrize(("parties", "replicas", "expected"), AGGREGATED)
def test_aggregated(parties: list[Party], replicas: int, expected: list[int]) -> None:
    assert aggregated(parties, replicas) == expected


@pytest.mark.parametrize(("parties", "replicas", "expected"), EVERYWHERE)
def test_duplicated(parties: list[Party], replicas: int, expected: list[int]) -> None:
    assert duplicated(parties, replicas) == expected


@pytest.mark.parametrize(
    ("weights", "least", "most", "cap", "expected"),
    [
        pytest.param([7, 3], [2, 1], 20, MANY, [14, 6], id="by the weights"),
        pytest.param([9, 1], [2, 2], 10, MANY, [8, 2], id="at least the minimum"),
        pytest.param([1, 1], [0, 0], 1, MANY, [1, 1], id="at least one"),
        pytest.param([1, 1], [3, 3], 4, MANY, [3, 3], id="never below the minimums"),
        pytest.param([1, 1], [1, 1], 20, 5, [5, 5], id="at most what a cluster may run"),
    ],
)
def test_at_most(
    weights: list[int], least: list[int], most: int, cap: int, expected: list[int]
) -> None:
    assert at_most(weights, least, most, [cap] * len(weights)) == expected


@st.composite
def problems(draw: st.DrawFn) -> tuple[list[Party], int]:
    floor = draw(st.sampled_from([0, 0, 1, 2, 3]))
    most = draw(st.sampled_from([MANY, MANY, 3, 5]))
    parties = []
    for rank in draw(st.permutations(range(draw(st.integers(1, 4))))):
        room = draw(st.integers(0, 9))
        cap = min(room, most)
        parties.append(
            Party(
                weight=room,
                cap=cap,
                before=draw(st.sampled_from([0, draw(st.integers(0, 12))])),
                floor=floor,
                needed=draw(st.sampled_from([False, False, True])),
                rank=rank,
            )
        )
    return parties, draw(st.integers(0, 20))


def most_that_fits(parties: list[Party], replicas: int) -> int:
    """By trying every division within the bounds."""
    choices = [
        [count for count in range(party.cap + 1) if not count or count >= party.floor]
        for party in parties
    ]
    return max(sum(counts) for counts in product(*choices) if sum(counts) <= replicas)


@given(problems())
def test_every_way_keeps_the_bounds_and_places_what_fits(
    problem: tuple[list[Party], int],
) -> None:
    parties, replicas = problem
    free_of_needs = not any(party.needed for party in parties)
    for way in (by_weight, by_capacity, aggregated):
        given_replicas = way(parties, replicas)
        assert sum(given_replicas) <= replicas
        for party, count in zip(parties, given_replicas, strict=True):
            assert count <= party.cap
            assert not count or count >= party.floor
        if free_of_needs:
            assert sum(given_replicas) == most_that_fits(parties, replicas), way


@given(problems())
def test_what_runs_stays_as_far_as_the_replicas_reach(problem: tuple[list[Party], int]) -> None:
    parties, replicas = problem
    plain = [Party(each.weight, each.cap, before=each.before, rank=each.rank) for each in parties]
    running = sum(party.kept for party in plain)
    for way in (by_capacity, aggregated):
        given_replicas = way(plain, replicas)
        for party, count in zip(plain, given_replicas, strict=True):
            assert count >= party.kept if running <= replicas else count <= party.kept


@given(problems())
def test_dividing_again_changes_nothing(problem: tuple[list[Party], int]) -> None:
    parties, replicas = problem
    for way in (by_capacity, aggregated):
        once = way(parties, replicas)
        settled = [
            Party(each.weight, each.cap, count, each.floor, each.needed, each.rank)
            for each, count in zip(parties, once, strict=True)
        ]
        assert way(settled, replicas) == once


@given(problems())
def test_aggregated_uses_as_few_clusters_as_the_list_allows(
    problem: tuple[list[Party], int],
) -> None:
    parties, replicas = problem
    fresh = sorted(
        (Party(each.weight, each.cap, rank=each.rank) for each in parties),
        key=lambda party: party.rank,
    )
    used = [party.rank for party, n in zip(fresh, aggregated(fresh, replicas), strict=True) if n]
    held = 0
    for party in fresh:
        if held >= replicas:
            assert party.rank not in used
        held += party.cap
