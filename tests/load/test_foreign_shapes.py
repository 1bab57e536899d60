"""Whatever a field of another product's document holds, the answer is a value or a sentence."""

import copy
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from fleet.errors import ErrorList
from fleet.load.importers import convert_all, is_known_kind
from fleet.load.importers.importer import Context
from fleet.load.objects import read_objects
from fleet.load.scalars import KUBERNETES
from fleet.load.source import Document, read_documents
from fleet.model.source import Path

OBJECTS = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: a, namespace: shop, labels: {cluster.open-cluster-management.io/placement: p}}
"""
OCM = """\
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: {name: c1, labels: {topology.kubernetes.io/region: r}, annotations: {a: b}}
spec:
  hubAcceptsClient: true
  managedClusterClientConfigs: [{url: a}]
  taints: [{key: a, value: b, effect: NoSelect, timeAdded: "2026-01-01T00:00:00Z"}]
status:
  allocatable: {cpu: 4}
  version: {kubernetes: v1}
  clusterClaims: [{name: a, value: b}]
---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSet
metadata: {name: s}
spec: {clusterSelector: {selectorType: LabelSelector, labelSelector: {matchLabels: {a: b}}}}
---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: {name: s, namespace: shop}
spec: {clusterSet: s}
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: {name: p, namespace: shop}
spec:
  clusterSets: [s]
  numberOfClusters: 2
  predicates:
    - requiredClusterSelector:
        labelSelector: {matchExpressions: [{key: a, operator: In, values: [b]}]}
        claimSelector: {matchExpressions: [{key: a, operator: Exists}]}
  prioritizerPolicy:
    mode: Exact
    configurations:
      - {scoreCoordinate: {type: BuiltIn, builtIn: Steady}, weight: 2}
      - {scoreCoordinate: {type: AddOn, addOn: {resourceName: u, scoreName: v}}}
  tolerations: [{key: a, operator: Equal, value: b, effect: NoSelect, tolerationSeconds: 3}]
  decisionStrategy:
    groupStrategy: {decisionGroups: [{groupName: g, groupClusterSelector: {labelSelector: {}}}]}
---
apiVersion: cluster.open-cluster-management.io/v1alpha1
kind: AddOnPlacementScore
metadata: {name: u, namespace: c1}
status: {scores: [{name: v, value: -3}], validUntil: "2026-01-01T00:00:00Z"}
"""
KUBEFLEET = """\
apiVersion: cluster.kubernetes-fleet.io/v1
kind: MemberCluster
metadata: {name: m1, labels: {topology.kubernetes.io/region: r}}
spec: {identity: {}, taints: [{key: a, value: b, effect: NoSchedule}]}
status:
  conditions: [{type: Joined, status: "True"}]
  agentStatus: [{type: MemberAgent, conditions: [{type: Joined, status: "True"}]}]
  properties: {kubernetes-fleet.io/node-count: {value: "4"}, cost: {value: "1.5"}}
  resourceUsage: {capacity: {cpu: 4}, allocatable: {cpu: 4}, available: {cpu: 2}}
---
apiVersion: placement.kubernetes-fleet.io/v1
kind: ClusterResourcePlacement
metadata: {name: p}
spec:
  resourceSelectors: [{group: "", version: v1, kind: Namespace, name: shop}]
  policy:
    placementType: PickN
    numberOfClusters: 2
    affinity:
      clusterAffinity:
        requiredDuringSchedulingIgnoredDuringExecution:
          clusterSelectorTerms:
            - labelSelector: {matchLabels: {a: b}}
              propertySelector: {matchExpressions: [{name: cost, operator: Lt, values: ["2"]}]}
        preferredDuringSchedulingIgnoredDuringExecution:
          - {weight: 3, preference: {labelSelector: {matchLabels: {a: b}}}}
    topologySpreadConstraints: [{topologyKey: a, maxSkew: 1, whenUnsatisfiable: DoNotSchedule}]
    tolerations: [{key: a, operator: Equal, value: b, effect: NoSchedule}]
  strategy:
    rollingUpdate: {maxSurge: 1}
    applyStrategy: {type: ServerSideApply, whenToApply: Always, whenToTakeOver: Always}
---
apiVersion: placement.kubernetes-fleet.io/v1
kind: ResourceOverride
metadata: {name: o, namespace: shop}
spec:
  placement: {name: p, scope: Cluster}
  resourceSelectors: [{group: "", version: v1, kind: ConfigMap, name: a}]
  policy:
    overrideRules:
      - clusterSelector: {clusterSelectorTerms: [{labelSelector: {matchLabels: {a: b}}}]}
        jsonPatchOverrides: [{op: add, path: /data, value: {a: b}}]
"""
KUBEFED = """\
apiVersion: core.kubefed.io/v1beta1
kind: KubeFedCluster
metadata: {name: k1}
spec: {apiEndpoint: a, secretRef: {name: b}}
status: {region: r, zones: [a], conditions: [{type: Ready, status: "True"}]}
---
apiVersion: core.kubefed.io/v1beta1
kind: FederatedTypeConfig
metadata: {name: widgets}
spec: {federatedType: {kind: FederatedWidget}, targetType: {group: a.b, version: v1, kind: Widget}}
---
apiVersion: types.kubefed.io/v1beta1
kind: FederatedNamespace
metadata: {name: shop, namespace: shop}
spec: {placement: {clusters: [{name: k1}]}}
---
apiVersion: types.kubefed.io/v1beta1
kind: FederatedDeployment
metadata: {name: w, namespace: shop}
spec:
  retainReplicas: false
  template:
    metadata: {labels: {a: b}}
    spec:
      replicas: 2
      selector: {matchLabels: {a: b}}
      template:
        metadata: {labels: {a: b}}
        spec: {containers: [{name: a, image: b}]}
  placement: {clusterSelector: {matchLabels: {a: b}}}
  overrides: [{clusterName: k1, clusterOverrides: [{op: replace, path: /spec/replicas, value: 3}]}]
---
apiVersion: scheduling.kubefed.io/v1alpha1
kind: ReplicaSchedulingPreference
metadata: {name: w, namespace: shop}
spec:
  targetKind: FederatedDeployment
  totalReplicas: 4
  rebalance: true
  intersectWithClusterSelector: true
  clusters: {k1: {weight: 2, minReplicas: 1, maxReplicas: 3}, "*": {weight: 1}}
"""
KARMADA = """\
apiVersion: cluster.karmada.io/v1alpha1
kind: Cluster
metadata: {name: m1, labels: {env: prod}}
spec:
  syncMode: Push
  apiEndpoint: https://m1
  secretRef: {name: m1, namespace: x}
  provider: aws
  region: eu
  zones: [a]
  taints: [{key: a, value: b, effect: NoSchedule, timeAdded: "2026-01-01T00:00:00Z"}]
  resourceModels: [{grade: 0, ranges: [{name: cpu, min: "0", max: "9223372036854775807"}]}]
status:
  kubernetesVersion: v1.30.0
  apiEnablements: [{groupVersion: v1, resources: [{name: configmaps, kind: ConfigMap}]}]
  conditions: [{type: Ready, status: "True"}]
  nodeSummary: {totalNum: 3, readyNum: 3}
  resourceSummary:
    allocatable: {cpu: 10, memory: 20Gi, pods: 100}
    allocated: {cpu: 2}
    allocatableModelings: [{grade: 0, count: 3}]
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: p, namespace: shop}
spec:
  resourceSelectors: [{apiVersion: v1, kind: ConfigMap, name: a}]
  dependentOverrides: [o]
  placement:
    clusterAffinities:
    - {affinityName: one, labelSelector: {matchLabels: {env: prod}}, exclude: [m3]}
    - affinityName: two
      fieldSelector: {matchExpressions: [{key: region, operator: In, values: [eu]}]}
    clusterTolerations: [{key: a, operator: Exists, effect: NoExecute, tolerationSeconds: 3}]
    replicaScheduling:
      replicaSchedulingType: Divided
      replicaDivisionPreference: Weighted
      weightPreference: {staticWeightList: [{targetCluster: {clusterNames: [m1]}, weight: 2}]}
    spreadConstraints: [{spreadByField: cluster, minGroups: 1, maxGroups: 2}]
  failover: {application: {decisionConditions: {tolerationSeconds: 3}, purgeMode: Gracefully}}
---
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: o, namespace: shop}
spec:
  resourceSelectors: [{apiVersion: v1, kind: ConfigMap, name: a}]
  overrideRules:
  - targetCluster: {clusterNames: [m1]}
    overriders: {labelsOverrider: [{operator: add, value: {a: b}}]}
"""
INVENTORIES = """\
apiVersion: multicluster.x-k8s.io/v1alpha1
kind: ClusterProfile
metadata: {name: p1, namespace: n}
spec: {displayName: a, clusterManager: {name: b}}
status:
  conditions: [{type: ControlPlaneHealthy, status: "True"}]
  version: {kubernetes: v1}
  properties: [{name: region, value: r}]
  accessProviders: [{name: a}]
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: x1, namespace: n}
spec:
  paused: false
  controlPlaneEndpoint: {host: a, port: 6443}
  infrastructureRef: {kind: AWSCluster, name: a}
  topology: {class: a, version: v1, variables: [{name: region, value: r}]}
status: {phase: Provisioned, failureDomains: [{name: a}]}
"""
OTHERS: list[Any] = [None, 7, -1, 1.5, True, "x", "", [], [7], [None], {}, {"x": 7}, {"x": {}}]


def paths(value: object, path: Path = ()) -> Iterator[Path]:
    """Every path of a document but its apiVersion, which says whose it is."""
    children: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        children = [(key, each) for key, each in value.items() if key != "apiVersion"]
    elif isinstance(value, list):
        children = list(enumerate(value))
    for step, child in children:
        yield (*path, step)
        yield from paths(child, (*path, step))


def changed(document: object, path: Path, value: object) -> object:
    """A copy of a document with another value at a path."""
    made = copy.deepcopy(document)
    inside: Any = made
    for step in path[:-1]:
        inside = inside[step]
    inside[path[-1]] = value
    return made


def converted(documents: list[object], origin: Document) -> int:
    """Converts documents, all with the places of one; returns how many faults there are."""
    errors = ErrorList()
    (objects,) = read_documents("o.yaml", OBJECTS, KUBERNETES, errors).documents
    manifests = [each.manifest for each in read_objects(objects, errors)]
    foreign = [Document(each, origin.origin, origin.marks) for each in documents]
    assert [is_known_kind(each.data) for each in foreign if isinstance(each.data, dict)]
    imported = convert_all(foreign, Context(manifests, errors))
    for claim in imported.workloads:
        assert claim.placement is not None
        assert claim.objects
    return len(errors.errors)


@pytest.mark.parametrize(
    "text",
    [OCM, KUBEFLEET, KUBEFED, INVENTORIES, KARMADA],
    ids=["OCM", "KubeFleet", "KubeFed", "others", "Karmada"],
)
def test_every_value_in_every_place_is_read_or_refused(text: str) -> None:
    documents = list(yaml.safe_load_all(text))
    origin = read_documents("x.yaml", text, KUBERNETES, ErrorList()).documents[0]
    assert converted(documents, origin) == 0
    refused = 0
    for index, document in enumerate(documents):
        for path in paths(document):
            for value in OTHERS:
                tried = [*documents]
                tried[index] = changed(document, path, copy.deepcopy(value))
                refused += converted(tried, origin) > 0
    assert refused
