"""A value as the words of a file: what YAML or JSON would have to say for it to be read."""

from enum import Enum
from typing import Any

from pydantic.alias_generators import to_snake

from fleet.model.base import FileValue, FrozenMap


def in_words(value: object, *, whole: bool = False) -> Any:  # noqa: ANN401 - text and its data
    """Maps, lists and scalars; what has its default is left out, unless the `whole` is wanted.

    Where a value came from is never said. Amounts are numbers in base units.
    """
    if isinstance(value, FileValue):
        fields = type(value).model_fields
        said = [
            (field.alias or name, getattr(value, name), field)
            for name, field in fields.items()
            if not field.exclude
        ]
        return {
            alias: in_words(part, whole=whole)
            for alias, part, field in said
            if whole or field.is_required() or part != field.get_default()
        }
    if isinstance(value, FrozenMap):
        return {key: in_words(part, whole=whole) for key, part in value.items()}
    if isinstance(value, tuple):
        return [in_words(part, whole=whole) for part in value]
    return value.value if isinstance(value, Enum) else value


def field_of(word: str) -> str:
    """The field that a word of a file fills.

    >>> field_of("maxDomains")
    'max_domains'
    """
    return to_snake(word)
