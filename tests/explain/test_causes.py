"""What moved since the prior, and the input that caused it, with its line."""

from dataclasses import replace
from pathlib import Path

import pytest

from fleet.explain.document import workload_document
from fleet.explain.inputs import LONGEST, cluster_facts, workload_facts
from fleet.explain.placement import cause_rows, placed_workload
from fleet.explain.placements import placements_document
from fleet.explain.table import summary_table
from fleet.explain.workload import explain_workload
from fleet.load.prior import prior_from_document
from fleet.model.base import FrozenMap
from fleet.model.plan import Outcome
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.model.source import Origin
from fleet.pipeline import build
from tests.builders import a_cluster, a_policy, a_snapshot, a_traffic, a_workload, linked

CLUSTER = """\
apiVersion: fleet/v1
kind: Cluster
metadata: {{name: {name}, labels: {{tier: gold, team: a}}}}
spec:
  region: {region}
  capacity:
    allocatable: {{cpu: "{cpu}", memory: 64Gi}}
"""
DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {{name: {name}, namespace: shop}}
spec:
  replicas: {replicas}
  selector: {{matchLabels: {{app: {name}}}}}
  template:
    metadata: {{labels: {{app: {name}}}}}
    spec:
      containers:
        - name: {name}
          image: registry.test/{name}:1
          resources: {{requests: {{cpu: "1"}}}}
"""
POLICY = """\
apiVersion: fleet/v1
kind: PlacementPolicy
metadata: {{name: {name}}}
spec:
  workloads: [{name}]
  affinity: {{required: [{{matchLabels: {{tier: gold}}}}]}}
  placement: fresh
  division: {{mode: weighted}}
"""


class Files:
    """A project that a test changes between two runs."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.write("inventory/eu-1.yaml", CLUSTER.format(name="eu-1", region="eu", cpu=40))
        self.write("inventory/us-1.yaml", CLUSTER.format(name="us-1", region="us", cpu=40))
        self.add("web", 8)

    def write(self, file: str, text: str) -> None:
        """Writes a file."""
        path = self.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def add(self, name: str, replicas: int) -> None:
        """Adds a workload with its policy."""
        text = DEPLOYMENT.format(name=name, replicas=replicas)
        self.write(f"workloads/{name}/deployment.yaml", text)
        self.write(f"policies/{name}.yaml", POLICY.format(name=name))

    def change(self, file: str, old: str, new: str) -> None:
        """Says something else in a file."""
        text = (self.root / file).read_text(encoding="utf-8")
        assert old in text
        self.write(file, text.replace(old, new))

    def run(self, prior: Prior | None = None, **words: object) -> Outcome:
        """A run over the files as they are."""
        return build(Settings.model_validate(words), prior or Prior(), self.root)

    def prior(self) -> Prior:
        """What an update with the files as they are leaves behind."""
        return prior_from_document(placements_document(self.run()))


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def told(outcome: Outcome, workload: str = "web") -> list[tuple[str, str]]:
    """The causes of a workload's movement as its rows say them."""
    placed = placed_workload(outcome, workload)
    assert placed is not None
    return [(row.text, row.source) for row in cause_rows(placed)]


def test_less_capacity_moves_replicas(files: Files) -> None:
    prior = files.prior()
    files.change("inventory/eu-1.yaml", '"40"', '"20"')
    outcome = files.run(prior)
    expected = ("because eu-1: capacity.allocatable.cpu 40 -> 20", "inventory/eu-1.yaml:7:19")
    assert told(outcome) == [expected]
    line = "  because eu-1: capacity.allocatable.cpu 40 -> 20   inventory/eu-1.yaml:7:19\n"
    assert line in summary_table(outcome)
    shown = explain_workload(outcome, "web")
    assert "  since the prior: eu-1 4 -> 3, us-1 4 -> 5\n" + line in shown
    document = workload_document(outcome, "web")["workloads"]["web"]
    assert document["since"] == {
        "moved": {"eu-1": {"was": 4, "now": 3}, "us-1": {"was": 4, "now": 5}},
        "causes": [
            {
                "cluster": "eu-1",
                "field": "capacity.allocatable.cpu",
                "was": "40",
                "now": "20",
                "source": "inventory/eu-1.yaml:7:19",
                "sentence": "eu-1: capacity.allocatable.cpu 40 -> 20",
            }
        ],
    }


def test_the_policy_changes(files: Files) -> None:
    prior = files.prior()
    files.change("policies/web.yaml", "  placement: fresh\n", "  placement: fresh\n  pick: 1\n")
    assert told(files.run(prior)) == [("because spec.pick - -> 1", "policies/web.yaml:8:3")]


def test_a_field_that_is_gone_names_where_it_stood(files: Files) -> None:
    files.change("policies/web.yaml", "  placement: fresh\n", "  placement: fresh\n  pick: 1\n")
    prior = files.prior()
    files.change("policies/web.yaml", "  pick: 1\n", "")
    assert told(files.run(prior)) == [("because spec.pick 1 -> -", "")]


def test_more_replicas_are_asked_for(files: Files) -> None:
    prior = files.prior()
    files.change("workloads/web/deployment.yaml", "replicas: 8", "replicas: 9")
    assert told(files.run(prior)) == [
        ("because replicas 8 -> 9", "workloads/web/deployment.yaml:5:3")
    ]


def test_the_config_declares_a_cluster_down(files: Files) -> None:
    prior = files.prior()
    outcome = files.run(prior, down=("eu-1",))
    assert told(outcome) == [("because eu-1: state active -> down", "config fleet:down")]


def test_a_label_counts_where_the_policy_reads_it(files: Files) -> None:
    prior = files.prior()
    files.change("inventory/eu-1.yaml", "tier: gold, team: a", "tier: iron, team: b")
    assert told(files.run(prior)) == [
        ("because eu-1: labels.tier gold -> iron", "inventory/eu-1.yaml:3:33")
    ]


def test_a_new_cluster(files: Files) -> None:
    prior = files.prior()
    files.write("inventory/us-2.yaml", CLUSTER.format(name="us-2", region="us", cpu=40))
    assert told(files.run(prior)) == [
        ("because us-2: in the inventory no -> yes", "inventory/us-2.yaml:1:1")
    ]


def test_a_cluster_that_is_gone(files: Files) -> None:
    prior = moved_by_hand(files.prior())
    clusters = {**prior.clusters, "ap-1": prior.clusters["us-1"]}
    prior = replace(prior, clusters=FrozenMap(clusters))
    assert told(files.run(prior)) == [("because ap-1: in the inventory yes -> no", "")]


def test_others_took_the_room(files: Files) -> None:
    prior = files.prior()
    files.add("api", 30)
    files.change("policies/api.yaml", "placement: fresh", "pick: 1")
    outcome = files.run(prior)
    assert told(outcome) == [("because of the room that api took or left", "")]
    assert told(outcome, "api") == []


def moved_by_hand(prior: Prior) -> Prior:
    """The prior of somebody who scaled by hand."""
    web = replace(prior.workloads["web"], replicas=FrozenMap({"eu-1": 1, "us-1": 7}))
    return replace(prior, workloads=FrozenMap({"web": web}))


def test_what_nobody_explains_is_not_explained(files: Files) -> None:
    outcome = files.run(moved_by_hand(files.prior()))
    assert told(outcome) == []
    assert "since the prior: eu-1 1 -> 4, us-1 7 -> 4" in explain_workload(outcome, "web")


def test_an_older_prior_says_only_what_moved(files: Files) -> None:
    prior = prior_from_document({"web": {"eu-1": 8}})
    files.change("inventory/eu-1.yaml", '"40"', '"20"')
    outcome = files.run(prior)
    assert told(outcome) == []
    assert "since the prior: eu-1 8 -> 3, us-1 - -> 5" in explain_workload(outcome, "web")


def test_a_prior_without_clusters_knows_the_workload_s_own_inputs(files: Files) -> None:
    prior = replace(files.prior(), clusters=Prior().clusters)
    files.change("inventory/eu-1.yaml", '"40"', '"20"')
    files.change("workloads/web/deployment.yaml", "replicas: 8", "replicas: 9")
    assert [text for text, _ in told(files.run(prior))] == ["because replicas 8 -> 9"]


def test_nothing_moves_and_nothing_is_said(files: Files) -> None:
    prior = files.prior()
    files.change("inventory/eu-1.yaml", "64Gi", "65Gi")
    outcome = files.run(prior)
    assert told(outcome) == []
    assert "since the prior" not in explain_workload(outcome, "web")


def test_a_first_run_has_no_before(files: Files) -> None:
    assert "since the prior" not in explain_workload(files.run(), "web")


def test_the_inputs_are_no_part_of_the_digest(files: Files) -> None:
    with_inputs = files.prior()
    web = replace(with_inputs.workloads["web"], inputs=FrozenMap[str]())
    without = replace(with_inputs, workloads=FrozenMap({"web": web}), clusters=Prior().clusters)
    assert files.run(with_inputs).plan.digest == files.run(without).plan.digest


def test_many_causes_are_counted_in_the_summary(files: Files) -> None:
    prior = files.prior()
    more = "  placement: fresh\n  pick: 1\n  priority: 1\n  scoring: {exact: true}\n"
    more += '  residency: {regions: ["*"]}\n  tolerations: [{key: a, value: b}]\n'
    files.change("policies/web.yaml", "  placement: fresh\n", more)
    outcome = files.run(prior)
    assert ("because spec.residency.regions - -> *", "policies/web.yaml:11:15") in told(outcome)
    assert "  and 3 more: fleet explain web\n" in summary_table(outcome)


def test_what_is_known_of_a_workload() -> None:
    policy = a_policy("web", affinity={"required": [{"regions": ["eu-*", "us-*"]}]}, pick=2)
    workload = a_workload("web", autoscaled=(2, 5))
    snapshot = a_snapshot([], [linked(workload, policy, traffic=[a_traffic(active_region="eu")])])
    facts = workload_facts(snapshot, "web")
    assert {field: fact.value for field, fact in facts.items()} == {
        "policy": "web",
        "replicas": "2 to 5",
        "request.cpu": "1",
        "spec.affinity.required[0].regions": "eu-*, us-*",
        "spec.pick": "2",
        "web.activeRegion": "eu",
        "web.failover": "automatic",
        "web.mode": "active-standby",
        "web.standby": "100",
    }
    assert workload_facts(snapshot, "api") == {}
    assert workload_facts(snapshot, "zoo") == {}


def test_what_is_known_of_a_cluster_stays_short() -> None:
    taints = [f"taint-{number}=true:NoSchedule" for number in range(9)]
    cluster = a_cluster("eu-1", taints=taints, reserved={"cpu": "500m"})
    facts = cluster_facts(a_snapshot([cluster]), cluster)
    assert facts["capacity.reserved.cpu"].value == "500m"
    assert facts["taints"].value.startswith("taint-0=true:NoSchedule, taint-1")
    assert len(facts["taints"].value) <= LONGEST


WORDS = [
    pytest.param({}, "a=b:NoExecute", id="fleet's own document"),
    pytest.param({"NoExecute": "NoSelect"}, "a=b:NoSelect", id="another product's document"),
]


@pytest.mark.parametrize(("words", "fact"), WORDS)
def test_a_taint_is_spelled_as_its_document_does(words: dict[str, str], fact: str) -> None:
    cluster = a_cluster("eu-1", taints=["a=b:NoExecute"], origin=Origin("x.yaml", words=words))
    facts = cluster_facts(a_snapshot([cluster]), cluster)
    assert facts["taints"].value == fact
