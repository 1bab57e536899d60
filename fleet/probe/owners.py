"""Which pods run for what fleet placed: their controllers' controllers carry its signature."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fleet.deliver.identity import OWNER
from fleet.emit.access import ForbiddenError
from fleet.probe.reader import METADATA, Reader

_LISTED = {
    "ReplicaSet": "/apis/apps/v1/replicasets",
    "Deployment": "/apis/apps/v1/deployments",
    "StatefulSet": "/apis/apps/v1/statefulsets",
    "DaemonSet": "/apis/apps/v1/daemonsets",
    "Job": "/apis/batch/v1/jobs",
    "CronJob": "/apis/batch/v1/cronjobs",
}
_GROUPS = ("apps/", "batch/")
_DEEPEST = 8

Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class _Known:
    """Whether fleet signed an object, and who controls it."""

    signed: bool
    controller: Mapping[str, Any] | None


@dataclass(slots=True)
class Owners:
    """Finds out whose a pod is. Kinds that pods usually belong to are read as whole lists."""

    reader: Reader
    known: dict[Key, _Known | None] = field(default_factory=dict)

    def read(self) -> None:
        """Reads the usual controllers, their metadata only."""
        for kind, path in _LISTED.items():
            for each in self.reader.items(path, METADATA):
                metadata = each.get("metadata") or {}
                key = kind, str(metadata.get("namespace", "")), str(metadata.get("name"))
                self.known[key] = _known(metadata)

    def is_ours(self, pod: Mapping[str, Any]) -> bool:
        """Whether fleet placed the pod, or what controls it, however far up."""
        metadata = pod.get("metadata") or {}
        namespace = str(metadata.get("namespace", ""))
        at: _Known | None = _known(metadata)
        for _ in range(_DEEPEST):
            if at is None:
                return False
            if at.signed:
                return True
            at = self._of(at.controller, namespace) if at.controller is not None else None
        return False

    def _of(self, reference: Mapping[str, Any], namespace: str) -> _Known | None:
        version, kind = str(reference.get("apiVersion")), str(reference.get("kind"))
        key = kind, namespace, str(reference.get("name"))
        if kind == "Node":  # the pod is a file on the node
            return None
        if kind in _LISTED and version.startswith(_GROUPS):
            return self.known.get(key)
        unusual = f"{version}/{kind}", namespace, key[2]
        if unusual not in self.known:
            self.known[unusual] = self._ask(version, kind, namespace, key[2])
        return self.known[unusual]

    def _ask(self, version: str, kind: str, namespace: str, name: str) -> _Known | None:
        """A controller of another kind. What this login may not read it did not place."""
        self.reader.check_time()
        try:
            live = self.reader.access.find(version, kind, namespace, name)
        except ForbiddenError:
            return None
        return None if live is None else _known(live.get("metadata") or {})


def _known(metadata: Mapping[str, Any]) -> _Known:
    references = metadata.get("ownerReferences") or ()
    controller = next((each for each in references if each.get("controller")), None)
    return _Known(OWNER in (metadata.get("annotations") or {}), controller)
