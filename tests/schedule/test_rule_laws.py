"""What holds of the rules whatever the fleet looks like."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from fleet.model.cluster_set import ClusterSet
from fleet.model.snapshot import Facts
from fleet.model.source import Origin
from fleet.model.workload import Manifest, WorkloadSettings
from tests.builders import a_cluster, a_policy, a_workload, linked
from tests.schedule.asking import decide

NAMES = ("a", "b", "c", "d")
TEAMS = ("bank", "shop", "")
SETS = st.lists(
    st.tuples(
        st.sets(st.sampled_from(NAMES), min_size=1),
        st.sets(st.sampled_from(["bank", "shop"]), min_size=1),
        st.booleans(),
    ),
    max_size=3,
)


@given(SETS, st.lists(st.sampled_from(TEAMS), min_size=1, max_size=3), st.sampled_from(NAMES))
def test_tenants_keep_to_their_sets_and_strangers_out(
    sets: list[tuple[set[str], set[str], bool]], teams: list[str], before: str
) -> None:
    facts = Facts(
        sets=tuple(
            ClusterSet.model_validate(
                {
                    "metadata": {"name": f"s{at}"},
                    "spec": {
                        "clusters": [{"clusters": tuple(sorted(clusters))}],
                        "teams": tuple(sorted(tenants)),
                        "exclusive": exclusive,
                    },
                }
            )
            for at, (clusters, tenants, exclusive) in enumerate(sets)
        )
    )
    items = [
        linked(a_workload(f"w{at}", settings=WorkloadSettings(team=team)))
        for at, team in enumerate(teams)
    ]
    prior = {f"w{at}": {before: 1} for at in range(len(teams))}
    made = decide([a_cluster(name) for name in NAMES], *items, prior=prior, facts=facts)
    for decision, team in zip(made.decisions, teams, strict=True):
        own = [clusters for clusters, tenants, _ in sets if team in tenants]
        strange = [clusters for clusters, tenants, alone in sets if alone and team not in tenants]
        allowed = set.union(*own) if own else set(NAMES)
        assert set(decision.replicas) == allowed.difference(*strange)


def an_object(api: str) -> Manifest:
    return Manifest(api, "Thing", "", "web", {}, Origin("w.yaml"))


APIS = st.lists(st.sampled_from(["a.b/v1", "a.b/v2", "v1", "v1/Thing"]), max_size=3, unique=True)


@given(st.lists(APIS, min_size=4, max_size=4), st.sampled_from(["a.b/v1", "v1"]))
def test_nothing_goes_where_its_api_is_not_served(served: list[list[str]], api: str) -> None:
    clusters = [a_cluster(name, apis=tuple(apis)) for name, apis in zip(NAMES, served, strict=True)]
    made = decide(clusters, linked(a_workload(manifests=[an_object(api)])))
    expected = {
        name
        for name, apis in zip(NAMES, served, strict=True)
        if not apis or api in apis or f"{api}/Thing" in apis
    }
    assert set(made.decisions[0].replicas) == expected


@given(
    st.lists(st.integers(-100, 100), min_size=4, max_size=4),
    st.integers(1, 4),
    st.permutations(NAMES),
)
def test_wishes_order_the_clusters_as_their_weights_do(
    weights: list[int], pick: int, order: list[str]
) -> None:
    """Two halves of a point may meet; otherwise more is never passed over for less."""
    liked: dict[str, int] = dict(zip(NAMES, weights, strict=True))
    preferred: list[dict[str, Any]] = [
        {"weight": liked[name], "term": {"clusters": [name]}} for name in order
    ]
    policy = a_policy(affinity={"preferred": preferred}, pick=pick)
    made = decide([a_cluster(name) for name in NAMES], linked(a_workload(request={}), policy))
    chosen = set(made.decisions[0].replicas)
    assert len(chosen) == pick
    left = set(NAMES) - chosen
    worst = min(liked[name] for name in chosen)
    assert all(liked[name] <= worst + 1 for name in left)
