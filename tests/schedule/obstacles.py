"""Random fleets with what stands in the way beside place and room: times, tenants, APIs, nodes.

Also fleets that Karmada's rules place.
"""

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from fleet.load.link_facts import observed
from fleet.load.parse import Declared
from fleet.load.windows import open_windows
from fleet.model.base import FrozenMap
from fleet.model.cluster_set import ClusterSet
from fleet.model.inventory import Cluster
from fleet.model.moment import seconds_of, spelled
from fleet.model.observation import ClusterObservation
from fleet.model.prior import Prior
from fleet.model.snapshot import Facts, Linked, Snapshot
from fleet.model.source import Origin
from fleet.model.workload import Manifest, WorkloadSettings
from tests.builders import a_cluster, a_policy, a_quota, a_snapshot, a_workload, linked
from tests.schedule import structures
from tests.schedule.fleets import REGIONS, priors

NOON = seconds_of("2030-05-01T12:00:00Z")
GPU = {"key": "gpu", "effect": "NoExecute", "time_added": spelled(NOON - 60)}
FOR_A_WHILE = [{"key": "gpu", "operator": "Exists", "toleration_seconds": 30}]
OPEN = {"start": spelled(NOON - 60), "end": spelled(NOON + 61), "action": "move"}
NIGHTLY = {"schedule": "0 2 * * *", "duration_minutes": 60}
DAILY = {"schedule": "0 10 * * *", "duration_minutes": 180}
TENANTS: tuple[dict[str, Any], ...] = (
    {"teams": ["red"]},
    {"namespaces": ["default"]},
    {"teams": ["blue"], "exclusive": True},
    {"namespaces": ["tools"], "exclusive": True},
)
COMPARISONS: tuple[list[dict[str, Any]], ...] = (
    [],
    [],
    [{"match_properties": [{"property": "free.cpu", "operator": "Gt", "value": 3}]}],
    [
        {
            "match_properties": [
                {"property": "allocatable.cpu", "operator": "Le", "value": "9500m"},
                {"property": "nodes", "operator": "Ge", "value": 2},
            ]
        }
    ],
)
MANIFESTS = (
    Manifest("apps/v1", "Deployment", "", "web", {}, Origin("workloads/web.yaml")),
    Manifest("a.b/v1", "Thing", "shop", "web", {}, Origin("workloads/web.yaml")),
)


@st.composite
def clusters(draw: st.DrawFn) -> list[Cluster]:
    made = []
    for number in range(draw(st.integers(1, 4))):
        said: dict[str, Any] = {
            "taints": draw(st.sampled_from([[], [], [GPU]])),
            "maintenance": draw(
                st.sampled_from([[], [], [NIGHTLY], [OPEN], [NIGHTLY, OPEN], [DAILY, OPEN]])
            ),
            "apis": draw(st.sampled_from([[], [], ["apps/v1"], ["v1"]])),
        }
        cpu = draw(st.sampled_from([1, 3, 10, 20]))
        nodes = draw(
            st.lists(
                st.builds(
                    lambda count, free: {"count": count, "free": free},
                    st.integers(0, 3),
                    st.sampled_from([{"cpu": 1}, {"cpu": 4, "pods": 2}, {"memory": 1}]),
                ),
                max_size=2,
            )
        )
        made.append(
            with_words(
                a_cluster(f"c{number}", draw(st.sampled_from(REGIONS)), cpu=cpu, nodes=nodes),
                said,
            )
        )
    return made


def with_words(cluster: Cluster, said: dict[str, Any]) -> Cluster:
    """The cluster with more fields, from the words of its file."""
    words = {"region": "eu", **said}
    spec = type(cluster.spec).model_validate(words)
    more = {name: getattr(spec, name) for name in said}
    return cluster.model_copy(update={"spec": cluster.spec.model_copy(update=more)})


@st.composite
def observations(draw: st.DrawFn, name: str) -> ClusterObservation:
    samples = [
        {"at": spelled(NOON - ago), "milliseconds": draw(st.sampled_from([20, 70, 90]))}
        for ago in (400, 100)
    ]
    capacity = draw(
        st.sampled_from(
            [
                None,
                {"allocatable": {"cpu": 2}},
                {"nodes": [{"count": 1, "free": {"cpu": 1}}]},
            ]
        )
    )
    spec = {"observed_at": spelled(NOON), "latency": {"probe": samples}, "capacity": capacity}
    return ClusterObservation.model_validate({"metadata": {"name": name}, "spec": spec})


@st.composite
def items(draw: st.DrawFn, name: str) -> Linked:
    limit = {"origin": "probe", "most": 80, "distance": 20, "hold_seconds": 300}
    policy = a_policy(
        name,
        tolerations=draw(st.sampled_from([[], FOR_A_WHILE])),
        affinity={"required": draw(st.sampled_from(COMPARISONS))},
        latency=draw(st.sampled_from([None, limit])),
        division={"mode": draw(st.sampled_from(["duplicated", "weighted", "aggregated"]))},
    )
    workload = a_workload(
        name,
        draw(st.integers(0, 9)),
        request=draw(
            st.sampled_from(
                [{"cpu": 1, "pods": 1}, {"cpu": 2}, {"cpu": 1, "memory": 1}, {"pods": 1}]
            )
        ),
        manifests=MANIFESTS[: draw(st.integers(0, 2))],
        main=draw(st.sampled_from([None, "Deployment//web"])),
        settings=WorkloadSettings(team=draw(st.sampled_from(["", "red", "blue"]))),
    )
    return linked(workload, policy)


@st.composite
def beset(draw: st.DrawFn) -> tuple[Snapshot, Prior]:
    """Fleets at noon, with windows, observations, cluster sets, APIs and nodes."""
    declared = Declared(clusters=draw(clusters()))
    names = [each.name for each in declared.clusters]
    for name in names:
        if draw(st.booleans()):
            declared.observations.append(draw(observations(name)))
    sets = [
        ClusterSet.model_validate(
            {
                "metadata": {"name": f"s{number}"},
                "spec": {"clusters": [{"clusters": [draw(st.sampled_from(names))]}], **tenants},
            }
        )
        for number, tenants in enumerate(draw(st.lists(st.sampled_from(TENANTS), max_size=3)))
    ]
    facts = Facts(
        now=NOON,
        windows=open_windows(declared.clusters, NOON),
        observations=FrozenMap({each.name: each for each in declared.observations}),
        sets=tuple(sets),
    )
    made = [draw(items(f"w{number}")) for number in range(draw(st.integers(1, 2)))]
    snapshot = a_snapshot(observed(declared), made, facts=facts)
    return snapshot, draw(priors(snapshot))


@st.composite
def karmada(
    draw: st.DrawFn, situations: st.SearchStrategy[tuple[Snapshot, Prior]]
) -> tuple[Snapshot, Prior]:
    """The same, of which policies say `rules: karmada`."""
    snapshot, prior = draw(situations)
    made = []
    for item in snapshot.linked:
        spec = item.placement.spec.model_copy(update={"rules": "karmada"})
        made.append(replace(item, placement=item.placement.model_copy(update={"spec": spec})))
    return replace(snapshot, linked=tuple(made)), prior


@st.composite
def strained_items(draw: st.DrawFn, name: str, names: list[str], most: int) -> Linked:
    """A workload whose policy says one or two things that keep clusters out."""
    spec: dict[str, Any] = {
        "division": {"mode": draw(st.sampled_from(["duplicated", "weighted", "weighted"]))},
        "priority": draw(st.integers(0, 1)),
    }
    shape = draw(st.sampled_from(["even", "nested", "tiers"]))
    if shape == "even":
        by = draw(st.sampled_from(["region", "cluster"]))
        spec["spread"] = [{"by": by, "max_skew": 1, "min_domains": draw(st.integers(1, 3))}]
    if shape == "nested":
        spec["spread"] = [{"by": "region", "max_skew": 2}, {"by": "zone", "max_skew": 1}]
    if shape == "tiers":
        numbers = st.integers(0, most)
        spec["tiers"] = [
            {"name": each, "terms": [{"clusters": [f"c{draw(numbers)}"]}]}
            for each in structures.TIERS[: draw(st.integers(1, 3))]
        ]
    others = [each for each in names if each != name]
    relation = draw(st.sampled_from([None, None, "together", "apart"]))
    if relation and others:
        spec[relation] = draw(st.sampled_from([[others[0]], ["w*"]]))
    team = draw(st.sampled_from(["", "red", "red"]))
    workload = a_workload(name, draw(st.integers(1, 9)), settings=WorkloadSettings(team=team))
    return linked(workload, a_policy(name, **spec))


@st.composite
def strained(draw: st.DrawFn) -> tuple[Snapshot, Prior]:
    """Fleets where nothing bars a cluster but tiers, even numbers, neighbours and quotas."""
    most = draw(st.integers(1, 3))
    made = [
        a_cluster(
            f"c{number}",
            draw(st.sampled_from(REGIONS)),
            zones=[draw(st.sampled_from("ab"))],
            cpu=draw(st.sampled_from([1, 4, 20])),
        )
        for number in range(most + 1)
    ]
    names = ["w0", "w1"][: draw(st.integers(1, 2))]
    linked_ = [draw(strained_items(name, names, most)) for name in names]
    limits = st.integers(0, 12)
    quotas = [a_quota("red", teams=["red"], limits={"cpu": draw(limits)})]
    quotas.append(a_quota("all", namespaces=["*"], limits={"cpu": 2 * draw(limits)}))
    snapshot = a_snapshot(made, linked_, quotas=quotas[: draw(st.integers(0, 2))])
    return snapshot, draw(structures.last_updates(snapshot))
