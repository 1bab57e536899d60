"""Other products' documents through the importers, to decisions; and through `fleet import`."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from fleet.load import load_snapshot
from fleet.load.importing import import_files
from fleet.model.decision import Decision, Schedule
from fleet.model.settings import Settings
from fleet.model.snapshot import Snapshot
from fleet.schedule import schedule
from tests.builders import a_prior

Document = dict[str, Any]
Placed = dict[str, int]


@dataclass(frozen=True, slots=True)
class Ran:
    """What was loaded and decided."""

    snapshot: Snapshot
    made: Schedule

    def decision(self, workload: str) -> Decision:
        """The decision of one workload."""
        (found,) = [each for each in self.made.decisions if each.workload == workload]
        return found

    def placed(self, workload: str) -> Placed:
        """Replicas by cluster of one workload."""
        return dict(self.decision(workload).replicas)

    def points(self, workload: str, scorer: str) -> dict[str, int]:
        """What a scorer gave to each cluster; nothing where the scorer did not count."""
        return {
            cluster: score.value
            for cluster, verdict in self.decision(workload).verdicts.items()
            for score in verdict.scores
            if score.scorer == scorer
        }

    def told(self, code: str) -> list[str]:
        """The fields that the findings of a code name."""
        found = [each for each in self.snapshot.findings if each.code == code]
        return [str(each.values["field"]) for each in found]


def write(folder: Path, documents: Iterable[Document], name: str = "all.yaml") -> None:
    """A file of documents."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(yaml.safe_dump_all(documents, sort_keys=False))


def run(
    root: Path,
    documents: Iterable[Document],
    objects: Mapping[str, Iterable[Document]],
    prior: Mapping[str, Placed] | None = None,
    **config: Any,
) -> Ran:
    """Documents as the inventory and the policies, objects by the folder of their workload."""
    write(root / "documents", documents)
    (root / "workloads").mkdir()
    for name, each in objects.items():
        write(root / "workloads" / name, each)
    said = {"inventory": ("documents",), "policies": ("documents",), **config}
    return decided(root, Settings.model_validate(said), prior)


def decided(root: Path, settings: Settings, prior: Mapping[str, Placed] | None = None) -> Ran:
    """Loads and decides."""
    snapshot = load_snapshot(settings, root)
    return Ran(snapshot, schedule(snapshot, a_prior(prior), settings))


def native_run(root: Path, prior: Mapping[str, Placed] | None = None, **config: Any) -> Ran:
    """What `fleet import` makes of the same files, loaded and decided."""
    written = import_files(["documents", "workloads"], root)
    for path, text in written.files.items():
        file = root / "native" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (root / "native" / "workloads").mkdir(exist_ok=True)
    renamed = {name.replace("/", "."): placed for name, placed in (prior or {}).items()}
    settings = Settings.model_validate(config)
    return decided(root / "native", settings, None if prior is None else renamed)


def same_decisions(foreign: Ran, native: Ran) -> None:
    """The native files decide what the originals decide, cluster by cluster."""
    ours = {each.workload: dict(each.replicas) for each in native.made.decisions}
    theirs = {each.workload: dict(each.replicas) for each in foreign.made.decisions}
    assert ours == {name.replace("/", "."): placed for name, placed in theirs.items()}
    assert [each.name for each in native.snapshot.clusters] == [
        each.name for each in foreign.snapshot.clusters
    ]


def deployment(
    name: str = "web",
    namespace: str = "shop",
    replicas: int = 2,
    labels: Mapping[str, str] | None = None,
    cpu: str = "",
) -> Document:
    """A Deployment; it asks for CPU where `cpu` says so."""
    resources = {"resources": {"requests": {"cpu": cpu}}} if cpu else {}
    container = {"name": "app", "image": "registry.example/app:1", **resources}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": namespace, "labels": dict(labels or {})},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": {"app": name}},
            "template": {
                "metadata": {"labels": {"app": name}},
                "spec": {"containers": [container]},
            },
        },
    }
