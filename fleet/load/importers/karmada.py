"""Karmada's documents."""

from collections.abc import Sequence

from fleet.load.importers.importer import Context, Imported, Importer
from fleet.load.source import Document


def convert(documents: Sequence[Document], context: Context) -> Imported:
    """Karmada's documents as native values."""
    return Imported()


KARMADA = Importer(
    "Karmada",
    {
        "cluster.karmada.io": frozenset({"Cluster"}),
        "policy.karmada.io": frozenset(
            {
                "PropagationPolicy",
                "ClusterPropagationPolicy",
                "OverridePolicy",
                "ClusterOverridePolicy",
            }
        ),
    },
    convert,
)
