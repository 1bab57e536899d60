"""Namespaces that workloads share: each once per cluster, owned by none of them.

A workload asks for one with a Namespace object or with `namespaces.create`. The object says more
(labels, annotations), so its body wins; two objects that differ are refused.
"""

from dataclasses import dataclass, field

from fleet.deliver.bodies import Body, text_at
from fleet.deliver.faults import Fault, Faults
from fleet.deliver.identity import stamped
from fleet.deliver.place import Draft, Place
from fleet.model.plan import SharedNamespace

SHARED_OWNER = "fleet"


def is_namespace(draft: Draft) -> bool:
    """Whether an object is a namespace."""
    return draft.manifest.kind == "Namespace" and draft.manifest.api_version == "v1"


@dataclass(slots=True)
class _Asked:
    """A namespace on one cluster: its body, the object that gave it, and who asks."""

    body: Body
    given_by: Draft | None = None
    asked_by: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Namespaces:
    """Gathers what workloads ask for. **Shape**: by cluster and namespace."""

    faults: Faults
    asked: dict[tuple[str, str], _Asked] = field(default_factory=dict)

    def ask(self, place: Place, drafts: list[Draft]) -> None:
        """Notes the namespaces of one workload on one cluster."""
        for name in place.workload.settings.namespaces.create:
            self._entry(place, name)
        for draft in drafts:
            if is_namespace(draft):
                self._give(place, draft)

    def _entry(self, place: Place, name: str) -> _Asked:
        minimal = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
        entry = self.asked.setdefault((place.cluster.name, name), _Asked(minimal))
        entry.asked_by.add(place.workload.name)
        return entry

    def _give(self, place: Place, draft: Draft) -> None:
        entry = self._entry(place, text_at(draft.body, "metadata", "name"))
        if entry.given_by is None:
            entry.body, entry.given_by = draft.body, draft
        elif entry.body != draft.body:
            self.faults.add(
                Fault(
                    draft.manifest.source,
                    "",
                    f"{draft.label} is not the same as at {entry.given_by.manifest.source}",
                    "a namespace is shared by all workloads on a cluster; keep one of the two",
                ),
                place.cluster.name,
            )

    def shared(self) -> tuple[SharedNamespace, ...]:
        """Every namespace to create, sorted by its resource name."""
        found = [
            SharedNamespace(cluster, name, stamped(entry.body, SHARED_OWNER), _sorted(entry))
            for (cluster, name), entry in self.asked.items()
        ]
        return tuple(sorted(found, key=lambda each: each.name))


def _sorted(entry: _Asked) -> tuple[str, ...]:
    return tuple(sorted(entry.asked_by))
