"""Lists of objects, as `kubectl get -o yaml` writes them: taken apart, item by item."""

from collections.abc import Iterator
from typing import Any, TypeGuard

from fleet.errors import ErrorList
from fleet.load.faults import Faults
from fleet.load.source import Document
from fleet.model.source import Path

_MOST_NESTED_LISTS = 10


def taken_apart(document: Document, errors: ErrorList, depth: int = 0) -> Iterator[Document]:
    """The document, or the items of a `kind: List` (or `ServiceList` and such)."""
    data = document.data
    if not is_list(data) or depth == _MOST_NESTED_LISTS:
        yield document
        return
    of_kind = data["kind"].removesuffix("List")
    for index, item in enumerate(data["items"] or ()):
        path: Path = ("items", index)
        if not isinstance(item, dict):
            Faults(document, errors).wants(path, "a Kubernetes object", item)
            continue
        if of_kind and not ("kind" in item or "apiVersion" in item):
            item = {"apiVersion": data.get("apiVersion"), "kind": of_kind, **item}  # noqa: PLW2901 - the item with what its list says of it
        yield from taken_apart(document.part(item, *path), errors, depth + 1)


def is_list(data: object) -> TypeGuard[dict[str, Any]]:
    """Whether a document is a list of objects, also an empty one."""
    if not isinstance(data, dict):
        return False
    kind = data.get("kind")
    if not isinstance(kind, str) or not kind.endswith("List") or "items" not in data:
        return False
    return data["items"] is None or isinstance(data["items"], list)
