"""What `fleet what-if` is asked: its options, and what they make of files and settings."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Annotated, TypeVar, get_args

import typer

from fleet.errors import ErrorList
from fleet.load.faults import MOST_WHOLE
from fleet.load.words import Words
from fleet.model.base import Resources
from fleet.model.edits import CapacityEdit, Edits, LabelEdit, ReplicasEdit, TaintEdit
from fleet.model.inventory import TaintEffect
from fleet.model.quantity import in_base_units
from fleet.model.settings import Settings

Edit = TypeVar("Edit")
STATES = ("down", "drain", "decommission")
"""The options that say a state: config keys of the same name."""
_EFFECTS: dict[str, TaintEffect] = {each: each for each in get_args(TaintEffect)}


def _names(metavar: str, text: str) -> object:
    return typer.Option(metavar=metavar, help=f"{text}; repeatable.")


@dataclass(frozen=True, slots=True)
class Asked:
    """The options, as they were written on the command line."""

    down: Annotated[list[str] | None, _names("NAME", "The cluster, or the region, is down")] = None
    drain: Annotated[
        list[str] | None, _names("NAME", "The cluster, or the region, is draining")
    ] = None
    decommission: Annotated[list[str] | None, _names("NAME", "The cluster is decommissioned")] = (
        None
    )
    add: Annotated[list[str] | None, _names("FILE", "Its clusters join the inventory")] = None
    remove: Annotated[list[str] | None, _names("NAME", "The inventory is without the cluster")] = (
        None
    )
    taint: Annotated[
        list[str] | None,
        _names(
            "NAME=KEY=VALUE:EFFECT",
            "The cluster has the taint, or with '-' at the end it has not, as for kubectl",
        ),
    ] = None
    label: Annotated[
        list[str] | None,
        _names("NAME=KEY=VALUE", "The cluster has the label; NAME=KEY- takes it away"),
    ] = None
    capacity: Annotated[
        list[str] | None,
        _names("NAME:cpu=20", "What the cluster has to allocate; memory=64Gi after a comma"),
    ] = None
    replicas: Annotated[
        list[str] | None, _names("WORKLOAD=N", "The workload's file asks for so many replicas")
    ] = None

    def words(self) -> Iterator[str]:
        """Every option that was given, as it was."""
        for field in fields(self):
            for value in getattr(self, field.name) or ():
                yield f"--{field.name} {value}"


def edits_of(asked: Asked, errors: ErrorList) -> Edits:
    """The options that change what the files say; texts that cannot be read are noted."""
    return Edits(
        removed=tuple(asked.remove or ()),
        taints=_read("--taint", asked.taint, _taint, errors),
        labels=_read("--label", asked.label, _label, errors),
        capacities=_read("--capacity", asked.capacity, _capacity, errors),
        replicas=_read("--replicas", asked.replicas, _replicas, errors),
    )


def settings_of(asked: Asked, settings: Settings, added: list[str], errors: ErrorList) -> Settings:
    """The options that change the config: the last word on a state, and more inventory."""
    said: dict[str, str] = {}
    for key in STATES:
        for name in getattr(asked, key) or ():
            other = said.setdefault(name, key)
            if other != key:
                errors.add(None, f"--{key}", f"'{name}' is named by --{other}, too", "keep one")
    known = {*said, *(asked.remove or ())}
    lists = {
        key: (
            *(name for name in getattr(settings, key) if name not in known),
            *dict.fromkeys(getattr(asked, key) or ()),
        )
        for key in STATES
    }
    return settings.model_copy(update={**lists, "inventory": (*settings.inventory, *added)})


def _read(
    option: str, texts: list[str] | None, read: Callable[[str], Edit], errors: ErrorList
) -> tuple[Edit, ...]:
    found = []
    for text in texts or ():
        try:
            found.append(read(text))
        except ValueError as error:
            errors.add(None, option, str(error))
    return tuple(found)


def _taint(text: str) -> TaintEdit:
    """As kubectl writes it, after the cluster's name.

    >>> _taint("eu-1=gpu=true:NoSchedule")
    TaintEdit(cluster='eu-1', key='gpu', value='true', effect='NoSchedule', gone=False)
    >>> _taint("eu-1=gpu-").gone, _taint("eu-1=gpu:NoExecute-").effect
    (True, 'NoExecute')
    """
    cluster, equals, taint = text.partition("=")
    gone = taint.endswith("-")
    pair, _, word = taint.removesuffix("-").partition(":")
    key, _, value = pair.partition("=")
    if not (cluster and equals and key) or not (word or gone):
        message = f"'{text}' is no NAME=KEY=VALUE:EFFECT, such as eu-1=gpu=true:NoSchedule"
        raise ValueError(message)
    if word and word not in _EFFECTS:
        hint = Words(_EFFECTS).hint(word)
        message = f"'{word}' is no effect of a taint - {hint}"
        raise ValueError(message)
    return TaintEdit(cluster, key, value, _EFFECTS.get(word), gone)


def _label(text: str) -> LabelEdit:
    cluster, _, label = text.partition("=")
    key, equals, value = label.partition("=")
    if cluster and equals and key:
        return LabelEdit(cluster, key, value)
    if cluster and key.endswith("-") and key != "-":
        return LabelEdit(cluster, key.removesuffix("-"), None)
    message = f"'{text}' is no NAME=KEY=VALUE, such as eu-1=tier=gold, and no NAME=KEY-"
    raise ValueError(message)


def _capacity(text: str) -> CapacityEdit:
    """Amounts of a cluster.

    >>> _capacity("eu-1:cpu=20,memory=1Ki").amounts
    FrozenMap({'cpu': 20000, 'memory': 1024})
    """
    cluster, _, listed = text.partition(":")
    amounts: dict[str, int] = {}
    for each in listed.split(","):
        resource, _, amount = each.strip().partition("=")
        if not (cluster and resource and amount):
            message = f"'{text}' is no NAME:RESOURCE=AMOUNT, such as eu-1:cpu=20,memory=64Gi"
            raise ValueError(message)
        amounts[resource] = in_base_units(resource, amount)
    return CapacityEdit(cluster, Resources(amounts))


def _replicas(text: str) -> ReplicasEdit:
    workload, _, number = text.rpartition("=")
    if not workload or not (number.isascii() and number.isdecimal()):
        message = f"'{text}' is no WORKLOAD=N, such as web=12"
        raise ValueError(message)
    if len(number) > len(str(MOST_WHOLE)) or int(number) > MOST_WHOLE:
        message = f"{number} is too large; an API server takes at most {MOST_WHOLE}"
        raise ValueError(message)
    return ReplicasEdit(workload, int(number))
