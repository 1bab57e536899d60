"""What all workloads of one run share, and the request of each in its turn."""

from collections.abc import Mapping, Sequence

import numpy as np

from fleet.model.decision import Role
from fleet.model.policy import DivisionMode, PlacementPolicy
from fleet.model.prior import Prior, PriorWorkload
from fleet.model.settings import Settings
from fleet.model.snapshot import Linked, Snapshot
from fleet.model.workload import Workload
from fleet.schedule.columns import Whole
from fleet.schedule.evaluate import Evaluator
from fleet.schedule.general import Trace
from fleet.schedule.ledger import Ledger, Taken
from fleet.schedule.profile import DEFAULT, Profile
from fleet.schedule.request import Request
from fleet.schedule.spread import Spread, spread_of
from fleet.schedule.stance import Stance, division_mode, needs, wanted_replicas
from fleet.schedule.table import Table
from fleet.schedule.webster import webster


class Run:
    """The inventory as columns, the rules with their answers, and what is left of each cluster.

    **Shape**: `linked` by the name of the workload; a turn is a position in it.
    """

    def __init__(
        self, snapshot: Snapshot, prior: Prior, settings: Settings, profile: Profile
    ) -> None:
        self.snapshot = snapshot
        self.table = Table(snapshot)
        self.evaluator = Evaluator(profile)
        self.asks_all_scorers = profile != DEFAULT
        self.linked = tuple(sorted(snapshot.linked, key=lambda item: item.workload.name))
        self._prior = prior
        self._deducts = settings.capacity == "deducted"
        self._spreads: dict[int, Spread] = {}
        self._asked = _shared([item.workload.request for item in self.linked])
        self._kept = [self._prior_places(item) for item in self.linked]
        self.explained: tuple[int, Trace] | None = None
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
        running: list[int] = []
        if self._kept[turn]:
            roles = self.prior_of(self.linked[turn].workload).roles
            running = [
                place
                for place, count in self._kept[turn].items()
                if count and roles.get(self.table.names[place], Role.ACTIVE) is stance.role(place)
            ]
        return self._request(turn, needs(stance, self.linked[turn], running))

    def seek(self, turn: int) -> None:
        """Makes the capacity what the workload of that turn found."""
        self._ledger.seek(turn)

    def charge(self, taken: Taken) -> None:
        """Notes what the workload whose turn it is takes."""
        self._ledger.charge(taken)

    def was_missed(self) -> bool:
        """Whether a workload gave up room that an earlier one was short of."""
        given_up: dict[int, int] = {}
        for turn, kept in enumerate(self._kept):
            if kept:
                held = self._still_held(turn)
                for place, count in self._ledger.reserved(turn).as_map().items():
                    if held.get(place, 0) < count:
                        given_up[place] = turn
        last = max(given_up.values(), default=0)
        return any(self._is_short(turn, given_up) for turn in range(last))

    def _is_short(self, turn: int, given_up: Mapping[int, int]) -> bool:
        """Whether a cluster that a later one left had not room for all of a workload."""
        places = np.array([place for place, after in given_up.items() if after > turn])
        linked, asked = self.linked[turn], self._asked[turn]
        self._ledger.seek(turn)
        lacks = self._ledger.room(asked, places) < wanted_replicas(linked.workload)
        if not np.count_nonzero(lacks):
            return False
        allowed = ~self.evaluator.view(self._request(turn, 0)).barred
        return bool(allowed[places[lacks]].any())

    def keep_less(self) -> None:
        """Starts again, with no more set aside than was kept.

        What one workload gives up is there for all others, whatever their names, and the next run
        finds nothing to mend.
        """
        held = {turn: self._still_held(turn) for turn, kept in enumerate(self._kept) if kept}
        self._ledger = Ledger(self.table, deducts=self._deducts)
        for turn, asked in enumerate(self._asked):
            self._ledger.open(asked, held.get(turn, {}))

    def _still_held(self, turn: int) -> dict[int, int]:
        """What of its reservation a workload really kept."""
        charged = self._ledger.charged(turn).as_map()
        reserved = self._ledger.reserved(turn).as_map()
        held = {place: min(count, charged.get(place, 0)) for place, count in reserved.items()}
        return {place: count for place, count in held.items() if count}

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
        barred = self.evaluator.barred(self._request(turn, 0))
        alive = {place: count for place, count in self._kept[turn].items() if not barred[place]}
        return _still_wanted(self.linked[turn], alive)

    def _request(self, turn: int, needed: int | Whole) -> Request:
        linked = self.linked[turn]
        return Request(
            table=self.table,
            workload=linked.workload,
            policy=linked.placement,
            asked=self._asked[turn],
            prior=self._kept[turn],
            needed=needed,
            ledger=self._ledger,
        )


def _shared(requests: Sequence[Mapping[str, int]]) -> list[Mapping[str, int]]:
    """Amounts above 0; equal requests are one object, which stands for them in a key."""
    known: dict[tuple[tuple[str, int], ...], Mapping[str, int]] = {}
    amounts = [{name: amount for name, amount in each.items() if amount} for each in requests]
    return [known.setdefault(tuple(each.items()), each) for each in amounts]


def _still_wanted(linked: Linked, alive: Mapping[int, int]) -> Mapping[int, int]:
    """What of the prior the workload keeps at most, given how many replicas it wants now."""
    wanted = wanted_replicas(linked.workload)
    everywhere = division_mode(linked) is DivisionMode.DUPLICATED or linked.traffic
    if everywhere or sum(alive.values()) <= wanted:
        return {place: min(count, wanted) for place, count in alive.items()}
    counts = list(alive.values())
    return dict(zip(alive, webster(counts, wanted, counts), strict=True))
