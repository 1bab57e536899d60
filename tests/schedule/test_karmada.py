"""Karmada's rules on native values: what documents cannot say, and what surrounds a decision."""

from typing import Any

import pytest

from fleet.model.decision import Outcome, Role
from fleet.model.inventory import Capacity, Cluster, State
from fleet.model.snapshot import Linked
from fleet.model.source import Origin
from fleet.model.workload import Manifest, WorkloadSettings
from fleet.schedule import reasons, remedies
from tests.builders import a_cluster, a_policy, a_traffic, a_workload, clusters_of, linked
from tests.schedule.asking import codes, decide, only, replicas

PODS = {"pods": 1}


def rooms(**pods: int) -> list[Cluster]:
    """Clusters with room for so many pods each, and nothing else counted."""
    return [
        a_cluster(name, f"r-{name}", cpu=None, allocatable={"pods": count})
        for name, count in pods.items()
    ]


def by_karmada(replicas: int = 1, **spec: Any) -> Linked:
    """A workload under a policy that follows Karmada's rules."""
    return linked(
        a_workload("web", replicas, request=PODS), a_policy("web", rules="karmada", **spec)
    )


def on_cluster(most: int, least: int = 1) -> dict[str, object]:
    return {"by": "cluster", "min_domains": least, "max_domains": most}


def on_region(most: int, least: int = 1) -> dict[str, object]:
    return {"by": "region", "min_domains": least, "max_domains": most}


def test_verdicts_say_why_not() -> None:
    made = only(
        decide(
            [*rooms(a=9, b=9, c=5), a_cluster("z", labels={"out": "yes"})],
            by_karmada(
                4,
                affinity={
                    "required": [
                        {"match_expressions": [{"key": "out", "operator": "DoesNotExist"}]}
                    ]
                },
                spread=[on_cluster(2)],
                division={"mode": "aggregated"},
            ),
        )
    )
    assert made.replicas == {"a": 4}
    assert codes(made.verdicts["b"]) == [reasons.NOT_NEEDED]
    assert codes(made.verdicts["c"]) == [reasons.DOMAIN_LIMIT]
    assert dict(made.verdicts["c"].rejections[0].values) == {"by": "cluster", "limit": 2}
    assert codes(made.verdicts["z"]) == [reasons.AFFINITY]
    assert [made.verdicts[name].room for name in "abc"] == [9, 9, 5]
    assert len(made.verdicts) == 4
    assert list(made.verdicts) == ["a", "b", "c", "z"]


def test_a_cluster_outside_of_the_chosen_regions() -> None:
    made = only(
        decide(
            rooms(a=9, b=8),
            by_karmada(2, spread=[on_region(1), on_cluster(5)], division={"mode": "weighted"}),
        )
    )
    assert made.replicas == {"a": 2}
    assert dict(made.verdicts["b"].rejections[0].values) == {"by": "region", "limit": 1}


def test_regions_without_a_word_on_clusters() -> None:
    """Natively a spread by region may stand alone: then one cluster of each region is taken."""
    clusters = [a_cluster(name, "r", cpu=None, allocatable={"pods": 9}) for name in ("a", "b")]
    made = decide(clusters, by_karmada(2, spread=[on_region(1)], division={"mode": "weighted"}))
    assert replicas(made) == {"a": 2}


def test_a_cluster_of_the_chosen_region_beyond_the_most() -> None:
    clusters = [
        a_cluster(name, "r", cpu=None, allocatable={"pods": room})
        for name, room in {"a": 9, "b": 8, "c": 7}.items()
    ]
    spread = [on_region(1), on_cluster(2)]
    made = only(decide(clusters, by_karmada(4, spread=spread, division={"mode": "weighted"})))
    assert made.replicas == {"a": 2, "b": 2}
    assert dict(made.verdicts["c"].rejections[0].values) == {"by": "cluster", "limit": 2}


def test_weights_of_nothing_and_shares_of_nothing() -> None:
    weights = [
        {"replica_weight": 9, "term": {"clusters": ["a"]}},
        {"replica_weight": 1, "term": {"clusters": ["b"]}},
    ]
    made = only(
        decide(
            rooms(a=1, b=1, c=1), by_karmada(2, division={"mode": "weighted", "weights": weights})
        )
    )
    assert made.replicas == {"a": 2}
    assert codes(made.verdicts["b"]) == [reasons.NO_SHARE]
    assert codes(made.verdicts["c"]) == [reasons.WEIGHT_ZERO]


def test_enough_clusters_but_in_no_set_of_regions() -> None:
    spread = [on_region(1), on_cluster(5, least=2)]
    made = only(decide(rooms(a=9, b=8), by_karmada(2, spread=spread)))
    assert (dict(made.replicas), made.shortfall) == ({}, 2)
    assert [each.code for each in made.shortfall_reasons] == [reasons.SPREAD_CONFLICT]


def test_pick_is_a_spread_by_cluster() -> None:
    made = only(decide(rooms(a=9, b=8, c=7), by_karmada(2, pick=2)))
    assert made.replicas == {"a": 2, "b": 2}
    short = only(decide(rooms(a=9), by_karmada(2, pick=2)))
    assert [dict(each.values) for each in short.shortfall_reasons] == [
        {"by": "cluster", "found": 1, "wanted": 2}
    ]


def test_nobody_is_feasible() -> None:
    made = only(decide(rooms(a=9), by_karmada(2, residency={"regions": ["eu-*"]})))
    assert (dict(made.replicas), made.shortfall) == ({}, 2)
    assert [each.code for each in made.shortfall_reasons] == [reasons.NO_CLUSTER]
    assert codes(made.verdicts["a"]) == [reasons.RESIDENCY]


@pytest.mark.parametrize(
    ("division", "shortfall"),
    [
        pytest.param({"mode": "weighted"}, 7, id="what runs stays and the rest is short"),
        pytest.param({"mode": "duplicated"}, 0, id="duplicated runs as it did"),
    ],
)
def test_what_runs_stays_where_karmada_gives_up(division: dict[str, str], shortfall: int) -> None:
    made = only(
        decide(
            rooms(a=1, b=1),
            by_karmada(9, division=division, spread=[on_cluster(5, least=3)]),
            prior={"web": {"a": 2, "gone": 1}},
        )
    )
    assert (dict(made.replicas), made.shortfall) == ({"a": 2}, shortfall)
    assert [each.code for each in made.shortfall_reasons] == [reasons.DOMAINS_SHORT]
    assert codes(made.verdicts["b"]) == [reasons.DOMAINS_SHORT]


def test_too_little_room() -> None:
    made = only(
        decide(
            rooms(a=1, b=2),
            by_karmada(9, division={"mode": "weighted"}),
            prior={"web": {"a": 2}},
        )
    )
    assert made.replicas == {"a": 2}
    assert [dict(each.values) for each in made.shortfall_reasons] == [{"wanted": 9, "placed": 5}]
    assert made.verdicts["a"].outcome is Outcome.ASSIGNED


def test_taints_and_apis_move_nothing_that_runs() -> None:
    clusters = [
        a_cluster("a", cpu=9, allocatable={"pods": 9}, taints=["gone:NoExecute"]),
        a_cluster("b", cpu=9, allocatable={"pods": 9}, taints=["gone:NoExecute"]),
    ]
    made = only(decide(clusters, by_karmada(2), prior={"web": {"a": 2}}))
    assert made.replicas == {"a": 2}
    assert codes(made.verdicts["b"]) == [reasons.TAINT]
    assert made.verdicts["a"].total == 100


def test_a_cluster_that_does_not_serve_the_kind() -> None:
    manifest = Manifest("apps/v1", "Deployment", "", "web", {}, Origin("web.yaml"))
    workload = a_workload("web", 2, request=PODS, manifests=[manifest])
    item = linked(workload, a_policy("web", rules="karmada"))
    clusters = rooms(a=9, b=9, c=9, d=9)
    for place, apis in {0: ("v1/Service",), 1: ("apps/v1",), 2: ("apps/v1/Deployment",)}.items():
        spec = clusters[place].spec.model_copy(update={"apis": apis})
        clusters[place] = clusters[place].model_copy(update={"spec": spec})
    made = only(decide(clusters, item))
    assert made.replicas == {"b": 2, "c": 2, "d": 2}
    assert codes(made.verdicts["a"]) == [reasons.API]
    values = made.verdicts["a"].rejections[0].values
    assert dict(values) == {"api": "apps/v1/Deployment", "object": "Deployment//web"}
    assert replicas(decide(clusters[:1], item, prior={"web": {"a": 1}})) == {"a": 2}


def test_objects_without_replicas_go_everywhere() -> None:
    workload = a_workload("web", 0, request={})
    settings = linked(workload, a_policy("web", rules="karmada", spread=[on_cluster(1)]))
    made = only(decide(rooms(a=0, b=0), settings))
    assert [(each.cluster, each.replicas) for each in made.assignments] == [("a", 0)]
    assert made.verdicts["a"].outcome is Outcome.SELECTED
    assert made.verdicts["a"].room is None


def test_a_daemon_set_runs_once_on_every_selected_cluster() -> None:
    workload = a_workload("web", 1, request=PODS, per_cluster=True)
    item = linked(workload, a_policy("web", rules="karmada", division={"mode": "weighted"}))
    assert replicas(decide(rooms(a=0, b=0), item)) == {"a": 1, "b": 1}


@pytest.mark.parametrize(
    ("division", "expected"),
    [
        pytest.param({"mode": "weighted"}, [("a", 2, 6), ("b", 1, 3)], id="divided"),
        pytest.param({"mode": "duplicated"}, [("a", 3, 9), ("b", 3, 9)], id="duplicated"),
    ],
)
def test_an_autoscaler_gets_its_bounds(
    division: dict[str, str], expected: list[tuple[str, int, int]]
) -> None:
    workload = a_workload("web", 5, request=PODS, autoscaled=(3, 9))
    made = only(
        decide(
            rooms(a=9, b=6), linked(workload, a_policy("web", rules="karmada", division=division))
        )
    )
    assert [(each.cluster, each.minimum, each.maximum) for each in made.assignments] == expected


def tiers(*groups: list[str], **more: object) -> dict[str, object]:
    listed = [
        {"name": f"t{number}", "terms": [{"clusters": names}]}
        for number, names in enumerate(groups)
    ]
    return {"tiers": listed, "division": {"mode": "weighted"}, **more}


TIERS = [
    pytest.param({}, tiers(["a"], ["b"]), {"b": 5}, id="the first does not hold it"),
    pytest.param({"b": 5}, tiers(["c"], ["b"]), {"b": 5}, id="it never goes back"),
    pytest.param(
        {"b": 5},
        tiers(["c"], ["b"], return_to_better_tier=True),
        {"c": 5},
        id="it goes back where asked",
    ),
    pytest.param({"x": 5}, tiers(["c"], ["b"]), {"c": 5}, id="what ran nowhere known"),
    pytest.param({"a": 1, "c": 1}, tiers(["c"], ["b"]), {"c": 5}, id="what ran in no tier"),
    pytest.param({}, tiers(["a"], ["nobody"]), {}, id="none holds it"),
]


@pytest.mark.parametrize(("prior", "spec", "expected"), TIERS)
def test_tiers(prior: dict[str, int], spec: dict[str, object], expected: dict[str, int]) -> None:
    made = decide(rooms(a=1, b=9, c=9), by_karmada(5, **spec), prior={"web": prior})
    assert replicas(made) == expected


def test_where_no_tier_holds_it_the_first_one_s_fault_counts() -> None:
    made = only(decide(rooms(a=1, b=2), by_karmada(5, **tiers(["a"], ["b"]))))
    assert [dict(each.values) for each in made.shortfall_reasons] == [{"wanted": 5, "placed": 1}]


def overflowing(mode: str) -> dict[str, object]:
    tier = {
        "name": "t",
        "terms": [{"clusters": ["a"]}],
        "overflow": [{"terms": [{"clusters": ["a", "b"]}]}, {"terms": [{"clusters": ["c"]}]}],
    }
    return {"tiers": [tier], "division": {"mode": mode}}


OVERFLOW = [
    pytest.param(4, overflowing("weighted"), {}, {"a": 2, "b": 2}, id="what does not fit"),
    pytest.param(9, overflowing("weighted"), {}, {"a": 2, "b": 4, "c": 3}, id="two overflows"),
    pytest.param(9, overflowing("aggregated"), {}, {"a": 2, "b": 4, "c": 3}, id="aggregated"),
    pytest.param(3, overflowing("weighted"), {"c": 1}, {"a": 2, "c": 1}, id="what runs stays"),
    pytest.param(1, overflowing("weighted"), {"b": 1, "c": 2}, {"c": 1}, id="it shrinks"),
    pytest.param(2, overflowing("aggregated"), {"b": 1, "c": 2}, {"c": 2}, id="it shrinks, packed"),
]


@pytest.mark.parametrize(("count", "spec", "prior", "expected"), OVERFLOW)
def test_overflow(
    count: int, spec: dict[str, object], prior: dict[str, int], expected: dict[str, int]
) -> None:
    made = decide(rooms(a=2, b=4, c=9), by_karmada(count, **spec), prior={"web": prior})
    assert replicas(made) == expected


@pytest.mark.parametrize("mode", ["weighted", "aggregated"])
def test_overflow_that_is_not_needed_says_so(mode: str) -> None:
    verdicts = only(decide(rooms(a=9, b=9, c=9), by_karmada(2, **overflowing(mode)))).verdicts
    assert [codes(verdicts[name]) for name in "abc"] == [
        [],
        [reasons.OVERFLOW],
        [reasons.OVERFLOW],
    ]


def test_overflow_that_is_not_needed_is_with_more_replicas() -> None:
    made = decide(rooms(a=9, b=9, c=9), by_karmada(2, **overflowing("weighted")))
    (change,) = made.changes["web"]["b"]
    assert (change.code, change.values["to"]) == (remedies.ADD_REPLICAS, 10)


def test_a_cluster_outside_of_the_group_in_use_names_the_group() -> None:
    made = only(decide(rooms(a=1, b=9, c=9), by_karmada(5, **tiers(["a"], ["b"]))))
    (why,) = made.verdicts["c"].rejections
    assert (why.code, why.values["tier"]) == (reasons.AFFINITY, made.tier)
    assert made.tier == "t1"


def test_overflow_clusters_are_selected_last() -> None:
    """C6 (common_test.go): the primary cluster goes before a better one of the overflow."""
    spec = overflowing("weighted") | {"spread": [on_cluster(1)]}
    assert replicas(decide(rooms(a=2, b=4, c=9), by_karmada(1, **spec))) == {"a": 1}


def test_roles_follow_the_replicas() -> None:
    policy = a_traffic("web", standby=100, failover="automatic")
    item = linked(
        a_workload("web", 4, request=PODS), a_policy("web", rules="karmada"), traffic=[policy]
    )
    clusters = clusters_of({"eu": ["a"], "us": ["b"]}, cpu=None, allocatable={"pods": 9})
    made = decide(clusters, item, active="us")
    assert {each.cluster: each.role for each in only(made).assignments} == {
        "a": Role.STANDBY,
        "b": Role.ACTIVE,
    }
    assert made.active["web"].region == "us"
    nobody = decide(clusters, item)
    assert nobody.active["web"].region == "eu"


def test_a_draining_cluster_is_left() -> None:
    made = decide(
        rooms(a=9, b=9),
        by_karmada(2, division={"mode": "weighted"}),
        prior={"web": {"a": 2}},
        states={"a": State.DRAINING},
    )
    assert replicas(made) == {"b": 2}


def queued(name: str, queue: int | None, priority: int = 0) -> Linked:
    workload = a_workload(name, 2, request=PODS, settings=WorkloadSettings(queue=queue))
    division = {"mode": "weighted"}
    return linked(workload, a_policy(name, rules="karmada", division=division, priority=priority))


QUEUES = [
    pytest.param([queued("x", 2), queued("y", 1)], "y", id="by place in the queue"),
    pytest.param([queued("x", None), queued("y", 7)], "y", id="who has none comes after"),
    pytest.param([queued("x", None), queued("y", None)], "x", id="by name"),
    pytest.param([queued("x", 1), queued("y", 2, 5)], "y", id="by priority"),
]


@pytest.mark.parametrize(("items", "first"), QUEUES)
def test_turns(items: list[Linked], first: str) -> None:
    made = decide(rooms(a=2), *items)
    placed = {each.workload: bool(each.replicas) for each in made.decisions}
    assert placed == {"x": first == "x", "y": first == "y"}
    assert [each.workload for each in made.decisions] == ["x", "y"]


def test_a_later_workload_finds_the_nodes_filled_also_when_asked_again() -> None:
    nodes = [{"count": 2, "free": {"cpu": 2}}]
    capacity = Capacity.model_validate({"allocatable": {"cpu": 99, "pods": 99}, "nodes": nodes})
    (cluster,) = rooms(a=9)
    spec = cluster.spec.model_copy(update={"capacity": capacity})
    cluster = cluster.model_copy(update={"spec": spec})

    def item(name: str, queue: int) -> Linked:
        workload = a_workload(
            name, 1, request={"cpu": 1, "pods": 1}, settings=WorkloadSettings(queue=queue)
        )
        policy = a_policy(name, rules="karmada", division={"mode": "weighted"})
        return linked(workload, policy)

    small = Capacity.model_validate(
        {"allocatable": {"cpu": 9, "pods": 9}, "nodes": [{"free": {"cpu": 0}}]}
    )
    other = a_cluster("b").model_copy(update={"spec": spec.model_copy(update={"capacity": small})})
    made = decide([cluster, other], item("x", 1), item("y", 2))
    assert [each.verdicts["a"].room for each in made.decisions] == [4, 3]
    assert [each.verdicts["a"].room for each in reversed(made.decisions)] == [3, 4]


def test_a_run_that_starts_again_begins_with_empty_nodes() -> None:
    """A native workload that gives up room makes the run start again."""
    nodes = [{"count": 9, "free": {"cpu": 2}}]
    capacity = Capacity.model_validate({"allocatable": {"cpu": 9, "pods": 99}, "nodes": nodes})
    (cluster,) = rooms(a=9)
    spec = cluster.spec.model_copy(update={"capacity": capacity})
    cluster = cluster.model_copy(update={"spec": spec})
    native = [
        linked(a_workload(name, count), a_policy(name, division={"mode": "weighted"}))
        for name, count in (("b", 9), ("c", 1))
    ]
    made = decide([cluster, a_cluster("z", cpu=1)], by_karmada(2), *native, prior={"c": {"a": 8}})
    assert replicas(made) == {"a": 2, "z": 2}


def test_a_share_of_nothing_by_room() -> None:
    made = only(decide(rooms(a=9, b=1), by_karmada(1, division={"mode": "weighted"})))
    assert codes(made.verdicts["b"]) == [reasons.NO_SHARE]


def test_weights_that_reach_nobody_who_is_there() -> None:
    weights = [{"replica_weight": 9, "term": {"clusters": ["gone"]}}]
    made = decide(rooms(a=1, b=1), by_karmada(4, division={"mode": "weighted", "weights": weights}))
    assert replicas(made) == {"a": 2, "b": 2}


def test_only_the_kinds_that_are_not_served_are_named() -> None:
    kinds = [("apps/v1", "Deployment"), ("v1", "Service")]
    manifests = [Manifest(*each, "", "web", {}, Origin("web.yaml")) for each in kinds]
    item = linked(
        a_workload("web", 2, request=PODS, manifests=manifests), a_policy("web", rules="karmada")
    )
    (cluster,) = rooms(a=9)
    spec = cluster.spec.model_copy(update={"apis": ("v1",)})
    made = only(decide([cluster.model_copy(update={"spec": spec})], item))
    assert [dict(each.values) for each in made.verdicts["a"].rejections] == [
        {"api": "apps/v1/Deployment", "object": "Deployment//web"}
    ]


def test_nothing_is_exchanged_for_less_room() -> None:
    spec = {"spread": [on_cluster(2)], "division": {"mode": "weighted"}}
    made = only(decide(rooms(a=9, b=8, c=7), by_karmada(30, **spec)))
    assert [dict(each.values) for each in made.shortfall_reasons] == [{"wanted": 30, "placed": 17}]
