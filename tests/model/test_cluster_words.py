"""`where.term` of an override: everything that an affinity can say."""

from typing import Any

import pytest

from fleet.deliver.rules import holds_on
from fleet.model.affinity import ClusterWords
from fleet.model.cluster_words import words_hold
from fleet.model.override import Where
from tests.builders import a_cluster

CLUSTER = a_cluster(
    "eu-1", "eu-west-1", zones=["a", "b"], provider="aws", labels={"env": "prod", "size": "7"}
)


def expression(key: str, operator: str, *values: str) -> dict[str, Any]:
    return {"key": key, "operator": operator, "values": values}


HOLDS = [
    pytest.param({}, id="nothing said"),
    pytest.param({"clusters": ["eu-1"]}, id="a name"),
    pytest.param({"exclude_clusters": ["eu-2"]}, id="another one excluded"),
    pytest.param({"regions": ["us-*", "eu-*"]}, id="a region by pattern"),
    pytest.param({"match_labels": {"env": "prod"}}, id="a label"),
    pytest.param({"match_expressions": [expression("env", "In", "prod")]}, id="in"),
    pytest.param({"match_expressions": [expression("tier", "NotIn", "x")]}, id="not in, absent"),
    pytest.param({"match_expressions": [expression("env", "Exists")]}, id="exists"),
    pytest.param({"match_expressions": [expression("tier", "DoesNotExist")]}, id="does not exist"),
    pytest.param({"match_expressions": [expression("size", "Gt", "6")]}, id="greater"),
    pytest.param({"match_expressions": [expression("size", "Lt", "8")]}, id="less"),
    pytest.param({"match_fields": [expression("zone", "In", "b", "c")]}, id="a zone"),
    pytest.param({"match_fields": [expression("name", "In", "eu-1")]}, id="a name as a field"),
    pytest.param({"match_fields": [expression("region", "NotIn", "x")]}, id="another region"),
]
FAILS = [
    pytest.param({"clusters": ["eu-2"]}, id="another name"),
    pytest.param({"exclude_clusters": ["eu-1"]}, id="excluded"),
    pytest.param({"regions": ["us-*"]}, id="another region"),
    pytest.param({"match_labels": {"env": "dev"}}, id="another label"),
    pytest.param({"match_expressions": [expression("env", "Gt", "1")]}, id="no number"),
    pytest.param({"match_fields": [expression("provider", "In", "gcp")]}, id="another provider"),
]


@pytest.mark.parametrize("term", HOLDS)
def test_a_words_hold(term: dict[str, Any]) -> None:
    assert words_hold(ClusterWords.model_validate(term), CLUSTER)


@pytest.mark.parametrize("term", FAILS)
def test_a_term_does_not_hold(term: dict[str, Any]) -> None:
    said = ClusterWords.model_validate(term)
    assert not words_hold(said, CLUSTER)
    assert not holds_on(Where(term=said), CLUSTER)


def test_what_a_cluster_does_not_say_is_absent() -> None:
    term = ClusterWords.model_validate({"match_fields": [expression("provider", "NotIn", "aws")]})
    assert words_hold(term, a_cluster("x", provider=""))
