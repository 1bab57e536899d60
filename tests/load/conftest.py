"""A small good fleet on disk, and what is said when a file of it is changed."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from fleet.errors import InvalidError
from fleet.load import load_snapshot
from fleet.load.settings import parse_settings
from fleet.model.snapshot import Snapshot

GOOD = {
    "inventory/dev.yaml": """\
apiVersion: fleet/v1
kind: Cluster
metadata: {name: eu-1, labels: {env: prod}}
spec: {region: eu-west-1, entry: {addresses: [192.0.2.1]}}
---
apiVersion: fleet/v1
kind: Cluster
metadata: {name: us-1, labels: {env: prod}}
spec: {region: us-east-1, entry: {addresses: [192.0.2.2]}}
""",
    "policies/web.yaml": """\
apiVersion: fleet/v1
kind: PlacementPolicy
metadata: {name: web}
spec: {workloads: [web]}
""",
    "workloads/web/all.yaml": """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: web:1, resources: {requests: {cpu: 100m}}}]}
""",
}
Files = Mapping[str, str | bytes | None]


@pytest.fixture
def load(tmp_path: Path) -> Callable[..., Snapshot]:
    """Loads the good fleet with some files changed (None: removed) and some config."""

    def loaded(files: Files | None = None, /, **config: object) -> Snapshot:
        for name, content in {**GOOD, **(files or {})}.items():
            path = tmp_path / name
            if content is None:
                path.unlink(missing_ok=True)
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return load_snapshot(parse_settings(config), tmp_path)

    return loaded


@pytest.fixture
def faults(load: Callable[..., Snapshot]) -> Callable[..., list[str]]:
    """The error lines of the good fleet with some files changed; none where it is still good."""

    def said(files: Files | None = None, /, **config: object) -> list[str]:
        try:
            load(files, **config)
        except InvalidError as invalid:
            return [str(error) for error in invalid.errors]
        return []

    return said
