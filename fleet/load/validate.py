"""A document -> a model, or every fault of the document at its own place."""

from collections.abc import Mapping
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from fleet.errors import ErrorList
from fleet.load.shapes import HIDDEN, fields_at
from fleet.load.source import Document
from fleet.load.wording import Fault, items_of, place_in, words_for
from fleet.model.source import Path, dotted

Model = TypeVar("Model", bound=BaseModel)


def validated(model: type[Model], document: Document, errors: ErrorList) -> Model | None:
    """The document as a value; None, with all its faults, where it is not one."""
    before = len(errors.errors)
    if HIDDEN in document.data:
        _unknown(model, document, (HIDDEN,), errors)
    data = {**document.data, HIDDEN: document.origin}
    try:
        value = model.model_validate(data, by_alias=True, by_name=False)
    except ValidationError as invalid:
        for details in invalid.errors(include_url=False):
            _note(model, document, details, errors)
        return None
    return value if len(errors.errors) == before else None


def _note(
    model: type[BaseModel], document: Document, details: ErrorDetails, errors: ErrorList
) -> None:
    path: Path = tuple(details["loc"])
    if details["type"] == "extra_forbidden":
        _unknown(model, document, path, errors)
        return
    context: Mapping[str, object] = details.get("ctx", {})
    if details["type"] == "too_short" and details["input"]:
        return  # the list is not empty: its items have faults, and each is said by itself
    fault = Fault(details["type"], details["input"], document.marks.spelling(path), context)
    for key, sentence in items_of(fault).items():
        inner = (*path, key)
        errors.add(document.origin.at(*inner), dotted(inner), sentence)
    if not items_of(fault):
        path = (*path, *place_in(fault))
        errors.add(document.origin.at(*path), dotted(path), *words_for(fault))


def _unknown(model: type[BaseModel], document: Document, path: Path, errors: ErrorList) -> None:
    hint = fields_at(model, path[:-1]).hint(str(path[-1]))
    errors.add(document.origin.at(*path), dotted(path), "is no field that is known here", hint)
