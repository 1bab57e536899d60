"""Documents of other products -> files of fleet."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path as FilePath

from pydantic import ValidationError

from fleet.errors import ErrorList
from fleet.load.files import File, Files
from fleet.load.folders import Contents, Folder
from fleet.load.importers import convert_all, importer_of
from fleet.load.importers.importer import Context, Imported
from fleet.load.link import link
from fleet.load.lists import taken_apart
from fleet.load.names import check_distinct
from fleet.load.objects import Checked, read_objects
from fleet.load.parse import API_VERSION, Declared, name_of
from fleet.load.scalars import KUBERNETES
from fleet.load.source import Document, read_documents
from fleet.load.spell import spelled
from fleet.load.wording import Fault, words_for
from fleet.load.workloads import make_workloads
from fleet.load.written import Written, written_of
from fleet.model.inventory import Cluster
from fleet.model.settings import Settings
from fleet.model.snapshot import Snapshot
from fleet.model.source import Path, Source, dotted

_ANY_TIME = "2000-01-01T00:00:00Z"
"""No product's document has a window, and what has run out is placed otherwise, not refused."""


@dataclass(slots=True)
class _Read:
    """The documents of the given files."""

    foreign: list[Document] = field(default_factory=list)
    objects: list[Checked] = field(default_factory=list)
    left: list[tuple[Source, str]] = field(default_factory=list)
    clusters: set[str] = field(default_factory=set)


def import_files(paths: Iterable[str], root: FilePath) -> Written:
    """Reads files and folders, and says what fleet's own files would be.

    **Errors**: InvalidError with all faults.
    """
    errors = ErrorList()
    read = _read(Files(root, errors), paths)
    manifests = [each.manifest for each in read.objects]
    imported = convert_all(read.foreign, Context(manifests, errors, frozenset(read.clusters)))
    check_distinct([(each.name, each.origin) for each in imported.clusters], "cluster", errors)
    if not read.foreign and not errors.errors:
        errors.add(None, "import", "there is no document of another product in these files")
    _check_native(imported, errors)
    errors.raise_if_any()
    written = written_of(imported, read.objects, read.left)
    if imported.clusters and not read.clusters:
        written.snapshot = _snapshot(read, imported)
    return written


def _snapshot(read: _Read, imported: Imported) -> Snapshot:
    """What a run would load. **Errors**: InvalidError with what it would refuse."""
    errors = ErrorList()
    claimed = {id(manifest) for claim in imported.workloads for manifest in claim.objects}
    objects = [each for each in read.objects if id(each.manifest) in claimed]
    declared = Declared()
    declared.take(imported, errors, whole=True)
    workloads = make_workloads(
        Contents(errors, [Folder.of(objects)] if objects else []),
        imported.workloads,
        imported.objects,
    )
    snapshot = link(declared, workloads, Settings(now=_ANY_TIME), errors)
    errors.raise_if_any()
    return snapshot


def _check_native(imported: Imported, errors: ErrorList) -> None:
    """What may run as it is, but has no form as a file of fleet: a cluster without a region."""
    claimed = [
        policy
        for claim in imported.workloads
        for policy in (claim.placement, *claim.overrides)
        if policy is not None
    ]
    for value in (*imported.clusters, *imported.placements, *imported.overrides, *claimed):
        body = spelled(value)
        if not isinstance(value, Cluster):
            body["metadata"]["name"] = "free"  # policies get names of their own
            body["spec"]["workloads"] = body["spec"].get("workloads") or ["free"]  # and workloads
        try:
            type(value).model_validate(body, by_alias=True, by_name=False)
        except ValidationError as invalid:
            for details in invalid.errors(include_url=False):
                path: Path = tuple(details["loc"])
                context: Mapping[str, object] = details.get("ctx", {})
                fault = Fault(details["type"], details["input"], None, context)
                sentence, hint = words_for(fault)
                place = value.origin.at(*path)
                errors.add(place, dotted(path), f"{sentence} in a file of fleet", hint)


def _read(files: Files, paths: Iterable[str]) -> _Read:
    read = _Read()
    for written in paths:
        entry = _entry(files, written)
        for file in files.below(entry) if entry is not None else ():
            text = files.text(file)
            if text is None:
                continue
            for document in read_documents(file.shown, text, KUBERNETES, files.errors).documents:
                for each in taken_apart(document, files.errors):
                    _sort(each, read, files.errors)
    return read


def _entry(files: Files, written: str) -> File | None:
    file = File(str(FilePath(written)), files.root / written)
    if file.path.exists():
        return file
    files.errors.add(None, "import", f"'{written}' does not exist", "name a file or a folder")
    return None


def _sort(document: Document, read: _Read, errors: ErrorList) -> None:
    """Puts a document where it belongs."""
    data = document.data
    if importer_of(data) is not None:
        read.foreign.append(document)
    elif isinstance(data, dict) and data.get("apiVersion") == API_VERSION:
        read.left.append((document.origin.start, "is a document of fleet already"))
        if data.get("kind") == "Cluster":
            read.clusters.add(name_of(data) or "")
    elif _is_made_by_another(data):
        read.left.append((document.origin.start, "another object makes it"))
    else:
        read.objects.extend(read_objects(document, errors))


def _is_made_by_another(data: object) -> bool:
    """Whether a controller made the object, as it does pods and replica sets of a deployment."""
    metadata = data.get("metadata") if isinstance(data, dict) else None
    owners = metadata.get("ownerReferences") if isinstance(metadata, dict) else None
    listed = owners if isinstance(owners, list) else []
    return any(isinstance(each, dict) and each.get("controller") is True for each in listed)
