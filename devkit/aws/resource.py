"""What every resource type of the stand-in does, and the difference between two inputs."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from devkit.aws.client import ApiError, Client, NotInSyncError
from devkit.aws.data import Data, Table
from devkit.aws.sdk import Failure


@dataclass(frozen=True, slots=True)
class State:
    """A resource as it is.

    Attributes:
        outputs: what the engine keeps.
        inputs: what would have to be written to get it; only `read` fills it in.
    """

    identifier: str
    outputs: Table
    inputs: Table = field(default_factory=dict)


class HalfDoneError(Exception):
    """The service has taken a change over, and then something failed: the state is kept."""

    def __init__(self, state: State, sentence: str) -> None:
        super().__init__(sentence)
        self.state = state


@contextmanager
def keeping(state: State) -> Iterator[None]:
    """Keep a state that has come to be, whatever fails inside. **Errors**: HalfDoneError."""
    try:
        yield
    except (ApiError, NotInSyncError) as error:
        raise HalfDoneError(state, str(error)) from error


class Resource(Protocol):
    """One resource type."""

    @property
    def replaces(self) -> frozenset[str]:
        """The inputs whose change makes a new resource."""

    @property
    def sets(self) -> frozenset[str]:
        """The inputs that are lists whose order does not matter."""

    @property
    def defaults(self) -> Mapping[str, Data]:
        """What an input is when it is absent."""

    @property
    def computed(self) -> frozenset[str]:
        """The inputs that the service fills in; taking one away changes nothing."""

    def check(self, inputs: Table) -> list[Failure]:
        """Return what the real provider refuses beyond the types."""

    def normal(self, name: str, value: Data) -> Data:
        """Return an input so that two spellings of the same compare equal."""

    def preview(self, inputs: Table) -> Table:
        """Return the outputs that a preview can know; the rest is unknown."""

    def create(self, client: Client, inputs: Table) -> State:
        """Create it."""

    def read(self, client: Client, identifier: str, old: Table) -> State | None:
        """Return it as it is; None where it is gone."""

    def update(self, client: Client, identifier: str, old: Table, inputs: Table) -> State:
        """Change it in place."""

    def delete(self, client: Client, identifier: str, old: Table) -> None:
        """Delete it; one that is gone is fine."""


@dataclass(frozen=True, slots=True)
class Change:
    """One property that differs: its path, and what happens to it (add, delete, update)."""

    path: str
    kind: str
    replaces: bool


def changes_between(resource: Resource, old: Table, state: Table, new: Table) -> list[Change]:
    """Return what differs between the inputs of last time and those of now.

    The outputs of last time, `state`, stand in for inputs that nobody had written.
    """
    found: list[Change] = []
    for name in sorted((set(old) - resource.computed) | set(new)):
        known = state.get(name) if name in new else None
        before = _settled(resource, name, old.get(name, known))
        after = _settled(resource, name, new.get(name))
        replaces = name in resource.replaces
        found += [Change(path, kind, replaces) for path, kind in _differences(name, before, after)]
    return found


def _settled(resource: Resource, name: str, value: Data) -> Data:
    """Return an input with its default, in its normal form, sets sorted."""
    value = resource.normal(name, resource.defaults.get(name) if value is None else value)
    if name in resource.sets and isinstance(value, list):
        return sorted(value, key=str)
    return value or None if isinstance(value, list | dict) else value


def _differences(path: str, before: Data, after: Data) -> list[tuple[str, str]]:
    if before == after:
        return []
    if before is None or after is None:
        return [(path, "add" if before is None else "delete")]
    if isinstance(before, dict) and isinstance(after, dict):
        found = []
        for key in sorted(set(before) | set(after)):
            step = f".{key}" if key.isidentifier() else f'["{key}"]'
            found += _differences(path + step, before.get(key), after.get(key))
        return found
    if isinstance(before, list) and isinstance(after, list):
        found = []
        for number in range(max(len(before), len(after))):
            one = before[number] if number < len(before) else None
            other = after[number] if number < len(after) else None
            found += _differences(f"{path}[{number}]", one, other)
        return found
    return [(path, "update")]


def kept_inputs(resource: Resource, actual: Table, old: Table, state: Table) -> Table:
    """Return the inputs that describe what was read.

    Those of last time, and what is neither a default nor as the service had filled it in.
    """
    kept: Table = {}
    for name, value in actual.items():
        settled = _settled(resource, name, value)
        default = _settled(resource, name, None)
        filled = _settled(resource, name, state.get(name))
        if name in old and settled == _settled(resource, name, old[name]):
            kept[name] = old[name]
        elif settled is not None and (name in old or settled not in (default, filled)):
            kept[name] = value
    return kept
