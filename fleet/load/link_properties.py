"""Properties that policies compare: some cluster has them."""

from fleet.load.names import Names, Spot
from fleet.load.words import Words
from fleet.model.amounts import ALLOCATABLE, FREE, NODES, amount_of


def check_property(name: str, spot: Spot, names: Names) -> None:
    """A property that no cluster has would match nothing: a fault, with the nearest one."""
    clusters = tuple(names.by_name.values())
    if not names.facts_whole or any(amount_of(each, name) is not None for each in clusters):
        return
    known = {NODES}
    for cluster in clusters:
        known.update(cluster.spec.properties)
        for resource in cluster.spec.capacity.allocatable:
            known.update((FREE + resource, ALLOCATABLE + resource))
    spot.fault(names.errors, f"no cluster says '{name}'", Words(known - {name}).hint(name))
