"""What is inside an object, as far as mistakes in it are common and cost an update half way.

Text fields that hold a number or `yes` without quotes, selectors that do not select, templates
without containers. The rest is the API server's to say.
"""

import binascii
from base64 import b64decode
from collections.abc import Callable

from fleet.load.faults import Faults, entries, items, texts
from fleet.model.source import Path

TEMPLATES: dict[tuple[str, str], Path] = {
    ("apps", "Deployment"): ("spec", "template"),
    ("apps", "StatefulSet"): ("spec", "template"),
    ("apps", "ReplicaSet"): ("spec", "template"),
    ("apps", "DaemonSet"): ("spec", "template"),
    ("", "ReplicationController"): ("spec", "template"),
    ("batch", "Job"): ("spec", "template"),
    ("batch", "CronJob"): ("spec", "jobTemplate", "spec", "template"),
    ("", "Pod"): (),
}
_SELECTING = frozenset({"Deployment", "StatefulSet", "ReplicaSet", "DaemonSet"})
_TEXT_LISTS = ("command", "args")
Body = dict[str, object]


def check_contents(body: Body, group: str, faults: Faults) -> None:
    """Checks the inside of an object of a kind that is known here."""
    kind = str(body.get("kind"))
    template = TEMPLATES.get((group, kind))
    if template is not None:
        _check_template(body, template, faults)
        if kind in _SELECTING:
            _check_selector(body, faults)
    check = _CHECKS.get((group, kind))
    if check is not None:
        check(body, faults)


def at(body: object, path: Path, faults: Faults) -> Body:
    """The map at a path; an empty one where there is none."""
    here: object = body
    for length, step in enumerate(path):
        parent = entries(here, path[:length], faults)
        here = parent.get(str(step))
    return entries(here, path, faults)


def _check_template(body: Body, path: Path, faults: Faults) -> None:
    template = at(body, path, faults)
    if not template:
        faults.missing(path, "a pod template with spec.containers")
        return
    if path:
        metadata = entries(template.get("metadata"), (*path, "metadata"), faults)
        for name in ("labels", "annotations"):
            texts(metadata.get(name), (*path, "metadata", name), faults)
    inside = (*path, "spec")
    spec = entries(template.get("spec"), inside, faults)
    texts(spec.get("nodeSelector"), (*inside, "nodeSelector"), faults)
    if not items(spec.get("containers"), (*inside, "containers"), faults):
        faults.missing((*inside, "containers"), "a pod has at least one container")
    for name in ("containers", "initContainers"):
        for index, container in enumerate(items(spec.get(name), (*inside, name), faults)):
            _check_container(container, (*inside, name, index), faults)


def _check_container(container: object, path: Path, faults: Faults) -> None:
    if not isinstance(container, dict):
        faults.wants(path, "a container", container)
        return
    for name in ("name", "image"):
        _check_required(container.get(name), (*path, name), faults)
    for name in _TEXT_LISTS:
        for index, word in enumerate(items(container.get(name), (*path, name), faults)):
            if not isinstance(word, str):
                faults.wants_text((*path, name, index), word)
    for index, variable in enumerate(items(container.get("env"), (*path, "env"), faults)):
        _check_variable(variable, (*path, "env", index), faults)


def _check_required(value: object, path: Path, faults: Faults) -> None:
    if value is None or value == "":
        faults.missing(path)
    elif not isinstance(value, str):
        faults.wants_text(path, value)


def _check_variable(variable: object, path: Path, faults: Faults) -> None:
    if not isinstance(variable, dict):
        faults.wants(path, "a map with 'name'", variable)
        return
    if variable.get("name") is None:
        faults.missing((*path, "name"))
    for name in ("name", "value"):
        value = variable.get(name)
        if value is not None and not isinstance(value, str):
            faults.wants_text((*path, name), value)


def _check_selector(body: Body, faults: Faults) -> None:
    """A selector that does not choose its own pods is refused by every API server."""
    path: Path = ("spec", "selector")
    selector = at(body, path, faults)
    if not selector:
        faults.missing(path, "write matchLabels as in the template's labels")
        return
    wanted = texts(selector.get("matchLabels"), (*path, "matchLabels"), faults)
    labels = at(body, ("spec", "template", "metadata"), faults).get("labels")
    has = labels if isinstance(labels, dict) else {}
    for key, value in wanted.items():
        if has.get(key) != value:
            sentence = f"'{key}: {value}' is not among the labels of the pod template"
            faults.add((*path, "matchLabels", key), sentence, "make the two equal")


def _check_service(body: Body, faults: Faults) -> None:
    texts(at(body, ("spec",), faults).get("selector"), ("spec", "selector"), faults)


def _check_config_map(body: Body, faults: Faults) -> None:
    texts(body.get("data"), ("data",), faults)
    _check_base64(body, "binaryData", faults)


def _check_secret(body: Body, faults: Faults) -> None:
    texts(body.get("stringData"), ("stringData",), faults)
    _check_base64(body, "data", faults)


def _check_base64(body: Body, name: str, faults: Faults) -> None:
    """Base64 as Go reads it, which skips line breaks. The sentence never shows the value."""
    for key, value in entries(body.get(name), (name,), faults).items():
        if value is None:
            continue
        if not isinstance(value, str):
            faults.add((name, key), "wants base64 text", "write it in quotes")
            continue
        try:
            b64decode(value.replace("\n", "").replace("\r", ""), validate=True)
        except (binascii.Error, ValueError):
            hint = "write plain text under 'stringData'" if name == "data" else ""
            faults.add((name, key), "is no base64", hint)


def _check_definition(body: Body, faults: Faults) -> None:
    """What is read of a definition: the kind that it makes, and in which versions."""
    spec = at(body, ("spec",), faults)
    if not spec:
        faults.missing(("spec",))
        return
    names = entries(spec.get("names"), ("spec", "names"), faults)
    _check_required(spec.get("group"), ("spec", "group"), faults)
    _check_required(names.get("kind"), ("spec", "names", "kind"), faults)
    for index, version in enumerate(items(spec.get("versions"), ("spec", "versions"), faults)):
        path: Path = ("spec", "versions", index)
        if isinstance(version, dict):
            _check_required(version.get("name"), (*path, "name"), faults)
        else:
            faults.wants(path, "a version", version)


_CHECKS: dict[tuple[str, str], Callable[[Body, Faults], None]] = {
    ("", "Service"): _check_service,
    ("", "ConfigMap"): _check_config_map,
    ("", "Secret"): _check_secret,
    ("apiextensions.k8s.io", "CustomResourceDefinition"): _check_definition,
}
