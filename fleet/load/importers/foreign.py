"""Files that hold documents of several products: each is read in its own dialect of YAML."""

from collections.abc import Iterator

from fleet.errors import ErrorList
from fleet.load.importers import IMPORTERS, importer_of
from fleet.load.scalars import FLEET, KUBERNETES
from fleet.load.source import Document, Reading, read_documents
from fleet.model.source import Path

_GROUPS = tuple(sorted({group for each in IMPORTERS for group in each.kinds}))
_NATIVE = "fleet/"


def read_mixed(file: str, text: str, errors: ErrorList) -> Reading:
    """The documents of a file: fleet's own as fleet reads YAML, the others as kubectl does.

    The text decides which readings are needed, so that a file of one kind is read once.
    """
    if not any(group in text for group in _GROUPS):
        return read_documents(file, text, FLEET, errors)
    foreign = read_documents(file, text, KUBERNETES, errors)
    if _NATIVE not in text:
        return Reading(_taken_apart(foreign), foreign.whole)
    native = read_documents(file, text, FLEET, errors)
    documents = {
        each.marks.index: each for each in native.documents if not _is_foreign(each.data)
    } | {each.marks.index: each for each in foreign.documents if _is_foreign(each.data)}
    ordered = tuple(documents[index] for index in sorted(documents))
    whole = native.whole and foreign.whole
    return Reading(_taken_apart(Reading(ordered, whole)), whole)


def _is_foreign(data: object) -> bool:
    """Whether a document, or any item of its list, is another product's."""
    return any(importer_of(each) is not None for _, each in _items(data))


def _items(data: object) -> Iterator[tuple[Path, object]]:
    """The document itself, or the items of a `kind: List`, as `kubectl get -o yaml` writes them."""
    items = data.get("items") if isinstance(data, dict) else None
    if isinstance(data, dict) and data.get("kind") == "List" and isinstance(items, list):
        yield from ((("items", index), item) for index, item in enumerate(items))
    else:
        yield (), data


def _taken_apart(reading: Reading) -> tuple[Document, ...]:
    """The documents, those of foreign lists one by one."""
    return tuple(
        document.part(item, *path) if path and isinstance(item, dict) else document
        for document in reading.documents
        for path, item in (_items(document.data) if _is_foreign(document.data) else [((), None)])
    )
