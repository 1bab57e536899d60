"""One workload on one cluster: what the rules of a delivery ask about."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from fleet.deliver.bodies import Body
from fleet.model.decision import Assignment
from fleet.model.inventory import Cluster
from fleet.model.workload import Manifest, Workload


@dataclass(frozen=True, slots=True)
class Place:
    """A workload, a cluster and what the scheduler assigned to the pair.

    `data` are the variables of its data, where they are known.
    """

    workload: Workload
    cluster: Cluster
    assignment: Assignment
    data: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Draft:
    """An object on its way to one cluster: the file's, and the body for that cluster."""

    manifest: Manifest
    body: Body

    @property
    def label(self) -> str:
        """The object as people name it: `Deployment 'shop/web'`."""
        return label_of(self.manifest)


def label_of(manifest: Manifest) -> str:
    """A manifest as people name it: `Deployment 'shop/web'`."""
    name = f"{manifest.namespace}/{manifest.name}" if manifest.namespace else manifest.name
    return f"{manifest.kind} '{name}'"
