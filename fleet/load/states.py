"""What a person says of each cluster, and who says so: the config goes before the inventory."""

from collections.abc import Iterable

from fleet.load.names import Names, Spot
from fleet.load.settings import config_path
from fleet.model.base import FrozenMap
from fleet.model.inventory import Cluster, State
from fleet.model.observation import ClusterObservation
from fleet.model.settings import Settings
from fleet.model.snapshot import ClusterState


def check_config(settings: Settings, names: Names) -> None:
    """Every cluster, region and policy that the config names exists."""
    for key, _, clusters in _overrides(settings):
        for index, cluster in enumerate(clusters):
            names.cluster(cluster, Spot.config(key, index))
    if settings.active_region is not None:
        names.region(settings.active_region, Spot.config("activeRegion"))
    for policy, region in settings.active_regions.items():
        spot = Spot.config("activeRegions", policy)
        if names.traffic_policy(policy, spot):
            names.region(region, spot)


def states_of(
    clusters: Iterable[Cluster],
    settings: Settings,
    observations: Iterable[ClusterObservation] = (),
) -> FrozenMap[ClusterState]:
    """The state of every cluster; of several config keys decommission wins over down over drain.

    A cluster that probes found dead is down, also one that is draining; not a decommissioned one.
    """
    states = {
        cluster.name: ClusterState(cluster.spec.state, str(cluster.origin.at("spec", "state")))
        for cluster in clusters
    }
    for key, state, named in reversed(_overrides(settings)):
        said_by = config_path(key)
        states.update({name: ClusterState(state, said_by) for name in named if name in states})
    for each in observations:
        if each.spec.is_dead and each.name in states and _may_die(states[each.name].state):
            said_by = str(each.origin.at("spec", "unreachableSince"))
            states[each.name] = ClusterState(State.DOWN, said_by)
    return FrozenMap(states)


def _may_die(state: State) -> bool:
    """Whether a probe has the last word: what a person declared goes further."""
    return state in {State.ACTIVE, State.DRAINING}


def _overrides(settings: Settings) -> tuple[tuple[str, State, tuple[str, ...]], ...]:
    """The config keys that say a state, the strongest first."""
    return (
        ("decommission", State.DECOMMISSIONED, settings.decommission),
        ("down", State.DOWN, settings.down),
        ("drain", State.DRAINING, settings.drain),
    )
