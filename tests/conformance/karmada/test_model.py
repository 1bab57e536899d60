"""fleet against the plain model of Karmada's core, on random fleets and on one large one."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import HealthCheck, given, settings

from tests.conformance.karmada.drawn import fleets
from tests.conformance.karmada.fleets import Expected, KarmadaFleet, by_model, plan

LARGE = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def check(fleet: KarmadaFleet, *, deducted: bool) -> None:
    expected = by_model(fleet, deducted=deducted)
    with TemporaryDirectory() as folder:
        fleet.write(Path(folder))
        found = plan(Path(folder), "deducted" if deducted else "independent")
    assert set(found) == set(expected)
    for name, wanted in expected.items():
        if wanted.open_order:
            return  # whatever Karmada does, later workloads find another room
        assert placed(found[name]) == kept_or(wanted, fleet, name, found[name]), name


def placed(made: dict[str, Any]) -> dict[str, int]:
    return dict(made["assignments"])


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
