"""Fields of other products that are accepted and decide nothing here: each is told at its line."""

from collections.abc import Callable

import pytest

from fleet.explain.sentences import finding_sentence
from fleet.model.snapshot import Snapshot

Load = Callable[..., Snapshot]
REGION = "labels: {topology.kubernetes.io/region: r}"
SHOP = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n"


def ocm(version: str, kind: str, rest: str, namespace: str = "") -> str:
    inside = f", namespace: {namespace}" if namespace else ""
    start = f"apiVersion: cluster.open-cluster-management.io/{version}\nkind: {kind}\n"
    return f"{start}metadata: {{name: m{inside}, {REGION}}}\n{rest}\n"


def karmada(rest: str) -> str:
    start = "apiVersion: cluster.karmada.io/v1alpha1\nkind: Cluster\n"
    return f"{start}metadata: {{name: m}}\n{rest}\n"


def kubefleet(rest: str) -> str:
    start = "apiVersion: placement.kubernetes-fleet.io/v1\nkind: ClusterResourcePlacement\n"
    chosen = '{group: "", version: v1, kind: Namespace, name: shop}'
    return f"{start}metadata: {{name: p}}\nspec:\n  resourceSelectors: [{chosen}]\n{rest}\n"


def member(rest: str) -> str:
    start = "apiVersion: cluster.kubernetes-fleet.io/v1\nkind: MemberCluster\n"
    return f"{start}metadata: {{name: m, {REGION}}}\n{rest}\n"


def scored(coordinate: str) -> str:
    binding = ocm(
        "v1beta2", "ManagedClusterSetBinding", "spec: {clusterSet: default}", "shop"
    ).replace("name: m", "name: default")
    one = f"{{scoreCoordinate: {coordinate}}}"
    spec = f"spec:\n  prioritizerPolicy:\n    configurations: [{one}]"
    return f"{ocm('v1beta1', 'Placement', spec, 'shop')}---\n{binding}"


def conditions(kind: str, value: str) -> str:
    return f"status:\n  conditions:\n  - {{type: {kind}, status: '{value}'}}"


AVAILABLE = "ManagedClusterConditionAvailable"
ACCEPTED = "spec: {hubAcceptsClient: true}\n"
PROFILE = "apiVersion: multicluster.x-k8s.io/v1alpha1\nkind: ClusterProfile\n"
CAPI = "apiVersion: cluster.x-k8s.io/v1beta1\nkind: Cluster\n"
OVERRIDE = (
    "apiVersion: placement.kubernetes-fleet.io/v1\nkind: ClusterResourceOverride\n"
    "metadata: {name: o}\nspec:\n  placement: {name: q}\n  clusterResourceSelectors:\n"
    '  - {group: "", version: v1, kind: Namespace, name: shop}\n  policy:\n    overrideRules:\n'
    "    - {clusterSelector: {}, jsonPatchOverrides: [{op: add, path: /x, value: y}]}\n"
)
TYPE = (
    "apiVersion: core.kubefed.io/v1beta1\nkind: FederatedTypeConfig\nmetadata: {name: w}\n"
    "spec:\n  propagation: Disabled\n  federatedType: {kind: FederatedWidget}\n"
    "  targetType: {group: a.b, version: v1, kind: Widget}\n"
)
NAMED = [
    pytest.param(
        kubefleet("  strategy:\n    applyStrategy:\n      allowCoOwnership: true"),
        "8:7: spec.strategy.applyStrategy.allowCoOwnership: KubeFleet follows it when it writes",
        id="KubeFleet allowCoOwnership",
    ),
    pytest.param(
        kubefleet("  strategy:\n    applyStrategy:\n      serverSideApplyConfig: {force: true}"),
        "8:7: spec.strategy.applyStrategy.serverSideApplyConfig: KubeFleet follows it when",
        id="KubeFleet serverSideApplyConfig",
    ),
    pytest.param(
        kubefleet("  strategy:\n    applyStrategy:\n      comparisonOption: FullComparison"),
        "8:7: spec.strategy.applyStrategy.comparisonOption: KubeFleet follows it when it writes",
        id="KubeFleet comparisonOption",
    ),
    pytest.param(
        kubefleet("  revisionHistoryLimit: 3"),
        "6:3: spec.revisionHistoryLimit: KubeFleet follows it in what it keeps and reports",
        id="KubeFleet revisionHistoryLimit",
    ),
    pytest.param(
        kubefleet("  statusReportingScope: ClusterScopeOnly"),
        "6:3: spec.statusReportingScope: KubeFleet follows it in what it keeps and reports",
        id="KubeFleet statusReportingScope",
    ),
    pytest.param(
        OVERRIDE,
        "5:15: spec.placement.name: KubeFleet changes nothing with it: there is no placement 'q'",
        id="KubeFleet an override for no placement",
    ),
    pytest.param(
        member("spec:\n  identity: {name: m}"),
        "5:3: spec.identity: KubeFleet is reached by an agent on the cluster",
        id="KubeFleet identity",
    ),
    pytest.param(
        member("spec:\n  deleteOptions: {validationMode: Skip}"),
        "5:3: spec.deleteOptions: KubeFleet follows it when a cluster leaves",
        id="KubeFleet deleteOptions",
    ),
    pytest.param(
        member("status:\n  properties:\n    resources.kubernetes-fleet.io/total-cpu: {value: 3}"),
        "",
        id="KubeFleet a total is a property",
    ),
    pytest.param(
        scored("{type: AddOn, builtIn: Steady, addOn: {resourceName: u, scoreName: v}}"),
        "6:54: spec.prioritizerPolicy.configurations[0].scoreCoordinate.builtIn: Open Cluster"
        " Management ignores it with the type 'AddOn'",
        id="OCM builtIn beside addOn",
    ),
    pytest.param(
        scored("{builtIn: Steady, addOn: {resourceName: u, scoreName: v}}"),
        "6:58: spec.prioritizerPolicy.configurations[0].scoreCoordinate.addOn: Open Cluster"
        " Management ignores it with the type 'BuiltIn'",
        id="OCM addOn beside builtIn",
    ),
    pytest.param(
        ocm(
            "v1beta2",
            "ManagedClusterSet",
            "spec:\n  clusterSelector: {labelSelector: {matchLabels: {a: b}}}",
        ),
        "5:21: spec.clusterSelector.labelSelector: Open Cluster Management ignores it with the"
        " selectorType 'ExclusiveClusterSetLabel'",
        id="OCM a labelSelector of a set by label",
    ),
    pytest.param(
        ocm("v1", "ManagedCluster", ACCEPTED + conditions(AVAILABLE, "Unknown")),
        "7:5: status.conditions[0]: Open Cluster Management taints a cluster that is not available",
        id="OCM not available, without the taint",
    ),
    pytest.param(
        ocm(
            "v1",
            "ManagedCluster",
            "spec:\n  hubAcceptsClient: true\n  taints:\n"
            "  - {key: cluster.open-cluster-management.io/unreachable, effect: NoSelect}\n"
            + conditions(AVAILABLE, "Unknown"),
        ),
        "",
        id="OCM not available, with the taint",
    ),
    pytest.param(
        ocm("v1", "ManagedCluster", ACCEPTED + conditions(AVAILABLE, "True")),
        "",
        id="OCM available",
    ),
    pytest.param(ocm("v1", "ManagedCluster", ACCEPTED), "", id="OCM says nothing"),
    pytest.param(
        karmada("spec:\n  apiEndpoint: https://m.example\n  secretRef: {name: m, namespace: n}"),
        "5:3: spec.apiEndpoint: Karmada reaches a cluster by an endpoint and a secret",
        id="Karmada apiEndpoint",
    ),
    pytest.param(
        karmada("spec:\n  syncMode: Pull"),
        "5:3: spec.syncMode: Karmada reaches a cluster by an agent on the cluster",
        id="Karmada syncMode",
    ),
    pytest.param(
        karmada("status:\n  remedyActions: [TrafficControl]"),
        "5:3: status.remedyActions: Karmada reports it, and nothing here reads it",
        id="Karmada remedyActions",
    ),
    pytest.param(
        karmada(conditions("Ready", "False")),
        "6:5: status.conditions[0]: Karmada taints a cluster that is not ready",
        id="Karmada not ready, without the taint",
    ),
    pytest.param(
        karmada(
            "spec:\n  taints: [{key: cluster.karmada.io/not-ready, effect: NoSchedule}]\n"
            + conditions("Ready", "False")
        ),
        "",
        id="Karmada not ready, with the taint",
    ),
    pytest.param(karmada(conditions("Ready", "True")), "", id="Karmada ready"),
    pytest.param(karmada(conditions("Other", "False")), "", id="Karmada another condition"),
    pytest.param(karmada("status: {conditions: 7}"), "", id="Karmada no conditions at all"),
    pytest.param(
        f"{PROFILE}metadata: {{name: m, {REGION}}}\n{conditions('ControlPlaneHealthy', 'Unknown')}",
        "6:5: status.conditions[0]: ClusterProfile does not report a healthy control plane",
        id="ClusterProfile unknown health",
    ),
    pytest.param(
        TYPE,
        "5:3: spec.propagation: KubeFed places no object of this type then",
        id="KubeFed propagation",
    ),
    pytest.param(
        f"{CAPI}metadata: {{name: m, {REGION}}}\nstatus:\n  phase: Provisioning\n",
        "5:3: status.phase: Cluster API has not built the cluster, it is 'Provisioning'",
        id="Cluster API phase",
    ),
    pytest.param(
        f"{CAPI}metadata: {{name: m, {REGION}}}\nstatus:\n  phase: Provisioned\n",
        "",
        id="Cluster API is there",
    ),
]
WORTH = ("import-ignored", "import-differs")
OF_OTHERS = ("status.agentStatus", "metadata.name", "spec.clusterResourceSelectors")


@pytest.mark.parametrize(("text", "line"), NAMED)
def test_what_decides_nothing_is_told(text: str, line: str, load: Load) -> None:
    files = {"inventory/x.yaml": text, "workloads/web/shop.yaml": SHOP}
    found = [
        f"{str(each.source).removeprefix('inventory/x.yaml:')}: {finding_sentence(each)}"
        for each in load(files).findings
        if each.code in WORTH and each.values["field"] not in OF_OTHERS
    ]
    assert len(found) == bool(line)
    assert all(each.startswith(line) for each in found), found


WRONG = [
    pytest.param("topology: {clas: x}", "clas: is no field of a topology", id="field"),
    pytest.param(
        "topology: {variables: [{nam: x}]}",
        "nam: is no field of a topology variable",
        id="a variable",
    ),
    pytest.param(
        "infrastructureRef: {kin: AWSCluster}",
        "kin: is no field of an infrastructureRef",
        id="a reference",
    ),
]


@pytest.mark.parametrize(("spec", "fault"), WRONG)
def test_a_field_that_cluster_api_does_not_have(
    spec: str, fault: str, faults: Callable[..., list[str]]
) -> None:
    (line,) = faults(
        {"inventory/x.yaml": f"{CAPI}metadata: {{name: m, {REGION}}}\nspec: {{{spec}}}"}
    )
    assert fault in line
