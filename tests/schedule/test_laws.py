"""Laws that hold for every fleet."""

from fractions import Fraction

from hypothesis import example, given
from hypothesis import strategies as st

from fleet.model.decision import Outcome, Role, Schedule
from fleet.model.policy import DivisionMode
from fleet.model.prior import Prior
from fleet.model.snapshot import Linked, Snapshot
from fleet.schedule import schedule
from fleet.schedule.stance import standby_replicas, wanted_replicas
from tests.builders import (
    a_cluster,
    a_policy,
    a_prior,
    a_snapshot,
    a_taint,
    a_traffic,
    a_workload,
    linked,
    settings,
)
from tests.schedule.fleets import as_prior, by_name, fleets, priors

DUPLICATED = DivisionMode.DUPLICATED


def decided(snapshot: Snapshot, prior: Prior | None = None) -> Schedule:
    return schedule(snapshot, prior or a_prior(), settings())


def mode_of(item: Linked) -> DivisionMode:
    return DUPLICATED if item.workload.per_cluster else item.placement.spec.division.mode


@st.composite
def situations(draw: st.DrawFn) -> tuple[Snapshot, Prior]:
    snapshot = draw(fleets())
    return snapshot, draw(priors(snapshot))


@given(situations())
def test_carrying_a_decision_out_changes_nothing_any_more(
    situation: tuple[Snapshot, Prior],
) -> None:
    first = decided(*situation)
    second = decided(situation[0], as_prior(first))
    for before, after in zip(first.decisions, second.decisions, strict=True):
        assert after.assignments == before.assignments
        assert after.shortfall == before.shortfall
        assert [it.role for it in after.assignments] == [it.role for it in before.assignments]


@given(situations())
def test_capacity_is_never_promised_twice(situation: tuple[Snapshot, Prior]) -> None:
    snapshot, prior = situation
    taken: dict[tuple[str, str], int] = {}
    for decision, item in zip(decided(snapshot, prior).decisions, snapshot.linked, strict=True):
        for each in decision.assignments:
            for resource, amount in item.workload.request.items():
                key = (each.cluster, resource)
                taken[key] = taken.get(key, 0) + amount * each.replicas
    for cluster in snapshot.clusters:
        if not cluster.spec.capacity.allocatable:
            continue
        for (name, resource), amount in taken.items():
            listed = resource in cluster.spec.capacity.allocatable
            if name == cluster.name and (listed or resource != "pods"):
                assert amount <= cluster.free.get(resource, 0), (name, resource)


@given(situations())
def test_replicas_and_shortfall_add_up(situation: tuple[Snapshot, Prior]) -> None:
    snapshot, prior = situation
    for decision, item in zip(decided(snapshot, prior).decisions, snapshot.linked, strict=True):
        if item.traffic:
            continue
        wanted = wanted_replicas(item.workload)
        placed = sum(decision.replicas.values())
        if mode_of(item) is DUPLICATED:
            wanted *= max(1, len(decision.assignments))
        assert placed + decision.shortfall == wanted
        assert bool(decision.shortfall) <= bool(decision.shortfall_reasons)


@given(situations())
def test_the_bounds_of_a_cluster_hold(situation: tuple[Snapshot, Prior]) -> None:
    snapshot, prior = situation
    for decision, item in zip(decided(snapshot, prior).decisions, snapshot.linked, strict=True):
        if item.workload.per_cluster:
            continue
        bounds = item.placement.spec.division
        for each in decision.assignments:
            assert not each.replicas or each.replicas >= bounds.min_replicas
            assert bounds.max_replicas is None or each.replicas <= bounds.max_replicas


@given(situations(), st.randoms(use_true_random=False))
def test_the_order_of_documents_never_matters(
    situation: tuple[Snapshot, Prior], chance: object
) -> None:
    snapshot, prior = situation
    clusters, items = list(snapshot.clusters), list(snapshot.linked)
    chance.shuffle(clusters)  # type: ignore[attr-defined]
    chance.shuffle(items)  # type: ignore[attr-defined]
    shuffled = Snapshot(tuple(clusters), tuple(items), snapshot.states, snapshot.wanted)
    assert decided(shuffled, prior) == decided(snapshot, prior)


@given(situations())
def test_every_cluster_has_one_verdict_that_agrees(situation: tuple[Snapshot, Prior]) -> None:
    snapshot, prior = situation
    for decision in decided(snapshot, prior).decisions:
        assert list(decision.verdicts) == [cluster.name for cluster in snapshot.clusters]
        replicas = decision.replicas
        for name, verdict in decision.verdicts.items():
            assert verdict.cluster == name
            placed = verdict.outcome in {Outcome.ASSIGNED, Outcome.SELECTED}
            assert placed == (name in replicas)
            assert verdict.replicas == replicas.get(name, 0)
            assert (verdict.outcome is Outcome.ASSIGNED) == bool(verdict.replicas)
            assert bool(verdict.rejections) != placed
            assert verdict.total == sum(it.value * it.scorer_weight for it in verdict.scores)


@given(situations())
def test_verdicts_asked_backwards_say_the_same(situation: tuple[Snapshot, Prior]) -> None:
    forward = [list(each.verdicts.values()) for each in decided(*situation).decisions]
    backward = [list(each.verdicts.values()) for each in reversed(decided(*situation).decisions)]
    assert forward == backward[::-1]


def a_tainted_standby_with_the_only_weight() -> tuple[Snapshot, Prior]:
    """Nothing runs in eu, which is full; the taint spares it, and there alone is a weight."""
    clusters = [a_cluster("c0", "eu", cpu=0, taints=["new:NoSchedule"]), a_cluster("c1", "us")]
    weights = [{"replica_weight": 1, "term": {"clusters": ["c0"]}}]
    item = linked(
        a_workload("web"),
        a_policy("web", division={"mode": "weighted", "weights": weights}),
        traffic=[a_traffic("web", standby=0, failover="manual")],
    )
    return a_snapshot(clusters, [item]), a_prior({"web": {"c0": 0}})


def test_a_standby_cluster_with_the_only_weight_leaves_the_active_region_its_replicas() -> None:
    snapshot, prior = a_tainted_standby_with_the_only_weight()
    (decision,) = decided(snapshot, prior).decisions
    assert dict(decision.replicas) == {"c0": 0, "c1": 1}
    assert not decision.shortfall
    (decision,) = decided(snapshot).decisions
    assert dict(decision.replicas) == {"c1": 1}


@example(a_tainted_standby_with_the_only_weight())
@given(situations())
def test_a_no_schedule_taint_moves_nothing(situation: tuple[Snapshot, Prior]) -> None:
    snapshot, prior = situation
    settled = as_prior(decided(snapshot, prior))
    tainted = Snapshot(
        tuple(
            cluster.model_copy(
                update={
                    "spec": cluster.spec.model_copy(
                        update={"taints": (*cluster.spec.taints, a_taint("new:NoSchedule"))}
                    )
                }
            )
            for cluster in snapshot.clusters
        ),
        snapshot.linked,
        snapshot.states,
        snapshot.wanted,
    )
    before, after = decided(snapshot, settled), decided(tainted, settled)
    for old, new in zip(before.decisions, after.decisions, strict=True):
        assert new.assignments == old.assignments


@given(situations())
def test_every_region_runs_what_its_role_asks_or_is_short(
    situation: tuple[Snapshot, Prior],
) -> None:
    snapshot, prior = situation
    made = decided(snapshot, prior)
    regions = {cluster.name: cluster.spec.region for cluster in snapshot.clusters}
    for item in snapshot.linked:
        decision = by_name(made)[item.workload.name]
        if not item.traffic or mode_of(item) is DUPLICATED or not decision.assignments:
            continue
        active = {made.active[policy.name].region for policy in item.traffic}
        wanted = wanted_replicas(item.workload)
        share = standby_replicas(wanted, item.traffic[0].spec.standby)
        held: dict[str, int] = {}
        for each in decision.assignments:
            region = regions[each.cluster]
            assert (each.role is Role.ACTIVE) == (region in active)
            held[region] = held.get(region, 0) + each.replicas
        assert active <= held.keys() or decision.shortfall
        missing = sum((wanted if region in active else share) - n for region, n in held.items())
        assert missing <= decision.shortfall


@given(situations())
def test_an_autoscaler_keeps_its_bounds(situation: tuple[Snapshot, Prior]) -> None:
    snapshot, prior = situation
    for decision, item in zip(decided(snapshot, prior).decisions, snapshot.linked, strict=True):
        for each in decision.assignments:
            assert (each.minimum is None) == (item.workload.autoscaled is None)
            if each.minimum is not None and each.maximum is not None:
                assert each.minimum == each.replicas <= each.maximum
                assert each.maximum >= 1 or each.role is Role.STANDBY


def test_standby_share_is_a_ceiling() -> None:
    for replicas in range(12):
        for percent in (0, 1, 33, 50, 100):
            exact = Fraction(replicas * percent, 100)
            assert exact <= standby_replicas(replicas, percent) < exact + 1


def test_an_empty_snapshot_decides_nothing() -> None:
    assert decided(a_snapshot([])).decisions == ()
