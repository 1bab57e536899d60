"""What could be changed about each reason: one function per code, in one table.

A function gives alternatives, the nearest first. Each alternative is a list of steps that are
made together; a step whose number has to be found by trying is a Ladder. Whether it does is not
decided here: fleet.schedule.changes tries it.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from math import gcd

from fleet.model.base import FrozenMap
from fleet.model.change import APPEND, Change, Edit
from fleet.model.decision import Rejection
from fleet.model.inventory import Cluster, State
from fleet.model.policy import ClusterTerm, DivisionMode, Toleration
from fleet.model.source import Path
from fleet.schedule import reasons, remedies
from fleet.schedule.amend import STATE, by_config
from fleet.schedule.stance import wanted_replicas
from fleet.schedule.steps import (
    Alternative,
    Case,
    Ladder,
    Number,
    appended,
    enlarged,
    labelled,
    leasts,
    lowered,
    mosts,
    raised,
    replaced,
    replicas,
    term_of,
    weighted,
)

KEYS = {State.DRAINING: "drain", State.DOWN: "down", State.DECOMMISSIONED: "decommission"}
"""The list of the config that says each state."""

MOST_WEIGHT = 1_000_000
MOST_REPLICAS = 1_000_000

Proposer = Callable[[Case, Rejection], Iterator[Alternative]]


def alternatives(case: Case, rejection: Rejection) -> list[Alternative]:
    """What could be changed about one reason, the nearest first; nothing for a code of a plugin."""
    proposer = PROPOSERS.get(rejection.code)
    return list(proposer(case, rejection)) if proposer else []


def _state(case: Case, _rejection: Rejection) -> Iterator[Alternative]:
    """The config's word goes first; the inventory's may be in the way still."""
    cluster, said = case.cluster, case.snapshot.states[case.cluster_name]
    source = cluster.origin.at(*STATE)
    changes = []
    if by_config(case.snapshot, cluster.name):
        key = KEYS[said.state]
        edit = Edit("Config", "fleet", (key,), cluster.name)
        values = FrozenMap[str | int]({"cluster": cluster.name, "key": key})
        changes.append(Change(remedies.LEAVE_CONFIG, values, (edit,)))
    if cluster.spec.state is not State.ACTIVE:
        edit = Edit("Cluster", cluster.name, STATE, State.ACTIVE)
        values = FrozenMap[str | int]({"cluster": cluster.name, "was": cluster.spec.state.value})
        changes.append(Change(remedies.DECLARE_ACTIVE, values, (edit,), source))
    yield changes


def _residency(case: Case, _rejection: Rejection) -> Iterator[Alternative]:
    region = case.cluster.spec.region
    path = ("spec", "residency", "regions")
    yield [appended(case, remedies.ALLOW_REGION, {"region": region}, path, region)]


def _affinity(case: Case, _rejection: Rejection) -> Iterator[Alternative]:
    """A label that makes a term match, or a term that names the cluster.

    A label that says something else is a fact about the cluster: it stays.
    """
    for term in case.policy.spec.affinity.required:
        missing = _missing_label(case.cluster, term)
        if missing is not None:
            yield [labelled(case.cluster, *missing)]
    path = ("spec", "affinity", "required")
    words = {"cluster": case.cluster_name}
    yield [appended(case, remedies.ADD_TERM, words, path, term_of(case))]


def _missing_label(cluster: Cluster, term: ClusterTerm) -> tuple[str, str] | None:
    """A label that the term asks for and nobody has said; whether it is all, is tried."""
    asked = dict(term.match_labels)
    for each in term.match_expressions:
        if each.operator in {"In", "Exists"}:
            asked.setdefault(each.key, each.values[0] if each.values else "true")
    return next(((key, asked[key]) for key in asked if key not in cluster.labels), None)


def _taint(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    words = {key: rejection.values[key] for key in ("key", "value", "effect")}
    said = (
        {**words, "operator": "Equal"}
        if words["value"]
        else {
            "key": words["key"],
            "effect": words["effect"],
            "operator": "Exists",
        }
    )
    path = ("spec", "tolerations")
    toleration = Toleration.model_validate(said)
    yield [appended(case, remedies.TOLERATE, words, path, toleration)]


def _capacity(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    """As much more as lacks; still more where other workloads take it first."""
    cluster, resource = case.cluster, str(rejection.values["resource"])
    capacity = cluster.spec.capacity
    usable = max(capacity.allocatable.get(resource, 0), capacity.reserved.get(resource, 0))
    first = usable + int(rejection.values["needed"]) - int(rejection.values["free"])
    asked = [each.workload.request.get(resource, 0) for each in case.snapshot.linked]
    wanted = [wanted_replicas(each.workload) for each in case.snapshot.linked]
    most = sum(one * max(1, count) for one, count in zip(asked, wanted, strict=True))
    yield [
        Ladder(
            lambda amount: enlarged(cluster, resource, amount),
            first,
            first + 2 * most,
            max(1, reduce(gcd, asked)),
        )
    ]


def _no_domain(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    cluster, by = case.cluster, str(rejection.values["by"])
    if by.startswith("labels."):
        yield [labelled(cluster, by.removeprefix("labels."), cluster.name)]
        return
    path: Path = ("spec", "zones", APPEND) if by == "zone" else ("spec", by)
    values = {"cluster": cluster.name, "by": by, "value": cluster.name}
    edit = Edit("Cluster", cluster.name, path, cluster.name)
    yield [Change(remedies.ADD_DOMAIN, FrozenMap(values), (edit,), cluster.origin.at(*path))]


def _domain_limit(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    by, domains = rejection.values["by"], _domains(case)
    for each in mosts(case.policy):
        if each.by == by:
            yield [raised(case, each, each.number + 1, max(domains, each.number + 1))]
    yield [_require(case)]


def _weight_zero(case: Case, _rejection: Rejection) -> Iterator[Alternative]:
    yield [Ladder(lambda weight: weighted(case, weight), 1, MOST_WEIGHT)]
    yield [weighted(case, MOST_WEIGHT), *_more_replicas(case, MOST_REPLICAS)]
    yield [_require(case)]


def _no_share(case: Case, _rejection: Rejection) -> Iterator[Alternative]:
    """One replica more, room for the least that a cluster runs, a weight, or more replicas."""
    for short in case.decision.shortfall_reasons:
        yield from alternatives(case, short)
    room, least = case.verdict.room or 0, case.policy.spec.division.min_replicas
    if room < least:
        yield [lowered(case, Number(("spec", "division", "minReplicas"), "cluster", least), room)]
        yield _more_room(case, least - room)
    yield _more_replicas(case, 1)
    if case.policy.spec.division.weights:
        yield [Ladder(lambda weight: weighted(case, weight), 1, MOST_WEIGHT)]
    yield _more_replicas(case, MOST_REPLICAS)
    yield [_require(case)]


def _not_needed(case: Case, _rejection: Rejection) -> Iterator[Alternative]:
    """As many replicas as fill those that are preferred, else another division."""
    yield _more_replicas(case, MOST_REPLICAS)
    mode = case.policy.spec.division.mode
    values = {"was": mode.value, "to": DivisionMode.WEIGHTED.value}
    path = ("spec", "division", "mode")
    yield [replaced(case, remedies.DIVIDE, values, path, DivisionMode.WEIGHTED)]
    yield [_require(case)]


def _domains_short(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    found = int(rejection.values["found"])
    for each in leasts(case.policy):
        if each.by == rejection.values["by"]:
            yield [lowered(case, each, found)]


def _spread_conflict(case: Case, _rejection: Rejection) -> Iterator[Alternative]:
    """The least that one constraint asks for, or the most that it allows; else every least."""
    demands = [each for each in leasts(case.policy) if each.number > 1]
    for each in demands:
        for number in range(each.number - 1, 0, -1):
            yield [lowered(case, each, number)]
    for each in mosts(case.policy):
        yield [raised(case, each, each.number + 1, each.number + _domains(case))]
    yield [lowered(case, each, 1) for each in demands]
    yield [_require(case)]


def _below_minimum(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    least, count = int(rejection.values["minimum"]), int(rejection.values["replicas"])
    bound = Number(("spec", "division", "minReplicas"), "cluster", least)
    if 0 < count < least:
        yield [lowered(case, bound, count)]
    yield [lowered(case, bound, 1)]


def _above_maximum(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    most, count = int(rejection.values["maximum"]), int(rejection.values["replicas"])
    bound = Number(("spec", "division", "maxReplicas"), "cluster", most)
    yield [raised(case, bound, count, count)]


def _more_room(case: Case, count: int) -> Alternative:
    """Room for so many replicas more, in every resource that is asked for."""
    cluster, listed = case.cluster, case.cluster.spec.capacity.allocatable
    return [
        enlarged(cluster, resource, listed[resource] + amount * count)
        for resource, amount in case.linked.workload.request.items()
        if resource in listed
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


def _require(case: Case) -> Change:
    """The last resort: no other cluster comes into question."""
    path = ("spec", "affinity", "required")
    words = {"cluster": case.cluster_name}
    return replaced(case, remedies.REQUIRE, words, path, (term_of(case),))


PROPOSERS: Mapping[str, Proposer] = {
    reasons.STATE: _state,
    reasons.RESIDENCY: _residency,
    reasons.AFFINITY: _affinity,
    reasons.TAINT: _taint,
    reasons.CAPACITY: _capacity,
    reasons.NO_DOMAIN: _no_domain,
    reasons.DOMAIN_LIMIT: _domain_limit,
    reasons.WEIGHT_ZERO: _weight_zero,
    reasons.NO_SHARE: _no_share,
    reasons.NOT_NEEDED: _not_needed,
    reasons.DOMAINS_SHORT: _domains_short,
    reasons.SPREAD_CONFLICT: _spread_conflict,
    reasons.BELOW_MINIMUM: _below_minimum,
    reasons.ABOVE_MAXIMUM: _above_maximum,
}
