"""Documents of other products -> files of fleet."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from fleet.errors import InvalidError
from fleet.load.importing import import_files
from fleet.load.written import Written

CLUSTER = """\
apiVersion: core.kubefed.io/v1beta1
kind: KubeFedCluster
metadata: {name: a, labels: {env: "no"}}
status: {region: r1}
"""
FEDERATED = """\
apiVersion: types.kubefed.io/v1beta1
kind: FederatedConfigMap
metadata: {name: settings, namespace: shop}
spec:
  template: {data: {version: "1.10"}}
  placement: {clusters: [{name: a}]}
  overrides: [{clusterName: a, clusterOverrides: [{path: /data/version, value: "2"}]}]
"""
PLACEMENT = """\
apiVersion: placement.kubernetes-fleet.io/v1
kind: ResourcePlacement
metadata: {name: web, namespace: shop}
spec: {resourceSelectors: [{group: apps, version: v1, kind: Deployment, name: web}]}
"""
DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
status: {replicas: 1}
metadata:
  name: web
  namespace: shop
  uid: 1b2c
  annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}"}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1"}]}
"""
NATIVE = "apiVersion: fleet/v1\nkind: Cluster\nmetadata: {name: b}\nspec: {region: r2}\n"
OTHER = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other, namespace: shop}\n"


def imported(root: Path, *texts: str) -> Written:
    (root / "x.yaml").write_text("---\n".join(texts))
    return import_files(["x.yaml"], root)


def data(written: Written, path: str) -> list[Any]:
    return list(yaml.safe_load_all(written.files[path]))


def test_every_kind_goes_where_it_belongs(tmp_path: Path) -> None:
    written = imported(tmp_path, CLUSTER, FEDERATED, PLACEMENT, DEPLOYMENT)
    assert list(written.files) == [
        "inventory/clusters.yaml",
        "policies/shop.settings.configmap.yaml",
        "workloads/shop.settings.configmap/objects.yaml",
        "workloads/shop.settings.configmap/fleet.yaml",
        "policies/shop.web.yaml",
        "workloads/shop.web/objects.yaml",
        "workloads/shop.web/fleet.yaml",
    ]
    (cluster,) = data(written, "inventory/clusters.yaml")
    assert cluster["metadata"] == {"name": "a", "labels": {"env": "no"}}
    policy, override = data(written, "policies/shop.settings.configmap.yaml")
    assert policy["spec"]["workloads"] == ["shop.settings.configmap"]
    assert override["metadata"]["name"] == "shop.settings.configmap.001"
    assert override["spec"]["rules"][0]["patch"][0]["value"] == "2"


def test_an_object_is_written_as_it_was_applied(tmp_path: Path) -> None:
    written = imported(tmp_path, CLUSTER, PLACEMENT, DEPLOYMENT)
    (deployment,) = data(written, "workloads/shop.web/objects.yaml")
    assert list(deployment) == ["apiVersion", "kind", "metadata", "spec"]
    assert deployment["metadata"] == {"name": "web", "namespace": "shop"}


def test_every_file_says_where_it_comes_from(tmp_path: Path) -> None:
    written = imported(tmp_path, CLUSTER, FEDERATED)
    first = {path: text.splitlines()[0] for path, text in written.files.items()}
    assert first["inventory/clusters.yaml"] == "# from x.yaml:1:1"
    assert first["policies/shop.settings.configmap.yaml"] == "# from x.yaml:6:1"


def test_what_is_not_taken_over_is_told(tmp_path: Path) -> None:
    written = imported(tmp_path, CLUSTER, NATIVE, OTHER)
    assert [(str(source), sentence) for source, sentence in written.left] == [
        ("x.yaml:6:1", "is a document of fleet already"),
        ("x.yaml:11:1", "no policy places ConfigMap 'other' in namespace 'shop'"),
    ]
    assert list(written.files) == ["inventory/clusters.yaml"]


def test_lists_are_taken_apart(tmp_path: Path) -> None:
    def item(text: str) -> str:
        lines = text.splitlines()
        return f"- {lines[0]}\n" + "".join(f"  {line}\n" for line in lines[1:])

    kubectl = f"apiVersion: v1\nkind: List\nitems:\n{item(PLACEMENT)}{item(DEPLOYMENT)}"
    of_kind = "apiVersion: core.kubefed.io/v1beta1\nkind: KubeFedClusterList\nitems:\n- {}\n"
    of_kind = of_kind.replace("{}", "{metadata: {name: a}, status: {region: r1}}")
    written = imported(tmp_path, kubectl, of_kind)
    assert list(written.files) == [
        "inventory/clusters.yaml",
        "policies/shop.web.yaml",
        "workloads/shop.web/objects.yaml",
        "workloads/shop.web/fleet.yaml",
    ]


REFUSED = [
    pytest.param((CLUSTER, CLUSTER), "the cluster 'a' is already at x.yaml:1:1", id="twice"),
    pytest.param((OTHER,), "import: there is no document of another product", id="nothing"),
    pytest.param((CLUSTER.replace("region", "regoin"),), "x.yaml:4:10: status.regoin", id="a typo"),
    pytest.param((CLUSTER, "a: [1"), "x.yaml:7:1: the YAML is broken", id="broken YAML"),
]


@pytest.mark.parametrize(("texts", "sentence"), REFUSED)
def test_a_fault_is_refused(texts: tuple[str, ...], sentence: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidError) as refused:
        imported(tmp_path, *texts)
    assert sentence in str(refused.value)


def test_a_path_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidError, match="import: 'none' does not exist"):
        import_files(["none"], tmp_path)


def test_what_has_no_form_as_a_file_is_refused(tmp_path: Path) -> None:
    karmada = "apiVersion: cluster.karmada.io/v1alpha1\nkind: Cluster\nmetadata: {name: k}\n"
    with pytest.raises(InvalidError) as refused:
        imported(tmp_path, f"{karmada}spec: {{syncMode: Push}}\n")
    sentence = "x.yaml:4:1: spec.region: is empty; it wants text in a file of fleet"
    assert sentence in str(refused.value)


def test_what_a_controller_makes_is_left_to_it(tmp_path: Path) -> None:
    owner = "ownerReferences: [{kind: Deployment, name: web, controller: true}]"
    text = f"apiVersion: v1\nkind: Pod\nmetadata: {{name: web-1, namespace: shop, {owner}}}\n"
    written = imported(tmp_path, CLUSTER, text)
    assert [sentence for _, sentence in written.left] == ["another object makes it"]


KARMADA = """\
apiVersion: cluster.karmada.io/v1alpha1
kind: Cluster
metadata: {name: a}
spec: {region: r1}
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: web, namespace: shop}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}]
  placement: {clusterAffinity: %s}
---
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: web, namespace: shop}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}]
  overrideRules:
  - targetCluster: {clusterNames: [gone, a]}
    overriders: {labelsOverrider: [{operator: add, value: {x: z}}]}
"""
NOBODY = {"matchFields": [{"key": "name", "operator": "NotIn", "values": ["a"]}]}
STRANGERS = [
    pytest.param("{clusterNames: [gone, a]}", {"clusters": ["a"]}, id="one of two is there"),
    pytest.param("{clusterNames: [gone]}", NOBODY, id="none is there"),
    pytest.param("{clusterNames: [a], exclude: [gone]}", {"clusters": ["a"]}, id="left out"),
]


@pytest.mark.parametrize(("affinity", "term"), STRANGERS)
def test_a_cluster_that_is_not_there_is_in_no_file(
    affinity: str, term: dict[str, Any], tmp_path: Path
) -> None:
    written = imported(tmp_path, KARMADA % affinity, DEPLOYMENT)
    policy, override = data(written, "policies/shop.web.yaml")
    assert policy["spec"]["affinity"]["required"] == [term]
    assert [each["where"] for each in override["spec"]["rules"]] == [{"term": {"clusters": ["a"]}}]
    assert written.findings


def test_without_an_inventory_nobody_knows_which_are_there(tmp_path: Path) -> None:
    policies = (KARMADA % "{clusterNames: [gone]}").partition("---\n")[2]
    policy, _ = data(imported(tmp_path, policies, DEPLOYMENT), "policies/shop.web.yaml")
    assert policy["spec"]["affinity"]["required"] == [{"clusters": ["gone"]}]


def test_a_term_is_written_in_one_order(tmp_path: Path) -> None:
    """Not in that of a set, which differs from run to run."""
    written = imported(tmp_path, KARMADA % "{exclude: [a], clusterNames: [a]}", DEPLOYMENT)
    policy, _ = data(written, "policies/shop.web.yaml")
    (term,) = policy["spec"]["affinity"]["required"]
    assert list(term.items()) == [("clusters", ["a"]), ("excludeClusters", ["a"])]
