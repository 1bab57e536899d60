"""JSON patches, one operation at a time, with faults that a person can mend.

Source: RFC 6902 (patch), RFC 6901 (pointer); the `jsonpatch` library does the work.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from jsonpatch import JsonPatch, JsonPatchException, JsonPatchTestFailed
from jsonpointer import JsonPointerException

from fleet.deliver.bodies import Body
from fleet.deliver.nearest import did_you_mean
from fleet.model.override import PatchStep

NEED_VALUE = frozenset({"add", "replace", "test"})
NEED_FROM = frozenset({"move", "copy"})


@dataclass(slots=True)
class PatchError(Exception):
    """Why an operation could not be done: `field` of the step, a sentence, a hint."""

    field: str
    sentence: str
    hint: str = ""


def incomplete(step: PatchStep) -> PatchError | None:
    """What a step lacks, whatever object it meets."""
    if step.op in NEED_VALUE and "value" not in step.model_fields_set:
        return PatchError("op", f"'{step.op}' needs a 'value'")
    if step.op in NEED_FROM and step.source_path is None:
        return PatchError("op", f"'{step.op}' needs a 'from'")
    return None


def patched(body: Body, step: PatchStep, value: object) -> Body:
    """The object after one operation; `body` may be changed on the way.

    **Errors**: PatchError, without any value of the object, which may be secret.
    """
    operation: dict[str, object] = {"op": step.op, "path": step.path}
    if step.op in NEED_VALUE:
        operation["value"] = value
    if step.op in NEED_FROM:
        operation["from"] = step.source_path
    try:
        result: object = JsonPatch([operation]).apply(body, in_place=True)
    except JsonPatchTestFailed:
        raise PatchError("value", f"the test of '{step.path}' does not hold") from None
    except (JsonPatchException, JsonPointerException):
        raise _lost(body, step) from None
    if not isinstance(result, dict):
        raise PatchError("path", "an object is a mapping; nothing else can stand in its place")
    return result


def _lost(body: Body, step: PatchStep) -> PatchError:
    """The fault of a path that leads nowhere: `from` where that is the one, else `path`."""
    if step.op in NEED_FROM and _missing(body, step.source_path or "") is not None:
        field, pointer = "from", step.source_path or ""
    else:
        field, pointer = "path", step.path
    missing = _missing(body, pointer)
    if missing is None:
        return PatchError(field, f"'{step.op}' cannot be done at '{pointer}'")
    reached, word, known = missing
    at = f"'{reached}'" if reached else "the top"
    hint = f"at {at}: {did_you_mean(word, known)}" if known else f"{at} holds nothing below it"
    return PatchError(field, f"'{step.op}' finds no '{pointer}'", f"{hint}; a '/' in a key is '~1'")


def _missing(body: object, pointer: str) -> tuple[str, str, list[str]] | None:
    """Where a pointer leaves the object: what it reached, the next word, what is known there."""
    reached = ""
    for part in pointer.split("/")[1:]:
        word = part.replace("~1", "/").replace("~0", "~")
        known: dict[str, object] = {}
        if isinstance(body, Mapping):
            known = dict(body)
        elif isinstance(body, list):
            known = {str(number): each for number, each in enumerate(body)}
        if word not in known:
            return reached, word, list(known)
        body = known[word]
        reached += f"/{part}"
    return None
