"""KubeFed's documents (Kubernetes Cluster Federation v2, archived).

A federated object brings its own Kubernetes object: each is a workload, `<namespace>/<name>`, with
the kind behind it (`shop/web.service`) where it has no pods. KubeFed divides nothing by itself:
every cluster gets the object as it is; a ReplicaSchedulingPreference divides replicas.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from fleet.load.importers.importer import Context, Imported, Importer
from fleet.load.importers.kubefed.clusters import kubefed_clusters
from fleet.load.importers.kubefed.division import Preferences, preferences, target_kind
from fleet.load.importers.kubefed.objects import PREFIX, Where, type_configs, where
from fleet.load.importers.kubefed.workload import Federation, claimed
from fleet.load.importers.reading import Foreign, by_kind, findings_of, note_records
from fleet.load.source import Document

PRODUCT = "KubeFed"
_CORE, _TYPES = "core.kubefed.io", "types.kubefed.io"
_PREFERENCE = "ReplicaSchedulingPreference"
_NAMESPACE = "FederatedNamespace"
_RECORDS = frozenset(
    {"KubeFedConfig", "PropagatedVersion", "ClusterPropagatedVersion", "FederatedServiceStatus"}
)


def convert(documents: Sequence[Document], context: Context) -> Imported:
    """KubeFed's documents as native values."""
    found = by_kind(KUBEFED, documents, context.errors, PREFIX)
    imported = Imported(clusters=kubefed_clusters(found.get("KubeFedCluster", ())))
    federated = [
        each
        for kind, group in found.items()
        if kind.startswith(PREFIX) and kind not in {"FederatedTypeConfig", *_RECORDS}
        for each in group
    ]
    order = {id(document): position for position, document in enumerate(documents)}
    federated.sort(key=lambda each: order[id(each.document)])
    namespaces = _namespaces(found.get(_NAMESPACE, ()), context.clusters)
    federation = Federation(
        types=type_configs(found.get("FederatedTypeConfig", ())),
        labels={each.name: each.labels for each in imported.clusters},
        namespaces=namespaces,
        preferences=_preferences(found.get(_PREFERENCE, ()), federated, context.clusters),
        known=context.clusters,
    )
    names: set[str] = set()
    for each in federated:
        claimed(each, federation, imported, names)
    note_records(found, _RECORDS)
    imported.findings += findings_of(found)
    return imported


def _namespaces(documents: Iterable[Foreign], known: Collection[str]) -> Mapping[str, Where | None]:
    """Where each federated namespace is; None where it is nowhere."""
    found = {}
    for each in documents:
        placement = each.body.within("spec").within("placement")
        found[each.namespace or each.name] = where(each, placement, known)
    return found


def _preferences(
    documents: Iterable[Foreign], federated: Iterable[Foreign], clusters: Collection[str]
) -> Mapping[tuple[str, str, str], Preferences]:
    """The preferences by kind, namespace and name of what they are for."""
    known = {(each.kind.removeprefix(PREFIX), *each.key) for each in federated}
    found = {}
    for each in documents:
        read = preferences(each, clusters)
        key = (target_kind(each), *each.key)
        found[key] = read
        if key[0] and key not in known:
            why = f"finds no {PREFIX}{key[0]} of that name"
            each.notes.ignored(("metadata", "name"), why)
    return found


KUBEFED = Importer(
    PRODUCT,
    {
        _CORE: frozenset({"KubeFedCluster", "FederatedTypeConfig"}) | _RECORDS,
        _TYPES: frozenset({_NAMESPACE, "FederatedDeployment", "FederatedReplicaSet"}),
        "scheduling.kubefed.io": frozenset({_PREFERENCE}),
    },
    convert,
)
