"""Soft rules: what they give, what they may never do, and what a plugin may answer."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from fleet.errors import PluginError
from fleet.model.decision import Outcome, Rejection
from fleet.schedule.plugin import Filter, Scorer
from fleet.schedule.profile import DEFAULT, FILTERS, SCORERS, Profile, Weighted
from fleet.schedule.request import Request
from tests.builders import a_cluster, a_policy, a_workload, linked
from tests.schedule.asking import codes, decide, only, replicas


def scores(policy: dict[str, Any], *, there: bool = False, **cluster: Any) -> dict[str, int]:
    """The points of one cluster, by scorer."""
    item = linked(a_workload("web", 1), a_policy("web", **policy))
    prior = {"web": {"eu-1": 1}} if there else None
    verdict = only(decide([a_cluster("eu-1", **cluster)], item, prior=prior)).verdicts["eu-1"]
    return {each.scorer: each.value for each in verdict.scores}


def wish(weight: int, **term: Any) -> dict[str, Any]:
    return {"weight": weight, "term": term}


PREFERRED = [
    pytest.param([], 0, id="nothing wished"),
    pytest.param([wish(60, clusters=["eu-1"])], 60, id="a wish"),
    pytest.param([wish(60, clusters=["us-1"])], 0, id="a wish for another"),
    pytest.param([wish(60), wish(30)], 90, id="wishes add up"),
    pytest.param([wish(60), wish(60)], 100, id="to 100 at most"),
]


@pytest.mark.parametrize(("preferred", "points"), PREFERRED)
def test_affinity_score(preferred: list[dict[str, Any]], points: int) -> None:
    assert scores({"affinity": {"preferred": preferred}})["affinity"] == points


def test_already_there_score() -> None:
    assert scores({})["already-there"] == 0
    assert scores({}, there=True)["already-there"] == 100
    assert scores({"placement": "fresh"}, there=True)["already-there"] == 0


def test_balance_score_is_the_scarcest_requested_resource() -> None:
    allocatable = {"memory": 100}
    reserved = {"cpu": 1, "memory": 90}
    assert scores({}, cpu=4, allocatable=allocatable, reserved=reserved)["balance"] == 75
    assert scores({}, cpu=3, reserved={"cpu": 1})["balance"] == 66
    assert scores({}, cpu=None)["balance"] == 100
    assert scores({"division": {"mode": "aggregated"}}, cpu=4)["balance"] == 0
    unasked = linked(a_workload("web", 1, request={}))
    verdict = only(decide([a_cluster("eu-1")], unasked)).verdicts["eu-1"]
    assert {each.scorer: each.value for each in verdict.scores}["balance"] == 0


def test_balance_score_follows_what_earlier_names_took() -> None:
    items = [linked(a_workload(name, 3)) for name in ("api", "web")]
    made = decide([a_cluster("eu-1", cpu=10)], *items)
    parts = [
        {it.scorer: it.value for it in each.verdicts["eu-1"].scores} for each in made.decisions
    ]
    assert [each["balance"] for each in parts] == [100, 70]


def test_untainted_score() -> None:
    avoided = {"taints": ["old:PreferNoSchedule"]}
    assert scores({})["untainted"] == 100
    assert scores({}, **avoided)["untainted"] == 0
    assert scores({}, there=True, **avoided)["untainted"] == 100
    assert (
        scores({"tolerations": [{"key": "old", "operator": "Exists"}]}, **avoided)["untainted"]
        == 100
    )
    assert scores({}, there=True, taints=["a:NoSchedule"])["untainted"] == 100


def test_being_there_outweighs_everything_else_together() -> None:
    """Else the load of a cluster, a wish or a taint would move what is placed."""
    weights = {each.scorer.name: each.scorer_weight for each in SCORERS}
    there = weights.pop("already-there")
    assert there > sum(weights.values())


def test_neither_load_nor_wishes_nor_taints_move_what_is_placed() -> None:
    clusters = [
        a_cluster("eu-1", cpu=100, reserved={"cpu": 95}, taints=["old:PreferNoSchedule"]),
        a_cluster("eu-2", labels={"gpu": "yes"}),
    ]
    policy = {"affinity": {"preferred": [wish(100, match_labels={"gpu": "yes"})]}, "pick": 1}
    item = linked(a_workload("web", 5), a_policy("web", **policy))
    assert replicas(decide(clusters, item, prior={"web": {"eu-1": 5}})) == {"eu-1": 5}
    fresh = linked(a_workload("web", 5), a_policy("web", placement="fresh", **policy))
    assert replicas(decide(clusters, fresh, prior={"web": {"eu-1": 5}})) == {"eu-2": 5}


def test_the_order_of_clusters_is_points_then_room_then_name() -> None:
    clusters = [
        a_cluster("d", cpu=10),
        a_cluster("c", cpu=20),
        a_cluster("b", cpu=10),
        a_cluster("a", cpu=10, labels={"gpu": "yes"}),
        a_cluster("e", cpu=10, labels={"gpu": "yes"}),
    ]
    preferred = {"preferred": [wish(1, match_labels={"gpu": "yes"})]}
    chosen = []
    for count in range(1, 6):
        policy = a_policy("web", affinity=preferred, pick=count)
        placed = set(replicas(decide(clusters, linked(a_workload("web", 1), policy))))
        chosen += sorted(placed - set(chosen))
    assert chosen == ["a", "e", "c", "b", "d"]


def test_packing_prefers_what_is_preferred() -> None:
    clusters = [a_cluster("big", cpu=50), a_cluster("gpu", cpu=6, labels={"gpu": "yes"})]
    policy = a_policy(
        "web",
        affinity={"preferred": [wish(100, match_labels={"gpu": "yes"})]},
        division={"mode": "aggregated"},
    )
    assert replicas(decide(clusters, linked(a_workload("web", 6), policy))) == {"gpu": 6}
    assert replicas(decide(clusters, linked(a_workload("web", 7), policy))) == {"big": 6, "gpu": 1}


def constant(value: float) -> Callable[[Request], Any]:
    return lambda request: np.full(request.table.size, value)


def test_a_scorer_of_ones_own_is_weighed_and_named() -> None:
    mine = Scorer("cheap", lambda request: np.arange(request.table.size, dtype=np.int64))
    profile = Profile(FILTERS, (*SCORERS, Weighted(mine, 50)))
    clusters = [a_cluster(name) for name in ("a", "b", "c")]
    made = decide(clusters, linked(a_workload(), a_policy("web", pick=1)), profile=profile)
    assert replicas(made) == {"c": 1}
    part = only(made).verdicts["c"].scores[-1]
    assert (part.scorer, part.value, part.scorer_weight) == ("cheap", 2, 50)


def test_a_scorer_of_ones_own_is_asked_once_for_what_it_reads() -> None:
    asked: list[str] = []

    def gives(request: Request) -> Any:
        asked.append(request.workload.name)
        return np.zeros(request.table.size, dtype=np.int64)

    mine = Scorer("cheap", gives, lambda request: request.workload.name[0])
    items = [linked(a_workload(name)) for name in ("a1", "a2", "b1")]
    decide([a_cluster()], *items, profile=Profile(FILTERS, (Weighted(mine, 1),)))
    assert asked == ["a1", "b1"]


BAD_SCORES = [
    pytest.param(
        constant(1.5), "plugin 'mine': a scorer answers with one whole number", id="float"
    ),
    pytest.param(
        lambda request: np.full(request.table.size, 101),
        "plugin 'mine': gives 101 to 'eu-1', 0 to 100 is allowed",
        id="too much",
    ),
    pytest.param(
        lambda request: np.full(request.table.size, -1),
        "plugin 'mine': gives -1 to 'eu-1', 0 to 100 is allowed",
        id="negative",
    ),
    pytest.param(
        lambda _request: np.zeros(7, dtype=np.int64),
        "plugin 'mine': a scorer answers with one whole number per cluster",
        id="another number of clusters",
    ),
]


@pytest.mark.parametrize(("gives", "sentence"), BAD_SCORES)
def test_a_scorer_out_of_range_is_named(gives: Callable[[Request], Any], sentence: str) -> None:
    profile = Profile(FILTERS, (Weighted(Scorer("mine", gives), 1),))
    with pytest.raises(PluginError, match=sentence):
        decide([a_cluster()], linked(a_workload()), profile=profile)


def test_a_filter_of_ones_own_bars_and_explains() -> None:
    mine = Filter(
        "tenancy",
        lambda request: np.array([name == "a" for name in request.table.names]),
        lambda _request, _place: [Rejection("tenancy")],
        lambda _request: None,
    )
    silent = Filter("silent", mine.bars, lambda _request, _place: [])
    made = decide(
        [a_cluster("a"), a_cluster("b")],
        linked(a_workload()),
        profile=Profile((*FILTERS, mine, silent), SCORERS),
    )
    assert replicas(made) == {"b": 1}
    verdict = only(made).verdicts["a"]
    assert verdict.outcome is Outcome.INFEASIBLE
    assert codes(verdict) == ["tenancy", "silent"]


def test_a_filter_with_another_answer_is_named() -> None:
    wrong = Filter("mine", lambda request: np.zeros(request.table.size), lambda _r, _p: [])
    with pytest.raises(PluginError, match="plugin 'mine': a filter answers with one truth value"):
        decide([a_cluster()], linked(a_workload()), profile=Profile((wrong,), SCORERS))


def test_the_default_profile_is_what_schedule_uses() -> None:
    assert Profile(FILTERS, SCORERS) == DEFAULT
