"""What a person says of each cluster, and who says so: the config goes before the inventory."""

from collections.abc import Iterable

from fleet.load.names import Names, Spot
from fleet.load.settings import config_path
from fleet.model.base import FrozenMap
from fleet.model.inventory import Cluster, State
from fleet.model.observation import ClusterObservation
from fleet.model.settings import EVERY_POLICY, Settings
from fleet.model.snapshot import ClusterState


def check_config(settings: Settings, names: Names) -> None:
    """Every cluster, region and policy that the config names exists."""
    for index, cluster in enumerate(settings.decommission):
        names.cluster(cluster, Spot.config("decommission", index))
    for key in ("down", "drain", "fenced"):
        for index, word in enumerate(getattr(settings, key)):
            names.place(word, Spot.config(key, index))
    _check_traffic(settings, names)


def _check_traffic(settings: Settings, names: Names) -> None:
    if settings.active_region is not None:
        names.region(settings.active_region, Spot.config("activeRegion"))
    for index, policy in enumerate(settings.failback):
        names.traffic_policy(policy, Spot.config("failback", index))
    for policy in settings.shift:
        if policy != EVERY_POLICY:
            names.traffic_policy(policy, Spot.config("shift", policy))
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

    `down` and `drain` may name a region, which is all its clusters. A cluster that probes found
    dead is down, also one that is draining; not a decommissioned one.
    """
    known = list(clusters)
    states = {
        cluster.name: ClusterState(cluster.spec.state, str(cluster.origin.at("spec", "state")))
        for cluster in known
    }
    for key, state, named in reversed(_overrides(settings)):
        said_by = config_path(key)
        words = set(named)
        for cluster in known:
            places = (
                {cluster.name} if key == "decommission" else {cluster.name, cluster.spec.region}
            )
            if not words.isdisjoint(places):
                states[cluster.name] = ClusterState(state, said_by)
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
