"""Fixed weights that leave what runs."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from fleet.schedule.divide import Party, by_weight
from fleet.schedule.keep import by_weight_kept
from tests.builders import a_cluster, a_policy, a_workload, linked
from tests.schedule.asking import decide, replicas

ONE = Party(1, 99)
CASES = [
    pytest.param([ONE, ONE], 50, [25, 25], id="F1: two equal"),
    pytest.param([ONE, ONE, Party(1, 99, before=30)], 50, [10, 10, 30], id="F2: one runs 30"),
    pytest.param([Party(1, 99, before=30), ONE], 50, [30, 20], id="F2: the first runs 30"),
    pytest.param([ONE, Party(1, 99, before=8)], 15, [7, 8], id="F2: 8 of 15 run"),
    pytest.param([Party(1, 12, floor=10)] * 3, 50, [12, 12, 12], id="F4: between 10 and 12"),
    pytest.param([Party(1, 2)] * 3, 50, [2, 2, 2], id="F4: at most 2"),
    pytest.param([Party(1, 2, floor=2)] * 3, 50, [2, 2, 2], id="F4: exactly 2"),
    pytest.param(
        [Party(1, 99, before=30), Party(2, 99, before=30)], 40, [10, 30], id="fewer than run"
    ),
    pytest.param([Party(1, 5, before=9), ONE], 9, [5, 4], id="no more stays than fits"),
    pytest.param([Party(0, 99, before=4), ONE], 6, [4, 2], id="without a weight it stays"),
    pytest.param([Party(9, 99), Party(1, 99, floor=4)], 10, [6, 4], id="a floor"),
    pytest.param([Party(2, 99, floor=8), Party(1, 99, floor=8)], 10, [10, 0], id="one floor fits"),
    pytest.param([Party(5, 99), Party(1, 99, needed=True)], 3, [2, 1], id="the spread needs it"),
    pytest.param([], 3, [], id="nobody"),
]


@pytest.mark.parametrize(("parties", "replicas", "expected"), CASES)
def test_by_weight_kept(parties: list[Party], replicas: int, expected: list[int]) -> None:
    assert by_weight_kept(parties, replicas) == expected


PARTIES = st.lists(
    st.builds(
        Party,
        weight=st.integers(0, 9),
        cap=st.integers(0, 12),
        before=st.integers(0, 12),
        floor=st.just(0),
        needed=st.just(value=False),
        rank=st.just(0),
    ),
    min_size=1,
    max_size=5,
)


@given(PARTIES, st.integers(0, 40))
def test_what_runs_stays_and_nothing_is_exceeded(parties: list[Party], replicas: int) -> None:
    divided = by_weight_kept(parties, replicas)
    assert sum(divided) <= replicas
    assert all(count <= party.cap for count, party in zip(divided, parties, strict=True))
    if sum(party.kept for party in parties) <= replicas:
        assert all(count >= party.kept for count, party in zip(divided, parties, strict=True))


@given(PARTIES, st.integers(0, 40))
def test_without_anything_running_it_is_the_plain_division(
    parties: list[Party], replicas: int
) -> None:
    fresh = [party._replace(before=0) for party in parties]
    assert by_weight_kept(fresh, replicas) == by_weight(fresh, replicas)


def test_a_policy_that_keeps() -> None:
    clusters = [a_cluster(name) for name in ("a", "b", "c")]
    weights = [{"replicaWeight": 1, "term": {}}]
    prior = {"web": {"c": 30}}

    def divided(**division: Any) -> dict[str, int]:
        body = {"mode": "weighted", "weights": weights, **division}
        item = linked(a_workload("web", 50), a_policy("web", division=body))
        return replicas(decide(clusters, item, prior=prior))

    assert divided(keep=True) == {"a": 10, "b": 10, "c": 30}
    assert divided() == {"a": 17, "b": 17, "c": 16}


def test_keep_goes_with_weights() -> None:
    with pytest.raises(ValidationError, match="'keep' goes with 'weights'"):
        a_policy("web", division={"mode": "weighted", "keep": True})
