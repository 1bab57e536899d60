"""What all workloads of one run share, and the request of each in its turn."""

from collections.abc import Mapping, Sequence

import numpy as np

from fleet.model.decision import Role
from fleet.model.policy import DivisionMode
from fleet.model.prior import Prior, PriorWorkload
from fleet.model.settings import Settings
from fleet.model.snapshot import Linked, Snapshot
from fleet.model.webster import webster
from fleet.model.workload import Workload
from fleet.schedule.active import active_before
from fleet.schedule.columns import Whole
from fleet.schedule.compiled import Compiled, Compiler
from fleet.schedule.evaluate import Evaluator
from fleet.schedule.karmada_run import KarmadaRun, Turn
from fleet.schedule.karmada_traffic import Traffic
from fleet.schedule.ledger import Ledger, Taken
from fleet.schedule.neighbours import Neighbours
from fleet.schedule.profile import DEFAULT, Profile
from fleet.schedule.quotas import Quotas
from fleet.schedule.request import Request
from fleet.schedule.stance import Stance, division_mode, needs, one_group, wanted_replicas
from fleet.schedule.table import Table
from fleet.schedule.tiers import Tiered, all_tiers, start_tier
from fleet.schedule.trace import Trace
from fleet.schedule.turns import in_turns

_NOTHING_BEFORE = PriorWorkload()


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
        self.asks_all_scorers = profile != DEFAULT
        self.linked = in_turns(snapshot.linked)
        self._prior = prior
        self._deducts = settings.capacity == "deducted"
        self._compiler = Compiler(self.table)
        self._together: dict[int, Stance] = {}
        self._asked = _shared([item.workload.request for item in self.linked])
        self._kept = [self._prior_places(item) for item in self.linked]
        self.explained: tuple[int, Trace, Request] | None = None
        self._karmada: KarmadaRun | None = None
        self._ledger = Ledger(self.table, deducts=self._deducts)
        self.neighbours = Neighbours((), ())
        alive = [self._alive(turn) for turn in range(len(self.linked))]
        for asked, kept in zip(self._asked, alive, strict=True):
            self._ledger.open(asked, kept)
        if not self.table.written.isdisjoint(("together", "apart")):
            self.neighbours = Neighbours(self.linked, alive)
        running = [sum(kept.values()) for kept in alive]
        self.quotas = Quotas(snapshot.quotas, self.linked, running)

    @property
    def packs_nodes(self) -> bool:
        """Whether what workloads take is packed onto nodes."""
        return self._deducts and self._ledger.nodes.listed

    def prior_of(self, workload: Workload) -> PriorWorkload:
        """What the last update assigned, under the workload's name or a former one."""
        known = self._prior.workloads
        found = known.get(workload.name)
        if found is not None:
            return found
        for name in workload.settings.renamed_from:
            if name in known:
                return known[name]
        return _NOTHING_BEFORE

    def compiled(self, turn: int) -> Compiled:
        """What the policy of a workload says, in terms of the table."""
        return self._compiler.of(self.linked[turn])

    def one_group(self, replicas: int) -> Stance:
        """All clusters together."""
        found = self._together.get(replicas)
        if found is None:
            found = self._together[replicas] = one_group(self.table, replicas)
        return found

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
        running: list[int] = []
        if self._kept[turn]:
            roles = self.prior_of(self.linked[turn].workload).roles
            running = [
                place
                for place, count in self._kept[turn].items()
                if count and roles.get(self.table.names[place], Role.ACTIVE) is stance.role(place)
            ]
        compiled = self.compiled(turn)
        need = needs(stance, compiled.mode, compiled.bounds, running)
        return self._request(turn, need, tiered)

    def seek(self, turn: int) -> None:
        """Makes the capacity what the workload of that turn found."""
        self._ledger.seek(turn)

    def is_alone(self, turn: int) -> bool:
        """Whether neither a quota nor a neighbour has a say in a workload."""
        return not self.quotas.speak_of(turn) and not self.neighbours.matter_to(turn)

    def charge(self, taken: Taken) -> None:
        """Notes what the workload whose turn it is takes."""
        self._ledger.charge(taken)

    def note(self, turn: int, given: Mapping[int, int], *, bounded: bool) -> None:
        """Notes for neighbours and quotas where a workload is, also without replicas.

        `bounded`: a quota left it less than it wants.
        """
        if not self.is_alone(turn):
            self.neighbours.decide(turn, given)
            self.quotas.charge(turn, sum(given.values()), bounded=bounded)

    def was_missed(self) -> bool:
        """Whether a workload gave up what an earlier one was short of: room, a place, a quota."""
        return self.neighbours.gave_up() or self.quotas.gave_up() or self._room_was_missed()

    def _room_was_missed(self) -> bool:
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
        tiered = all_tiers(linked.placement, self.start_tier(turn))
        allowed = ~self.evaluator.view(self._request(turn, 0, tiered)).barred
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
        self.neighbours.restart()
        self.quotas.restart()

    def _still_held(self, turn: int) -> dict[int, int]:
        """What of its reservation a workload really kept."""
        charged = self._ledger.charged(turn).as_map()
        reserved = self._ledger.reserved(turn).as_map()
        held = {place: min(count, charged.get(place, 0)) for place, count in reserved.items()}
        return {place: count for place, count in held.items() if count}

    @property
    def karmada(self) -> KarmadaRun:
        """What all workloads share that are placed by Karmada's rules."""
        if self._karmada is None or self._karmada.rooms.ledger is not self._ledger:
            self._karmada = KarmadaRun(self.table, self._ledger, deducts=self._deducts)
        return self._karmada

    def karmada_turn(self, turn: int) -> Turn:
        """The workload of a turn, with the ledger at that moment; room is another question."""
        self._ledger.seek(turn)
        tier = self.prior_of(self.linked[turn].workload).tier
        return Turn(turn, self._request(turn, 0, None), tier)

    def karmada_traffic(self, turn: int) -> Traffic:
        """What the names want that lead to the workload of a turn."""
        linked = self.linked[turn]
        before = active_before(self.table, self.prior_of(linked.workload))
        return Traffic(linked.traffic, self.snapshot.wanted, before)

    def _prior_places(self, linked: Linked) -> Mapping[int, int]:
        """The prior's replicas by the cluster's position; none for a fresh placement."""
        replicas = self.prior_of(linked.workload).replicas
        if not replicas or linked.placement.spec.placement == "fresh":
            return {}
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
        tiered = all_tiers(self.linked[turn].placement, self.start_tier(turn))
        request = self._request(turn, 0, tiered)
        native = self.evaluator.native
        barred = self.evaluator.view(request).barred if native else self.evaluator.barred(request)
        alive = {place: count for place, count in self._kept[turn].items() if not barred[place]}
        return _still_wanted(self.linked[turn], alive)

    def _request(self, turn: int, needed: int | Whole, tiered: Tiered | None) -> Request:
        linked = self.linked[turn]
        return Request(
            table=self.table,
            workload=linked.workload,
            policy=linked.placement,
            asked=self._asked[turn],
            prior=self._kept[turn],
            needed=needed,
            ledger=self._ledger,
            tiered=tiered or all_tiers(linked.placement),
            beside=self.neighbours.beside(turn),
        )


def _shared(requests: Sequence[Mapping[str, int]]) -> list[Mapping[str, int]]:
    """Amounts above 0; equal requests are one object, which stands for them in a key."""
    known: dict[tuple[tuple[str, int], ...], Mapping[str, int]] = {}
    written: dict[tuple[tuple[str, int], ...], Mapping[str, int]] = {}
    shared = []
    for request in requests:
        key = tuple(request.items())
        if key not in written:
            amounts = {name: amount for name, amount in key if amount}
            written[key] = known.setdefault(tuple(amounts.items()), amounts)
        shared.append(written[key])
    return shared


def _still_wanted(linked: Linked, alive: Mapping[int, int]) -> Mapping[int, int]:
    """What of the prior the workload keeps at most, given how many replicas it wants now."""
    wanted = wanted_replicas(linked.workload)
    everywhere = division_mode(linked) is DivisionMode.DUPLICATED or linked.traffic
    if everywhere or sum(alive.values()) <= wanted:
        return {place: min(count, wanted) for place, count in alive.items()}
    counts = list(alive.values())
    return dict(zip(alive, webster(counts, wanted, counts), strict=True))
