"""Wrong placement and override policies: for each the error lines."""

from collections.abc import Callable

import pytest

from fleet.model.snapshot import Snapshot
from tests.load.texts import a_cluster, a_policy

Faults = Callable[..., list[str]]
Load = Callable[..., Snapshot]


POLICIES = [
    pytest.param(
        a_policy("workloads: [wbe, 'x*']"),
        [
            "4:20: spec.workloads[0]: there is no workload 'wbe' - did you mean 'web'?",
            "4:25: spec.workloads[1]: no workload matches 'x*' - known are 'web'",
        ],
        id="unknown workloads",
    ),
    pytest.param(
        a_policy("workloads: ['w*']"),
        [],
        id="a second placement",
    ),
    pytest.param(
        a_policy(
            "workloads: [web], affinity: {required: [{matchExpressions:"
            " [{key: a, operator: Gt, values: ['--5']}, {key: a, operator: Lt, values: ['²']}]}]}"
        ),
        [
            (
                "4:68: spec.affinity.required[0].matchExpressions[0]: 'Gt' takes one value, a"
                " whole number"
            ),
            (
                "4:109: spec.affinity.required[0].matchExpressions[1]: 'Lt' takes one value, a"
                " whole number"
            ),
        ],
        id="no whole numbers",
    ),
    pytest.param(
        a_policy("workloads: []"),
        ["4:8: spec.workloads: is an empty list; it wants at least one item"],
        id="no workloads",
    ),
    pytest.param(
        a_policy(
            "workloads: [web], rules: [{where: {clusters: [eu-2], regions: ['ap-*'],"
            " roles: [actve]}, patch: [{op: rename, path: a}]}]",
            "OverridePolicy",
        ),
        [
            (
                "4:54: spec.rules[0].where.clusters[0]: there is no cluster 'eu-2' - did you mean"
                " 'eu-1'?"
            ),
            (
                "4:71: spec.rules[0].where.regions[0]: no cluster's region matches 'ap-*' - known"
                " are 'eu-west-1', 'us-east-1'"
            ),
            (
                "4:88: spec.rules[0].where.roles[0]: 'actve' is not allowed; allowed are 'active',"
                " 'standby' - did you mean 'active'?"
            ),
            (
                "4:106: spec.rules[0].patch[0].op: 'rename' is not allowed; allowed are 'add',"
                " 'remove', 'replace', 'move', 'copy', 'test' - did you mean 'remove'?"
            ),
            (
                "4:118: spec.rules[0].patch[0].path: 'a' is not a JSON pointer: empty, or it begins"
                " with '/'"
            ),
        ],
        id="a bad rule",
    ),
    pytest.param(
        a_policy(
            "workloads: [web], rules: [{where: {clusters: [eu-2], regions: ['ap-*']},"
            " image: {tag: '1'}}]",
            "OverridePolicy",
        ),
        [
            (
                "4:54: spec.rules[0].where.clusters[0]: there is no cluster 'eu-2'"
                " - did you mean 'eu-1'?"
            ),
            (
                "4:71: spec.rules[0].where.regions[0]: no cluster's region matches 'ap-*'"
                " - known are 'eu-west-1', 'us-east-1'"
            ),
        ],
        id="an override for nobody",
    ),
    pytest.param(
        a_policy("workloads: [web], rules: [{image: {tag: 1.20}}]", "OverridePolicy"),
        ['4:43: spec.rules[0].image.tag: wants text, not the number 1.20 - write "1.20"'],
        id="a tag that reads as a number",
    ),
]


@pytest.mark.parametrize(("text", "expected"), POLICIES)
def test_wrong_policy_is_refused(faults: Faults, text: str, expected: list[str]) -> None:
    found = faults({"policies/x.yaml": text})
    second = "the workload 'web' has two placement policies"
    assert [line for line in found if second not in line] == [
        f"policies/x.yaml:{line}" for line in expected
    ]


PLACEMENTS = [
    ("affinity: {required: [{clusters: [eu-11]}]}", "clusters[0]: there is no cluster 'eu-11'"),
    ("affinity: {required: [{excludeClusters: [eu-11]}]}", "there is no cluster 'eu-11'"),
    ("affinity: {required: [{regions: [eu-west-2]}]}", "no cluster is in a region 'eu-west-2'"),
    ("affinity: {preferred: [{weight: 1, term: {clusters: [x]}}]}", "there is no cluster 'x'"),
    (
        "affinity: {preferred: [{weight: 101, term: {clusters: [eu-1]}}]}",
        "weight: 101 is too large; it is at most 100",
    ),
    ("residency: {regions: ['sa-*']}", "no cluster's region matches 'sa-*'"),
    ("residency: {regions: [sa]}", "no cluster is in a region 'sa'"),
    ("spread: [{by: labels.evn}]", "no cluster has a label 'evn' - did you mean 'env'?"),
    ("spread: [{by: zone}]", "no cluster says its zone"),
    ("spread: [{by: rack}]", "'rack' is not one of 'cluster', 'region', 'zone', 'provider' or"),
    ("spread: [{by: region, minDomains: 3, maxDomains: 2}]", "minDomains 3 is more than"),
    ("spread: [{by: region}, {by: region}]", "spread by 'region' is said twice"),
    ("pick: 0", "spec.pick: 0 is too small; it is at least 1"),
    ("pick: yes", "spec.pick: wants a whole number, not 'yes'"),
    ("division: {mode: wieghted}", "did you mean 'weighted'?"),
    (
        "division: {mode: weighted, weights: [{replicaWeight: 1, term: {clusters: [us-2]}}]}",
        "spec.division.weights[0].term.clusters[0]: there is no cluster 'us-2'",
    ),
    ("division: {weights: [{replicaWeight: 1, term: {}}]}", "'weights' go with mode 'weighted'"),
    ("tolerations: [{operator: Exists, value: x}]", "operator 'Exists' takes no value"),
    (
        "affinity: {required: [{matchFields: [{key: region, operator: In, values: [eu]}]}]}",
        "matchFields[0].values[0]: no cluster is in a region 'eu'",
    ),
    (
        "affinity: {required: [{matchFields: [{key: regoin, operator: In, values: [eu]}]}]}",
        "did you mean 'region'?",
    ),
    (
        "affinity: {required: [{matchExpressions: [{key: a, operator: Gt, values: [x]}]}]}",
        "'Gt' takes one value, a whole number",
    ),
    ("latency: {origin: eu, most: 80, distance: 80}", "distance 80 is not less than most 80"),
    (
        "rules: karmada, division: {mode: weighted, minReplicas: 3}",
        "spec.division.minReplicas: is nothing that rules 'karmada' know",
    ),
    (
        "rules: karmada, scoring: {exact: true}",
        "spec.scoring: is nothing that rules 'karmada' know",
    ),
    (
        "rules: karmada, spread: [{by: region, maxSkew: 1}]",
        "spec.spread[0].maxSkew: is nothing that rules 'karmada' know",
    ),
]


@pytest.mark.parametrize(("spec", "part"), PLACEMENTS)
def test_wrong_placement_is_refused(faults: Faults, spec: str, part: str) -> None:
    found = faults({"policies/web.yaml": a_policy(f"workloads: [web], {spec}")})
    assert len(found) == 1
    assert found[0].startswith("policies/web.yaml:4:")
    assert part in found[0]


def test_negative_words_may_name_what_is_not_there(load: Load) -> None:
    spec = (
        "affinity: {required: [{matchFields: [{key: region, operator: NotIn, values: [cn]}],"
        " matchLabels: {other: x}}]}"
    )
    assert load({"policies/web.yaml": a_policy(f"workloads: [web], {spec}")}).linked


def test_workload_has_exactly_one_placement(faults: Faults) -> None:
    assert faults({"policies/x.yaml": a_policy("workloads: ['w*']")}) == [
        (
            "policies/x.yaml:4:20: spec.workloads[0]: the workload 'web' has two placement"
            " policies, 'web' at policies/web.yaml:1:1 and 'p' - leave it to one of the two"
        )
    ]
    assert faults({"policies/x.yaml": None, "policies/web.yaml": ""}) == [
        (
            "workloads/web/all.yaml:1:1: no placement policy names the workload 'web'"
            " - write a PlacementPolicy with spec.workloads: [web]"
        )
    ]


def test_broken_placement_is_not_called_missing(faults: Faults) -> None:
    found = faults({"policies/web.yaml": a_policy("workloads: [web], pick: x")})
    assert found == ["policies/web.yaml:4:26: spec.pick: wants a whole number, not 'x'"]


def test_names_of_broken_documents_are_not_called_unknown(faults: Faults) -> None:
    found = faults(
        {
            "inventory/x.yaml": a_cluster("ap-1", "regoin: ap"),
            "policies/web.yaml": a_policy(
                "workloads: [web], residency: {regions: [ap]},"
                " affinity: {required: [{clusters: [ap-1]}]}"
            ),
        }
    )
    assert [line.split(": ")[1] for line in found] == ["spec.region", "spec.regoin"]


def test_names_in_an_unreadable_file_are_not_called_unknown(faults: Faults) -> None:
    found = faults(
        {
            "inventory/x.yaml": "a: [",
            "policies/web.yaml": a_policy("workloads: [web], residency: {regions: [ap]}"),
        }
    )
    assert [line.split(": ")[0] for line in found] == ["inventory/x.yaml:2:1"]


def test_an_empty_list_is_nothing(load: Load) -> None:
    """What `kubectl get -o yaml` writes when it finds nothing."""
    load({"policies/none.yaml": "apiVersion: v1\nitems: []\nkind: List\nmetadata: {}\n"})
