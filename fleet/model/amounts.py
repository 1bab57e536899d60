"""Amounts of a cluster by the name of a property, as policies compare them."""

from fleet.model.inventory import Cluster

FREE = "free."
ALLOCATABLE = "allocatable."
NODES = "nodes"
_PARTS = 1_000_000


def amount_of(cluster: Cluster, name: str) -> int | None:
    """The amount of `free.<resource>`, `allocatable.<resource>`, `nodes` or a property.

    **Units**: those of `unit_of`. Free is what the inventory says, before anything is placed by
    the run. None where the cluster does not say.
    """
    spec = cluster.spec
    if name.startswith(FREE):
        return cluster.free.get(name.removeprefix(FREE))
    if name.startswith(ALLOCATABLE):
        return spec.capacity.allocatable.get(name.removeprefix(ALLOCATABLE))
    if name == NODES:
        counted = sum(group.count for group in spec.capacity.nodes)
        return spec.nodes or counted or None
    return spec.properties.get(name)


def unit_of(name: str) -> int:
    """How many millionths one unit of `amount_of` is.

    >>> unit_of("free.cpu"), unit_of("free.memory"), unit_of("cost-per-core")
    (1000, 1000000, 1)
    """
    if name.startswith((FREE, ALLOCATABLE)):
        return _PARTS // 1000 if name.endswith(".cpu") else _PARTS
    return _PARTS if name == NODES else 1


def holds(amount: int, operator: str, value: int) -> bool:
    """Whether an amount compares as asked, both in the same unit.

    >>> holds(3, "Ge", 3), holds(3, "Gt", 3), holds(3, "Ne", 3)
    (True, False, False)
    """
    answers = {
        "Gt": amount > value,
        "Ge": amount >= value,
        "Eq": amount == value,
        "Ne": amount != value,
        "Le": amount <= value,
        "Lt": amount < value,
    }
    return answers[operator]
