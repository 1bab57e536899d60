"""Clusters that nobody can reach: one finding, however many there are."""

import pytest

from fleet.explain.sentences import finding_sentence
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.decision import Finding

NAMES = ["eu-1", "eu-2", "eu-3", "eu-4", "eu-5"]
HINT = " - say spec.connection in the inventory"
SAID = [
    (1, "cluster 'eu-1' has assignments, but nothing says how to reach it"),
    (
        3,
        "3 clusters have assignments, but nothing says how to reach them: 'eu-1', 'eu-2', 'eu-3'",
    ),
    (
        5,
        (
            "5 clusters have assignments, but nothing says how to reach them: 'eu-1', 'eu-2',"
            " 'eu-3' and 2 more"
        ),
    ),
]


@pytest.mark.parametrize(("count", "expected"), SAID)
def test_the_first_names_are_said_and_all_are_counted(count: int, expected: str) -> None:
    values: dict[str, str | int] = {"count": count, "clusters": ", ".join(NAMES[:count])}
    finding = Finding(codes.NO_CONNECTION, FrozenMap(values))
    assert finding_sentence(finding) == expected + HINT
