"""Kubernetes documents -> manifests, checked as far as an API server would refuse them.

Plain dict checks, because fleets have tens of thousands of objects.
"""

import re
from dataclasses import dataclass

from fleet.errors import ErrorList
from fleet.load.contents import check_contents
from fleet.load.faults import Faults, entries, texts
from fleet.load.kinds import check_kind
from fleet.load.lists import taken_apart
from fleet.load.source import Document
from fleet.load.wording import described
from fleet.model.api_version import group_of
from fleet.model.source import Path
from fleet.model.workload import Manifest

_API_VERSION = re.compile(
    r"([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[a-z]([-a-z0-9]{0,61}[a-z0-9])?\Z"
)
_KIND = re.compile(r"[A-Za-z]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?\Z")
_SUBDOMAIN = re.compile(
    r"(?=.{1,253}\Z)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\Z"
)
_SEGMENT = re.compile(r"(?!\.\.?\Z)[^/%\s]{1,253}\Z")
_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\Z")
_STRICT_NAMES = frozenset({"", "apps", "autoscaling", "batch", "extensions", "policy"})
_IDENTITY: tuple[Path, ...] = (("apiVersion",), ("kind",))
_KUSTOMIZE = "kustomize.config.k8s.io/"


@dataclass(frozen=True, slots=True)
class Checked:
    """An object, and where faults that show later go."""

    manifest: Manifest
    faults: Faults


def identity_of(manifest: Manifest) -> tuple[str, str, str, str]:
    """Group, kind, namespace, name; an object without a namespace is in `default`."""
    namespace = manifest.namespace or "default"
    return group_of(manifest.api_version), manifest.kind, namespace, manifest.name


def spoken(manifest: Manifest) -> str:
    """An object in a sentence: its kind, its name, and its namespace where it has one."""
    inside = f" in namespace '{manifest.namespace}'" if manifest.namespace else ""
    return f"{manifest.kind} '{manifest.name}'{inside}"


def read_objects(document: Document, errors: ErrorList) -> list[Checked]:
    """The objects of a document, lists taken apart; what is wrong goes to `errors`."""
    checked: list[Checked] = []
    for each in taken_apart(document, errors):
        faults = Faults(each, errors)
        manifest = _read(each, faults)
        if manifest is not None:
            checked.append(Checked(manifest, faults))
    return checked


def _read(document: Document, faults: Faults) -> Manifest | None:
    """The object; also one whose inside has faults, so that all of them are found."""
    data = document.data
    if not isinstance(data, dict):
        sentence = "a document is a Kubernetes object with apiVersion, kind and metadata"
        faults.add((), f"{sentence}, not {described(data, None)}")
        return None
    unrendered = _unrendered(document)
    if unrendered is not None:
        faults.add(("apiVersion",) if "apiVersion" in data else (), *unrendered)
        return None
    before = faults.count
    identified = [_identity(data, path, faults) for path in _IDENTITY]
    known = all(identified) and check_kind(data["apiVersion"], data["kind"], faults)
    metadata = _metadata(data, faults)
    _check_name(str(data.get("apiVersion")), metadata, faults)
    if not known or faults.count > before:
        return None
    check_contents(data, group_of(data["apiVersion"]), faults)
    return Manifest(
        api_version=data["apiVersion"],
        kind=data["kind"],
        namespace=str(metadata.get("namespace") or ""),
        name=str(metadata["name"]),
        body=data,
        origin=document.origin,
    )


def _unrendered(document: Document) -> tuple[str, str] | None:
    """The sentence and the cure for a file that other tools make objects of."""
    data = document.data
    name = document.origin.file.rpartition("/")[2].lower().partition(".")[0]
    version = data.get("apiVersion")
    of_kustomize = name == "kustomization" and version is None
    if str(version).startswith(_KUSTOMIZE) or of_kustomize:
        command = "kustomize build DIR > workloads/<name>/all.yaml"
        return "a kustomization is not rendered", f"write the rendered objects here: {command}"
    if name in {"chart", "values"} and "kind" not in data:
        command = "helm template NAME DIR > workloads/<name>/all.yaml"
        return "a Helm chart is not rendered", f"write the rendered objects here: {command}"
    return None


def _identity(data: dict[str, object], path: Path, faults: Faults) -> bool:
    """Whether apiVersion or kind is there and well formed."""
    name = str(path[0])
    value = data.get(name)
    if value is None:
        faults.missing(path, "every Kubernetes object says its apiVersion and kind")
    elif not isinstance(value, str):
        faults.wants_text(path, value)
    elif not (_API_VERSION if name == "apiVersion" else _KIND).match(value):
        example = "apps/v1" if name == "apiVersion" else "Deployment"
        faults.add(path, f"{described(value, None)} has not the form of one, such as {example}")
    else:
        return True
    return False


def _metadata(data: dict[str, object], faults: Faults) -> dict[str, object]:
    metadata = entries(data.get("metadata"), ("metadata",), faults)
    for name in ("labels", "annotations"):
        texts(metadata.get(name), ("metadata", name), faults)
    namespace = metadata.get("namespace")
    path: Path = ("metadata", "namespace")
    if namespace is not None and not isinstance(namespace, str):
        faults.wants_text(path, namespace)
    elif namespace and not _LABEL.match(str(namespace)):
        faults.add(path, f"{described(namespace, None)} is no name of a namespace", _LABEL_FORM)
    return metadata


_LABEL_FORM = "lower case letters, digits and '-', at most 63 characters"
_NAME_FORM = "lower case letters, digits, '-' and '.', at most 253 characters"


def _check_name(api_version: str, metadata: dict[str, object], faults: Faults) -> None:
    """A name that an API server takes; fleet needs a fixed one to find the object again."""
    path: Path = ("metadata", "name")
    name = metadata.get("name")
    if not name and not isinstance(name, int | float):
        if "generateName" in metadata:
            sentence = "a generated name differs on every cluster and in every update"
            faults.add(("metadata", "generateName"), sentence, "write 'name' instead")
        else:
            faults.missing(path, "every Kubernetes object has a name")
    elif not isinstance(name, str):
        faults.wants_text(path, name)
    elif group_of(api_version) in _STRICT_NAMES and not _SUBDOMAIN.match(name):
        faults.add(path, f"{described(name, None)} is no name of an object", _NAME_FORM)
    elif not _SEGMENT.match(name):
        sentence = f"{described(name, None)} is no name of an object"
        faults.add(path, sentence, "a name has no '/', '%' or blank, and at most 253 characters")
