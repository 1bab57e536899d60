"""What all workloads of a run share that are placed by Karmada's rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from fleet.model.affinity import ClusterTerm
from fleet.model.decision import Rejection
from fleet.model.policy import DivisionMode, PlacementPolicy
from fleet.model.source import Source
from fleet.model.workload import Workload
from fleet.schedule import filters, rules_apis
from fleet.schedule.columns import Mask, Whole
from fleet.schedule.evaluate import Evaluator, explained
from fleet.schedule.karmada_regions import Limits
from fleet.schedule.karmada_room import Rooms
from fleet.schedule.ledger import Ledger
from fleet.schedule.matching import matching
from fleet.schedule.plugin import Filter
from fleet.schedule.profile import Profile
from fleet.schedule.request import Request
from fleet.schedule.table import Table
from fleet.schedule.weights import Weights

NO_LIMIT = 2**31 - 1


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """One workload in its turn, with the capacity of that moment; `tier` is the last update's."""

    number: int
    request: Request
    tier: str = ""

    @property
    def workload(self) -> Workload:
        """The workload."""
        return self.request.workload

    @property
    def policy(self) -> PlacementPolicy:
        """What is asked for it."""
        return self.request.policy

    @property
    def asked(self) -> Mapping[str, int]:
        """What a replica asks for."""
        return self.request.asked

    @property
    def prior(self) -> Mapping[int, int]:
        """The replicas of the last update, by the cluster's position."""
        return self.request.prior

    @property
    def replicas(self) -> int:
        """What Karmada divides: an object without replicas of its own, or once a cluster, is 0."""
        if self.workload.main is None or self.workload.per_cluster:
            return 0
        owner = self.workload.autoscaled
        return owner.minimum if owner else self.workload.replicas

    @property
    def counts(self) -> bool:
        """Whether replicas are divided at all; else every selected cluster gets the objects."""
        if self.workload.main is None or self.workload.per_cluster:
            return False
        return self.replicas > 0 or bool(self.asked.keys() - {"pods"})

    @property
    def mode(self) -> DivisionMode:
        """How the replicas are divided."""
        return self.policy.spec.division.mode

    @property
    def is_static(self) -> bool:
        """Whether the weights are written in the policy."""
        return bool(self.policy.spec.division.weights)


def _always(_request: Request, _place: int) -> bool:
    """A cluster where the workload runs is spared."""
    return True


FILTERS = (
    filters.STATE,
    filters.RESIDENCY,
    filters.AFFINITY,
    replace(filters.TAINTS, spares=_always),
    filters.SPREAD,
    rules_apis.APIS,
)
"""Karmada's, and fleet's own state and residency. Taints and APIs move nothing that runs."""


@dataclass(frozen=True, slots=True)
class Constraints:
    """A policy's spread by cluster and by region, None where it says none."""

    cluster: Limits | None = None
    region: Limits | None = None


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """What a workload found: which clusters are barred and by whom, how much is free on each."""

    turn: int
    policy: PlacementPolicy
    request: Request
    bars: Sequence[tuple[Filter, Mask]]
    barred: Mask
    free: Whole

    def rejections(self, place: int) -> tuple[Rejection, ...]:
        """All reasons why a cluster is not feasible."""
        return explained(self.bars, self.request, place)


class KarmadaRun:
    """The rules with their answers, and the figures of the clusters."""

    def __init__(self, table: Table, ledger: Ledger, *, deducts: bool) -> None:
        self.table = table
        self.rooms = Rooms(table, ledger, deducts)
        self._evaluator = Evaluator(Profile(FILTERS, ()))
        self._constraints: dict[int, Constraints] = {}
        self._view: View | None = None
        self.regions = table.domains("region")
        self.region_of: Whole = np.array(
            [domains[0] if domains else -1 for domains in self.regions.of], dtype=np.int64
        )

    def view(self, turn: Turn, policy: PlacementPolicy) -> View:
        """The feasible clusters and the figures of a moment; the last one asked for is kept."""
        known = self._view
        if known is None or known.turn != turn.number or known.policy is not policy:
            self.rooms.ledger.seek(turn.number)
            free = self.rooms.figures(turn.number, turn.asked, turn.replicas)
            request = self._request(turn, policy)
            bars = self._evaluator.bars(request)
            barred = np.logical_or.reduce([mask for _, mask in bars])
            known = self._view = View(turn.number, policy, request, bars, barred, free)
        return known

    def barred(self, turn: Turn, policy: PlacementPolicy) -> Mask:
        """The clusters that are not feasible."""
        return self._evaluator.barred(self._request(turn, policy))

    def matching(self, terms: Sequence[ClusterTerm]) -> Mask:
        """The clusters that one of the terms means."""
        found = np.zeros(self.table.size, dtype=bool)
        for term in terms:
            found |= matching(self.table, term)
        return found

    def constraints(self, policy: PlacementPolicy) -> Constraints:
        """What of a policy's spread selects; static weights ignore it."""
        key = id(policy.spec)
        if key not in self._constraints:
            self._constraints[key] = constraints_of(policy)
        return self._constraints[key]

    def source(self, policy: PlacementPolicy, by: str, field: str) -> Source:
        """Where a policy limits its clusters or regions."""
        for position, each in enumerate(policy.spec.spread):
            if each.by == by:
                return policy.origin.at("spec", "spread", position, field)
        said = "spread" if policy.spec.pick is None else "pick"
        return policy.origin.at("spec", said)

    def weights(self, policy: PlacementPolicy) -> Whole:
        """The largest weight of the rules that match each cluster; 0 where none does."""
        return Weights(self.table, policy.spec.division.weights).column

    def _request(self, turn: Turn, policy: PlacementPolicy) -> Request:
        same = policy is turn.policy
        return turn.request if same else replace(turn.request, policy=policy)


def constraints_of(policy: PlacementPolicy) -> Constraints:
    """A spread that says nothing of clusters or regions selects nothing; zones only filter."""
    spec = policy.spec
    if spec.division.weights:
        return Constraints()
    found = {
        each.by: Limits(
            each.min_domains, NO_LIMIT if each.max_domains is None else each.max_domains
        )
        for each in spec.spread
    }
    if spec.pick is not None:
        found["cluster"] = Limits(spec.pick, spec.pick)
    return Constraints(found.get("cluster"), found.get("region"))
