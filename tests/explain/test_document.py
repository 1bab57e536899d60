"""The JSON document: its shape is a promise to other programs."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet.explain.change_words import edit_document
from fleet.explain.document import as_json, to_json, workload_document
from fleet.model.base import FrozenMap
from fleet.model.change import Change, Edit
from fleet.model.decision import Finding
from fleet.model.inventory import NodeGroup
from fleet.model.policy import Toleration
from fleet.model.source import Source
from tests.explain.outcomes import DIGEST, an_endpoint, an_outcome

FINDING = Finding("no-entry", FrozenMap({"cluster": "eu-1", "policy": "web"}))


MARKED = [
    pytest.param("no-entry", False, (False, False), id="what is only told"),
    pytest.param("no-entry", True, (True, False), id="what blocks the update"),
    pytest.param("fence-first", False, (False, True), id="what the update leaves undone"),
]


@pytest.mark.parametrize(("code", "blocks", "marks"), MARKED)
def test_a_refusal_is_marked_among_the_findings(
    code: str,
    blocks: bool,  # noqa: FBT001 - a table's column
    marks: tuple[bool, bool],
) -> None:
    values: dict[str, str | int] = {"workload": "db", "region": "us", "clusters": "us-1"}
    values |= {"index": 0, "cluster": "eu-1", "policy": "web"}
    asked = Finding(code, FrozenMap(values), blocks=blocks)
    quiet = Finding("no-entry", FrozenMap({"cluster": "us-1", "policy": "web"}))
    first, second = json.loads(to_json(an_outcome(findings=[quiet, asked])))["findings"]
    told = first if first["values"]["cluster"] == "eu-1" else second
    assert (told["blocks"], told.get("undone", False)) == marks
    other = second if told is first else first
    assert not other["blocks"]
    assert "undone" not in other


def test_the_shape_of_the_document() -> None:
    endpoint = an_endpoint({"eu-1": (0, 100)})
    document = json.loads(to_json(an_outcome(endpoints=[endpoint], findings=[FINDING])))
    assert set(document) == {"digest", "workloads", "clusters", "records", "findings"}
    assert document["digest"] == DIGEST
    assert document["clusters"]["eu-1"]["state"] == "active"
    web = document["workloads"]["web"]
    assert web["assignments"] == {"eu-1": 4, "us-1": 2}
    assert web["roles"] == {"eu-1": "active", "us-1": "standby"}
    assert web["shortfall"] == 0
    assert web["inputs"]["replicas"] == "6"
    assert web["verdicts"]["ap-1"] == {
        "outcome": "infeasible",
        "replicas": 0,
        "rejections": [
            {
                "code": "taint",
                "values": {"key": "maintenance", "value": "true", "effect": "NoSchedule"},
                "source": "inventory/dev.yaml:31:9",
                "sentence": "untolerated taint maintenance=true:NoSchedule",
            }
        ],
        "scores": [],
        "total": 0,
        "room": 12,
    }
    assert web["verdicts"]["eu-1"]["scores"][0] == {
        "scorer": "affinity",
        "value": 60,
        "scorerWeight": 1,
    }
    assert document["records"] == [
        {
            "policy": "web",
            "name": "web.fleet.test",
            "type": "A",
            "cluster": "eu-1",
            "weight": 100,
            "previousWeight": 0,
            "targets": ["192.0.2.1"],
            "ttl": 20,
            "healthCheck": "check-eu-1",
        }
    ]
    (finding,) = document["findings"]
    assert finding["code"] == "no-entry"
    assert finding["blocks"] is False
    assert finding["source"] is None
    assert finding["sentence"].startswith("cluster 'eu-1' has no 'entry'")


def test_keys_are_sorted_and_the_text_is_plain() -> None:
    text = to_json(an_outcome())
    assert text.isascii()
    assert text == as_json(dict(reversed(json.loads(text).items())))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=20,
)


@given(JSON)
def test_the_text_means_the_document(document: object) -> None:
    text = as_json(document)
    assert json.loads(text) == document
    assert text.isascii()
    assert text.endswith("\n")


def test_one_workload_on_one_cluster() -> None:
    document = workload_document(an_outcome(), "web", "eu-1")
    assert set(document["workloads"]["web"]["verdicts"]) == {"eu-1"}
    assert document["workloads"]["web"]["verdicts"]["eu-1"]["changes"] == []
    assert document["digest"] == DIGEST


def test_what_flips_a_verdict_is_there_for_a_machine() -> None:
    capacity = ("spec", "capacity", "allocatable", "cpu")
    changes = (
        Change(
            "tolerate",
            FrozenMap({"key": "gpu", "value": "", "effect": "NoExecute"}),
            (
                Edit(
                    "PlacementPolicy",
                    "web",
                    ("spec", "tolerations", "-"),
                    Toleration(key="gpu", operator="Exists", effect="NoExecute"),
                ),
            ),
            Source("policies/web.yaml", 4, 3),
        ),
        Change(
            "add-capacity",
            FrozenMap({"cluster": "ap-1", "resource": "cpu", "was": 2000, "to": 4500}),
            (Edit("Cluster", "ap-1", capacity, 4500),),
        ),
        Change(
            "leave-config",
            FrozenMap({"cluster": "ap-1", "key": "down"}),
            (Edit("Config", "fleet", ("down",), "ap-1"),),
        ),
        Change(
            "add-label",
            FrozenMap({"cluster": "ap-1", "key": "a/b", "value": "c"}),
            (Edit("Cluster", "ap-1", ("metadata", "labels", "a/b"), "c"),),
        ),
    )
    outcome = an_outcome(changes={"web": {"ap-1": changes}})
    found = workload_document(outcome, "web", "ap-1")["workloads"]["web"]["verdicts"]["ap-1"]
    assert [each["sentence"] for each in found["changes"]] == [
        "tolerate gpu:NoExecute",
        "needs 2500m CPU more: 4500m allocatable",
        "take it out of config fleet:down",
        "label it a/b=c",
    ]
    assert [each["source"] for each in found["changes"]] == [
        "policies/web.yaml:4:3",
        None,
        None,
        None,
    ]
    assert [each["edits"] for each in found["changes"]] == [
        [
            {
                "document": {"kind": "PlacementPolicy", "name": "web"},
                "op": "add",
                "path": "/spec/tolerations/-",
                "value": {"key": "gpu", "operator": "Exists", "effect": "NoExecute"},
            }
        ],
        [
            {
                "document": {"kind": "Cluster", "name": "ap-1"},
                "op": "add",
                "path": "/spec/capacity/allocatable/cpu",
                "value": "4500m",
            }
        ],
        [
            {
                "document": {"kind": "Config", "name": "fleet"},
                "op": "remove",
                "path": "/down",
                "value": "ap-1",
            }
        ],
        [
            {
                "document": {"kind": "Cluster", "name": "ap-1"},
                "op": "add",
                "path": "/metadata/labels/a~1b",
                "value": "c",
            }
        ],
    ]


def test_a_workload_that_is_not_there_says_nothing() -> None:
    assert workload_document(an_outcome(), "api")["workloads"] == {"api": {}}


WRITTEN = [
    pytest.param(
        Edit("Quota", "shop", ("spec", "limits", "cpu"), 2500),
        {"op": "add", "path": "/spec/limits/cpu", "value": "2500m"},
        id="a limit",
    ),
    pytest.param(
        Edit(
            "ClusterObservation",
            "eu-1",
            ("spec", "capacity", "nodes", "-"),
            NodeGroup.model_validate({"count": 2, "free": {"cpu": 1.5, "memory": "1Gi"}}),
        ),
        {
            "op": "add",
            "path": "/spec/capacity/nodes/-",
            "value": {"count": 2, "free": {"cpu": "1500m", "memory": "1Gi"}},
        },
        id="nodes",
    ),
    pytest.param(
        Edit("Cluster", "eu-1", ("spec", "capacity", "nodes", 0, "count"), 3),
        {"op": "add", "path": "/spec/capacity/nodes/0/count", "value": 3},
        id="a count",
    ),
    pytest.param(
        Edit(
            "PlacementPolicy",
            "web",
            ("spec", "affinity", "required", 0, "matchProperties", 1, "value"),
            1_500_000,
        ),
        {
            "op": "add",
            "path": "/spec/affinity/required/0/matchProperties/1/value",
            "value": "1.5",
        },
        id="a comparison",
    ),
    pytest.param(
        Edit("PlacementPolicy", "web", ("spec", "tolerations", 0, "tolerationSeconds"), None),
        {"op": "remove", "path": "/spec/tolerations/0/tolerationSeconds", "value": None},
        id="a field that goes",
    ),
]


@pytest.mark.parametrize(("edit", "expected"), WRITTEN)
def test_an_edit_is_written_as_the_file_has_it(edit: Edit, expected: dict[str, object]) -> None:
    found = edit_document(edit)
    assert found == {"document": {"kind": edit.kind, "name": edit.name}, **expected}
