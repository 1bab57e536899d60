"""Wrong tiers, even numbers, neighbours, bounds and quotas: for each the error lines."""

from collections.abc import Callable

import pytest

from fleet.model.snapshot import Snapshot
from tests.load.conftest import GOOD

Faults = Callable[..., list[str]]
Load = Callable[..., Snapshot]


def a_policy(spec: str, name: str = "p") -> str:
    return (
        "apiVersion: fleet/v1\nkind: PlacementPolicy\n"
        f"metadata: {{name: {name}}}\nspec: {{{spec}}}\n"
    )


def a_quota(spec: str, name: str = "q") -> str:
    return f"apiVersion: fleet/v1\nkind: Quota\nmetadata: {{name: {name}}}\nspec: {{{spec}}}\n"


ONE = "{name: one, terms: [{}]}"
SPREAD = "{by: cluster, maxSkew: 1}, {by: region, maxSkew: 1}"
OVER = "{name: one, terms: [{}], overflow: [{terms: [{}]}]}"
POLICIES = [
    pytest.param(
        f"tiers: [{ONE}, {ONE}]",
        [
            (
                "4:61: spec.tiers[1].name: the tier 'one' is already at policies/p.yaml:4:34"
                " - name it otherwise"
            ),
        ],
        id="a tier twice",
    ),
    pytest.param(
        "tiers: [{name: one, terms: []}]",
        ["spec.tiers[0].terms: is an empty list; it wants at least one item"],
        id="a tier without terms",
    ),
    pytest.param(
        "returnToBetterTier: true", ["'returnToBetterTier' needs 'tiers'"], id="back to nothing"
    ),
    pytest.param(
        f"tiers: [{OVER}]",
        ["'overflow' goes with a division by room, not with mode 'duplicated'"],
        id="overflow of copies",
    ),
    pytest.param(
        f"tiers: [{OVER}], division: {{mode: weighted,"
        " weights: [{replicaWeight: 1, term: {}}]}",
        ["'overflow' goes with a division by room, not with fixed weights"],
        id="overflow of fixed weights",
    ),
    pytest.param(
        f"tiers: [{OVER}], division: {{mode: weighted}}, spread: [{{by: region, maxSkew: 1}}]",
        ["'overflow' fills one after the other, 'maxSkew' fills evenly; keep one"],
        id="overflow and even numbers",
    ),
    pytest.param(
        f"spread: [{SPREAD}]",
        ["a spread by 'cluster' with maxSkew stands last: nothing is inside a cluster"],
        id="inside a cluster",
    ),
    pytest.param(
        "spread: [{by: region, maxSkew: 0}]",
        ["spec.spread[0].maxSkew: 0 is too small; it is at least 1"],
        id="a skew of 0",
    ),
    pytest.param(
        "division: {bounds: [{term: {}, minReplicas: 3, maxReplicas: 2}]}",
        ["spec.division.bounds[0]: minReplicas 3 is more than maxReplicas 2"],
        id="min over max",
    ),
    pytest.param(
        "division: {minReplicas: 3, bounds: [{term: {}}, {term: {}, maxReplicas: 2}]}",
        ["spec.division.bounds[1]: minReplicas 3 is more than maxReplicas 2"],
        id="the division's min over max",
    ),
    pytest.param(
        "tiers: [{name: one, terms: [{clusters: [eu-2]}], overflow: [{terms: [{regions: [x]}]}]}],"
        " division: {mode: weighted, bounds: [{term: {excludeClusters: [us-2]}}]}",
        [
            "spec.tiers[0].terms[0].clusters[0]: there is no cluster 'eu-2'",
            "spec.tiers[0].overflow[0].terms[0].regions[0]: no cluster is in a region 'x'",
            "spec.division.bounds[0].term.excludeClusters[0]: there is no cluster 'us-2'",
        ],
        id="unknown clusters",
    ),
    pytest.param(
        "together: [wbe], apart: ['x*']",
        [
            "spec.together[0]: there is no workload 'wbe' - did you mean 'web'?",
            "spec.apart[0]: no workload matches 'x*' - known are 'api', 'web'",
        ],
        id="neighbours that are nobody",
    ),
    pytest.param(
        "apart: [web]",
        ["spec.apart[0]: 'web' is only the policy's own workload - name other workloads"],
        id="apart from itself",
    ),
    pytest.param(
        "together: [api], apart: ['a*']",
        [
            (
                "spec.apart[0]: 'api', 'web' are kept together at policies/p.yaml:4:37"
                " - keep one of the two"
            )
        ],
        id="together and apart",
    ),
]
API = GOOD["workloads/web/all.yaml"].replace("web", "api")
BASE = {"policies/web.yaml": None, "workloads/api/all.yaml": API}


@pytest.mark.parametrize(("spec", "expected"), POLICIES)
def test_a_wrong_policy(faults: Faults, spec: str, expected: list[str]) -> None:
    policy = a_policy(f"workloads: [web], {spec}")
    said = faults(
        {
            **BASE,
            "policies/p.yaml": policy,
            "policies/api.yaml": a_policy("workloads: [api]", "api"),
        }
    )
    assert len(said) == len(expected)
    for line, sentence in zip(
        said, sorted(expected, key=lambda each: find(said, each)), strict=True
    ):
        assert line.startswith("policies/p.yaml:")
        assert sentence in line


def find(said: list[str], sentence: str) -> int:
    return next((place for place, line in enumerate(said) if sentence in line), -1)


def test_two_policies_that_contradict_each_other(faults: Faults) -> None:
    said = faults(
        {
            **BASE,
            "policies/p.yaml": a_policy("workloads: [web], together: [api]"),
            "policies/q.yaml": a_policy("workloads: [api], apart: ['*']", "q"),
        }
    )
    assert said == [
        (
            "policies/q.yaml:4:34: spec.apart[0]: 'api', 'web' are kept together at"
            " policies/p.yaml:4:37 - keep one of the two"
        )
    ]


def test_neighbours_that_fit(load: Load) -> None:
    made = load(
        {
            **BASE,
            "policies/p.yaml": a_policy("workloads: ['*'], apart: ['*'], priority: 3"),
        }
    )
    assert [it.placement.spec.apart for it in made.linked] == [("*",), ("*",)]
    made = load({**BASE, "policies/p.yaml": a_policy("workloads: ['*'], together: [api]")})
    assert made.linked[0].placement.spec.together == ("api",)


TEAM = "apiVersion: fleet/v1\nkind: Workload\nmetadata: {name: web}\nspec: {team: shop}\n"
QUOTAS = [
    pytest.param(
        "limits: {cpu: 4}",
        ["say either 'teams' or 'namespaces', not both and not neither"],
        id="nobody's",
    ),
    pytest.param(
        "teams: [shop], namespaces: [default], limits: {cpu: 4}",
        ["say either 'teams' or 'namespaces', not both and not neither"],
        id="both",
    ),
    pytest.param(
        "teams: [shop], limits: {}",
        ["'limits' limits nothing; say cpu, memory, pods or another resource"],
        id="no limit",
    ),
    pytest.param("teams: [shop]", ["limits: is required"], id="no limits"),
    pytest.param(
        "teams: [shop], limits: {cpu: x}", ["'x' is no Kubernetes quantity"], id="no quantity"
    ),
    pytest.param(
        "teams: [shp, 'x*'], limits: {cpu: 4}",
        [
            "spec.teams[0]: no workload has the team 'shp' - did you mean 'shop'?",
            "spec.teams[1]: no workload's team matches 'x*' - known are 'shop'",
        ],
        id="unknown teams",
    ),
    pytest.param(
        "namespaces: [defalt], limits: {cpu: 4}",
        ["spec.namespaces[0]: no workload has the namespace 'defalt' - did you mean 'default'?"],
        id="unknown namespaces",
    ),
]


@pytest.mark.parametrize(("spec", "expected"), QUOTAS)
def test_a_wrong_quota(faults: Faults, spec: str, expected: list[str]) -> None:
    said = faults({"policies/q.yaml": a_quota(spec), "workloads/web/fleet.yaml": TEAM})
    assert len(said) == len(expected)
    for line, sentence in zip(said, expected, strict=True):
        assert line.startswith("policies/q.yaml:4:")
        assert sentence in line


def test_quotas_that_fit(load: Load) -> None:
    files = {
        "policies/q.yaml": a_quota("teams: ['sh*'], limits: {cpu: 500m, memory: 1Gi}"),
        "policies/a.yaml": a_quota("namespaces: [default], limits: {pods: 4}", "all"),
        "workloads/web/fleet.yaml": TEAM,
    }
    made = load(files)
    assert [quota.name for quota in made.quotas] == ["all", "q"]
    assert made.quotas[1].spec.limits == {"cpu": 500, "memory": 2**30}
    assert str(made.quotas[1].origin.at("spec", "limits", "cpu")) == "policies/q.yaml:4:33"


def test_a_quota_twice(faults: Faults) -> None:
    two = a_quota("namespaces: [default], limits: {pods: 4}")
    said = faults({"policies/a.yaml": two, "policies/b.yaml": two})
    assert said == [
        (
            "policies/b.yaml:3:12: metadata.name: the quota 'q' is already at policies/a.yaml:1:1"
            " - keep one of the two"
        )
    ]


def test_a_quota_among_the_inventory_is_told_where_it_belongs(faults: Faults) -> None:
    quota = a_quota("namespaces: [default], limits: {pods: 4}")
    assert faults({"workloads/web/quota.yaml": quota})


def test_no_team_is_called_unknown_while_a_workload_has_faults(faults: Faults) -> None:
    said = faults(
        {
            "policies/q.yaml": a_quota("teams: [shop], limits: {cpu: 4}"),
            "workloads/web/fleet.yaml": TEAM.replace("shop", "[]"),
        }
    )
    assert len(said) == 1
    assert said[0].startswith("workloads/web/fleet.yaml")
