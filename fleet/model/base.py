"""What every value shares: an immutable map and the base of values that are read from files."""

from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from typing import Annotated, TypeVar, get_args, overload

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, GetCoreSchemaHandler, Strict
from pydantic.alias_generators import to_camel
from pydantic_core import CoreSchema, core_schema

V_co = TypeVar("V_co", covariant=True)
T = TypeVar("T")
Whole = Annotated[int, Strict()]
Flag = Annotated[bool, Strict()]
Names = Annotated[tuple[str, ...], Field(min_length=1)]


class ItemsError(ValueError):
    """Faults of single items of a map or a list that is read from a file.

    **Shape**: `faults` is a sentence by the item's key, or by its place in the list.
    """

    def __init__(self, faults: Mapping[str, str] | Mapping[int, str]) -> None:
        self.faults: dict[str | int, str] = {key: fault for key, fault in faults.items()}  # noqa: C416 - of either key
        super().__init__("; ".join(f"{key}: {fault}" for key, fault in self.faults.items()))


class FieldError(ValueError):
    """A fault of several fields of a model, told at the one that is to blame.

    **Shape**: `path` leads from the model to that field, in words of the file.
    """

    def __init__(self, sentence: str, *path: str) -> None:
        self.path = path
        super().__init__(sentence)


class FrozenMap(Mapping[str, V_co]):
    """An immutable, hashable map from text to values; iterates in the order of its keys."""

    __slots__ = ("_hash", "_items")

    def __init__(self, items: Mapping[str, V_co] | None = None) -> None:
        self._items = {key: (items or {})[key] for key in sorted(items or {})}
        self._hash: int | None = None

    def __getitem__(self, key: str) -> V_co:
        return self._items[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def items(self) -> ItemsView[str, V_co]:
        """Keys and values."""
        return self._items.items()

    def keys(self) -> KeysView[str]:
        """The keys, sorted."""
        return self._items.keys()

    def values(self) -> ValuesView[V_co]:
        """The values, in the order of the keys."""
        return self._items.values()

    @overload
    def get(self, key: str, /) -> V_co | None: ...
    @overload
    def get(self, key: str, /, default: V_co | T) -> V_co | T: ...
    def get(self, key: str, /, default: V_co | T | None = None) -> V_co | T | None:
        """The value of a key, or the default."""
        return self._items.get(key, default)

    def __contains__(self, key: object) -> bool:
        return key in self._items

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(tuple(self._items.items()))
        return self._hash

    def __eq__(self, other: object) -> bool:
        if isinstance(other, FrozenMap):
            return self._items == other._items
        return self._items == other

    def __repr__(self) -> str:
        return f"FrozenMap({self._items!r})"

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: type[object], handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Validates as a dict of the same value type, then freezes."""
        values = get_args(source)
        inner = handler.generate_schema(values[0] if values else object)
        return core_schema.no_info_after_validator_function(
            cls, core_schema.dict_schema(core_schema.str_schema(), inner)
        )


class FileValue(BaseModel):  # noqa: PLW1641 - pydantic gives every frozen model its own hash
    """A value that is read from a file: frozen, camelCase in the file, unknown fields refused."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        arbitrary_types_allowed=True,
    )

    def __eq__(self, other: object) -> bool:
        """As pydantic's, which asks this last and takes ten times as long; keys are often equal."""
        if type(self) is type(other) and self.__dict__ == other.__dict__:
            return True
        return super().__eq__(other)


def _not_empty(value: object) -> object:
    if value == [] and isinstance(value, list):
        message = "is an empty list, which says nothing; give it an item, or leave the field out"
        raise ValueError(message)
    return value


NOT_EMPTY = BeforeValidator(_not_empty)
"""A list in a file that would mean "all" where a reader takes it for "none"."""
Labels = FrozenMap[str]
Resources = FrozenMap[int]
