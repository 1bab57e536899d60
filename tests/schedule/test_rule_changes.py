"""What flips the verdicts of the rules about times, tenants, APIs, latency, nodes and structure."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings

from fleet.load.link_facts import observed
from fleet.load.parse import Declared
from fleet.load.windows import open_windows
from fleet.model.base import FrozenMap
from fleet.model.change import APPEND, Edit
from fleet.model.cluster_set import ClusterSet
from fleet.model.inventory import Cluster
from fleet.model.observation import ClusterObservation
from fleet.model.prior import Prior
from fleet.model.snapshot import Facts, Linked, Snapshot
from fleet.model.workload import WorkloadSettings
from fleet.schedule import remedies, schedule
from tests.builders import (
    a_cluster,
    a_policy,
    a_prior,
    a_quota,
    a_snapshot,
    a_workload,
    linked,
    settings,
)
from tests.schedule import evens, structures
from tests.schedule.applying import applied
from tests.schedule.fleets import by_name, is_lacking
from tests.schedule.flipping import check, told, web
from tests.schedule.obstacles import (
    DAILY,
    FOR_A_WHILE,
    GPU,
    MANIFESTS,
    NIGHTLY,
    NOON,
    OPEN,
    beset,
    karmada,
    strained,
    with_words,
)
from tests.schedule.test_changes import roomy, situations

SOME = hypothesis_settings(max_examples=25)
FEW = hypothesis_settings(max_examples=20)
BY_ROOM = {"mode": "weighted"}
Told = list[tuple[str, dict[str, object]]]


def flips(
    clusters: Sequence[Cluster],
    *items: Linked,
    cluster: str = "a",
    facts: Facts | None = None,
    prior: Prior | None = None,
    **parts: Any,
) -> Told:
    """What flips the verdict of `web` on a cluster; it is carried out, and does."""
    snapshot = a_snapshot(clusters, items, facts=facts, **parts)
    made = schedule(snapshot, prior or a_prior(), settings())
    check(snapshot, prior or a_prior(), made, "web")
    return told(made, cluster)


def cures(clusters: Sequence[Cluster], *items: Linked, **parts: Any) -> Told:
    """What gives every replica of `web` a place; it is carried out, and does."""
    snapshot = a_snapshot(clusters, items, **parts)
    found = schedule(snapshot, a_prior(), settings()).cures["web"]
    again = schedule(applied(snapshot, found), a_prior(), settings())
    assert found
    assert not by_name(again)["web"].shortfall
    return [(each.code, dict(each.values)) for each in found]


# Times, tenants, APIs, latency, nodes


def test_a_toleration_that_ran_out() -> None:
    tainted = with_words(a_cluster("a"), {"taints": [GPU]})
    facts = Facts(now=NOON)
    values = {"key": "gpu", "value": "", "effect": "NoExecute", "seconds": 30}
    assert flips([tainted], web(tolerations=FOR_A_WHILE), facts=facts) == [
        (remedies.TOLERATE_ON, values)
    ]


WINDOWS = [
    pytest.param([OPEN], {"end": "2030-05-01T12:01:01Z", "count": 1}, id="the only one"),
    pytest.param([NIGHTLY, OPEN], {"end": "2030-05-01T12:01:01Z", "count": 1}, id="one of two"),
    pytest.param([DAILY, OPEN], {"end": "2030-05-01T12:01:01Z", "count": 2}, id="both of two"),
]


@pytest.mark.parametrize(("windows", "values"), WINDOWS)
def test_a_window_that_is_open(windows: list[dict[str, Any]], values: dict[str, Any]) -> None:
    closed = with_words(a_cluster("a"), {"maintenance": windows})
    facts = Facts(now=NOON, windows=open_windows([closed], NOON))
    assert flips([closed], web(), facts=facts) == [
        (remedies.END_WINDOWS, {"cluster": "a", **values})
    ]


def a_set(name: str, clusters: Sequence[str], **spec: Any) -> ClusterSet:
    said = {"clusters": [{"clusters": list(clusters)}], **spec}
    return ClusterSet.model_validate({"metadata": {"name": name}, "spec": said})


def of_team(team: str, objects: int = 0) -> Linked:
    """A workload of a team; its two objects are in the namespaces `default` and `shop`."""
    made = a_workload(
        "web",
        manifests=MANIFESTS[:objects],
        main="Deployment//web",
        settings=WorkloadSettings(team=team),
    )
    return linked(made, a_policy("web"))


SETS = [
    pytest.param(
        "red",
        [a_set("s", ["b"], teams=["red"], exclusive=True), a_set("t", ["b"], teams=["r*"])],
        [(remedies.JOIN_SET, {"cluster": "a", "set": "t"})],
        id="the set that shuts nobody out",
    ),
    pytest.param(
        "red",
        [a_set("s", ["a"], teams=["blue"], exclusive=True)],
        [(remedies.LET_IN, {"set": "s", "tenant": "team red"})],
        id="the team is let in",
    ),
    pytest.param(
        "",
        [a_set("s", ["a"], namespaces=["default"], exclusive=True)],
        [(remedies.LET_IN, {"set": "s", "tenant": "namespace shop"})],
        id="every namespace is let in",
    ),
]


@pytest.mark.parametrize(("team", "sets", "expected"), SETS)
def test_cluster_sets(team: str, sets: list[ClusterSet], expected: Told) -> None:
    clusters = [a_cluster("a"), a_cluster("b")]
    assert flips(clusters, of_team(team, 2), facts=Facts(sets=tuple(sets))) == expected


def test_who_is_no_tenant_needs_a_set_for_all() -> None:
    facts = Facts(sets=(a_set("s", ["a"], teams=["blue"], exclusive=True),))
    assert flips([a_cluster("a"), a_cluster("b")], web(), facts=facts) == [
        (remedies.OPEN_SET, {"set": "s"})
    ]


def test_an_api_that_is_not_served() -> None:
    bare = a_cluster("a", apis=("v1",))
    assert flips([bare], of_team("", 2)) == [
        (remedies.SERVE, {"cluster": "a", "api": "apps/v1/Deployment"}),
        (remedies.SERVE, {"cluster": "a", "api": "a.b/v1/Thing"}),
    ]


def slow(**samples: int) -> Facts:
    seen = {
        name: ClusterObservation.model_validate(
            {
                "metadata": {"name": name},
                "spec": {
                    "observedAt": "2030-05-01T12:00:00Z",
                    "latency": {
                        "probe": [{"at": "2030-05-01T11:50:00Z", "milliseconds": milliseconds}]
                    },
                },
            }
        )
        for name, milliseconds in samples.items()
    }
    return Facts(now=NOON, observations=FrozenMap(seen))


LATENCIES = [
    pytest.param({}, 90, id="as much as was measured"),
    pytest.param({"web": {"a": 1}}, 90, id="where it runs"),
    pytest.param({"web": {"b": 1}}, 110, id="where it left: the distance on top"),
]


@pytest.mark.parametrize(("running", "most"), LATENCIES)
def test_a_way_that_is_too_slow(running: Mapping[str, Mapping[str, int]], most: int) -> None:
    limit = {"origin": "probe", "most": 80, "distance": 20, "hold_seconds": 300}
    clusters = [a_cluster("a"), a_cluster("b")]
    prior = a_prior(running or None)
    assert flips(clusters, web(latency=limit), facts=slow(a=90), prior=prior) == [
        (remedies.RAISE, {"field": "spec.latency.most", "was": 80, "to": most})
    ]


NODES = [
    pytest.param(
        [{"count": 2, "free": {"cpu": 1}}],
        {"was": 0, "to": 3, "free.cpu": 2000},
        id="nodes that each hold one",
    ),
    pytest.param(
        [{"count": 1, "free": {"cpu": 3}}, {"count": 1, "free": {"cpu": 4, "pods": 9}}],
        {"was": 1, "to": 2, "free.cpu": 4000},
        id="more of the larger ones",
    ),
]


@pytest.mark.parametrize(("nodes", "values"), NODES)
def test_nodes_that_hold_too_few(nodes: list[dict[str, Any]], values: dict[str, Any]) -> None:
    wanted = 5 if len(nodes) > 1 else 3
    item = web(wanted, request={"cpu": 2, "pods": 1})
    assert flips([a_cluster("a", nodes=nodes)], item) == [
        (remedies.ADD_NODES, {"cluster": "a", **values})
    ]


def test_nodes_for_every_replica() -> None:
    small = a_cluster("a", nodes=[{"count": 1, "free": {"cpu": 2}}])
    assert cures([small], web(4, division=BY_ROOM)) == [
        (remedies.ADD_NODES, {"cluster": "a", "was": 1, "to": 2, "free.cpu": 2000})
    ]


def test_what_is_observed_is_changed_where_it_was_observed() -> None:
    seen = ClusterObservation.model_validate(
        {
            "metadata": {"name": "a"},
            "spec": {
                "observedAt": "2030-05-01T12:00:00Z",
                "capacity": {"allocatable": {"cpu": 1}, "nodes": [{"free": {"cpu": 1}}]},
            },
        }
    )
    (small,) = observed(Declared(clusters=[a_cluster("a")], observations=[seen]))
    facts = Facts(now=NOON, observations=FrozenMap({"a": seen}))
    snapshot = a_snapshot([small], [web(2)], facts=facts)
    made = schedule(snapshot, a_prior(), settings())
    check(snapshot, a_prior(), made, "web")
    kinds = [each.kind for change in made.changes["web"]["a"] for each in change.edits]
    assert kinds == ["ClusterObservation", "ClusterObservation"]


def test_what_is_not_observed_is_changed_in_the_inventory() -> None:
    seen = ClusterObservation.model_validate(
        {
            "metadata": {"name": "a"},
            "spec": {
                "observedAt": "2030-05-01T12:00:00Z",
                "capacity": {"allocatable": {"memory": 1}},
            },
        }
    )
    clusters = observed(Declared(clusters=[a_cluster("a", cpu=1)], observations=[seen]))
    facts = Facts(now=NOON, observations=FrozenMap({"a": seen}))
    assert flips(clusters, web(2), facts=facts) == [
        (remedies.ADD_CAPACITY, {"cluster": "a", "resource": "cpu", "was": 1000, "to": 2000})
    ]


# Tiers, bounds, neighbours, quotas, even numbers


def tier(name: str, *clusters: str) -> dict[str, Any]:
    return {"name": name, "terms": [{"clusters": list(clusters)}]}


def two_tiers(replicas: int = 1, **spec: Any) -> Linked:
    """A workload whose first tier is `a`, whose second is `b`."""
    said = {"division": BY_ROOM, "tiers": [tier("first", "a"), tier("second", "b")], **spec}
    return web(replicas, **said)


THREE = [a_cluster("a", cpu=2), a_cluster("b", cpu=9), a_cluster("c", cpu=9)]
ADDED = "add-to-tier"


def test_a_cluster_of_no_tier() -> None:
    assert flips(THREE, two_tiers(), cluster="c") == [(ADDED, {"cluster": "c", "tier": "first"})]


def test_a_cluster_of_a_later_tier() -> None:
    assert flips(THREE, two_tiers(), cluster="b") == [(ADDED, {"cluster": "b", "tier": "first"})]


def test_a_cluster_of_a_tier_that_is_short() -> None:
    assert flips(THREE, two_tiers(4)) == [(ADDED, {"cluster": "a", "tier": "second"})]


def test_a_cluster_of_a_tier_that_was_left() -> None:
    prior = a_prior({"web": {"b": 1}}, tiers={"web": "second"})
    assert flips(THREE, two_tiers(), prior=prior) == [(remedies.RETURN, {"tier": "first"})]


def test_a_tier_that_was_left_and_is_short_now() -> None:
    prior = a_prior({"web": {"b": 4}}, tiers={"web": "second"})
    assert flips(THREE, two_tiers(4), prior=prior) == [(ADDED, {"cluster": "a", "tier": "second"})]


MODES = [
    pytest.param(BY_ROOM, 1, id="one of all"),
    pytest.param({**BY_ROOM, "min_replicas": 2}, 2, id="the least of the division"),
    pytest.param({"mode": "duplicated"}, 4, id="all on every cluster"),
]


@pytest.mark.parametrize(("division", "to"), MODES)
def test_a_cluster_that_may_run_none(division: dict[str, Any], to: int) -> None:
    term = {"clusters": ["c"]}
    bounds = [{"term": {"clusters": ["b"]}, "max_replicas": 3}, {"term": term, "max_replicas": 0}]
    item = web(4, division={**division, "bounds": bounds})
    field = "spec.division.bounds[1].maxReplicas"
    assert flips(THREE, item, cluster="c") == [
        (remedies.RAISE, {"field": field, "was": 0, "to": to})
    ]


BOUNDS = [
    pytest.param(
        BY_ROOM,
        {"max_replicas": 3},
        ("raise", {"field": "spec.division.bounds[0].maxReplicas", "was": 3, "to": 4}),
        id="too few per cluster",
    ),
    pytest.param(
        {"mode": "duplicated"},
        {"max_replicas": 3},
        ("raise", {"field": "spec.division.bounds[0].maxReplicas", "was": 3, "to": 4}),
        id="too few everywhere",
    ),
    pytest.param(
        BY_ROOM,
        {"min_replicas": 5},
        ("lower", {"field": "spec.division.bounds[0].minReplicas", "was": 5, "to": 4}),
        id="too many at least",
    ),
]


def test_bounds_that_say_only_one_of_the_two() -> None:
    rules = [
        {"term": {"clusters": ["b"]}, "min_replicas": 1},
        {"term": {"clusters": ["a"]}, "max_replicas": 2},
    ]
    item = web(4, division={**BY_ROOM, "bounds": rules})
    assert cures([a_cluster("a")], item) == [
        ("raise", {"field": "spec.division.bounds[1].maxReplicas", "was": 2, "to": 4})
    ]
    few = web(1, division={**BY_ROOM, "min_replicas": 3, "bounds": rules})
    assert cures([a_cluster("a")], few) == [
        ("lower", {"field": "spec.division.minReplicas", "was": 3, "to": 1})
    ]


@pytest.mark.parametrize(("division", "said", "expected"), BOUNDS)
def test_bounds_of_a_cluster_that_leave_replicas_without_a_place(
    division: dict[str, Any], said: dict[str, int], expected: tuple[str, dict[str, object]]
) -> None:
    item = web(4, division={**division, "bounds": [{"term": {}, **said}]})
    assert cures([a_cluster("a")], item) == [expected]


ONLY_B = {"required": [{"clusters": ["b"]}]}


def parted(field: str, policy: str, was: str, to: str = "") -> tuple[str, dict[str, object]]:
    return remedies.PART, {"field": f"spec.{field}", "policy": policy, "was": was, "to": to}


def test_a_workload_that_must_be_with_another() -> None:
    api = linked(a_workload("api"), a_policy("api", affinity=ONLY_B))
    assert flips(THREE, api, web(together=["api", "x"])) == [
        parted("together", "web", "api, x", "x")
    ]


def test_a_workload_that_must_be_with_two_others() -> None:
    others = [linked(a_workload(each), a_policy(each, affinity=ONLY_B)) for each in ("api", "app")]
    assert flips(THREE, *others, web(together=["api", "app"])) == [
        parted("together", "web", "api, app")
    ]


def test_a_workload_that_others_must_not_be_with() -> None:
    api = linked(a_workload("api"), a_policy("api", affinity=ONLY_B, apart=["w*"]))
    assert flips(THREE, api, web(), cluster="b") == [parted("apart", "api", "w*")]


def test_both_say_that_they_are_apart() -> None:
    api = linked(a_workload("api"), a_policy("api", affinity=ONLY_B, apart=["web"]))
    assert flips(THREE, api, web(apart=["api"]), cluster="b") == [
        parted("apart", "api", "web"),
        parted("apart", "web", "api"),
    ]


def test_one_policy_keeps_its_workloads_apart() -> None:
    shared = a_policy("all", workloads=["*"], apart=["api", "web"], pick=1)
    items = [linked(a_workload(each), shared) for each in ("api", "web")]
    found = flips([a_cluster("a")], *items)
    assert found == [parted("apart", "all", "api, web")]


def of_shop(replicas: int, **spec: Any) -> Linked:
    made = a_workload("web", replicas, settings=WorkloadSettings(team="shop"))
    return linked(made, a_policy("web", **spec))


def test_a_quota_that_leaves_a_copy_out() -> None:
    clusters = [a_cluster("a", labels={"x": "1"}), a_cluster("b")]
    wish = {"preferred": [{"weight": 9, "term": {"clusters": ["b"]}}]}
    quotas = [a_quota("shop", teams=["shop"], limits={"cpu": 5})]
    assert flips(clusters, of_shop(3, affinity=wish), quotas=quotas) == [
        (remedies.RAISE_QUOTA, {"quota": "shop", "resource": "cpu", "was": 5000, "to": 6000})
    ]


def test_two_quotas_that_leave_replicas_without_a_place() -> None:
    quotas = [
        a_quota("shop", teams=["shop"], limits={"cpu": 2}),
        a_quota("all", namespaces=["*"], limits={"cpu": 3}),
    ]
    assert cures(THREE, of_shop(5, division=BY_ROOM), quotas=quotas) == [
        (remedies.RAISE_QUOTA, {"quota": "all", "resource": "cpu", "was": 3000, "to": 5000}),
        (remedies.RAISE_QUOTA, {"quota": "shop", "resource": "cpu", "was": 2000, "to": 5000}),
    ]


def test_two_quotas_that_leave_a_copy_out() -> None:
    """One step on each in turn would take too many rounds."""
    quotas = [
        a_quota("all", namespaces=["*"], limits={"cpu": 2, "memory": 1}),
        a_quota("shop", teams=["shop"], limits={"cpu": 1}),
    ]
    assert flips([a_cluster("a")], of_shop(20), quotas=quotas) == [
        (remedies.RAISE_QUOTA, {"quota": "all", "resource": "cpu", "was": 2000, "to": 20000}),
        (remedies.RAISE_QUOTA, {"quota": "shop", "resource": "cpu", "was": 1000, "to": 20000}),
    ]


def even(by: str, skew: int = 1, **spec: Any) -> dict[str, Any]:
    return {"by": by, "max_skew": skew, **spec}


def test_a_domain_that_would_be_too_small() -> None:
    clusters = [a_cluster("a", "r1", cpu=1), a_cluster("b", "r2", cpu=9), a_cluster("c", "r3")]
    item = web(8, division=BY_ROOM, spread=[even("region")])
    assert flips(clusters, item) == [
        (remedies.RAISE, {"field": "spec.spread[0].maxSkew", "was": 1, "to": 3})
    ]


def test_an_inner_domain_that_would_be_too_small() -> None:
    clusters = [
        a_cluster("a", "r1", zones=["x"], cpu=1),
        *(a_cluster(f"b{zone}", "r1", zones=[zone]) for zone in "yz"),
    ]
    item = web(8, division=BY_ROOM, spread=[even("region"), even("zone")])
    (change,) = flips(clusters, item)
    assert change == (
        remedies.RAISE,
        {"field": "spec.spread[1].maxSkew", "was": 1, "to": 3},
    )


def test_numbers_that_cannot_be_even() -> None:
    clusters = [a_cluster("a", "r1"), *(a_cluster(f"b{each}", "r2") for each in range(4))]
    spread = [even("region"), {"by": "cluster", "min_domains": 5}]
    assert cures(clusters, web(2, spread=spread)) == [
        (remedies.RAISE, {"field": "spec.spread[0].maxSkew", "was": 1, "to": 3})
    ]


def test_room_that_may_not_be_used_unevenly() -> None:
    clusters = [a_cluster("a", "r1", cpu=1), a_cluster("b", "r2", cpu=9)]
    spread = [even("region", min_domains=2)]
    assert cures(clusters, web(6, division=BY_ROOM, spread=spread)) == [
        (remedies.RAISE, {"field": "spec.spread[0].maxSkew", "was": 1, "to": 4})
    ]


# Karmada's rules


def test_a_tier_stands_for_the_affinity() -> None:
    clusters = [a_cluster(name, allocatable={"pods": 9}) for name in "abc"]
    item = two_tiers(rules="karmada")
    assert flips(clusters, item, cluster="c") == [(ADDED, {"cluster": "c", "tier": "first"})]
    alone = web(division=BY_ROOM, tiers=[tier("all", "a", "b", "c")], rules="karmada")
    prior = a_prior({"web": {"a": 1}})
    assert flips(clusters, alone, cluster="b", prior=prior)


def test_a_cluster_that_lists_no_pods_holds_nothing() -> None:
    item = web(2, division=BY_ROOM, rules="karmada")
    assert flips([a_cluster("a", cpu=9)], item) == [
        (remedies.ADD_CAPACITY, {"cluster": "a", "resource": "pods", "was": 0, "to": 2})
    ]


def pods(count: int) -> tuple[str, dict[str, object]]:
    """Room on the cluster that lists no pods."""
    return remedies.ADD_CAPACITY, {"cluster": "a", "resource": "pods", "was": 0, "to": count}


WITH_PODS, WITHOUT = a_cluster("b", "r1", allocatable={"pods": 9}), a_cluster("a", "r1")
IN_REGIONS = [
    WITH_PODS,
    WITHOUT,
    a_cluster("c", "r2", allocatable={"pods": 9}),
    a_cluster("d", "r2", allocatable={"pods": 9}),
]
ALONE = (remedies.REQUIRE, {"cluster": "a", "field": "spec.affinity.required"})
EMPTY = [
    pytest.param(
        [WITH_PODS, WITHOUT],
        {"division": {"mode": "aggregated"}},
        1,
        [ALONE, pods(1)],
        id="not needed",
    ),
    pytest.param(
        [WITH_PODS, WITHOUT],
        {"division": BY_ROOM},
        2,
        [pods(3)],
        id="no share",
    ),
    pytest.param(
        IN_REGIONS,
        {"division": BY_ROOM, "spread": [{"by": "region", "min_domains": 2, "max_domains": 2}]},
        2,
        [
            (remedies.LOWER, {"field": "spec.spread[0].minDomains", "was": 2, "to": 1}),
            ALONE,
            pods(2),
        ],
        id="not the one of its region",
    ),
]


@pytest.mark.parametrize(("clusters", "spec", "replicas", "expected"), EMPTY)
def test_a_cluster_without_room_that_is_taken_all_the_same(
    clusters: list[Cluster], spec: dict[str, Any], replicas: int, expected: Told
) -> None:
    assert flips(clusters, web(replicas, rules="karmada", **spec)) == expected


def test_regions_without_a_most_are_no_more_than_there_are() -> None:
    """The table of sets of regions was as long as the largest number."""
    clusters = [
        a_cluster(name, region, allocatable={"pods": 9})
        for name, region in [("a", "r1"), ("b", "r2"), ("c", "r2"), ("d", "r3")]
    ]
    spread = [{"by": "region", "min_domains": 2}, {"by": "cluster", "min_domains": 3}]
    item = web(4, division=BY_ROOM, spread=spread, rules="karmada")
    made = schedule(a_snapshot(clusters, [item]), a_prior(), settings())
    assert sum(made.decisions[0].replicas.values()) == 4


# Laws


def check_all(situation: tuple[Snapshot, Prior], *, always: bool = True) -> None:
    """Every verdict flips, and every replica gets a place.

    Not `always`: the search is bounded, and gives up where several workloads, quotas and limits
    hold each other; then nothing is said rather than something wrong.
    """
    snapshot, prior = situation
    made = schedule(snapshot, prior, settings())
    for decision in made.decisions:
        check(snapshot, prior, made, decision.workload, always=always)
        found = made.cures[decision.workload]
        lacking = is_lacking(snapshot, made, decision.workload)
        assert bool(found) == lacking or (lacking and not always)
        if found:
            again = schedule(applied(snapshot, found), prior, settings())
            assert not is_lacking(snapshot, again, decision.workload)


@SOME
@given(beset())
def test_every_change_flips_its_verdict_among_facts(situation: tuple[Snapshot, Prior]) -> None:
    check_all(situation)


@SOME
@given(evens.situations())
def test_every_change_flips_its_verdict_where_numbers_are_even(
    situation: tuple[Snapshot, Prior],
) -> None:
    check_all(situation, always=False)


@SOME
@given(structures.situations())
def test_every_change_flips_its_verdict_among_structures(
    situation: tuple[Snapshot, Prior],
) -> None:
    check_all(situation, always=False)


@SOME
@given(strained())
def test_every_change_flips_its_verdict_where_structure_decides(
    situation: tuple[Snapshot, Prior],
) -> None:
    check_all(situation, always=False)


@FEW
@given(karmada(beset() | structures.situations() | situations() | roomy()))
def test_every_change_flips_its_verdict_by_karmada(situation: tuple[Snapshot, Prior]) -> None:
    check_all(situation, always=False)


def test_an_api_is_listed_where_it_was_observed() -> None:
    seen = ClusterObservation.model_validate(
        {
            "metadata": {"name": "a"},
            "spec": {"observedAt": "2030-05-01T12:00:00Z", "apis": ["v1/Service"]},
        }
    )
    bare = a_cluster("a", apis=("apps/v1", "a.b/v1"))
    clusters = observed(Declared(clusters=[bare], observations=[seen]))
    facts = Facts(now=NOON, observations=FrozenMap({"a": seen}))
    snapshot = a_snapshot(clusters, [of_team("", 2)], facts=facts)
    made = schedule(snapshot, a_prior(), settings())
    check(snapshot, a_prior(), made, "web")
    path = ("spec", "apis", APPEND)
    assert [each for change in made.changes["web"]["a"] for each in change.edits] == [
        Edit("ClusterObservation", "a", path, "apps/v1/Deployment"),
        Edit("ClusterObservation", "a", path, "a.b/v1/Thing"),
    ]
