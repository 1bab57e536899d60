"""What the last update assigned, and what of it exists."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from fleet.model.base import FrozenMap
from fleet.model.decision import Role
from fleet.model.target import KnownTarget

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PriorObject:
    """An object of the stack's state.

    `name` is the resource name `<workload>/<cluster>/<kind>/<namespace>/<name>`, `token` its
    Pulumi type, `body` what the state last saw of it (may be empty where only a hint was given).
    """

    name: str
    token: str
    body: dict[str, Any] = field(default_factory=dict, repr=False, hash=False)


@dataclass(frozen=True, slots=True)
class PriorWorkload:
    """What the last update assigned to one workload.

    **Shape**: `replicas` and `roles` by cluster; `hashes` by cluster, then by object key;
    `proven` by cluster: the hash of the set of objects that was seen ready there. `tier` is the
    name of the tier that was used, or empty; `inputs` what it was decided by, as text by field
    (empty: an older update did not say); `data` who holds the primary of its data, likewise
    (see fleet.deliver.data_sides). `passed_over` are regions that were wanted and could not be
    active, by traffic policy.
    """

    replicas: FrozenMap[int] = FrozenMap()
    roles: FrozenMap[Role] = FrozenMap()
    hashes: FrozenMap[FrozenMap[str]] = FrozenMap()
    proven: FrozenMap[str] = FrozenMap()
    tier: str = ""
    inputs: FrozenMap[str] = FrozenMap()
    data: FrozenMap[str] = FrozenMap()
    passed_over: FrozenMap[str] = FrozenMap()


@dataclass(frozen=True, slots=True)
class Prior:
    """The last update, as the next one sees it.

    `known` False: there was none (a first run, or the command line without --prior).
    **Shape**: `workloads` by name; `dns_weights` by traffic policy, then by cluster; `objects` by
    resource name; `clusters` what the inventory said of each, as text by field; `targets` by
    traffic policy, then by cluster: where the target was seen; `aliases` by traffic policy, then by
    resource name: where each leads, and its weight where it has one; `standing` by traffic policy:
    the hash of how its records stood (an older update, or a person, did not say).
    """

    known: bool = False
    workloads: FrozenMap[PriorWorkload] = FrozenMap()
    dns_weights: FrozenMap[FrozenMap[int]] = FrozenMap()
    objects: FrozenMap[PriorObject] = FrozenMap()
    records: FrozenMap[PriorObject] = FrozenMap()
    clusters: FrozenMap[FrozenMap[str]] = FrozenMap()
    targets: FrozenMap[FrozenMap[KnownTarget]] = FrozenMap()
    aliases: FrozenMap[FrozenMap[str]] = FrozenMap()
    standing: FrozenMap[str] = FrozenMap()

    def without(self, clusters: Collection[str]) -> "Prior":
        """The same, as if nothing had ever been on these clusters."""
        return replace(
            self,
            workloads=FrozenMap(
                {
                    name: replace(
                        each,
                        replicas=_left(each.replicas, clusters),
                        roles=_left(each.roles, clusters),
                        hashes=_left(each.hashes, clusters),
                        proven=_left(each.proven, clusters),
                    )
                    for name, each in self.workloads.items()
                }
            ),
            dns_weights=FrozenMap(
                {name: _left(each, clusters) for name, each in self.dns_weights.items()}
            ),
            objects=_kept(self.objects, clusters),
            records=_kept(self.records, clusters),
            targets=FrozenMap({name: _left(each, clusters) for name, each in self.targets.items()}),
        )


def _left(by_cluster: Mapping[str, T], clusters: Collection[str]) -> FrozenMap[T]:
    return FrozenMap({name: each for name, each in by_cluster.items() if name not in clusters})


def _kept(
    by_resource: Mapping[str, PriorObject], clusters: Collection[str]
) -> FrozenMap[PriorObject]:
    """Resources are named `<workload or policy>/<cluster>…`."""
    return FrozenMap(
        {
            name: each
            for name, each in by_resource.items()
            if not {*name.split("/")[1:2]} & {*clusters}
        }
    )
