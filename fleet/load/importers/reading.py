"""Reads a document of another product: every field that nobody asked for is no field of its API.

The code that reads a document is the only list of its fields: `Part.close` says every other one,
as an API server with strict field validation does.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fleet.errors import ErrorList
from fleet.load.faults import MOST_WHOLE, Faults, texts
from fleet.load.importers.importer import Importer, Notes
from fleet.load.source import Document
from fleet.load.wording import described
from fleet.load.words import Words, quoted
from fleet.model.decision import Finding
from fleet.model.quantity import parse_quantity
from fleet.model.source import Path, Step

SERVER_FIELDS = (
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "managedFields",
    "selfLink",
    "ownerReferences",
    "finalizers",
    "generateName",
    "deletionGracePeriodSeconds",
)
"""What an API server or a controller writes into metadata; it decides nothing here."""


@dataclass(frozen=True, slots=True)
class _Noted(Faults):
    """Notes the faults of one document, and that it is refused for them."""

    notes: Notes

    def add(self, path: Path, sentence: str, hint: str = "") -> None:
        """One fault at a field."""
        self.notes.fault(path, sentence, hint)


@dataclass(slots=True)
class Part:
    """A map of a document, its place, and which of its fields somebody has asked for."""

    faults: Faults
    path: Path
    data: Mapping[str, Any]
    asked: set[str] = field(default_factory=set)

    def has(self, name: str) -> bool:
        """Whether a field is there and not null."""
        self.asked.add(name)
        return self.data.get(name) is not None

    def raw(self, name: str) -> Any:  # noqa: ANN401 - a value that is only passed on
        """A field as it is."""
        self.asked.add(name)
        return self.data.get(name)

    def skip(self, *names: str) -> None:
        """Fields that exist, and say nothing about placement."""
        self.asked.update(names)

    def at(self, *steps: Step) -> Path:
        """The path of a field below."""
        return (*self.path, *steps)

    def fault(self, name: str, sentence: str, hint: str = "") -> None:
        """A fault at a field."""
        self.faults.add(self.at(name), sentence, hint)

    def text(self, name: str, default: str = "") -> str:
        """A text; the default where it is absent."""
        value = self.raw(name)
        if value is None:
            return default
        if isinstance(value, str):
            return value
        self.faults.wants_text(self.at(name), value)
        return default

    def required(self, name: str) -> str:
        """A text that has to be there."""
        if not self.has(name):
            self.faults.missing(self.at(name))
        return self.text(name)

    def choice(self, name: str, allowed: Sequence[str], default: str) -> str:
        """One of the words that the product's API allows."""
        value = self.text(name)
        if not value or value in allowed:
            return value or default
        near = Words(allowed).nearest(value)
        sentence = f"'{value}' is not allowed; allowed are {quoted(allowed)}"
        self.fault(name, sentence, f"did you mean '{near}'?" if near else "")
        return default

    def whole(self, name: str, least: int = 0, most: int = MOST_WHOLE) -> int | None:
        """A whole number within bounds; None where it is absent."""
        value = self.raw(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            hint = f"write {value} without quotes" if str(value).isdecimal() else ""
            self.faults.wants(self.at(name), "a whole number", value, hint)
            return None
        if not least <= value <= most:
            self.fault(name, f"{value} is not allowed; allowed is {least} to {most}")
            return None
        return value

    def flag(self, name: str, *, default: bool = False) -> bool:
        """True or false."""
        value = self.raw(name)
        if value is None or isinstance(value, bool):
            return default if value is None else value
        self.faults.wants(self.at(name), "true or false", value)
        return default

    def texts(self, name: str) -> list[str]:
        """A list of texts."""
        found = []
        for index, each in enumerate(self._items(name)):
            if isinstance(each, str):
                found.append(each)
            else:
                self.faults.wants_text(self.at(name, index), each)
        return found

    def pairs(self, name: str) -> dict[str, str]:
        """A map of text to text."""
        return dict(texts(self.raw(name), self.at(name), self.faults))

    def amounts(self, name: str) -> dict[str, str]:
        """A map of quantities, as they are written."""
        part = self.map(name)
        return {key: part.amount(key) for key in part.data} if part is not None else {}

    def amount(self, name: str) -> str:
        """A quantity, as it is written; 0 where it is none."""
        value = self.raw(name)
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            try:
                parse_quantity(value)
            except ValueError as error:
                self.fault(name, str(error))
                return "0"
            return str(value)
        self.faults.wants(self.at(name), "a quantity, such as 2, 500m, 1.5 or 4Gi", value)
        return "0"

    def map(self, name: str) -> "Part | None":
        """A map; None where it is absent."""
        value = self.raw(name)
        if value is None:
            return None
        if isinstance(value, dict):
            return Part(self.faults, self.at(name), value)
        self.faults.wants(self.at(name), "a map", value)
        return None

    def within(self, name: str) -> "Part":
        """A map; an empty one where it is absent."""
        found = self.map(name)
        return found if found is not None else Part(self.faults, self.at(name), {})

    def parts(self, name: str) -> list["Part"]:
        """A list of maps."""
        found = []
        for index, each in enumerate(self._items(name)):
            if isinstance(each, dict):
                found.append(Part(self.faults, self.at(name, index), each))
            else:
                self.faults.wants(self.at(name, index), "a map", each)
        return found

    def close(self, noun: str) -> None:
        """Says every field that nobody asked for; `noun` is what the map is in the product."""
        for name in self.data:
            if name not in self.asked:
                hint = Words(self.asked).nearest(name)
                sentence = f"is no field of {noun}"
                self.fault(name, sentence, f"did you mean '{hint}'?" if hint else "")

    def _items(self, name: str) -> Sequence[object]:
        value = self.raw(name)
        if value is None or isinstance(value, list):
            return value or ()
        self.faults.wants(self.at(name), "a list", value)
        return ()


@dataclass(frozen=True, slots=True)
class Foreign:
    """A document of another product: its metadata, and its body to read.

    `deleted`: its API server is about to remove it.
    """

    document: Document
    kind: str
    name: str
    namespace: str
    labels: Mapping[str, str]
    annotations: Mapping[str, str]
    deleted: bool
    body: Part
    notes: Notes

    @property
    def key(self) -> tuple[str, str]:
        """Namespace and name."""
        return self.namespace, self.name

    @property
    def spoken(self) -> str:
        """The document in a sentence."""
        inside = f"{self.namespace}/" if self.namespace else ""
        return f"{self.kind} '{inside}{self.name}'"


def foreign(product: str, document: Document, errors: ErrorList) -> Foreign:
    """Reads the metadata; apiVersion and kind are known already."""
    notes = Notes(product, document, errors)
    body = Part(_Noted(document, errors, notes), (), document.data)
    body.skip("apiVersion")
    metadata = body.within("metadata")
    metadata.skip(*SERVER_FIELDS)
    found = Foreign(
        document,
        body.text("kind"),
        metadata.required("name"),
        metadata.text("namespace"),
        metadata.pairs("labels"),
        metadata.pairs("annotations"),
        metadata.has("deletionTimestamp"),
        body,
        notes,
    )
    metadata.close("metadata")
    return found


def by_kind(
    importer: Importer, documents: Iterable[Document], errors: ErrorList, prefix: str = ""
) -> dict[str, list[Foreign]]:
    """All documents of a product by their kind, in the order of files.

    `prefix`: kinds that begin with it are the product's, too. Any other is a fault.
    """
    known = Words(kind for kinds in importer.kinds.values() for kind in kinds)
    found: dict[str, list[Foreign]] = {}
    for document in documents:
        kind = document.data.get("kind")
        if not isinstance(kind, str) or not (kind in known or (prefix and kind.startswith(prefix))):
            place = document.origin.at("kind")
            sentence = f"{described(kind, None)} is no kind of {importer.product} that is read here"
            errors.add(place, "kind", sentence, known.hint(str(kind)))
            continue
        found.setdefault(kind, []).append(foreign(importer.product, document, errors))
    return found


def note_records(found: Mapping[str, Iterable[Foreign]], kinds: Iterable[str]) -> None:
    """Documents that a product writes for itself place nothing: that is told."""
    for each in (one for kind in kinds for one in found.get(kind, ())):
        each.notes.ignored(("kind",), "writes it for itself; nothing is placed by it")


def findings_of(found: Mapping[str, Iterable[Foreign]]) -> list[Finding]:
    """What there is to tell of all documents; those of refused ones turn into faults."""
    return [note for group in found.values() for each in group for note in each.notes.close()]
