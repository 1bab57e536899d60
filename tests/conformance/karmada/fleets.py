"""Fleets as Karmada documents: read from a folder, or drawn; and what fleet decides for them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from fleet.cli.inputs import run
from fleet.cli.options import Inputs
from fleet.explain.document import run_document
from tests.conformance.karmada import model

Documents = list[dict[str, Any]]


@dataclass(frozen=True)
class KarmadaFleet:
    """The documents of one fleet; the prior by workload, then by cluster."""

    clusters: Documents
    workloads: Documents
    policies: Documents
    prior: Mapping[str, Mapping[str, int]]

    def write(self, folder: Path) -> None:
        """Writes the fleet as the four files that `fleet plan` is given."""
        for name in ("clusters", "workloads", "policies"):
            text = yaml.dump_all(getattr(self, name), Dumper=yaml.CSafeDumper)
            (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
        (folder / "prior.json").write_text(json.dumps(self.prior), encoding="utf-8")


def read_fleet(folder: Path) -> KarmadaFleet:
    """The fleet of a folder."""

    def documents(name: str) -> Documents:
        text = (folder / f"{name}.yaml").read_text(encoding="utf-8")
        return list(yaml.load_all(text, Loader=yaml.CSafeLoader))

    prior = json.loads((folder / "prior.json").read_text(encoding="utf-8"))
    return KarmadaFleet(documents("clusters"), documents("workloads"), documents("policies"), prior)


def plan(folder: Path, capacity: str) -> dict[str, Any]:
    """What `fleet plan --output json` prints for the files of a folder, by workload."""
    inputs = Inputs(
        inventory=[str(folder / "clusters.yaml")],
        workloads=[str(folder / "workloads.yaml")],
        policies=[str(folder / "policies.yaml")],
        prior=str(folder / "prior.json"),
        assignments=[f"capacity={capacity}"],
    )
    workloads: dict[str, Any] = run_document(run(inputs))["workloads"]
    return workloads


@dataclass(frozen=True)
class Expected:
    """One workload's decision, and whether Karmada leaves it open."""

    assignments: dict[str, int]
    error: bool
    open_order: bool


def by_model(fleet: KarmadaFleet, *, deducted: bool) -> dict[str, Expected]:
    """What the plain model decides."""
    clusters = [model.Cluster(each) for each in fleet.clusters]
    expected = {}
    for binding in model.bindings_of(fleet.workloads, fleet.policies, fleet.prior):
        given: dict[str, int] = {}
        chosen: Sequence[model.Candidate] = ()
        error = False
        try:
            chosen = model.chosen_for(binding, clusters)
            given = {name: n for name, n in model.divide(binding, list(chosen)).items() if n}
        except model.RefusedError:
            error = True
        if deducted:
            model.charge(binding, given, clusters)
        expected[binding.name] = Expected(given, error, model.is_open(binding, chosen))
    return expected
