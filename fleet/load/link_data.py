"""What workloads say of their data: the places exist, and what follows for their traffic."""

from collections.abc import Iterable, Mapping

from fleet.load.names import Names
from fleet.model.data import DataKind
from fleet.model.traffic import Mode, TrafficPolicy
from fleet.model.workload import Workload


def check_data(workloads: Iterable[Workload], names: Names) -> None:
    """Every cluster and region that holds data exists; the token's object is in the workload."""
    for workload in workloads:
        data = workload.settings.data
        for cluster in data.at:
            if cluster not in names.clusters and names.clusters_whole:
                sentence = f"there is no cluster '{cluster}'"
                _fault(workload, "at", sentence, names.clusters.hint(cluster), names)
        for word in data.replication.to if data.replication else ():
            if not names.is_place(word):
                sentence = f"'{word}' is no cluster and no region of the inventory"
                _fault(workload, "replication.to", sentence, names.place_hint(word), names)
        if data.handover is not None:
            known = [f"{each.kind}/{each.name}" for each in workload.manifests]
            if data.handover.object not in known:
                sentence = f"the workload has no object '{data.handover.object}'"
                hint = f"it has {', '.join(known)}"
                _fault(workload, "handover.object", sentence, hint, names)


def _fault(workload: Workload, field: str, sentence: str, hint: str, names: Names) -> None:
    names.errors.add(workload.data_source(field), f"spec.data.{field}", sentence, hint)


def directed(
    policies: Iterable[TrafficPolicy], workloads: Iterable[Workload]
) -> list[TrafficPolicy]:
    """The policies with what their workload's data means for them.

    Where there is data and nobody says otherwise, a failover is a person's decision.
    """
    kinds: Mapping[str, DataKind] = {each.name: each.settings.data.kind for each in workloads}
    return [_directed(each, kinds.get(each.spec.workload, DataKind.NONE)) for each in policies]


def _directed(policy: TrafficPolicy, kind: DataKind) -> TrafficPolicy:
    spec = policy.spec
    said = "failover" in spec.model_fields_set or spec.mode is not Mode.ACTIVE_STANDBY
    if kind is DataKind.NONE or said:
        return policy
    return policy.model_copy(update={"spec": spec.model_copy(update={"failover": "manual"})})
