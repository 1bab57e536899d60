"""Which clusters need a provider in this run, and how each is treated."""

from fleet.deliver.history import History
from fleet.model.inventory import State
from fleet.model.plan import ProviderDelivery
from fleet.model.snapshot import Snapshot


def clusters_in_use(deliveries: set[str], history: History) -> set[str]:
    """Every cluster that gets objects or has some."""
    return deliveries | {cluster for past in history.pasts.values() for cluster in past.clusters}


def provider_deliveries(snapshot: Snapshot, used: set[str]) -> tuple[ProviderDelivery, ...]:
    """The providers of the clusters in use that say how to reach them, sorted by cluster.

    A cluster that is down is not touched (`skip`), what is left on a decommissioned one is
    dropped from the state (`forget`); never both.
    """
    found = []
    for cluster in snapshot.clusters:
        connection = cluster.spec.connection
        if connection is not None and cluster.name in used:
            state = snapshot.states[cluster.name].state
            found.append(
                ProviderDelivery(
                    cluster.name,
                    connection,
                    state,
                    skip=state is State.DOWN,
                    forget=state is State.DECOMMISSIONED,
                )
            )
    return tuple(found)
