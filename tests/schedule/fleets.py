"""Random fleets for the laws: small, with everything that policies can say."""

from collections.abc import Mapping

from hypothesis import strategies as st

from fleet.model.decision import Decision, Role, Schedule
from fleet.model.inventory import Cluster, State
from fleet.model.nowhere import is_nowhere
from fleet.model.prior import Prior
from fleet.model.snapshot import Linked, Snapshot
from tests.builders import a_cluster, a_policy, a_prior, a_snapshot, a_traffic, a_workload, linked

REGIONS = ("eu", "us", "ap")
ZONES = ("a", "b", "c")
PROVIDERS = ("aws", "gcp", "")
TAINTS = ("maintenance=true:NoSchedule", "gpu:NoExecute", "old:PreferNoSchedule")

terms = st.one_of(
    st.just({}),
    st.builds(lambda value: {"match_labels": {"tier": value}}, st.sampled_from(["gold", "iron"])),
    st.builds(lambda region: {"regions": [region]}, st.sampled_from([*REGIONS, "*p", "e*"])),
    st.builds(
        lambda name, operator: {
            "match_fields": [{"key": "name", "operator": operator, "values": [name]}]
        },
        st.sampled_from(["c0", "c3"]),
        st.sampled_from(["In", "NotIn"]),
    ),
)


@st.composite
def clusters(draw: st.DrawFn, most: int = 6) -> list[Cluster]:
    return [
        a_cluster(
            f"c{number}",
            draw(st.sampled_from(REGIONS)),
            zones=draw(st.lists(st.sampled_from(ZONES), unique=True, max_size=2)),
            provider=draw(st.sampled_from(PROVIDERS)),
            labels=draw(st.sampled_from([{}, {"tier": "gold"}, {"tier": "iron"}])),
            taints=draw(st.lists(st.sampled_from(TAINTS), unique=True, max_size=1)),
            cpu=draw(st.sampled_from([None, 0, 1, 3, 6, 10, 20, 20])),
            allocatable=draw(st.sampled_from([{}, {"memory": 8}, {"memory": 30, "pods": 9}])),
            state=draw(st.sampled_from([State.ACTIVE] * 8 + list(State))),
        )
        for number in range(draw(st.integers(1, most)))
    ]


@st.composite
def spreads(draw: st.DrawFn) -> list[dict[str, object]]:
    fields = draw(
        st.lists(
            st.sampled_from(["cluster", "region", "zone", "provider", "labels.tier"]),
            unique=True,
            max_size=2,
        )
    )
    made = []
    for by in fields:
        least = draw(st.integers(1, 3))
        most = draw(st.one_of(st.none(), st.integers(least, 4)))
        made.append({"by": by, "min_domains": least, "max_domains": most})
    return made


@st.composite
def divisions(draw: st.DrawFn) -> dict[str, object]:
    mode = draw(st.sampled_from(["duplicated", "weighted", "weighted", "aggregated"]))
    said: dict[str, object] = {"mode": mode}
    if mode == "weighted" and draw(st.booleans()):
        said["weights"] = draw(
            st.lists(
                st.builds(
                    lambda weight, term: {"replica_weight": weight, "term": term},
                    st.integers(0, 9),
                    terms,
                ),
                min_size=1,
                max_size=2,
            )
        )
    if draw(st.integers(0, 3)) == 0:
        said["min_replicas"] = draw(st.integers(0, 3))
        said["max_replicas"] = draw(st.one_of(st.none(), st.integers(3, 6)))
    return said


@st.composite
def items(draw: st.DrawFn, name: str, *, traffic: bool = True) -> Linked:
    policy = a_policy(
        name,
        affinity={
            "required": draw(st.lists(terms, max_size=1)),
            "preferred": draw(
                st.lists(
                    st.builds(
                        lambda weight, term: {"weight": weight, "term": term},
                        st.integers(1, 100),
                        terms,
                    ),
                    max_size=2,
                )
            ),
        },
        tolerations=draw(st.sampled_from([[], [], [{"operator": "Exists"}]])),
        spread=draw(spreads()),
        division=draw(divisions()),
    )
    low = draw(st.integers(0, 6))
    workload = a_workload(
        name,
        draw(st.integers(0, 14)),
        request=draw(
            st.sampled_from([{"cpu": 1}, {"cpu": 1}, {"cpu": 2}, {"memory": 1, "pods": 1}, {}])
        ),
        per_cluster=draw(st.sampled_from([False] * 7 + [True])),
        autoscaled=draw(st.sampled_from([None] * 4 + [(low, low + 5)])),
    )
    policies = []
    if traffic and draw(st.booleans()):
        standby = draw(st.sampled_from([0, 30, 100]))
        failover = "manual" if standby == 0 else "automatic"
        region = draw(st.one_of(st.none(), st.sampled_from(REGIONS)))
        policies.append(a_traffic(name, standby=standby, failover=failover, active_region=region))
    return linked(workload, policy, traffic=policies)


@st.composite
def fleets(draw: st.DrawFn, *, traffic: bool = True, workloads: int = 3) -> Snapshot:
    count = draw(st.integers(1, workloads))
    made = [draw(items(f"w{number}", traffic=traffic)) for number in range(count)]
    return a_snapshot(draw(clusters()), made)


@st.composite
def priors(draw: st.DrawFn, snapshot: Snapshot) -> Prior:
    """A last update that may have been anything."""
    names = [cluster.name for cluster in snapshot.clusters]
    placed: dict[str, Mapping[str, int]] = {}
    roles: dict[str, Mapping[str, Role]] = {}
    for item in snapshot.linked:
        if draw(st.booleans()):
            counts = draw(st.dictionaries(st.sampled_from(names), st.integers(0, 8), max_size=4))
            placed[item.workload.name] = counts
            roles[item.workload.name] = {each: draw(st.sampled_from(list(Role))) for each in counts}
    return a_prior(placed, roles)


def as_prior(decided: Schedule) -> Prior:
    """What the next run finds when a schedule was carried out."""
    return a_prior(
        {each.workload: dict(each.replicas) for each in decided.decisions},
        {
            each.workload: {it.cluster: it.role for it in each.assignments}
            for each in decided.decisions
        },
        {each.workload: each.tier for each in decided.decisions},
    )


def is_lacking(snapshot: Snapshot, decided: Schedule, name: str) -> bool:
    """Whether a replica has no place, or a workload without replicas is nowhere."""
    decision = by_name(decided)[name]
    (item,) = [each for each in snapshot.linked if each.workload.name == name]
    return bool(decision.shortfall) or is_nowhere(decision, item.workload)


def by_name(decided: Schedule) -> dict[str, Decision]:
    return {each.workload: each for each in decided.decisions}
