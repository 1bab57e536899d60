"""Folders and files of Kubernetes objects -> workloads."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from fleet.errors import ErrorList
from fleet.load.data_places import data_places
from fleet.load.files import File, Files
from fleet.load.folders import Contents, Folder, folder_of, named, places, raws_of
from fleet.load.importers.importer import Claim
from fleet.load.objects import Checked
from fleet.load.own_settings import own_document
from fleet.load.replicas import Load, load_of
from fleet.load.stored import find_workload, keep_workload, workload_key
from fleet.model.source import Source
from fleet.model.workload import NamespaceChoice, Workload, WorkloadSettings


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


def read_workloads(files: Files, paths: Iterable[str]) -> Workloads:
    """All workloads under the paths of the config key `workloads`, one per folder or file.

    Those whose files are as they were come from the cache.
    """
    workloads = Workloads()
    for place in places(files, paths):
        _read_workload(files, place, workloads)
    workloads.whole = files.whole
    return workloads


def _read_workload(files: Files, place: File, workloads: Workloads) -> None:
    errors = files.errors
    before = len(errors.errors)
    name = named(files, place, workloads.names)
    if name is None:
        return
    raws = raws_of(files, place)
    key = workload_key(name, raws)
    sound = len(errors.errors) == before
    workload = find_workload(files.cache, key, name, raws) if sound else None
    if workload is not None:
        workloads.found.append(workload)
        workloads.names[name] = workload.source
        return
    folder = folder_of(name, place, raws, errors)
    folder.sound = len(errors.errors) == before
    count = len(workloads.found)
    _make_own(folder, frozenset(), workloads, errors)
    if len(workloads.found) > count:
        keep_workload(files.cache, key, workloads.found[-1], raws)


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
