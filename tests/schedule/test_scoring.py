"""What a point of each scorer counts for a policy, and the scorers that a policy has to name."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet.errors import InvalidError
from fleet.model.base import FrozenMap
from fleet.model.inventory import Cluster
from fleet.model.observation import ExternalScores
from fleet.model.snapshot import Facts
from fleet.model.source import Origin, Path
from fleet.schedule.profile import DEFAULT
from tests.builders import a_cluster, a_policy, a_workload, linked
from tests.schedule.asking import decide, only, replicas


def points(
    scorer: str, clusters: Sequence[Cluster], facts: Facts | None = None, **policy: Any
) -> list[int]:
    """What a scorer gives to each cluster."""
    policy.setdefault("scoring", {"weights": {scorer: 1}})
    made = only(decide(clusters, linked(a_workload(request={}), a_policy(**policy)), facts=facts))
    return [
        {it.scorer: it.value for it in made.verdicts[each.name].scores}[scorer] for each in clusters
    ]


def sized(**amounts: Sequence[Any]) -> list[Cluster]:
    """Clusters by a resource; None: the cluster does not list it."""
    (resource, values) = next(iter(amounts.items()))
    return [
        a_cluster(f"c{place}", cpu=None, allocatable={} if value is None else {resource: value})
        for place, value in enumerate(values)
    ]


def priced(*prices: Any) -> list[Cluster]:
    return [
        a_cluster(f"c{place}", properties={} if price is None else {"cost-per-core": price})
        for place, price in enumerate(prices)
    ]


AMOUNTS = [
    pytest.param("allocatable-memory", sized(memory=[20, 60, 100]), [0, 50, 100], id="O5 memory"),
    pytest.param("allocatable-memory", sized(memory=[60, 60]), [100, 100], id="O5 equal"),
    pytest.param("allocatable-memory", sized(memory=[20, None, 100]), [0, 0, 100], id="O5 absent"),
    pytest.param("allocatable-memory", sized(memory=[None, None]), [0, 0], id="nobody says"),
    pytest.param("allocatable-cpu", sized(cpu=[10, 6, 2]), [100, 50, 0], id="O6 cpu"),
    pytest.param("allocatable-cpu", sized(cpu=[0, 1, 3]), [0, 33, 100], id="rounded down"),
    pytest.param("allocatable-cpu", sized(cpu=[7]), [100], id="alone"),
    pytest.param("cost", priced("0.02", "0.03", "0.04"), [100, 50, 0], id="cheaper is better"),
    pytest.param("cost", priced("0.02", None, "0.02"), [100, 0, 100], id="equal costs"),
    pytest.param("cost", priced(None), [0], id="no costs"),
]


@pytest.mark.parametrize(("scorer", "clusters", "expected"), AMOUNTS)
def test_scores_by_amount(scorer: str, clusters: list[Cluster], expected: list[int]) -> None:
    assert points(scorer, clusters) == expected


AMONG = [
    pytest.param({}, {"a": 0, "b": 1, "big": 100}, id="nothing is said"),
    pytest.param({"clusters": ["a", "b"]}, {"a": 0, "b": 100}, id="another is not allowed"),
    pytest.param({"clusters": ["b"]}, {"b": 100}, id="one alone is"),
]


@pytest.mark.parametrize(("term", "expected"), AMONG)
def test_a_cluster_that_may_not_be_used_turns_no_order(
    term: dict[str, Any], expected: dict[str, int]
) -> None:
    """O5: Open Cluster Management scores what its filters left."""
    sizes = {"a": 10, "b": 20, "big": 1010}
    clusters = [a_cluster(name, cpu=cpu) for name, cpu in sizes.items()]
    policy = a_policy(
        scoring={"weights": {"allocatable-cpu": 1}}, affinity={"required": [term] * bool(term)}
    )
    made = only(decide(clusters, linked(a_workload(), policy)))
    found = {
        name: {it.scorer: it.value for it in each.scores}.get("allocatable-cpu")
        for name, each in made.verdicts.items()
        if each.scores
    }
    assert found == expected


def test_a_taint_takes_its_cluster_out_of_the_comparison_and_not_its_points() -> None:
    clusters = [a_cluster("a", cpu=10), a_cluster("b", cpu=20)]
    clusters.append(a_cluster("big", cpu=1010, taints=["full=true:NoSchedule"]))
    policy = a_policy(scoring={"weights": {"allocatable-cpu": 1}})
    made = only(decide(clusters, linked(a_workload(), policy), prior={"web": {"big": 1}}))
    scores = {
        name: {it.scorer: it.value for it in each.scores}["allocatable-cpu"]
        for name, each in made.verdicts.items()
    }
    assert scores == {"a": 0, "b": 100, "big": 100}


@given(st.lists(st.integers(0, 2**62), min_size=2, max_size=6))
def test_more_never_scores_less(amounts: list[int]) -> None:
    given_points = points("allocatable-memory", sized(memory=amounts))
    assert all(0 <= each <= 100 for each in given_points)
    ranked = [point for _, point in sorted(zip(amounts, given_points, strict=True))]
    assert ranked == sorted(ranked)


FEWEST = {"exact": True, "weights": {"fewest-workloads": 1}}
COUNTS = [
    pytest.param({}, [], [100, 100, 100], id="O1 no others, and its own do not count"),
    pytest.param({"before": {"a": 1}}, [], [0, 100, 100], id="O2 decided before"),
    pytest.param({}, [("zeta", "a")], [0, 100, 100], id="O2 to be decided later"),
    pytest.param(
        {"m1": {"a": 1}, "m2": {"a": 1, "b": 1}, "m3": {"a": 1}}, [], [0, 66, 100], id="between"
    ),
]


@pytest.mark.parametrize(("before", "later", "expected"), COUNTS)
def test_fewest_workloads(
    before: dict[str, dict[str, int]], later: list[tuple[str, str]], expected: list[int]
) -> None:
    """Asked for twice: an explanation that comes later sees the counts of the moment."""
    fixed = [
        linked(
            a_workload(name, request={}),
            a_policy(name, affinity={"required": [{"clusters": list(places)}]}),
        )
        for name, places in [*before.items(), *((name, {place: 1}) for name, place in later)]
    ]
    mine = linked(a_workload("own", request={}), a_policy("own", scoring=FEWEST))
    prior = {"own": {"b": 1}, **{name: {place: 1} for name, place in later}}
    made = decide(THREE, *fixed, mine, prior=prior)
    own = next(each for each in made.decisions if each.workload == "own")
    for _ in range(2):
        found = [own.verdicts[name].scores[0].value for name in ("a", "b", "c")]
        assert found == expected
        assert all(each.verdicts["a"].cluster == "a" for each in made.decisions)


def test_counts_are_those_of_the_moment_forward_and_back() -> None:
    """Each goes where fewest are; asked in any order, an explanation finds the same counts."""
    items = [
        linked(a_workload(f"w{at}", request={}), a_policy(f"w{at}", scoring=FEWEST, pick=1))
        for at in range(4)
    ]
    made = decide(THREE, *items, prior={"w3": {"c": 1}})
    assert [dict(each.replicas) for each in made.decisions] == [
        {"a": 1},
        {"b": 1},
        {"a": 1},
        {"c": 1},
    ]
    expected = [[100, 100, 0], [0, 100, 0], [0, 0, 0], [0, 50, 100]]
    for at in (3, 0, 2, 1, 3):
        verdicts = made.decisions[at].verdicts
        found = [verdicts[name].scores[0].value for name in ("a", "b", "c")]
        assert found == expected[at]


@pytest.mark.parametrize(
    ("weight", "expected"), [(1, ["c000", "c001", "c002", "c003"]), (-1, ["c000"] * 3 + ["c001"])]
)
def test_in_a_wide_fleet_a_scorer_that_rises_is_asked_anew(
    weight: int, expected: list[str]
) -> None:
    """A dislike of balance packs: room for three on each of many clusters."""
    clusters = [a_cluster(f"c{at:03}", cpu=3) for at in range(420)]
    scoring = {"exact": True, "weights": {"balance": weight}}
    items = [
        linked(
            a_workload(f"w{at}"),
            a_policy(f"w{at}", scoring=scoring, pick=1, division={"mode": "weighted"}),
        )
        for at in range(4)
    ]
    made = decide(clusters, *items)
    assert [name for each in made.decisions for name in each.replicas] == expected


def test_o12_the_cluster_without_workloads_is_taken() -> None:
    one = a_policy("web", scoring=FEWEST, pick=1)
    items = [
        linked(a_workload(name), a_policy(name, affinity={"required": [{"clusters": [place]}]}))
        for name, place in (("other", "a"), ("others", "b"))
    ]
    made = decide(THREE, *items, linked(a_workload("web"), one))
    assert replicas(made) == {"c": 1}


def wish(weight: int, *clusters: str, order: str | None = None, name: str = "p") -> dict[str, Any]:
    sort = {} if order is None else {"sort": {"property": name, "order": order}}
    return {"weight": weight, "term": {"clusters": list(clusters)}, **sort}


THREE = [a_cluster(name) for name in ("a", "b", "c")]
DISLIKES = [
    pytest.param([wish(100, "a"), wish(-100, "b")], [100, 0, 50], id="0 is in the middle"),
    pytest.param([wish(30, "a"), wish(-29, "b")], [65, 35, 50], id="halved, rounded down"),
    pytest.param([wish(-60), wish(-60)], [0, 0, 0], id="no less than -100"),
    pytest.param([wish(80), wish(80), wish(-70, "a")], [95, 100, 100], id="summed, then cut"),
    pytest.param([wish(80, "a")], [80, 0, 0], id="without dislikes as they are"),
]


@pytest.mark.parametrize(("preferred", "expected"), DISLIKES)
def test_wishes_and_dislikes(preferred: list[dict[str, Any]], expected: list[int]) -> None:
    assert points("affinity", THREE, affinity={"preferred": preferred}) == expected


SORTS = [
    pytest.param([2, 4, 7], "descending", 7, 3, id="K1 descending 7"),
    pytest.param([2, 4, 7], "descending", 8, 3, id="K1 descending 8"),
    pytest.param([2, 4, 7], "ascending", 8, 5, id="K1 ascending 8"),
    pytest.param([2, 4, 7], "ascending", 7, 4, id="K1 ascending 7"),
    pytest.param([4, 4, 8], "descending", 100, 0, id="K1 the least, descending"),
    pytest.param([4, 4, 8], "ascending", 100, 100, id="K1 the least, ascending"),
    pytest.param([2, 4, 4], "descending", 100, 100, id="K1 the most, descending"),
    pytest.param([2, 4, 4], "ascending", 100, 0, id="K1 the most, ascending"),
    pytest.param([4, 4, 4], "ascending", 100, 0, id="K1 all equal"),
    pytest.param([2, None, 7], "descending", 100, 0, id="K1 absent"),
    pytest.param([None, None, None], "descending", 100, 0, id="nobody says"),
    pytest.param([0, 1, 2], "descending", 7, 4, id="halves away from 0"),
    pytest.param([0, 1, 2], "descending", -7, 48, id="a dislike by amount"),
]


@pytest.mark.parametrize(("values", "order", "weight", "expected"), SORTS)
def test_a_share_of_the_weight_by_an_amount(
    values: list[int | None], order: str, weight: int, expected: int
) -> None:
    """The points of the cluster in the middle."""
    clusters = [
        a_cluster(f"c{place}", properties={} if value is None else {"p": value})
        for place, value in enumerate(values)
    ]
    preferred = [wish(weight, order=order)]
    assert points("affinity", clusters, affinity={"preferred": preferred})[1] == expected


def scored(scores: Mapping[str, int], now: int | None = 100, **spec: Any) -> Facts:
    document = ExternalScores.model_validate(
        {"metadata": {"name": "health"}, "spec": {"scores": scores, **spec}}
    )
    return Facts(now=now, scores=FrozenMap({"health": document}))


OVER, LATER = "1970-01-01T00:01:40Z", "1970-01-01T00:01:41Z"
EXTERNAL = [
    pytest.param(scored({"a": 30}), [30, 0, 0], id="O7 missing is 0"),
    pytest.param(
        scored({"a": 9, "b": 40, "c": 50}, valid_until_by_cluster={"a": OVER}),
        [0, 40, 50],
        id="O7 one expired",
    ),
    pytest.param(scored({"a": 30}, valid_until=OVER), [0, 0, 0], id="expired"),
    pytest.param(scored({"a": 30}, valid_until=LATER), [30, 0, 0], id="not yet"),
    pytest.param(
        scored({"a": 30, "b": 8}, valid_until=OVER, valid_until_by_cluster={"a": LATER}),
        [30, 0, 0],
        id="a cluster's own time",
    ),
    pytest.param(scored({"a": 100, "b": -100}), [100, 0, 50], id="0 is in the middle"),
    pytest.param(scored({"a": 30, "gone": 8}), [30, 0, 0], id="a cluster that is gone"),
    pytest.param(scored({}), [0, 0, 0], id="none at all"),
    pytest.param(Facts(), [0, 0, 0], id="no document"),
]


@pytest.mark.parametrize(("facts", "expected"), EXTERNAL)
def test_external_scores(facts: Facts, expected: list[int]) -> None:
    assert points("external/health", THREE, facts) == expected


def parts(scoring: dict[str, Any]) -> dict[str, int]:
    """The weight of each scorer that counts."""
    item = linked(a_workload(), a_policy(scoring=scoring))
    verdict = only(decide([a_cluster("a")], item)).verdicts["a"]
    assert verdict.total == sum(each.value * each.scorer_weight for each in verdict.scores)
    return {each.scorer: each.scorer_weight for each in verdict.scores}


DEFAULTS = {"affinity": 3, "already-there": 6, "balance": 1, "untainted": 1}
WEIGHTS = [
    pytest.param({}, DEFAULTS, id="nothing said"),
    pytest.param({"weights": {"cost": 4}}, {**DEFAULTS, "cost": 4}, id="one more"),
    pytest.param({"weights": {"balance": -2}}, {**DEFAULTS, "balance": -2}, id="another weight"),
    pytest.param(
        {"weights": {"untainted": 0}},
        {"affinity": 3, "already-there": 6, "balance": 1},
        id="weight 0 is not asked",
    ),
    pytest.param({"exact": True, "weights": {"balance": 3}}, {"balance": 3}, id="O9 exact"),
    pytest.param({"exact": True}, {}, id="exact and nothing: nothing counts"),
    pytest.param(
        {"exact": True, "weights": {"external/health": 2, "external/load": 1}},
        {"external/health": 2, "external/load": 1},
        id="external scores",
    ),
]


@pytest.mark.parametrize(("scoring", "expected"), WEIGHTS)
def test_weights_of_a_policy(scoring: dict[str, Any], expected: dict[str, int]) -> None:
    assert parts(scoring) == expected


def test_weights_of_one_policy_are_not_another_ones() -> None:
    clusters = priced("0.03", "0.02")
    cheap = a_policy("cheap", scoring={"weights": {"cost": 9}}, pick=1)
    items = [linked(a_workload("cheap"), cheap), linked(a_workload("web"), a_policy(pick=1))]
    made = decide(clusters, *items, capacity="independent")
    assert replicas(made, "cheap") == {"c1": 1}
    assert replicas(made, "web") == {"c0": 1}


def test_only_a_policy_that_names_them_pays_for_the_other_scorers() -> None:
    unasked = {each.scorer.name for each in DEFAULT.scorers if not each.scorer_weight}
    assert unasked == {
        "fewest-workloads",
        "allocatable-cpu",
        "allocatable-memory",
        "cost",
        "latency",
    }


WRONG = [
    (
        {"balanse": 1},
        (
            "policies/web.yaml:6:5: spec.scoring.weights.balanse: there is no scorer 'balanse' -"
            " did you mean 'balance'?"
        ),
    ),
    (
        {"zzz": 1},
        (
            "policies/web.yaml:6:5: spec.scoring.weights.zzz: there is no scorer 'zzz' - known are"
            " 'affinity', 'allocatable-cpu', 'allocatable-memory', 'already-there', 'balance',"
            " 'cost', 'fewest-workloads', 'latency', 'untainted', 'external/<name>'"
        ),
    ),
    (
        {"latency": 1},
        (
            "policies/web.yaml:6:5: spec.scoring.weights.latency: needs a latency limit, and the"
            " policy has none - say spec.latency with the origin that measures"
        ),
    ),
]


@pytest.mark.parametrize(("weights", "line"), WRONG)
def test_a_scorer_that_does_not_exist_is_refused(weights: dict[str, int], line: str) -> None:
    marks: dict[Path, tuple[int, int]] = {
        ("spec", "scoring", "weights", name): (6, 5) for name in weights
    }
    policy = a_policy(scoring={"weights": weights}, origin=Origin("policies/web.yaml", marks=marks))
    with pytest.raises(InvalidError) as raised:
        decide([a_cluster("a")], linked(a_workload(), policy))
    assert str(raised.value) == line
