"""The inventory as columns, made once per run."""

from collections.abc import Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet

import numpy as np
from numpy.typing import NDArray

from fleet.model.amounts import amount_of, unit_of
from fleet.model.inventory import Cluster
from fleet.model.snapshot import Snapshot
from fleet.model.source import Source
from fleet.schedule.columns import Amounts, Column, Domains, Mask, Whole, column_of, domains_of
from fleet.schedule.latency import Latencies

UNLIMITED = 2**40
"""The room of a cluster that declares no capacity; more than any workload asks for."""

PODS = "pods"
LABEL = "labels."
_MOST = 2**62


class Table:
    """Clusters in the order of their names, and one column per fact that somebody asks for.

    **Shape**: `allocatable` and `free` by resource, then one amount per cluster in base units; a
    resource that a cluster does not list is 0 there. `declared` is False for a cluster that lists
    no resource at all; `counted` by resource and cluster is False where nothing is ever deducted.
    `reverse` is larger for the earlier name. `closed` is True for one in a maintenance window;
    `latencies` are the samples of the observations. `avoided`: some taint only asks to be avoided.
    `together` and `by_region` are one group per cluster: all one, or by region. `written` are the
    fields that any policy of the run says, `spread_by` the kinds of domain that any spreads over.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        ordered = sorted(snapshot.clusters, key=lambda cluster: cluster.name)
        self.clusters: tuple[Cluster, ...] = tuple(ordered)
        self._columns: dict[str, Column[tuple[str, ...]]] = {}
        self._properties: dict[str, Amounts] = {}
        self.facts = snapshot.facts
        self.apis = column_of(cluster.spec.apis for cluster in ordered)
        self._texts: dict[str, Mapping[str, Sequence[int]]] = {}
        self._domains: dict[str, Domains] = {}
        self.masks: dict[Hashable, Mask] = {}
        self._parts: dict[str, tuple[int, ...]] = {}
        self.names = tuple(cluster.name for cluster in ordered)
        self.index = {name: place for place, name in enumerate(self.names)}
        self.states = tuple(snapshot.states[name] for name in self.names)
        self.regions = tuple(cluster.spec.region for cluster in ordered)
        self.latencies = Latencies(self.names, self.facts.observations, self.facts.now)
        self.closed: Mask = np.array(
            [name in self.facts.windows for name in self.names], dtype=bool
        )
        self.taints = column_of(cluster.spec.taints for cluster in ordered)
        self.avoided = any(
            taint.effect == "PreferNoSchedule" for taints in self.taints.values for taint in taints
        )
        self.state = column_of(each.state for each in self.states)
        self.declared: Mask = np.array(
            [bool(cluster.spec.capacity.allocatable) for cluster in ordered], dtype=bool
        )
        self.resources = tuple(
            sorted({name for each in ordered for name in each.spec.capacity.allocatable})
        )
        self.row = {name: place for place, name in enumerate(self.resources)}
        self.allocatable, self.free = self._amounts()
        self.reverse: Whole = (1 << self.size.bit_length()) - 1 - np.arange(self.size)
        self.together = (0,) * len(ordered)
        self.by_region: tuple[int, ...] = tuple(self.column("region").codes.tolist())
        self.counted = self._counted()
        self.written, self.spread_by = _written(snapshot)

    @property
    def size(self) -> int:
        """How many clusters there are."""
        return len(self.clusters)

    def column(self, field: str) -> Column[tuple[str, ...]]:
        """The texts of `cluster`, `region`, `zone`, `provider` or `labels.<key>`; none is ()."""
        if field not in self._columns:
            self._columns[field] = column_of(_texts(each, field) for each in self.clusters)
        return self._columns[field]

    def texts(self, field: str) -> Mapping[str, Sequence[int]]:
        """Which codes of a field's column have a text."""
        if field not in self._texts:
            known: dict[str, list[int]] = {}
            for code, texts in enumerate(self.column(field).values):
                for text in texts:
                    known.setdefault(text, []).append(code)
            self._texts[field] = known
        return self._texts[field]

    def domains(self, by: str) -> Domains:
        """The domains of a spread constraint's `by`."""
        if by not in self._domains:
            self._domains[by] = domains_of(self.column(by))
        return self._domains[by]

    def parts(self, by: str) -> tuple[int, ...]:
        """One number per cluster: clusters with the same domains share it."""
        if by not in self._parts:
            numbers: dict[tuple[int, ...], int] = {}
            domains = (tuple(sorted(each)) for each in self.domains(by).of)
            self._parts[by] = tuple(numbers.setdefault(each, len(numbers)) for each in domains)
        return self._parts[by]

    def amounts(self, name: str) -> Amounts:
        """The amounts of `free.<resource>`, `allocatable.<resource>`, `nodes` or a property."""
        if name not in self._properties:
            found = [amount_of(cluster, name) for cluster in self.clusters]
            values = [min(amount or 0, _MOST) for amount in found]
            present = np.array([amount is not None for amount in found], dtype=bool)
            whole = np.array(values, dtype=np.int64)
            self._properties[name] = Amounts(whole, present, unit_of(name))
        return self._properties[name]

    def capacity_source(self, place: int, resource: str) -> Source:
        """The line that says how much of a resource a cluster has: observed, or declared."""
        cluster = self.clusters[place]
        observation = self.facts.observations.get(cluster.name)
        path = ("spec", "capacity", "allocatable", resource)
        seen = observation.spec.capacity if observation is not None else None
        if observation is not None and seen is not None and resource in seen.allocatable:
            return observation.origin.at(*path)
        return cluster.origin.at(*path)

    def _counted(self) -> NDArray[np.bool_]:
        """Where an amount goes down when replicas come."""
        counted = np.repeat(self.declared[np.newaxis], len(self.resources), axis=0)
        if PODS in self.row:
            counted[self.row[PODS]] = [
                PODS in each.spec.capacity.allocatable for each in self.clusters
            ]
        return counted

    def _amounts(self) -> tuple[Whole, Whole]:
        """Allocatable and free amounts, by resource and cluster.

        Pods that nobody lists are not counted: they are fleet's own addition to a request, and an
        inventory that speaks of cpu and memory only must not hold nothing.
        """
        capacities = [cluster.spec.capacity for cluster in self.clusters]
        shape = (len(self.resources), self.size)
        listed = [[each.allocatable.get(name, 0) for each in capacities] for name in self.resources]
        taken = [[each.reserved.get(name, 0) for each in capacities] for name in self.resources]
        allocatable = np.array(listed, dtype=np.int64).reshape(shape)
        free = np.maximum(allocatable - np.array(taken, dtype=np.int64).reshape(shape), 0)
        if PODS in self.row:
            row = self.row[PODS]
            unlisted = [PODS not in each.allocatable for each in capacities]
            allocatable[row, unlisted] = free[row, unlisted] = UNLIMITED
        return allocatable, free


def _written(snapshot: Snapshot) -> tuple[AbstractSet[str], AbstractSet[str]]:
    """What any policy or workload says at all: what nobody says, no rule need be asked about."""
    fields: set[str] = set()
    domains: set[str] = set()
    for item in snapshot.linked:
        spec = item.placement.spec
        fields |= spec.model_fields_set
        if spec.division.bounds:
            fields.add("bounds")
        if item.workload.settings.data.at:
            fields.add("data")
        for each in spec.spread:
            domains.add(each.by)
    return fields, domains


def _texts(cluster: Cluster, field: str) -> tuple[str, ...]:
    """What a cluster says of a field; an empty text is nothing."""
    if field.startswith(LABEL):
        label = cluster.labels.get(field.removeprefix(LABEL))
        return () if label is None else (label,)
    if field == "zone":
        return cluster.spec.zones
    spoken = {"region": cluster.spec.region, "provider": cluster.spec.provider}
    text = spoken.get(field, cluster.name)
    return (text,) if text else ()
