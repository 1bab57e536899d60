"""The JSON document: its shape is a promise to other programs."""

import json

from hypothesis import given
from hypothesis import strategies as st

from fleet.explain.document import as_json, to_json, workload_document
from fleet.model.base import FrozenMap
from fleet.model.decision import Finding
from tests.explain.outcomes import DIGEST, an_endpoint, an_outcome

FINDING = Finding("no-entry", FrozenMap({"cluster": "eu-1", "policy": "web"}))


def test_the_shape_of_the_document() -> None:
    endpoint = an_endpoint({"eu-1": (0, 100)})
    document = json.loads(to_json(an_outcome(endpoints=[endpoint], findings=[FINDING])))
    assert set(document) == {"digest", "workloads", "records", "findings"}
    assert document["digest"] == DIGEST
    web = document["workloads"]["web"]
    assert web["assignments"] == {"eu-1": 4, "us-1": 2}
    assert web["roles"] == {"eu-1": "active", "us-1": "standby"}
    assert web["shortfall"] == 0
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
    assert document["digest"] == DIGEST
