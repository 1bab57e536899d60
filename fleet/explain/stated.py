"""What the files say of one workload and of clusters, with the lines, as plain values."""

from collections.abc import Iterable
from typing import Any

from fleet.explain.inputs import Facts, cluster_facts, spelled_amounts, workload_facts
from fleet.explain.sentences import rejection_sentence
from fleet.model.decision import Decision
from fleet.model.inventory import Cluster
from fleet.model.snapshot import Snapshot

Json = dict[str, Any]


def stated_workload(snapshot: Snapshot, decision: Decision) -> Json:
    """The policy's line, why replicas fit nowhere, and what the decision was made of."""
    return {
        "source": str(decision.source) if decision.source else None,
        "shortfallReasons": [
            {
                "code": each.code,
                "values": dict(each.values),
                "source": str(each.source) if each.source else None,
                "sentence": rejection_sentence(each),
            }
            for each in decision.shortfall_reasons
        ],
        "facts": _with_places(workload_facts(snapshot, decision.workload)),
    }


def stated_clusters(snapshot: Snapshot, names: Iterable[str]) -> Json:
    """Each cluster's line, and what was said of it: region, state, labels and amounts.

    **Shape**: `free` by resource, before any workload is placed; no amount there is no limit.
    """
    wanted = set(names)
    found = (each for each in snapshot.clusters if each.name in wanted)
    return {each.name: _stated_cluster(snapshot, each) for each in found}


def _stated_cluster(snapshot: Snapshot, cluster: Cluster) -> Json:
    facts = _with_places(cluster_facts(snapshot, cluster))
    free = spelled_amounts(cluster.free)
    return {"source": str(cluster.origin.start), "facts": facts, "free": free}


def _with_places(facts: Facts) -> Json:
    return {field: {"value": fact.value, "source": fact.place} for field, fact in facts.items()}
