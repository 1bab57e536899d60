"""Capacities that contradict themselves."""

from collections.abc import Iterable

from fleet.errors import ErrorList
from fleet.load.names import Spot
from fleet.model.inventory import Cluster
from fleet.model.observation import ClusterObservation
from fleet.model.quantity import spell_quantity


def check_reserved(documents: Iterable[Cluster | ClusterObservation], errors: ErrorList) -> None:
    """Of what a document reserves there is at least as much, by the same document."""
    for document in documents:
        capacity = document.spec.capacity
        for name, reserved in capacity.reserved.items() if capacity is not None else ():
            most = capacity.allocatable.get(name) if capacity is not None else None
            if most is not None and reserved > most:
                amounts = spell_quantity(name, reserved), spell_quantity(name, most)
                spot = Spot.of(document.origin, "spec", "capacity", "reserved", name)
                spot.fault(errors, "{} is more than is allocatable, {}".format(*amounts))
