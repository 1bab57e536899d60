"""What is left of every cluster as the run goes, and as it was at any earlier moment."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from fleet.schedule.columns import Whole
from fleet.schedule.counts import Counts
from fleet.schedule.nodes import Nodes
from fleet.schedule.table import PODS, UNLIMITED, Table


@dataclass(slots=True)
class Account:
    """What one workload holds: `reserved` for its prior until its turn, `charged` from then on.

    **Shape**: `request` by resource, amounts above 0; replicas by the cluster's position.
    """

    request: Mapping[str, int]
    reserved: Mapping[int, int] = field(default_factory=dict)
    charged: Mapping[int, int] = field(default_factory=dict)


class Ledger:
    """Capacity as each workload finds it in its turn.

    Nothing is copied per workload: the ledger is one grid and the list of what was taken, and it
    goes forward and back along that list. An explanation that is asked for later therefore sees
    the capacity of the moment of the decision.
    """

    def __init__(self, table: Table, *, deducts: bool) -> None:
        self._table = table
        self._deducts = deducts
        self._accounts: list[Account] = []
        self._left = table.free.copy()
        self.nodes = Nodes(table.clusters)
        self.counts = Counts(table.size)
        self._turn = -1

    def open(self, request: Mapping[str, int], kept: Mapping[int, int]) -> None:
        """Adds the account of the next workload; reserves of `kept` what is still there."""
        account = Account(request)
        self._accounts.append(account)
        if self._deducts and kept:
            room = self.room(account.request)
            account.reserved = {place: min(kept[place], int(room[place])) for place in kept}
            self._move(account.request, account.reserved, -1)
            self.nodes.hold((len(self._accounts) - 1, account.request, account.reserved))
            self.counts.add(account.reserved)

    def seek(self, turn: int) -> None:
        """Makes the capacity what the workload of that turn finds; its own prior counts as free."""
        while self._turn < turn:
            self._leave_forward()
        while self._turn > turn:
            self._leave_back()

    def charge(self, replicas: Mapping[int, int]) -> None:
        """Notes what the workload whose turn it is takes."""
        if self._deducts:
            self._accounts[self._turn].charged = dict(replicas)
            self.nodes.forget_after(self._turn)

    def reservations(self) -> list[Mapping[int, int]]:
        """What is set aside for each workload until its turn."""
        return [account.reserved for account in self._accounts]

    def still_held(self) -> list[Mapping[int, int]]:
        """What of the reservations the workloads really kept."""
        return [
            {
                place: min(count, each.charged.get(place, 0))
                for place, count in each.reserved.items()
            }
            for each in self._accounts
        ]

    def room(self, request: Mapping[str, int]) -> Whole:
        """How many replicas fit on each cluster now; UNLIMITED where nothing bounds them."""
        room = np.full(self._table.size, UNLIMITED, dtype=np.int64)
        for name, amount in request.items():
            np.minimum(room, self.left(name) // amount, out=room)
        room = np.where(self._table.declared, room, UNLIMITED)
        return np.minimum(room, self.nodes.room(request)) if self.nodes.listed else room

    def free_percent(self, request: Mapping[str, int]) -> Whole:
        """What is left of the requested resource that is scarcest, in percent of allocatable."""
        share = np.full(self._table.size, 100.0)
        for name in request:
            whole = np.maximum(self._allocatable(name), 1)
            np.minimum(share, self.left(name) * 100.0 / whole, out=share)
        return np.where(self._table.declared, share, 100.0).astype(np.int64)

    def left(self, resource: str) -> Whole:
        """What is left of a resource on each cluster; 0 where it is not listed."""
        row = self._table.row.get(resource)
        if row is not None:
            left: Whole = self._left[row]
            return left
        return np.full(self._table.size, UNLIMITED if resource == PODS else 0, dtype=np.int64)

    def _allocatable(self, resource: str) -> Whole:
        row = self._table.row.get(resource)
        return self._table.allocatable[row] if row is not None else self.left(resource)

    def _leave_forward(self) -> None:
        """From one workload's turn to the next: it takes what it was given."""
        leaves = None
        if self._turn >= 0:
            left = self._accounts[self._turn]
            self._move(left.request, left.charged, -1)
            self.counts.add(left.charged)
            leaves = self._turn, left.request, left.charged
        self._turn += 1
        comes = self._accounts[self._turn]
        self._move(comes.request, comes.reserved, 1)
        self.counts.remove(comes.reserved)
        self.nodes.forward(leaves, (self._turn, comes.request, comes.reserved))

    def _leave_back(self) -> None:
        """From one workload's turn to the one before."""
        left = self._accounts[self._turn]
        self._move(left.request, left.reserved, -1)
        self.counts.add(left.reserved)
        self.nodes.back(self._turn)
        self._turn -= 1
        comes = self._accounts[self._turn]
        self._move(comes.request, comes.charged, 1)
        self.counts.remove(comes.charged)

    def _move(self, request: Mapping[str, int], replicas: Mapping[int, int], sign: int) -> None:
        """Gives back (+1) or takes (-1) what so many replicas ask for."""
        rows = [(self._table.row[name], name) for name in request if name in self._table.row]
        for place, count in replicas.items():
            if not count or not self._table.declared[place]:
                continue
            for row, name in rows:
                if name != PODS or self._table.counts_pods[place]:
                    self._left[row, place] += sign * request[name] * count
