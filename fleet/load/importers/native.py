"""Native values in the making: bodies as in a file of fleet, and where their fields come from."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from fleet.load.importers.importer import Notes
from fleet.load.importers.places import origin_of
from fleet.load.importers.reading import Foreign, Part
from fleet.load.source import Document
from fleet.load.wording import Fault, items_of, words_for
from fleet.model.inventory import Cluster
from fleet.model.source import Origin, Path, dotted

Model = TypeVar("Model", bound=BaseModel)
REGION = "topology.kubernetes.io/region"
ZONE = "topology.kubernetes.io/zone"
_OLD_REGION = "failure-domain.beta.kubernetes.io/region"
_OLD_ZONE = "failure-domain.beta.kubernetes.io/zone"
_REACHES = "fleet reaches a cluster by spec.connection of its own document, this one and all others"
_VARIABLE = re.compile(r"\$\{(?P<name>[^}]*)\}")
_NOTHING: tuple[object, ...] = (None, "", [], {})


@dataclass(slots=True)
class Native:
    """A document of fleet that is made of a document of another product.

    **Shape**: `body` as in a file, camelCase; `links` from native paths to those of the document;
    `names` likewise, of fields that mean the same in both, and `words` (see Origin).
    """

    of: Foreign
    body: dict[str, Any] = field(default_factory=dict)
    links: dict[Path, Path] = field(default_factory=dict)
    names: dict[Path, Path] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)

    def put(self, native: Path, value: object, path: Path) -> None:
        """Says a field, unless there is nothing to say, and where it comes from."""
        if value in _NOTHING:
            return
        *parents, last = map(str, native)
        inside = self.body
        for step in parents:
            inside = inside.setdefault(step, {})
        inside[last] = value
        self.links[native] = path

    def made(self, model: type[Model]) -> Model | None:
        """The value; None, with faults at the places of the document, where it is not one."""
        try:
            return model.model_validate({**self.body, "origin": self._origin}, by_alias=True)
        except ValidationError as invalid:
            for details in invalid.errors(include_url=False):
                path: Path = tuple(details["loc"])
                if details["type"] == "too_short" and details["input"]:
                    continue  # the list is not empty: its items have faults of their own
                context: Mapping[str, object] = details.get("ctx", {})
                self._fault(path, Fault(details["type"], details["input"], None, context))
            return None

    @property
    def document(self) -> Document:
        """As a document of fleet, for whoever validates it."""
        return Document(self.body, self._origin, self.of.document.marks)

    @property
    def _origin(self) -> Origin:
        return origin_of(self.of.document, self.links, self.names, self.words)

    def _fault(self, path: Path, fault: Fault) -> None:
        behind = self._behind(path)
        for key, sentence in items_of(fault).items():
            self.of.notes.fault((*behind, key), sentence)
        if not items_of(fault):
            sentence, hint = words_for(fault)
            self.of.notes.fault(behind, f"{sentence} (fleet's {dotted(path)})", hint)

    def _behind(self, path: Path) -> Path:
        for length in range(len(path), 0, -1):
            if path[:length] in self.links:
                return self.links[path[:length]] + path[length:]
        return path if path[:1] == ("metadata",) else ()


class MakesCluster(Protocol):
    """Makes the cluster of a document; None where it has faults."""

    def __call__(self, each: Foreign, /, *, first: bool) -> Cluster | None:
        """`first`: what is to be told once for a product is told here."""


def clusters_of(documents: Iterable[Foreign], make: MakesCluster) -> list[Cluster]:
    """The clusters, without those whose documents have faults."""
    made = (make(each, first=not index) for index, each in enumerate(documents))
    return [each for each in made if each is not None]


def cluster_of(each: Foreign, labels: Mapping[str, str] | None = None) -> Native:
    """A cluster with the name and the labels of a document, and `labels` besides."""
    native = Native(each)
    native.put(("metadata", "name"), each.name, ("metadata", "name"))
    native.put(("metadata", "labels"), {**(labels or {}), **each.labels}, ("metadata", "labels"))
    native.put(("spec", "state"), "draining" if each.deleted else "", ("metadata",))
    return native


def put_region(native: Native, own: str, path: Path, cure: str = "") -> None:
    """Says the region: the well-known label, else what the product itself says at `path`.

    `cure` is another way to say it, which goes on after the first.

    **Errors**: a fault where nothing says it; every cluster of fleet has a region.
    """
    labels = native.of.labels
    label = next((each for each in (REGION, _OLD_REGION) if labels.get(each)), None)
    if label is not None:
        native.put(("spec", "region"), labels[label], ("metadata", "labels", label))
    elif own:
        native.put(("spec", "region"), own, path)
    else:
        sentence = "says no region, and every cluster of fleet has one"
        native.of.notes.fault(("metadata",), sentence, f"add the label '{REGION}'{cure}")


def put_zones(native: Native, own: Iterable[str], path: Path) -> None:
    """Says the zones: those that the product itself says at `path`, else the well-known label."""
    zones = list(dict.fromkeys(own))
    labels = native.of.labels
    label = next((each for each in (ZONE, _OLD_ZONE) if labels.get(each)), None)
    if zones or label is None:
        native.put(("spec", "zones"), zones, path)
    else:
        native.put(("spec", "zones"), [labels[label]], ("metadata", "labels", label))


def note_connection(notes: Notes, path: Path, why: str) -> None:
    """Tells once for a product that fleet does not reach clusters as the product does.

    Each cluster without a connection that is used is told of by itself.
    """
    notes.differs(path, why, _REACHES)


def note_unwell(notes: Notes, path: Path, why: str, name: str) -> None:
    """Tells what the product makes of a cluster's state, with the word of fleet's that does so."""
    notes.differs(path, why, f"pulumi config set --path 'fleet:down[0]' {name}")


def not_true(status: Part, kind: str) -> list[Part]:
    """The conditions of a kind that are said, and are not true."""
    said = [part for part in status.parts("conditions") if part.data.get("type") == kind]
    return [part for part in said if part.data.get("status") != "True"]


def made_cluster(native: Native) -> Cluster | None:
    """The cluster; None where its document has faults."""
    return None if native.of.notes.refused else native.made(Cluster)


def escaped(value: object, variable: Callable[[str], str | None] = lambda _name: None) -> object:
    """A value of a patch, in which `${` means what it does in the product.

    `variable` gives fleet's name of a variable; everything else stays plain text.

    >>> escaped({"a": ["${b}"]})
    {'a': ['$${b}']}
    """
    if isinstance(value, list):
        return [escaped(each, variable) for each in value]
    if isinstance(value, dict):
        return {key: escaped(each, variable) for key, each in value.items()}
    if not isinstance(value, str):
        return value

    def replaced(match: re.Match[str]) -> str:
        name = variable(match["name"])
        return f"$${{{match['name']}}}" if name is None else f"${{{name}}}"

    return _VARIABLE.sub(replaced, value)
