"""What lets a workload onto a cluster, of tiers, bounds, neighbours, quotas and even numbers."""

from collections.abc import Iterator
from functools import reduce
from math import gcd

from fleet.model.base import FrozenMap
from fleet.model.change import Change, Edit
from fleet.model.decision import Rejection
from fleet.model.pattern import matches
from fleet.model.policy import DivisionMode, PlacementPolicy
from fleet.model.quota import Quota
from fleet.model.source import Path
from fleet.schedule import remedies
from fleet.schedule.quotas import quotas_of
from fleet.schedule.stance import division_mode, wanted_replicas
from fleet.schedule.steps import (
    Alternative,
    Case,
    Ladder,
    Number,
    Words,
    appended,
    elsewhere,
    raised,
    replaced,
    term_of,
    tier_named,
)


def tier(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    """The tier that is used has the cluster, too."""
    name = str(rejection.values["won"])
    words = {"cluster": case.cluster_name, "tier": name}
    path: Path = ("spec", "tiers", tier_named(case.policy, name), "terms")
    said = elsewhere(case.policy.origin, path, words)
    yield [appended(case, remedies.ADD_TO_TIER, said, path, term_of(case))]


def tier_left(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    """The workload may go back; or the tier that is used has the cluster, too."""
    words = {"tier": rejection.values["tier"]}
    path = ("spec", "returnToBetterTier")
    yield [replaced(case, remedies.RETURN, words, path, value=True)]
    yield from tier(case, rejection)


def none_allowed(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    """The rule allows what the cluster must run at least; where every cluster runs all, that."""
    place = int(rejection.values["rule"])
    division = case.policy.spec.division
    said = division.bounds[place].min_replicas
    least = max(1, division.min_replicas if said is None else said)
    if division_mode(case.linked) is DivisionMode.DUPLICATED:
        least = max(least, wanted_replicas(case.linked.workload))
    bound = Number(("spec", "division", "bounds", place, "maxReplicas"), "cluster", 0)
    yield [raised(case, bound, least, least)]


def together(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    """They need not share their clusters any more."""
    yield list(_parted(case, "together", str(rejection.values["other"])))


def apart(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    """They are not kept apart any more."""
    yield list(_parted(case, "apart", str(rejection.values["other"])))


def _parted(case: Case, field: str, other: str) -> Iterator[Change]:
    """Every policy of the two that means the other of them does so no more."""
    partners = {case.decision.workload: other, other: case.decision.workload}
    meant: dict[str, tuple[PlacementPolicy, set[str]]] = {}
    for item in case.snapshot.linked:
        if item.workload.name in partners:
            _, names = meant.setdefault(item.placement.name, (item.placement, set()))
            names.add(partners[item.workload.name])
    for policy, names in meant.values():
        was = policy.spec.together if field == "together" else policy.spec.apart
        kept = tuple(text for text in was if not any(matches(text, each) for each in names))
        if kept != was:
            path: Path = ("spec", field)
            words: Words = {"policy": policy.name, "was": ", ".join(was), "to": ", ".join(kept)}
            edit = Edit("PlacementPolicy", policy.name, path, kept)
            values = FrozenMap[str | int]({**words, "field": policy.origin.spelled("spec", field)})
            yield Change(remedies.PART, values, (edit,), policy.origin.at(*path))


def quota(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    """Enough for one replica more, or for all; else more of every quota that counts."""
    own = case.linked.workload
    (found,) = (each for each in case.snapshot.quotas if each.name == rejection.values["quota"])
    resource, left = str(rejection.values["resource"]), int(rejection.values["left"])
    more = 1 if case.cluster_name else case.decision.shortfall
    lacks = own.request[resource] * (int(rejection.values["replicas"]) + more) - left
    yield [_more_of(case, found, resource, lacks)]
    quotas = case.snapshot.quotas
    yield [
        _more_of(case, quotas[place], each, 0)
        for place in quotas_of(own, quotas)
        for each in quotas[place].spec.limits
        if own.request.get(each)
    ]


def _more_of(case: Case, found: Quota, resource: str, lacks: int) -> Ladder:
    """From what lacks to what is enough for all workloads on all clusters."""
    asked = [each.workload.request.get(resource, 0) for each in case.snapshot.linked]
    wanted = [max(1, wanted_replicas(each.workload)) for each in case.snapshot.linked]
    most = sum(one * count for one, count in zip(asked, wanted, strict=True))
    first = found.spec.limits[resource] + lacks
    last = first + most * (len(case.snapshot.clusters) + 1)
    step = reduce(gcd, asked)
    return Ladder(lambda amount: _limited(found, resource, amount), first, last, step)


def _limited(found: Quota, resource: str, amount: int) -> Change:
    """Another limit of a quota."""
    path = ("spec", "limits", resource)
    was = found.spec.limits[resource]
    words: Words = {"quota": found.name, "resource": resource, "was": was, "to": amount}
    edit = Edit("Quota", found.name, path, amount)
    return Change(remedies.RAISE_QUOTA, FrozenMap(words), (edit,), found.origin.at(*path))


def skew(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    """A larger difference by what is named; or by everything, because the inner ones bind too."""
    steps = skews(case)
    yield [steps[str(rejection.values["by"])]]
    yield list(steps.values())


def skews(case: Case) -> dict[str, Ladder]:
    """A larger difference between domains, by what is counted; none where none is limited."""
    more = max(len(case.snapshot.clusters), wanted_replicas(case.linked.workload))
    return {
        each.by: raised(
            case,
            Number(("spec", "spread", place, "maxSkew"), each.by, each.max_skew),
            each.max_skew + 1,
            each.max_skew + more,
        )
        for place, each in enumerate(case.policy.spec.spread)
        if each.max_skew is not None
    }
