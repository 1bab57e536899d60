"""Edits of what the files say, for a question: nothing is written."""

from dataclasses import dataclass
from typing import Final

from fleet.model.base import Resources
from fleet.model.inventory import TaintEffect


@dataclass(frozen=True, slots=True)
class TaintEdit:
    """A taint that a cluster gets, or loses: of this effect, or (None) of every effect."""

    cluster: str
    key: str
    value: str = ""
    effect: TaintEffect | None = None
    gone: bool = False


@dataclass(frozen=True, slots=True)
class LabelEdit:
    """A label that a cluster gets; `value` None: that it loses."""

    cluster: str
    key: str
    value: str | None


@dataclass(frozen=True, slots=True)
class CapacityEdit:
    """What a cluster has to allocate instead; **units**: cpu in millicores, others base units."""

    cluster: str
    amounts: Resources


@dataclass(frozen=True, slots=True)
class ReplicasEdit:
    """How many replicas a workload's file asks for instead."""

    workload: str
    replicas: int


@dataclass(frozen=True, slots=True)
class Edits:
    """Everything that is to be different. `removed` are clusters that leave the inventory."""

    removed: tuple[str, ...] = ()
    taints: tuple[TaintEdit, ...] = ()
    labels: tuple[LabelEdit, ...] = ()
    capacities: tuple[CapacityEdit, ...] = ()
    replicas: tuple[ReplicasEdit, ...] = ()


NO_EDITS: Final = Edits()
