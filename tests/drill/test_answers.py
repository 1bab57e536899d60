"""Who is answered under a name while clusters are dead."""

from fractions import Fraction

import pytest

from fleet.drill.answers import NO_ANSWER, answered
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
