"""KubeFleet's cases, through its importer.

The ids are those of the collected facts (K1, K3; 1c is the prose). Source: the tests of
kubefleet-dev/kubefleet, pkg/scheduler/framework. A row with
`theirs` deviates on purpose: it says what the product answers, and what gives that here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from fleet.errors import InvalidError
from fleet.model.decision import Outcome
from fleet.model.finding_codes import IMPORT_DIFFERS, IMPORT_IGNORED
from tests.conformance.importing import (
    Document,
    Placed,
    Ran,
    deployment,
    native_run,
    run,
    same_decisions,
)

VERSION = "placement.kubernetes-fleet.io/v1"
THREE = ("m1", "m2", "m3")
COST = "example.org/cost"


def agent(joined: str = "True", healthy: str = "True", kind: str = "MemberAgent") -> Document:
    """What an agent reports of itself; a condition without a status is not there."""
    said = {"Joined": joined, "Healthy": healthy}
    conditions = [{"type": name, "status": value} for name, value in said.items() if value]
    return {"type": kind, "conditions": conditions}


def cluster(
    name: str, *, taint: str = "", properties: Mapping[str, str] | None = None, **labels: str
) -> Document:
    """A MemberCluster in a region of its own; `taint` is the key of a NoSchedule taint."""
    taints = [{"key": taint, "value": "true", "effect": "NoSchedule"}] if taint else []
    said = {key: {"value": value} for key, value in (properties or {}).items()}
    return {
        "apiVersion": "cluster.kubernetes-fleet.io/v1",
        "kind": "MemberCluster",
        "metadata": {"name": name, "labels": {"topology.kubernetes.io/region": name, **labels}},
        "spec": {"identity": {"kind": "ServiceAccount", "name": name}, "taints": taints},
        "status": {"agentStatus": [agent()], "properties": said},
    }


def placement(policy: Document | None = None, name: str = "web", **spec: Any) -> Document:
    """A ClusterResourcePlacement of the namespace shop."""
    selectors = [{"group": "", "version": "v1", "kind": "Namespace", "name": "shop"}]
    body = {"resourceSelectors": selectors, "policy": policy or {}, **spec}
    return {
        "apiVersion": VERSION,
        "kind": "ClusterResourcePlacement",
        "metadata": {"name": name},
        "spec": body,
    }


NAMESPACE = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}


def fleet(
    root: Path, documents: Sequence[Document], prior: Mapping[str, Placed] | None = None
) -> Ran:
    """The placement `web` with a namespace and a Deployment in it."""
    made = run(root, documents, {"web": [NAMESPACE, deployment()]}, prior)
    same_decisions(made, native_run(root, prior))
    return made


def required(*terms: Document) -> Document:
    selector = {"clusterSelectorTerms": list(terms)}
    return {"clusterAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": selector}}


def preferred(*terms: tuple[int, Document]) -> Document:
    wishes = [{"weight": weight, "preference": term} for weight, term in terms]
    return {"clusterAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": wishes}}


def labelled(**labels: str) -> Document:
    return {"labelSelector": {"matchLabels": labels}}


def compared(name: str, operator: str, value: str) -> Document:
    one = {"name": name, "operator": operator, "values": [value]}
    return {"propertySelector": {"matchExpressions": [one]}}


def pick(number: int, **policy: Any) -> Document:
    return {"placementType": "PickN", "numberOfClusters": number, **policy}


@dataclass(frozen=True)
class Case:
    """One case: which clusters are picked for the placement `web`."""

    id: str
    expected: list[str]
    clusters: list[Document]
    policy: Document
    before: list[str] = field(default_factory=list)
    theirs: str = ""


PLAIN = [cluster(name) for name in THREE]
CASES = [
    Case("1c: no policy is all clusters", ["m1", "m2", "m3"], PLAIN, {}),
    Case(
        "1c: PickAll asks the required terms, one of them",
        ["m1", "m3"],
        [cluster("m1", env="prod"), cluster("m2", env="dev"), cluster("m3", gpu="true")],
        {"affinity": required(labelled(env="prod"), labelled(gpu="true"))},
    ),
    Case(
        "1c: PickFixed takes the names, whatever their taints",
        ["m1", "m3"],
        [cluster("m1", taint="full"), cluster("m2"), cluster("m3")],
        {"placementType": "PickFixed", "clusterNames": ["m1", "m3"]},
    ),
    Case(
        "1c: a taint bars, a toleration lets in",
        ["m1", "m2"],
        [cluster("m1", taint="gpu"), cluster("m2"), cluster("m3", taint="full")],
        {"tolerations": [{"key": "gpu", "operator": "Exists"}]},
    ),
    Case(
        "1c: ties",
        ["m1", "m2"],
        PLAIN,
        pick(2),
        theirs="m3 and m2: the larger name first; fleet's ties always end in the name, ascending",
    ),
    Case(
        "1c: fewer clusters than wanted",
        ["m1"],
        [cluster("m1")],
        pick(3),
        theirs="m1, and the placement is not fully scheduled; a spread by cluster with"
        " minDomains: 3 says the shortfall here, and places nothing new",
    ),
    Case("1c: what is picked stays", ["m2", "m3"], PLAIN, pick(2), before=["m2", "m3"]),
    Case(
        "1c: fewer are wanted: the lowest score goes",
        ["m2"],
        [cluster("m1"), cluster("m2", gpu="true"), cluster("m3")],
        pick(1, affinity=preferred((10, labelled(gpu="true")))),
        before=["m1", "m2"],
    ),
    Case(
        "1c: a pick that no longer matches",
        ["m2"],
        [cluster("m1", env="dev"), cluster("m2", env="prod")],
        pick(1, affinity=required(labelled(env="prod"))),
        before=["m1"],
        theirs="m1 stays, it is IgnoredDuringExecution; fleet's required affinity always holds:"
        " keep the label until the workload may move",
    ),
    Case(
        "1c: weights of preferred terms add up, also below 0",
        ["m2"],
        [cluster("m1", env="prod", old="true"), cluster("m2", env="prod"), cluster("m3")],
        pick(1, affinity=preferred((50, labelled(env="prod")), (-60, labelled(old="true")))),
    ),
    Case(
        "1c: property expressions are compared as quantities",
        ["m2"],
        [
            cluster("m1", properties={COST: "1200m"}),
            cluster("m2", properties={COST: "1.1"}),
            cluster("m3"),
        ],
        {"affinity": required(compared(COST, "Lt", "1.2"))},
    ),
    Case(
        "1c: label and property of a term hold together",
        ["m3"],
        [
            cluster("m1", env="prod", properties={"kubernetes-fleet.io/node-count": "2"}),
            cluster("m2", env="dev", properties={"kubernetes-fleet.io/node-count": "9"}),
            cluster("m3", env="prod", properties={"kubernetes-fleet.io/node-count": "9"}),
        ],
        {
            "affinity": required(
                labelled(env="prod") | compared("kubernetes-fleet.io/node-count", "Ge", "3")
            )
        },
    ),
    Case(
        "1c: the cheapest first",
        ["m2"],
        [cluster(name, properties={COST: cost}) for name, cost in zip(THREE, "312", strict=True)],
        pick(
            1,
            affinity=preferred((10, {"propertySorter": {"name": COST, "sortOrder": "Ascending"}})),
        ),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[each.id for each in CASES])
def test_picks(case: Case, tmp_path: Path) -> None:
    prior = {"crp/web": dict.fromkeys(case.before, 2)} if case.before else None
    made = fleet(tmp_path, [*case.clusters, placement(case.policy)], prior)
    assert sorted(made.placed("crp/web")) == case.expected


ELIGIBLE = [
    pytest.param({"agentStatus": [agent()]}, "", id="joined and healthy"),
    pytest.param(None, "", id="without a status, as in a repository"),
    pytest.param({"agentStatus": []}, "no-agent", id="no agent"),
    pytest.param(
        {"agentStatus": [agent(kind="ServiceExportImportAgent")]},
        "no-agent",
        id="only another agent",
    ),
    pytest.param(
        {"agentStatus": [agent(joined="")]},
        "not-joined",
        id="no condition Joined",
    ),
    pytest.param(
        {"agentStatus": [agent(joined="Unknown")]},
        "not-joined",
        id="Joined is Unknown",
    ),
    pytest.param(
        {"agentStatus": [agent(healthy="")]},
        "not-healthy",
        id="no condition Healthy",
    ),
    pytest.param(
        {"agentStatus": [agent(healthy="False")]},
        "not-healthy",
        id="Healthy is False",
    ),
    pytest.param(
        {"agentStatus": [agent()], "conditions": [{"type": "Joined", "status": "False"}]},
        "",
        id="the condition of the cluster is not asked",
    ),
]


@pytest.mark.parametrize(("status", "why"), ELIGIBLE)
def test_nothing_new_is_placed_on_a_cluster_that_is_not_eligible(
    status: Document | None, why: str, tmp_path: Path
) -> None:
    """Source: pkg/scheduler/clustereligibilitychecker, which also asks a clock."""
    asked = cluster("m2")
    asked["status"] = status
    made = fleet(tmp_path, [cluster("m1"), asked, placement()])
    assert sorted(made.placed("crp/web")) == (["m1"] if why else ["m1", "m2"])
    kept = {each.name: each for each in made.snapshot.clusters}["m2"]
    taints = [f"{each.key}={each.value}:{each.effect}" for each in kept.spec.taints]
    assert taints == [f"kubernetes-fleet.io/not-eligible={why}:NoSchedule"] * bool(why)


def test_what_a_cluster_that_is_no_longer_eligible_has_stays_there(tmp_path: Path) -> None:
    asked = cluster("m2")
    asked["status"] = {"agentStatus": [agent(healthy="False")]}
    made = fleet(tmp_path, [cluster("m1"), asked, placement()], {"crp/web": {"m2": 1}})
    assert sorted(made.placed("crp/web")) == ["m1", "m2"]


SHORT = [
    pytest.param(pick(3), [(2, 3)], id="two of three"),
    pytest.param(pick(2), [], id="two of two"),
    pytest.param({"placementType": "PickAll"}, [], id="all of them"),
]


@pytest.mark.parametrize(("policy", "told"), SHORT)
def test_too_few_clusters_are_told(
    policy: Document, told: list[tuple[int, int]], tmp_path: Path
) -> None:
    made = fleet(tmp_path, [cluster("m1"), cluster("m2"), placement(policy)]).made
    found = [each for each in made.findings if each.code == "clusters-short"]
    assert [(each.values["found"], each.values["wanted"]) for each in found] == told


K1 = [
    pytest.param("2 4 7", "Descending", 7, 3, id="[2,7] descending 7"),
    pytest.param("2 4 7", "Descending", 8, 3, id="[2,7] descending 8"),
    pytest.param("2 4 7", "Ascending", 8, 5, id="[2,7] ascending 8"),
    pytest.param("2 4 7", "Ascending", 7, 4, id="[2,7] ascending 7"),
    pytest.param("8 4 8", "Descending", 100, 0, id="[4,8] descending 100"),
    pytest.param("8 4 8", "Ascending", 100, 100, id="[4,8] ascending 100"),
    pytest.param("2 4 2", "Descending", 100, 100, id="[2,4] descending 100"),
    pytest.param("2 4 2", "Ascending", 100, 0, id="[2,4] ascending 100"),
    pytest.param("4 4 4", "Descending", 100, 0, id="least and most are equal"),
    pytest.param("2 - 7", "Descending", 100, 0, id="without the property"),
]


@pytest.mark.parametrize(("values", "order", "weight", "expected"), K1)
def test_property_sorter(
    values: str, order: str, weight: int, expected: int, tmp_path: Path
) -> None:
    """K1: the share of the weight that the cluster in the middle gets."""
    documents = [
        cluster(name, properties={} if value == "-" else {COST: value})
        for name, value in zip(THREE, values.split(), strict=True)
    ]
    sorter = {"propertySorter": {"name": COST, "sortOrder": order}}
    made = fleet(tmp_path, [*documents, placement(pick(1, affinity=preferred((weight, sorter))))])
    assert made.points("crp/web", "affinity")["m2"] == expected


@dataclass(frozen=True)
class Skew:
    """K3: copies in each domain, where one more goes, and whether the skew allows it."""

    counts: str
    into: int
    most: int
    allowed: bool
    theirs: str = ""


NO_WORSE = "not allowed while any domain is beyond the skew; fleet asks it of the one that grows"
K3 = [
    Skew("2 2 2", 0, 1, allowed=True),
    Skew("1 2 2", 0, 1, allowed=True),
    Skew("1 4 4", 0, 1, allowed=True, theirs=NO_WORSE),
    Skew("1 1 2", 0, 1, allowed=True),
    Skew("1 1 3", 0, 1, allowed=True, theirs=NO_WORSE),
    Skew("1 2 3", 1, 2, allowed=True),
    Skew("1 2 3", 1, 1, allowed=False),
    Skew("1 2 5 3", 3, 5, allowed=True),
    Skew("1 2 5 3", 3, 3, allowed=True, theirs=NO_WORSE),
    Skew("1 2 5", 2, 5, allowed=True),
    Skew("1 2 5", 2, 2, allowed=False),
]


@pytest.mark.parametrize("case", K3, ids=[f"{each.counts} +1 max {each.most}" for each in K3])
def test_topology_spread(case: Skew, tmp_path: Path) -> None:
    """One more cluster is free, in one of the domains."""
    documents, before = [], {}
    for domain, count in enumerate(map(int, case.counts.split())):
        for number in range(count):
            name = f"d{domain}-{number}"
            documents.append(cluster(name, zone=f"z{domain}"))
            before[name] = 2
    documents.append(cluster("new", zone=f"z{case.into}"))
    constraint = {"topologyKey": "zone", "maxSkew": case.most}
    policy = pick(len(before) + 1, topologySpreadConstraints=[constraint])
    made = fleet(tmp_path, [*documents, placement(policy)], {"crp/web": before})
    assert ("new" in made.placed("crp/web")) == case.allowed


REFUSED = [
    pytest.param({"placementType": "PickN"}, "spec.policy.numberOfClusters", id="PickN"),
    pytest.param({"placementType": "PickFixed"}, "spec.policy.clusterNames", id="PickFixed"),
    pytest.param(
        {"placementType": "PickAll", "numberOfClusters": 2},
        "spec.policy.numberOfClusters: does not go with the placementType 'PickAll'",
        id="PickAll with a number",
    ),
    pytest.param(
        {"affinity": preferred((1, labelled(env="prod")))},
        "does not go with the placementType 'PickAll'",
        id="PickAll with preferred terms",
    ),
    pytest.param(
        pick(1, topologySpreadConstraints=[{"topologyKey": "zone", "maxSkew": 0}]),
        "spec.policy.topologySpreadConstraints[0].maxSkew: 0 is not allowed",
        id="K3: a skew of 0",
    ),
]


@pytest.mark.parametrize(("policy", "sentence"), REFUSED)
def test_what_the_product_refuses_is_refused(
    policy: Document, sentence: str, tmp_path: Path
) -> None:
    with pytest.raises(InvalidError) as refused:
        fleet(tmp_path, [cluster("m1"), placement(policy)])
    assert sentence in str(refused.value)


def test_an_object_of_two_placements_is_refused(tmp_path: Path) -> None:
    documents = [cluster("m1"), placement(), placement(name="other")]
    with pytest.raises(InvalidError, match="ApplyConflictBetweenPlacements"):
        fleet(tmp_path, documents)


def test_what_fleet_does_in_another_way_is_told(tmp_path: Path) -> None:
    soft = {"topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway"}
    policy = pick(1, topologySpreadConstraints=[soft])
    strategy = {
        "rollingUpdate": {"maxSurge": 1},
        "applyStrategy": {"whenToApply": "IfNotDrifted", "whenToTakeOver": "Never"},
    }
    made = fleet(tmp_path, [cluster("m1"), placement(policy, strategy=strategy)])
    assert made.told(IMPORT_DIFFERS) == [
        "spec.identity",
        "spec.strategy.rollingUpdate",
        "spec.strategy.applyStrategy.whenToApply",
        "spec.policy.topologySpreadConstraints[0].whenUnsatisfiable",
    ]
    assert not made.snapshot.linked[0].workload.settings.adopt


def override(*rules: Document, kind: str = "ResourceOverride", **spec: Any) -> Document:
    selector = {"group": "apps", "version": "v1", "kind": "Deployment", "name": "web"}
    body = {"resourceSelectors": [selector], "policy": {"overrideRules": list(rules)}, **spec}
    metadata = {"name": "change", "namespace": "shop"}
    return {"apiVersion": VERSION, "kind": kind, "metadata": metadata, "spec": body}


def rule(terms: Sequence[Document], **change: Any) -> Document:
    selector = {"clusterSelector": {"clusterSelectorTerms": list(terms)}}
    return {**selector, "jsonPatchOverrides": [change]}


def test_overrides_by_labels_and_by_names(tmp_path: Path) -> None:
    path = "/metadata/labels/where"
    rules = [
        rule([labelled(env="prod")], op="add", path=path, value="${MEMBER-CLUSTER-NAME}"),
        rule(
            [labelled(env="prod"), labelled(env="dev")],
            op="add",
            path=path,
            value="${MEMBER-CLUSTER-LABEL-KEY-env} ${HOME}",
        ),
        rule([labelled(env="none"), labelled(env="nowhere")], op="remove", path=path),
    ]
    clusters = [cluster("m1", env="prod"), cluster("m2", env="dev"), cluster("m3")]
    made = fleet(tmp_path, [*clusters, override(*rules), placement()])
    (policy,) = made.snapshot.linked[0].overrides
    where = [(dict(each.where.match_labels), each.where.clusters) for each in policy.spec.rules]
    assert where == [({"env": "prod"}, ()), ({}, ("m1", "m2"))]
    values = [each.patch[0].value for each in policy.spec.rules]
    assert values == ["${cluster.name}", "${cluster.labels.env} $${HOME}"]
    assert made.told(IMPORT_IGNORED) == ["spec.policy.overrideRules[2].clusterSelector"]


def test_an_override_that_deletes_is_refused(tmp_path: Path) -> None:
    deletes = {"clusterSelector": {"clusterSelectorTerms": []}, "overrideType": "Delete"}
    with pytest.raises(InvalidError, match="fleet does not leave single objects"):
        fleet(tmp_path, [cluster("m1"), override(deletes), placement()])


def test_a_fixed_cluster_that_does_not_exist_is_told(tmp_path: Path) -> None:
    policy = {"placementType": "PickFixed", "clusterNames": ["m1", "m9"]}
    made = fleet(tmp_path, [cluster("m1"), placement(policy)])
    assert made.told(IMPORT_IGNORED) == ["spec.policy.clusterNames[1]"]
    assert sorted(made.placed("crp/web")) == ["m1"]


@pytest.mark.parametrize(
    ("amounts", "to", "outcome"),
    [
        pytest.param({"allocatable": 10, "available": 8}, None, Outcome.INFEASIBLE, id="short"),
        pytest.param({"allocatable": 42, "available": 8}, 74, Outcome.INFEASIBLE, id="one of two"),
        pytest.param({"allocatable": 42, "available": 40}, None, Outcome.ASSIGNED, id="as advised"),
    ],
)
def test_what_capacity_is_needed_holds_in_the_document(
    amounts: Mapping[str, int], to: int | None, outcome: Outcome, tmp_path: Path
) -> None:
    member = cluster("m1")
    member["status"]["resourceUsage"] = {name: {"cpu": each} for name, each in amounts.items()}
    everywhere = placement({"placementType": "PickAll"})
    objects = {"web": [NAMESPACE, deployment(replicas=40, cpu="1")]}
    ran = run(tmp_path, [member, everywhere], objects)
    (decision,) = ran.made.decisions
    assert decision.verdicts["m1"].outcome is outcome
    changes = ran.made.changes[decision.workload]["m1"]
    expected = {"cluster": "m1", "resource": "cpu", "was": amounts["allocatable"] * 1000}
    expected |= {"to": (to or 42) * 1000, "field": "status.resourceUsage.available"}
    short = outcome is Outcome.INFEASIBLE
    assert [dict(each.values) for each in changes] == [expected] * short
