"""What a workload says of itself: its own document next to its objects."""

import re
from collections.abc import Iterable, Sequence
from functools import partial

from fleet.errors import ErrorList
from fleet.load.objects import Checked
from fleet.load.parse import belongs
from fleet.load.remains import broken_rules, remains_of
from fleet.load.scalars import FLEET
from fleet.load.source import Document, read_again
from fleet.load.validate import validated
from fleet.load.words import Words
from fleet.model.workload import WorkloadDocument

_NAMESPACE = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\Z")


def own_document(
    name: str, documents: Iterable[Document], objects: Sequence[Checked], errors: ErrorList
) -> WorkloadDocument | None:
    """The workload's own document; None where it has none."""
    first: WorkloadDocument | None = None
    for document in documents:
        if not belongs(document, ("Workload",), errors):
            continue
        again = read_again(document, FLEET, errors)
        if again is None:
            continue
        value = validated(WorkloadDocument, again, errors)
        check = partial(_check_settings, objects, (name, first))
        if value is None:
            remains = remains_of(WorkloadDocument, again)
            errors.errors += (*broken_rules(remains), *remains.faults(check))
            continue
        check(value, errors)
        first = first or value
    return first


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
    objects: Iterable[Checked],
    known: tuple[str, WorkloadDocument | None],
    value: WorkloadDocument,
    errors: ErrorList,
) -> None:
    """`known` is the workload's name, and its settings where another document says them."""
    name, first = known
    origin = value.origin
    _check_replicas(value, objects, errors)
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
