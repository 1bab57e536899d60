"""Inventory and policies: files -> clusters and policies, with everything that is wrong in them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from fleet.errors import ErrorList
from fleet.load.files import File, Files
from fleet.load.importers import CLUSTER_KINDS, importer_of, is_known_kind
from fleet.load.importers.importer import Imported
from fleet.load.remains import Remains, broken_rules, remains_of
from fleet.load.source import Document
from fleet.load.stored import read_declared_text
from fleet.load.validate import validated
from fleet.load.wording import described
from fleet.load.words import Words
from fleet.model.cluster_set import ClusterSet
from fleet.model.decision import Finding
from fleet.model.inventory import Cluster
from fleet.model.observation import ClusterObservation, ExternalScores
from fleet.model.override import OverridePolicy
from fleet.model.policy import PlacementPolicy
from fleet.model.quota import Quota
from fleet.model.source import Source
from fleet.model.traffic import TrafficPolicy

API_VERSION = "fleet/v1"
INVENTORY = "inventory"
POLICIES = "policies"
OBSERVED = "observed.yaml"
_ELSEWHERE = {
    "Workload": "it belongs to its workload: write it to workloads/<name>/fleet.yaml",
    "Cluster": "it belongs to the inventory",
    "ClusterObservation": "it belongs to the inventory",
    "ClusterSet": "it belongs to the policies",
    "ExternalScores": "it belongs to the policies",
    "PlacementPolicy": "it belongs to the policies",
    "OverridePolicy": "it belongs to the policies",
    "TrafficPolicy": "it belongs to the policies",
    "Quota": "it belongs to the policies",
}


@dataclass(slots=True)
class Declared:
    """What inventory and policies hold, and what of them is wrong.

    **Shape**: lists in the order of files and documents; `broken` is the documents with faults by
    kind, and `remains` what could be read of them; `unread` is the config keys under which
    something could not be read, so that nobody knows what is missing; `foreign` are the documents
    of other products.
    """

    clusters: list[Cluster] = field(default_factory=list)
    placements: list[PlacementPolicy] = field(default_factory=list)
    overrides: list[OverridePolicy] = field(default_factory=list)
    traffic: list[TrafficPolicy] = field(default_factory=list)
    observations: list[ClusterObservation] = field(default_factory=list)
    scores: list[ExternalScores] = field(default_factory=list)
    sets: list[ClusterSet] = field(default_factory=list)
    quotas: list[Quota] = field(default_factory=list)
    broken: dict[str, list[Document]] = field(default_factory=dict)
    remains: list[Remains[Any]] = field(default_factory=list)
    unread: set[str] = field(default_factory=set)
    foreign: list[Document] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def take(self, imported: Imported, errors: ErrorList, *, whole: bool) -> None:
        """Takes in what the foreign documents became; not `whole`: some of them have faults."""
        for document in imported.documents:
            if belongs(document, MODELS, errors):
                self.add(document, errors)
        self.clusters += imported.clusters
        self.placements += imported.placements
        self.overrides += imported.overrides
        self.findings += imported.findings
        if not whole:
            self._note_broken()

    def _note_broken(self) -> None:
        """The foreign clusters that nothing was made of: their names are known, and no more."""
        self.unread.add(POLICIES)
        made = {each.name for each in self.clusters}
        for document in self.foreign:
            if not is_known_kind(document.data):
                self.unread.add(INVENTORY)
            elif document.data["kind"] in CLUSTER_KINDS and name_of(document.data) not in made:
                self.broken.setdefault("Cluster", []).append(document)

    def add(self, document: Document, errors: ErrorList) -> None:
        """Validates a document of a kind that belongs here."""
        kind = document.data["kind"]
        value = validated(MODELS[kind], document, errors)
        match value:
            case Cluster():
                self.clusters.append(value)
            case PlacementPolicy():
                self.placements.append(value)
            case OverridePolicy():
                self.overrides.append(value)
            case TrafficPolicy():
                self.traffic.append(value)
            case Quota():
                self.quotas.append(value)
            case ClusterObservation() | ExternalScores() | ClusterSet():
                self._add_fact(value)
            case _:
                self.broken.setdefault(kind, []).append(document)
                remains = remains_of(MODELS[kind], document)
                errors.errors += broken_rules(remains)
                self.remains.append(remains)

    def _add_fact(self, value: ClusterObservation | ExternalScores | ClusterSet) -> None:
        match value:
            case ClusterObservation():
                self.observations.append(value)
            case ExternalScores():
                self.scores.append(value)
            case ClusterSet():
                self.sets.append(value)

    @property
    def names(self) -> frozenset[str]:
        """The names of all native clusters, also of those with faults."""
        return frozenset({each.name for each in self.clusters} | self.broken_names("Cluster"))

    def broken_names(self, kind: str) -> set[str]:
        """The names of documents with faults, so that nobody calls them unknown."""
        names = (name_of(document.data) for document in self.broken.get(kind, ()))
        return {name for name in names if name is not None}


MODELS: dict[str, type[BaseModel]] = {
    "Cluster": Cluster,
    "PlacementPolicy": PlacementPolicy,
    "OverridePolicy": OverridePolicy,
    "TrafficPolicy": TrafficPolicy,
    "ClusterObservation": ClusterObservation,
    "ClusterSet": ClusterSet,
    "ExternalScores": ExternalScores,
    "Quota": Quota,
}


def read_declared(inventory: Sequence[str], policies: Sequence[str], files: Files) -> Declared:
    """Everything under the paths of the config keys `inventory` and `policies`."""
    declared = Declared()
    for key, paths in ((INVENTORY, inventory), (POLICIES, policies)):
        whole = True
        files.whole = True
        for written in paths:
            entry = files.entry(written, key)
            for file in files.below(entry) if entry is not None else ():
                whole = _read(files, file, declared) and whole
        if not (whole and files.whole):
            declared.unread.add(key)
    if declared.unread and set(inventory) & set(policies):
        declared.unread.update((INVENTORY, POLICIES))
    return declared


def _is_empty_list(data: object) -> bool:
    """Whether `kubectl get -o yaml` found nothing."""
    if not isinstance(data, dict) or data.get("apiVersion") != "v1" or data.get("kind") != "List":
        return False
    return data.get("items") == []


def _read(files: Files, file: File, declared: Declared) -> bool:
    """Whether everything in a file is known at least by its kind."""
    raw = files.raw(file)
    if raw is None:
        return False
    if not raw.content.strip() and raw.shown.rpartition("/")[2] == OBSERVED:
        # A clipped file would bring every cluster back to life that probes found dead.
        hint = "delete it; 'fleet probe' writes it anew"
        files.errors.add(Source(raw.shown, 1, 1), "", "the observed file is empty", hint)
        return False
    reading = read_declared_text(raw, files.cache, files.errors)
    whole = reading.whole
    for document in reading.documents:
        if importer_of(document.data) is not None:
            declared.foreign.append(document)
            continue
        if _is_empty_list(document.data):
            continue
        if belongs(document, MODELS, files.errors):
            declared.add(document, files.errors)
            continue
        kind = document.data.get("kind") if isinstance(document.data, dict) else None
        if isinstance(kind, str) and kind in MODELS:
            declared.broken.setdefault(kind, []).append(document)
        else:
            whole = False
    return whole


def belongs(document: Document, known: Collection[str], errors: ErrorList) -> bool:
    """Whether a document is one of fleet's kinds that are known here; if not, says why."""
    data = document.data
    if not isinstance(data, dict):
        wanted = "a document is a map with apiVersion, kind, metadata and spec"
        errors.add(document.origin.start, "", f"{wanted}, not {described(data, None)}")
        return False
    of_fleet = _is_known(document, "apiVersion", (API_VERSION,), errors)
    if of_fleet or "apiVersion" not in data:
        return _is_known(document, "kind", known, errors) and of_fleet
    return False  # somebody else's document: its kind is another question


def _is_known(document: Document, name: str, known: Collection[str], errors: ErrorList) -> bool:
    value = document.data.get(name)
    if isinstance(value, str) and value in known:
        return True
    words = Words(known)
    place = document.origin.at(name)
    if name not in document.data:
        example = API_VERSION if name == "apiVersion" else "one of " + ", ".join(words.known)
        errors.add(place, name, "is required, but not there", f"write {example}")
        return False
    spelled = document.marks.spelling((name,))
    hint = _ELSEWHERE.get(str(value)) or words.hint(str(value))
    errors.add(place, name, f"{described(value, spelled)} is not known here", hint)
    return False


def name_of(data: Any) -> str | None:  # noqa: ANN401 - data of a document that may be anything
    """The name in a document that may be wrong in any way."""
    metadata = data.get("metadata") if isinstance(data, dict) else None
    name = metadata.get("name") if isinstance(metadata, dict) else None
    return name if isinstance(name, str) else None
