"""What makes a cluster feasible: a proposal for each reason that a filter gives."""

from collections.abc import Iterator
from functools import reduce
from math import gcd

from fleet.model.affinity import ClusterTerm, PropertyExpression
from fleet.model.amounts import amount_of, holds, unit_of
from fleet.model.base import FrozenMap
from fleet.model.change import APPEND, Change, Edit
from fleet.model.decision import Rejection
from fleet.model.inventory import Cluster, State
from fleet.model.policy import Toleration
from fleet.model.source import Path
from fleet.schedule import remedies
from fleet.schedule.amend import STATE, by_config
from fleet.schedule.filters import spelled
from fleet.schedule.stance import wanted_replicas
from fleet.schedule.steps import (
    REQUIRED,
    Alternative,
    Case,
    Ladder,
    Words,
    appended,
    elsewhere,
    enlarged,
    labelled,
    required,
    term_of,
)
from fleet.schedule.table import PODS

KEYS = {State.DRAINING: "drain", State.DOWN: "down", State.DECOMMISSIONED: "decommission"}
"""The list of the config that says each state."""

_LOOSER = {"Gt": "Ge", "Ge": "Ge", "Lt": "Le", "Le": "Le"}
"""How to compare with the very amount of a cluster; exactly and anything but say what is meant."""


def state(case: Case, _rejection: Rejection) -> Iterator[Alternative]:
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


def residency(case: Case, _rejection: Rejection) -> Iterator[Alternative]:
    """The cluster's region, too."""
    region = case.cluster.spec.region
    path = ("spec", "residency", "regions")
    yield [appended(case, remedies.ALLOW_REGION, {"region": region}, path, region)]


def affinity(case: Case, _rejection: Rejection) -> Iterator[Alternative]:
    """A label that makes a term match, or a term that names the cluster.

    A label that says something else is a fact about the cluster: it stays.
    """
    path, terms = required(case)
    for term in terms:
        missing = _missing_label(case.cluster, term)
        if missing is not None:
            yield [labelled(case.cluster, *missing)]
    words = {"cluster": case.cluster_name}
    code = remedies.ADD_TERM
    if path != REQUIRED:
        words, code = words | {"tier": case.decision.tier}, remedies.ADD_TO_TIER
    said = elsewhere(case.policy.origin, path, words)
    yield [appended(case, code, said, path, term_of(case))]


def amount(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    """What the cluster has is enough; else as for any term."""
    looser = _looser(case)
    if looser:
        yield looser
    yield from affinity(case, rejection)


def _looser(case: Case) -> Alternative:
    """Every comparison of the one term that fails, with what the cluster has.

    Nothing where it has none, or where exactly so much, or anything but that, is asked for.
    """
    ((term,), changes) = case.policy.spec.affinity.required, []
    for place, each in enumerate(term.match_properties):
        found = amount_of(case.cluster, each.property)
        if found is None:
            return []
        has = found * unit_of(each.property)
        if not holds(has, each.operator, each.value):
            if each.operator not in _LOOSER:
                return []
            changes.append(_compared(case, place, each, has))
    return changes


def _compared(case: Case, place: int, was: PropertyExpression, has: int) -> Change:
    path, operator = (*REQUIRED, 0, "matchProperties", place), _LOOSER[was.operator]
    words: Words = {"property": was.property, "operator": operator, "was": was.value, "to": has}
    name, source = case.policy.name, case.policy.origin.at(*path, "value")
    edits = []
    if has != was.value:
        edits.append(Edit("PlacementPolicy", name, (*path, "value"), has))
    if operator != was.operator:
        edits.append(Edit("PlacementPolicy", name, (*path, "operator"), operator))
    return Change(remedies.COMPARE, FrozenMap(words), tuple(edits), source)


def _missing_label(cluster: Cluster, term: ClusterTerm) -> tuple[str, str | None] | None:
    """A label that the term asks for and nobody has said; whether it is all, is tried.

    The value is None where any will do.
    """
    asked: dict[str, str | None] = dict(term.match_labels)
    for each in term.match_expressions:
        if each.operator == "In":
            asked.setdefault(each.key, each.values[0])
    for each in term.match_expressions:
        if each.operator == "Exists":
            asked.setdefault(each.key, None)
    return next(((key, asked[key]) for key in asked if key not in cluster.labels), None)


def taint(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    """One toleration, of this taint alone."""
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
    words |= spelled(case.policy.origin, str(words["effect"]))
    yield [appended(case, remedies.TOLERATE, words, path, toleration)]


def capacity(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    """As much more as lacks; still more where other workloads take it first."""
    cluster, resource = case.cluster, str(rejection.values["resource"])
    capacity = cluster.spec.capacity
    usable = max(capacity.allocatable.get(resource, 0), capacity.reserved.get(resource, 0))
    first = usable + int(rejection.values["needed"]) - int(rejection.values["free"])
    yield [capacity_ladder(case, resource, first)]


def capacity_ladder(case: Case, resource: str, first: int) -> Ladder:
    """From the amount that would do alone to what is enough for all workloads as well."""
    unsaid = 1 if resource == PODS else 0
    asked = [each.workload.request.get(resource, unsaid) for each in case.snapshot.linked]
    wanted = [wanted_replicas(each.workload) for each in case.snapshot.linked]
    most = sum(one * max(1, count) for one, count in zip(asked, wanted, strict=True))
    step = max(1, reduce(gcd, asked))
    return Ladder(lambda amount: enlarged(case, resource, amount), first, first + 2 * most, step)


def no_domain(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    """A domain of its own."""
    cluster, by = case.cluster, str(rejection.values["by"])
    path: Path = ("spec", "zones", APPEND) if by == "zone" else ("spec", by)
    if by.startswith("labels."):
        path = ("metadata", "labels", by.removeprefix("labels."))
    values = {"cluster": cluster.name, "by": by, "value": cluster.name}
    edit = Edit("Cluster", cluster.name, path, cluster.name)
    yield [Change(remedies.ADD_DOMAIN, FrozenMap(values), (edit,), cluster.origin.at(*path))]
