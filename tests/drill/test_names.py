"""Public names at the moment of a loss, before any update."""

import pytest

from fleet.drill.losses import names_at_once
from fleet.model.base import FrozenMap
from fleet.model.decision import Assignment, Decision, Schedule
from tests.explain.outcomes import an_endpoint

CASES = [
    pytest.param({"eu-1": 100, "us-1": 0}, {"eu-1": 4, "us-1": 2}, {"eu-1"}, "over", id="standby"),
    pytest.param({"eu-1": 100, "us-1": 0}, {"eu-1": 4, "us-1": 2}, {"us-1"}, "", id="its loss"),
    pytest.param(
        {"eu-1": 100, "us-1": 0}, {"eu-1": 4}, {"eu-1"}, "dark", id="a parked record is no help"
    ),
    pytest.param(
        {"eu-1": 100, "us-1": 0}, {"eu-1": 4, "us-1": 0}, {"eu-1"}, "dark", id="nor an empty one"
    ),
    pytest.param({"eu-1": 2, "us-1": 1}, {"eu-1": 2, "us-1": 1}, {"eu-1"}, "", id="weighted"),
    pytest.param(
        {"eu-1": 2, "us-1": 1}, {"eu-1": 2, "us-1": 1}, {"eu-1", "us-1"}, "dark", id="both"
    ),
    pytest.param({}, {"eu-1": 2}, {"eu-1"}, "", id="no record"),
    pytest.param({"eu-1": 1}, {}, {"eu-1"}, "", id="dark already"),
    pytest.param(
        {"eu-1": 1, "us-1": 0}, {"eu-1": 0, "us-1": 0}, {"eu-1"}, "over", id="no replicas"
    ),
]


@pytest.mark.parametrize(("weights", "replicas", "gone", "expected"), CASES)
def test_names_at_once(
    weights: dict[str, int], replicas: dict[str, int], gone: set[str], expected: str
) -> None:
    endpoint = an_endpoint({name: (None, weight) for name, weight in weights.items()})
    placed = tuple(Assignment(name, count) for name, count in replicas.items())
    schedule = Schedule((Decision("web", placed),), FrozenMap())
    dark, over = names_at_once([endpoint], schedule, gone)
    assert ("dark" if dark else "over" if over else "") == expected
    assert {*dark, *over} <= {"web.fleet.test"}


def test_a_name_of_a_workload_that_is_gone_is_nobody_s() -> None:
    endpoint = an_endpoint({"eu-1": (None, 1)})
    assert names_at_once([endpoint], Schedule(()), {"eu-1"}) == ((), ())
