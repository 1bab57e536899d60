"""A value that is worked out when it is first asked for, and kept on the object."""

from collections.abc import Callable
from typing import Generic, TypeVar

Owner = TypeVar("Owner")
Value = TypeVar("Value")


class Lazy(Generic[Owner, Value]):
    """functools.cached_property without its lock, which costs more than most values here.

    What is kept hides the method from then on, because it stands in the object's own dictionary.
    """

    def __init__(self, make: Callable[[Owner], Value]) -> None:
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, owner: Owner, kind: type) -> Value:
        value = owner.__dict__[self._name] = self._make(owner)
        return value
