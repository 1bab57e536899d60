"""Karmada's OverridePolicy and ClusterOverridePolicy -> native rules for each object."""

from dataclasses import dataclass

from fleet.load.importers.importer import Notes
from fleet.load.source import Document
from fleet.model.policy import OverridePolicy
from fleet.model.workload import Manifest


@dataclass(slots=True)
class Overriding:
    """All override policies."""

    def policies_for(self, manifest: Manifest) -> tuple[OverridePolicy, ...]:
        """The overrides of one object, in the order in which they run."""
        return ()


def overriding_of(document: Document, notes: Notes, overriding: Overriding) -> None:
    """Takes in an override policy."""
