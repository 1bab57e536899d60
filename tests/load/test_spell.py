"""Values as files: what is spelled reads as the same value, in both dialects."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from fleet.errors import ErrorList
from fleet.load.scalars import FLEET, KUBERNETES, Dialect
from fleet.load.source import read_documents
from fleet.load.spell import spelled, to_yaml
from fleet.load.validate import validated
from fleet.model.inventory import Cluster
from fleet.model.override import OverridePolicy
from fleet.model.policy import PlacementPolicy
from fleet.model.source import Origin
from fleet.model.workload import WorkloadDocument


def read(text: str, dialect: Dialect) -> list[Any]:
    """The data of a text without faults."""
    errors = ErrorList()
    reading = read_documents("x.yaml", text, dialect, errors)
    errors.raise_if_any()
    return [each.data for each in reading.documents]


def document(kind: str, spec: dict[str, Any]) -> dict[str, Any]:
    return {"apiVersion": "fleet/v1", "kind": kind, "metadata": {"name": "x"}, "spec": spec}


VALUES = [
    pytest.param(
        Cluster,
        document(
            "Cluster",
            {
                "region": "eu-1",
                "zones": ["a", "b"],
                "provider": "aws",
                "taints": [{"key": "gpu", "value": "true", "effect": "NoExecute"}],
                "capacity": {
                    "allocatable": {"cpu": "7500m", "memory": "3Gi", "pods": "110"},
                    "reserved": {"cpu": "2"},
                    "nodes": [{"count": 2, "free": {"cpu": "1500m"}}],
                },
                "apis": ["apps/v1"],
                "properties": {"cost-per-core": "0.023", "disk": "4Gi", "offset": "-1.5"},
                "state": "draining",
                "connection": {"file": "kubeconfig", "context": "x"},
                "entry": {"addresses": ["192.0.2.1"], "port": 80},
            },
        ),
        id="a cluster",
    ),
    pytest.param(
        PlacementPolicy,
        document(
            "PlacementPolicy",
            {
                "workloads": ["web", "shop-*"],
                "affinity": {
                    "required": [
                        {
                            "matchLabels": {"env": "no"},
                            "matchExpressions": [
                                {"key": "tier", "operator": "In", "values": ["1", "on"]}
                            ],
                            "matchProperties": [
                                {"property": "free.cpu", "operator": "Ge", "value": "2.5"}
                            ],
                        }
                    ],
                    "preferred": [{"weight": -20, "term": {"regions": ["eu-*"]}}],
                },
                "residency": {"regions": ["eu-*"]},
                "tolerations": [{"operator": "Exists", "tolerationSeconds": 0}],
                "spread": [{"by": "region", "minDomains": 2, "maxSkew": 1}],
                "pick": 2,
                "division": {
                    "mode": "weighted",
                    "weights": [{"replicaWeight": 0, "term": {"clusters": ["x"]}}],
                    "bounds": [{"term": {}, "maxReplicas": 3}],
                },
                "placement": "fresh",
                "scoring": {"exact": True, "weights": {"already-there": 1}},
                "survive": "region",
            },
        ),
        id="a placement policy",
    ),
    pytest.param(
        OverridePolicy,
        document(
            "OverridePolicy",
            {
                "workloads": ["web"],
                "rules": [
                    {
                        "where": {"clusters": ["x"]},
                        "patch": [
                            {"op": "copy", "path": "/a", "from": "/b"},
                            {"op": "add", "path": "/c", "value": {"yes": [1, None, "012"]}},
                        ],
                    },
                    {"target": {"kind": "Deployment"}, "image": {"tag": "1.10"}},
                ],
            },
        ),
        id="an override policy",
    ),
    pytest.param(
        WorkloadDocument, document("Workload", {"queue": 0, "adopt": True}), id="settings"
    ),
]


@pytest.mark.parametrize(("model", "written"), VALUES)
def test_what_is_spelled_reads_as_the_same_value(
    model: type[BaseModel], written: dict[str, Any]
) -> None:
    value = model.model_validate(written)
    assert spelled(value) == written
    errors = ErrorList()
    reading = read_documents("x.yaml", to_yaml([spelled(value)]), FLEET, errors)
    again = validated(model, reading.documents[0], errors)
    assert not errors.errors
    assert again is not None
    assert again.model_copy(update={"origin": Origin("<memory>")}) == value


WORDS = ("y", "no", "012", "1e3", "0x10", "1_000", "~", "", "null", "2026-01-31", "<<", "=", "- a")
TEXT = st.sampled_from(WORDS) | st.text(st.characters(codec="utf-8", exclude_categories=["C"]))


@given(st.lists(st.dictionaries(TEXT, TEXT, max_size=3), min_size=1, max_size=2))
def test_texts_stay_texts_in_both_dialects(documents: list[dict[str, str]]) -> None:
    text = to_yaml(documents)
    assert read(text, KUBERNETES) == documents
    assert read(text, FLEET) == documents


def test_long_texts_and_shared_values_are_written_out() -> None:
    shared = {"lines": "first\nsecond: #\n", "list": [1, {"a": True}]}
    text = to_yaml([{"one": shared, "two": shared}])
    assert "&" not in text
    assert "lines: |" in text
    assert "  list:\n    - 1\n" in text
    assert read(text, KUBERNETES) == [{"one": shared, "two": shared}]
