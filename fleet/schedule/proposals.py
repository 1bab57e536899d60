"""What could be changed about each reason: one function per code, in one table.

A function gives alternatives, the nearest first. Each alternative is a list of steps that are
made together; a step whose number has to be found by trying is a Ladder. Whether it does is not
decided here: fleet.schedule.changes tries it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import islice, product

from fleet.model.base import Resources
from fleet.model.change import Change
from fleet.model.decision import Outcome, Rejection
from fleet.model.policy import DivisionMode
from fleet.schedule import (
    admission,
    proposals_facts,
    proposals_structure,
    reasons,
    remedies,
)
from fleet.schedule.stance import wanted_replicas
from fleet.schedule.steps import (
    Alternative,
    Case,
    Ladder,
    elsewhere,
    least_each,
    leasts,
    lowered,
    most_each,
    mosts,
    raised,
    replaced,
    replicas,
    required,
    term_of,
    weighted,
)
from fleet.schedule.table import PODS

MOST_WEIGHT = 1_000_000
MOST_REPLICAS = 1_000_000
CLUSTERS = 5
"""How many clusters are looked at where any would do."""

Proposer = Callable[[Case, Rejection], Iterator[Alternative]]


def alternatives(case: Case, rejection: Rejection) -> list[Alternative]:
    """What could be changed about one reason, the nearest first; nothing for a code of a plugin."""
    proposer = PROPOSERS.get(rejection.code)
    return list(proposer(case, rejection)) if proposer else []


def _domain_limit(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    by, domains = rejection.values["by"], _domains(case)
    for each in mosts(case.policy):
        if each.by == by:
            yield [raised(case, each, each.number + 1, max(domains, each.number + 1))]
    yield [_require(case)]
    yield _alone(case)


def _weight_zero(case: Case, _rejection: Rejection) -> Iterator[Alternative]:
    yield [Ladder(lambda weight: weighted(case, weight), 1, MOST_WEIGHT)]
    yield [weighted(case, MOST_WEIGHT), *_more_replicas(case, MOST_REPLICAS)]
    yield [_require(case)]


def _no_share(case: Case, _rejection: Rejection) -> Iterator[Alternative]:
    """One replica more, room for the least that a cluster runs, a weight, or more replicas.

    Inside of a domain that runs some, smaller ones may be empty for the sake of even numbers.
    """
    for short in case.decision.shortfall_reasons:
        yield from alternatives(case, short)
    uneven = list(proposals_structure.skews(case).values())
    if uneven:
        yield uneven
    room = case.verdict.room or 0
    above = [each for each in least_each(case.policy) if each.number > room]
    if above:
        yield [lowered(case, each, room) for each in above]
        yield _more_room(case, max(each.number for each in above) - room)
    yield _more_replicas(case, 1)
    if case.policy.spec.division.weights:
        yield [Ladder(lambda weight: weighted(case, weight), 1, MOST_WEIGHT)]
    yield _more_replicas(case, MOST_REPLICAS)
    yield [_require(case)]
    if case.by_karmada:
        yield _more_room(case, 1)
        yield _alone(case)


def _overflow(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    """More replicas than what stands before holds; or no overflow at all."""
    yield from _no_share(case, rejection)
    if not case.by_karmada:
        yield from _not_needed(case, rejection)


def _not_needed(case: Case, _rejection: Rejection) -> Iterator[Alternative]:
    """As many replicas as fill those that are preferred, else another division."""
    yield _more_replicas(case, MOST_REPLICAS)
    mode = case.policy.spec.division.mode
    path = ("spec", "division", "mode")
    said = {"was": mode.value, "to": DivisionMode.WEIGHTED.value}
    values = elsewhere(case.policy.origin, path, said)
    weighted_now = replaced(case, remedies.DIVIDE, values, path, DivisionMode.WEIGHTED)
    yield [weighted_now]
    yield [_require(case)]
    if case.by_karmada:
        yield [weighted_now, *_more_room(case, 1)]
        yield _alone(case)


def _domains_short(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    """What there is; or less, where others under the policy then take it first."""
    found = int(rejection.values["found"])
    for each in leasts(case.policy):
        if each.by == rejection.values["by"]:
            yield from ([lowered(case, each, number)] for number in range(found, 0, -1))
    if case.cluster_name:
        yield _alone(case)


def _spread_conflict(case: Case, _rejection: Rejection) -> Iterator[Alternative]:
    """The least that one constraint asks for, or the most that it allows; else every least."""
    for each in leasts(case.policy):
        for number in range(each.number - 1, 0, -1):
            yield [lowered(case, each, number)]
    for each in mosts(case.policy):
        yield [raised(case, each, each.number + 1, each.number + _domains(case))]
    yield _no_least(case)
    if case.cluster_name:
        yield _alone(case)


def _skew(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    """A larger difference; else more replicas, or no other cluster to be even with."""
    yield from proposals_structure.skew(case, rejection)
    if case.cluster_name:
        yield _more_replicas(case, MOST_REPLICAS)
        yield _alone(case)


def _skew_conflict(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    """A larger difference, or fewer domains."""
    yield from proposals_structure.skew(case, rejection)
    yield from _spread_conflict(case, rejection)


def _no_least(case: Case) -> list[Change]:
    """One domain of each kind is enough."""
    return [lowered(case, each, 1) for each in leasts(case.policy) if each.number > 1]


def _below_minimum(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    """The least becomes what there is, or 1."""
    for count in (int(rejection.values["replicas"]), 1):
        above = [each for each in least_each(case.policy) if each.number > count > 0]
        yield [lowered(case, each, count) for each in above]


def _above_maximum(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    """The most becomes what is wanted everywhere."""
    count = int(rejection.values["replicas"])
    below = [each for each in most_each(case.policy) if each.number < count]
    yield [raised(case, each, count, count) for each in below]


def _no_cluster(case: Case, _rejection: Rejection) -> Iterator[Alternative]:
    """Whatever makes one cluster feasible: those with the fewest reasons first."""
    verdicts = sorted(case.decision.verdicts.values(), key=lambda each: len(each.rejections))
    for verdict in verdicts[:CLUSTERS]:
        here = replace(case, cluster_name=verdict.cluster)
        own = [each for each in verdict.rejections if each.code != reasons.NO_CLUSTER]
        options = [alternatives(here, each) for each in own]
        for combined in islice(product(*options), CLUSTERS):
            yield [step for alternative in combined for step in alternative]


def _capacity_short(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    """A higher limit per cluster, room on one cluster or on all of them, or both.

    Where numbers are to be even, room on all of them goes first: on one it would leave the others.
    """
    missing = int(rejection.values["wanted"]) - int(rejection.values["placed"])
    limits = [
        raised(case, each, each.number + 1, each.number + missing)
        for each in most_each(case.policy)
    ]
    yield limits
    usable = [
        replace(case, cluster_name=each) for each in _usable(case, rejection.values.get("region"))
    ]
    rooms = [_more_room(each, missing) for each in usable]
    on_all = [step for each in usable for step in _more_room(each, 1)]
    even = any(each.max_skew is not None for each in case.policy.spec.spread)
    rooms = [on_all, *rooms] if even else [*rooms, on_all]
    yield from rooms
    yield from ([*limits, *room] for room in rooms if limits)


def _quota(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    """More of the quotas; with room, where what others get of it fills the clusters."""
    more = list(proposals_structure.quota(case, rejection))
    yield from more
    for each in [case.cluster_name] if case.cluster_name else _usable(case, None)[:1]:
        here = replace(case, cluster_name=each)
        yield [*more[-1], *_more_room(here, max(1, case.decision.shortfall))]


def _usable(case: Case, region: str | int | None) -> list[str]:
    """The best clusters that are not barred, in a region where one is short."""
    regions = {each.name: each.spec.region for each in case.snapshot.clusters}
    feasible = [
        each
        for each in case.decision.verdicts.values()
        if each.outcome is not Outcome.INFEASIBLE and region in {None, regions[each.cluster]}
    ]
    ranked = sorted(feasible, key=lambda each: (-each.replicas, -each.total))
    return [each.cluster for each in ranked[:CLUSTERS]]


def _more_room(case: Case, count: int) -> Alternative:
    """Room for so many replicas more, in every resource that is asked for, and on nodes.

    What is not listed is there without end; by Karmada's rules it is not there at all.
    """
    listed, asked = case.cluster.spec.capacity.allocatable, case.linked.workload.request
    if case.by_karmada:
        asked = Resources({PODS: 1, **asked})
    return [
        *(
            admission.capacity_ladder(case, resource, listed.get(resource, 0) + amount * count)
            for resource, amount in asked.items()
            if resource in listed or case.by_karmada
        ),
        *proposals_facts.more_nodes(case, count),
    ]


def _domains(case: Case) -> int:
    """No spread has more domains than that."""
    return sum(max(1, len(each.spec.zones)) for each in case.snapshot.clusters)


def _more_replicas(case: Case, most: int) -> Alternative:
    """Up to so many replicas more; a DaemonSet has none to ask for."""
    if case.linked.workload.per_cluster:
        return ()
    was = wanted_replicas(case.linked.workload)
    return [Ladder(lambda count: replicas(case, count), was + 1, was + most)]


def _alone(case: Case) -> Alternative:
    """No other cluster, and no least that needs one; with room, where a cluster is taken without.

    Only Karmada's rules do that.
    """
    room = _more_room(case, 1) if case.by_karmada else []
    return [*_no_least(case), _require(case), *room]


def _require(case: Case) -> Change:
    """The last resort: no other cluster comes into question."""
    path, _ = required(case)
    words = {"cluster": case.cluster_name, "field": case.policy.origin.spelled(*path)}
    return replaced(case, remedies.REQUIRE, words, path, (term_of(case),))


PROPOSERS: Mapping[str, Proposer] = {
    reasons.STATE: admission.state,
    reasons.RESIDENCY: admission.residency,
    reasons.AFFINITY: admission.affinity,
    reasons.AMOUNT: admission.amount,
    reasons.TAINT: admission.taint,
    reasons.CAPACITY: admission.capacity,
    reasons.NO_DOMAIN: admission.no_domain,
    reasons.DOMAIN_LIMIT: _domain_limit,
    reasons.WEIGHT_ZERO: _weight_zero,
    reasons.NO_SHARE: _no_share,
    reasons.OVERFLOW: _overflow,
    reasons.NOT_NEEDED: _not_needed,
    reasons.DOMAINS_SHORT: _domains_short,
    reasons.SPREAD_CONFLICT: _spread_conflict,
    reasons.NO_CLUSTER: _no_cluster,
    reasons.CAPACITY_SHORT: _capacity_short,
    reasons.BELOW_MINIMUM: _below_minimum,
    reasons.ABOVE_MAXIMUM: _above_maximum,
    reasons.TOLERATION_OVER: proposals_facts.toleration_over,
    reasons.MAINTENANCE: proposals_facts.maintenance,
    reasons.CLUSTER_SET: proposals_facts.cluster_set,
    reasons.EXCLUSIVE: proposals_facts.exclusive,
    reasons.PINNED: proposals_facts.pinned,
    reasons.API: proposals_facts.api,
    reasons.LATENCY: proposals_facts.latency,
    reasons.NODES: proposals_facts.nodes,
    reasons.TIER_SHORT: proposals_structure.tier,
    reasons.TIER_LATER: proposals_structure.tier,
    reasons.TIER_LEFT: proposals_structure.tier_left,
    reasons.TIER_NONE: proposals_structure.tier,
    reasons.NONE_ALLOWED: proposals_structure.none_allowed,
    reasons.TOGETHER: proposals_structure.together,
    reasons.APART: proposals_structure.apart,
    reasons.QUOTA: _quota,
    reasons.SKEW_LIMIT: _skew,
    reasons.SKEW_SHORT: _skew,
    reasons.SKEW_CONFLICT: _skew_conflict,
}
