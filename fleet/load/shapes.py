"""Which fields a document may have at a place, read off the models themselves."""

from collections.abc import Iterable
from functools import lru_cache
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel

from fleet.load.words import Words
from fleet.model.source import Step

HIDDEN = "origin"


def fields_at(model: type[BaseModel], path: Iterable[Step]) -> Words:
    """The names of the fields that are known at a path of a model.

    >>> from fleet.model.inventory import Cluster
    >>> fields_at(Cluster, ("spec", "taints", 0)).known
    ('effect', 'key', 'timeAdded', 'value')
    """
    shape: object = model
    for step in path:
        shape = _step(shape, step)
    return _fields(shape) if isinstance(shape, type) else Words(())


def _step(shape: object, step: Step) -> object:
    if isinstance(step, str) and isinstance(shape, type) and issubclass(shape, BaseModel):
        for name, info in shape.model_fields.items():
            if (info.alias or name) == step:
                return _unwrapped(info.annotation)
        return None
    items = [each for each in get_args(shape) if each is not Ellipsis]
    return _unwrapped(items[0]) if items and isinstance(step, int) else None


def _unwrapped(annotation: Any) -> object:  # noqa: ANN401 - annotations have no type of their own
    """An annotation without `Annotated` and without `| None`."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return _unwrapped(get_args(annotation)[0])
    if origin in (Union, UnionType):
        rest = [each for each in get_args(annotation) if each is not type(None)]
        return _unwrapped(rest[0])
    return annotation


@lru_cache(maxsize=64)
def _fields(shape: type) -> Words:
    if not issubclass(shape, BaseModel):
        return Words(())
    fields = shape.model_fields.items()
    return Words((info.alias or name) for name, info in fields if name != HIDDEN)
