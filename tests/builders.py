"""Builders with quiet defaults, so that a test names only what it is about.

A cluster has 1000 cores and a replica asks for one: `cpu=6` is room for six replicas.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from fleet.model.base import FrozenMap
from fleet.model.decision import Active, Role
from fleet.model.document import Metadata
from fleet.model.inventory import Capacity, Cluster, ClusterSpec, Entry, State, Taint
from fleet.model.override import OverridePolicy
from fleet.model.policy import PlacementPolicy, PlacementSpec
from fleet.model.prior import Prior, PriorWorkload
from fleet.model.quantity import in_base_units
from fleet.model.quota import Quota, QuotaSpec
from fleet.model.settings import Settings
from fleet.model.snapshot import ClusterState, Facts, Linked, Snapshot
from fleet.model.source import Origin, Source
from fleet.model.traffic import Mode, TrafficPolicy, TrafficSpec
from fleet.model.workload import Autoscaled, Manifest, Workload, WorkloadSettings

Amount = str | int


def a_taint(text: str) -> Taint:
    """A taint as kubectl writes it: `maintenance=true:NoSchedule`, `gpu:NoExecute`."""
    pair, _, effect = text.rpartition(":")
    key, _, value = pair.partition("=")
    return Taint.model_validate({"key": key, "value": value, "effect": effect})


def a_cluster(  # noqa: PLR0913 - one keyword per field of a cluster
    name: str = "eu-1",
    region: str = "eu-west-1",
    *,
    zones: Sequence[str] = (),
    provider: str = "",
    labels: Mapping[str, str] | None = None,
    taints: Sequence[str] = (),
    cpu: Amount | None = 1000,
    allocatable: Mapping[str, Amount] | None = None,
    reserved: Mapping[str, Amount] | None = None,
    state: State = State.ACTIVE,
    entry: Entry | None = None,
    origin: Origin | None = None,
    nodes: Sequence[Mapping[str, Any]] = (),
    **spec: Any,
) -> Cluster:
    """A cluster; `allocatable` adds to `cpu`, and `cpu=None` leaves it out.

    `nodes` are node groups: `{"count": 3, "free": {"cpu": 4}}`; `spec` any other field.
    """
    amounts = {**({} if cpu is None else {"cpu": cpu}), **(allocatable or {})}
    return Cluster(
        metadata=Metadata(name=name, labels=FrozenMap(labels or {})),
        spec=ClusterSpec(
            region=region,
            zones=tuple(zones),
            provider=provider,
            taints=tuple(a_taint(text) for text in taints),
            capacity=Capacity.model_validate(
                {"allocatable": amounts, "reserved": reserved or {}, "nodes": list(nodes)}
            ),
            state=state,
            entry=entry,
            **spec,
        ),
        origin=origin or Origin(f"inventory/{name}.yaml"),
    )


def clusters_of(regions: Mapping[str, Sequence[str]], **fields: Any) -> list[Cluster]:
    """Clusters by region: `clusters_of({"eu-west-1": ["eu-1", "eu-2"]}, cpu=10)`."""
    return [
        a_cluster(name, region, **fields) for region, names in regions.items() for name in names
    ]


def said(words: Any) -> Any:
    """The words of a file without those that are empty lists: some are refused there."""
    if isinstance(words, dict):
        return {key: said(each) for key, each in words.items() if each != []}
    return [said(each) for each in words] if isinstance(words, list) else words


def a_policy(name: str = "web", *, origin: Origin | None = None, **spec: Any) -> PlacementPolicy:
    """A placement policy from the words of its file: `a_policy(pick=2, placement="fresh")`."""
    body = PlacementSpec.model_validate({"workloads": [name], **said(spec)})
    return PlacementPolicy(
        metadata=Metadata(name=name), spec=body, origin=origin or Origin(f"policies/{name}.yaml")
    )


def an_override(name: str = "web", **spec: Any) -> OverridePolicy:
    """An override policy from the words of its file."""
    return OverridePolicy.model_validate(
        {"metadata": {"name": name}, "spec": {"workloads": [name], **spec}}
    )


def a_quota(name: str = "quota", *, origin: Origin | None = None, **spec: Any) -> Quota:
    """A quota from the words of its file: `a_quota(teams=["shop"], limits={"cpu": 6})`."""
    return Quota(
        metadata=Metadata(name=name),
        spec=QuotaSpec.model_validate(spec),
        origin=origin or Origin(f"policies/{name}-quota.yaml"),
    )


def a_traffic(name: str = "web", workload: str | None = None, **spec: Any) -> TrafficPolicy:
    """An active-standby traffic policy for `<name>.fleet.test`."""
    defaults = {
        "workload": workload or name,
        "name": f"{name}.fleet.test",
        "zone": {"name": "fleet.test"},
    }
    return TrafficPolicy(
        metadata=Metadata(name=name),
        spec=TrafficSpec.model_validate({**defaults, **spec}),
        origin=Origin(f"policies/{name}-traffic.yaml"),
    )


def a_workload(  # noqa: PLR0913 - one keyword per field of a workload
    name: str = "web",
    replicas: int = 1,
    *,
    request: Mapping[str, Amount] | None = None,
    per_cluster: bool = False,
    autoscaled: tuple[int, int] | None = None,
    manifests: Sequence[Manifest] = (),
    main: str | None = None,
    settings: WorkloadSettings | None = None,
) -> Workload:
    """A workload whose replicas ask for one core each; `autoscaled` is (minimum, maximum)."""
    asked = {"cpu": 1} if request is None else request
    return Workload(
        name=name,
        manifests=tuple(manifests),
        main=main or f"Deployment/default/{name}",
        replicas=replicas,
        request=FrozenMap({key: in_base_units(key, amount) for key, amount in asked.items()}),
        per_cluster=per_cluster,
        autoscaled=Autoscaled(f"HorizontalPodAutoscaler/default/{name}", *autoscaled)
        if autoscaled
        else None,
        settings=settings or WorkloadSettings(),
        source=Source(f"workloads/{name}/deployment.yaml", 1, 1),
    )


def linked(
    workload: Workload | None = None,
    policy: PlacementPolicy | None = None,
    *,
    traffic: Sequence[TrafficPolicy] = (),
    overrides: Sequence[OverridePolicy] = (),
) -> Linked:
    """A workload with its policies; without a policy it is duplicated everywhere."""
    it = workload or a_workload()
    return Linked(it, policy or a_policy(it.name), tuple(overrides), tuple(traffic))


def a_snapshot(  # noqa: PLR0913 - one keyword per part of a snapshot
    clusters: Sequence[Cluster],
    items: Sequence[Linked] = (),
    *,
    states: Mapping[str, State] | None = None,
    active: str | None = None,
    actives: Mapping[str, str] | None = None,
    facts: Facts | None = None,
    quotas: Sequence[Quota] = (),
) -> Snapshot:
    """A snapshot; `states` and `active` (for all policies), `actives` (for one) are the config."""
    policies = [policy for item in items for policy in item.traffic]
    return Snapshot(
        clusters=tuple(sorted(clusters, key=lambda cluster: cluster.name)),
        linked=tuple(sorted(items, key=lambda item: item.workload.name)),
        states=FrozenMap({each.name: _state_of(each, states or {}) for each in clusters}),
        wanted=FrozenMap(
            {
                policy.name: _wanted_by(policy, (actives or {}).get(policy.name), active)
                for policy in policies
                if policy.spec.mode is Mode.ACTIVE_STANDBY
            }
        ),
        facts=facts or Facts(),
        quotas=tuple(sorted(quotas, key=lambda quota: quota.name)),
    )


def _state_of(cluster: Cluster, config: Mapping[str, State]) -> ClusterState:
    """The config's word first, then the inventory's."""
    if cluster.name in config:
        said = config[cluster.name]
        return ClusterState(said, f"config fleet:{said.value}")
    return ClusterState(cluster.spec.state, str(cluster.origin.at("spec", "state")))


def _wanted_by(policy: TrafficPolicy, own: str | None, common: str | None) -> tuple[Active, ...]:
    """Config activeRegions, config activeRegion, the policy's own word; first wins."""
    said = (
        (own, "config fleet:activeRegions"),
        (common, "config fleet:activeRegion"),
        (policy.spec.active_region, str(policy.origin.at("spec", "activeRegion"))),
    )
    return tuple(Active(region, who) for region, who in said if region is not None)


def a_prior(
    placed: Mapping[str, Mapping[str, int]] | None = None,
    roles: Mapping[str, Mapping[str, Role]] | None = None,
    tiers: Mapping[str, str] | None = None,
) -> Prior:
    """The last update's replicas, by workload and cluster; roles and tiers where they matter."""
    return Prior(
        known=placed is not None,
        workloads=FrozenMap(
            {
                name: PriorWorkload(
                    replicas=FrozenMap(counts),
                    roles=FrozenMap((roles or {}).get(name, {})),
                    tier=(tiers or {}).get(name, ""),
                )
                for name, counts in (placed or {}).items()
            }
        ),
    )


def settings(**words: Any) -> Settings:
    """Settings from snake_case keys; without any, the defaults."""
    return Settings.model_validate(words)
