"""The closed input of a run: everything that the files say, with all names resolved."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from fleet.model.base import FrozenMap
from fleet.model.cluster_set import ClusterSet
from fleet.model.decision import Active, Finding
from fleet.model.inventory import Cluster, State
from fleet.model.maintenance import OpenWindow
from fleet.model.observation import ClusterObservation, ExternalScores
from fleet.model.override import OverridePolicy
from fleet.model.policy import PlacementPolicy
from fleet.model.quota import Quota
from fleet.model.traffic import TrafficPolicy
from fleet.model.workload import Workload


@dataclass(frozen=True, slots=True)
class ClusterState:
    """A cluster's state and who says so (`inventory/dev.yaml:12:3` or `config fleet:down`)."""

    state: State
    said_by: str


@dataclass(frozen=True, slots=True)
class Linked:
    """A workload with everything that speaks of it."""

    workload: Workload
    placement: PlacementPolicy
    overrides: tuple[OverridePolicy, ...] = ()
    traffic: tuple[TrafficPolicy, ...] = ()

    @property
    def names_primary(self) -> bool:
        """Whether an override rule, or a manifest with variables, says `${data.primary}`."""
        said: list[object] = [rule for each in self.overrides for rule in each.spec.rules]
        if self.workload.settings.substitute:
            said += [each.body for each in self.workload.manifests]
        return any("${data.primary}" in repr(each) for each in said)

    def keeps_primary(self, before: Sequence[str], left: Collection[str]) -> bool:
        """Whether the primary of its data stays, where only some clusters are left.

        All clusters of a region are one side. Which of them it is, the first of those `before`,
        matters where the files name it.
        """
        if before[0] in left:
            return True
        return not set(before).isdisjoint(left) and not self.names_primary


@dataclass(frozen=True, slots=True)
class Facts:
    """What holds at the time of the run, beyond the clusters themselves.

    **Shape**: `windows` and `observations` by cluster, `scores` by name, `sets` sorted by name.
    **Units**: `now` in seconds since 1970, None where nothing needs the time.
    """

    now: int | None = None
    windows: FrozenMap[OpenWindow] = FrozenMap()
    observations: FrozenMap[ClusterObservation] = FrozenMap()
    scores: FrozenMap[ExternalScores] = FrozenMap()
    sets: tuple[ClusterSet, ...] = ()


@dataclass(frozen=True, slots=True)
class Handing:
    """A primary that is handed over to a region in two updates: demoted, then promoted.

    `token` is what the demoted object said (empty: it has said nothing yet), `stale` what it said
    of an earlier handover.
    """

    region: str
    token: str = ""
    stale: str = ""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything that the files and the config say.

    **Shape**: `clusters`, `linked` and `quotas` sorted by name; `states` by cluster; `wanted` by
    the name of each active-standby traffic policy: the regions to try, first wins (config, then
    the policy); `handovers` by workload.
    """

    clusters: tuple[Cluster, ...]
    linked: tuple[Linked, ...]
    states: FrozenMap[ClusterState]
    wanted: FrozenMap[tuple[Active, ...]] = FrozenMap()
    findings: tuple[Finding, ...] = ()
    facts: Facts = Facts()
    quotas: tuple[Quota, ...] = ()
    handovers: FrozenMap[Handing] = FrozenMap()

    def with_state(self, clusters: Iterable[str], said: ClusterState) -> "Snapshot":
        """The same fleet with these clusters in another state."""
        return replace(self, states=FrozenMap({**self.states, **dict.fromkeys(clusters, said)}))
