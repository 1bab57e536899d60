"""Open Cluster Management's documents.

A Placement finds its objects as fleet's users write them: the objects of the workload files in its
namespace with the label `cluster.open-cluster-management.io/placement: <name>`. They are one
workload, `<namespace>/<name>`, and every selected cluster gets all of it.
"""

from collections.abc import Container, Iterable, Mapping, Sequence

from fleet.load.importers.importer import Claim, Context, Imported, Importer
from fleet.load.importers.ocm.clusters import managed_clusters
from fleet.load.importers.ocm.placement import policy_of
from fleet.load.importers.ocm.scores import external_scores, goes_below
from fleet.load.importers.ocm.sets import Sets, cluster_sets
from fleet.load.importers.reading import Foreign, by_kind, findings_of, note_records
from fleet.load.importers.selectors import labels_of
from fleet.load.source import Document
from fleet.model.workload import Manifest

PRODUCT = "Open Cluster Management"
LABEL = "cluster.open-cluster-management.io/placement"
_GROUP = "cluster.open-cluster-management.io"
_KINDS = frozenset(
    {
        "ManagedCluster",
        "ManagedClusterSet",
        "ManagedClusterSetBinding",
        "Placement",
        "AddOnPlacementScore",
    }
)
_RECORDS = frozenset({"PlacementDecision"})


def convert(documents: Sequence[Document], context: Context) -> Imported:
    """Open Cluster Management's documents as native values."""
    found = by_kind(OCM, documents, context.errors)
    imported = Imported(clusters=managed_clusters(found.get("ManagedCluster", ())))
    scores = found.get("AddOnPlacementScore", ())
    made = external_scores(scores, found.get("ManagedCluster", ()))
    imported.documents += [each.document for each in made]
    level = {each.body["metadata"]["name"] for each in made if goes_below(each)}
    sets = cluster_sets(
        found.get("ManagedClusterSet", ()), found.get("ManagedClusterSetBinding", ())
    )
    objects = _by_placement(context.objects)
    for placement in found.get("Placement", ()):
        claim = _claim(placement, sets, level, objects.get(placement.key, ()))
        if claim is not None:
            imported.workloads.append(claim)
    note_records(found, _RECORDS)
    imported.findings += findings_of(found)
    return imported


def _by_placement(objects: Iterable[Manifest]) -> Mapping[tuple[str, str], list[Manifest]]:
    """The objects that name a Placement, by its namespace and name."""
    found: dict[tuple[str, str], list[Manifest]] = {}
    for each in objects:
        name = labels_of(each).get(LABEL)
        if name is not None:
            found.setdefault((each.namespace or "default", name), []).append(each)
    return found


def _claim(
    placement: Foreign, sets: Sets, level: Container[str], chosen: Sequence[Manifest]
) -> Claim | None:
    """The workload of a Placement; None, with a finding, where no object names it."""
    name = f"{placement.namespace}/{placement.name}"
    policy = policy_of(placement, sets, level, name)
    if not chosen:
        path = ("metadata", "name")
        why = f"decides for whoever asks; no object in the namespace has the label {LABEL}"
        placement.notes.differs(path, why, f"label the objects {LABEL}: {placement.name}")
    if policy is None or not chosen:
        return None
    return Claim(name, tuple(chosen), placement=policy)


OCM = Importer(PRODUCT, {_GROUP: _KINDS | _RECORDS}, convert)
