"""Policies of other products: where their faults are said, and what is told of the rest."""

from collections.abc import Callable

import pytest

from fleet.errors import InvalidError
from fleet.model.snapshot import Snapshot

Load = Callable[..., Snapshot]
Faults = Callable[..., list[str]]

CLUSTERS = """\
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: {name: c1, labels: {topology.kubernetes.io/region: r}}
spec: {hubAcceptsClient: true}
---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: {name: default, namespace: shop}
spec: {clusterSet: default}
---
apiVersion: cluster.kubernetes-fleet.io/v1
kind: MemberCluster
metadata: {name: m1, labels: {topology.kubernetes.io/region: r}}
spec: {identity: {}}
---
apiVersion: core.kubefed.io/v1beta1
kind: KubeFedCluster
metadata: {name: k1}
status: {region: r}
"""
OBJECTS = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: api
  namespace: shop
  labels: {cluster.open-cluster-management.io/placement: p}
spec:
  selector: {matchLabels: {app: api}}
  template:
    metadata: {labels: {app: api}}
    spec: {containers: [{name: api, image: "api:1"}]}
"""


def ocm(spec: str, kind: str = "Placement", version: str = "v1beta1") -> str:
    return (
        f"apiVersion: cluster.open-cluster-management.io/{version}\nkind: {kind}\n"
        f"metadata: {{name: p, namespace: shop}}\nspec: {{{spec}}}\n"
    )


def kubefleet(spec: str, kind: str = "ClusterResourcePlacement", metadata: str = "name: p") -> str:
    return (
        f"apiVersion: placement.kubernetes-fleet.io/v1\nkind: {kind}\n"
        f"metadata: {{{metadata}}}\nspec: {{{spec}}}\n"
    )


def kubefed(
    spec: str, kind: str = "FederatedConfigMap", group: str = "types.kubefed.io/v1beta1"
) -> str:
    return (
        f"apiVersion: {group}\nkind: {kind}\n"
        f"metadata: {{name: p, namespace: shop}}\nspec: {{{spec}}}\n"
    )


ALL = 'resourceSelectors: [{group: "", version: v1, kind: Namespace, name: shop}]'
CONFIG = "template: {data: {a: b}}, placement: {clusterSelector: {}}"
PREFERENCE = ("ReplicaSchedulingPreference", "scheduling.kubefed.io/v1alpha1")

WRONG = [
    pytest.param(
        ocm("numberOfClusters: 0"),
        ["4:8: spec.numberOfClusters: 0 selects no cluster - remove the Placement, or the field"],
        id="no cluster",
    ),
    pytest.param(
        ocm("numberOfClusters: many, predicate: []"),
        [
            "4:8: spec.numberOfClusters: wants a whole number, not 'many'",
            (
                "4:32: spec.predicate: is no field of the spec of a Placement"
                " - did you mean 'predicates'?"
            ),
        ],
        id="no number, and no such field",
    ),
    pytest.param(
        ocm("predicates: [{requiredClusterSelector: {celSelector: {celExpressions: ['x']}}}]"),
        [
            (
                "4:79: spec.predicates[0].requiredClusterSelector.celSelector.celExpressions[0]:"
                " fleet knows no CEL, but for labels and claims that are compared with texts -"
                " write it as a labelSelector or a claimSelector"
            ),
        ],
        id="CEL",
    ),
    pytest.param(
        ocm(
            "predicates: [{requiredClusterSelector: {labelSelector:"
            " {matchExpressions: [{key: a, operator: In}, {key: b, operator: Has}]}}}]"
        ),
        [
            (
                "4:83: spec.predicates[0].requiredClusterSelector.labelSelector.matchExpressions[0]"
                ".values: 'In' takes one or more values"
            ),
            (
                "4:116:"
                " spec.predicates[0].requiredClusterSelector.labelSelector.matchExpressions[1].ope"
                "rator: 'Has' is not allowed; allowed are 'In', 'NotIn', 'Exists', 'DoesNotExist'"
            ),
        ],
        id="label selectors",
    ),
    pytest.param(
        ocm("tolerations: [{key: a, operator: Exists, value: b}]"),
        [
            (
                "4:49: spec.tolerations[0].value: operator 'Exists' takes no value"
                " - the product says Misconfigured"
            ),
        ],
        id="Exists with a value",
    ),
    pytest.param(
        ocm(
            "prioritizerPolicy: {configurations: [{weight: 11}, {scoreCoordinate: {type: AddOn}}]}"
        ),
        [
            (
                "4:46: spec.prioritizerPolicy.configurations[0].weight: 11 is not allowed;"
                " allowed is -10 to 10"
            ),
            (
                "4:45: spec.prioritizerPolicy.configurations[0].scoreCoordinate: is required, but"
                " not there"
            ),
            (
                "4:60: spec.prioritizerPolicy.configurations[1].scoreCoordinate.addOn: is"
                " required for the type 'AddOn' - the product says Misconfigured"
            ),
        ],
        id="prioritizers",
    ),
    pytest.param(
        ocm("clusterSet: prod", "ManagedClusterSetBinding", "v1beta2"),
        [
            (
                "4:8: spec.clusterSet: there is no ManagedClusterSet 'prod' - known are 'default',"
                " 'global'"
            ),
        ],
        id="a set that is not there",
    ),
    pytest.param(
        ocm("clusterSelector: {selectorType: LabelSelector}", "ManagedClusterSet", "v1beta2"),
        [
            (
                "4:26: spec.clusterSelector.selectorType: LabelSelector without a labelSelector"
                " selects no cluster"
            ),
        ],
        id="a set without a selector",
    ),
    pytest.param(
        kubefleet("resourceSelectors: [{group: apps, version: v1, kind: Deployment, name: api}]"),
        [
            (
                "4:55: spec.resourceSelectors[0].kind: a Deployment lives in a namespace, and"
                " only cluster-scoped kinds are selected - select its Namespace, or use a"
                " ResourcePlacement"
            ),
        ],
        id="a namespaced kind",
    ),
    pytest.param(
        kubefleet(
            'resourceSelectors: [{group: "", version: v1, kind: Namespace, name: kube-system}]'
        ),
        [
            (
                "4:28: spec.resourceSelectors[0]: KubeFleet selects nothing with it; no object of"
                " the workload files matches"
            ),
            (
                "4:70: spec.resourceSelectors[0].name: the namespace 'kube-system' is reserved"
                " - the product refuses it"
            ),
        ],
        id="a reserved namespace",
    ),
    pytest.param(
        kubefleet("policy: {placementType: PickSome}"),
        [
            "4:1: spec.resourceSelectors: is required, but not there",
            (
                "4:17: spec.policy.placementType: 'PickSome' is not allowed; allowed are 'PickAll',"
                " 'PickFixed', 'PickN' - did you mean 'PickN'?"
            ),
        ],
        id="no selectors, and no such type",
    ),
    pytest.param(
        kubefleet(f"{ALL}, strategy: {{applyStrategy: {{type: ReportDiff}}}}"),
        [
            (
                "4:70: spec.resourceSelectors[0].name: KubeFleet places the Namespace 'shop' too,"
                " which is not in the workload files - add it, or have it on every cluster"
            ),
            (
                "4:111: spec.strategy.applyStrategy.type: only reports, and fleet would write"
                " - leave the placement out; fleet plan reports"
            ),
        ],
        id="a placement that only reports",
    ),
    pytest.param(
        kubefed("template: {}, placement: {clusters: [{nam: k1}]}"),
        [
            (
                "3:21: metadata.namespace: KubeFed places it only where a FederatedNamespace is,"
                " and there is none for its namespace - have the namespace on every cluster"
            ),
            "4:45: spec.placement.clusters[0].name: is required, but not there",
            (
                "4:46: spec.placement.clusters[0].nam: is no field of a cluster reference"
                " - did you mean 'name'?"
            ),
        ],
        id="a cluster without a name",
    ),
    pytest.param(
        kubefed(f"{CONFIG}, overrides: [{{clusterName: k1, clusterOverrides: [{{path: data}}]}}]"),
        [
            (
                "3:21: metadata.namespace: KubeFed places it only where a FederatedNamespace is,"
                " and there is none for its namespace - have the namespace on every cluster"
            ),
            (
                "4:118: spec.overrides[0].clusterOverrides[0].path: 'data' is not a JSON pointer:"
                " empty, or it begins with '/' (fleet's spec.rules[0].patch[0].path)"
            ),
        ],
        id="an override without a pointer",
    ),
    pytest.param(
        kubefed("totalReplicas: 0, clusters: {k1: {minReplicas: 3, maxReplicas: 2}}", *PREFERENCE),
        [
            "4:1: spec.targetKind: is required, but not there",
            "4:8: spec.totalReplicas: 0 is not allowed; allowed is 1 to 2147483647",
            "4:58: spec.clusters.k1.maxReplicas: 2 is less than minReplicas 3",
        ],
        id="a preference",
    ),
]


def loaded_with(policy: str) -> dict[str, str]:
    return {
        "inventory/x.yaml": CLUSTERS,
        "policies/x.yaml": policy,
        "workloads/api/all.yaml": OBJECTS,
    }


@pytest.mark.parametrize(("text", "lines"), WRONG)
def test_a_wrong_policy_is_refused(text: str, lines: list[str], faults: Faults) -> None:
    said = faults(loaded_with(text))
    own = [each for each in said if each.startswith("policies/x.yaml")]
    assert sorted(own) == sorted(f"policies/x.yaml:{line}" for line in lines)


def test_the_places_of_a_policy_lead_to_its_document(load: Load) -> None:
    text = ocm(
        "numberOfClusters: 2, predicates: [{}, {requiredClusterSelector: {labelSelector:"
        " {matchLabels: {env: prod}}}}], tolerations: [{key: a, operator: Exists}]"
    )
    found = load(loaded_with(text.replace("predicates: [{}, ", "predicates: [")))
    (policy,) = [each.placement for each in found.linked if each.workload.name == "shop/p"]
    places = {
        ("spec", "spread"): "4:8",
        ("spec", "affinity", "required", 0): "4:43",
        ("spec", "tolerations"): "4:115",
        ("metadata", "name"): "3:12",
    }
    for path, place in places.items():
        assert str(policy.origin.at(*path)) == f"policies/x.yaml:{place}"


def test_a_list_of_policies_is_read(load: Load) -> None:
    lines = "".join(f"  {line}\n" for line in ocm("").splitlines())
    found = load(loaded_with(f"kind: List\napiVersion: v1\nitems:\n- {lines[2:]}"))
    assert [each.workload.name for each in found.linked] == ["shop/p", "web"]


def test_claims_and_native_policies_stand_side_by_side(load: Load) -> None:
    found = load(loaded_with(ocm("")))
    assert {each.workload.name: each.placement.name for each in found.linked} == {
        "shop/p": "shop.p",
        "web": "web",
    }


def test_a_native_policy_that_names_a_claimed_workload_is_refused(load: Load) -> None:
    native = "apiVersion: fleet/v1\nkind: PlacementPolicy\nmetadata: {name: n}\n"
    text = f"{ocm('')}---\n{native}spec: {{workloads: [shop/p]}}\n"
    with pytest.raises(InvalidError, match="has two placement policies"):
        load(loaded_with(text))
