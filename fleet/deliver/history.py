"""The prior as this run's files see it: under the workloads' names of today.

A workload that says `renamedFrom` takes over what its former names have in the prior, unless such
a name is a workload of the files again.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from fleet.model.base import FrozenMap
from fleet.model.decision import Role
from fleet.model.prior import Prior, PriorObject
from fleet.model.resource_names import is_object_name, split_name
from fleet.model.snapshot import Snapshot


def workload_of(name: str) -> str:
    """The workload in a resource name."""
    return split_name(name).workload


def cluster_of(name: str) -> str:
    """The cluster in a resource name."""
    return split_name(name).cluster


def key_of(name: str) -> str:
    """`<kind>/<namespace>/<name>` of a resource name."""
    return split_name(name).key


@dataclass(frozen=True, slots=True)
class Past:
    """What one workload was and had.

    **Shape**: `replicas` and `roles` by cluster; `objects` by cluster, sorted by resource name;
    `data` as fleet.deliver.data_sides has it.
    """

    replicas: FrozenMap[int]
    roles: FrozenMap[Role]
    objects: FrozenMap[tuple[PriorObject, ...]]
    data: FrozenMap[str] = FrozenMap()

    @property
    def leaders(self) -> tuple[str, ...]:
        """The active clusters; of a workload whose data waits, the ones that held the primary."""
        active = tuple(name for name, role in self.roles.items() if role is Role.ACTIVE)
        primary = self.data.get("primary", "")
        return active or tuple(primary.split(",") if primary else ())

    @property
    def clusters(self) -> tuple[str, ...]:
        """Every cluster where it was assigned or has objects, sorted."""
        return tuple(sorted({*self.replicas, *self.objects}))


NOTHING = Past(FrozenMap(), FrozenMap(), FrozenMap())


@dataclass(frozen=True, slots=True)
class History:
    """The prior by today's names. **Shape**: `former` maps each name of the prior to today's."""

    known: bool
    former: FrozenMap[str]
    pasts: FrozenMap[Past]
    objects: FrozenMap[PriorObject]

    def of(self, workload: str) -> Past:
        """What a workload was, under whatever name."""
        return self.pasts.get(workload, NOTHING)


def history_of(snapshot: Snapshot, prior: Prior) -> History:
    """Sorts the prior by the workloads of today; what is in no file keeps its name."""
    today = {each.workload.name for each in snapshot.linked}
    former = {
        old: each.workload.name
        for each in snapshot.linked
        for old in each.workload.settings.renamed_from
        if old not in today
    }
    objects = known_objects(prior)
    names = {*prior.workloads, *map(workload_of, objects)}
    owners = {name: former.get(name, name) for name in names}
    grouped: dict[str, list[PriorObject]] = {}
    for name, each in objects.items():
        grouped.setdefault(owners[workload_of(name)], []).append(each)
    aliases: dict[str, list[str]] = {}
    for name, owner in sorted(owners.items()):
        aliases.setdefault(owner, []).append(name)
    pasts = {
        owner: _past(sorted(found, key=owner.__eq__), prior, grouped.get(owner, []))
        for owner, found in aliases.items()
    }
    return History(prior.known, FrozenMap(owners), FrozenMap(pasts), objects)


def known_objects(prior: Prior) -> FrozenMap[PriorObject]:
    """The objects of the state, by resource name; a prior from a file knows only their keys."""
    if prior.objects:
        whole = {name: each for name, each in prior.objects.items() if is_object_name(name)}
        return FrozenMap(whole)
    names = [
        f"{workload}/{cluster}/{key}"
        for workload, past in prior.workloads.items()
        for cluster, keys in past.hashes.items()
        for key in keys
    ]
    return FrozenMap({name: PriorObject(name, "") for name in names if is_object_name(name)})


def _past(names: Iterable[str], prior: Prior, objects: Iterable[PriorObject]) -> Past:
    """What a workload had under all its names; today's comes last, so that it wins."""
    replicas: dict[str, int] = {}
    roles: dict[str, Role] = {}
    data: FrozenMap[str] = FrozenMap()
    for name in names:
        if name in prior.workloads:
            replicas |= dict(prior.workloads[name].replicas)
            roles |= dict(prior.workloads[name].roles)
            data = prior.workloads[name].data or data
    by_cluster: dict[str, list[PriorObject]] = {}
    for each in objects:
        by_cluster.setdefault(cluster_of(each.name), []).append(each)
    return Past(
        FrozenMap(replicas),
        FrozenMap(roles),
        FrozenMap(
            {
                cluster: tuple(sorted(found, key=lambda each: each.name))
                for cluster, found in by_cluster.items()
            }
        ),
        data,
    )
