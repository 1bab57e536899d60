"""How many workloads use each cluster: the points, and the numbers of every turn."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet.schedule.crowd import FEW, Crowd, by_fewest
from fleet.schedule.profile import FILTERS, Profile, Weighted
from tests.builders import a_cluster, a_policy, a_workload, linked
from tests.schedule.asking import decide, replicas

Places = Sequence[int]

POINTS = [
    pytest.param([], [], id="no cluster"),
    pytest.param([0, 0], [100, 100], id="nobody anywhere"),
    pytest.param([1, 0, 0], [0, 100, 100], id="one workload"),
    pytest.param([3, 1, 2], [0, 66, 34], id="thirds are rounded towards 50"),
    pytest.param([2, 1], [0, 50], id="half"),
]


@pytest.mark.parametrize(("counts", "points"), POINTS)
def test_by_fewest(counts: list[int], points: list[int]) -> None:
    assert by_fewest(np.array(counts, dtype=np.int64)).tolist() == points


PLACES = st.sets(st.integers(0, 3), max_size=4).map(tuple)


@given(
    running=st.lists(PLACES, min_size=1, max_size=5),
    chosen=st.lists(PLACES, min_size=5, max_size=5),
    asked=st.lists(st.integers(0, 4), max_size=8),
)
def test_crowd_counts_what_was_decided_and_then_what_runs(
    running: list[Places], chosen: list[Places], asked: list[int]
) -> None:
    crowd = Crowd(4, running)
    for turn in range(len(running)):
        crowd.besides(turn)
        crowd.decide(turn, chosen[turn])
    for turn in (each % len(running) for each in asked):
        places = [*chosen[:turn], *running[turn + 1 :]]
        wanted = [sum(place in one for one in places) for place in range(4)]
        assert crowd.besides(turn).tolist() == wanted


def test_crowd_takes_a_decision_that_changes_later() -> None:
    crowd = Crowd(2, [(0,), (0,)])
    crowd.decide(0, [0])
    assert crowd.besides(1).tolist() == [1, 0]
    crowd.decide(0, [1])
    assert crowd.besides(1).tolist() == [0, 1]


def test_few_workloads_go_round() -> None:
    clusters = [a_cluster(name) for name in ("c1", "c2", "c3")]
    items = [linked(a_workload(name), a_policy(name, pick=1)) for name in ("a", "b", "c", "d")]
    made = decide(clusters, *items, profile=Profile(FILTERS, (Weighted(FEW, 1),)))
    placed = [list(replicas(made, name)) for name in ("a", "b", "c", "d")]
    assert placed == [["c1"], ["c2"], ["c3"], ["c1"]]


def test_few_workloads_counts_what_the_last_update_placed() -> None:
    clusters = [a_cluster(name) for name in ("c1", "c2", "c3")]
    items = [linked(a_workload(name), a_policy(name, pick=1)) for name in ("a", "z1", "z2")]
    prior = {"z1": {"c1": 1}, "z2": {"c2": 1}}
    profile = Profile(FILTERS, (Weighted(FEW, 1),))
    assert replicas(decide(clusters, *items, prior=prior, profile=profile), "a") == {"c3": 1}
