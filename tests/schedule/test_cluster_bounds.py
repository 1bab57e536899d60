"""The least and the most of single clusters."""

from typing import Any

import pytest

from fleet.model.source import Origin
from fleet.schedule import reasons
from tests.builders import a_cluster, a_policy, a_workload, linked
from tests.schedule.asking import codes, decide, only, replicas

MARKS = {
    ("spec", "division", "maxReplicas"): (5, 3),
    ("spec", "division", "bounds", 0, "maxReplicas"): (7, 9),
}
HERE = Origin("policies/web.yaml", marks=MARKS)


def to(name: str, least: int | None = None, most: int | None = None) -> dict[str, Any]:
    return {"term": {"clusters": [name]}, "min_replicas": least, "max_replicas": most}


def ask(wanted: int, *bounds: dict[str, Any], per_cluster: bool = False, **division: Any) -> Any:
    said = {"mode": "weighted", **division, "bounds": bounds}
    workload = a_workload("web", wanted, per_cluster=per_cluster)
    clusters = [a_cluster(name, cpu=10) for name in "abc"]
    return decide(clusters, linked(workload, a_policy(origin=HERE, division=said)))


BOUNDS = [
    pytest.param(9, [to("a", None, 1)], {}, {"a": 1, "b": 4, "c": 4}, id="a most"),
    pytest.param(
        9, [to("a", None, 1)], {"max_replicas": 4}, {"a": 1, "b": 4, "c": 4}, id="and for others"
    ),
    pytest.param(
        9, [to("a", None, 6)], {"max_replicas": 2}, {"a": 5, "b": 2, "c": 2}, id="more than others"
    ),
    pytest.param(
        9, [to("a", None, 2), to("a", None, 9)], {}, {"a": 2, "b": 4, "c": 3}, id="the first counts"
    ),
    pytest.param(9, [to("a", None, 0)], {}, {"b": 5, "c": 4}, id="a most of 0"),
    pytest.param(
        4, [to("a", 3, None)], {"min_replicas": 1}, {"a": 3, "b": 1}, id="a least, not for all"
    ),
    pytest.param(
        12,
        [to("a", 7, None)],
        {"weights": [{"replica_weight": 1, "term": {}}]},
        {"a": 7, "b": 3, "c": 2},
        id="a least with static weights",
    ),
    pytest.param(
        3, [to("a", None, 2)], {"mode": "duplicated"}, {"a": 2, "b": 3, "c": 3}, id="of copies"
    ),
    pytest.param(8, [to("a", None, 2)], {"mode": "aggregated"}, {"b": 8}, id="aggregated"),
]


@pytest.mark.parametrize(("wanted", "bounds", "division", "expected"), BOUNDS)
def test_bounds(
    wanted: int, bounds: list[dict[str, Any]], division: dict[str, Any], expected: dict[str, int]
) -> None:
    assert replicas(ask(wanted, *bounds, **division)) == expected


def test_a_most_of_0_says_where() -> None:
    verdict = only(ask(9, to("a", None, 0))).verdicts["a"]
    (why,) = verdict.rejections
    assert (why.code, str(why.source)) == (reasons.NONE_ALLOWED, "policies/web.yaml:7:9")


def test_an_earlier_rule_opens_a_cluster_that_a_later_one_would_bar() -> None:
    made = ask(9, to("a", None, 2), {"term": {}, "max_replicas": 0})
    assert replicas(made) == {"a": 2}
    assert codes(only(made).verdicts["b"]) == [reasons.NONE_ALLOWED]


def test_the_rule_that_bars_a_cluster_is_named() -> None:
    verdict = only(ask(9, to("b", None, 0), to("a", None, 0))).verdicts["a"]
    assert codes(verdict) == [reasons.NONE_ALLOWED]


def test_every_cluster_at_its_most_is_short() -> None:
    decision = only(ask(12, to("a", None, 1), max_replicas=2))
    assert decision.replicas == {"a": 1, "b": 2, "c": 2}
    (why,) = decision.shortfall_reasons
    assert (why.code, str(why.source)) == (reasons.CAPACITY_SHORT, "policies/web.yaml:5:3")


def test_a_daemon_has_no_bounds() -> None:
    assert replicas(ask(1, to("a", None, 0), per_cluster=True)) == {"a": 1, "b": 1, "c": 1}


def test_an_autoscaler_grows_as_far_as_each_cluster_may() -> None:
    said = {"mode": "weighted", "bounds": [to("a", None, 2)]}
    workload = a_workload("web", 4, autoscaled=(4, 20))
    clusters = [a_cluster(name, cpu=10) for name in "ab"]
    made = decide(clusters, linked(workload, a_policy(division=said)))
    found = {it.cluster: (it.minimum, it.maximum) for it in only(made).assignments}
    assert found == {"a": (2, 2), "b": (2, 18)}
