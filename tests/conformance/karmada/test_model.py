"""fleet against the plain model of Karmada's core, on random fleets and on one large one."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fleet.schedule.karmada_regions import Limits, Regions, best_regions
from tests.conformance.karmada import model
from tests.conformance.karmada.drawn import fleets
from tests.conformance.karmada.fleets import Expected, KarmadaFleet, by_model, plan
from tests.conformance.karmada.generated import generated

CANDIDATE = model.Candidate(model.Cluster({"metadata": {"name": "any"}}), 0, 1, 0)
LARGE = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def check(fleet: KarmadaFleet, *, deducted: bool) -> int:
    """Compares every workload; how many were compared."""
    expected = by_model(fleet, deducted=deducted)
    with TemporaryDirectory() as folder:
        fleet.write(Path(folder))
        found = plan(Path(folder), "deducted" if deducted else "independent")
    assert set(found) == set(expected)
    compared = 0
    for name, wanted in expected.items():
        if wanted.open_order and deducted:
            break  # whatever Karmada does, later workloads find another room
        same = found[name]["assignments"] == kept_or(wanted, fleet, name, found[name])
        assert same or wanted.open_order, name
        compared += same
    return compared


def kept_or(
    wanted: Expected, fleet: KarmadaFleet, name: str, made: dict[str, Any]
) -> dict[str, int]:
    """What the model says; where Karmada's core gives up, what runs stays where it may."""
    if not wanted.error:
        return wanted.assignments
    barred = {each for each, it in made["verdicts"].items() if it["outcome"] == "infeasible"}
    prior = fleet.prior.get(name, {})
    return {cluster: n for cluster, n in prior.items() if cluster not in barred}


@LARGE
@given(fleet=fleets())
def test_every_workload_against_the_same_clusters(fleet: KarmadaFleet) -> None:
    check(fleet, deducted=False)


@LARGE
@given(fleet=fleets())
def test_every_workload_against_what_is_left(fleet: KarmadaFleet) -> None:
    check(fleet, deducted=True)


@LARGE
@given(fleet=fleets(modelled=True))
def test_clusters_with_resource_models(fleet: KarmadaFleet) -> None:
    check(fleet, deducted=False)


@LARGE
@given(fleet=fleets(modelled=True))
def test_what_is_left_on_the_nodes_of_models(fleet: KarmadaFleet) -> None:
    check(fleet, deducted=True)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_large_fleet(seed: int) -> None:
    """More clusters than the small ways of the code take."""
    assert check(generated(seed, clusters=180, workloads=90), deducted=False) > 80


def test_a_large_fleet_that_fills_up() -> None:
    """Without Aggregated, whose open order would end the comparison early."""
    fleet = generated(3, clusters=180, workloads=90)
    for policy in fleet.policies:
        scheduling = policy["spec"]["placement"]["replicaScheduling"]
        if scheduling.get("replicaDivisionPreference") == "Aggregated":
            scheduling["replicaDivisionPreference"] = "Weighted"
            scheduling["weightPreference"] = {"dynamicWeight": "AvailableReplicas"}
    assert check(fleet, deducted=True) == 90


groups = st.lists(st.tuples(st.integers(1, 5), st.integers(0, 6)), min_size=1, max_size=8)


@given(listed=groups, least=st.integers(1, 4), more=st.integers(0, 3), target=st.integers(1, 14))
def test_the_best_set_of_regions_is_the_one_that_a_walk_over_all_finds(
    listed: list[tuple[int, int]], least: int, more: int, target: int
) -> None:
    """Few different scores, so that equal sums and accepted beginnings are common."""
    names = [f"r{number}" for number in range(len(listed))]
    counts, scores = zip(*listed, strict=True)
    found = best_regions(
        Regions(names, np.array(counts), np.array(scores)), Limits(least, least + more), target
    )
    walked = model.best_regions(
        [
            model.Region(name, [CANDIDATE] * count, score)
            for name, (count, score) in zip(names, listed, strict=True)
        ],
        least,
        least + more,
        target,
    )
    assert [names[each] for each in found] == [each.name for each in walked]
