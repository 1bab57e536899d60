"""What all workloads of one run share, and the request of each in its turn."""

from collections.abc import Mapping

import numpy as np

from fleet.model.decision import Role
from fleet.model.policy import DivisionMode, PlacementPolicy
from fleet.model.prior import Prior, PriorWorkload
from fleet.model.settings import Settings
from fleet.model.snapshot import Linked, Snapshot
from fleet.model.workload import Workload
from fleet.schedule.cluster_bounds import ClusterBounds, cluster_bounds
from fleet.schedule.columns import Whole
from fleet.schedule.evaluate import Evaluator
from fleet.schedule.ledger import Ledger
from fleet.schedule.neighbours import Neighbours
from fleet.schedule.profile import Profile
from fleet.schedule.quotas import Quotas
from fleet.schedule.request import Request
from fleet.schedule.spread import Spread, spread_of
from fleet.schedule.stance import Stance, division_mode, needs, wanted_replicas
from fleet.schedule.table import Table
from fleet.schedule.tiers import Tiered, all_tiers, start_tier
from fleet.schedule.turns import in_turns
from fleet.schedule.webster import webster


class Run:
    """The inventory as columns, the rules with their answers, and what is left of each cluster.

    **Shape**: `linked` in the order in which workloads choose; a turn is a position in it.
    """

    def __init__(
        self, snapshot: Snapshot, prior: Prior, settings: Settings, profile: Profile
    ) -> None:
        self.snapshot = snapshot
        self.table = Table(snapshot)
        self.evaluator = Evaluator(profile)
        self.linked = in_turns(snapshot.linked)
        self._prior = prior
        self._deducts = settings.capacity == "deducted"
        self._spreads: dict[int, Spread] = {}
        self._bounds: dict[int, ClusterBounds] = {}
        self._asked = [
            {name: amount for name, amount in item.workload.request.items() if amount}
            for item in self.linked
        ]
        self._kept = [self._prior_places(item) for item in self.linked]
        self._tight: set[int] = set()
        self._ledger = Ledger(self.table, deducts=self._deducts)
        self.neighbours = Neighbours((), ())
        alive = [self._alive(turn) for turn in range(len(self.linked))]
        for asked, kept in zip(self._asked, alive, strict=True):
            self._ledger.open(asked, kept)
        self.neighbours = Neighbours(self.linked, alive)
        running = [sum(kept.values()) for kept in alive]
        self.quotas = Quotas(snapshot.quotas, self.linked, running)

    def prior_of(self, workload: Workload) -> PriorWorkload:
        """What the last update assigned, under the workload's name or a former one."""
        for name in (workload.name, *workload.settings.renamed_from):
            found = self._prior.workloads.get(name)
            if found is not None:
                return found
        return PriorWorkload()

    def spread(self, policy: PlacementPolicy) -> Spread:
        """What a policy says of domains and weights."""
        if id(policy) not in self._spreads:
            self._spreads[id(policy)] = spread_of(self.table, policy)
        return self._spreads[id(policy)]

    def bounds(self, policy: PlacementPolicy, workload: Workload) -> ClusterBounds:
        """The least and the most that each cluster may run of a workload."""
        if not policy.spec.division.bounds or workload.per_cluster:
            return cluster_bounds(self.table, policy, workload)
        if id(policy) not in self._bounds:
            self._bounds[id(policy)] = cluster_bounds(self.table, policy, workload)
        return self._bounds[id(policy)]

    def start_tier(self, turn: int) -> int:
        """The position of the tier that is tried first."""
        item = self.linked[turn]
        prior = self.prior_of(item.workload)
        return start_tier(self.table, item.placement, prior, self._kept[turn])

    def request(self, turn: int, stance: Stance, tiered: Tiered | None = None) -> Request:
        """The request of the workload whose turn it is, with the capacity of that moment.

        Without a word about tiers all of them count.
        """
        self._ledger.seek(turn)
        roles = self.prior_of(self.linked[turn].workload).roles
        running = [
            place
            for place, count in self._kept[turn].items()
            if count and roles.get(self.table.names[place], Role.ACTIVE) is stance.role(place)
        ]
        item = self.linked[turn]
        need = needs(stance, item, running, self.bounds(item.placement, item.workload))
        return self._request(turn, need, tiered)

    def charge(self, turn: int, replicas: Mapping[int, int], *, tight: bool, bounded: bool) -> None:
        """Notes what the workload whose turn it is takes.

        `tight`: room was scarce for it; `bounded`: a quota left it less than it wants.
        """
        self._ledger.charge(replicas)
        self.neighbours.decide(turn, replicas)
        self.quotas.charge(turn, sum(replicas.values()), bounded=bounded)
        if tight:
            self._tight.add(turn)

    def gave_up(self) -> bool:
        """Whether a workload gave up room that an earlier one might have used.

        Or a place, or a part of a quota. If so the run starts again, with no more set aside than
        was kept: what one workload gives up is there for all others, whatever their names, and the
        next run finds nothing to mend.
        """
        first_tight = min(self._tight, default=len(self.linked))
        held, reserved = self._ledger.still_held(), self._ledger.reservations()
        same_room = all(held[turn] == reserved[turn] for turn in range(first_tight, len(held)))
        if same_room and not self.neighbours.gave_up() and not self.quotas.gave_up():
            return False
        self._tight.clear()
        self._ledger = Ledger(self.table, deducts=self._deducts)
        for asked, kept in zip(self._asked, held, strict=True):
            self._ledger.open(asked, kept)
        self.neighbours.restart()
        self.quotas.restart()
        return True

    def _prior_places(self, linked: Linked) -> Mapping[int, int]:
        """The prior's replicas by the cluster's position; none for a fresh placement."""
        if linked.placement.spec.placement == "fresh":
            return {}
        replicas = self.prior_of(linked.workload).replicas
        return {
            self.table.index[name]: count
            for name, count in replicas.items()
            if name in self.table.index
        }

    def _alive(self, turn: int) -> Mapping[int, int]:
        """What the workload runs already, and may still run: room that is set aside for it.

        What earlier workloads find is then never the room of something that runs.
        """
        if not self._kept[turn]:
            return {}
        nothing_needed = np.zeros(self.table.size, dtype=np.int64)
        tiered = all_tiers(self.linked[turn].placement, self.start_tier(turn))
        barred = self.evaluator.barred(self._request(turn, nothing_needed, tiered))
        alive = {place: count for place, count in self._kept[turn].items() if not barred[place]}
        return _still_wanted(self.linked[turn], alive)

    def _request(self, turn: int, need: Whole, tiered: Tiered | None) -> Request:
        linked = self.linked[turn]
        asked = self._asked[turn]
        return Request(
            table=self.table,
            workload=linked.workload,
            policy=linked.placement,
            asked=asked,
            prior=self._kept[turn],
            room=self._ledger.room(asked),
            need=need,
            free_percent=self._ledger.free_percent(asked),
            left={name: self._ledger.left(name) for name in asked},
            tiered=tiered or all_tiers(linked.placement),
            beside=self.neighbours.beside(turn),
        )


def _still_wanted(linked: Linked, alive: Mapping[int, int]) -> Mapping[int, int]:
    """What of the prior the workload keeps at most, given how many replicas it wants now."""
    wanted = wanted_replicas(linked.workload)
    everywhere = division_mode(linked) is DivisionMode.DUPLICATED or linked.traffic
    if everywhere or sum(alive.values()) <= wanted:
        return {place: min(count, wanted) for place, count in alive.items()}
    counts = list(alive.values())
    return dict(zip(alive, webster(counts, wanted, counts), strict=True))
