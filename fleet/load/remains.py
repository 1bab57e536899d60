"""What can be read of a document with faults, so that all faults of it are said at once.

Where a value is wrong nobody knows what was meant: several values are tried in its place, and what
is a fault with every one of them is a fault whatever was meant.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from types import NoneType, UnionType
from typing import Annotated, Any, Generic, Literal, Union, get_args, get_origin

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from fleet.errors import ErrorList, SourceError
from fleet.load.shapes import HIDDEN
from fleet.load.source import Document
from fleet.load.validate import Model
from fleet.model.base import FieldError, FrozenMap
from fleet.model.source import Path, dotted

_READINGS = 6
_WHOLE = (0, 1, 2, 1_000_000)
_TEXTS = ("", "any")


@dataclass(frozen=True, slots=True)
class Remains(Generic[Model]):
    """A document with faults as it may have been meant.

    **Shape**: `readings` differ only below `guessed`, the paths where something is wrong or is
    not there.
    """

    readings: tuple[Model, ...]
    guessed: frozenset[Path]

    def faults(self, check: Callable[[Model, ErrorList], None]) -> list[SourceError]:
        """What a check finds in every reading, but for what was guessed."""
        found: list[list[SourceError]] = []
        for reading in self.readings:
            errors = ErrorList()
            check(reading, errors)
            found.append(errors.errors)
        return [
            each
            for each in found[0]
            if not self.is_guessed(each.path) and all(each in other for other in found)
        ]

    def is_guessed(self, written: str) -> bool:
        """Whether a path, as people write it, is at or below what was guessed."""
        return any(is_below(written, dotted(path)) for path in self.guessed)


def is_below(written: str, above: str) -> bool:
    """Whether a dotted path is another one, or goes on below it.

    >>> is_below("spec.tiers[0]", "spec.tiers"), is_below("spec.tiers", "spec.tier")
    (True, False)
    """
    return written.startswith(above) and written[len(above) : len(above) + 1] in {"", ".", "["}


def remains_of(model: type[Model], document: Document) -> Remains[Model]:
    """The document in every reading."""
    readers = [_Reader(turn) for turn in range(_READINGS)]
    readings = tuple(_whole(reader, model, document) for reader in readers)
    return Remains(readings, frozenset(readers[0].guessed))


def broken_rules(remains: Remains[Model]) -> list[SourceError]:
    """The rules of models that no reading keeps: pydantic asks them of sound fields only."""
    return remains.faults(_check_rules)


def _whole(reader: "_Reader", model: type[Model], document: Document) -> Model:
    value = reader.model(model, document.data, ())
    return value.model_copy(update={HIDDEN: document.origin})


def _check_rules(value: BaseModel, errors: ErrorList) -> None:
    origin = getattr(value, HIDDEN)
    for path, each in _models(value, ()):
        for name in type(each).__pydantic_decorators__.model_validators:
            try:
                getattr(each, name)()
            except ValueError as error:
                inner = (*path, *(error.path if isinstance(error, FieldError) else ()))
                errors.add(origin.at(*inner), dotted(inner), str(error))


def _models(value: object, path: Path) -> Iterator[tuple[Path, BaseModel]]:
    """Every model in a value, with its path."""
    if isinstance(value, BaseModel):
        yield path, value
        for name, info in type(value).model_fields.items():
            if name != HIDDEN:
                yield from _models(getattr(value, name), (*path, info.alias or name))
    elif isinstance(value, tuple):
        for index, each in enumerate(value):
            yield from _models(each, (*path, index))


@dataclass(slots=True)
class _Reader:
    """Reads what can be read; `turn` says which of the possible values is taken for the rest."""

    turn: int
    guessed: set[Path] = field(default_factory=set)

    def model(self, shape: type[Model], data: Mapping[str, Any], path: Path) -> Model:
        """A model, field by field; its own rules are not asked."""
        values = {}
        said = {
            name
            for name, info in shape.model_fields.items()
            if (info.alias or name) in data and name != HIDDEN
        }
        for name, info in shape.model_fields.items():
            key = info.alias or name
            if name in said:
                values[name] = self._field(shape, name, data[key], (*path, key))
            elif info.is_required():
                values[name] = self._guess(info, (*path, key))
            else:
                values[name] = info.get_default(call_default_factory=True)
        return shape.model_construct(said, **values)

    def _field(self, shape: type[BaseModel], name: str, data: object, path: Path) -> object:
        try:
            return _adapter(shape, name).validate_python(data, by_alias=True, by_name=False)
        except ValidationError:
            info = shape.model_fields[name]
            parts = self._parts(info.annotation, data, path)
            return self._guess(info, path) if parts is None else parts

    def _parts(self, annotation: Any, data: object, path: Path) -> object:  # noqa: ANN401 - annotations have no type
        """The value made of those parts that are sound; None where it has none."""
        shape = next((each for each in _choices(annotation) if each is not NoneType), None)
        if isinstance(shape, type) and issubclass(shape, BaseModel):
            return self.model(shape, data, path) if isinstance(data, dict) else None
        if get_origin(shape) is tuple and isinstance(data, list):
            inner = get_args(shape)[0]
            return tuple(self._part(inner, each, (*path, index)) for index, each in enumerate(data))
        if get_origin(shape) is FrozenMap and isinstance(data, dict):
            inner = get_args(shape)[0]
            return FrozenMap(
                {str(key): self._part(inner, each, (*path, key)) for key, each in data.items()}
            )
        return None

    def _part(self, annotation: Any, data: object, path: Path) -> object:  # noqa: ANN401 - as above
        try:
            return _item_adapter(annotation).validate_python(data, by_alias=True, by_name=False)
        except ValidationError:
            parts = self._parts(annotation, data, path)
            return self._option(annotation, path) if parts is None else parts

    def _guess(self, info: FieldInfo, path: Path) -> object:
        """In the first turn what the field is by itself."""
        if self.turn == 0 and not info.is_required():
            self.guessed.add(path)
            return info.get_default(call_default_factory=True)
        return self._option(info.annotation, path)

    def _option(self, annotation: Any, path: Path) -> object:  # noqa: ANN401 - as above
        self.guessed.add(path)
        options = [each for shape in _choices(annotation) for each in self._options(shape, path)]
        return options[self.turn % len(options)] if options else None

    def _options(self, shape: Any, path: Path) -> list[object]:  # noqa: ANN401 - as above
        """Values that a shape allows."""
        if get_origin(shape) is Literal:
            return list(get_args(shape))
        if get_origin(shape) is tuple:
            return [(), (self._option(get_args(shape)[0], (*path, 0)),)]
        if get_origin(shape) is FrozenMap:
            inner = self._option(get_args(shape)[0], (*path, _TEXTS[-1]))
            return [FrozenMap(), FrozenMap({_TEXTS[-1]: inner})]
        if not isinstance(shape, type):
            return []
        if issubclass(shape, BaseModel):
            return [self.model(shape, {}, path)]
        return list(_plain_options(shape))


def _plain_options(shape: type) -> tuple[object, ...]:
    if issubclass(shape, Enum):
        return tuple(shape)
    known: dict[type, tuple[object, ...]] = {
        bool: (False, True),
        int: _WHOLE,
        str: _TEXTS,
        NoneType: (None,),
    }
    return known.get(shape, ())


def _choices(annotation: Any) -> list[Any]:  # noqa: ANN401 - annotations have no type
    """What an annotation allows, without `Annotated` and without unions."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return _choices(get_args(annotation)[0])
    if origin in (Union, UnionType):
        return [shape for each in get_args(annotation) for shape in _choices(each)]
    return [annotation]


@lru_cache(maxsize=512)
def _adapter(shape: type[BaseModel], name: str) -> TypeAdapter[Any]:
    return TypeAdapter(shape.model_fields[name].rebuild_annotation())


@lru_cache(maxsize=512)
def _item_adapter(annotation: Any) -> TypeAdapter[Any]:  # noqa: ANN401 - as above
    return TypeAdapter(annotation)
