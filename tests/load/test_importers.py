"""The seam between other products' documents and fleet: which file, which dialect, which place."""

from collections.abc import Callable

import pytest

from fleet.errors import ErrorList
from fleet.load.importers.foreign import read_mixed
from fleet.load.importers.places import Links, origin_of
from fleet.model.snapshot import Snapshot

POLICY = """\
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: all, namespace: shop}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment}]
"""
DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: NAME, namespace: shop}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: web:1}]}
"""
CONFIG = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop}
"""
SETTINGS = """\
apiVersion: fleet/v1
kind: Workload
metadata: {name: shop}
spec: {renamedFrom: [former], waitSeconds: 7, namespaces: {create: [other]}}
"""
FOLDER = {
    "policies/karmada.yaml": POLICY,
    "workloads/shop/a.yaml": DEPLOYMENT.replace("NAME", "one"),
    "workloads/shop/b.yaml": DEPLOYMENT.replace("NAME", "two"),
    "workloads/shop/fleet.yaml": SETTINGS,
}


def test_a_claim_keeps_the_settings_of_its_folder(load: Callable[..., Snapshot]) -> None:
    one, two, web = load(FOLDER).linked
    assert [each.workload.name for each in (one, two, web)] == ["shop/one", "shop/two", "web"]
    assert one.workload.settings.wait_seconds == two.workload.settings.wait_seconds == 7
    assert one.workload.settings.renamed_from == ("former",)
    assert two.workload.settings.renamed_from == ()
    assert one.workload.settings.namespaces.create == ("other", "shop")
    assert (web.workload.settings.queue, web.placement.name) == (None, "web")


def test_what_no_policy_claims_stays_in_its_folder(faults: Callable[..., list[str]]) -> None:
    (line,) = faults({**FOLDER, "workloads/shop/c.yaml": CONFIG})
    assert line.startswith(
        "workloads/shop/c.yaml:1:1: no placement policy names the workload 'shop'"
    )


def test_two_policies_for_one_workload_are_refused(faults: Callable[..., list[str]]) -> None:
    native = (
        "apiVersion: fleet/v1\nkind: PlacementPolicy\nmetadata: {name: x}\n"
        "spec: {workloads: [shop/one]}\n"
    )
    (line,) = faults({**FOLDER, "policies/x.yaml": native})
    assert "the workload 'shop/one' has two placement policies, 'shop/all' at" in line


def test_a_refused_document_makes_no_name_unknown(faults: Callable[..., list[str]]) -> None:
    cluster = (
        "apiVersion: cluster.karmada.io/v1alpha1\nkind: Cluster\nmetadata: {name: m1}\nspec: 3\n"
    )
    policy = (
        "apiVersion: fleet/v1\nkind: PlacementPolicy\nmetadata: {name: web}\n"
        "spec: {workloads: [web], affinity: {required: [{clusters: [m1]}]}}\n"
    )
    lines = faults({"inventory/m.yaml": cluster, "policies/web.yaml": policy})
    assert [line.partition(": wants")[0] for line in lines] == ["inventory/m.yaml:4:1: spec"]


MIXED = POLICY + "---\n" + "apiVersion: fleet/v1\nkind: Cluster\nmetadata: {name: no}\n"
DIALECTS = [
    pytest.param(POLICY + "extra: [yes, 012]\n", [True, 10], id="Karmada's, as kubectl reads it"),
    pytest.param("apiVersion: fleet/v1\nextra: [yes, 012]\n", ["yes", "012"], id="fleet's own"),
    pytest.param(MIXED + "extra: [yes, 012]\n", ["yes", "012"], id="fleet's own beside Karmada's"),
]


@pytest.mark.parametrize(("text", "extra"), DIALECTS)
def test_every_document_is_read_in_its_own_dialect(text: str, extra: list[object]) -> None:
    errors = ErrorList()
    reading = read_mixed("f.yaml", text, errors)
    assert (errors.errors, reading.whole) == ([], True)
    assert reading.documents[-1].data["extra"] == extra


def test_a_list_is_taken_apart_only_where_it_holds_foreign_documents() -> None:
    listed = "apiVersion: v1\nkind: List\nitems:\n- "
    foreign = listed + POLICY.replace("\n", "\n  ") + "\n- 3\n"
    errors = ErrorList()
    reading = read_mixed("f.yaml", foreign, errors)
    assert [each.data["kind"] for each in reading.documents] == ["PropagationPolicy"]
    assert [str(each).partition(", not")[0] for each in errors.errors] == [
        f"f.yaml:{foreign.count(chr(10))}:3: items[1]: wants a Kubernetes object"
    ]
    native = read_mixed("f.yaml", listed + "{kind: Service} # karmada.io is not here", ErrorList())
    assert native.documents[0].data["kind"] == "List"


def test_items_of_a_product_s_own_list_are_what_the_list_says() -> None:
    text = "apiVersion: core.kubefed.io/v1beta1\nkind: KubeFedClusterList\nitems: [{metadata: {}}]"
    (document,) = read_mixed("f.yaml", text, ErrorList()).documents
    assert document.data["kind"] == "KubeFedCluster"
    assert document.data["apiVersion"] == "core.kubefed.io/v1beta1"


def test_broken_text_is_told_once() -> None:
    errors = ErrorList()
    assert not read_mixed("f.yaml", MIXED + "x: [", errors).whole
    assert len({str(each) for each in errors.errors}) == 1


def test_places_lead_to_the_foreign_document() -> None:
    (document,) = read_mixed("f.yaml", POLICY, ErrorList()).documents
    links: Links = {
        ("spec", "division"): ("spec", "resourceSelectors"),
        ("spec", "lost"): ("gone", "x"),
    }
    origin = origin_of(document, links)
    assert str(origin.at("spec", "division", 0, "kind")) == "f.yaml:5:45"
    assert str(origin.at("spec", "division", 7)) == "f.yaml:5:3"
    assert str(origin.at("spec", "lost")) == "f.yaml:1:1"
    assert str(origin.at("spec", "spread")) == "f.yaml:1:1"
    assert str(origin.at("metadata", "name")) == "f.yaml:3:12"
    assert set(origin.marks) == {("metadata",), *links}
    assert len(origin.marks) == 3
