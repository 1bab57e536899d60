"""The inventory as columns, made once per run."""

import numpy as np

from fleet.model.inventory import Cluster
from fleet.model.snapshot import Snapshot
from fleet.schedule.columns import Column, Domains, Mask, Whole, column_of, domains_of

UNLIMITED = 2**40
"""The room of a cluster that declares no capacity; more than any workload asks for."""

PODS = "pods"
LABEL = "labels."


class Table:
    """Clusters in the order of their names, and one column per fact that somebody asks for.

    **Shape**: `allocatable` and `free` by resource, then one amount per cluster in base units; a
    resource that a cluster does not list is 0 there. `declared` is False for a cluster that lists
    no resource at all. `together` and `by_region` are one group per cluster: all one, or by region.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        ordered = sorted(snapshot.clusters, key=lambda cluster: cluster.name)
        self.clusters: tuple[Cluster, ...] = tuple(ordered)
        self._columns: dict[str, Column[tuple[str, ...]]] = {}
        self._domains: dict[str, Domains] = {}
        self._parts: dict[str, tuple[int, ...]] = {}
        self.names = tuple(cluster.name for cluster in ordered)
        self.index = {name: place for place, name in enumerate(self.names)}
        self.states = tuple(snapshot.states[name] for name in self.names)
        self.regions = tuple(cluster.spec.region for cluster in ordered)
        self.taints = column_of(cluster.spec.taints for cluster in ordered)
        self.state = column_of(each.state for each in self.states)
        self.declared: Mask = np.array(
            [bool(cluster.spec.capacity.allocatable) for cluster in ordered], dtype=bool
        )
        self.resources = tuple(
            sorted({name for each in ordered for name in each.spec.capacity.allocatable})
        )
        self.row = {name: place for place, name in enumerate(self.resources)}
        self.allocatable = self._amounts(free=False)
        self.free = self._amounts(free=True)
        self.together = (0,) * len(ordered)
        self.by_region: tuple[int, ...] = tuple(self.column("region").codes.tolist())
        self.counts_pods: Mask = np.array(
            [PODS in cluster.spec.capacity.allocatable for cluster in ordered], dtype=bool
        )

    @property
    def size(self) -> int:
        """How many clusters there are."""
        return len(self.clusters)

    def column(self, field: str) -> Column[tuple[str, ...]]:
        """The texts of `cluster`, `region`, `zone`, `provider` or `labels.<key>`; none is ()."""
        if field not in self._columns:
            self._columns[field] = column_of(_texts(each, field) for each in self.clusters)
        return self._columns[field]

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

    def _amounts(self, *, free: bool) -> Whole:
        """Amounts by resource and cluster.

        Pods that nobody lists are not counted: they are fleet's own addition to a request, and an
        inventory that speaks of cpu and memory only must not hold nothing.
        """
        grid = np.zeros((len(self.resources), self.size), dtype=np.int64)
        for place, cluster in enumerate(self.clusters):
            listed = cluster.spec.capacity.allocatable
            for name, amount in (cluster.free if free else listed).items():
                grid[self.row[name], place] = amount
            if PODS in self.row and PODS not in listed:  # as counts_pods says
                grid[self.row[PODS], place] = UNLIMITED
        return grid


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
