"""Webster's division: the published tables, the definition itself as a model, its laws."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet.model.webster import webster, webster_by_name
from tests.model.brute_webster import seat_by_seat

MANY = 10**6
FOUR = [100_000, 80_000, 30_000, 20_000]

TABLE = [
    pytest.param(FOUR, 1, [1, 0, 0, 0], id="W1 the first seat"),
    pytest.param(FOUR, 2, [1, 1, 0, 0], id="W2 the second seat"),
    pytest.param(FOUR, 3, [2, 1, 0, 0], id="W3 the third seat"),
    pytest.param(FOUR, 4, [2, 1, 1, 0], id="W4 the fourth seat"),
    pytest.param(FOUR, 5, [2, 2, 1, 0], id="W5 the fifth seat"),
    pytest.param(FOUR, 6, [2, 2, 1, 1], id="W6 the sixth seat"),
    pytest.param(FOUR, 7, [3, 2, 1, 1], id="W7 the seventh seat"),
    pytest.param(FOUR, 8, [3, 3, 1, 1], id="W8 the eighth seat"),
    pytest.param([1200, 900, 400], 4, [2, 1, 1], id="W9 three parties"),
    pytest.param(
        [1, 1], 1, [1, 0], id="W11 a tie ends in the order (W12, descending, is not ours)"
    ),
    pytest.param([100, 200], 0, [0, 0], id="W16 no seats"),
    pytest.param([], 5, [], id="W16 no parties"),
    pytest.param([2, 1], 1, [1, 0], id="B2 one of 2:1"),
    pytest.param([2, 1], 2, [1, 1], id="B2 two of 2:1"),
    pytest.param([2, 1], 3, [2, 1], id="B2 three of 2:1"),
    pytest.param([170, 110, 60], 5, [2, 2, 1], id="B3 five of 170:110:60"),
    pytest.param([170, 110, 60], 6, [3, 2, 1], id="B3 six of 170:110:60"),
    pytest.param([1, 1], 5, [3, 2], id="B5 by name (B4, descending by an odd uid, is not ours)"),
    pytest.param([1, 1, 3], 3, [1, 1, 1], id="not the largest remainder, which gives 1,0,2"),
    pytest.param([100, 1, 1, 1, 1, 1], 50, [50, 0, 0, 0, 0, 0], id="tiny weights starve"),
    pytest.param([100, 1, 1, 1, 1, 1], 60, [55, 1, 1, 1, 1, 1], id="tiny weights starve no more"),
    pytest.param([3, 3, 0], 1, [1, 0, 0], id="rounding gives one too many, and one party none"),
    pytest.param([0, 0], 3, [0, 0], id="without any weight nothing is given"),
    pytest.param([10**18, 1], 10**12, [10**12, 0], id="numbers beyond 64 bits"),
]
FROM_START = [
    pytest.param([3, 1], [1, 0], 1, [1, 1], id="W10 equal claims: fewer seats first"),
    pytest.param([0, 1, 1], [0, 0, 0], 2, [0, 1, 1], id="W13 no votes, no seats"),
    pytest.param([1, 1], [0, 1], 2, [2, 1], id="W14 New and Old, in the order of names"),
    pytest.param([100, 0], [0, 3], 2, [2, 3], id="W15 seats without votes stay"),
    pytest.param([1, 2, 3], [1, 2, 3], 6, [2, 4, 6], id="B1 six more"),
    pytest.param([1, 2, 3], [1, 2, 3], 3, [2, 3, 4], id="B1 three more"),
    pytest.param([1, 2, 3], [1, 2, 3], 2, [1, 3, 4], id="B1 two more"),
]
CAPPED = [
    pytest.param([1, 1], [2, 9], 6, [2, 4], id="what a cap refuses goes to the others"),
    pytest.param([1, 1], [2, 2], 9, [2, 2], id="what all caps refuse is not given"),
    pytest.param([9, 1], [0, 9], 3, [0, 3], id="a cap of nothing"),
    pytest.param([100, 80, 30, 20], [40, 300, 1, 300], 200, [40, 127, 1, 32], id="many seats"),
]


@pytest.mark.parametrize(("weights", "seats", "expected"), TABLE)
def test_webster_gives_what_the_tables_say(
    weights: list[int], seats: int, expected: list[int]
) -> None:
    assert webster(weights, seats, [10**15] * len(weights)) == expected


@pytest.mark.parametrize(("weights", "start", "seats", "expected"), FROM_START)
def test_webster_goes_on_from_a_start(
    weights: list[int], start: list[int], seats: int, expected: list[int]
) -> None:
    assert webster(weights, seats, [MANY] * len(weights), start) == expected


@pytest.mark.parametrize(("weights", "caps", "seats", "expected"), CAPPED)
def test_webster_never_exceeds_a_cap(
    weights: list[int], caps: list[int], seats: int, expected: list[int]
) -> None:
    assert webster(weights, seats, caps) == expected


@st.composite
def divisions(draw: st.DrawFn) -> tuple[list[int], int, list[int], list[int]]:
    count = draw(st.integers(0, 7))
    size = st.one_of(st.integers(0, 4), st.integers(0, 60), st.integers(0, 10**6))
    weights = draw(st.lists(size, min_size=count, max_size=count))
    caps = draw(st.lists(st.integers(0, 80), min_size=count, max_size=count))
    start = [draw(st.sampled_from([0, 0, draw(st.integers(0, cap))])) for cap in caps]
    return weights, draw(st.integers(0, 120)), caps, start


@given(divisions())
def test_webster_is_its_definition(
    division: tuple[list[int], int, list[int], list[int]],
) -> None:
    assert webster(*division) == seat_by_seat(*division)


@given(divisions())
def test_one_seat_more_takes_none_away(
    division: tuple[list[int], int, list[int], list[int]],
) -> None:
    weights, seats, caps, start = division
    fewer = webster(weights, seats, caps, start)
    more = webster(weights, seats + 1, caps, start)
    assert all(after >= before for before, after in zip(fewer, more, strict=True))
    assert sum(more) - sum(fewer) in {0, 1}


@given(st.lists(st.integers(0, 1000), max_size=9), st.data())
def test_weights_that_are_room_need_no_caps(room: list[int], data: st.DataObject) -> None:
    seats = data.draw(st.integers(0, sum(room)))
    given_seats = webster(room, seats, [10**9] * len(room))
    assert sum(given_seats) == (seats if room else 0)
    assert all(one <= most for one, most in zip(given_seats, room, strict=True))


DIVIDED = [
    pytest.param({"a": 1}, 100, {"a": 100}, id="one takes all"),
    pytest.param({"a": 1, "b": 1, "c": 1}, 100, {"a": 34, "b": 33, "c": 33}, id="ties by name"),
    pytest.param({"a": 99, "b": 1}, 10, {"a": 9, "b": 1}, id="at least one"),
    pytest.param({"a": 0, "b": 0}, 5, {"a": 3, "b": 2}, id="nobody votes"),
    pytest.param({"a": 3, "b": 0}, 4, {"a": 3, "b": 1}, id="one has no votes"),
    pytest.param({"a": 1, "b": 1, "c": 1}, 2, {"a": 1, "b": 1, "c": 1}, id="too few seats"),
    pytest.param({"a": 53, "b": 24, "c": 23}, 7, {"a": 3, "b": 2, "c": 2}, id="Webster's table"),
    pytest.param({"b": 3, "a": 5}, 100, {"a": 63, "b": 37}, id="a tie with more seats held"),
]


@pytest.mark.parametrize(("votes", "seats", "expected"), DIVIDED)
def test_by_name_gives_at_least_one(
    votes: dict[str, int], seats: int, expected: dict[str, int]
) -> None:
    assert webster_by_name(votes, seats) == expected


def one_by_one(votes: dict[str, int], seats: int) -> dict[str, int]:
    """The definition: each seat to the largest claim, to the earliest name on a tie."""
    counted = votes if any(votes.values()) else dict.fromkeys(votes, 1)
    given_seats = dict.fromkeys(votes, 1)
    for _ in range(seats - len(votes)):
        best = min(votes, key=lambda n: (-Fraction(counted[n], 2 * given_seats[n] + 1), n))
        given_seats[best] += 1
    return given_seats


@given(
    st.dictionaries(
        st.text("abc", min_size=1),
        st.one_of(st.integers(0, 12), st.integers(0, 10**6)),
        min_size=1,
        max_size=8,
    ),
    st.integers(0, 255),
)
def test_by_name_is_its_definition(votes: dict[str, int], seats: int) -> None:
    assert webster_by_name(votes, seats) == one_by_one(votes, seats)


@given(
    st.dictionaries(st.text("abc", min_size=1), st.integers(0, 50), min_size=1), st.integers(0, 99)
)
def test_by_name_gives_every_seat_and_one_to_each(votes: dict[str, int], seats: int) -> None:
    given_seats = webster_by_name(votes, seats)
    assert sum(given_seats.values()) == max(seats, len(votes))
    assert min(given_seats.values()) >= 1
    assert given_seats == webster_by_name(dict(reversed(votes.items())), seats)
