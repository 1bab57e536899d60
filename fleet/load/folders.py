"""What stands below the config key `workloads`: folders and files, their objects and settings."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path as FilePath

from fleet.errors import ErrorList
from fleet.load.files import File, Files, Raw, is_folder, is_yaml
from fleet.load.objects import Checked, identity_of, read_objects, spoken
from fleet.load.parse import API_VERSION
from fleet.load.scalars import KUBERNETES
from fleet.load.source import Document, read_documents
from fleet.model.document import NAME_PATTERN
from fleet.model.source import Source
from fleet.model.workload import Manifest

_NAME = re.compile(NAME_PATTERN)


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


def read_contents(files: Files, paths: Iterable[str]) -> Contents:
    """All objects and settings under the paths of the config key `workloads`."""
    contents = Contents(files.errors)
    for place in places(files, paths):
        _read_folder(files, place, contents)
    contents.whole = files.whole
    return contents


def places(files: Files, paths: Iterable[str]) -> Iterator[File]:
    """The folders and files that are workloads, under the paths of the config key."""
    for written in paths:
        entry = files.entry(written, "workloads")
        if entry is not None and is_folder(entry):
            yield from (each for each in files.children(entry) if is_folder(each) or is_yaml(each))
        elif entry is not None:
            yield entry


def _read_folder(files: Files, place: File, contents: Contents) -> None:
    before = len(files.errors.errors)
    name = named(files, place, contents.names)
    if name is not None:
        folder = folder_of(name, place, raws_of(files, place), files.errors)
        folder.sound = len(files.errors.errors) == before
        contents.folders.append(folder)


def named(files: Files, place: File, names: dict[str, Source]) -> str | None:
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


def raws_of(files: Files, place: File) -> list[Raw]:
    """The bytes of a workload's files."""
    return [raw for file in files.below(place) if (raw := files.raw(file)) is not None]


def folder_of(name: str, place: File, raws: Iterable[Raw], errors: ErrorList) -> Folder:
    """What stands in the files of one workload."""
    before = len(errors.errors)
    content = _content(raws, errors)
    _check_twice(content.objects, errors)
    return Folder(name, place, content, len(errors.errors) == before)


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
