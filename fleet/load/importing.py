"""Documents of other products -> files of fleet."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

from pydantic import ValidationError

from fleet.errors import ErrorList
from fleet.load.files import File, Files
from fleet.load.importers import convert_all, importer_of
from fleet.load.importers.importer import Claim, Context, Imported
from fleet.load.importers.reading import SERVER_FIELDS
from fleet.load.link import link
from fleet.load.names import check_distinct
from fleet.load.objects import Checked, read_objects, spoken
from fleet.load.parse import API_VERSION, Declared, name_of
from fleet.load.replicas import load_of
from fleet.load.scalars import KUBERNETES
from fleet.load.source import Document, read_documents
from fleet.load.spell import spelled, to_yaml
from fleet.load.wording import Fault, words_for
from fleet.load.workloads import Contents, Folder, make_workloads
from fleet.model.decision import Finding
from fleet.model.inventory import Cluster
from fleet.model.override import OverridePolicy
from fleet.model.policy import PlacementPolicy
from fleet.model.settings import Settings
from fleet.model.snapshot import Snapshot
from fleet.model.source import Path, Source, dotted
from fleet.model.workload import NamespaceChoice, WorkloadSettings

_RECORDED = frozenset(
    {"kubectl.kubernetes.io/last-applied-configuration", "deployment.kubernetes.io/revision"}
)
_ANY_TIME = "2000-01-01T00:00:00Z"
"""No product's document has a window, and what has run out is placed otherwise, not refused."""
_UNSAFE = re.compile(r"[^a-z0-9.-]+")


@dataclass(slots=True)
class Written:
    """What an import makes.

    **Shape**: `files` by path below the folder, in the order in which they are shown; `left` are
    the documents that are not taken over, with the reason. `snapshot` is what was read, so that a
    plan of it can be tried; None where clusters are elsewhere, so that nobody can.
    """

    files: dict[str, str] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    left: list[tuple[Source, str]] = field(default_factory=list)
    snapshot: Snapshot | None = None

    def add(self, path: str, documents: Sequence[Mapping[str, Any]], source: Source) -> None:
        """One file, with the place that it comes from."""
        self.files[path] = f"# from {source}\n{to_yaml(documents)}"


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
    written = _written(read, imported)
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
                _sort(document, read, files.errors)
    return read


def _entry(files: Files, written: str) -> File | None:
    file = File(str(FilePath(written)), files.root / written)
    if file.path.exists():
        return file
    files.errors.add(None, "import", f"'{written}' does not exist", "name a file or a folder")
    return None


def _sort(document: Document, read: _Read, errors: ErrorList) -> None:
    """Puts a document, or every item of a list, where it belongs."""
    data = document.data
    items = data.get("items") if isinstance(data, dict) else None
    if isinstance(items, list) and str(data.get("kind")).endswith("List"):
        for index, item in enumerate(items):
            if isinstance(item, dict):
                of_list = {"apiVersion": data.get("apiVersion"), "kind": data["kind"][:-4]}
                _sort(document.part({**of_list, **item}, "items", index), read, errors)
    elif importer_of(data) is not None:
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


def _written(read: _Read, imported: Imported) -> Written:
    written = Written(findings=imported.findings, left=read.left)
    if imported.clusters:
        first = imported.clusters[0].origin.start
        documents = [spelled(each) for each in imported.clusters]
        written.add("inventory/clusters.yaml", documents, first)
    names = _safe_names([claim.name for claim in imported.workloads])
    bodies = {id(each.manifest): each for each in (*read.objects, *imported.objects)}
    for claim in imported.workloads:
        _write_claim(written, claim, names, [bodies[id(each)] for each in claim.objects])
    _write_policies(written, imported, names)
    claimed = {id(each) for claim in imported.workloads for each in claim.objects}
    for each in read.objects:
        if id(each.manifest) not in claimed:
            sentence = f"no policy places {spoken(each.manifest)}"
            written.left.append((each.manifest.source, sentence))
    return written


def _write_policies(written: Written, imported: Imported, names: Mapping[str, str]) -> None:
    """What belongs to no single workload."""
    for document in imported.documents:
        name = _free(written, str(document.data["metadata"]["name"]))
        written.add(f"policies/{name}.yaml", [document.data], document.origin.start)
    policies: list[PlacementPolicy | OverridePolicy] = [*imported.placements, *imported.overrides]
    for policy in policies:
        name = _free(written, policy.name)
        body = _renamed(policy, name, names)
        written.add(f"policies/{name}.yaml", [body], policy.origin.start)


def _free(written: Written, name: str) -> str:
    """A name for a policy whose file is not taken."""
    plain = _plain(name)
    number, candidate = 1, plain
    while f"policies/{candidate}.yaml" in written.files:
        number += 1
        candidate = f"{plain}-{number}"
    return candidate


def _plain(name: str) -> str:
    """A name of a product as a name of fleet.

    >>> _plain("shop/web"), _plain("system:Admin")
    ('shop.web', 'system-admin')
    """
    return _UNSAFE.sub("-", name.lower().replace("/", ".")).strip("-.") or "unnamed"


def _safe_names(names: Iterable[str]) -> dict[str, str]:
    """A name for files and folders by the name of each workload; all differ.

    >>> _safe_names(["shop/web", "shop.web"])
    {'shop/web': 'shop.web', 'shop.web': 'shop.web-2'}
    """
    safe: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        plain = _plain(name)
        number, candidate = 1, plain
        while candidate in taken:
            number += 1
            candidate = f"{plain}-{number}"
        safe[name] = candidate
        taken.add(candidate)
    return safe


def _renamed(
    policy: PlacementPolicy | OverridePolicy, name: str, names: Mapping[str, str]
) -> dict[str, Any]:
    """A policy with a name of its own, and the workloads under their names in files."""
    body = spelled(policy)
    body["metadata"]["name"] = name
    for field_name in ("workloads", "together", "apart"):
        if field_name in body["spec"]:
            named = body["spec"][field_name]
            body["spec"][field_name] = [names.get(each, each) for each in named]
    return body


def _write_claim(
    written: Written, claim: Claim, names: Mapping[str, str], objects: Sequence[Checked]
) -> None:
    """The policies and the objects of one workload."""
    name = names[claim.name]
    policies = [] if claim.placement is None else [_renamed(claim.placement, name, names)]
    for number, override in enumerate(claim.overrides, 1):
        body = _renamed(override, f"{name}.{number:03d}", names)
        body["spec"]["workloads"] = [name]
        policies.append(body)
    if policies:
        first = claim.placement or claim.overrides[0]
        written.add(f"policies/{name}.yaml", policies, first.origin.start)
    folder = f"workloads/{name}"
    bodies = [_as_applied(each.manifest.body) for each in objects]
    written.add(f"{folder}/objects.yaml", bodies, objects[0].manifest.source)
    said = spelled(_settings(claim, name))
    if claim.per_cluster is False and load_of(objects).per_cluster:
        sentence = f"the product divides {spoken(claim.objects[0])}; fleet runs one per cluster"
        written.left.append((claim.objects[0].source, sentence))
    if said:
        body = {"apiVersion": API_VERSION, "kind": "Workload"}
        document = body | {"metadata": {"name": name}, "spec": said}
        written.add(f"{folder}/fleet.yaml", [document], objects[0].manifest.source)


def _settings(claim: Claim, name: str) -> WorkloadSettings:
    """What runs under the name that the product's document gave goes on under the new one."""
    return WorkloadSettings(
        renamed_from=() if claim.name == name else (claim.name,),
        adopt=claim.adopt,
        queue=claim.queue,
        ties=claim.ties,
        namespaces=NamespaceChoice(create=claim.namespaces),
    )


def _as_applied(body: Mapping[str, Any]) -> dict[str, Any]:
    """An object without what its API server wrote into it."""
    metadata = {key: value for key, value in body["metadata"].items() if key not in SERVER_FIELDS}
    if isinstance(metadata.get("annotations"), dict):
        kept = {
            key: value for key, value in metadata["annotations"].items() if key not in _RECORDED
        }
        metadata["annotations"] = kept
        if not kept:
            del metadata["annotations"]
    first = {"apiVersion": body["apiVersion"], "kind": body["kind"], "metadata": metadata}
    return first | {key: value for key, value in body.items() if key not in {*first, "status"}}
