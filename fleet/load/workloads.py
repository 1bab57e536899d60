"""Folders and files of Kubernetes objects -> workloads."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from fleet.errors import ErrorList
from fleet.load.files import File, Files, Raw, is_folder, is_yaml
from fleet.load.objects import Checked, identity_of, read_objects, spoken
from fleet.load.parse import API_VERSION, belongs
from fleet.load.replicas import load_of
from fleet.load.scalars import FLEET, KUBERNETES
from fleet.load.source import Document, read_again, read_documents
from fleet.load.stored import find_workload, keep_workload, workload_key
from fleet.load.validate import validated
from fleet.load.words import Words
from fleet.model.inventory import NAME_PATTERN
from fleet.model.source import Source
from fleet.model.workload import Workload, WorkloadDocument, WorkloadSettings

_NAME = re.compile(NAME_PATTERN)
_NAMESPACE = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\Z")


@dataclass(slots=True)
class Workloads:
    """All workloads.

    **Shape**: `found` in the order of files; `names` also those of workloads with faults. `whole`
    is False where a path could not be read, so that nobody knows which workloads there are.
    """

    found: list[Workload] = field(default_factory=list)
    names: dict[str, Source] = field(default_factory=dict)
    whole: bool = True


@dataclass(slots=True)
class _Content:
    """What the files of one workload hold."""

    objects: list[Checked] = field(default_factory=list)
    settings: list[Document] = field(default_factory=list)


def read_workloads(files: Files, paths: Iterable[str]) -> Workloads:
    """All workloads under the paths of the config key `workloads`."""
    workloads = Workloads()
    for written in paths:
        entry = files.entry(written, "workloads")
        for place in _places(files, entry) if entry is not None else ():
            _read_workload(files, place, workloads)
    workloads.whole = files.whole
    return workloads


def _places(files: Files, entry: File) -> Iterator[File]:
    """The folders and files that are workloads."""
    if not is_folder(entry):
        yield entry
        return
    for child in files.children(entry):
        if is_folder(child) or is_yaml(child):
            yield child


def _read_workload(files: Files, place: File, workloads: Workloads) -> None:
    errors = files.errors
    before = len(errors.errors)
    name = place.name if is_folder(place) else place.stem
    if not _NAME.match(name):
        sentence = f"'{name}' is no name of a workload"
        errors.add(place.start, "", sentence, "lower case letters, digits, '-' and '.'")
    if name in workloads.names:
        first = workloads.names[name]
        sentence = f"the workload '{name}' is already at {first}"
        errors.add(place.start, "", sentence, "keep one of the two")
        return
    if len(errors.errors) == before:
        workloads.names[name] = place.start
    raws = [raw for file in files.below(place) if (raw := files.raw(file)) is not None]
    key = workload_key(name, raws)
    sound = len(errors.errors) == before
    workload = find_workload(files.cache, key, name, raws) if sound else None
    if workload is None:
        workload = _workload(name, raws, errors)
        if len(errors.errors) > before:
            return
        if workload is None:
            sentence = f"the workload '{name}' holds no Kubernetes object"
            errors.add(place.start, "", sentence, "add .yaml files, or remove it")
            return
        keep_workload(files.cache, key, workload, raws)
    workloads.found.append(workload)
    workloads.names[name] = workload.source


def _workload(name: str, raws: Iterable[Raw], errors: ErrorList) -> Workload | None:
    """The workload of some files; None where they hold no object, less where there are faults."""
    content = _content(raws, errors)
    _check_twice(content.objects, errors)
    settings = _settings(name, content, errors)
    load = load_of(content.objects, settings.replicas)
    if not content.objects:
        return None
    return Workload(
        name=name,
        manifests=tuple(each.manifest for each in content.objects),
        main=load.main,
        replicas=load.replicas,
        request=load.request,
        per_cluster=load.per_cluster,
        autoscaled=load.autoscaled,
        settings=settings,
        source=content.objects[0].manifest.source,
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


def _settings(name: str, content: _Content, errors: ErrorList) -> WorkloadSettings:
    """The settings of the workload's own document, or the defaults."""
    first: WorkloadDocument | None = None
    for document in content.settings:
        if not belongs(document, ("Workload",), errors):
            continue
        again = read_again(document, FLEET, errors)
        value = validated(WorkloadDocument, again, errors) if again is not None else None
        if value is None:
            continue
        _check_settings(name, value, first, errors)
        _check_replicas(value, content.objects, errors)
        first = first or value
    return first.spec if first is not None else WorkloadSettings()


def _check_replicas(value: WorkloadDocument, objects: Iterable[Checked], errors: ErrorList) -> None:
    """A declared path is for an object that is there."""
    kinds = {f"{each.manifest.api_version}/{each.manifest.kind}" for each in objects}
    for index, said in enumerate(value.spec.replicas):
        kind = f"{said.api_version}/{said.kind}"
        if kind not in kinds:
            place = value.origin.at("spec", "replicas", index)
            sentence = f"the workload has no object of '{kind}'"
            errors.add(place, f"spec.replicas[{index}]", sentence, Words(kinds).hint(kind))


def _check_settings(
    name: str, value: WorkloadDocument, first: WorkloadDocument | None, errors: ErrorList
) -> None:
    origin = value.origin
    if first is not None:
        sentence = f"the workload's settings are already at {first.origin.start}"
        errors.add(origin.start, "", sentence, "keep one of the two")
    if value.metadata.name != name:
        sentence = f"'{value.metadata.name}' is not the workload's name '{name}'"
        errors.add(origin.at("metadata", "name"), "metadata.name", sentence, f"write '{name}'")
    for index, namespace in enumerate(value.spec.namespaces.create):
        if not _NAMESPACE.match(namespace):
            place = origin.at("spec", "namespaces", "create", index)
            sentence = f"'{namespace}' is no name of a namespace"
            hint = "lower case letters, digits and '-', at most 63 characters"
            errors.add(place, f"spec.namespaces.create[{index}]", sentence, hint)
