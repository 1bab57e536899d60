"""What only matters to a run over columns: lazy assignments, bounded memory, what plugins read."""

import importlib
from unittest.mock import patch

import numpy as np

from fleet.model.base import FrozenMap
from fleet.model.decision import Assignment
from fleet.model.prior import Prior, PriorWorkload
from fleet.schedule import reasons, schedule
from fleet.schedule.assignments import Assignments
from fleet.schedule.divide import Party
from fleet.schedule.keep import by_weight_kept
from fleet.schedule.ledger import Taken
from fleet.schedule.plugin import Scorer
from fleet.schedule.profile import FILTERS, Profile, Weighted
from fleet.schedule.request import Request
from tests.builders import (
    a_cluster,
    a_policy,
    a_snapshot,
    a_workload,
    clusters_of,
    linked,
    settings,
)
from tests.schedule.asking import decide, only, replicas

EVALUATE = importlib.import_module("fleet.schedule.evaluate")


def test_assignments_are_equal_to_the_same_tuple() -> None:
    made = Assignments(("a", "b", "c"), Taken([0, 2], [4, 1]))
    same = (Assignment("a", 4), Assignment("c", 1))
    assert made == same
    assert same == made
    assert made == Assignments(("a", "b", "c"), Taken(np.array([0, 2]), np.array([4, 1])))
    assert hash(made) == hash(same)
    assert (len(made), made[1], made[:1], repr(made)) == (2, same[1], same[:1], repr(same))


def test_answers_that_take_too_much_room_are_forgotten() -> None:
    regions = {"eu": ["eu-1", "eu-2"], "us": ["us-1"]}
    policies = [
        a_policy(f"w{number}", affinity={"required": [{"clusters": [name]}]})
        for number, name in enumerate(["eu-1", "eu-2", "us-1", "eu-1"])
    ]
    items = [linked(a_workload(policy.name), policy) for policy in policies]
    with patch.object(EVALUATE, "_MOST_BYTES", 3):
        made = decide(clusters_of(regions), *items)
    assert [list(each.replicas) for each in made.decisions] == [
        ["eu-1"],
        ["eu-2"],
        ["us-1"],
        ["eu-1"],
    ]


def test_a_scorer_of_ones_own_reads_what_is_free() -> None:
    def free(request: Request) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        return request.free_percent.astype(np.int64)

    profile = Profile(FILTERS, (Weighted(Scorer("free", free), 1),))
    clusters = [a_cluster("a", cpu=8, reserved={"cpu": 6}), a_cluster("b", cpu=8)]
    item = linked(a_workload("web"), a_policy("web", pick=1))
    made = only(decide(clusters, item, profile=profile))
    assert list(made.replicas) == ["b"]
    assert [each.total for each in made.verdicts.values()] == [25, 100]


def test_a_least_without_a_most_is_covered() -> None:
    """All clusters are selected; the replicas alone would leave one without any."""
    policy = a_policy(spread=[{"by": "cluster", "min_domains": 2}], division={"mode": "weighted"})
    clusters = [a_cluster("a", cpu=900), a_cluster("b", cpu=3)]
    assert replicas(decide(clusters, linked(a_workload("web", 2), policy))) == {"a": 1, "b": 1}


def test_weights_that_keep_leave_nothing_for_what_is_needed_too_late() -> None:
    parties = [Party(1, 9, before=1, needed=True), Party(1, 9, needed=True)]
    assert by_weight_kept(parties, 1) == [1, 0]


def test_karmadas_tiers_go_on_from_the_one_that_the_last_update_wrote_down() -> None:
    tiers = [
        {"name": "first", "terms": [{"clusters": ["a", "b"]}]},
        {"name": "second", "terms": [{"clusters": ["b", "c"]}]},
    ]
    item = linked(a_workload("web", 1), a_policy(rules="karmada", tiers=tiers, pick=1))
    clusters = [a_cluster(name, cpu=9, allocatable={"pods": 9}) for name in "abc"]
    snapshot = a_snapshot(clusters, [item])
    found = {}
    for tier in ("", "second"):
        before = PriorWorkload(replicas=FrozenMap({"b": 1}), tier=tier)
        prior = Prior(known=True, workloads=FrozenMap({"web": before}))
        found[tier] = only(schedule(snapshot, prior, settings())).tier
    assert found == {"": "first", "second": "second"}


def test_karmadas_rules_tell_where_they_promise_more_than_there_is() -> None:
    clusters = [a_cluster("a", cpu=5, allocatable={"pods": 99}), a_cluster("b", cpu=900)]
    weights = [{"replica_weight": 1, "term": {"clusters": ["a"]}}]
    policy = a_policy(rules="karmada", division={"mode": "weighted", "weights": weights})
    item = linked(a_workload("web", 7), policy)
    made = decide(clusters, item)
    assert replicas(made) == {"a": 7}
    (finding,) = [each for each in made.findings if each.code == reasons.OVERCOMMITTED]
    assert dict(finding.values) == {"workload": "web", "clusters": "a 7 of 5"}
    running = decide(clusters, item, prior={"web": {"a": 2}})
    assert all(each.code != reasons.OVERCOMMITTED for each in running.findings)
