"""Documents of other products, as they are: which product reads which, and what they become."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from fleet.load.importers.cluster_api import CLUSTER_API
from fleet.load.importers.cluster_profile import CLUSTER_PROFILE
from fleet.load.importers.importer import Context, Imported, Importer
from fleet.load.importers.karmada import KARMADA
from fleet.load.importers.kubefed import KUBEFED
from fleet.load.importers.kubefleet import KUBEFLEET
from fleet.load.importers.ocm import OCM
from fleet.load.source import Document
from fleet.model.api_version import group_of

IMPORTERS: tuple[Importer, ...] = (
    KARMADA,
    OCM,
    KUBEFED,
    KUBEFLEET,
    CLUSTER_PROFILE,
    CLUSTER_API,
)
"""All products, one line each, in the order in which their documents are converted."""

CLUSTER_KINDS = ("Cluster", "ManagedCluster", "KubeFedCluster", "MemberCluster", "ClusterProfile")


def importer_of(data: object) -> Importer | None:
    """The product whose API group a document names; None where it is nobody's that is known."""
    version = data.get("apiVersion") if isinstance(data, dict) else None
    group = group_of(version) if isinstance(version, str) else ""
    return next((each for each in IMPORTERS if group in each.kinds), None)


def is_known_kind(data: Mapping[str, object]) -> bool:
    """Whether the product of a document reads documents of its kind."""
    importer, kind = importer_of(data), data.get("kind")
    if importer is None or not isinstance(kind, str):
        return False
    return any(kind in each for each in importer.kinds.values())


def convert_all(documents: Sequence[Document], context: Context) -> Imported:
    """All documents of all products, as native values; what is wrong goes to the context."""
    named = {_name_of(each.data) for each in documents if each.data.get("kind") in CLUSTER_KINDS}
    context = replace(context, clusters=context.clusters | (named - {""}))
    imported = Imported()
    for importer in IMPORTERS:
        mine = [each for each in documents if importer_of(each.data) is importer]
        if mine:
            imported.add(importer.convert(mine, context))
    return imported


def _name_of(data: Mapping[str, object]) -> str:
    metadata = data.get("metadata")
    name = metadata.get("name") if isinstance(metadata, dict) else None
    return name if isinstance(name, str) else ""
