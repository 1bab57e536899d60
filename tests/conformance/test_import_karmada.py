"""`fleet import` of Karmada's documents: the native files decide the same, replica by replica."""

import json
import shutil
from pathlib import Path

from fleet.model.settings import Settings
from tests.conformance.importing import decided, native_run, same_decisions

FLEET = Path(__file__).parent / "karmada" / "cases" / "models-30x200"


def test_native_files_decide_as_the_originals(tmp_path: Path) -> None:
    prior = json.loads((FLEET / "prior.json").read_text())
    for folder, names in (("documents", ("clusters", "policies")), ("workloads", ("workloads",))):
        (tmp_path / folder).mkdir()
        for name in names:
            shutil.copy(FLEET / f"{name}.yaml", tmp_path / folder)
    said = {"inventory": ("documents",), "policies": ("documents",), "capacity": "independent"}
    foreign = decided(tmp_path, Settings.model_validate(said), prior)
    assert len(foreign.made.decisions) == 200
    same_decisions(foreign, native_run(tmp_path, prior, capacity="independent"))
