"""Laws of small changes: one replica more, one cluster more or less, a neighbour more."""

import importlib
from dataclasses import replace
from unittest.mock import patch

from hypothesis import assume, given
from hypothesis import strategies as st

from fleet.model.decision import Outcome
from fleet.model.inventory import Cluster, State
from fleet.model.policy import PlacementPolicy, SpreadConstraint
from fleet.model.prior import Prior
from fleet.model.snapshot import Linked, Snapshot
from fleet.schedule import schedule
from fleet.schedule.reasons import SPREAD_RELAXED
from tests.builders import (
    a_cluster,
    a_policy,
    a_prior,
    a_snapshot,
    a_workload,
    linked,
    settings,
)
from tests.schedule.asking import decide, replicas
from tests.schedule.fleets import as_prior, by_name, clusters, fleets, priors, terms

EVALUATE = importlib.import_module("fleet.schedule.evaluate")
MODES = ("duplicated", "weighted", "aggregated")


@st.composite
def divided(draw: st.DrawFn) -> dict[str, object]:
    """A division without a least for a cluster, for which a newcomer may have to be fed."""
    weights = draw(
        st.lists(
            st.builds(
                lambda weight, term: {"replica_weight": weight, "term": term},
                st.integers(0, 9),
                terms,
            ),
            max_size=3,
        )
    )
    if weights:
        return {"mode": "weighted", "weights": weights}
    return {
        "mode": draw(st.sampled_from(MODES)),
        "max_replicas": draw(st.none() | st.integers(1, 6)),
    }


@given(
    clusters(),
    divided(),
    st.integers(0, 14),
    st.sampled_from([[], [{"by": "region", "min_domains": 1}]]),
)
def test_one_replica_more_takes_none_away(
    inventory: list[Cluster],
    division: dict[str, object],
    count: int,
    spread: list[dict[str, object]],
) -> None:
    policy = a_policy("web", division=division, spread=spread)
    first = decide(inventory, linked(a_workload("web", count), policy))
    second = schedule(
        a_snapshot(inventory, [linked(a_workload("web", count + 1), policy)]),
        as_prior(first),
        settings(),
    )
    after = replicas(second)
    assert all(after.get(name, 0) >= before for name, before in replicas(first).items())


@given(clusters(), divided(), st.integers(1, 14))
def test_one_replica_less_adds_none_elsewhere(
    inventory: list[Cluster], division: dict[str, object], count: int
) -> None:
    assume(division["mode"] != "duplicated")  # a copy that is smaller fits on more clusters
    policy = a_policy("web", division=division)
    first = decide(inventory, linked(a_workload("web", count), policy))
    second = schedule(
        a_snapshot(inventory, [linked(a_workload("web", count - 1), policy)]),
        as_prior(first),
        settings(),
    )
    before = replicas(first)
    assert all(before.get(name, 0) >= now for name, now in replicas(second).items())


@st.composite
def plain_situations(draw: st.DrawFn) -> tuple[Snapshot, Prior]:
    """Fleets without limits on domains, where every cluster says what it holds."""
    made = draw(fleets(traffic=False))
    items = [_without_spread(item) for item in made.linked]
    inventory = [each for each in made.clusters if each.spec.capacity.allocatable]
    snapshot = a_snapshot(inventory, items)
    return snapshot, draw(priors(snapshot)) if inventory else a_prior()


def _without_spread(item: Linked) -> Linked:
    none: tuple[SpreadConstraint, ...] = ()
    spec = item.placement.spec.model_copy(update={"spread": none})
    policy: PlacementPolicy = item.placement.model_copy(update={"spec": spec})
    return replace(item, placement=policy)


@given(plain_situations(), st.data())
def test_a_cluster_that_nobody_uses_is_not_missed(
    situation: tuple[Snapshot, Prior], data: st.DataObject
) -> None:
    snapshot, prior = situation
    made = schedule(snapshot, prior, settings())
    used = {name for each in made.decisions for name in each.replicas}
    used |= {name for each in prior.workloads.values() for name in each.replicas}
    idle = sorted({cluster.name for cluster in snapshot.clusters} - used)
    assume(idle)
    gone = data.draw(st.sampled_from(idle))
    rest = [cluster for cluster in snapshot.clusters if cluster.name != gone]
    fewer = schedule(a_snapshot(rest, snapshot.linked), prior, settings())
    for before, after in zip(made.decisions, fewer.decisions, strict=True):
        assert after.replicas == before.replicas
        assert after.shortfall == before.shortfall


@given(
    fleets(),
    st.data(),
    st.sampled_from(["a", "c1a", "z"]),
    st.sampled_from([State.DOWN, State.DRAINING, State.DECOMMISSIONED]),
)
def test_a_cluster_that_nobody_may_use_changes_nothing(
    snapshot: Snapshot, data: st.DataObject, name: str, state: State
) -> None:
    prior = data.draw(priors(snapshot))
    another = a_cluster(name, data.draw(st.sampled_from(["eu", "sa"])), state=state)
    more = a_snapshot([*snapshot.clusters, another], snapshot.linked)
    made, wider = schedule(snapshot, prior, settings()), schedule(more, prior, settings())
    for before, after in zip(made.decisions, wider.decisions, strict=True):
        assert after.assignments == before.assignments
        assert after.shortfall == before.shortfall
        assert after.verdicts[name].outcome not in {Outcome.ASSIGNED, Outcome.SELECTED}


@given(fleets(), st.data())
def test_independent_workloads_are_decided_as_if_each_were_alone(
    snapshot: Snapshot, data: st.DataObject
) -> None:
    prior = data.draw(priors(snapshot))
    said = settings(capacity="independent")
    together = by_name(schedule(snapshot, prior, said))
    for item in snapshot.linked:
        alone = Snapshot(snapshot.clusters, (item,), snapshot.states, snapshot.wanted)
        (decision,) = schedule(alone, prior, said).decisions
        assert together[item.workload.name].assignments == decision.assignments
        assert together[item.workload.name].shortfall == decision.shortfall


def test_without_clusters_everything_is_short() -> None:
    for mode in MODES:
        item = linked(a_workload("web", 3), a_policy("web", division={"mode": mode}))
        (decision,) = decide([], item, prior={"web": {"gone": 3}}).decisions
        assert (dict(decision.replicas), decision.shortfall) == ({}, 3)


def test_independent_may_promise_more_than_there_is_and_says_nothing() -> None:
    items = [
        linked(a_workload(name, 6), a_policy(name, division={"mode": "weighted"}))
        for name in ("one", "two")
    ]
    made = decide([a_cluster("a", cpu=6)], *items, capacity="independent")
    assert [dict(each.replicas) for each in made.decisions] == [{"a": 6}, {"a": 6}]
    assert [each.shortfall for each in made.decisions] == [0, 0]
    assert made.findings == ()
    made = decide([a_cluster("a", cpu=6)], *items)
    assert [each.shortfall for each in made.decisions] == [0, 6], "deducted, the second is short"


@given(clusters(), st.integers(1, 9), st.integers(2, 4))
def test_a_pick_is_kept_or_everything_is_short(
    inventory: list[Cluster], count: int, pick: int
) -> None:
    policy = a_policy("web", pick=pick, division={"mode": "weighted"})
    (decision,) = decide(inventory, linked(a_workload("web", count), policy)).decisions
    if decision.replicas:
        assert len(decision.replicas) == min(pick, count)
    else:
        assert decision.shortfall == count


def test_a_pick_that_runs_keeps_what_is_left_and_is_told() -> None:
    policy = a_policy("web", pick=2, division={"mode": "weighted"})
    made = decide([a_cluster("a")], linked(a_workload("web", 4), policy), prior={"web": {"a": 2}})
    assert replicas(made) == {"a": 4}
    assert [each.code for each in made.findings] == [SPREAD_RELAXED]


def test_a_limit_that_cannot_be_kept_hides_no_other() -> None:
    """There is one region only; two clusters are wanted all the same."""
    policy = a_policy(
        "web",
        spread=[{"by": "cluster", "min_domains": 2}, {"by": "region", "min_domains": 2}],
        division={"mode": "weighted"},
    )
    item = linked(a_workload("web", 3), policy)
    made = decide([a_cluster("a"), a_cluster("b")], item, prior={"web": {"a": 3}})
    assert replicas(made) == {"a": 2, "b": 1}


def test_a_number_of_clusters_without_an_end_is_covered_by_what_runs() -> None:
    policy = a_policy(
        "web", spread=[{"by": "cluster", "min_domains": 2}], division={"mode": "weighted"}
    )
    item = linked(a_workload("web", 3), policy)
    made = decide([a_cluster("a"), a_cluster("b")], item, prior={"web": {"a": 3}})
    assert replicas(made) == {"a": 2, "b": 1}


@given(fleets(workloads=4))
def test_what_is_forgotten_is_found_again(snapshot: Snapshot) -> None:
    made = schedule(snapshot, a_prior(), settings())
    with patch.object(EVALUATE, "_MOST_BYTES", 1):
        assert schedule(snapshot, a_prior(), settings()) == made
