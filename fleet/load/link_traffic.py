"""Traffic policies: one owner per name, zones agree, regions exist, somebody is active."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from fleet.errors import ErrorList
from fleet.load.candidates import could_run
from fleet.load.link_entries import check_targets
from fleet.load.names import Names, Spot
from fleet.load.settings import config_path
from fleet.model.base import FrozenMap
from fleet.model.decision import Active, Finding
from fleet.model.inventory import Cluster, State
from fleet.model.policy import PlacementPolicy
from fleet.model.record_names import form_of
from fleet.model.settings import EVERY_POLICY, Settings
from fleet.model.snapshot import ClusterState
from fleet.model.source import Path
from fleet.model.traffic import Mode, TrafficPolicy


def check_traffic(policies: Sequence[TrafficPolicy], names: Names) -> None:
    """Names that resolve, and claims of several policies on one name or zone."""
    _check_owners(policies, names.errors)
    _check_zones(policies, names.errors)
    for policy in policies:
        check_names_of(policy, names)


def check_names_of(policy: TrafficPolicy, names: Names) -> None:
    """Every name in a traffic policy exists."""
    origin, spec = policy.origin, policy.spec
    names.workload(spec.workload, Spot.of(origin, "spec", "workload"))
    if spec.active_region is not None:
        names.region(spec.active_region, Spot.of(origin, "spec", "activeRegion"))
    for field, keys in (("dnsWeights", spec.dns_weights), ("geolocation", spec.geolocation)):
        for key in keys:
            if key not in names.clusters:
                names.region(key, Spot.of(origin, "spec", field, key))
    for key in spec.latency_regions:
        names.region(key, Spot.of(origin, "spec", "latencyRegions", key))


def _check_owners(policies: Iterable[TrafficPolicy], errors: ErrorList) -> None:
    first: dict[str, tuple[TrafficPolicy, Path]] = {}
    for policy in policies:
        for place, name in enumerate(policy.spec.all_names):
            path = ("spec", "names", place - 1) if place else ("spec", "name")
            spot = Spot.of(policy.origin, *path)
            if form_of(name):
                sentence = f"'{name}' begins as the names that fleet gives to its own groups"
                spot.fault(errors, sentence, "take another name")
            other, where = first.setdefault(name.lower(), (policy, path))
            if other is not policy:
                sentence = (
                    f"the name '{name}' belongs to '{other.name}' at {other.origin.at(*where)}"
                )
                spot.fault(errors, sentence, "a name has one traffic policy")


def _check_zones(policies: Iterable[TrafficPolicy], errors: ErrorList) -> None:
    first: dict[str, TrafficPolicy] = {}
    for policy in policies:
        zone = policy.spec.zone
        other = first.setdefault(zone.key.lower(), policy)
        if other.spec.zone.create != zone.create:
            spot = Spot.of(policy.origin, "spec", "zone")
            says = "creates" if other.spec.zone.create else "does not create"
            place = other.origin.at("spec", "zone")
            sentence = f"'{other.name}' {says} the zone '{zone.name}' at {place}"
            spot.fault(errors, sentence, "say the same 'create' in both")


def check_reach(
    policies: Iterable[TrafficPolicy],
    placements: Mapping[str, PlacementPolicy],
    states: Mapping[str, ClusterState],
    names: Names,
) -> list[Finding]:
    """Whether the names can lead to where their workloads may run."""
    findings: list[Finding] = []
    if not names.facts_whole:
        return findings
    for policy in policies:
        placement = placements.get(policy.spec.workload)
        if placement is not None:
            candidates = _candidates(placement, states, names)
            findings.extend(check_targets(policy, candidates, names.errors))
    return findings


def _candidates(
    placement: PlacementPolicy, states: Mapping[str, ClusterState], names: Names
) -> list[Cluster]:
    return [
        cluster
        for name, cluster in sorted(names.by_name.items())
        if states[name].state is not State.DECOMMISSIONED and could_run(placement.spec, cluster)
    ]


def wanted_regions(
    policies: Collection[TrafficPolicy], settings: Settings, names: Names
) -> FrozenMap[tuple[Active, ...]]:
    """By active-standby policy the regions to try: config for it, config for all, its own."""
    wanted: dict[str, tuple[Active, ...]] = {}
    for policy in policies:
        if policy.spec.mode is not Mode.ACTIVE_STANDBY:
            _check_no_region_asked(policy, settings, names.errors)
            continue
        wanted[policy.name] = tuple(_wishes(policy, settings))
        if not wanted[policy.name]:
            spot = Spot.of(policy.origin, "spec")
            hint = "write spec.activeRegion, or: pulumi config set fleet:activeRegion REGION"
            sentence = "mode 'active-standby' needs an active region, and nothing says which"
            spot.fault(names.errors, sentence, hint)
    if EVERY_POLICY in settings.shift and not wanted:
        _refuse_shift(policies, names)
    return FrozenMap(wanted)


def _refuse_shift(policies: Iterable[TrafficPolicy], names: Names) -> None:
    """A shift for all where none has an active region; who cannot be read may have one."""
    if names.policies_whole and set(names.traffic.known) == {each.name for each in policies}:
        sentence = "no traffic policy is active-standby, so there is no active region to shift to"
        names.errors.add(None, config_path("shift"), sentence, "remove the key")


def _wishes(policy: TrafficPolicy, settings: Settings) -> Iterable[Active]:
    own = settings.active_regions.get(policy.name)
    if own is not None:
        yield Active(own, config_path("activeRegions", policy.name))
    if settings.active_region is not None:
        yield Active(settings.active_region, config_path("activeRegion"))
    if policy.spec.active_region is not None:
        yield Active(policy.spec.active_region, str(policy.origin.at("spec", "activeRegion")))


def _check_no_region_asked(policy: TrafficPolicy, settings: Settings, errors: ErrorList) -> None:
    mode = policy.spec.mode
    word = mode.value if mode is Mode.WEIGHTED else f"of mode '{mode}'"
    for key, words in (("activeRegions", settings.active_regions), ("shift", settings.shift)):
        if policy.name in words:
            sentence = f"the policy '{policy.name}' is {word} and has no active region"
            errors.add(None, config_path(key, policy.name), sentence, "remove the key")
