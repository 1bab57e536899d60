"""Cluster sets: tenants keep to their clusters, and strangers keep out of exclusive ones."""

from collections.abc import Hashable, Iterable, Iterator
from functools import reduce

import numpy as np

from fleet.model.base import FrozenMap
from fleet.model.cluster_set import ClusterSet
from fleet.model.decision import Rejection
from fleet.model.pattern import matches
from fleet.model.workload import Workload
from fleet.schedule import reasons
from fleet.schedule.columns import Mask
from fleet.schedule.matching import matching
from fleet.schedule.plugin import Filter
from fleet.schedule.request import Request
from fleet.schedule.table import Table

Tenant = tuple[str, str]
NAMESPACE, _TEAM = "namespace", "team"
_DEFAULT = "default"


def tenants(workload: Workload) -> tuple[Tenant, ...]:
    """The team and the namespaces of a workload, sorted.

    The main object is in the namespace `default` where it names none; of other objects without
    one nobody knows whether they have any.
    """
    names = {each.namespace for each in workload.manifests if each.namespace}
    if any(each.key == workload.main and not each.namespace for each in workload.manifests):
        names.add(_DEFAULT)
    team = workload.settings.team
    return (*((NAMESPACE, name) for name in sorted(names)), *(((_TEAM, team),) if team else ()))


def names_tenant(each: ClusterSet, tenant: Tenant) -> bool:
    """Whether a set names a namespace or a team."""
    kind, name = tenant
    patterns = each.spec.namespaces if kind == NAMESPACE else each.spec.teams
    return any(matches(pattern, name) for pattern in patterns)


def lets_in(each: ClusterSet, who: Iterable[Tenant]) -> bool:
    """Whether a set is for a workload: by its team, or by all of its namespaces."""
    named = {tenant: names_tenant(each, tenant) for tenant in who}
    spaces = [is_named for (kind, _), is_named in named.items() if kind == NAMESPACE]
    by_team = any(is_named for (kind, _), is_named in named.items() if kind == _TEAM)
    return by_team or (bool(spaces) and all(spaces))


def clusters_of(table: Table, sets: Iterable[ClusterSet]) -> Mask:
    """The clusters of any of the sets."""
    masks = (matching(table, term) for each in sets for term in each.spec.clusters)
    return reduce(np.logical_or, masks, np.zeros(table.size, dtype=bool))


def _reads(request: Request) -> Hashable:
    return tenants(request.workload) if request.table.facts.sets else None


def _bars(request: Request) -> Mask:
    table = request.table
    barred = np.zeros(table.size, dtype=bool)
    who = tenants(request.workload) if table.facts.sets else ()
    for tenant in who:
        own = [each for each in table.facts.sets if names_tenant(each, tenant)]
        if own:
            barred |= ~clusters_of(table, own)
    for each in table.facts.sets:
        if each.spec.exclusive and not lets_in(each, who):
            barred |= clusters_of(table, (each,))
    return barred


def _explains(request: Request, place: int) -> Iterator[Rejection]:
    table, who = request.table, tenants(request.workload)
    for tenant in who:
        own = [each for each in table.facts.sets if names_tenant(each, tenant)]
        if own and not clusters_of(table, own)[place]:
            values = {"tenant": " ".join(tenant), "sets": ", ".join(each.name for each in own)}
            source = own[0].origin.at("spec", "clusters")
            yield Rejection(reasons.CLUSTER_SET, FrozenMap[str | int](values), source)
    for each in table.facts.sets:
        strange = each.spec.exclusive and not lets_in(each, who)
        if strange and clusters_of(table, (each,))[place]:
            source = each.origin.at("spec", "exclusive")
            yield Rejection(reasons.EXCLUSIVE, FrozenMap({"set": each.name}), source)


SETS = Filter("sets", _bars, _explains, _reads, speaks=lambda table: bool(table.facts.sets))
