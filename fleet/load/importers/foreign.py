"""Files that hold documents of several products: each is read in its own dialect of YAML."""

from collections.abc import Iterable

from fleet.errors import ErrorList
from fleet.load.importers import IMPORTERS, importer_of
from fleet.load.lists import is_list, taken_apart
from fleet.load.scalars import FLEET, KUBERNETES
from fleet.load.source import Document, Reading, read_documents

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
        return Reading(_taken_apart(foreign.documents, errors), foreign.whole)
    native = read_documents(file, text, FLEET, errors)
    documents = {
        each.marks.index: each for each in native.documents if not _is_foreign(each.data)
    } | {each.marks.index: each for each in foreign.documents if _is_foreign(each.data)}
    ordered = [documents[index] for index in sorted(documents)]
    return Reading(_taken_apart(ordered, errors), native.whole and foreign.whole)


def _is_foreign(data: object) -> bool:
    """Whether a document, or any item of its list, is another product's."""
    items = data["items"] or () if is_list(data) else ()
    return any(importer_of(each) is not None for each in (data, *items))


def _taken_apart(documents: Iterable[Document], errors: ErrorList) -> tuple[Document, ...]:
    """The documents, those of foreign lists one by one."""
    return tuple(
        each
        for document in documents
        for each in (taken_apart(document, errors) if _is_foreign(document.data) else (document,))
    )
