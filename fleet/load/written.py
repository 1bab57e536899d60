"""Native values that were made of other products' documents -> files of fleet."""

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fleet.load.importers.importer import Claim, Imported
from fleet.load.importers.reading import SERVER_FIELDS
from fleet.load.objects import Checked, spoken
from fleet.load.parse import API_VERSION
from fleet.load.replicas import load_of
from fleet.load.spell import spelled, to_yaml
from fleet.model.decision import Finding
from fleet.model.override import OverridePolicy
from fleet.model.policy import PlacementPolicy
from fleet.model.snapshot import Snapshot
from fleet.model.source import Source
from fleet.model.workload import NamespaceChoice, WorkloadSettings

_RECORDED = frozenset(
    {"kubectl.kubernetes.io/last-applied-configuration", "deployment.kubernetes.io/revision"}
)
_POLICY = "policies/{}.yaml"
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


def written_of(
    imported: Imported, objects: Sequence[Checked], left: list[tuple[Source, str]]
) -> Written:
    """The files; `objects` are those beside the documents, `left` what nobody takes over so far."""
    written = Written(findings=imported.findings, left=left)
    if imported.clusters:
        first = imported.clusters[0].origin.start
        documents = [spelled(each) for each in imported.clusters]
        written.add("inventory/clusters.yaml", documents, first)
    names = _Names(
        _safe_names([claim.name for claim in imported.workloads]),
        frozenset(each.name for each in imported.clusters),
    )
    bodies = {id(each.manifest): each for each in (*objects, *imported.objects)}
    for claim in imported.workloads:
        _write_claim(written, claim, names, [bodies[id(each)] for each in claim.objects])
    _write_policies(written, imported, names)
    claimed = {id(each) for claim in imported.workloads for each in claim.objects}
    for each in objects:
        if id(each.manifest) not in claimed:
            sentence = f"no policy places {spoken(each.manifest)}"
            written.left.append((each.manifest.source, sentence))
    return written


@dataclass(frozen=True, slots=True)
class _Names:
    """What things are called in the files: workloads by their old name, and all clusters.

    Without any cluster the inventory is elsewhere, and nobody knows which there are.
    """

    workloads: Mapping[str, str]
    clusters: frozenset[str]


def _write_policies(written: Written, imported: Imported, names: _Names) -> None:
    """What belongs to no single workload."""
    for document in imported.documents:
        name = _free(str(document.data["metadata"]["name"]), written.files, _POLICY)
        written.add(_POLICY.format(name), [document.data], document.origin.start)
    policies: list[PlacementPolicy | OverridePolicy] = [*imported.placements, *imported.overrides]
    for policy in policies:
        name = _free(policy.name, written.files, _POLICY)
        body = _renamed(policy, name, names)
        written.add(_POLICY.format(name), [body], policy.origin.start)


def _free(name: str, taken: Container[str], form: str = "{}") -> str:
    """A name of a product as a name of fleet that is free: in this form, it is not taken."""
    plain = _plain(name)
    number, candidate = 1, plain
    while form.format(candidate) in taken:
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
        safe[name] = _free(name, taken)
        taken.add(safe[name])
    return safe


def _renamed(policy: PlacementPolicy | OverridePolicy, name: str, names: _Names) -> dict[str, Any]:
    """A policy with a name of its own, and the workloads under their names in files."""
    body: dict[str, Any] = spelled(policy)
    if names.clusters:
        body["spec"] = _among(body["spec"], names.clusters)
    body["metadata"]["name"] = name
    for field_name in ("workloads", "together", "apart"):
        if field_name in body["spec"]:
            named = body["spec"][field_name]
            body["spec"][field_name] = [names.workloads.get(each, each) for each in named]
    return body


def _among(said: Any, known: frozenset[str]) -> Any:  # noqa: ANN401 - words of a file
    """Terms without the clusters that are not there; products take no notice of these.

    fleet's own files name clusters that there are. A term that names no other matches none.
    """
    if isinstance(said, list):
        return [_among(each, known) for each in said]
    if not isinstance(said, dict):
        return said
    made = {key: each if key == "where" else _among(each, known) for key, each in said.items()}
    if "term" in made.get("where", {}):
        made["where"] = {**made["where"], "term": _among(made["where"]["term"], known)}
    for key in ("clusters", "excludeClusters"):
        named = made.pop(key, ())
        there = [each for each in named if each in known]
        if there:
            made[key] = there
        elif named and key == "clusters":
            nobody = {"key": "name", "operator": "NotIn", "values": sorted(known)}
            made["matchFields"] = [*made.get("matchFields", ()), nobody]
    return made


def _write_claim(written: Written, claim: Claim, names: _Names, objects: Sequence[Checked]) -> None:
    """The policies and the objects of one workload."""
    name = names.workloads[claim.name]
    policies = [] if claim.placement is None else [_renamed(claim.placement, name, names)]
    for number, override in enumerate(claim.overrides, 1):
        body = _renamed(override, f"{name}.{number:03d}", names)
        body["spec"]["workloads"] = [name]
        policies.append(body)
    if policies:
        first = claim.placement or claim.overrides[0]
        written.add(_POLICY.format(name), policies, first.origin.start)
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
