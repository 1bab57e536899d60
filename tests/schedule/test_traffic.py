"""Who is active, who stands by, and how many replicas each region runs."""

from collections.abc import Mapping
from typing import Any

import pytest

from fleet.errors import InvalidError
from fleet.model.decision import Active, Outcome, Role, Schedule
from fleet.model.inventory import State
from fleet.model.snapshot import Linked
from fleet.schedule import reasons
from fleet.schedule.active import BEST_LEFT, NOBODY_SAYS, WAS_ACTIVE, WAS_NEXT, Before, resolve
from fleet.schedule.successors import with_successors
from tests.builders import a_cluster, a_policy, a_traffic, a_workload, clusters_of, linked
from tests.schedule.asking import codes, decide, only, replicas

ACTIVE, STANDBY = Role.ACTIVE, Role.STANDBY
THREE = {"eu": ["eu-1", "eu-2"], "us": ["us-1", "us-2"], "ap": ["ap-1"]}
BY_ROOM = {"mode": "weighted"}


def an_api(
    wanted: int = 8, *, standby: int = 50, region: str | None = "eu", **policy: Any
) -> Linked:
    """A workload divided by room, active in one region."""
    failover = "automatic" if standby else "manual"
    traffic = a_traffic("api", standby=standby, active_region=region, failover=failover)
    said = {"division": BY_ROOM, **policy}
    return linked(a_workload("api", wanted), a_policy("api", **said), traffic=[traffic])


def roles(made: Schedule) -> dict[str, tuple[int, Role]]:
    return {each.cluster: (each.replicas, each.role) for each in only(made).assignments}


def carried_out(made: Schedule) -> dict[str, Mapping[str, Mapping[str, Any]]]:
    decision = only(made)
    return {
        "prior": {decision.workload: dict(decision.replicas)},
        "roles": {decision.workload: {it.cluster: it.role for it in decision.assignments}},
    }


STANDBYS = [
    pytest.param(100, 8, id="as many as the active one"),
    pytest.param(50, 4, id="half"),
    pytest.param(51, 5, id="rounded up"),
    pytest.param(1, 1, id="at least one"),
]


@pytest.mark.parametrize(("standby", "share"), STANDBYS)
def test_each_standby_region_runs_its_share_on_top(standby: int, share: int) -> None:
    made = decide(clusters_of(THREE, cpu=20), an_api(standby=standby))
    half = [-(-share // 2), share // 2]
    expected = {"ap-1": (share, STANDBY), "eu-1": (4, ACTIVE), "eu-2": (4, ACTIVE)}
    expected |= {name: (n, STANDBY) for name, n in zip(["us-1", "us-2"], half, strict=True) if n}
    assert roles(made) == expected
    assert made.active["api"].region == "eu"
    assert only(made).shortfall == 0


def test_standby_0_selects_without_replicas() -> None:
    made = decide(clusters_of(THREE, cpu=20), an_api(standby=0))
    assert roles(made)["us-1"] == (0, STANDBY)
    assert only(made).verdicts["us-1"].outcome is Outcome.SELECTED
    assert only(made).verdicts["eu-1"].outcome is Outcome.ASSIGNED


def test_every_mode_divides_inside_the_region() -> None:
    clusters = clusters_of(THREE, cpu=20)
    rules = [
        {"replica_weight": 3, "term": {"clusters": ["eu-1", "us-1"]}},
        {"replica_weight": 1, "term": {"clusters": ["eu-2", "us-2"]}},
    ]
    static = decide(clusters, an_api(division={"mode": "weighted", "weights": rules}))
    assert replicas(static, "api") == {"eu-1": 6, "eu-2": 2, "us-1": 3, "us-2": 1}
    packed = decide(clusters, an_api(division={"mode": "aggregated"}))
    assert replicas(packed, "api") == {"ap-1": 4, "eu-1": 8, "us-1": 4}
    everywhere = decide(clusters, an_api(division={}))
    assert replicas(everywhere, "api") == {"ap-1": 4, "eu-1": 8, "eu-2": 8, "us-1": 4, "us-2": 4}


def test_duplicated_needs_room_for_the_role_only() -> None:
    clusters = [a_cluster("eu-1", "eu", cpu=8), a_cluster("us-1", "us", cpu=4)]
    made = decide(clusters, an_api(division={}))
    assert roles(made) == {"eu-1": (8, ACTIVE), "us-1": (4, STANDBY)}


def test_the_config_wins_over_the_policy() -> None:
    clusters = clusters_of(THREE, cpu=20)
    common = decide(clusters, an_api(), active="us")
    assert common.active["api"].region == "us"
    assert common.active["api"].said_by == "config fleet:activeRegion"
    own = decide(clusters, an_api(), active="us", actives={"api": "ap"})
    assert own.active["api"].region == "ap"
    assert own.active["api"].said_by == "config fleet:activeRegions"
    assert decide(clusters, an_api()).active["api"].said_by == "policies/api-traffic.yaml:1:1"
    assert common.findings == own.findings == ()


def test_a_switch_changes_roles_and_replicas_not_clusters() -> None:
    clusters = clusters_of(THREE, cpu=20)
    before = decide(clusters, an_api(pick=4, spread=[{"by": "region", "min_domains": 2}]))
    chosen = list(replicas(before, "api"))
    for region in ("us", "ap", "eu"):
        item = an_api(pick=4, spread=[{"by": "region", "min_domains": 2}])
        after = decide(clusters, item, active=region, **carried_out(before))
        assert list(replicas(after, "api")) == chosen
        assert {it.cluster[:2] for it in only(after).assignments if it.role is ACTIVE} == {region}
        before = after


def test_the_active_region_is_chosen_first() -> None:
    clusters = clusters_of(THREE, cpu=20)
    spread = [{"by": "region", "max_domains": 2}]
    made = decide(clusters, an_api(spread=spread, region="us"))
    assert roles(made)["us-1"][1] is ACTIVE
    settled = carried_out(made)
    assert {name[:2] for name in replicas(made, "api")} == {"us", "ap"}
    switched = decide(clusters, an_api(spread=spread, region="us"), active="eu", **settled)
    assert {name[:2] for name in replicas(switched, "api")} == {"eu", "ap"}
    picked = decide(clusters, an_api(pick=1, region="us"))
    assert roles(picked) == {"us-1": (8, ACTIVE)}


def test_a_pick_gives_the_active_region_its_room_first() -> None:
    clusters = clusters_of(THREE, cpu=6)
    made = decide(clusters, an_api(pick=3, region="us"))
    assert roles(made) == {"ap-1": (4, STANDBY), "us-1": (4, ACTIVE), "us-2": (4, ACTIVE)}


def test_a_region_without_a_cluster_for_this_workload_is_passed_over() -> None:
    item = an_api(affinity={"required": [{"regions": ["eu", "us"]}]})
    other = linked(
        a_workload("web"),
        a_policy("web"),
        traffic=[a_traffic("web", active_region="eu")],
    )
    made = decide(clusters_of(THREE, cpu=20), item, other, active="ap")
    assert {name: each.region for name, each in made.active.items()} == {"api": "eu", "web": "ap"}
    (finding,) = made.findings
    assert finding.code == reasons.ACTIVE_REGION_KEPT
    assert dict(finding.values) == {"policy": "api", "region": "eu", "wanted": "ap"}


def test_a_dead_region_falls_back_to_the_one_before_then_to_the_best() -> None:
    clusters = clusters_of(THREE, cpu=20)
    down = {"eu-1": State.DOWN, "eu-2": State.DOWN}
    prior = {"api": {"us-2": 8, "ap-1": 1, "gone": 9}}
    was = {"api": {"us-2": ACTIVE, "ap-1": ACTIVE, "gone": ACTIVE}}
    again = decide(clusters, an_api(), states=down, prior=prior, roles=was)
    assert (again.active["api"].region, again.active["api"].said_by) == ("us", WAS_ACTIVE)
    best = decide(clusters, an_api(), states=down)
    assert (best.active["api"].region, best.active["api"].said_by) == ("ap", BEST_LEFT)
    (finding,) = best.findings
    assert finding.code == reasons.ACTIVE_REGION_FALLBACK
    assert dict(finding.values) == {"policy": "api", "region": "ap", "wanted": "eu"}
    assert set(replicas(best, "api")) == {"ap-1", "us-1", "us-2"}


def test_nobody_names_a_region_the_best_is_active_and_stays() -> None:
    clusters = clusters_of(THREE, cpu=20)
    first = decide(clusters, an_api(region=None))
    assert (first.active["api"].region, first.active["api"].said_by) == ("ap", NOBODY_SAYS)
    assert first.findings == ()
    prior = {"api": {"us-1": 8}}
    later = decide(clusters, an_api(region=None), prior=prior, roles={"api": {"us-1": ACTIVE}})
    assert (later.active["api"].region, later.active["api"].said_by) == ("us", WAS_ACTIVE)


def test_no_region_at_all() -> None:
    clusters = clusters_of({"eu": ["eu-1"]}, cpu=0)
    for item, active in ((an_api(), {"api": "eu"}), (an_api(region=None), {})):
        made = decide(clusters, item)
        assert {name: each.region for name, each in made.active.items()} == active
        assert [each.code for each in made.findings] == [reasons.ACTIVE_REGION_NONE]
        assert (only(made).assignments, only(made).shortfall) == ((), 8)
        assert codes(only(made).verdicts["eu-1"]) == [reasons.CAPACITY]


def test_two_names_with_two_active_regions() -> None:
    traffic = [
        a_traffic("api", active_region="eu", standby=50),
        a_traffic("api-us", "api", active_region="us", standby=25),
    ]
    item = linked(a_workload("api", 8), a_policy("api", division=BY_ROOM), traffic=traffic)
    made = decide(clusters_of(THREE, cpu=20), item)
    assert {name: each.region for name, each in made.active.items()} == {
        "api": "eu",
        "api-us": "us",
    }
    assert roles(made) == {
        "ap-1": (4, STANDBY),
        "eu-1": (4, ACTIVE),
        "eu-2": (4, ACTIVE),
        "us-1": (4, ACTIVE),
        "us-2": (4, ACTIVE),
    }
    picked = linked(a_workload("api", 8), a_policy("api", pick=2), traffic=traffic)
    assert list(roles(decide(clusters_of(THREE, cpu=20), picked))) == ["eu-1", "us-1"]
    single = linked(a_workload("api", 8), a_policy("api", pick=1), traffic=traffic)
    refused = only(decide(clusters_of(THREE, cpu=20), single))
    assert [each.code for each in refused.shortfall_reasons] == [reasons.SPREAD_CONFLICT]


def test_weighted_traffic_has_no_standby() -> None:
    item = linked(
        a_workload("api", 8),
        a_policy("api", division=BY_ROOM),
        traffic=[a_traffic("api", mode="weighted")],
    )
    made = decide(clusters_of(THREE, cpu=20), item)
    assert sum(replicas(made, "api").values()) == 8
    assert {each.role for each in only(made).assignments} == {ACTIVE}
    assert made.active == {}


def test_a_region_that_is_short_is_named() -> None:
    clusters = [a_cluster("eu-1", "eu", cpu=6), a_cluster("us-1", "us", cpu=3)]
    decision = only(decide(clusters, an_api()))
    assert decision.shortfall == 3
    assert [dict(each.values) for each in decision.shortfall_reasons] == [
        {"region": "eu", "wanted": 8, "placed": 6},
        {"region": "us", "wanted": 4, "placed": 3},
    ]


def test_active_region_that_suits_no_policy_is_refused() -> None:
    item = an_api(residency={"regions": ["eu", "us"]})
    with pytest.raises(InvalidError) as caught:
        decide(clusters_of(THREE), item, active="ap")
    assert str(caught.value) == (
        "config fleet:activeRegion: no active-standby traffic policy has a candidate in region 'ap'"
        " - regions with candidates: eu, us"
    )


def test_active_region_without_any_policy_is_refused() -> None:
    with pytest.raises(InvalidError) as caught:
        decide(clusters_of(THREE), linked(a_workload("web")), active="eu")
    assert str(caught.value).endswith("in region 'eu'")


def test_active_region_of_a_dead_region_is_no_error() -> None:
    """At three in the morning the config still names the region that just died."""
    down = {"eu-1": State.DOWN, "eu-2": State.DOWN}
    made = decide(clusters_of(THREE, cpu=20), an_api(region=None), states=down, active="eu")
    assert made.active["api"].region == "ap"
    full = decide(clusters_of({"eu": ["eu-1"]}, cpu=0), an_api(region=None), active="eu")
    assert [each.code for each in full.findings] == [reasons.ACTIVE_REGION_NONE]


def test_an_autoscaler_of_a_standby_region_may_grow_as_far_as_the_active_one() -> None:
    traffic = a_traffic("api", active_region="eu", standby=50)
    workload = a_workload("api", 1, autoscaled=(4, 20))
    item = linked(workload, a_policy("api", division=BY_ROOM), traffic=[traffic])
    made = decide(clusters_of({"eu": ["eu-1", "eu-2"], "us": ["us-1"]}, cpu=50), item)
    assert [
        (each.cluster, each.replicas, each.minimum, each.maximum) for each in only(made).assignments
    ] == [("eu-1", 2, 2, 10), ("eu-2", 2, 2, 10), ("us-1", 2, 2, 20)]


def test_an_autoscaler_of_a_standby_region_without_replicas_is_at_rest() -> None:
    traffic = a_traffic("api", active_region="eu", standby=0, failover="manual")
    item = linked(a_workload("api", autoscaled=(4, 20)), traffic=[traffic])
    made = decide(clusters_of({"eu": ["eu-1"], "us": ["us-1"]}, cpu=50), item)
    assert [(each.minimum, each.maximum) for each in only(made).assignments] == [(4, 20), (0, 0)]


AUTOSCALED = [
    pytest.param((4, 20), {}, [(4, 20), (4, 20)], id="duplicated: in full everywhere"),
    pytest.param((4, 20), BY_ROOM, [(3, 15), (1, 5)], id="by room: as the minimum"),
    pytest.param((1, 20), BY_ROOM, [(1, 20)], id="without a share of the minimum it is left out"),
    pytest.param((0, 20), BY_ROOM, [(0, 10), (0, 10)], id="from zero: evenly"),
    pytest.param((9, 4), BY_ROOM, [(7, 7), (2, 2)], id="a maximum below the minimum is raised"),
    pytest.param((9, 4), {}, [(9, 9), (9, 9)], id="the same, duplicated"),
    pytest.param(
        (4, 20),
        {"mode": "weighted", "max_replicas": 12},
        [(3, 12), (1, 8)],
        id="bounded by maxReplicas",
    ),
    pytest.param(
        (2, 30),
        {
            "mode": "weighted",
            "weights": [
                {"replica_weight": 1, "term": {"clusters": ["m1"]}},
                {"replica_weight": 2, "term": {"clusters": ["m2"]}},
            ],
        },
        [(1, 10), (1, 20)],
        id="static: by the weights",
    ),
]


@pytest.mark.parametrize(("bounds", "division", "expected"), AUTOSCALED)
def test_autoscaled(
    bounds: tuple[int, int], division: dict[str, Any], expected: list[tuple[int, int]]
) -> None:
    clusters = [a_cluster("m1", cpu=30), a_cluster("m2", cpu=10)]
    workload = a_workload("web", 1, autoscaled=bounds)
    made = decide(clusters, linked(workload, a_policy("web", division=division)))
    assert [(each.minimum, each.maximum) for each in only(made).assignments] == expected
    assert all(each.replicas == each.minimum for each in only(made).assignments)


def test_nobody_stands_by_for_nothing() -> None:
    bounds = {"mode": "weighted", "min_replicas": 9}
    decision = only(decide(clusters_of(THREE, cpu=20), an_api(standby=0, division=bounds)))
    assert decision.assignments == ()
    assert [each.code for each in decision.shortfall_reasons] == [reasons.BELOW_MINIMUM]
    assert codes(decision.verdicts["us-1"]) == [reasons.NO_SHARE]


SHIFTING = [
    pytest.param(["us", "eu"], ("us", "eu"), id="both regions run everything"),
    pytest.param(["us"], ("us",), id="a region that cannot be used shares nothing"),
    pytest.param(["eu"], ("eu",), id="nor does one whose successor cannot be used"),
]


@pytest.mark.parametrize(("candidates", "regions"), SHIFTING)
def test_a_shift_has_two_active_regions(candidates: list[str], regions: tuple[str, ...]) -> None:
    words = (Active("us", "config", leaving="eu", percent=10), Active("eu", "file"))
    found = resolve([a_traffic("api")], {"api": words}, candidates, Before())
    assert found.active["api"].regions == regions
    assert len(found.findings) == (regions == ("eu",))


NEXT = [
    pytest.param("us", "", ("us", "ap"), 0, id="whom somebody names"),
    pytest.param(None, "us", ("us", "ap"), 0, id="who was to follow before"),
    pytest.param(None, "nowhere", ("ap", "us"), 2, id="of equal ones the first by name"),
]


@pytest.mark.parametrize(("named", "before", "then", "equal"), NEXT)
def test_who_follows_the_active_region(
    named: str | None, before: str, then: tuple[str, ...], equal: int
) -> None:
    words = (Active("eu", "config"), *([Active(named, "file")] if named else []))
    ranked = {"eu": 9, "ap": 5, "us": 5}
    found = resolve([a_traffic("api")], {"api": words}, list(ranked), Before())
    found = with_successors(found, {"api": words}, ranked, Before(next=before))
    assert (found.active["api"].then, found.active["api"].equal) == (then, equal)


def test_equal_regions_are_told_apart_by_name_alone() -> None:
    made = decide(clusters_of(THREE, cpu=20), an_api(standby=100))
    assert (made.active["api"].then, made.active["api"].equal) == (("ap", "us"), 2)
    sizes = {"eu-1": 20, "us-1": 40, "ap-1": 20}
    clusters = [a_cluster(name, name[:2], cpu=cpu) for name, cpu in sizes.items()]
    better = decide(clusters, an_api(standby=100))
    assert (better.active["api"].then, better.active["api"].equal) == (("us", "ap"), 1)
    two = decide([each for each in clusters if each.name != "ap-1"], an_api())
    assert (two.active["api"].then, two.active["api"].equal) == ((), 0)


def test_of_a_narrow_inventory_regions_are_ranked_too() -> None:
    """The candidates are a part of the table where a policy names them."""
    clusters = [a_cluster(f"m-{number:03}", f"r{number}", cpu=20) for number in range(400)]
    affinity = {"required": [{"clusters": ["m-007", "m-200", "m-399"]}]}
    made = decide(clusters, an_api(region="r7", affinity=affinity))
    assert (made.active["api"].then, made.active["api"].equal) == (("r200", "r399"), 2)


def test_a_loss_goes_to_the_standby_that_was_answered_first() -> None:
    found = resolve(
        [a_traffic("api")],
        {"api": (Active("eu", "file"),)},
        ["ap", "us"],
        Before("eu", "us"),
    )
    assert found.active["api"] == Active("us", WAS_NEXT)
