"""Clusters of other products: what each field becomes, and where a fault of it is said."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fleet.load import load_snapshot
from fleet.load.importing import import_files
from fleet.load.spell import spelled
from fleet.model.settings import Settings
from fleet.model.snapshot import Snapshot

Load = Callable[..., Snapshot]
Faults = Callable[..., list[str]]
REGION = "labels: {topology.kubernetes.io/region: eu-1}"

OCM = """\
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata:
  name: m
  uid: 9d3c
  creationTimestamp: "2026-01-01T00:00:00Z"
  labels: {env: prod}
spec:
  hubAcceptsClient: true
  leaseDurationSeconds: 60
  taints:
    - {key: gpu, effect: NoSelect, timeAdded: "2026-01-01T00:00:00Z"}
    - {key: old, value: "true", effect: NoSelectIfNew}
status:
  conditions: [{type: ManagedClusterJoined, status: "True"}]
  capacity: {cpu: "12"}
  allocatable: {cpu: 11500m, memory: 40Gi}
  version: {kubernetes: v1.31.2}
  clusterClaims:
    - {name: region.open-cluster-management.io, value: eu-west-1}
    - {name: platform.open-cluster-management.io, value: AWS}
"""
KUBEFLEET = """\
apiVersion: cluster.kubernetes-fleet.io/v1
kind: MemberCluster
metadata: {name: m, labels: {fleet.azure.com/location: w-eu, topology.kubernetes.io/zone: "1"}}
spec:
  identity: {kind: ServiceAccount, name: m}
  heartbeatPeriodSeconds: 15
  taints: [{key: full, value: "true", effect: NoSchedule}]
status:
  agentStatus:
    - type: MemberAgent
      conditions: [{type: Joined, status: "True"}, {type: Healthy, status: "True"}]
  properties:
    kubernetes-fleet.io/node-count: {value: "4", observationTime: "2026-01-01T00:00:00Z"}
    resources.kubernetes-fleet.io/available-cpu: {value: "7"}
    kubernetes.azure.com/per-cpu-core-cost: {value: "0.068"}
  resourceUsage:
    capacity: {cpu: "16"}
    allocatable: {cpu: "14", memory: 32Gi, pods: 110}
    available: {cpu: "7.5", memory: 32Gi}
    observationTime: "2026-01-01T00:00:00Z"
"""
TWICE = "status.properties.resources.kubernetes-fleet.io/available-cpu"
KUBEFED = """\
apiVersion: core.kubefed.io/v1beta1
kind: KubeFedCluster
metadata: {name: m}
spec: {apiEndpoint: "https://m.example:6443", caBundle: TEVU, secretRef: {name: m}}
status: {region: us-east1, zones: [us-east1-b, us-east1-c, us-east1-b]}
"""
PROFILE = """\
apiVersion: multicluster.x-k8s.io/v1alpha1
kind: ClusterProfile
metadata: {name: m, namespace: inventory, labels: {env: prod}}
spec: {displayName: The first, clusterManager: {name: some-manager}}
status:
  version: {kubernetes: 1.30.1}
  properties:
    - {name: topology.kubernetes.io/region, value: eu-north-1, lastObservedTime: "2026"}
    - {name: cost-per-core, value: "0.02"}
"""
CAPI = """\
apiVersion: cluster.x-k8s.io/v1beta1
kind: Cluster
metadata: {name: m, namespace: clusters}
spec:
  clusterNetwork: {pods: {cidrBlocks: [10.0.0.0/16]}}
  infrastructureRef: {kind: AWSManagedCluster, name: m}
  topology:
    class: large
    version: v1.31.0
    variables: [{name: region, value: eu-south-1}, {name: size, value: {nodes: 3}}]
status:
  phase: Deleting
  failureDomains: {eu-south-1b: {controlPlane: true}, eu-south-1a: {}}
"""
CLAIM = "claim.open-cluster-management.io/"
CLUSTERS = [
    pytest.param(
        OCM,
        {
            "region": "eu-west-1",
            "provider": "aws",
            "taints": [
                {"key": "gpu", "effect": "NoExecute", "timeAdded": "2026-01-01T00:00:00Z"},
                {"key": "old", "value": "true", "effect": "NoSchedule"},
            ],
            "capacity": {"allocatable": {"cpu": "11500m", "memory": "40Gi"}},
            "kubernetesVersion": "v1.31.2",
        },
        {
            "env": "prod",
            "cluster.open-cluster-management.io/clusterset": "default",
            f"{CLAIM}region.open-cluster-management.io": "eu-west-1",
            f"{CLAIM}platform.open-cluster-management.io": "AWS",
        },
        id="Open Cluster Management",
    ),
    pytest.param(
        KUBEFLEET,
        {
            "region": "w-eu",
            "zones": ["1"],
            "provider": "azure",
            "taints": [{"key": "full", "value": "true", "effect": "NoSchedule"}],
            "capacity": {
                "allocatable": {"cpu": "14", "memory": "32Gi", "pods": "110"},
                "reserved": {"cpu": "6500m", "pods": "110"},
            },
            "nodes": 4,
            "properties": {
                "kubernetes.azure.com/per-cpu-core-cost": "0.068",
                "resources.kubernetes-fleet.io/total-cpu": "16",
            },
        },
        {"fleet.azure.com/location": "w-eu", "topology.kubernetes.io/zone": "1"},
        id="KubeFleet",
    ),
    pytest.param(
        KUBEFED,
        {"region": "us-east1", "zones": ["us-east1-b", "us-east1-c"]},
        {},
        id="KubeFed",
    ),
    pytest.param(
        PROFILE,
        {
            "region": "eu-north-1",
            "properties": {"cost-per-core": "0.02"},
            "kubernetesVersion": "1.30.1",
        },
        {
            "env": "prod",
            "topology.kubernetes.io/region": "eu-north-1",
            "cost-per-core": "0.02",
            "x-k8s.io/cluster-manager": "some-manager",
        },
        id="ClusterProfile",
    ),
    pytest.param(
        CAPI,
        {
            "region": "eu-south-1",
            "zones": ["eu-south-1a", "eu-south-1b"],
            "provider": "aws",
            "state": "draining",
            "kubernetesVersion": "v1.31.0",
        },
        {},
        id="Cluster API",
    ),
]


@pytest.mark.parametrize(("text", "spec", "labels"), CLUSTERS)
def test_a_cluster_becomes_a_cluster(
    text: str, spec: dict[str, Any], labels: dict[str, str], load: Load
) -> None:
    (found,) = [each for each in load({"inventory/x.yaml": text}).clusters if each.name == "m"]
    assert spelled(found)["spec"] == spec
    assert dict(found.labels) == labels
    assert str(found.origin.start) == "inventory/x.yaml:1:1"


def test_a_list_of_clusters_is_taken_apart(load: Load) -> None:
    lines = "".join(f"  {line}\n" for line in KUBEFED.splitlines())
    text = f"apiVersion: v1\nkind: List\nitems:\n- {lines[2:]}"
    (found,) = [each for each in load({"inventory/x.yaml": text}).clusters if each.name == "m"]
    assert found.spec.region == "us-east1"
    assert str(found.origin.at("spec", "region")) == "inventory/x.yaml:8:12"


PLACES = [
    pytest.param(OCM, ("spec", "taints", 1), "13:7", id="a taint"),
    pytest.param(OCM, ("spec", "capacity", "allocatable", "cpu"), "17:17", id="an amount"),
    pytest.param(KUBEFLEET, ("spec", "region"), "3:30", id="a label"),
    pytest.param(CAPI, ("spec", "provider"), "6:23", id="a reference"),
]


@pytest.mark.parametrize(("text", "path", "place"), PLACES)
def test_a_field_stands_where_the_user_wrote_it(
    text: str, path: tuple[str | int, ...], place: str, load: Load
) -> None:
    (found,) = [each for each in load({"inventory/x.yaml": text}).clusters if each.name == "m"]
    assert str(found.origin.at(*path)) == f"inventory/x.yaml:{place}"


def ocm(spec: str, metadata: str = REGION, status: str = "{}") -> str:
    return (
        "apiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\n"
        f"metadata: {{name: m, {metadata}}}\nspec: {{hubAcceptsClient: true{spec}}}\n"
        f"status: {status}\n"
    )


KARMADA = "apiVersion: cluster.karmada.io/v1alpha1\nkind: Cluster\nmetadata: {name: m}\n"
WRONG = [
    pytest.param(
        KARMADA + "spec:\n  taints: [{effect: NoExecute, timeAdded: yesterday}]\n",
        [
            "5:12: spec.taints[0].key: is required, but not there",
            (
                "5:32: spec.taints[0].timeAdded: 'yesterday' is no time of RFC 3339, such as"
                " 2030-01-31T12:00:00Z"
            ),
        ],
        id="a taint of Karmada's",
    ),
    pytest.param(
        KARMADA.replace("Cluster", "{a: b}"),
        ["2:1: kind: a map is no kind of Karmada's"],
        id="a map as the kind",
    ),
    pytest.param(
        ocm("", "labels: {}"),
        [
            (
                "3:1: metadata: says no region, and every cluster of fleet has one - add the label"
                " 'topology.kubernetes.io/region', or the cluster claim"
                " 'region.open-cluster-management.io'"
            )
        ],
        id="no region",
    ),
    pytest.param(
        ocm(", taint: []"),
        [
            (
                "4:32: spec.taint: is no field of the spec of a ManagedCluster - did you mean"
                " 'taints'?"
            ),
        ],
        id="a field that does not exist",
    ),
    pytest.param(
        ocm(", taints: [{key: a, effect: NoSchedule}, 7]"),
        [
            (
                "4:50: spec.taints[0].effect: 'NoSchedule' is not allowed; allowed are 'NoSelect',"
                " 'NoSelectIfNew', 'PreferNoSelect' - did you mean 'NoSelect'?"
            ),
            "4:71: spec.taints[1]: wants a map, not the number 7",
        ],
        id="taints of another product",
    ),
    pytest.param(
        ocm(", taints: {a: b}, leaseDurationSeconds: 1", REGION, "{allocatable: {cpu: much}}"),
        [
            "4:32: spec.taints: wants a list, not a map",
            (
                "5:24: status.allocatable.cpu: 'much' is no Kubernetes quantity, such as 2, 500m,"
                " 1.5 or 4Gi"
            ),
        ],
        id="no list and no quantity",
    ),
    pytest.param(
        ocm("", REGION, "{allocatable: {cpu: -4}, clusterClaims: [{value: x}]}"),
        [
            "5:50: status.clusterClaims[0].name: is required, but not there",
        ],
        id="a claim without a name",
    ),
    pytest.param(
        ocm("", REGION, "{allocatable: {cpu: -4}}"),
        ["5:24: status.allocatable.cpu: '-4' is negative; a quantity here is 0 or more"],
        id="a negative amount",
    ),
    pytest.param(
        ocm("").replace("name: m", "name: M_1"),
        [
            (
                "3:12: metadata.name: 'M_1' is not a name: lower case letters, digits, '-' and"
                " '.', at most 253 characters (fleet's metadata.name)"
            )
        ],
        id="no name",
    ),
    pytest.param(
        ocm("").replace("true", '"yes"'),
        ["4:8: spec.hubAcceptsClient: wants true or false, not 'yes'"],
        id="no truth value",
    ),
    pytest.param(
        "apiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedClustre\nmetadata: {}\n",
        [
            (
                "2:1: kind: 'ManagedClustre' is no kind of Open Cluster Management that is read"
                " here - did you mean 'ManagedCluster'?"
            )
        ],
        id="a kind that does not exist",
    ),
    pytest.param(
        KUBEFLEET.replace('available: {cpu: "', 'available: {cpu: "-'),
        [
            (
                "5:3: spec.identity: KubeFleet is reached by an agent on the cluster - fleet"
                " reaches a cluster by spec.connection of its own document, this one and all others"
            ),
            (
                f"14:5: {TWICE}: KubeFleet reads this amount from status.resourceUsage, wherever"
                " else it is said"
            ),
            (
                "19:5: status.resourceUsage.available: '-7.5' is negative; a quantity here is 0 or"
                " more"
            ),
        ],
        id="less than nothing available",
    ),
    pytest.param(
        CAPI.replace("{name: m, namespace: clusters}", "{namespace: clusters, label: {}}"),
        [
            "3:1: metadata.name: is required, but not there",
            "3:33: metadata.label: is no field of metadata - did you mean 'labels'?",
        ],
        id="metadata",
    ),
]


@pytest.mark.parametrize(("text", "lines"), WRONG)
def test_a_wrong_cluster_is_refused(text: str, lines: list[str], faults: Faults) -> None:
    assert faults({"inventory/x.yaml": text}) == [f"inventory/x.yaml:{line}" for line in lines]


TOLD = [
    pytest.param(
        ocm(
            ', taints: [{key: a, effect: PreferNoSelect}], managedClusterClientConfigs: [{url: ""}]'
        ),
        {"spec.taints[0].effect", "spec.managedClusterClientConfigs[0]"},
        id="Open Cluster Management",
    ),
    pytest.param(
        ocm("").replace("true", "false"), {"spec.hubAcceptsClient"}, id="not accepted by the hub"
    ),
    pytest.param(KUBEFLEET, {"spec.identity", TWICE}, id="KubeFleet"),
    pytest.param(
        KUBEFED.replace("status: {", 'status: {conditions: [{type: Ready, status: "False"}], '),
        {"spec.apiEndpoint", "status.conditions[0]"},
        id="not ready",
    ),
    pytest.param(
        PROFILE
        + "  credentialProviders: [{name: x}]\n"
        + '  conditions: [{type: ControlPlaneHealthy, status: "False"}]\n',
        {"status.credentialProviders", "status.conditions[0]"},
        id="an unhealthy control plane",
    ),
    pytest.param(
        CAPI.replace("spec:\n", "spec:\n  paused: true\n  controlPlaneEndpoint: {host: m}\n", 1),
        {"spec.paused", "spec.controlPlaneEndpoint"},
        id="Cluster API",
    ),
]


@pytest.mark.parametrize(("text", "fields"), TOLD)
def test_what_a_cluster_says_in_vain_is_told(text: str, fields: set[str], load: Load) -> None:
    found = load({"inventory/x.yaml": text}).findings
    told = {str(each.values["field"]) for each in found if each.code.startswith("import-")}
    assert told == fields


STATES = [
    pytest.param(OCM.replace("true", "false"), "draining", id="not accepted"),
    pytest.param(
        OCM.replace("  name: m\n", '  name: m\n  deletionTimestamp: "2026-01-01T00:00:00Z"\n'),
        "draining",
        id="being deleted",
    ),
    pytest.param(OCM, "active", id="everything else"),
]


@pytest.mark.parametrize(("text", "state"), STATES)
def test_state(text: str, state: str, load: Load) -> None:
    (found,) = [each for each in load({"inventory/x.yaml": text}).clusters if each.name == "m"]
    assert found.spec.state == state


def test_what_takes_nothing_new_is_tainted_beside_its_own_taints(load: Load) -> None:
    text = KUBEFLEET.replace('Joined, status: "True"', 'Joined, status: "False"')
    (found,) = [each for each in load({"inventory/x.yaml": text}).clusters if each.name == "m"]
    said = [(each.key, each.value, each.effect) for each in found.spec.taints]
    assert said == [
        ("full", "true", "NoSchedule"),
        ("kubernetes-fleet.io/not-eligible", "not-joined", "NoSchedule"),
    ]
    assert [found.origin.at("spec", "taints", index).line for index in (0, 1)] == [7, 11]


def test_imported_inventories_are_the_same_clusters(tmp_path: Path) -> None:
    texts = [OCM, KUBEFLEET, KUBEFED, PROFILE, CAPI]
    named = [text.replace("name: m,", f"name: m{number},", 1) for number, text in enumerate(texts)]
    named = [text.replace("name: m}", f"name: m{number}}}", 1) for number, text in enumerate(named)]
    named[0] = named[0].replace("  name: m\n", "  name: m0\n")
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "x.yaml").write_text("---\n".join(named))
    (tmp_path / "none").mkdir()
    keys = {"policies": ("none",), "workloads": ("none",)}
    theirs = load_snapshot(Settings.model_validate({"inventory": ("theirs",), **keys}), tmp_path)
    written = import_files(["theirs"], tmp_path)
    (tmp_path / "ours.yaml").write_text(written.files["inventory/clusters.yaml"])
    ours = load_snapshot(Settings.model_validate({"inventory": ("ours.yaml",), **keys}), tmp_path)
    assert len(ours.clusters) == 5
    assert [spelled(each) for each in ours.clusters] == [spelled(each) for each in theirs.clusters]
