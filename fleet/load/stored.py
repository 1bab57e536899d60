"""Documents and workloads in a cache: written as plain data, checked again on the way out.

Only what has no fault is kept. The bodies of objects are kept apart and read when somebody wants
them. What a Secret holds is never written to the cache: its body is read from its file again.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import lru_cache, partial
from hashlib import sha256
from typing import Any

from pydantic import BaseModel, TypeAdapter

from fleet.errors import ErrorList
from fleet.load.cache import LENIENT, Cache
from fleet.load.files import Raw
from fleet.load.importers import importer_of
from fleet.load.importers.foreign import read_mixed
from fleet.load.marks import Marks, PositionedText
from fleet.load.objects import read_objects
from fleet.load.pack import Entry
from fleet.load.scalars import FLEET, KUBERNETES
from fleet.load.source import Document, Reading, document_of
from fleet.model.source import Origin, Path
from fleet.model.workload import Manifest, Workload

Body = dict[str, Any]
Row = tuple[str, str, str, str, int, int, int, int, int, tuple[str | int, ...], int, int]
"""apiVersion, kind, namespace, name; file, line, column; document, its line, path; its bytes."""

_SECRET = "Secret"  # noqa: S105 - a kind
_MADE = frozenset({"name", "manifests", "source"})
_FACTS = {each.name: each.default for each in fields(Workload) if each.name not in _MADE}
_ROWS: TypeAdapter[list[Row]] = TypeAdapter(list[Row])
_WORKLOAD: TypeAdapter[Workload] = TypeAdapter(Workload)
_NO_BODY = -1


def read_declared_text(raw: Raw, cache: Cache, errors: ErrorList) -> Reading:
    """The documents of a file in fleet's own words, from the cache where they are there."""
    key = sha256(b"documents\0" + raw.content).hexdigest()
    entry = cache.find(key)
    found = _documents(raw, entry) if entry is not None else None
    if found is not None:
        return found
    text = raw.text(errors)
    if text is None:
        return Reading((), whole=False)
    reading = read_mixed(raw.shown, text, errors)
    if cache.path is not None and _is_kept(reading, text):
        kept = [(*_place(each), each.data) for each in reading.documents]
        cache.keep(key, None, _encoded(kept))
    return reading


def _is_kept(reading: Reading, text: str) -> bool:
    """Whether documents may go to the cache: sound, small, no secret, fleet's own.

    A value that aliases repeat is small in memory and may be huge when it is written out.
    """
    maps = all(
        isinstance(each.data, dict) and importer_of(each.data) is None for each in reading.documents
    )
    return reading.whole and maps and not reading.repeats and _SECRET not in text


def _place(document: Document) -> tuple[int, int, int]:
    return document.marks.index, document.origin.line, document.origin.column


def _documents(raw: Raw, entry: Entry) -> Reading | None:
    """The documents of an entry; None where it holds something else."""
    text = raw.text(ErrorList())
    if text is None:
        return None
    positioned = PositionedText(text, FLEET)
    documents = []
    try:
        for index, line, column, data in json.loads(bytes(entry.blob)):
            if not (type(index) is type(line) is type(column) is int and isinstance(data, dict)):
                return None
            marks = Marks(positioned, index, line)
            documents.append(Document(data, Origin(raw.shown, line, column, marks), marks))
    except (ValueError, TypeError, RecursionError):
        return None
    return Reading(tuple(documents), whole=True)


def workload_key(name: str, raws: Iterable[Raw]) -> str:
    """The key of a workload: its name, and the names and bytes of its files.

    Whatever else a workload should come to hang on belongs in here.
    """
    digest = sha256(b"workload\0" + name.encode(errors=LENIENT))
    for raw in raws:
        digest.update(b"\0%d\0%d\0" % (len(raw.shown), len(raw.content)))
        digest.update(raw.shown.encode(errors=LENIENT))
        digest.update(raw.content)
    return digest.hexdigest()


def find_workload(cache: Cache, key: str, name: str, raws: Sequence[Raw]) -> Workload | None:
    """The workload that was kept under a key; None where there is none that can be used."""
    entry = cache.find(key)
    return None if entry is None else _workload(name, entry, raws)


def keep_workload(cache: Cache, key: str, workload: Workload, raws: Sequence[Raw]) -> None:
    """Keeps a workload without faults, if what is kept gives back an equal one."""
    if cache.path is None:
        return
    blob = bytearray()
    places = {raw.shown: number for number, raw in enumerate(raws)}
    rows = [_row(each, places, blob) for each in workload.manifests]
    if None in rows:
        return
    try:
        values = {name: getattr(workload, name) for name in _FACTS}
        facts = {name: _plain(each) for name, each in values.items() if each != _FACTS[name]}
    except TypeError:
        return
    kept = [facts, rows]
    again = _workload(workload.name, Entry(kept, memoryview(blob)), raws)
    if again is not None and all(
        getattr(again, name) == getattr(workload, name) for name in _FACTS
    ):
        cache.keep(key, kept, bytes(blob))


def _row(manifest: Manifest, places: Mapping[str, int], blob: bytearray) -> list[Any] | None:
    """What is kept of an object; its body goes to `blob`.

    Not the body of a Secret, and not one with aliases: a value that they repeat is small in memory
    and may be huge when it is written out.
    """
    origin, marks = manifest.origin, manifest.origin.marks
    if not isinstance(marks, Marks) or origin.file not in places:
        return None
    start, length = 0, _NO_BODY
    if manifest.kind != _SECRET and not marks.text.repeats:
        body = _encoded(manifest.body)
        start, length = len(blob), len(body)
        blob.extend(body)
    identity = [manifest.api_version, manifest.kind, manifest.namespace, manifest.name]
    place = [places[origin.file], origin.line, origin.column]
    return [*identity, *place, marks.index, marks.line, list(marks.prefix), start, length]


def _workload(name: str, entry: Entry, raws: Sequence[Raw]) -> Workload | None:
    try:
        facts, rows = entry.facts
        manifests = _manifests(_ROWS.validate_python(rows), entry, raws)
        made = {"name": name, "manifests": manifests, "source": manifests[0].source}
        return _WORKLOAD.validate_python({**facts, **made})
    except (ValueError, TypeError, LookupError):
        return None


def _manifests(rows: Iterable[Row], entry: Entry, raws: Sequence[Raw]) -> tuple[Manifest, ...]:
    """The objects of an entry. Raises ValueError or LookupError where it is no such entry."""
    positioned: list[PositionedText] = []
    for raw in raws:
        text = raw.text(ErrorList())
        if text is None:
            raise ValueError(raw.shown)
        positioned.append(PositionedText(text, KUBERNETES))
    manifests = []
    for row in rows:
        number, line, column, index, first, prefix, start, length = row[4:]
        marks = Marks(positioned[number], index, first, prefix)
        origin = Origin(raws[number].shown, line, column, marks)
        kept = entry.blob[start : start + length] if length >= 0 else None
        manifests.append(Manifest.later(row[:4], origin, partial(_body, kept, raws[number], marks)))
    return tuple(manifests)


def _body(kept: memoryview | None, raw: Raw, marks: Marks) -> Body:
    """An object's body, as it was kept, or from the text of its file."""
    if kept is not None:
        try:
            body = json.loads(bytes(kept))
        except (ValueError, RecursionError):
            body = None
        if isinstance(body, dict):
            return body
    return _bodies(raw, marks.text, marks.index, marks.line)[marks.prefix]


@lru_cache(maxsize=64)
def _bodies(raw: Raw, text: PositionedText, index: int, line: int) -> Mapping[Path, Body]:
    """The bodies of all objects of a document by their path in it, read from its text."""
    document = document_of(raw.shown, Marks(text, index, line))
    found = [each.manifest for each in read_objects(document, ErrorList())]
    return {
        each.origin.marks.prefix: each.body
        for each in found
        if isinstance(each.origin.marks, Marks)
    }


def _encoded(data: object) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode()


def _plain(value: object) -> Any:  # noqa: ANN401 - plain data
    """A value as JSON has it. Raises TypeError for one that has no such form."""
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, tuple | list | frozenset):
        return [_plain(each) for each in value]
    if isinstance(value, BaseModel):
        shown = (name for name, info in type(value).model_fields.items() if not info.exclude)
        return {name: _plain(getattr(value, name)) for name in shown}
    if is_dataclass(value):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    raise TypeError(type(value).__name__)
