"""Karmada's tables of division: every row through the importer, with fleet's own answer beside.

Source: karmada-io/karmada at f8fdd02; the file stands with each table. The answers of
`rules: fleet` differ only where a row shows both, and `rules` is the knob.
"""

import pytest

from fleet.model.webster import webster
from fleet.schedule.karmada_divide import Ask, Votes, by_votes
from tests.conformance.karmada.tables import (
    AGGREGATED,
    DUPLICATED,
    DYNAMIC,
    EVEN,
    ODD,
    REFUSED,
    WEIGHTED,
    Row,
    answers,
    on,
    static,
)

FOUR = {1: 100_000, 2: 80_000, 3: 30_000, 4: 20_000}

# pkg/util/helper/webstermethod_test.go
WEBSTER = [
    pytest.param(FOUR, 1, (1, 0, 0, 0), id="W1"),
    pytest.param(FOUR, 2, (1, 1, 0, 0), id="W2"),
    pytest.param(FOUR, 3, (2, 1, 0, 0), id="W3"),
    pytest.param(FOUR, 4, (2, 1, 1, 0), id="W4"),
    pytest.param(FOUR, 5, (2, 2, 1, 0), id="W5"),
    pytest.param(FOUR, 6, (2, 2, 1, 1), id="W6"),
    pytest.param(FOUR, 7, (3, 2, 1, 1), id="W7"),
    pytest.param(FOUR, 8, (3, 3, 1, 1), id="W8"),
    pytest.param({1: 1200, 2: 900, 3: 400}, 4, (2, 1, 1), id="W9"),
    pytest.param({1: 1, 2: 1}, 1, (1, 0), id="W11"),
    pytest.param({1: 0, 2: 1, 3: 1}, 2, (0, 1, 1), id="W13"),
    pytest.param({1: 100, 2: 200}, 0, (0, 0), id="W16 no seats"),
    pytest.param({}, 3, (), id="W16 no parties"),
]


@pytest.mark.parametrize(("votes", "seats", "expected"), WEBSTER)
def test_webster(votes: dict[int, int], seats: int, expected: tuple[int, ...]) -> None:
    given = by_votes(Votes.of(votes), Ask(seats))
    assert tuple(given.get(place, 0) for place in votes) == expected


def test_webster_ties_go_to_the_last_where_the_order_descends() -> None:
    """W12 (webstermethod_test.go)."""
    assert by_votes(Votes.of({1: 1, 2: 1}), Ask(1, descending=True)) == {2: 1}


# The same file, rows with seats that parties have already: (votes, seats, start, expected).
STARTED = [
    pytest.param([3, 1], 1, [1, 0], [1, 1], id="W10 fewer seats win a tie"),
    pytest.param([0, 1], 2, [1, 0], [1, 2], id="W14 who has no votes keeps its seats"),
    pytest.param([100, 0], 2, [0, 3], [2, 3], id="W15"),
]


@pytest.mark.parametrize(("votes", "seats", "start", "expected"), STARTED)
def test_webster_goes_on(
    votes: list[int], seats: int, start: list[int], expected: list[int]
) -> None:
    assert webster(votes, seats, [99, 99], start) == expected


# pkg/util/helper/binding_test.go
DISPENSED = [
    pytest.param([1, 2, 3], 6, [1, 2, 3], [2, 4, 6], id="B1 six more"),
    pytest.param([1, 2, 3], 3, [1, 2, 3], [2, 3, 4], id="B1 three more"),
    pytest.param([1, 2, 3], 2, [1, 2, 3], [1, 3, 4], id="B1 two more"),
]


@pytest.mark.parametrize(("votes", "seats", "start", "expected"), DISPENSED)
def test_dispensing_goes_on_from_what_is_there(
    votes: list[int], seats: int, start: list[int], expected: list[int]
) -> None:
    """Karmada divides the new seats alone and adds them; going on from the old gives the same."""
    alone = by_votes(Votes.of(dict(enumerate(votes))), Ask(seats))
    assert [start[each] + alone.get(each, 0) for each in range(3)] == expected
    assert webster(votes, seats, [99] * 3, start) == expected


MANY = (1000, 1000, 1000, 1000)

# binding_test.go, assignment_test.go, generic_scheduler_test.go: static weights.
STATIC = [
    pytest.param(Row(1, MANY[:2], static(2, 1)), on(1, 0), id="B2 one"),
    pytest.param(Row(2, MANY[:2], static(2, 1)), on(1, 1), id="B2 two"),
    pytest.param(Row(3, MANY[:2], static(2, 1)), on(2, 1), id="B2 three"),
    pytest.param(Row(5, MANY[:3], static(170, 110, 60)), on(2, 2, 1), id="B3 five"),
    pytest.param(Row(6, MANY[:3], static(170, 110, 60)), on(3, 2, 1), id="B3 six"),
    pytest.param(Row(12, MANY[:3], static(3, 2, 1)), on(6, 4, 2), id="S1"),
    pytest.param(Row(12, MANY[:3], WEIGHTED), on(4, 4, 4), id="S2"),
    pytest.param(Row(2, MANY[:2], static(1)), on(2, 0), id="S5"),
    pytest.param(Row(3, MANY[:2], static(1, 1)), on(2, 1), id="S7 two clusters"),
    pytest.param(Row(3, MANY[:3], static(1, 1, 1)), on(1, 1, 1), id="S7 three"),
    pytest.param(Row(5, MANY[:3], static(1, 1, 1)), on(2, 2, 1), id="S7 five"),
    pytest.param(Row(6, MANY[:3], static(1, 1, 1)), on(2, 2, 2), id="S7 six"),
    pytest.param(Row(5, MANY, static(1, 1, 1, 1)), on(2, 1, 1, 1), id="S8 five"),
    pytest.param(Row(6, MANY, static(1, 1, 1, 1)), on(2, 2, 1, 1), id="S8 six"),
]

# division_algorithm_test.go, assignment_test.go: by room, the first time.
FIRST = [
    pytest.param(Row(12, (18, 12, 6), DYNAMIC), on(6, 4, 2), id="D1"),
    pytest.param(Row(12, (20, 12, 6), DYNAMIC), on(6, 4, 2), id="D2"),
    pytest.param(Row(12, (6, 8, 10), DYNAMIC), on(3, 4, 5), id="D4"),
    pytest.param(Row(12, (8, 8, 10), DYNAMIC), on(4, 4, 4), id="D5"),
    pytest.param(Row(12, (6, 12, 6), AGGREGATED), on(0, 12, 0), id="A1"),
    pytest.param(Row(12, (6, 6, 6), AGGREGATED), on(6, 6, 0), id="A2"),
    pytest.param(Row(12, (12, 8, 10), AGGREGATED), on(12, 0, 0), id="A4"),
]

# assignment_test.go: what runs stays. In Karmada `room` is besides what runs.
DUPLICATED_ROWS = [
    pytest.param(Row(2, (9, 9), DUPLICATED), on(2, 2), id="T11"),
    pytest.param(Row(2, (9, 9)), on(2, 2), id="T11 nothing said"),
]


@pytest.mark.parametrize(("row", "expected"), [*STATIC, *FIRST, *DUPLICATED_ROWS])
def test_both_kinds_of_rules_agree(row: Row, expected: dict[str, int]) -> None:
    assert answers(row) == (expected, expected)


PRIOR_246 = {"m1": 2, "m2": 4, "m3": 6}
PRIOR_48 = {"m1": 4, "m2": 8}

# (row, Karmada's answer, fleet's own): where the two differ, the reason stands in the id.
DIFFERENT = [
    pytest.param(
        Row(6, (1, 1, 1), DYNAMIC, PRIOR_246),
        on(1, 2, 3),
        on(1, 1, 1),
        id="T1 fleet: what runs counts against the room that is there",
    ),
    pytest.param(
        Row(24, (10, 10, 10), DYNAMIC, PRIOR_246),
        on(6, 8, 10),
        on(7, 8, 9),
        id="T2 fleet: the room of 10 is all there is, also for what runs",
    ),
    pytest.param(
        Row(24, (1, 1, 1), DYNAMIC, PRIOR_246),
        PRIOR_246,
        on(1, 1, 1),
        id="T3 Karmada refuses and leaves what runs; fleet places what fits",
    ),
    pytest.param(
        Row(6, (1, 1, 1), AGGREGATED, PRIOR_48),
        on(0, 6, 0),
        on(1, 1, 1),
        id="T4 shrinking looks at no room",
    ),
    pytest.param(
        Row(24, (4, 6, 8), AGGREGATED, PRIOR_48),
        on(7, 12, 5),
        on(4, 6, 8),
        id="T6",
    ),
    pytest.param(
        Row(24, (1, 1, 1), AGGREGATED, PRIOR_48),
        PRIOR_48,
        on(1, 1, 1),
        id="T8",
    ),
    pytest.param(
        Row(8, (0, 0, 3, 3), AGGREGATED, {"m1": 1, "m2": 1, "m3": 1, "m4": 2}),
        on(1, 1, 1, 5),
        on(0, 0, 3, 3),
        id="of equal rooms the one where more runs first: the order of candidates",
    ),
    pytest.param(
        Row(12, (3, 3, 3), DYNAMIC),
        REFUSED,
        on(3, 3, 3),
        id="D6 dynamic: fleet places what fits and reports the rest",
    ),
    pytest.param(
        Row(12, (3, 3, 3), AGGREGATED),
        REFUSED,
        on(3, 3, 3),
        id="D6 aggregated",
    ),
    pytest.param(
        Row(5, MANY[:2], static(1, 1), uid=ODD),
        on(2, 3),
        on(3, 2),
        id="B4 an odd uid turns the order of names; ties: descending is for Karmada's rules",
    ),
    pytest.param(Row(5, MANY[:2], static(1, 1), uid=EVEN), on(3, 2), on(3, 2), id="B5 an even uid"),
    pytest.param(
        Row(12, (2, 2, 99), static(1, 1, 1)),
        on(4, 4, 4),
        on(2, 2, 8),
        id="static weights look at no room in Karmada",
    ),
    pytest.param(
        Row(9, MANY[:3], static(1, 1, 1), {"m1": 9}),
        on(3, 3, 3),
        on(3, 3, 3),
        id="static weights look at nothing that runs",
    ),
    pytest.param(
        Row(
            4,
            MANY[:3],
            static(1, 1, 1),
            placement={"spreadConstraints": [{"spreadByField": "cluster", "maxGroups": 1}]},
        ),
        on(2, 1, 1),
        on(4),
        id="C5 static weights ignore the spread in Karmada",
    ),
    pytest.param(
        Row(0, MANY[:2], static(1, 1), requests={"cpu": "1"}),
        {},
        {},
        id="S4 nothing to divide",
    ),
    pytest.param(Row(0, (9, 9), DUPLICATED, requests={"cpu": "1"}), {}, {}, id="T11 none"),
]


@pytest.mark.parametrize(("row", "karmada", "fleet"), DIFFERENT)
def test_where_the_rules_differ(row: Row, karmada: dict[str, int], fleet: dict[str, int]) -> None:
    assert answers(row) == (karmada, fleet)


def test_the_largest_of_several_weights_counts() -> None:
    """S6 (generic_scheduler_test.go): m1 has the weights 1 and 2, m2 has 1."""
    rules = [
        {"targetCluster": {"clusterNames": ["m1"]}, "weight": 1},
        {"targetCluster": {"clusterNames": ["m1"]}, "weight": 2},
        {"targetCluster": {"clusterNames": ["m2"]}, "weight": 1},
    ]
    said = WEIGHTED | {"weightPreference": {"staticWeightList": rules}}
    assert answers(Row(3, MANY[:2], said)) == (on(2, 1), on(2, 1))


def overflow(replicas: int, first: int, second: int) -> Row:
    """One primary cluster and one that overflow goes to."""
    group = {
        "affinityName": "primary",
        "clusterNames": ["m1"],
        "overflowAffinities": [{"affinityName": "overflow", "clusterNames": ["m2"]}],
    }
    return Row(replicas, (first, second), DYNAMIC, placement={"clusterAffinities": [group]})


# pkg/scheduler/core/common_test.go
OVERFLOW = [
    pytest.param(overflow(5, 10, 10), on(5), id="V1"),
    pytest.param(overflow(5, 2, 10), on(2, 3), id="V2"),
    pytest.param(overflow(10, 2, 2), REFUSED, id="V3"),
]


@pytest.mark.parametrize(("row", "expected"), OVERFLOW)
def test_overflow(row: Row, expected: dict[str, int]) -> None:
    assert answers(row)[0] == expected
