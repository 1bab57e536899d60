"""Laws of tiers, even numbers, neighbours, priorities, bounds and quotas, for every fleet."""

from collections.abc import Iterator
from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

from fleet.model.affinity import ClusterTerm
from fleet.model.decision import Decision, Outcome, Schedule
from fleet.model.policy import Tier
from fleet.model.prior import Prior
from fleet.model.snapshot import Linked, Snapshot
from fleet.schedule import reasons, schedule
from fleet.schedule.even import is_even
from fleet.schedule.matching import matching
from fleet.schedule.stance import wanted_replicas
from fleet.schedule.table import Table
from fleet.schedule.turns import in_turns
from tests.builders import a_prior, settings
from tests.schedule.fleets import as_prior
from tests.schedule.structures import is_everywhere, situations, structured

Situation = tuple[Snapshot, Prior]


def decided(snapshot: Snapshot, prior: Prior | None = None) -> Schedule:
    return schedule(snapshot, prior or a_prior(), settings())


def pairs(snapshot: Snapshot, made: Schedule) -> Iterator[tuple[Linked, Decision]]:
    yield from zip(snapshot.linked, made.decisions, strict=True)


def covers(table: Table, term: ClusterTerm, name: str) -> bool:
    return bool(matching(table, term)[table.index[name]])


def told(made: Schedule, item: Linked) -> set[str]:
    """The codes of the findings about one workload."""
    name = item.workload.name
    return {each.code for each in made.findings if each.values.get("workload") == name}


@given(situations())
def test_carrying_a_decision_out_changes_nothing_any_more(situation: Situation) -> None:
    """A shortfall may be counted anew: who ran nowhere was in nobody's way, who runs is.

    Whoever asks to return to a better tier asks for one more move, once the better one is free.
    """
    assume(not any(each.placement.spec.return_to_better_tier for each in situation[0].linked))
    first = decided(*situation)
    second = decided(situation[0], as_prior(first))
    for before, after in zip(first.decisions, second.decisions, strict=True):
        assert after.assignments == before.assignments
        assert after.tier == before.tier or not after.assignments


@given(situations(), st.randoms(use_true_random=False))
def test_the_order_of_documents_never_matters(situation: Situation, chance: object) -> None:
    snapshot, prior = situation
    parts = [list(snapshot.clusters), list(snapshot.linked), list(snapshot.quotas)]
    for part in parts:
        chance.shuffle(part)  # type: ignore[attr-defined]
    shuffled = Snapshot(
        tuple(parts[0]),  # type: ignore[arg-type]
        tuple(parts[1]),  # type: ignore[arg-type]
        snapshot.states,
        snapshot.wanted,
        quotas=tuple(parts[2]),  # type: ignore[arg-type]
    )
    assert decided(shuffled, prior) == decided(snapshot, prior)


@given(situations())
def test_capacity_is_never_promised_twice(situation: Situation) -> None:
    snapshot, prior = situation
    taken: dict[tuple[str, str], int] = {}
    for item, decision in pairs(snapshot, decided(snapshot, prior)):
        for each in decision.assignments:
            for resource, amount in item.workload.request.items():
                key = (each.cluster, resource)
                taken[key] = taken.get(key, 0) + amount * each.replicas
    for cluster in snapshot.clusters:
        if cluster.spec.capacity.allocatable:
            for resource in ("cpu", "memory"):
                amount = taken.get((cluster.name, resource), 0)
                assert amount <= cluster.free.get(resource, 0), resource


@given(situations())
def test_replicas_and_shortfall_add_up(situation: Situation) -> None:
    snapshot, prior = situation
    for item, decision in pairs(snapshot, decided(snapshot, prior)):
        placed = sum(decision.replicas.values())
        if not item.traffic and not is_everywhere(item):
            assert placed + decision.shortfall == wanted_replicas(item.workload)
        assert bool(decision.shortfall) <= bool(decision.shortfall_reasons)


@given(situations())
def test_every_verdict_agrees(situation: Situation) -> None:
    snapshot, prior = situation
    for _, decision in pairs(snapshot, decided(snapshot, prior)):
        for name, verdict in decision.verdicts.items():
            placed = verdict.outcome in {Outcome.ASSIGNED, Outcome.SELECTED}
            assert placed == (name in decision.replicas)
            assert verdict.replicas == decision.replicas.get(name, 0)
            assert bool(verdict.rejections) != placed


@given(situations())
def test_numbers_are_even_or_something_is_told(situation: Situation) -> None:
    snapshot, prior = situation
    table = Table(snapshot)
    made = decided(snapshot, prior)
    for item, decision in pairs(snapshot, made):
        skews = [each for each in item.placement.spec.spread if each.max_skew is not None]
        if not skews or item.traffic or reasons.SKEW_KEPT in told(made, item):
            continue
        numbers: dict[tuple[int, ...], int] = {}
        for each in decision.assignments:
            place = table.index[each.cluster]
            count = 1 if is_everywhere(item) else each.replicas
            key = tuple(table.parts(constraint.by)[place] for constraint in skews)
            for length in range(1, len(key) + 1):
                numbers[key[:length]] = numbers.get(key[:length], 0) + count
        for parent in {key[:-1] for key in numbers}:
            depth = len(parent)
            inside = [
                n for key, n in numbers.items() if key[:depth] == parent and len(key) == depth + 1
            ]
            assert is_even(inside, skews[depth].max_skew or 0)


@given(structured())
def test_a_new_placement_is_never_uneven(snapshot: Snapshot) -> None:
    codes = {each.code for each in decided(snapshot).findings}
    assert reasons.SKEW_KEPT not in codes
    assert reasons.APART_KEPT not in codes


@given(situations())
def test_domains_are_within_their_limits(situation: Situation) -> None:
    snapshot, prior = situation
    table = Table(snapshot)
    made = decided(snapshot, prior)
    for item, decision in pairs(snapshot, made):
        places = [table.index[each.cluster] for each in decision.assignments]
        for constraint in item.placement.spec.spread:
            of = table.domains(constraint.by).of
            found = {domain for place in places for domain in of[place]}
            assert constraint.max_domains is None or len(found) <= constraint.max_domains
            codes = (reasons.SPREAD_RELAXED, reasons.SPREAD_CONFLICT, reasons.SPREAD_THIN)
            known = told(made, item).intersection(codes)
            assert len(found) >= constraint.min_domains or decision.shortfall_reasons or known


@given(situations())
def test_bounds_of_clusters_hold(situation: Situation) -> None:
    snapshot, prior = situation
    table = Table(snapshot)
    for item, decision in pairs(snapshot, decided(snapshot, prior)):
        division = item.placement.spec.division
        if item.workload.per_cluster:
            continue
        for each in decision.assignments:
            cluster = table.clusters[table.index[each.cluster]]
            least, most = division.min_replicas, division.max_replicas
            for rule in division.bounds:
                if covers(table, rule.term, cluster.name):
                    least = least if rule.min_replicas is None else rule.min_replicas
                    most = most if rule.max_replicas is None else rule.max_replicas
                    break
            assert most is None or each.replicas <= most
            if not is_everywhere(item):
                assert not each.replicas or each.replicas >= least


@given(situations())
def test_quotas_hold(situation: Situation) -> None:
    snapshot, prior = situation
    made = decided(snapshot, prior)
    for quota in snapshot.quotas:
        used = sum(
            item.workload.request.get("cpu", 0) * sum(decision.replicas.values())
            for item, decision in pairs(snapshot, made)
            if quota.spec.namespaces or item.workload.settings.team in quota.spec.teams
        )
        assert used <= quota.spec.limits["cpu"]


@given(situations())
def test_neighbours_are_apart_or_something_is_told(situation: Situation) -> None:
    snapshot, prior = situation
    made = decided(snapshot, prior)
    by_name = {each.workload: each for each in made.decisions}
    for item, decision in pairs(snapshot, made):
        for other in item.placement.spec.apart:
            shared = decision.replicas.keys() & by_name[other].replicas.keys()
            for cluster in shared:
                assert any(
                    each.code == reasons.APART_KEPT
                    and each.values["cluster"] == cluster
                    and {each.values["workload"], each.values["other"]}
                    == {decision.workload, other}
                    for each in made.findings
                )


@given(structured())
def test_neighbours_share_clusters(snapshot: Snapshot) -> None:
    """Whoever is decided later goes only where the earlier one is."""
    made = decided(snapshot)
    by_name = {each.workload: each for each in made.decisions}
    turns = {
        item.workload.name: position for position, item in enumerate(in_turns(snapshot.linked))
    }
    for item in snapshot.linked:
        for other in item.placement.spec.together:
            first, later = sorted((item.workload.name, other), key=lambda name: turns[name])
            there = set(by_name[first].replicas)
            assert not there or set(by_name[later].replicas) <= there


@given(situations())
def test_every_cluster_of_a_decision_is_in_its_tier(situation: Situation) -> None:
    snapshot, prior = situation
    table = Table(snapshot)
    for item, decision in pairs(snapshot, decided(snapshot, prior)):
        found = [tier for tier in item.placement.spec.tiers if tier.name == decision.tier]
        assert len(found) == bool(item.placement.spec.tiers)
        for tier in found:
            terms = [*tier.terms, *(term for each in tier.overflow for term in each.terms)]
            for each in decision.assignments:
                assert any(covers(table, term, each.cluster) for term in terms)


@given(situations())
def test_overflow_is_used_only_when_the_rest_is_full(situation: Situation) -> None:
    snapshot, _ = situation
    table = Table(snapshot)
    for item, decision in pairs(snapshot, decided(snapshot)):
        division = item.placement.spec.division
        floors = division.min_replicas or division.bounds
        if item.traffic or floors or len(snapshot.linked) > 1:
            continue
        for tier in item.placement.spec.tiers:
            used = {each.cluster for each in decision.assignments if each.replicas}
            own = {name for name in table.names if any(covers(table, t, name) for t in tier.terms)}
            if tier.name != decision.tier or not tier.overflow or used <= own:
                continue
            for name in own:
                verdict = decision.verdicts[name]
                most = division.max_replicas
                full = verdict.room if most is None else min(verdict.room or 0, most)
                assert verdict.outcome is Outcome.INFEASIBLE or verdict.replicas == full


@given(structured(workloads=1))
def test_the_first_tier_that_holds_alone_is_used(snapshot: Snapshot) -> None:
    """Each tier is asked alone, as a policy that has only this one."""
    (item,) = snapshot.linked
    spec = item.placement.spec
    assume(spec.tiers)
    alone = {tier.name: alone_with(snapshot, tier) for tier in spec.tiers}
    holding = [name for name, decision in alone.items() if not decision.shortfall_reasons]
    decision = decided(snapshot).decisions[0]
    least = min(each.shortfall for each in alone.values())
    short = [name for name, each in alone.items() if each.shortfall == least]
    assert decision.tier == (holding or short)[0]
    assert decision.assignments == alone[decision.tier].assignments


def alone_with(snapshot: Snapshot, tier: Tier) -> Decision:
    """The decision of the one workload, had its policy only this tier."""
    (item,) = snapshot.linked
    spec = item.placement.spec.model_copy(update={"tiers": (tier,)})
    policy = item.placement.model_copy(update={"spec": spec})
    return decided(replace(snapshot, linked=(replace(item, placement=policy),))).decisions[0]
