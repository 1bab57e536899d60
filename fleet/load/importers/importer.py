"""What an importer is: other products' documents in, native values out.

From here on nothing knows where a value came from, but for its Origin, which leads to the line that
the user wrote.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from fleet.errors import ErrorList
from fleet.load.objects import Checked
from fleet.load.remains import Remains
from fleet.load.source import Document
from fleet.load.validate import Model, validated
from fleet.model.base import FrozenMap
from fleet.model.decision import Finding
from fleet.model.finding_codes import IMPORT_DIFFERS, IMPORT_IGNORED
from fleet.model.inventory import Cluster
from fleet.model.override import OverridePolicy
from fleet.model.policy import PlacementPolicy
from fleet.model.source import Path, dotted
from fleet.model.workload import Manifest


@dataclass(frozen=True, slots=True)
class Context:
    """What a conversion may read and report to.

    **Shape**: `objects` has all Kubernetes objects of the `workloads` files, in file order.
    `errors` takes faults: a document that cannot be taken as it is, so that the run is refused.
    `clusters` are the names of all clusters of the run, also of other products; empty where nobody
    knows them.
    """

    objects: Sequence[Manifest]
    errors: ErrorList
    clusters: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Claim:
    """Objects that a foreign policy takes out of their files' workload, as one of their own.

    `placement` and `overrides` speak of this workload besides the policies that name it; the
    overrides run after those, in the order of the list. `queue` and `ties` as in
    WorkloadSettings; `adopt` takes over objects that exist already; `namespaces` are created where
    they are missing. `per_cluster` False: the main object is divided, also where a native workload
    would run it once per cluster (a Pod).
    """

    name: str
    objects: tuple[Manifest, ...]
    placement: PlacementPolicy | None = None
    overrides: tuple[OverridePolicy, ...] = ()
    queue: int | None = None
    ties: Literal["ascending", "descending"] = "ascending"
    adopt: bool = False
    per_cluster: bool | None = None
    namespaces: tuple[str, ...] = ()


@dataclass(slots=True)
class Imported:
    """The native values, in the order of files and documents.

    `objects` are those that the foreign documents themselves hold; claims may name them.
    `documents` are fleet's own, made of foreign ones, as a file has them: they are validated next.
    """

    clusters: list[Cluster] = field(default_factory=list)
    placements: list[PlacementPolicy] = field(default_factory=list)
    overrides: list[OverridePolicy] = field(default_factory=list)
    workloads: list[Claim] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    objects: list[Checked] = field(default_factory=list)
    documents: list[Document] = field(default_factory=list)

    def add(self, other: "Imported") -> None:
        """Takes in what another product's documents gave."""
        self.clusters += other.clusters
        self.placements += other.placements
        self.overrides += other.overrides
        self.workloads += other.workloads
        self.findings += other.findings
        self.objects += other.objects
        self.documents += other.documents


Convert = Callable[[Sequence[Document], Context], Imported]


@dataclass(frozen=True, slots=True)
class Importer:
    """One product. **Shape**: `kinds` by API group, without its version."""

    product: str
    kinds: Mapping[str, frozenset[str]]
    convert: Convert


@dataclass(slots=True)
class Notes:
    """What there is to tell of one document, and its faults.

    A document that is refused tells everything at once: then its notes are faults, too.
    """

    product: str
    document: Document
    errors: ErrorList
    findings: list[Finding] = field(default_factory=list)
    refused: bool = False

    def ignored(self, path: Path, why: str) -> None:
        """A field that the product itself does not follow; `why` goes on after its name."""
        self._note(IMPORT_IGNORED, path, {"why": why})

    def differs(self, path: Path, why: str, knob: str) -> None:
        """A field that fleet follows in another way; `knob` says what does it here."""
        self._note(IMPORT_DIFFERS, path, {"why": why, "knob": knob})

    def fault(self, path: Path, sentence: str, hint: str = "") -> None:
        """What the product refuses, or what fleet must not guess."""
        self.refused = True
        self.errors.add(self.document.origin.at(*path), dotted(path), sentence, hint)

    def validated(self, model: type[Model], document: Document) -> Model | None:
        """The document as a value; None, with all its faults, where it is not one."""
        value = validated(model, document, self.errors)
        self.refused = self.refused or value is None
        return value

    def take(self, remains: Remains[Model], check: Callable[[Model, "Notes"], None]) -> None:
        """What a check tells of the rest of a refused document."""

        def told(form: Model, errors: ErrorList) -> None:
            notes = Notes(self.product, self.document, errors, refused=True)
            check(form, notes)
            notes.close()

        self.errors.errors += remains.faults(told)

    def close(self) -> list[Finding]:
        """The findings of a good document; those of a refused one stand among its faults."""
        if not self.refused:
            return self.findings
        for each in self.findings:
            hint = str(each.values.get("knob", ""))
            sentence = f"{each.values['product']} {each.values['why']}"
            self.errors.add(each.source, str(each.values["field"]), sentence, hint)
        return []

    def _note(self, code: str, path: Path, values: dict[str, str | int]) -> None:
        said = {"product": self.product, "field": dotted(path), **values}
        source = self.document.origin.at(*path)
        self.findings.append(Finding(code, FrozenMap[str | int](said), source))
