"""No object twice on one cluster, whoever asks for it."""

from collections.abc import Iterable, Mapping

from fleet.deliver.bodies import text_at
from fleet.deliver.faults import Fault, Faults
from fleet.model.api_version import group_of
from fleet.model.plan import ClusterDelivery, PlannedObject
from fleet.model.source import Source


def refuse_duplicates(
    deliveries: Mapping[str, Iterable[ClusterDelivery]],
    sources: Mapping[str, Source],
    faults: Faults,
) -> None:
    """Notes objects that meet on a cluster: in one workload by name, in two by what they are.

    **Shape**: deliveries and the places of workloads by workload.
    """
    owners: dict[tuple[str, str, str], str] = {}
    names: set[str] = set()
    for workload, on_clusters in deliveries.items():
        for each in (planned for one in on_clusters for planned in one.objects):
            owner = owners.setdefault(_what(each), workload)
            if each.name in names or owner != workload:
                faults.add(_fault(each, workload, owner, sources), each.cluster)
            names.add(each.name)


def _what(planned: PlannedObject) -> tuple[str, str, str]:
    return planned.cluster, group_of(text_at(planned.body, "apiVersion")), planned.key


def _fault(
    planned: PlannedObject, workload: str, owner: str, sources: Mapping[str, Source]
) -> Fault:
    if owner != workload:
        sentence = f"object '{planned.key}' is in workloads '{owner}' and '{workload}'"
        return Fault(sources.get(workload), "", sentence, "an object has one owner; keep one")
    sentence = f"workload '{workload}' has two objects '{planned.key}'"
    return Fault(
        sources.get(workload),
        "",
        sentence,
        "resource names tell kinds apart, not API groups: rename one, or remove it",
    )
