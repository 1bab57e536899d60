"""The building blocks of a proposal: one change to one field, with its place and its words."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from fleet.model.affinity import ClusterTerm
from fleet.model.base import FrozenMap
from fleet.model.change import APPEND, Change, Edit
from fleet.model.decision import Decision, Verdict
from fleet.model.inventory import FREE, Cluster
from fleet.model.policy import PlacementPolicy, WeightRule
from fleet.model.snapshot import Linked, Snapshot
from fleet.model.source import Origin, Path
from fleet.schedule import remedies
from fleet.schedule.stance import wanted_replicas

Words = Mapping[str, str | int]


@dataclass(frozen=True, slots=True)
class Case:
    """One cluster's verdict on one workload, in the snapshot with what is changed so far."""

    snapshot: Snapshot
    decision: Decision
    cluster_name: str

    @property
    def verdict(self) -> Verdict:
        """What is to be flipped."""
        return self.decision.verdicts[self.cluster_name]

    @property
    def cluster(self) -> Cluster:
        """The cluster of the verdict."""
        return next(each for each in self.snapshot.clusters if each.name == self.cluster_name)

    @property
    def linked(self) -> Linked:
        """The workload with its policies."""
        name = self.decision.workload
        return next(each for each in self.snapshot.linked if each.workload.name == name)

    @property
    def by_karmada(self) -> bool:
        """Whether Karmada's rules place the workload."""
        return self.policy.spec.rules == "karmada"

    @property
    def policy(self) -> PlacementPolicy:
        """The workload's placement policy."""
        return self.linked.placement


@dataclass(frozen=True, slots=True)
class Ladder:
    """A change whose number is found by trying: `first`, then in steps of `step` up to `last`."""

    make: Callable[[int], Change]
    first: int
    last: int
    step: int = 1


ANY_VALUE = "true"
"""What a label says where any value will do."""
REQUIRED: Path = ("spec", "affinity", "required")
Alternative = Sequence[Change | Ladder]
"""What is changed together."""


@dataclass(frozen=True, slots=True)
class Number:
    """A limit of a policy, and what it limits."""

    path: Path
    by: str
    number: int


def leasts(policy: PlacementPolicy) -> Iterator[Number]:
    """How many domains the policy asks for, wherever it does."""
    if policy.spec.pick is not None:
        yield Number(("spec", "pick"), "cluster", policy.spec.pick)
    for place, each in enumerate(policy.spec.spread):
        yield Number(("spec", "spread", place, "minDomains"), each.by, each.min_domains)


def mosts(policy: PlacementPolicy) -> Iterator[Number]:
    """How many domains the policy allows, wherever it limits them."""
    if policy.spec.pick is not None:
        yield Number(("spec", "pick"), "cluster", policy.spec.pick)
    for place, each in enumerate(policy.spec.spread):
        if each.max_domains is not None:
            yield Number(("spec", "spread", place, "maxDomains"), each.by, each.max_domains)


def least_each(policy: PlacementPolicy) -> Iterator[Number]:
    """How many replicas a cluster must run at least, wherever the policy says so."""
    division = policy.spec.division
    yield Number(("spec", "division", "minReplicas"), "cluster", division.min_replicas)
    for place, each in enumerate(division.bounds):
        if each.min_replicas is not None:
            path: Path = ("spec", "division", "bounds", place, "minReplicas")
            yield Number(path, "cluster", each.min_replicas)


def most_each(policy: PlacementPolicy) -> Iterator[Number]:
    """How many replicas a cluster may run at most, wherever the policy says so."""
    division = policy.spec.division
    if division.max_replicas is not None:
        yield Number(("spec", "division", "maxReplicas"), "cluster", division.max_replicas)
    for place, each in enumerate(division.bounds):
        if each.max_replicas is not None:
            path: Path = ("spec", "division", "bounds", place, "maxReplicas")
            yield Number(path, "cluster", each.max_replicas)


def raised(case: Case, limit: Number, first: int, last: int) -> Ladder:
    """A larger number in the policy."""
    return Ladder(lambda to: _number(case, remedies.RAISE, limit, to), first, last)


def lowered(case: Case, limit: Number, to: int) -> Change:
    """A smaller number in the policy."""
    return _number(case, remedies.LOWER, limit, to)


def _number(case: Case, code: str, limit: Number, to: int) -> Change:
    field = case.policy.origin.spelled(*limit.path)
    words: Words = {"field": field, "was": limit.number, "to": to}
    return replaced(case, code, words, limit.path, to)


def replaced(case: Case, code: str, words: Words, path: Path, value: object) -> Change:
    """Another value in the policy."""
    edit = Edit("PlacementPolicy", case.policy.name, path, value)
    return Change(code, FrozenMap(words), (edit,), case.policy.origin.at(*path))


def appended(case: Case, code: str, words: Words, path: Path, value: object) -> Change:
    """One more entry in a list of the policy."""
    edit = Edit("PlacementPolicy", case.policy.name, (*path, APPEND), value)
    return Change(code, FrozenMap(words), (edit,), case.policy.origin.at(*path))


def elsewhere(origin: Origin, path: Path, words: Words) -> Words:
    """The words, and how another product's document spells the field that is changed."""
    return {**words, "field": origin.spelled(*path)} if origin.names else words


def term_of(case: Case) -> ClusterTerm:
    """The term that names the cluster alone."""
    return ClusterTerm(clusters=(case.cluster_name,))


def required(case: Case) -> tuple[Path, tuple[ClusterTerm, ...]]:
    """The terms of which one has to hold; by Karmada's rules a tier stands for the affinity."""
    spec = case.policy.spec
    if not case.by_karmada or not spec.tiers:
        return REQUIRED, spec.affinity.required
    place = tier_named(case.policy, case.decision.tier)
    return ("spec", "tiers", place, "terms"), spec.tiers[place].terms


def weighted(case: Case, weight: int) -> Change:
    """One more rule of static weights."""
    rule = WeightRule(replica_weight=weight, term=term_of(case))
    path = ("spec", "division", "weights")
    words: Words = {"cluster": case.cluster_name, "weight": weight}
    return appended(
        case, remedies.ADD_WEIGHT, elsewhere(case.policy.origin, path, words), path, rule
    )


def labelled(cluster: Cluster, key: str, value: str | None) -> Change:
    """A label on the cluster; where the value is None, any will do."""
    words = {"cluster": cluster.name, "key": key, **({} if value is None else {"value": value})}
    said = ANY_VALUE if value is None else value
    edit = Edit("Cluster", cluster.name, ("metadata", "labels", key), said)
    source = cluster.origin.at("metadata", "labels", key)
    return Change(remedies.ADD_LABEL, FrozenMap[str | int](words), (edit,), source)


def enlarged(case: Case, resource: str, amount: int) -> Change:
    """So much of a resource on the cluster."""
    path = ("spec", "capacity", "allocatable", resource)
    cluster = case.cluster
    was = cluster.spec.capacity.allocatable.get(resource, 0)
    words: Words = {"cluster": cluster.name, "resource": resource, "was": was, "to": amount}
    kind, origin = capacity_document(case, "allocatable", resource)
    if FREE in origin.names:
        words = {**words, "field": origin.spelled(*FREE)}
    edit = Edit(kind, cluster.name, path, amount)
    return Change(remedies.ADD_CAPACITY, FrozenMap(words), (edit,), origin.at(*path))


def capacity_document(case: Case, field: str, resource: str = "") -> tuple[str, Origin]:
    """The kind and the place of the document whose word on a capacity counts."""
    seen = case.snapshot.facts.observations.get(case.cluster_name)
    if seen is not None and seen.spec.capacity is not None:
        capacity = seen.spec.capacity
        if capacity.nodes if field == "nodes" else resource in capacity.allocatable:
            return "ClusterObservation", seen.origin
    return "Cluster", case.cluster.origin


def tier_named(policy: PlacementPolicy, name: str) -> int:
    """The position of a tier."""
    return [each.name for each in policy.spec.tiers].index(name)


def replicas(case: Case, count: int) -> Change:
    """So many replicas in all, where the workload's files say how many."""
    workload = case.linked.workload
    owner = workload.autoscaled
    words = {"was": wanted_replicas(workload), "to": count}
    name = workload.name
    edits = [Edit("Workload", name, ("replicas",), count)]
    if owner is not None:
        edits = [Edit("Workload", name, ("autoscaled", "minimum"), count)]
        if owner.maximum < count:
            edits.append(Edit("Workload", name, ("autoscaled", "maximum"), count))
    return Change(remedies.ADD_REPLICAS, FrozenMap(words), tuple(edits), workload.replicas_source)
