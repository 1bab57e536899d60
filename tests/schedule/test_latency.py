"""The latency limit: left when too slow for long, taken again when clearly faster, no flapping."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet.model.base import FrozenMap
from fleet.model.moment import seconds_of, spelled
from fleet.model.observation import ClusterObservation
from fleet.model.snapshot import Facts
from fleet.model.source import Origin
from tests.builders import a_cluster, a_policy, a_workload, linked
from tests.schedule.asking import codes, decide, only

NOON = seconds_of("2030-05-01T12:00:00Z")
LIMIT = {"origin": "probe", "most": 80, "distance": 20, "hold_seconds": 300}
Samples = Sequence[tuple[int, int]]


def seen(samples: Mapping[str, Samples], now: int = NOON, origin: str = "probe") -> Facts:
    """Facts with (seconds before noon, milliseconds) by cluster."""
    return Facts(
        now=now,
        observations=FrozenMap(
            {
                name: ClusterObservation.model_validate(
                    {
                        "metadata": {"name": name},
                        "spec": {
                            "observed_at": spelled(now),
                            "latency": {
                                origin: [
                                    {"at": spelled(NOON - ago), "milliseconds": milliseconds}
                                    for ago, milliseconds in of
                                ]
                            },
                        },
                    }
                )
                for name, of in samples.items()
            }
        ),
    )


def limited(**limit: Any) -> Any:
    origin = Origin("policies/web.yaml", marks={("spec", "latency"): (8, 3)})
    return linked(a_workload("web"), a_policy("web", latency={**LIMIT, **limit}, origin=origin))


# Where it runs ("in"), where it runs elsewhere ("out"), where it runs nowhere yet ("new").
ROWS = [
    pytest.param([], "", id="nobody measured: nothing is barred"),
    pytest.param([(400, 81), (100, 81)], "in out new", id="slow all the time"),
    pytest.param([(300, 81)], "in out new", id="the sample that holds when the stretch begins"),
    pytest.param([(299, 81)], "out", id="not slow for long enough"),
    pytest.param([(400, 81), (100, 80)], "out", id="once at the limit"),
    pytest.param([(400, 61), (100, 61)], "out", id="between the two limits"),
    pytest.param([(400, 60), (0, 60)], "", id="clearly fast"),
    pytest.param([(400, 81), (299, 60)], "out", id="fast since less than the stretch"),
    pytest.param([(400, 81), (300, 60)], "", id="fast for the whole stretch"),
    pytest.param([(400, 81), (301, 60), (299, 90)], "out", id="one slow sample among fast ones"),
    pytest.param([(9000, 81)], "in out new", id="the last word stays the last word"),
    pytest.param([(400, 60), (-5, 99)], "", id="samples after the time do not count"),
    pytest.param([(-5, 99)], "", id="only such: nobody measured"),
]


@pytest.mark.parametrize(("samples", "barred"), ROWS)
def test_latency_bars(samples: Samples, barred: str) -> None:
    facts = seen({"eu-1": samples})
    clusters = [a_cluster("eu-1"), a_cluster("us-1")]
    found = []
    for name, prior in (("in", {"eu-1": 1}), ("out", {"us-1": 1}), ("new", {})):
        made = decide(clusters, limited(), prior={"web": prior}, facts=facts)
        if codes(only(made).verdicts["eu-1"]) == ["latency"]:
            found.append(name)
    assert " ".join(found) == barred


def test_policies_with_other_stretches_are_asked_their_own() -> None:
    """Slow for five minutes, not for ten."""
    policies = [limited(), limited(hold_seconds=600)]
    items = [linked(a_workload(f"w{at}"), each.placement) for at, each in enumerate(policies)]
    made = decide([a_cluster("eu-1")], *items, facts=seen({"eu-1": [(600, 70), (400, 81)]}))
    found = [codes(each.verdicts["eu-1"]) for each in made.decisions]
    assert found == [["latency"], []]


def test_without_a_stretch_the_last_sample_decides() -> None:
    made = decide(
        [a_cluster("eu-1"), a_cluster("us-1")],
        limited(hold_seconds=0),
        facts=seen({"eu-1": [(9, 10), (0, 81)], "us-1": [(9, 81), (0, 10)]}),
    )
    verdicts = only(made).verdicts
    assert (codes(verdicts["eu-1"]), codes(verdicts["us-1"])) == (["latency"], [])


VALUES = [
    pytest.param({"eu-1": 1}, [(400, 85), (1, 90)], 85, 80, 1, id="where it runs, the fastest"),
    pytest.param({"us-1": 1}, [(400, 65), (1, 70)], 70, 60, 0, id="elsewhere, the slowest"),
]


@pytest.mark.parametrize(("prior", "samples", "milliseconds", "limit", "there"), VALUES)
def test_the_reason_has_what_is_and_what_is_allowed(
    prior: dict[str, int], samples: Samples, milliseconds: int, limit: int, there: int
) -> None:
    clusters = [a_cluster("eu-1"), a_cluster("us-1")]
    made = decide(clusters, limited(), prior={"web": prior}, facts=seen({"eu-1": samples}))
    (why,) = only(made).verdicts["eu-1"].rejections
    assert str(why.source) == "policies/web.yaml:8:3"
    assert dict(why.values) == {
        "origin": "probe",
        "milliseconds": milliseconds,
        "limit": limit,
        "seconds": 300,
        "there": there,
    }


def test_another_origin_says_nothing_and_that_is_told() -> None:
    facts = seen({"eu-1": [(400, 99)]}, origin="elsewhere")
    items = [limited(), linked(a_workload("api"), limited().placement)]
    made = decide([a_cluster("eu-1"), a_cluster("us-1")], *items, facts=facts)
    assert codes(made.decisions[1].verdicts["eu-1"]) == []
    told = [dict(each.values) for each in made.findings if each.code == "latency-unknown"]
    assert told == [{"policy": "web", "origin": "probe", "clusters": "eu-1, us-1"}]


@pytest.mark.parametrize(
    "words",
    [
        {"affinity": {"required": [{"clusters": ["eu-1"]}, {"clusters": ["ap-1"]}]}},
        {"residency": {"regions": ["eu-*"]}},
    ],
)
def test_clusters_that_the_policy_never_takes_need_no_measuring(words: dict[str, Any]) -> None:
    item = linked(a_workload(), a_policy(latency=LIMIT, **words))
    clusters = [a_cluster("eu-1"), a_cluster("us-1", "us-east-1")]
    assert decide(clusters, item, facts=seen({"eu-1": [(1, 5)]})).findings == ()


def test_where_everything_is_measured_nothing_is_told() -> None:
    made = decide([a_cluster("eu-1")], limited(), facts=seen({"eu-1": [(1, 5)]}))
    assert made.findings == ()


def moves(readings: Sequence[int], **limit: int) -> int:
    """How often the workload changes its cluster while one is measured every minute.

    The other cluster is always fast; the measured one is liked better.
    """
    likes = {"preferred": [{"weight": 100, "term": {"clusters": ["eu-1"]}}]}
    said = {**LIMIT, **limit}
    policy = a_policy("web", latency=said, affinity=likes, pick=1)
    item = linked(a_workload("web"), policy)
    clusters = [a_cluster("eu-1"), a_cluster("us-1")]
    here, count = "eu-1", 0
    for minute in range(len(readings)):
        samples = [(-60 * at, readings[at]) for at in range(minute + 1)]
        facts = seen({"eu-1": samples, "us-1": [(0, 1)]}, now=NOON + 60 * minute)
        made = decide(clusters, item, prior={"web": {here: 1}}, facts=facts)
        (there,) = only(made).replicas
        count, here = count + (there != here), there
    return count


FLAPPING = [
    pytest.param([85, 75] * 12, 0, id="around the limit, never long enough"),
    pytest.param([85] * 10 + [75] * 10, 1, id="left, and not taken again between the limits"),
    pytest.param([85] * 10 + [55] * 10, 1, id="left; what runs elsewhere has no need to move"),
    pytest.param([85, 85, 75, 85, 85, 75] * 4, 0, id="interrupted"),
]


@pytest.mark.parametrize(("readings", "expected"), FLAPPING)
def test_a_latency_between_the_two_limits_moves_nothing(readings: list[int], expected: int) -> None:
    assert moves(readings) == expected


@given(st.lists(st.integers(40, 120), min_size=1, max_size=14))
def test_a_cluster_is_left_at_most_once_per_stretch(readings: list[int]) -> None:
    """With five minutes of proof for each way, a move costs five minutes at least."""
    assert moves(readings) <= 1 + len(readings) // 5


SCORES = [
    pytest.param([(400, 20), (1, 20)], 75, id="a quarter of the limit is used"),
    pytest.param([(400, 90), (1, 70)], 0, id="over the limit"),
    pytest.param([(400, 0), (2, 40), (1, 80)], 50, id="the median counts"),
    pytest.param([(400, 0), (1, 40)], 50, id="of two the slower"),
    pytest.param([], 0, id="nobody measured"),
]


@pytest.mark.parametrize(("samples", "points"), SCORES)
def test_latency_score(samples: Samples, points: int) -> None:
    policy = a_policy("web", latency=LIMIT, scoring={"weights": {"latency": 2}})
    clusters = [a_cluster("eu-1"), a_cluster("us-1")]
    made = decide(clusters, linked(a_workload(), policy), facts=seen({"us-1": samples}))
    verdict = only(made).verdicts["us-1"]
    parts = {each.scorer: (each.value, each.scorer_weight) for each in verdict.scores}
    assert parts["latency"] == (points, 2)
