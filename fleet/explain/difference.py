"""Two plans of one fleet compared: as the files are written, and as somebody asks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from fleet.explain.findings import all_findings
from fleet.explain.sentences import finding_sentence
from fleet.model.decision import Decision, Finding
from fleet.model.endpoint import EndpointDelivery
from fleet.model.plan import ClusterDelivery, Outcome
from fleet.model.survival import Survival

COST: Final = "cost-per-core"
"""The property of a cluster that says what a core costs, in the inventory's own currency."""
_MILLIONTHS_OF_MILLICORES = 1_000_000 * 1000


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A question and its two plans.

    **Shape**: `asked` are the options as they were written; `removed` the clusters that were asked
    to leave the inventory. The survivals are None where nobody wants to know.
    """

    asked: tuple[str, ...]
    written: Outcome
    then: Outcome
    removed: tuple[str, ...] = ()
    survival_written: Survival | None = None
    survival_then: Survival | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """Replicas that are on another cluster than before."""

    source: str
    target: str
    replicas: int


@dataclass(frozen=True, slots=True)
class WorkloadDifference:
    """A workload whose placement differs; a decision is None where the files have no such workload.

    **Shape**: `objects` are the keys of objects that change though replicas and role do not, by
    cluster.
    """

    name: str
    before: Decision | None
    after: Decision | None
    objects: Mapping[str, tuple[str, ...]]

    @property
    def counts(self) -> dict[str, tuple[int | None, int | None]]:
        """Replicas before and after, by cluster, of every cluster that it is on in either plan."""
        had = dict(self.before.replicas) if self.before else {}
        has = dict(self.after.replicas) if self.after else {}
        return {name: (had.get(name), has.get(name)) for name in sorted({*had, *has})}

    @property
    def roles(self) -> dict[str, tuple[str, str]]:
        """The role before and after, by cluster; empty where it is not there."""
        had, has = _roles(self.before), _roles(self.after)
        return {name: (had.get(name, ""), has.get(name, "")) for name in sorted({*had, *has})}

    @property
    def shortfalls(self) -> tuple[int, int]:
        """Replicas that fit nowhere, before and after."""
        return (
            self.before.shortfall if self.before else 0,
            self.after.shortfall if self.after else 0,
        )

    @property
    def differs(self) -> bool:
        """Whether there is anything to tell."""
        if (self.before is None) != (self.after is None) or self.objects:
            return True
        short_before, short_after = self.shortfalls
        same = all(had == has for had, has in (*self.counts.values(), *self.roles.values()))
        return not same or short_before != short_after


@dataclass(frozen=True, slots=True)
class NameDifference:
    """A public name whose weights, aliases or active region differ.

    **Shape**: weights by cluster; `turned` are aliases by resource name: where each led and leads.
    """

    dns_name: str
    workload: str
    before: Mapping[str, int]
    after: Mapping[str, int]
    regions: tuple[str | None, str | None]
    endpoint: EndpointDelivery
    turned: Mapping[str, tuple[str | None, str | None]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Costs:
    """Requested cores times the cost of a core. `uncounted`: replicas on clusters that say none."""

    amount: Fraction
    uncounted: int


def moves(
    counts: Mapping[str, tuple[int | None, int | None]],
) -> tuple[tuple[Move, ...], int]:
    """Which replicas are elsewhere, and how many more (or, below 0, fewer) there are.

    Replicas are alike, so who goes where is a convention: both sides in the order of names.

    >>> moves({"a": (4, None), "b": (2, 4), "c": (None, 1)})
    ((Move(source='a', target='b', replicas=2), Move(source='a', target='c', replicas=1)), -1)
    """
    change = {name: (has or 0) - (had or 0) for name, (had, has) in counts.items()}
    gains = {name: count for name, count in change.items() if count > 0}
    found = []
    for source, lost in ((name, -count) for name, count in change.items() if count < 0):
        left = lost
        for target, wanted in gains.items():
            part = min(left, wanted)
            if part:
                found.append(Move(source, target, part))
                gains[target] -= part
                left -= part
    return tuple(found), sum(change.values())


def workload_differences(question: WhatIf) -> list[WorkloadDifference]:
    """Every workload that differs, by name."""
    before, after = question.written.plan.decisions, question.then.plan.decisions
    objects = _changed_objects(question.written, question.then)
    found = (
        WorkloadDifference(name, before.get(name), after.get(name), objects.get(name, {}))
        for name in sorted({*before, *after})
    )
    return [each for each in found if each.differs]


def name_differences(question: WhatIf) -> list[NameDifference]:
    """Every public name that differs, by policy."""
    before = {each.policy: each for each in question.written.plan.endpoints}
    after = {each.policy: each for each in question.then.plan.endpoints}
    found = (
        _name_difference(each, before.get(policy), after.get(policy))
        for policy, each in sorted((before | after).items())
    )
    return [each for each in found if each is not None]


def finding_differences(question: WhatIf) -> tuple[list[Finding], list[Finding]]:
    """Findings that appear, and those that vanish; the same words are the same finding."""
    before = {_key(each): each for each in all_findings(question.written)}
    after = {_key(each): each for each in all_findings(question.then)}
    appear = [each for key, each in after.items() if key not in before]
    vanish = [each for key, each in before.items() if key not in after]
    return appear, vanish


def costs(outcome: Outcome) -> Costs:
    """What all replicas cost by the hour, or whatever the inventory's figures are for."""
    clusters = {each.name: each for each in outcome.snapshot.clusters}
    workloads = (each.workload for each in outcome.snapshot.linked)
    cores = {each.name: each.request.get("cpu", 0) for each in workloads}
    amount, uncounted = Fraction(0), 0
    for decision in outcome.schedule.decisions:
        for each in decision.assignments:
            price = clusters[each.cluster].spec.properties.get(COST)
            if price is None:
                uncounted += each.replicas
            else:
                asked = each.replicas * cores[decision.workload]
                amount += Fraction(asked * price, _MILLIONTHS_OF_MILLICORES)
    return Costs(amount, uncounted)


def held_by(question: WhatIf) -> Iterator[tuple[str, list[str]]]:
    """The clusters that were asked to be removed though workloads are on them, with their names."""
    for cluster in question.removed:
        names = [
            each.workload
            for each in question.written.schedule.decisions
            if any(assignment.cluster == cluster for assignment in each.assignments)
        ]
        if names:
            yield cluster, names


def _roles(decision: Decision | None) -> dict[str, str]:
    return {each.cluster: each.role.value for each in decision.assignments} if decision else {}


def _changed_objects(written: Outcome, then: Outcome) -> dict[str, dict[str, tuple[str, ...]]]:
    """Objects that change on clusters where replicas and role stay, by workload and cluster."""
    before = {each.workload: each for each in written.plan.workloads}
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for workload in then.plan.workloads:
        old = before.get(workload.workload)
        was = {each.cluster: each for each in old.deliveries} if old else {}
        for each in workload.deliveries:
            keys = _changed(was[each.cluster], each) if each.cluster in was else ()
            if keys:
                found.setdefault(workload.workload, {})[each.cluster] = keys
    return found


def _changed(before: ClusterDelivery, after: ClusterDelivery) -> tuple[str, ...]:
    if before.fingerprint == after.fingerprint:
        return ()
    if (before.replicas, before.role) != (after.replicas, after.role):
        return ()
    had = {each.key: each.digest for each in before.objects}
    has = {each.key: each.digest for each in after.objects}
    return tuple(key for key in sorted({*had, *has}) if had.get(key) != has.get(key))


def _name_difference(
    either: EndpointDelivery, before: EndpointDelivery | None, after: EndpointDelivery | None
) -> NameDifference | None:
    regions = (
        before.active_region if before else None,
        after.active_region if after else None,
    )
    weights = (_weights(before), _weights(after))
    turned = _turned(_aliases(before), _aliases(after))
    if weights[0] == weights[1] and regions[0] == regions[1] and not turned:
        return None
    return NameDifference(
        either.dns_name, either.workload, *weights, regions, after or either, turned
    )


def _aliases(endpoint: EndpointDelivery | None) -> dict[str, str]:
    return {each.name: each.text for each in endpoint.aliases} if endpoint else {}


def _turned(
    before: Mapping[str, str], after: Mapping[str, str]
) -> dict[str, tuple[str | None, str | None]]:
    pairs = {name: (before.get(name), after.get(name)) for name in sorted({*before, *after})}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def _weights(endpoint: EndpointDelivery | None) -> dict[str, int]:
    return {each.cluster: each.dns_weight for each in endpoint.records} if endpoint else {}


def _key(finding: Finding) -> tuple[str, str, bool]:
    return finding.code, finding_sentence(finding), finding.blocks
