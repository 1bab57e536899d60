"""No fault hides another: what is told of each mistake alone is told of all of them together."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fleet.errors import InvalidError
from fleet.load import load_snapshot
from fleet.model.settings import Settings
from tests.load.conftest import GOOD

NATIVE = """\
apiVersion: fleet/v1
kind: PlacementPolicy
metadata: {name: web}
spec:
  workloads: [web]
  residency: {regions: [eu-west-1]}
  affinity:
    required:
    - clusters: [eu-1]
    - matchExpressions: [{key: env, operator: Exists}]
    preferred:
    - {weight: 10, term: {regions: [eu-west-1]}}
  tolerations:
  - {key: a, operator: Exists}
  - {key: b, operator: Equal, value: c}
  spread:
  - {by: region, maxDomains: 2}
  - {by: labels.env}
  tiers:
  - {name: a, terms: [{clusters: [us-1]}]}
  placement: steady
  division: {mode: aggregated}
"""
KARMADA = """\
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterPropagationPolicy
metadata: {name: web}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment}]
  placement:
    clusterAffinity:
      clusterNames: [eu-1]
      exclude: [us-1]
    clusterTolerations:
    - {key: a, operator: Exists}
    spreadConstraints:
    - {spreadByField: cluster, minGroups: 1, maxGroups: 2}
    replicaScheduling: {replicaSchedulingType: Duplicated}
  speed: 1
  conflictResolution: Abort
"""
KUBEFLEET = """\
apiVersion: placement.kubernetes-fleet.io/v1
kind: ClusterResourcePlacement
metadata: {name: web}
spec:
  resourceSelectors: [{group: "", version: v1, kind: Namespace, name: shop}]
  policy:
    placementType: PickN
    numberOfClusters: 1
    tolerations:
    - {key: a, operator: Exists}
    topologySpreadConstraints:
    - {topologyKey: env, maxSkew: 1}
"""
# Karmada only tells of names that do not exist, so that its document has a fault already.
MISTAKES = {
    NATIVE: (
        ("[web]", "[wbe]"),
        ("[eu-west-1]}\n  aff", "[eu-west-9]}\n  aff"),
        ("clusters: [eu-1]", "clusters: [eu-9]"),
        ("operator: Exists}]", "operator: Exist}]"),
        ("weight: 10,", "weight: 1000,"),
        ("term: {regions: [eu-west-1]}", "term: {regions: [eu-west-9]}"),
        ("{key: a, operator: Exists}", "{key: a, operator: Exists, value: b}"),
        ("{key: b, operator: Equal", "{kex: b, operator: Equal"),
        ("by: region,", "by: town,"),
        ("labels.env", "labels.evn"),
        ("{name: a, ", "{"),
        ("[us-1]", "[us-9]"),
        ("steady", "slow"),
        ("aggregated}", "aggregated, keep: true}"),
        ("kind: Pl", "status: {}\nkind: Pl"),
    ),
    KARMADA: (
        ("resourceSelectors: [{apiVersion: apps/v1, ", "resourceSelectors: [{"),
        ("[eu-1]", "[eu-9]"),
        ("[us-1]", "us-1"),
        ("operator: Exists}", "operator: Exists, value: b}"),
        ("minGroups: 1", "minGroups: 3"),
        ("Type: Duplicated", "Type: Dividid"),
        ("Abort", "Abrot"),
        ("  conflict", "  colour: red\n  conflict"),
    ),
    KUBEFLEET: (
        ("numberOfClusters: 1", "numberOfClusters: x"),
        ("operator: Exists", "operator: Exists, value: b"),
        ("maxSkew: 1", "maxSkew: 0"),
        ("  policy", "  speed: 1\n  policy"),
        ("    tol", "    clusterNames: [a]\n    tol"),
    ),
}
Said = Callable[[str], frozenset[tuple[str, str]]]


@pytest.fixture
def said(tmp_path: Path) -> Said:
    """The paths and sentences of the faults of a document in a good fleet."""
    for name, content in GOOD.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)

    def told(document: str) -> frozenset[tuple[str, str]]:
        (tmp_path / "policies/web.yaml").write_text(document)
        try:
            load_snapshot(Settings(), tmp_path)
        except InvalidError as invalid:
            return frozenset(
                (each.path, each.sentence)
                for each in invalid.errors
                if each.source is not None and each.source.file == "policies/web.yaml"
            )
        return frozenset()

    return told


@pytest.mark.parametrize("document", [NATIVE, KARMADA, KUBEFLEET])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15)
@given(data=st.data())
def test_no_fault_hides_another(said: Said, document: str, data: st.DataObject) -> None:
    chosen = data.draw(st.sets(st.sampled_from(MISTAKES[document]), min_size=2))
    wrong = document
    for right, mistake in sorted(chosen):
        assert right in document
        wrong = wrong.replace(right, mistake, 1)
    alone = [said(document.replace(right, mistake, 1)) for right, mistake in chosen]
    assert all(alone)
    assert said(wrong) == frozenset().union(*alone)
