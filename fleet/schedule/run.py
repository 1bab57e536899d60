"""What all workloads of one run share, and the request of each in its turn."""

from collections.abc import Mapping

import numpy as np

from fleet.model.decision import Role
from fleet.model.policy import DivisionMode, PlacementPolicy
from fleet.model.prior import Prior, PriorWorkload
from fleet.model.settings import Settings
from fleet.model.snapshot import Linked, Snapshot
from fleet.model.workload import Workload
from fleet.schedule.active import active_before
from fleet.schedule.columns import Whole
from fleet.schedule.evaluate import Evaluator
from fleet.schedule.karmada_run import KarmadaRun, Turn
from fleet.schedule.karmada_traffic import Traffic
from fleet.schedule.ledger import Ledger
from fleet.schedule.profile import Profile
from fleet.schedule.request import Request
from fleet.schedule.spread import Spread, spread_of
from fleet.schedule.stance import Stance, division_mode, needs, wanted_replicas
from fleet.schedule.table import Table
from fleet.schedule.webster import webster


class Run:
    """The inventory as columns, the rules with their answers, and what is left of each cluster.

    **Shape**: `linked` in the order of turns: higher priority first, then by place in the queue,
    then by name; a turn is a position in it.
    """

    def __init__(
        self, snapshot: Snapshot, prior: Prior, settings: Settings, profile: Profile
    ) -> None:
        self.snapshot = snapshot
        self.table = Table(snapshot)
        self.evaluator = Evaluator(profile)
        self.linked = tuple(sorted(snapshot.linked, key=_turn))
        self._prior = prior
        self._deducts = settings.capacity == "deducted"
        self._spreads: dict[int, Spread] = {}
        self._asked = [
            {name: amount for name, amount in item.workload.request.items() if amount}
            for item in self.linked
        ]
        self._kept = [self._prior_places(item) for item in self.linked]
        self._tight: set[int] = set()
        self._karmada: KarmadaRun | None = None
        self._nothing = np.zeros(self.table.size, dtype=np.int64)
        self._ledger = Ledger(self.table, deducts=self._deducts)
        for turn, asked in enumerate(self._asked):
            self._ledger.open(asked, self._alive(turn))

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

    def request(self, turn: int, stance: Stance) -> Request:
        """The request of the workload whose turn it is, with the capacity of that moment."""
        self._ledger.seek(turn)
        roles = self.prior_of(self.linked[turn].workload).roles
        running = [
            place
            for place, count in self._kept[turn].items()
            if count and roles.get(self.table.names[place], Role.ACTIVE) is stance.role(place)
        ]
        return self._request(turn, needs(stance, self.linked[turn], running))

    def charge(self, turn: int, replicas: Mapping[int, int], *, tight: bool) -> None:
        """Notes what the workload whose turn it is takes, and whether room was `tight` for it."""
        self._ledger.charge(replicas)
        if tight:
            self._tight.add(turn)

    def gave_up(self) -> bool:
        """Whether a workload gave up room that an earlier one might have used.

        If so the run starts again, with no more set aside than was kept: what one workload gives
        up is there for all others, whatever their names, and the next run finds nothing to mend.
        """
        first_tight = min(self._tight, default=len(self.linked))
        held, reserved = self._ledger.still_held(), self._ledger.reservations()
        if all(held[turn] == reserved[turn] for turn in range(first_tight, len(held))):
            return False
        self._tight.clear()
        self._ledger = Ledger(self.table, deducts=self._deducts)
        for asked, kept in zip(self._asked, held, strict=True):
            self._ledger.open(asked, kept)
        return True

    @property
    def karmada(self) -> KarmadaRun:
        """What all workloads share that are placed by Karmada's rules."""
        if self._karmada is None or self._karmada.rooms.ledger is not self._ledger:
            self._karmada = KarmadaRun(self.table, self._ledger, deducts=self._deducts)
        return self._karmada

    def karmada_turn(self, turn: int) -> Turn:
        """The workload of a turn, with the ledger at that moment; room is another question."""
        self._ledger.seek(turn)
        linked = self.linked[turn]
        request = Request(
            table=self.table,
            workload=linked.workload,
            policy=linked.placement,
            asked=self._asked[turn],
            prior=self._kept[turn],
            room=self._nothing,
            need=self._nothing,
            free_percent=self._nothing,
            left={},
        )
        return Turn(turn, request)

    def karmada_traffic(self, turn: int) -> Traffic:
        """What the names want that lead to the workload of a turn."""
        linked = self.linked[turn]
        before = active_before(self.table, self.prior_of(linked.workload))
        return Traffic(linked.traffic, self.snapshot.wanted, before)

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

        What earlier workloads find is then never the room of something that runs. Nothing under
        Karmada's rules: there the figures of the clusters have what runs already.
        """
        if not self._kept[turn] or self.linked[turn].placement.spec.rules == "karmada":
            return {}
        nothing_needed = np.zeros(self.table.size, dtype=np.int64)
        barred = self.evaluator.barred(self._request(turn, nothing_needed))
        alive = {place: count for place, count in self._kept[turn].items() if not barred[place]}
        return _still_wanted(self.linked[turn], alive)

    def _request(self, turn: int, need: Whole) -> Request:
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
        )


def _turn(linked: Linked) -> tuple[int, bool, int, str]:
    """Higher priorities first, then those with a place in the queue, then by name."""
    queue = linked.workload.settings.queue
    return (
        -linked.placement.spec.priority,
        queue is None,
        0 if queue is None else queue,
        linked.workload.name,
    )


def _still_wanted(linked: Linked, alive: Mapping[int, int]) -> Mapping[int, int]:
    """What of the prior the workload keeps at most, given how many replicas it wants now."""
    wanted = wanted_replicas(linked.workload)
    everywhere = division_mode(linked) is DivisionMode.DUPLICATED or linked.traffic
    if everywhere or sum(alive.values()) <= wanted:
        return {place: min(count, wanted) for place, count in alive.items()}
    counts = list(alive.values())
    return dict(zip(alive, webster(counts, wanted, counts), strict=True))
