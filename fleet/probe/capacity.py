"""What a cluster has and what is taken without fleet, counted as Kubernetes' scheduler counts."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from fleet.errors import ErrorList
from fleet.load.faults import Faults
from fleet.load.marks import Marks, PositionedText
from fleet.load.requests import as_resources, pod_request
from fleet.load.scalars import KUBERNETES
from fleet.load.source import Document
from fleet.model.base import Resources
from fleet.model.inventory import Capacity, NodeGroup
from fleet.model.quantity import in_base_units
from fleet.model.source import Origin
from fleet.probe.values import HalfError

_OVER = ("Succeeded", "Failed")
_WITHOUT_NODES = ("cpu", "memory", "pods")
_BARRING = ("NoSchedule", "NoExecute")
Amounts = dict[str, int]


def usable(nodes: Iterable[Mapping[str, Any]]) -> dict[str, Amounts]:
    """What can be allocated on each node that takes pods, by the node's name.

    Ready, not cordoned, and without a taint that bars pods. Raises HalfError where a node does not
    say.
    """
    return {
        str(node["metadata"]["name"]): _allocatable(node) for node in nodes if _takes_pods(node)
    }


def capacity_of(
    nodes: Mapping[str, Amounts],
    pods: Iterable[Mapping[str, Any]],
    is_ours: Callable[[Mapping[str, Any]], bool],
) -> Capacity:
    """Allocatable: the sum over the nodes. Reserved: the requests of pods that are not fleet's.

    **Shape**: `nodes` has one group per kind of node, sorted by what is free, without fleet's pods.
    Only pods that run on one of the nodes count, and that are not over.
    """
    taken: dict[str, Amounts] = {name: {} for name in nodes}
    for pod in pods:
        name = (pod.get("spec") or {}).get("nodeName")
        over = (pod.get("status") or {}).get("phase") in _OVER
        if name in taken and not over and not is_ours(pod):
            _add(taken[name], request_of(pod))
    total: Amounts = {} if nodes else dict.fromkeys(_WITHOUT_NODES, 0)
    reserved: Amounts = {}
    groups: Counter[tuple[tuple[str, int], ...]] = Counter()
    for name, amounts in nodes.items():
        _add(total, amounts)
        _add(reserved, {key: taken[name].get(key, 0) for key in amounts})
        free = {key: max(0, amount - taken[name].get(key, 0)) for key, amount in amounts.items()}
        groups[tuple(sorted(free.items()))] += 1
    return Capacity.model_construct(
        allocatable=Resources(total),
        reserved=Resources({key: amount for key, amount in reserved.items() if amount}),
        nodes=tuple(
            NodeGroup.model_construct(count=count, free=Resources(dict(free)))
            for free, count in sorted(groups.items())
        ),
    )


def request_of(pod: Mapping[str, Any]) -> Mapping[str, int]:
    """What a pod asks of its node; cpu in millicores, others in base units, itself as `pods`."""
    spec = pod.get("spec") or {}
    errors = ErrorList()
    nowhere = Marks(PositionedText("", KUBERNETES), 0, 0)
    asked = pod_request(spec, ("spec",), Faults(Document(spec, Origin("pod"), nowhere), errors))
    return as_resources([(asked, Fraction(1))])


def _takes_pods(node: Mapping[str, Any]) -> bool:
    spec, status = node.get("spec") or {}, node.get("status") or {}
    barred = any(taint.get("effect") in _BARRING for taint in spec.get("taints") or ())
    ready = any(
        each.get("type") == "Ready" and each.get("status") == "True"
        for each in status.get("conditions") or ()
    )
    return ready and not barred and not spec.get("unschedulable")


def _allocatable(node: Mapping[str, Any]) -> Amounts:
    name = (node.get("metadata") or {}).get("name")
    said = (node.get("status") or {}).get("allocatable")
    if not isinstance(said, dict) or not said:
        raise HalfError(f"node '{name}' does not say what it can allocate")
    try:
        return {str(key): in_base_units(str(key), value) for key, value in said.items()}
    except ValueError as error:
        raise HalfError(f"node '{name}': {error}") from None


def _add(total: Amounts, more: Mapping[str, int]) -> None:
    for key, amount in more.items():
        total[key] = total.get(key, 0) + amount
