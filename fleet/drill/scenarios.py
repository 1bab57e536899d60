"""What can be gone: each cluster, each region, each provider that lives."""

from collections.abc import Collection, Iterator

from fleet.model.inventory import Cluster, State
from fleet.model.snapshot import ClusterState, Snapshot
from fleet.model.survival import KINDS, By, Scenario

_DEAD = frozenset({State.DOWN, State.DECOMMISSIONED})


def scenarios(snapshot: Snapshot, kinds: Collection[By]) -> Iterator[Scenario]:
    """Every domain of these kinds with its living clusters; kind by kind, then by name."""
    living = [each for each in snapshot.clusters if is_living(snapshot, each.name)]
    for by in KINDS:
        if by not in kinds:
            continue
        domains: dict[str, list[str]] = {}
        for cluster in living:
            domains.setdefault(domain_of(cluster, by), []).append(cluster.name)
        for domain, names in sorted(domains.items()):
            yield Scenario(by, domain, tuple(sorted(names)))


def domain_of(cluster: Cluster, by: By) -> str:
    """The domain that a cluster is lost with; '' is all clusters that say no provider."""
    spec = cluster.spec
    return {By.CLUSTER: cluster.name, By.REGION: spec.region, By.PROVIDER: spec.provider}[by]


def is_living(snapshot: Snapshot, cluster: str) -> bool:
    """Whether there is anything to lose: a draining cluster still lives."""
    return snapshot.states[cluster].state not in _DEAD


def without(snapshot: Snapshot, scenario: Scenario) -> Snapshot:
    """The same fleet with the clusters of a scenario down, as the config would say it."""
    said_by = f"the loss of {scenario.by} '{scenario.domain}'"
    return snapshot.with_state(scenario.clusters, ClusterState(State.DOWN, said_by))
