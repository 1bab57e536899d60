"""What Karmada's own core decided for three fleets, row by row, through `fleet plan`.

Source: Karmada's scheduler core at commit f8fdd02, run over the documents in `cases/`.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fleet.model.decision import Outcome
from tests.conformance.karmada import model
from tests.conformance.karmada.fleets import by_model, plan, read_fleet

CASES = Path(__file__).parent / "cases"
CAPACITY = {
    "plain-60x400": "independent",
    "models-30x200": "independent",
    "deducted-40x300": "deducted",
}
OPEN = {"ns-042/app-220", "ns-119/app-054"}
"""Aggregated workloads that shrink, where clusters with equally many replicas compete for the last
place. Karmada takes them in the order of its own list of the former targets, which `prior.json` (a
map by name) does not tell; fleet takes them by name, as Karmada's own lists are in all divisions
but Duplicated."""


@cache
def rows(case: str) -> dict[str, dict[str, Any]]:
    lines = (CASES / case / "expected.jsonl").read_text(encoding="utf-8").splitlines()
    return {row["workload"]: row for row in map(json.loads, lines)}


@cache
def planned(case: str) -> dict[str, Any]:
    return plan(CASES / case, CAPACITY[case])


@pytest.mark.parametrize("case", CAPACITY)
def test_every_row_agrees(case: str) -> None:
    found = planned(case)
    assert list(found) == sorted(rows(case))
    different = {
        name for name, row in rows(case).items() if found[name]["assignments"] != row["assignments"]
    }
    assert different == OPEN & set(rows(case))


@pytest.mark.parametrize("case", CAPACITY)
def test_what_karmada_refuses_is_short_here(case: str) -> None:
    refused = {name for name, row in rows(case).items() if row.get("error")}
    assert refused == {name for name, made in planned(case).items() if made["shortfall"]}
    assert refused


@pytest.mark.parametrize("case", CAPACITY)
def test_rows_that_karmada_leaves_open_agree_in_all_but_the_order(case: str) -> None:
    """Swapping clusters that ran equally many replicas makes the two the same."""
    fleet = read_fleet(CASES / case)
    for name in OPEN & set(rows(case)):
        prior = fleet.prior[name]
        found, row = planned(case)[name]["assignments"], rows(case)[name]["assignments"]
        assert by_model(fleet, deducted=False)[name].open_order
        assert sorted((prior[each], n) for each, n in found.items()) == sorted(
            (prior[each], n) for each, n in row.items()
        )


@pytest.mark.parametrize("case", CAPACITY)
def test_the_plain_model_agrees_with_every_row(case: str) -> None:
    expected = by_model(read_fleet(CASES / case), deducted=CAPACITY[case] == "deducted")
    for name, row in rows(case).items():
        assert expected[name].error == bool(row.get("error")), name
        assert expected[name].assignments == row["assignments"] or name in OPEN, name


@pytest.mark.parametrize("case", CAPACITY)
def test_every_cluster_has_one_verdict_with_a_reason(case: str) -> None:
    clusters = {each["metadata"]["name"] for each in read_fleet(CASES / case).clusters}
    for made in planned(case).values():
        assert set(made["verdicts"]) == clusters
        for name, verdict in made["verdicts"].items():
            placed = verdict["outcome"] in {Outcome.ASSIGNED, Outcome.SELECTED}
            assert placed == (name in made["assignments"])
            assert placed or verdict["rejections"]
            assert all(each["sentence"] and each["source"] for each in verdict["rejections"])


def test_the_hash_of_a_uid_is_the_one_of_the_model() -> None:
    assert model.fnv1a("a") == 0xE40C292C
