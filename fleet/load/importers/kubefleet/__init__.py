"""KubeFleet's documents (Azure Kubernetes Fleet Manager).

What a placement selects is one workload, and every picked cluster gets all of it:
`crp/<name>` of a ClusterResourcePlacement, `<namespace>/<name>` of a ResourcePlacement.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

from fleet.load.importers.importer import Claim, Context, Imported, Importer
from fleet.load.importers.kubefleet.clusters import member_clusters
from fleet.load.importers.kubefleet.objects import Objects, selected
from fleet.load.importers.kubefleet.overrides import (
    Override,
    overrides,
    tell_unknown_placements,
    with_overrides,
)
from fleet.load.importers.kubefleet.policy import policy_of
from fleet.load.importers.kubefleet.strategy import note_no_choice, takes_over
from fleet.load.importers.reading import Foreign, by_kind, findings_of, note_records
from fleet.load.source import Document

PRODUCT = "KubeFleet"
_CLUSTERS = frozenset({"MemberCluster"})
_PLACEMENTS = ("ClusterResourcePlacement", "ResourcePlacement")
_OVERRIDES = ("ClusterResourceOverride", "ResourceOverride")
_OF_CLUSTER = "crp/"
_WRITTEN = (
    "ClusterResourceBinding ResourceBinding ClusterResourceSnapshot ResourceSnapshot"
    " ClusterSchedulingPolicySnapshot SchedulingPolicySnapshot ClusterResourceOverrideSnapshot"
    " ResourceOverrideSnapshot ClusterResourcePlacementStatus InternalMemberCluster Work"
)
_RECORDS = frozenset(_WRITTEN.split())


def convert(documents: Sequence[Document], context: Context) -> Imported:
    """KubeFleet's documents as native values."""
    found = by_kind(KUBEFLEET, documents, context.errors)
    imported = Imported(clusters=member_clusters(found.get("MemberCluster", ())))
    objects = Objects(context.objects)
    changes = overrides(
        [each for kind in _OVERRIDES for each in found.get(kind, ())],
        objects,
        imported.clusters,
    )
    placements = [each for kind in _PLACEMENTS for each in found.get(kind, ())]
    tell_unknown_placements(changes, {each.key for each in placements})
    taken: dict[int, Foreign] = {}
    for placement in placements:
        claim = _claim(placement, context.clusters, objects, changes)
        if claim is not None:
            _check_taken(placement, claim, taken)
            imported.workloads.append(claim)
    note_records(found, _RECORDS)
    imported.findings += findings_of(found)
    return imported


def _claim(
    placement: Foreign,
    known: Collection[str],
    objects: Objects,
    changes: Sequence[Override],
) -> Claim | None:
    """The workload of a placement; None where it selects nothing, or has faults."""
    spec = placement.body.within("spec")
    placement.body.skip("status")
    why = "follows it in what it keeps and reports of a placement; fleet has its own plans"
    note_no_choice(placement, spec, ("revisionHistoryLimit", "statusReportingScope"), why)
    chosen = selected(placement, spec, "resourceSelectors", objects)
    if not spec.parts("resourceSelectors"):
        spec.fault("resourceSelectors", "is required, but not there")
    inside = placement.namespace
    name = f"{inside}/{placement.name}" if inside else _OF_CLUSTER + placement.name
    adopt = takes_over(placement, spec)
    policy = policy_of(placement, spec, known, name)
    spec.close(f"the spec of a {placement.kind}")
    placement.body.close(f"a {placement.kind}")
    if policy is None or not chosen or placement.notes.refused:
        return None
    claim = Claim(name, chosen, placement=policy, adopt=adopt)
    return replace(claim, overrides=with_overrides(claim, placement.key, changes))


def _check_taken(placement: Foreign, claim: Claim, taken: dict[int, Foreign]) -> None:
    """An object that two placements select: the product applies it for one of them only."""
    for each in claim.objects:
        other = taken.setdefault(id(each), placement)
        if other is not placement:
            sentence = f"{each.kind} '{each.name}' is selected by {other.spoken}, too"
            hint = "the product says ApplyConflictBetweenPlacements"
            placement.notes.fault(("spec", "resourceSelectors"), sentence, hint)


KUBEFLEET = Importer(
    PRODUCT,
    {
        "cluster.kubernetes-fleet.io": _CLUSTERS | {"InternalMemberCluster"},
        "placement.kubernetes-fleet.io": frozenset((*_PLACEMENTS, *_OVERRIDES)) | _RECORDS,
    },
    convert,
)
