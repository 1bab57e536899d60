"""Folders and files of Kubernetes objects -> workloads."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path as FilePath

from fleet.errors import ErrorList
from fleet.load.data_places import data_places
from fleet.load.files import File, Files, Raw, is_folder, is_yaml
from fleet.load.importers.importer import Claim
from fleet.load.objects import Checked, identity_of, read_objects, spoken
from fleet.load.own_settings import own_document
from fleet.load.parse import API_VERSION
from fleet.load.replicas import Load, load_of
from fleet.load.scalars import KUBERNETES
from fleet.load.source import Document, read_documents
from fleet.load.stored import find_workload, keep_workload, workload_key
from fleet.model.inventory import NAME_PATTERN
from fleet.model.source import Source
from fleet.model.workload import (
    Manifest,
    NamespaceChoice,
    Workload,
    WorkloadSettings,
)

_NAME = re.compile(NAME_PATTERN)


@dataclass(slots=True)
class Workloads:
    """All workloads.

    **Shape**: `found` in the order of files; `names` also those of workloads with faults. `whole`
    is False where a path could not be read, so that nobody knows which workloads there are;
    `claimed` where nobody knows which ones other products' documents would make.
    `claims` by the name of the workload that each made.
    """

    found: list[Workload] = field(default_factory=list)
    names: dict[str, Source] = field(default_factory=dict)
    whole: bool = True
    claimed: bool = True
    claims: dict[str, Claim] = field(default_factory=dict)


@dataclass(slots=True)
class _Content:
    """What the files of one workload hold."""

    objects: list[Checked] = field(default_factory=list)
    settings: list[Document] = field(default_factory=list)


@dataclass(slots=True)
class Folder:
    """What stands below one name of the config key `workloads`; `sound`: without a fault."""

    name: str
    place: File
    content: _Content
    sound: bool

    @classmethod
    def of(cls, objects: Iterable[Checked]) -> "Folder":
        """Sound objects from anywhere, which claims take out one by one."""
        return cls("", File("", FilePath()), _Content(list(objects)), sound=True)


@dataclass(slots=True)
class Contents:
    """Everything below the config key `workloads`, before it is known what makes a workload.

    **Shape**: `folders` in the order of files; `whole` is False where a path could not be read.
    """

    errors: ErrorList
    folders: list[Folder] = field(default_factory=list)
    names: dict[str, Source] = field(default_factory=dict)
    whole: bool = True

    @property
    def objects(self) -> list[Manifest]:
        """All Kubernetes objects, in file order."""
        return [each.manifest for folder in self.folders for each in folder.content.objects]


def read_workloads(files: Files, paths: Iterable[str]) -> Workloads:
    """All workloads under the paths of the config key `workloads`, one per folder or file.

    Those whose files are as they were come from the cache.
    """
    workloads = Workloads()
    for written in paths:
        entry = files.entry(written, "workloads")
        for place in _places(files, entry) if entry is not None else ():
            _read_workload(files, place, workloads)
    workloads.whole = files.whole
    return workloads


def _read_workload(files: Files, place: File, workloads: Workloads) -> None:
    errors = files.errors
    before = len(errors.errors)
    name = _named(files, place, workloads.names)
    if name is None:
        return
    raws = _raws(files, place)
    key = workload_key(name, raws)
    sound = len(errors.errors) == before
    workload = find_workload(files.cache, key, name, raws) if sound else None
    if workload is not None:
        workloads.found.append(workload)
        workloads.names[name] = workload.source
        return
    folder = _folder(name, place, raws, errors)
    folder.sound = len(errors.errors) == before
    count = len(workloads.found)
    _make_own(folder, frozenset(), workloads, errors)
    if len(workloads.found) > count:
        keep_workload(files.cache, key, workloads.found[-1], raws)


def read_contents(files: Files, paths: Iterable[str]) -> Contents:
    """All objects and settings under the paths of the config key `workloads`."""
    contents = Contents(files.errors)
    for written in paths:
        entry = files.entry(written, "workloads")
        for place in _places(files, entry) if entry is not None else ():
            _read_folder(files, place, contents)
    contents.whole = files.whole
    return contents


def make_workloads(
    contents: Contents, claims: Sequence[Claim] = (), objects: Iterable[Checked] = ()
) -> Workloads:
    """The workloads: one per folder or file, of what no claim takes out; and one per claim.

    `objects` are what claims may name besides, from outside of the workload files.
    """
    workloads = Workloads(names=dict(contents.names), whole=contents.whole)
    taken = {id(manifest) for claim in claims for manifest in claim.objects}
    homes = {id(each.manifest): (each, WorkloadSettings()) for each in objects}
    for folder in contents.folders:
        settings = _make_own(folder, taken, workloads, contents.errors)
        for each in folder.content.objects if taken else ():
            if id(each.manifest) in taken:
                homes[id(each.manifest)] = (each, settings)
                settings = settings.model_copy(update={"renamed_from": ()})
    for claim in claims:
        _make_claimed(claim, [homes[id(each)] for each in claim.objects], workloads)
    return workloads


def _places(files: Files, entry: File) -> Iterator[File]:
    """The folders and files that are workloads."""
    if not is_folder(entry):
        yield entry
        return
    for child in files.children(entry):
        if is_folder(child) or is_yaml(child):
            yield child


def _read_folder(files: Files, place: File, contents: Contents) -> None:
    before = len(files.errors.errors)
    name = _named(files, place, contents.names)
    if name is not None:
        folder = _folder(name, place, _raws(files, place), files.errors)
        folder.sound = len(files.errors.errors) == before
        contents.folders.append(folder)


def _named(files: Files, place: File, names: dict[str, Source]) -> str | None:
    """The name of a folder or file, which is known from now on; None where another has it."""
    errors = files.errors
    name = place.name if is_folder(place) else place.stem
    if name in names:
        sentence = f"the workload '{name}' is already at {names[name]}"
        errors.add(place.start, "", sentence, "keep one of the two")
        return None
    if _NAME.match(name):
        names[name] = place.start
    else:
        sentence = f"'{name}' is no name of a workload"
        errors.add(place.start, "", sentence, "lower case letters, digits, '-' and '.'")
    return name


def _raws(files: Files, place: File) -> list[Raw]:
    return [raw for file in files.below(place) if (raw := files.raw(file)) is not None]


def _folder(name: str, place: File, raws: Iterable[Raw], errors: ErrorList) -> Folder:
    """What stands in the files of one workload."""
    before = len(errors.errors)
    content = _content(raws, errors)
    _check_twice(content.objects, errors)
    return Folder(name, place, content, len(errors.errors) == before)


def _make_own(
    folder: Folder, taken: Collection[int], workloads: Workloads, errors: ErrorList
) -> WorkloadSettings:
    """The workload of a folder, if anything is left for it.

    Returns the settings for the claims in it; former names are the folder's own, if it stays.
    """
    before = len(errors.errors)
    objects = [each for each in folder.content.objects if id(each.manifest) not in taken]
    document = own_document(folder.name, folder.content.settings, folder.content.objects, errors)
    settings = document.spec if document is not None else WorkloadSettings()
    load = load_of(objects, settings.replicas)
    if not folder.content.objects and folder.sound and len(errors.errors) == before:
        sentence = f"the workload '{folder.name}' holds no Kubernetes object"
        errors.add(folder.place.start, "", sentence, "add .yaml files, or remove it")
    if folder.content.objects and not objects:
        workloads.names.pop(folder.name, None)
    elif folder.sound and len(errors.errors) == before:
        workload = _workload(folder.name, objects, load, settings)
        _add(replace(workload, data_places=data_places(document)), workloads)
    return settings.model_copy(update={"renamed_from": ()}) if objects else settings


def _make_claimed(
    claim: Claim, homes: Sequence[tuple[Checked, WorkloadSettings]], workloads: Workloads
) -> None:
    """The workload of a claim, with the settings of the folder of its first object.

    The former names of a folder that is used up go to the first claim in it.
    """
    objects = [checked for checked, _ in homes]
    load = load_of(objects)
    if claim.per_cluster is not None:
        load = replace(load, per_cluster=claim.per_cluster)
    said = homes[0][1]
    created = dict.fromkeys((*said.namespaces.create, *claim.namespaces))
    settings = said.model_copy(
        update={
            "adopt": said.adopt or claim.adopt,
            "namespaces": NamespaceChoice(create=tuple(created)),
            "queue": claim.queue,
            "ties": claim.ties,
        }
    )
    _add(_workload(claim.name, objects, load, settings), workloads)
    workloads.claims[claim.name] = claim


def _add(workload: Workload, workloads: Workloads) -> None:
    workloads.found.append(workload)
    workloads.names[workload.name] = workload.source


def _workload(
    name: str, objects: Sequence[Checked], load: Load, settings: WorkloadSettings
) -> Workload:
    return Workload(
        name=name,
        manifests=tuple(each.manifest for each in objects),
        main=load.main,
        replicas=load.replicas,
        request=load.request,
        per_cluster=load.per_cluster,
        autoscaled=load.autoscaled,
        settings=settings,
        source=objects[0].manifest.source,
    )


def _content(raws: Iterable[Raw], errors: ErrorList) -> _Content:
    content = _Content()
    for raw in raws:
        text = raw.text(errors)
        if text is None:
            continue
        reading = read_documents(raw.shown, text, KUBERNETES, errors)
        for document in reading.documents:
            if _is_fleets(document):
                content.settings.append(document)
            else:
                content.objects.extend(read_objects(document, errors))
    return content


def _is_fleets(document: Document) -> bool:
    data = document.data
    version = data.get("apiVersion") if isinstance(data, dict) else None
    return isinstance(version, str) and version.startswith(API_VERSION.partition("/")[0] + "/")


def _check_twice(objects: Iterable[Checked], errors: ErrorList) -> None:
    """The same object twice in one workload: the second would overwrite the first."""
    first: dict[tuple[str, str, str, str], Checked] = {}
    for each in objects:
        other = first.setdefault(identity_of(each.manifest), each)
        if other is not each:
            manifest = each.manifest
            sentence = f"{spoken(manifest)} is already at {other.manifest.source}"
            errors.add(manifest.source, "", sentence, "keep one of the two")
