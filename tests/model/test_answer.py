"""Who gets the traffic: Route53's table, and the laws that hold for every group."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet.model.answer import AnswerRecord, shares


def a_group(*weights: int, checked: bool = True) -> list[AnswerRecord]:
    return [
        AnswerRecord(f"c{n}", weight, f"check-{n}" if checked else None)
        for n, weight in enumerate(weights)
    ]


CASES = [
    pytest.param((100, 0), (), ("1", "0"), id="active and standby, both healthy"),
    pytest.param((100, 0), (0,), ("0", "1"), id="active is unhealthy, standby takes all"),
    pytest.param((100, 0), (1,), ("1", "0"), id="standby is unhealthy, nothing changes"),
    pytest.param((100, 0), (0, 1), ("1", "0"), id="all unhealthy, as if all were healthy"),
    pytest.param((3, 1), (), ("3/4", "1/4"), id="weights divide"),
    pytest.param((3, 1), (0,), ("0", "1"), id="an unhealthy weight is left out"),
    pytest.param((3, 1, 4), (2,), ("3/4", "1/4", "0"), id="the others keep their proportion"),
    pytest.param((0, 0, 0), (), ("1/3", "1/3", "1/3"), id="all weights zero split equally"),
    pytest.param((0, 0, 0), (1,), ("1/2", "0", "1/2"), id="zero weights split among the healthy"),
    pytest.param((0, 0), (0, 1), ("1/2", "1/2"), id="all zero and all unhealthy split equally"),
    pytest.param((9, 0, 0), (0,), ("0", "1/2", "1/2"), id="two standbys share"),
    pytest.param((9, 0, 0), (0, 1), ("0", "0", "1"), id="the healthy standby takes all"),
    pytest.param((1, 1, 0), (0,), ("0", "1", "0"), id="a standby waits for every weighted one"),
    pytest.param((7,), (0,), ("1",), id="a single unhealthy record still answers"),
]


@pytest.mark.parametrize(("weights", "down", "expected"), CASES)
def test_shares_follow_route53(
    weights: tuple[int, ...], down: tuple[int, ...], expected: tuple[str, ...]
) -> None:
    answer = shares(a_group(*weights), {f"check-{n}" for n in down})
    assert [str(share) for share in answer.values()] == list(expected)


def test_a_record_without_a_check_is_always_healthy() -> None:
    group = [AnswerRecord("a", 1), AnswerRecord("b", 0, "check-b")]
    assert shares(group, {"check-b", "check-a"}) == {"a": 1, "b": 0}


def test_an_unchecked_zero_weight_is_never_served_beside_an_unchecked_weight() -> None:
    assert shares(a_group(5, 0, checked=False)) == {"c0": 1, "c1": 0}


def test_an_unchecked_standby_answers_when_the_active_one_is_unhealthy() -> None:
    group = [AnswerRecord("a", 10, "check-a"), AnswerRecord("b", 0)]
    assert shares(group, {"check-a"}) == {"a": 0, "b": 1}


def test_a_check_shared_by_two_records_takes_both() -> None:
    group = [AnswerRecord("a", 1, "x"), AnswerRecord("b", 1, "x"), AnswerRecord("c", 0, "y")]
    assert shares(group, {"x"}) == {"a": 0, "b": 0, "c": 1}


def test_no_records_get_no_shares() -> None:
    assert shares([]) == {}


def test_a_set_identifier_that_occurs_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="'a' occurs twice"):
        shares([AnswerRecord("a", 1), AnswerRecord("a", 2)])


@pytest.mark.parametrize("weight", [-1, 256])
def test_a_weight_outside_the_bound_is_refused(weight: int) -> None:
    with pytest.raises(ValueError, match=r"not 0\.\.255"):
        shares([AnswerRecord("a", weight)])


@st.composite
def groups(draw: st.DrawFn) -> tuple[list[AnswerRecord], frozenset[str]]:
    checks = st.none() | st.sampled_from(["h0", "h1", "h2", "h3"])
    weights = st.sampled_from([0, 0, 1, 2, 100, 255])
    members = draw(st.lists(st.tuples(weights, checks), min_size=1, max_size=6))
    group = [AnswerRecord(f"c{n}", weight, check) for n, (weight, check) in enumerate(members)]
    return group, draw(st.frozensets(st.sampled_from(["h0", "h1", "h2", "h3"])))


@given(groups())
def test_shares_add_up_to_one_and_nobody_is_forgotten(
    case: tuple[list[AnswerRecord], frozenset[str]],
) -> None:
    group, down = case
    answer = shares(group, down)
    assert sum(answer.values()) == 1
    assert list(answer) == [record.set_identifier for record in group]
    assert all(share >= 0 for share in answer.values())


@given(groups())
def test_an_unhealthy_record_answers_only_when_nothing_healthy_is_left(
    case: tuple[list[AnswerRecord], frozenset[str]],
) -> None:
    group, down = case
    answer = shares(group, down)
    if any(record.health_check not in down for record in group):
        assert all(answer[r.set_identifier] == 0 for r in group if r.health_check in down)


@given(groups())
def test_all_unhealthy_is_as_if_all_were_healthy(
    case: tuple[list[AnswerRecord], frozenset[str]],
) -> None:
    group = [record for record in case[0] if record.health_check]
    everything = {record.health_check for record in group if record.health_check}
    assert shares(group, everything) == shares(group)


@given(groups())
def test_the_order_of_the_records_does_not_matter(
    case: tuple[list[AnswerRecord], frozenset[str]],
) -> None:
    group, down = case
    assert shares(list(reversed(group)), down) == shares(group, down)


@given(groups())
def test_a_zero_weight_answers_only_when_every_weight_is_unhealthy(
    case: tuple[list[AnswerRecord], frozenset[str]],
) -> None:
    group, down = case
    answer = shares(group, down)
    if any(record.dns_weight and record.health_check not in down for record in group):
        assert all(answer[r.set_identifier] == 0 for r in group if r.dns_weight == 0)
